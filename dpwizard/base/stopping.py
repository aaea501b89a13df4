"""Cancelling work: the caller supplies a condition, which long loops check at any depth.

with stoppable(stop):  # stop() turns true once the work is to end
    solve()            # its loops call may_stop(), which then raises Stopped
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Stop = Callable[[], bool]

_stop: ContextVar[Stop | None] = ContextVar("stop", default=None)


class Stopped(Exception):
    """The work was cancelled. Not a DPWizardError, so that no solver handles it as a failure."""


@contextmanager
def stoppable(stop: Stop | None) -> Iterator[None]:
    """End the work inside the block with Stopped once STOP, or the condition of an outer block, is true."""
    stops = [each for each in (_stop.get(), stop) if each is not None]
    token = _stop.set((lambda: any(each() for each in stops)) if stops else None)
    try:
        yield
    finally:
        _stop.reset(token)


def may_stop() -> None:
    """Raise Stopped if the work was cancelled. Longer work must call this at least every 50 ms."""
    stop = _stop.get()
    if stop is not None and stop():
        raise Stopped
