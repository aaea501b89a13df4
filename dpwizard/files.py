"""Files, read with a limit and written atomically: either the old bytes or the new ones, never half of either."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from dpwizard.errors import FileProblem

LARGEST = 64 * 2**20  # bytes; a decision at all its limits is far smaller


def read_bytes(path: Path, largest: int = LARGEST) -> bytes:
    """Return the bytes of PATH, a regular file of at most LARGEST bytes.

    Raises FileProblem in words if it is missing, is no regular file, is too large or may not be read.
    """
    try:
        if path.is_dir():
            raise FileProblem("is a folder, not a file", str(path), "Name a file inside it.")
        if not path.exists():
            raise FileProblem("does not exist", str(path), "Check the name and the folder.")
        if not path.is_file():
            raise FileProblem("is not a regular file", str(path), "Copy its content to a file first.")
        with path.open("rb") as stream:
            data = stream.read(largest + 1)
    except OSError as problem:
        raise FileProblem(f"cannot be read ({problem.strerror})", str(path), "Check the permissions of file and folder.") from None
    except ValueError:
        raise FileProblem("is not a file name", repr(str(path)[:80]), "Check the name.") from None
    if len(data) > largest:
        raise FileProblem(f"is larger than {largest // 2**20} MB", str(path), "No file of this program is; check that it is the right one.")
    return data


def write_atomically(path: Path, data: bytes, *, private: bool = False, overwrite: bool = False) -> None:
    """Write DATA to PATH by way of a temporary file beside it that is flushed to disk and then renamed.

    Arguments: private, permissions for the owner alone; overwrite, whether an existing file may be replaced.
    Raises FileProblem in words; then PATH is as it was before.
    """
    if path.exists() and not overwrite:
        raise FileProblem("exists already", str(path), "Choose another name; nothing was overwritten.")
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".dpwizard-")  # created for the owner alone
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if not private:
            Path(temporary).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
        if overwrite:
            os.replace(temporary, path)
        else:
            _rename_to_new(temporary, path)
        temporary = None
        _flush_folder(path.parent)
    except OSError as problem:
        raise FileProblem(
            f"cannot be written ({problem.strerror})", str(path), "Check the folder, its permissions and free space."
        ) from None
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()


def write_new(path: Path, data: bytes) -> None:
    """Write DATA to a file that must not exist yet; raises FileProblem if it does."""
    write_atomically(path, data)


def write_private(path: Path, data: bytes) -> None:
    """Write DATA to a new file that only its owner may read; raises FileProblem if it exists."""
    write_atomically(path, data, private=True)


def _rename_to_new(temporary: str, path: Path) -> None:
    """Rename without overwriting where the file system can promise that; elsewhere check just before."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise FileProblem("exists already", str(path), "Choose another name; nothing was overwritten.") from None
    except OSError:  # no hard links here (some network drives)
        if path.exists():
            raise FileProblem("exists already", str(path), "Choose another name; nothing was overwritten.") from None
        os.rename(temporary, path)
    else:
        os.unlink(temporary)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _flush_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:
        return  # some file systems cannot; the file itself is on disk
    finally:
        os.close(handle)
