"""The folder of the program's state: journals without a file, and the log.

The log shows what the program did and where it failed, without any content of a decision. Of a message only the
constant part is written. Of an error only its class and lines of code are, since its text quotes what was typed.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path

from dpwizard.base.program_folder import PACKAGE, PROGRAM

NAME = "dpwizard.log"
LARGEST = 500_000  # bytes
KEPT = 2  # older files
OURS = ("ui", "dpwizard")  # messages of other libraries may hold anything
_ROOTS = (PROGRAM, PACKAGE.parent)  # the same folder, unless pip installed the program


def state_folder(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> Path:
    """Return this user's folder for the program's state on this SYSTEM; it may not exist yet."""
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
    """Return the folder for journals in STATE, and make it if possible."""
    folder = state / "journals"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return folder  # writing a journal will report the problem
    return folder


class WithoutContent(logging.Formatter):
    """Formats time, level, place and the constant words of a message."""

    def format(self, record: logging.LogRecord) -> str:
        text = (
            f"{self.formatTime(record)} {record.levelname} {record.name}:{record.lineno} "
            f"{str(record.msg).splitlines()[0][:200]}"
        )
        problem = record.exc_info[1] if record.exc_info else None
        return text if problem is None else f"{text}\n{trail(problem)}"


def trail(problem: BaseException) -> str:
    """Return the kinds of PROBLEM and its causes with the lines of code they passed, but none of their words."""
    lines: list[str] = []
    here: BaseException | None = problem
    while here is not None and len(lines) < 200:
        lines.append(f"  {type(here).__module__}.{type(here).__qualname__}")
        for frame, number in traceback.walk_tb(here.__traceback__):
            lines.append(f"    {_place_in_program(frame.f_code.co_filename)}:{number} in {frame.f_code.co_name}")
        here = here.__cause__ or (None if here.__suppress_context__ else here.__context__)
    return "\n".join(lines)


def _place_in_program(name: str) -> str:
    path = Path(name)
    root = next((root for root in _ROOTS if path.is_relative_to(root)), path.parent)
    return str(path.relative_to(root))


def begin(folder: Path) -> Path | None:
    """Start logging into FOLDER; return the log file, or None if it cannot be written."""
    path = folder / NAME
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _add_handler(logging.FileHandler(path, encoding="utf-8"))
    except OSError:
        return None
    return path


def keep_short() -> None:
    """Rotate the log from now on; called after the first page is shown, as its import is slow."""
    from logging.handlers import RotatingFileHandler

    handler = _file_handler()
    if handler is None:
        return
    path = handler.baseFilename
    end()
    with contextlib.suppress(OSError):
        _add_handler(RotatingFileHandler(path, maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8"))


def _add_handler(handler: logging.FileHandler) -> None:
    handler.setFormatter(WithoutContent())
    for name in OURS:
        logger = logging.getLogger(name)
        logger.setLevel(logging.INFO)
        logger.addHandler(handler)


def _file_handler() -> logging.FileHandler | None:
    handlers = (handler for name in OURS for handler in logging.getLogger(name).handlers)
    return next((handler for handler in handlers if isinstance(handler, logging.FileHandler)), None)


def end() -> None:
    """Stop logging."""
    while (handler := _file_handler()) is not None:
        for name in OURS:
            logging.getLogger(name).removeHandler(handler)
        handler.close()
