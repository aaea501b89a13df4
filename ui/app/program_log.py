"""The log file: what the program did and where it failed, without any content of a decision.

Only the constant part of a message is written, never what is filled in; of an error its kind and the lines of the
program it passed, never its words, for those quote what was typed.
"""

from __future__ import annotations

import logging
import os
import traceback
from pathlib import Path

from dpwizard.resource_files import FOLDER

NAME = "dpwizard.log"
LARGEST = 500_000  # bytes
KEPT = 2  # older files
OURS = ("ui", "dpwizard")  # what other libraries log may hold anything
_ROOT = FOLDER.parent


class Shelf(logging.FileHandler):
    """Writes to a file and lays it aside when it is full. (`logging.handlers` does too, but imports a network's modules
    first.)"""

    def emit(self, record: logging.LogRecord) -> None:
        """Write RECORD, in a new file if the old one is full."""
        try:
            if (
                self.stream is not None
                and self.stream.tell() + len(self.format(record).encode()) + len(os.linesep) > LARGEST
            ):
                self.lay_aside()
        except (OSError, ValueError):  # it cannot be laid aside: it grows on
            pass
        super().emit(record)

    def lay_aside(self) -> None:
        """Number the full files, newest first, and begin a new one; the oldest is lost."""
        self.close()
        path = Path(self.baseFilename)
        for number in range(KEPT, 0, -1):
            younger = path if number == 1 else path.with_name(f"{path.name}.{number - 1}")
            if younger.exists():
                younger.replace(path.with_name(f"{path.name}.{number}"))
        self.stream = self._open()


class WithoutContent(logging.Formatter):
    """Writes time, level, place and the constant words of a message."""

    def format(self, record: logging.LogRecord) -> str:
        said = (
            f"{self.formatTime(record)} {record.levelname} {record.name}:{record.lineno} "
            f"{str(record.msg).splitlines()[0][:200]}"
        )
        problem = record.exc_info[1] if record.exc_info else None
        return said if problem is None else f"{said}\n{trail(problem)}"


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
    return str(path.relative_to(_ROOT)) if path.is_relative_to(_ROOT) else path.name


def begin(folder: Path) -> Path | None:
    """Begin to log into FOLDER; return the log file, or None where none can be written."""
    path = folder / NAME
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handler = Shelf(path, encoding="utf-8")
    except OSError:
        return None
    handler.setFormatter(WithoutContent())
    for name in OURS:
        logger = logging.getLogger(name)
        logger.setLevel(logging.INFO)
        logger.addHandler(handler)
    return path


def end() -> None:
    """End what `begin` began."""
    for name in OURS:
        logger = logging.getLogger(name)
        for handler in [found for found in logger.handlers if isinstance(found, Shelf)]:
            logger.removeHandler(handler)
            handler.close()
