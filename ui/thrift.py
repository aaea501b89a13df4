"""Memory that was freed is handed back: the C library of Linux would keep it, in a heap of its own for each thread.

Once a large block was freed, that library places all blocks up to its size, at most 32 MB, inside the heap, where pictures leave holes
that small things then keep open. Told a size, it keeps to it: larger blocks lie outside, and go when they are freed.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

HEAPS = 2  # one for the window, one for what works behind it
EVERY = 20_000  # milliseconds between two looks
LONGEST = 3  # looks at somebody at work before a pause is taken all the same
LARGE = 256 * 1024  # bytes of a block that stays outside the heap
SPARE = 4 * 1024 * 1024  # bytes that may be free at the end of the heap
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # what malloc.h calls SPARE, LARGE and HEAPS


class Thrift(QObject):
    """Hands back, from time to time and while nobody is at work, what the program no longer needs; does nothing on other systems."""

    def __init__(self, busy: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._busy, self._put_off = busy, 0
        self._library = c_library()
        if self._library is None:
            return
        for what, value in ((M_ARENA_MAX, HEAPS), (M_MMAP_THRESHOLD, LARGE), (M_TRIM_THRESHOLD, SPARE)):
            self._library.mallopt(what, value)
        self.timer = QTimer(self)
        self.timer.setInterval(EVERY)
        self.timer.timeout.connect(self.hand_back)
        self.timer.start()

    def hand_back(self) -> None:
        """Give the system what is free: 5 to 50 milliseconds."""
        if self._library is None:
            return
        self._put_off = self._put_off + 1 if self._busy() else 0
        if self._put_off % LONGEST == 0:
            self._library.malloc_trim(0)


def c_library() -> ctypes.CDLL | None:
    """Return the C library, if it is one that can be told."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None
