"""What differs on Windows and macOS, as far as it can be tried without them: the system is named, or faked.

What was never run there: docs/install.md.
"""

from __future__ import annotations

import ast
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from dpwizard.base import starting
from dpwizard.base.version import __version__
from dpwizard.signing.office import user_trust
from tests.samples.source_tree import nodes, sources
from ui.app import program_log

ROOT = Path(__file__).resolve().parents[1]
SYSTEMS = ("linux", "win32", "darwin")


class Built:
    """What build.spec asks PyInstaller to build, kept instead of built."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    def step(self, name: str) -> Any:
        def called(*arguments: Any, **named: Any) -> SimpleNamespace:
            self.calls.append((name, arguments, named))
            return SimpleNamespace(
                pure=[], scripts=[], binaries=named.get("binaries", []), datas=named.get("datas", [])
            )

        return called

    def named(self, step: str) -> list[dict[str, Any]]:
        """Return the arguments by name of every call of STEP."""
        return [named for name, _, named in self.calls if name == step]


def build(system: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Built:
    """Run build.spec as PyInstaller would on SYSTEM."""
    (folder / "dpwizard").mkdir(parents=True)
    hooks, depend = ModuleType("PyInstaller.utils.hooks"), ModuleType("PyInstaller.depend")
    hooks.collect_submodules = lambda name: [name]
    hooks.copy_metadata = lambda name: [(f"{name}.dist-info", f"{name}.dist-info")]
    depend.bindepend = SimpleNamespace(get_imports=lambda path: [])
    monkeypatch.setitem(sys.modules, "PyInstaller.utils.hooks", hooks)
    monkeypatch.setitem(sys.modules, "PyInstaller.depend", depend)
    monkeypatch.setattr(sys, "path", list(sys.path))
    made = Built()
    steps = {name: made.step(name) for name in ("Analysis", "PYZ", "EXE", "COLLECT", "BUNDLE")}
    source = (ROOT / "build.spec").read_text("utf-8")
    with monkeypatch.context() as there:
        there.setattr(sys, "platform", system)
        exec(compile(source, "build.spec", "exec"), {"SPECPATH": str(ROOT), "DISTPATH": str(folder), **steps})
    return made


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_program_is_built_with_everything_it_reads_and_nothing_of_tests(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (asked,) = build(system, tmp_path, monkeypatch).named("Analysis")
    sources = {Path(source).relative_to(ROOT).parts[0] for source, _ in asked["datas"] if Path(source).is_absolute()}
    assert sources == {"resources", "LICENSE", "docs"}
    assert all(Path(source).exists() for source, _ in asked["datas"] if Path(source).is_absolute())
    assert {"pytest", "hypothesis", "tkinter"} <= set(asked["excludes"])


def test_nothing_that_the_program_imports_anywhere_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (asked,) = build("linux", tmp_path, monkeypatch).named("Analysis")
    left_out = tuple(asked["excludes"])
    imported: dict[str, Path] = {}
    for path in sources("main.py", "dpwizard", "ui"):
        for node in nodes(path):
            if isinstance(node, ast.Import):
                imported |= {name.name: path for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported |= {f"{node.module}.{name.name}": path for name in node.names}
    missing = {
        f"{name} in {path}"
        for name, path in imported.items()
        if f"{name}.".startswith(tuple(f"{one}." for one in left_out))
    }
    assert "scipy.special.betaincinv" in imported
    assert missing == set()


def test_on_windows_a_second_program_has_the_console_and_both_have_the_icon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = build("win32", tmp_path, monkeypatch).named("EXE")
    assert [(one["name"], one["console"]) for one in programs] == [("dpwizard", False), ("dpwizard-cli", True)]
    assert all(Path(one["icon"]).read_bytes()[:4] == b"\0\0\1\0" for one in programs)
    assert not list((tmp_path / "dpwizard").iterdir())  # no symbolic link, which needs a right of its own there


def test_on_macos_the_folder_is_an_application_too_that_finder_gives_files_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = build("darwin", tmp_path, monkeypatch)
    (bundle,) = made.named("BUNDLE")
    assert (bundle["name"], bundle["version"]) == ("dpwizard.app", __version__)
    assert Path(bundle["icon"]).read_bytes()[:4] == b"icns"
    kinds = bundle["info_plist"]["CFBundleDocumentTypes"]
    assert [(kind["CFBundleTypeExtensions"], kind["LSHandlerRank"]) for kind in kinds] == [
        (["json"], "Alternate"),
        (["jws"], "Default"),
    ]
    assert (tmp_path / "dpwizard" / "dpwizard-cli").is_symlink()


def test_linux_gets_one_program_under_two_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = build("linux", tmp_path, monkeypatch)
    assert [one["name"] for one in made.named("EXE")] == ["dpwizard"]
    assert not made.named("BUNDLE")
    assert (tmp_path / "dpwizard" / "dpwizard-cli").readlink() == Path("dpwizard")


def test_a_library_of_debian_13_is_owned_by_its_package_and_not_by_who_moved_another_aside() -> None:
    owner = runpy.run_path(str(ROOT / "packaging" / "contents.py"))["owner"]
    library = "/lib/x86_64-linux-gnu/libreadline.so.8"
    moved = f"diversion by libreadline8t64 from: {library}\ndiversion by libreadline8t64 to: {library}.usr-is-merged\n"
    assert owner(moved) == ""
    assert owner(f"{moved}libreadline8t64:amd64: /usr{library}\n") == "libreadline8t64"
    assert owner(f"libc6:amd64, libc6-extra: {library}\n") == "libc6"


def test_state_and_trust_lie_where_each_system_keeps_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    local, roaming = {"LOCALAPPDATA": "D:/Local"}, {"APPDATA": "D:/Roaming"}
    assert program_log.state_folder({}, "linux") == tmp_path / ".local" / "state" / "dpwizard"
    assert program_log.state_folder({}, "darwin") == tmp_path / "Library" / "Application Support" / "dpwizard"
    assert program_log.state_folder({}, "win32") == tmp_path / "AppData" / "Local" / "dpwizard"
    assert program_log.state_folder(local, "win32") == Path("D:/Local/dpwizard")
    assert user_trust({}, "linux") == tmp_path / ".config" / "dpwizard" / "trust"
    assert user_trust({}, "darwin") == tmp_path / "Library" / "Application Support" / "dpwizard" / "trust"
    assert user_trust({}, "win32") == tmp_path / "AppData" / "Roaming" / "dpwizard" / "trust"
    assert user_trust(roaming, "win32") == Path("D:/Roaming/dpwizard/trust")


@pytest.mark.parametrize(("window", "beside"), [("dpwizard", "dpwizard-cli"), ("dpwizard.exe", "dpwizard-cli.exe")])
def test_the_packed_window_asks_the_command_line_that_lies_beside_it(
    window: str, beside: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / window))
    assert starting.command("--typeset")[0] == str(tmp_path / window)  # on macOS, in its application, it is alone
    (tmp_path / beside).touch()
    assert starting.command("--typeset")[0] == str(tmp_path / beside)


@pytest.mark.slow
def test_what_the_desktop_of_macos_asks_to_open_is_said_by_the_application(tmp_path: Path) -> None:
    source = (
        "import sys; from PySide6.QtGui import QFileOpenEvent; from ui.app.application import application\n"
        "app = application(['x']); app.file_asked.connect(print)\n"
        "app.sendEvent(app, QFileOpenEvent(sys.argv[1]))"
    )
    place = str(tmp_path / "Größe 1.json.jws")
    said = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", source, place], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert said.stdout.strip() == place
