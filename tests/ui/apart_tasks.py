"""Tasks for another process: one that counts, one that refuses, one that breaks, one that dies, one that never ends."""

from __future__ import annotations

import os
import threading
from typing import NoReturn

from dpwizard.base import worker
from dpwizard.base.errors import InvalidInput
from dpwizard.base.language import spoken
from dpwizard.base.messages import message


def count(tell: worker.Tell, most: int) -> tuple[int, str, int]:
    """Tell each number below MOST; return the last, the language spoken, and whose process this is."""
    for number in range(most):
        tell(number)
    return most, spoken(), os.getpid()


def refuse(tell: worker.Tell) -> NoReturn:
    raise InvalidInput(message('must be a time; found "{text}"', text="now"), "time", "Give one.")


def break_down(tell: worker.Tell) -> NoReturn:
    raise ZeroDivisionError


def die(tell: worker.Tell) -> NoReturn:
    os._exit(11)


def never_end(tell: worker.Tell) -> None:
    tell("begun")
    threading.Event().wait()
