"""Work that nobody waits for any more: whoever starts it says how that shows, and long loops ask, however deep.

with heeding(stop):  # a window, a test: stop() turns true once the work is not wanted
    solve()          # its loops call may_stop(), which then raises Stopped
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Stop = Callable[[], bool]

_stop: ContextVar[Stop | None] = ContextVar("stop", default=None)


class Stopped(Exception):
    """The work is not wanted any more. No problem to be told of, so no DPWizardError: no solver takes it for one."""


@contextmanager
def stoppable(stop: Stop | None) -> Iterator[None]:
    """Let what runs within end with Stopped once STOP is true, or what is heeded already; None adds nothing."""
    outer = _stop.get()
    token = _stop.set(_either(outer, stop))
    try:
        yield
    finally:
        _stop.reset(token)


def may_stop() -> None:
    """Raise Stopped if the work is not wanted any more; to be called at least every 50 ms by whatever takes longer."""
    stop = _stop.get()
    if stop is not None and stop():
        raise Stopped


def _either(one: Stop | None, other: Stop | None) -> Stop | None:
    if one is None or other is None:
        return one or other
    return lambda: one() or other()
