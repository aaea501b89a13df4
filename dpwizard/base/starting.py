"""How this program starts itself again without a window, for work in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from dpwizard.base.program_folder import PROGRAM

HIDDEN = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows, no console flashes up


def command(what: str) -> list[str]:
    """Return how this program is started for WHAT main.py answers: packed, or from source."""
    if getattr(sys, "frozen", False):
        beside = Path(sys.executable).with_name("dpwizard-cli" + Path(sys.executable).suffix)
        return [str(beside if beside.exists() else sys.executable), what]
    return [sys.executable, str(PROGRAM / "main.py"), what]
