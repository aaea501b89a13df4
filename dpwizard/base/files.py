"""Files: reading with a size limit, and atomic writing."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TextIO

from dpwizard.base.errors import FileProblem
from dpwizard.base.messages import message
from dpwizard.base.one_line import on_one_line

LARGEST = 64 * 2**20  # bytes; the largest possible decision is far smaller
OF_DECISIONS = ".dpdecision.json"  # default extension of decisions, by which the desktop knows the file type
TEMPORARY = ".dpwizard-"  # prefix of the names of temporary files
STALE = 3_600  # seconds after which a temporary file is certainly not in use
# errors of drives without hard links
WITHOUT_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL)
REMEDY = "Check the folder, its permissions and free space, or choose another place."
REASONS: Mapping[int, str] = MappingProxyType(
    {
        **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "cannot be written: the disk is full"),
        **dict.fromkeys((errno.EACCES, errno.EPERM), "cannot be read or written by you: you lack the permission"),
        errno.EROFS: "is on a drive that can only be read",
        **dict.fromkeys((errno.ENOENT, errno.ENOTDIR), "is in a folder that does not exist; is its drive connected?"),
        **dict.fromkeys(
            (errno.EIO, errno.ENODEV, errno.ENXIO, errno.ESTALE, errno.ETIMEDOUT),
            "cannot be reached: the drive does not answer",
        ),
        errno.ENAMETOOLONG: "has a name that is too long for its drive",
        errno.EISDIR: "is a folder, not a file",
        errno.ELOOP: "is a link that leads back to itself",
        errno.EFBIG: "is larger than its drive allows",
    }
)


def reason(problem: OSError) -> str:
    """Return the reason for a system error about a file, in words."""
    return REASONS.get(
        problem.errno or 0, message("cannot be used ({reason})", reason=problem.strerror or type(problem).__name__)
    )


def printable(path: Path) -> str:
    """Return PATH as printable text: undecodable bytes as question marks, invisible characters as code points."""
    return on_one_line(str(path).encode("utf-8", "replace").decode("utf-8"))


def is_there(path: Path) -> bool:
    """Return whether PATH is an accessible file or folder; False for an invalid name."""
    # unlike Path.exists(), this never raises for a name that is too long or a disconnected drive
    return os.path.exists(path)


def may_be_there(path: Path) -> bool:
    """Return whether PATH may exist: also for a broken link, and in a folder that may not be read."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def is_file(path: Path) -> bool:
    """Return whether PATH is an accessible regular file; False for an invalid name."""
    return os.path.isfile(path)


def is_folder(path: Path) -> bool:
    """Return whether PATH is an accessible folder; False for an invalid name."""
    return os.path.isdir(path)


def others_may_read(path: Path) -> bool:
    """Return whether users other than the owner may read PATH; always False on Windows."""
    try:
        return os.name == "posix" and bool(path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH))
    except (OSError, ValueError):
        return False


def bare_name(path: Path) -> str:
    """Return the name of the decision file PATH without its extension."""
    return path.name.removesuffix(OF_DECISIONS) if path.name.endswith(OF_DECISIONS) else path.stem


def read_bytes(path: Path, largest: int = LARGEST) -> bytes:
    """Return the bytes of PATH, a regular file of at most LARGEST bytes.

    Raises FileProblem if it is missing, is not a regular file, is too large or may not be read. It never waits for a
    pipe or a device.
    """
    with _reading_problem(path), os.fdopen(_opened(path), "rb") as stream:
        data = stream.read(largest + 1)
    if len(data) > largest:
        raise FileProblem(
            "is larger than {most} MB",
            printable(path),
            "No file of this program is this large. Check that it is the right one.",
            most=largest // 2**20,
        )
    return data


@contextlib.contextmanager
def reading(path: Path, newline: str | None = None) -> Iterator[TextIO]:
    """Open PATH, a regular UTF-8 text file of any size, for reading by line; raises as `read_bytes` does."""
    with _reading_problem(path):
        stream = os.fdopen(_opened(path), encoding="utf-8-sig", newline=newline)
    with stream:
        yield stream


