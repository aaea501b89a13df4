"""What the Debian package tells a desktop of the program: menu entry, file types, icons, description."""

from __future__ import annotations

import subprocess
from configparser import ConfigParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import main
from dpwizard import __version__
from dpwizard.base import files
from dpwizard.signing.store import RecordFiles

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "packaging" / "linux"
TYPES = "{http://www.freedesktop.org/standards/shared-mime-info}"


@pytest.mark.parametrize(
    "command",
    [
        ("desktop-file-validate", str(FOLDER / "dpwizard.desktop")),
        ("appstreamcli", "validate", "--no-net", "--pedantic", str(FOLDER / "dpwizard.metainfo.xml")),
    ],
    ids=lambda command: command[0],
)
def test_the_desktops_own_tools_find_nothing_wrong(command: tuple[str, ...]) -> None:
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


def declared() -> dict[str, str]:
    """Return the file types that are declared: by name, the ending that files of the type have."""
    tree = ElementTree.parse(FOLDER / "dpwizard.xml")
    found = {}
    for kind in tree.iter(f"{TYPES}mime-type"):
        (glob,) = kind.iter(f"{TYPES}glob")
        found[kind.attrib["type"]] = glob.attrib["pattern"].removeprefix("*")
    return found


def test_the_file_types_are_the_names_that_the_program_gives_its_files() -> None:
    signature = RecordFiles(folder=ROOT, name="record").line(1)
    assert sorted(declared().values()) == sorted([files.OF_DECISIONS, signature.suffix])


def test_menu_entry_and_description_name_every_file_type() -> None:
    entry = ConfigParser(interpolation=None)
    entry.read(FOLDER / "dpwizard.desktop", "utf-8")
    assert set(entry["Desktop Entry"]["MimeType"].strip(";").split(";")) == set(declared())
    described = ElementTree.parse(FOLDER / "dpwizard.metainfo.xml")
    assert {kind.text for kind in described.iter("mediatype")} == set(declared())


def test_the_description_names_this_version_first() -> None:
    released = next(ElementTree.parse(FOLDER / "dpwizard.metainfo.xml").iter("release"))
    assert released.attrib["version"] == __version__


def test_icons_have_the_sizes_they_are_named_after() -> None:
    icons = sorted((FOLDER / "icons").glob("*.png"))
    assert {icon.stem for icon in icons} >= {"16", "32", "48", "128", "256", "512"}
    for icon in icons:
        head = icon.read_bytes()[16:24]  # width and height, which follow the name of a PNG's first chunk
        assert head == 2 * int(icon.stem).to_bytes(4, "big"), icon.name


@pytest.mark.parametrize(
    "name", ["mine.json", "mine.dpdecision.json", "record.json", "record.json.jws", "record.pdf", "Größe & mehr.json"]
)
def test_what_is_opened_on_the_desktop_reaches_the_window(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr("ui.app.application.run", lambda arguments: asked.append(arguments) or 0)
    (tmp_path / name).write_bytes(b"{}")
    assert main.main([str(tmp_path / name)]) == 0
    assert asked == [["dpwizard", str(tmp_path / name)]]


@pytest.mark.parametrize(
    ("name", "bare"), [("a.dpdecision.json", "a"), ("a.json", "a"), ("a.b.json", "a.b"), ("a", "a")]
)
def test_a_record_is_named_after_the_decision_without_its_ending(name: str, bare: str) -> None:
    assert files.bare_name(Path(name)) == bare
