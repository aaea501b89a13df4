"""The files of a record: which they are, read with a limit, and written so that nothing has to be undone.

The JSON and each signature are new files that appear whole or not at all and are never changed. The PDF follows from
them, so it is replaced. Only plain files of bounded size are read, and no file is looked at that is not named here.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from dpwizard.base import files
from dpwizard.base.errors import FileProblem
from dpwizard.base.messages import NO_MESSAGE, Message, message
from dpwizard.base.one_line import on_one_line
from dpwizard.base.stopping import may_stop

MOST = 20  # signatures of one record
MOST_FILES = 100_000  # and folders that are looked through
OF_RECORDS = (".json", ".pdf", ".jws")
SAYS_SO = b"dpwizard.record/"  # stands in the JSON of every record
LARGEST: Mapping[str, int] = MappingProxyType(  # bytes, by ending
    {".json": 4_000_000, ".jws": 200_000, ".pdf": 32_000_000, ".tsr": 100_000}
)
LONGEST_NAME = 240  # bytes: drives take 255, with the ending
_BEFORE_1_0 = ".json.jws"  # the one file of signatures of records made before version 1.0
_OF_A_RECORD = re.compile(rf"(?s)(.+?)(?:{re.escape(_BEFORE_1_0)}|\.[1-9][0-9]?\.(?:jws|tsr)|\.json|\.pdf)")


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
        named = _OF_A_RECORD.fullmatch(path.name)
        name = path.name if named is None else named[1]
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
    def is_signed(self) -> bool:
        """Return whether a signature lies there, or may."""
        return files.may_be_there(self.line(1)) or files.may_be_there(self.before_1_0)

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
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        os.close(handle)
        raise _not_plain(path)
    with os.fdopen(handle, "rb") as opened, files.file_problem(path):
        most = LARGEST[path.suffix]
        data = opened.read(min(status.st_size, most) + 1)  # that much memory is taken, however much there is
        if len(data) > status.st_size:  # it has grown, or its system does not say how large it is
            data += opened.read(most)
    if len(data) > most:
        raise FileProblem(
            message("has more than {most:,} bytes, which no file of a record has", most=most),
            files.printable(path),
            "Find the unchanged file.",
        )
    return data


def require(path: Path) -> bytes:
    """Return what the plain file PATH holds; raises FileProblem as `read` does, and where there is none."""
    data = read(path)
    if data is None:
        hint = "Check the name and the folder. Is the drive connected?"
        raise FileProblem("does not exist", files.printable(path), hint)
    return data


def _not_plain(path: Path) -> FileProblem:
    return FileProblem(
        "is a link, a pipe or a folder, not a plain file", files.printable(path), "Put the file itself there."
    )


def read_lines(place: RecordFiles) -> tuple[str, ...]:
    """Return the text of each signature at PLACE, from 1 on; raises FileProblem where one is missing before another."""
    lines: list[str] = []
    while len(lines) < MOST and (data := read(place.line(len(lines) + 1))) is not None:
        lines.append(one_line(data, place.line(len(lines) + 1)))
    for number in range(len(lines) + 1, MOST + 2):
        if files.may_be_there(place.line(number)):
            why = message("is signature {number}, but an earlier one is missing or there are too many", number=number)
            raise FileProblem(why, files.printable(place.line(number)), "Ask for all files of the record.")
    return tuple(lines)


def one_line(data: bytes, path: Path) -> str:
    """Return the one line that DATA of a signature file is; raises FileProblem naming PATH where it is none."""
    text = data.decode("ascii", "replace")
    if not data.isascii() or not text.endswith("\n") or text.count("\n") != 1 or "\r" in text:
        raise FileProblem("is not one whole line, as a signature is", files.printable(path), "Find the unchanged file.")
    return text[:-1]


def create(path: Path, data: bytes) -> bool:
    """Write DATA to the new file PATH, whole or not at all; return False where something lies there already.

    Raises FileProblem in words where it cannot be written.
    """
    with files.file_problem(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        return files.create(path, data)


def require_free(place: RecordFiles) -> None:
    """Raise FileProblem where a new record cannot lie at PLACE: by its name, or because something lies there."""
    if on_one_line(place.name) != place.name:
        raise FileProblem("has a name with invisible characters", files.printable(place.json), "Choose another name.")
    if files.may_be_there(place.line(1)) and not files.may_be_there(place.pdf):
        hint = message("The record is signed, and its PDF is missing: make its PDF again.")
        raise FileProblem("already exists", files.printable(place.json), hint)
    for path in filter(files.may_be_there, (*place.there, place.before_1_0)):
        raise FileProblem("already exists", files.printable(path), "Choose another name; no record is overwritten.")


def records_in(folder: Path) -> dict[Path, Message]:
    """Return by name where the JSON of a record in FOLDER or below may lie, there or not, or why something is not read.

    Links are not followed; one that leads out is said, as are a folder that cannot be read and a name that no record
    has. Raises FileProblem where FOLDER itself cannot be read, or holds more than MOST_FILES.
    """
    if not files.is_folder(folder):
        raise FileProblem("is not a folder", files.printable(folder), "Name the folder that contains the records.")
    root, seen = os.path.realpath(folder), 0
    candidates: dict[Path, Message] = {}

    def refused(problem: OSError) -> None:
        path = Path(problem.filename)
        problem_here = FileProblem(files.reason(problem), files.printable(path), files.REMEDY)
        if path == folder:
            raise problem_here
        candidates[path] = problem_here.whole

    for place, folders, names in os.walk(folder, onerror=refused):
        may_stop()
        seen += len(folders) + len(names)
        if seen > MOST_FILES:
            many = message("contains more than {most:,} files", most=MOST_FILES)
            raise FileProblem(many, files.printable(folder), "Name a smaller folder.")
        for name in (*folders, *(name for name in names if name.endswith(OF_RECORDS))):
            path = Path(place, name)
            try:
                if os.path.islink(path):  # path.is_symlink() raises where it may not look
                    _require_inside(path, root)
                elif name not in folders:
                    candidates[RecordFiles.beside(path).json] = NO_MESSAGE
            except FileProblem as problem:
                candidates[path] = problem.whole
    return dict(sorted(candidates.items()))


def _require_inside(link: Path, root: str) -> None:
    target = os.path.realpath(link)
    other_drive = os.path.splitdrive(root)[0] != os.path.splitdrive(target)[0]
    if other_drive or os.path.commonpath((root, target)) != root:
        hint = "Put the record itself into the folder."
        raise FileProblem("is a link that leads out of the folder", files.printable(link), hint)


def copy_into(source: RecordFiles, folder: Path) -> tuple[str, ...]:
    """Copy the files of the record at SOURCE that are there into FOLDER; return their names.

    Raises FileProblem where one of them exists there already or cannot be written; then none was copied.
    """
    contents = {path.name: data for path in source.there if (data := read(path)) is not None}
    for path in filter(files.may_be_there, map(folder.joinpath, contents)):
        raise FileProblem("already exists", str(path), "Choose another folder; no record is overwritten.")
    written: list[Path] = []
    try:
        for name, data in contents.items():
            files.write_new(folder / name, data)
            written.append(folder / name)
    except FileProblem:
        for path in written:
            files.remove(path)
        raise
    return tuple(contents)