def _opened(path: Path) -> int:
    """Open the regular file PATH, and return its handle; raises OSError, or FileProblem for a pipe or a device."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return handle
    os.close(handle)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "")
    raise FileProblem("is not a regular file", printable(path), "Copy its content to a file first.")


@contextlib.contextmanager
def _reading_problem(path: Path) -> Iterator[None]:
    """Raise a FileProblem where PATH cannot be read."""
    with file_problem(path, "Check the permissions of file and folder."):
        try:
            yield
        except FileNotFoundError:
            remedy = "Check the name and the folder. Is the drive connected?"
            raise FileProblem("does not exist", printable(path), remedy) from None
        except IsADirectoryError:
            raise FileProblem("is a folder, not a file", printable(path), "Name a file inside it.") from None


def write_atomically(
    path: Path, data: bytes, *, private: bool = False, overwrite: bool = False, folder: bool = True
) -> None:
    """Write DATA to PATH: to a temporary file in the same folder, which is flushed to disk and then renamed.

    Arguments: private, permissions for the owner alone; overwrite, whether an existing file may be replaced; folder,
    whether a missing folder is created.
    Raises FileProblem; then PATH is unchanged.
    """
    with file_problem(path):
        if folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        if overwrite:
            temporary = _on_disk(path, data, private=private)
            try:
                os.replace(temporary, path)
            except BaseException:
                remove(temporary)
                raise
            flush_folder(path.parent)
        elif not create(path, data, private=private):
            raise FileProblem("already exists", printable(path), "Choose another name; nothing was overwritten.")


def create(path: Path, data: bytes, *, private: bool = False) -> bool:
    """Write DATA to the new file PATH atomically; return False if PATH exists already.

    A hard link creates the file and fails if it exists. On a drive without hard links the file is created and then
    filled, so a crash may leave it incomplete. Raises OSError if it cannot be written.
    """
    temporary = _on_disk(path, data, private=private)
    try:
        os.link(temporary, path)
    except FileExistsError:
        return False
    except OSError as problem:
        if problem.errno not in WITHOUT_LINKS:
            raise
        if not _create_in_place(path, data, private=private):
            return False
    finally:
        remove(temporary)
    flush_folder(path.parent)
    return True


def _create_in_place(path: Path, data: bytes, *, private: bool) -> bool:
    mode = 0o600 if private else 0o666 & ~_umask()
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    except FileExistsError:
        return False
    try:
        _fill(handle, data)
    except BaseException:
        remove(path)
        raise
    return True


def remove(path: str | Path) -> None:
    """Remove PATH if it exists and can be removed."""
    with contextlib.suppress(OSError):
        os.unlink(path)


@contextlib.contextmanager
def file_problem(path: Path, remedy: str = REMEDY) -> Iterator[None]:
    """Raise a FileProblem with the REMEDY where the system reports an error about PATH."""
    try:
        yield
    except OSError as problem:
        raise FileProblem(reason(problem), printable(path), remedy) from None
    except ValueError:
        raise FileProblem("is not a file name", repr(str(path)[:80]), "Check the name.") from None


def _on_disk(path: Path, data: bytes, *, private: bool) -> str:
    """Write DATA to a temporary file in the folder of PATH, flush it to disk, and return its name."""
    import tempfile  # loads compression libraries, which the window's first page does not need

    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=TEMPORARY)  # created for the owner alone
    try:
        _remove_stale(path.parent, temporary)
        _fill(handle, data)
        if not private:
            # the permissions of the file it replaces, or those of a new file
            os.chmod(temporary, path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
    except BaseException:
        remove(temporary)
        raise
    return temporary


def _remove_stale(folder: Path, new: str) -> None:
    """Remove the temporary files of killed processes from FOLDER: those much older than the NEW one."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        made_at = os.stat(new).st_mtime  # by the clock of the drive, not of this computer
        for entry in entries:
            if entry.name.startswith(TEMPORARY) and entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_mtime < made_at - STALE:
                        os.unlink(entry.path)


def _fill(handle: int, data: bytes) -> None:
    """Write DATA to the open file HANDLE, flush it to disk and close it."""
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def write_new(path: Path, data: bytes) -> None:
    """Write DATA to a file that must not exist yet; raises FileProblem if it does."""
    write_atomically(path, data)


def write_private(path: Path, data: bytes) -> None:
    """Write DATA to a new file that only its owner may read; raises FileProblem if it exists."""
    write_atomically(path, data, private=True)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def flush_folder(folder: Path) -> None:
    """Flush the entries of FOLDER to disk, as protection against a power cut, where the file system can."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):  # not all file systems can
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
