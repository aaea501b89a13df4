"""Starting this program again without a window, for work in another process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from dpwizard.base.program_folder import PROGRAM

HIDDEN = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # no console window on Windows


def command(what: str) -> list[str]:
    """Return the command line that starts main.py, frozen or from source, with the argument WHAT."""
    if getattr(sys, "frozen", False):
        beside = Path(sys.executable).with_name("dpwizard-cli" + Path(sys.executable).suffix)
        return [str(beside if beside.exists() else sys.executable), what]
    return [sys.executable, str(PROGRAM / "main.py"), what]
