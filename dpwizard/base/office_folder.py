"""The folder in which an office keeps what holds for everybody on a computer, and the language that it set there.

The language is needed before the first page is painted: it alone is read here. Everything the office set is read
strictly later, by `signing.office`, which says what is wrong.
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
    """Return where an office places its files on a computer of this SYSTEM, whether it is there or not."""
    if system == "win32":
        return Path(environment.get("PROGRAMDATA") or "C:/ProgramData") / "dpwizard"
    return Path("/Library/Application Support/dpwizard" if system == "darwin" else "/etc/dpwizard")


OFFICE = office_folder()


def language_set(folder: Path) -> str | None:
    """Return the language that the settings in FOLDER name; None where they name none that there is, or are broken."""
    place = folder / SETTINGS
    if not files.is_there(place):
        return None
    import tomllib  # a few milliseconds before the first page, only where an office set something

    try:
        named = tomllib.loads(files.read_bytes(place, LARGEST).decode("utf-8-sig")).get("language")
    except (DPWizardError, ValueError, RecursionError):
        return None
    return understood(named) if isinstance(named, str) else None
