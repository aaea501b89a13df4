"""The files of a record: which they are, read with a limit, and written so that nothing has to be undone.

The JSON and each signature are new files that appear whole or not at all and are never changed. The PDF follows from
them, so it is replaced. Only plain files of bounded size are read, and no file is looked at that is not named here.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from dpwizard.base import files
from dpwizard.base.errors import FileProblem
from dpwizard.base.messages import message
from dpwizard.base.one_line import on_one_line

MOST = 20  # signatures of one record
SAYS_SO = b"dpwizard.record/"  # stands in the JSON of every record
LARGEST: Mapping[str, int] = MappingProxyType(  # bytes, by ending
    {".json": 4_000_000, ".jws": 200_000, ".pdf": 32_000_000, ".tsr": 100_000}
)
LONGEST_NAME = 240  # bytes: drives take 255, with the ending
_OF_A_LINE = re.compile(r"(.+)\.[1-9][0-9]?\.(?:jws|tsr)")
_BEFORE_1_0 = ".json.jws"  # the one file of signatures of records made before version 1.0


@dataclass(frozen=True, kw_only=True)
class RecordFiles:
    """Where the files of the record NAME lie: NAME.json, NAME.pdf, NAME.1.jws, NAME.2.jws and so on."""

    folder: Path
    name: str

    @staticmethod
    def beside(path: Path) -> RecordFiles:
        """Return the files of the record that PATH (one of its files, or its bare name) belongs to.

        Raises FileProblem where no drive takes a file of that name.
        """
        of_line = _OF_A_LINE.fullmatch(path.name)
        if of_line is not None:
            name = of_line[1]
        elif path.name.endswith(_BEFORE_1_0):
            name = path.name.removesuffix(_BEFORE_1_0)
        else:
            name = next(
                (path.name.removesuffix(ending) for ending in (".json", ".pdf") if path.name.endswith(ending)),
                path.name,
            )
        if len(os.fsencode(name)) > LONGEST_NAME:
            raise FileProblem("has a name that is too long for its drive", files.printable(path), "Shorten it.")
        return RecordFiles(folder=path.parent, name=name)

    @property
    def json(self) -> Path:
        """Return where the decision and every number that the pages print lie."""
        return self.folder / f"{self.name}.json"

    @property
    def pdf(self) -> Path:
        """Return where the pages lie."""
        return self.folder / f"{self.name}.pdf"

    def line(self, number: int) -> Path:
        """Return where signature NUMBER lies, from 1."""
        return self.folder / f"{self.name}.{number}.jws"

    def time_stamp(self, number: int) -> Path:
        """Return where a time-stamp over signature NUMBER lies, if one was fetched."""
        return self.folder / f"{self.name}.{number}.tsr"

    @property
    def before_1_0(self) -> Path:
        """Return where a record made before version 1.0 has its signatures."""
        return self.folder / f"{self.name}{_BEFORE_1_0}"

    @property
    def there(self) -> tuple[Path, ...]:
        """Return those files of the record that are there."""
        numbers = range(1, MOST + 1)
        named = (self.json, self.pdf, *map(self.line, numbers), *map(self.time_stamp, numbers))
        return tuple(path for path in named if files.may_be_there(path))


def read(path: Path) -> bytes | None:
    """Return what the plain file PATH holds; None where there is none.

    Raises FileProblem for a link, a pipe, a folder, a file larger than one of its ending can be, and where the system
    refuses. It never waits for a pipe or a device.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    if not hasattr(os, "O_NOFOLLOW") and path.is_symlink():
        raise _not_plain(path)
    try:
        handle = os.open(path, flags)
    except FileNotFoundError:
        return None
    except ValueError:
        raise FileProblem("is not a file name", repr(str(path)[:80]), "Check the name.") from None
    except OSError as problem:
        if problem.errno in (errno.ELOOP, errno.ENXIO, errno.EISDIR):  # a link, a socket, a folder
            raise _not_plain(path) from None
        raise FileProblem(
            files.reason(problem), files.printable(path), "Check the permissions of file and folder."
        ) from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise _not_plain(path)
    with os.fdopen(handle, "rb") as opened:
        most = LARGEST[path.suffix]
        with files.said_of(path):
            data = opened.read(most + 1)
    if len(data) > most:
        raise FileProblem(
            message("has more than {most:,} bytes, which no file of a record has", most=most),
            files.printable(path),
            "Find the file as it was signed.",
        )
    return data


def require(path: Path) -> bytes:
    """Return what the plain file PATH holds; raises FileProblem as `read` does, and where there is none."""
    data = read(path)
    if data is None:
        hint = "Check the name and the folder; is the drive connected?"
        raise FileProblem("does not exist", files.printable(path), hint)
    return data


def _not_plain(path: Path) -> FileProblem:
    return FileProblem(
        "is a link, a pipe or a folder, not a plain file", files.printable(path), "Put the file itself there."
    )


def read_lines(place: RecordFiles) -> tuple[str, ...]:
    """Return the text of each signature at PLACE, from 1 on; raises FileProblem where one is missing before another."""
    found: list[str] = []
    while len(found) < MOST and (data := read(place.line(len(found) + 1))) is not None:
        found.append(one_line(data, place.line(len(found) + 1)))
    for number in range(len(found) + 1, MOST + 2):
        if files.may_be_there(place.line(number)):
            why = message("is signature {number}, but an earlier one is missing or there are too many", number=number)
            raise FileProblem(why, files.printable(place.line(number)), "Ask for all files of the record.")
    return tuple(found)


def one_line(data: bytes, path: Path) -> str:
    """Return the one line that DATA of a signature file is; raises FileProblem naming PATH where it is none."""
    text = data.decode("ascii", "replace")
    if not data.isascii() or not text.endswith("\n") or text.count("\n") != 1 or "\r" in text:
        raise FileProblem(
            "is not one whole line, as a signature is", files.printable(path), "Find the file as it was signed."
        )
    return text[:-1]


def create(path: Path, data: bytes) -> bool:
    """Write DATA to the new file PATH, whole or not at all; return False where something lies there already.

    Raises FileProblem in words where it cannot be written.
    """
    with files.said_of(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        return files.create(path, data)


def require_free(place: RecordFiles) -> None:
    """Raise FileProblem where a new record cannot lie at PLACE: by its name, or because something lies there."""
    if on_one_line(place.name) != place.name:
        raise FileProblem(
            "has a name with characters that are not seen", files.printable(place.json), "Choose another name."
        )
    for path in (*place.there, place.before_1_0):
        if files.may_be_there(path):
            raise FileProblem("exists already", files.printable(path), "Choose another name; no record is overwritten.")


def records_in(folder: Path) -> Iterator[RecordFiles]:
    """Yield by name where the records lie that files called .json in FOLDER and below may belong to."""
    for path in sorted(folder.rglob("*.json")):
        with contextlib.suppress(FileProblem):
            yield RecordFiles.beside(path)


def copy_into(source: RecordFiles, folder: Path) -> tuple[str, ...]:
    """Copy the files of the record at SOURCE that are there into FOLDER; return their names.

    Raises FileProblem where one of them exists there already or cannot be written; then none was copied.
    """
    found = {path.name: data for path in source.there if (data := read(path)) is not None}
    for name in found:
        if files.may_be_there(folder / name):
            raise FileProblem("exists already", str(folder / name), "Choose another folder; no record is overwritten.")
    written: list[Path] = []
    try:
        for name, data in found.items():
            files.write_new(folder / name, data)
            written.append(folder / name)
    except FileProblem:
        for path in written:
            files.remove(path)
        raise
    return tuple(found)
