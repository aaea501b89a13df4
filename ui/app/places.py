"""Where the program keeps what is its own and no document: journals without a file, and its log."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def state_folder(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> Path:
    """Return this user's folder for the program's state on a computer of this SYSTEM, whether it is there or not."""
    try:
        home = Path.home()
    except RuntimeError:  # a user without a home
        import tempfile

        home = Path(tempfile.gettempdir()) / f"dpwizard-{getattr(os, 'getuid', int)()}"
    if system == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "dpwizard"
    if system == "darwin":
        return home / "Library" / "Application Support" / "dpwizard"
    stated = environment.get("XDG_STATE_HOME", "")
    return (Path(stated) if os.path.isabs(stated) else home / ".local" / "state") / "dpwizard"


def journals(state: Path) -> Path:
    """Return the folder for journals in STATE, made if it can be."""
    folder = state / "journals"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return folder  # what cannot be written there is said when it is tried
    return folder
