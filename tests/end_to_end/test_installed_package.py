"""What `pip install .` and `pipx install .` give: one package, the command, and the window with all it shows."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.samples.source_tree import ROOT, sources, tracked
from tests.samples.wheels import unpacked_wheel

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of packages with the wheel of this tree in it."""
    return unpacked_wheel(tmp_path_factory.mktemp("wheel"))


def run(packages: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with ARGUMENTS in FOLDER; it finds dpwizard among PACKAGES, and nothing of this tree."""
    environment = {"PYTHONPATH": str(packages), "HOME": str(folder), "LANG": "C.UTF-8"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_the_wheel_holds_one_package_and_all_that_the_program_reads(packages: Path) -> None:
    description, package = sorted(packages.iterdir(), key=lambda path: path.suffix, reverse=True)
    assert (package.name, description.suffix) == ("dpwizard", ".dist-info")
    program = package / "program"
    assert {path.name for path in program.iterdir()} == {"main.py", "ui", "resources", "docs"}
    held = {path.relative_to(package) for path in package.rglob("*") if path.is_file()}
    model = {path.relative_to(ROOT / "dpwizard") for path in sources("dpwizard")}
    window = {Path("program") / path.relative_to(ROOT) for path in (*sources("ui"), *sources("main.py"))}
    resources = {
        Path("program") / path.relative_to(ROOT)
        for path in tracked()
        if path.is_relative_to(ROOT / "resources") and path.suffix != ".po" and path.parent.name != "locale"
    }
    assert model | window | resources <= held


def test_every_page_and_picture_that_the_guide_of_the_wheel_leads_to_is_in_it(packages: Path) -> None:
    documents = packages / "dpwizard" / "program" / "docs"
    missing = []
    for page in (documents / "guide").rglob("*.md"):
        for target in re.findall(r"\]\(([^)#\s]+\.(?:md|png))", page.read_text("utf-8")):
            goal = (page.parent / target).resolve()
            if goal.is_relative_to(documents) and not goal.exists():
                missing.append(f"{page.relative_to(documents)}: {target}")
    assert missing == []


def test_the_package_and_its_command_solve_a_decision_in_any_folder(packages: Path, tmp_path: Path) -> None:
    example = str(packages / "dpwizard" / "program" / "resources" / "examples" / "durham.json")
    command = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]["dpwizard"]
    module, _, function = command.partition(":")
    script = f"import sys; from {module} import {function}; sys.exit({function}())"  # what pip writes
    for start in (("-m", "dpwizard"), ("-c", script)):
        solved = run(packages, tmp_path, *start, "solve", example)
        assert solved.returncode == 0, solved.stderr
        assert json.loads(solved.stdout)["window"]["touching"] is True


@pytest.mark.soak
def test_the_window_of_the_package_is_its_own_and_typesets_by_its_own_program(packages: Path, tmp_path: Path) -> None:
    source = (
        "import dpwizard.__main__ as program, json, sys; sys.argv[1:] = ['--version']; program.main()\n"
        "import ui; from dpwizard.base.starting import command; from ui.help import guide\n"
        "print(json.dumps([ui.__file__, command('--typeset')[1], str(guide.GUIDE)]))"
    )
    asked = run(packages, tmp_path, "-c", source)
    assert asked.returncode == 0, asked.stderr
    program = packages / "dpwizard" / "program"
    expected = [program / "ui" / "__init__.py", program / "main.py", program / "docs" / "guide"]
    assert json.loads(asked.stdout.splitlines()[-1]) == [str(path) for path in expected]
