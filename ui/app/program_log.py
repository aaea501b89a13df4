"""Where the program keeps what is its own and no document: journals without a file, and its log.

The log file says what the program did and where it failed, without any content of a decision.

Only the constant part of a message is written, never what is filled in; of an error its kind and the lines of the
program it passed, never its words, for those quote what was typed.
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
OURS = ("ui", "dpwizard")  # what other libraries log may hold anything
_ROOTS = (PROGRAM, PACKAGE.parent)  # one folder, but where pip installed the program


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


class WithoutContent(logging.Formatter):
    """Writes time, level, place and the constant words of a message."""

    def format(self, record: logging.LogRecord) -> str:
        text = (
            f"{self.formatTime(record)} {record.levelname} {record.name}:{record.lineno} "
            f"{str(record.msg).splitlines()[0][:200]}"
        )
        problem = record.exc_info[1] if record.exc_info else None
        return text if problem is None else f"{text}\n{trail(problem)}"


def trail(problem: BaseException) -> str:
    """Return the kind of PROBLEM and of its causes, and the lines of the program each passed; none of its words."""
    lines: list[str] = []
    here: BaseException | None = problem
    while here is not None and len(lines) < 200:
        lines.append(f"  {type(here).__module__}.{type(here).__qualname__}")
        for frame, number in traceback.walk_tb(here.__traceback__):
            lines.append(f"    {_place(frame.f_code.co_filename)}:{number} in {frame.f_code.co_name}")
        here = here.__cause__ or (None if here.__suppress_context__ else here.__context__)
    return "\n".join(lines)


def _place(name: str) -> str:
    path = Path(name)
    root = next((root for root in _ROOTS if path.is_relative_to(root)), path.parent)
    return str(path.relative_to(root))


def begin(folder: Path) -> Path | None:
    """Begin to log into FOLDER; return the log file, or None where none can be written."""
    path = folder / NAME
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_with(logging.FileHandler(path, encoding="utf-8"))
    except OSError:
        return None
    return path


def keep_short() -> None:
    """Let the log turn over from now on: what that takes to import, the first page need not wait for."""
    from logging.handlers import RotatingFileHandler

    found = _handler()
    if found is None:
        return
    path = found.baseFilename
    end()
    with contextlib.suppress(OSError):
        _write_with(RotatingFileHandler(path, maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8"))


def _write_with(handler: logging.FileHandler) -> None:
    handler.setFormatter(WithoutContent())
    for name in OURS:
        logger = logging.getLogger(name)
        logger.setLevel(logging.INFO)
        logger.addHandler(handler)


def _handler() -> logging.FileHandler | None:
    found = (handler for name in OURS for handler in logging.getLogger(name).handlers)
    return next((handler for handler in found if isinstance(handler, logging.FileHandler)), None)


def end() -> None:
    """End the log."""
    while (handler := _handler()) is not None:
        for name in OURS:
            logging.getLogger(name).removeHandler(handler)
        handler.close()
