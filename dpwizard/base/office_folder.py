"""The folder of an office's files for all users of a computer, and the language set there.

Only the language is read here, because it is needed before the first page is painted. `signing.office` reads all
settings later, strictly.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from dpwizard.base import files
from dpwizard.base.errors import DPWizardError
from dpwizard.base.language import understood

SETTINGS = "office.toml"
LARGEST = 2**20  # bytes of a settings file


def office_folder(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> Path:
    """Return the folder of an office's files on a computer of this SYSTEM, which may not exist."""
    if system == "win32":
        return Path(environment.get("PROGRAMDATA") or "C:/ProgramData") / "dpwizard"
    return Path("/Library/Application Support/dpwizard" if system == "darwin" else "/etc/dpwizard")


OFFICE = office_folder()


def language_set(folder: Path) -> str | None:
    """Return the language in the settings in FOLDER; None if there is none, or it is unknown or unreadable."""
    place = folder / SETTINGS
    if not files.is_there(place):
        return None
    import tomllib  # takes milliseconds before the first page, so only if there are settings

    try:
        named = tomllib.loads(files.read_bytes(place, LARGEST).decode("utf-8-sig")).get("language")
    except (DPWizardError, ValueError, RecursionError):
        return None
    return understood(named) if isinstance(named, str) else None
