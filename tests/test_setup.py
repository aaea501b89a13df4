"""scripts/setup.sh on odd machines: what was cut off is made again, and Debian's packages are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a source tree whose name is awkward, which needs no Python package, and so no network."""
    tree = tmp_path / "größe & maß's tree"
    (tree / "scripts").mkdir(parents=True)
    (tree / "requirements").mkdir()
    (tree / "requirements" / "runtime.txt").write_text("# nothing\n", "utf-8")
    shutil.copy(ROOT / "scripts" / "setup.sh", tree / "scripts")
    return tree


def set_up(tree: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the set-up of TREE with this Python."""
    return subprocess.run(
        ["sh", "scripts/setup.sh", "run"],
        cwd=tree,
        env=os.environ | {"PYTHON": sys.executable, "LC_ALL": "C.UTF-8"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def cut_off(tree: Path) -> None:
    """Leave .venv as a killed pip does: the package is known, and some of its files are there."""
    package = next((tree / ".venv").glob("lib/*/site-packages/pip-*.dist-info"))
    (package / "INSTALLER").unlink()
    next((tree / ".venv").glob("lib/*/site-packages/pip/__main__.py")).unlink()
    (tree / ".venv" / ".ready-run").unlink()


def programs(folder: Path, **scripts: str) -> str:
    """Put SCRIPTS first on the path, and return that path."""
    folder.mkdir()
    for name, script in scripts.items():
        program = folder / name.replace("_", "-")
        program.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        program.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.slow
def test_an_environment_that_was_cut_off_is_made_again(tree: Path) -> None:
    first = set_up(tree, SKIP_PACKAGES="1")
    assert first.returncode == 0, first.stderr
    cut_off(tree)

    again = set_up(tree, SKIP_PACKAGES="1", PIP_USER="1")
    assert again.returncode == 0, again.stderr
    assert "Making .venv" in again.stderr
    assert set_up(tree, SKIP_PACKAGES="1").stderr == ""


def test_packages_are_installed_after_an_apt_that_was_cut_off_and_with_a_list_that_cannot_be_fetched(
    tree: Path, tmp_path: Path
) -> None:
    calls = tmp_path / "calls"
    path = programs(
        tmp_path / "bin",
        id="echo 0",
        dpkg_query="exit 1",
        dpkg=f'echo "dpkg $*" >>"{calls}"; exit 1',
        apt_get=f'echo "apt-get $*" >>"{calls}"; echo "apt-get in $LC_ALL" >&2; exit 100',
    )

    answer = set_up(tree, PATH=path, LC_ALL="de_DE.UTF-8")

    configured, updated, installed = calls.read_text("utf-8").splitlines()
    assert configured == "dpkg --configure -a"
    assert updated == "apt-get update"
    assert installed.startswith("apt-get install -y --fix-broken ")
    assert installed.endswith(" libwayland-egl1")
    assert "apt-get in C\n" in answer.stderr  # failed() reads English


@pytest.mark.parametrize(
    ("with_sudo", "line"),
    [(True, "  sudo apt-get update && sudo "), (False, "  su - -c 'apt-get ")],
)
def test_a_user_is_told_a_line_that_this_machine_knows(
    tree: Path, tmp_path: Path, *, with_sudo: bool, line: str
) -> None:
    needed = {name: f'exec {shutil.which(name)} "$@"' for name in ("sh", "dirname", "cat")}
    sudo = {"sudo": "exit 1"} if with_sudo else {}
    programs(tmp_path / "bin", id="echo 1000", dpkg_query="exit 1", apt_get="exit 1", **needed, **sudo)

    answer = set_up(tree, PATH=str(tmp_path / "bin"))

    assert answer.returncode == 1
    assert line in answer.stderr
