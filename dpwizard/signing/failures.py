"""A failure that nobody foresaw, on a file that anybody may have made: an error of that file alone."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from dpwizard import files
from dpwizard.errors import DPWizardError, FileProblem
from dpwizard.messages import message
from dpwizard.stopping import Stopped


@contextlib.contextmanager
def any_failure_said_of(path: Path) -> Iterator[None]:
    """Say in words that this program failed on PATH, a file that anybody may have made, in a way nobody foresaw."""
    try:
        yield
    except (DPWizardError, Stopped):
        raise
    except Exception as problem:
        failed = message("makes this program fail ({kind})", kind=type(problem).__name__)
        raise FileProblem(failed, files.printable(path), "Do not trust the file, and please report this.") from problem
