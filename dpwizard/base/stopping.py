"""Work that nobody waits for any more: whoever starts it says how that shows, and long loops ask, however deep.

with stoppable(stop):  # a window, a test: stop() turns true once the work is not wanted
    solve()            # its loops call may_stop(), which then raises Stopped
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
    stops = [each for each in (_stop.get(), stop) if each is not None]
    token = _stop.set((lambda: any(each() for each in stops)) if stops else None)
    try:
        yield
    finally:
        _stop.reset(token)


def may_stop() -> None:
    """Raise Stopped if the work is not wanted any more; to be called at least every 50 ms by whatever takes longer."""
    stop = _stop.get()
    if stop is not None and stop():
        raise Stopped
