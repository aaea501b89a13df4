"""The wheel of this tree, unpacked as pip unpacks it into an environment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

from tests.samples.source_tree import ROOT


def unpacked_wheel(folder: Path) -> Path:
    """Build the wheel in FOLDER, which is empty; return the folder of packages that holds it alone."""
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=ROOT, check=True)
    (wheel,) = folder.glob("*.whl")
    packages = folder / "packages"
    with ZipFile(wheel) as archive:
        archive.extractall(packages)
    return packages
