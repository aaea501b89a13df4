"""What is noted while the monkey of benchmarks.monkey works: errors nobody caught, hangs, visits, and the memory held."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys
import threading
import time
import traceback
from collections import Counter, deque
from pathlib import Path
from typing import Any

SETTLED = 2_000  # events after which memory may not grow any more
HANG = 1.0  # seconds of the processor without an answer
REST = 1_000  # events between two looks at the memory
REMEMBERED = 40  # acts before an error that are told with it


class Planted(Exception):
    """An error made on purpose, so that the dialog for errors is seen as well."""


class Watch(threading.Thread):
    """Looks, from a thread of its own, where the window is when it does not answer."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.main = threading.get_ident()
        self.began = time.monotonic()
        self.where = ""
        self.over = False

    def run(self) -> None:
        while not self.over:
            time.sleep(0.2)
            if time.monotonic() - self.began > HANG and not self.where:
                frame = sys._current_frames().get(self.main)
                self.where = "".join(traceback.format_stack(frame)[-8:]) if frame is not None else "?"

    def beat(self) -> None:
        """Say that the window answers."""
        self.began, self.where = time.monotonic(), ""


class Notes:
    """What a run found."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        self.hangs: list[dict[str, Any]] = []
        self.said: Counter[str] = Counter()
        self.visits: Counter[str] = Counter()
        self.acts: Counter[str] = Counter()
        self.memory: list[tuple[int, float]] = []
        self.recent: deque[str] = deque(maxlen=REMEMBERED)
        self.slowest = (0.0, 0.0)  # seconds on the wall and of the processor

    def error(self, problem: BaseException) -> None:
        if not isinstance(problem, Planted):
            trail = "".join(traceback.format_exception(problem))
            self.errors.append(trail + "after: " + " | ".join(self.recent))

    def gap(self, wall: float, spent: float, where: str) -> None:
        """Note how long the window took between two things the monkey did."""
        if spent > self.slowest[1] or wall > self.slowest[0]:
            self.slowest = (max(wall, self.slowest[0]), max(spent, self.slowest[1]))
        if wall > HANG:
            row = {"wall": round(wall, 2), "processor": round(spent, 2), "after": list(self.recent)[-3:], "where": where}
            self.hangs.append(row)

    def told(self, events: int, seconds: float) -> dict[str, Any]:
        """Return the result as plain data."""
        later = [used for at, used in self.memory if at >= SETTLED]
        return {
            "events": events,
            "seconds": round(seconds, 1),
            "errors": self.errors,
            "hangs": [row for row in self.hangs if row["processor"] > HANG],
            "waits": [row for row in self.hangs if row["processor"] <= HANG],
            "longest gap, wall": round(self.slowest[0], 2),
            "longest gap, processor": round(self.slowest[1], 2),
            "memory, MB, after events": self.memory,
            "growth, MB": round(later[-1] - later[0], 1) if later else None,
            "visits": dict(sorted(self.visits.items(), key=lambda row: row[1])),
            "acts": dict(sorted(self.acts.items())),
            "qt said": dict(self.said),
        }


def used_memory() -> float:
    """Return the memory this process holds, in MB, once all that is free was handed back."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    status = Path("/proc/self/status").read_text("ascii")
    return round(int(status.split("VmRSS:")[1].split()[0]) / 1024, 1)
