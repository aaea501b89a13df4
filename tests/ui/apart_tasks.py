"""Tasks for another process: one that counts, one that refuses, one that breaks, one that dies, one that never ends."""

from __future__ import annotations

import os
import threading
from typing import NoReturn

from dpwizard.base import worker
from dpwizard.base.errors import InvalidInput
from dpwizard.base.language import spoken
from dpwizard.base.messages import message


def count(progress: worker.Progress, most: int) -> tuple[int, str, int]:
    """Report each number below MOST; return the last, the language spoken, and whose process this is."""
    for number in range(most):
        progress(number)
    return most, spoken(), os.getpid()


def refuse(progress: worker.Progress) -> NoReturn:
    raise InvalidInput(message('must be a time; found "{text}"', text="now"), "time", "Give one.")


def break_down(progress: worker.Progress) -> NoReturn:
    raise ZeroDivisionError


def die(progress: worker.Progress) -> NoReturn:
    os._exit(11)


def never_end(progress: worker.Progress) -> None:
    progress("begun")
    threading.Event().wait()
