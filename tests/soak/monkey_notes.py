"""What is noted while the monkey of tests.soak.monkey works: errors nobody caught, hangs, visits, and the memory
held."""

from __future__ import annotations

import ctypes
import faulthandler
import gc
import re
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter, deque
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication

SETTLED = 10  # times that every page and dialog was seen: after that memory may not grow any more
HANG = 1.0  # seconds without an answer, not counting those in which the processor was busy with other programs
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
                self.where = stack(self.main)

    def beat(self) -> None:
        """Say that the window answers."""
        self.began, self.where = time.monotonic(), ""


def stack(thread: int) -> str:
    """Return the innermost calls of THREAD, without holding its frames: a painter in one would outlive its widget, and
    memory be spoilt."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
        faulthandler.dump_traceback(file, all_threads=True)
        file.seek(0)
        told = file.read()
    found = re.search(rf"hread 0x0*{thread:x} .*\n((?:  .*\n){{0,8}})", told)
    return found.group(1) if found else "?"


class Stretch:
    """Measures how long a thread took for something: on the clock, of the processor, and waiting for one that others
    held."""

    def __init__(self) -> None:
        self.wall, self.spent, self.queued = time.monotonic(), time.thread_time(), queued()

    def since(self) -> tuple[float, float, float]:
        """Return the three since it was made, in seconds."""
        return time.monotonic() - self.wall, time.thread_time() - self.spent, queued() - self.queued


def queued() -> float:
    """Return for how many seconds this thread was ready and had no processor; 0 where the system does not say."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text("ascii").split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


class Notes:
    """What a run found."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        self.hangs: list[dict[str, Any]] = []
        self.said: Counter[str] = Counter()
        self.visits: Counter[str] = Counter()
        self.acts: Counter[str] = Counter()
        self.memory: list[dict[str, float]] = []
        self.settled: int | None = None  # the place in `memory` of the first after warming up
        self.recent: deque[str] = deque(maxlen=REMEMBERED)
        self.slowest = (0.0, 0.0, 0.0)  # seconds on the wall, of the processor, and asleep

    def error(self, problem: BaseException) -> None:
        if not isinstance(problem, Planted):
            trail = "".join(traceback.format_exception(problem))
            self.errors.append(trail + "after: " + " | ".join(self.recent))

    def gap(self, stretch: Stretch, where: str) -> None:
        """Note how long the window took between two things the monkey did."""
        wall, spent, queued = stretch.since()
        asleep = max(wall - spent - queued, 0.0)
        self.slowest = (max(wall, self.slowest[0]), max(spent, self.slowest[1]), max(asleep, self.slowest[2]))
        if wall > HANG:
            took = {"wall": round(wall, 2), "processor": round(spent, 2), "asleep": round(asleep, 2)}
            self.hangs.append({**took, "after": list(self.recent)[-3:], "where": where})

    def rest(self, events: int, steps: int, places: tuple[str, ...]) -> None:
        """Note the memory held after so many EVENTS, and of how many STEPS the history was before it was dropped."""
        if self.settled is None and min(self.visits[name] for name in places) >= SETTLED:
            self.settled = len(self.memory)
        self.memory.append({"events": events, "history": steps, **used_memory()})

    def told(self, events: int, seconds: float) -> dict[str, Any]:
        """Return the result as plain data."""
        later = self.memory[self.settled :] if self.settled is not None else []
        hangs = [row for row in self.hangs if row["processor"] + row["asleep"] > HANG]
        return {
            "events": events,
            "seconds": round(seconds, 1),
            "errors": self.errors,
            "hangs": hangs,
            "waits": [row for row in self.hangs if row not in hangs],
            "longest gap, wall": round(self.slowest[0], 2),
            "longest gap, processor": round(self.slowest[1], 2),
            "longest gap, asleep": round(self.slowest[2], 2),
            "memory, MB": self.memory,
            "growth, MB": {name: round(later[-1][name] - later[0][name], 1) for name in later[0]} if later else None,
            "visits": dict(sorted(self.visits.items(), key=lambda row: row[1])),
            "acts": dict(sorted(self.acts.items())),
            "qt said": dict(self.said),
        }


class Allocated(ctypes.Structure):
    """What the C library says of its memory (man mallinfo2)."""

    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "o", "s", "h", "mapped", "u", "f", "used", "free", "k")]


def used_memory() -> dict[str, float]:
    """Return the MB this process holds: resident, and handed out by the C library.

    Beside them how many blocks Python has, and how many widgets there are.
    """
    gc.collect()
    found = {
        "in use": round(in_use(), 1),
        "widgets": len(QApplication.allWidgets()),
        "blocks": sys.getallocatedblocks(),
    }
    return {"resident": resident(), **found}


def in_use() -> float:
    """Return the MB handed out by the C library and not given back; 0 where there is no such library."""
    try:
        library = ctypes.CDLL("libc.so.6")
        library.mallinfo2.restype = Allocated
        held = library.mallinfo2()
    except (OSError, AttributeError):
        return 0.0
    return float(held.used + held.mapped) / 1e6


def resident() -> float:
    """Return the MB of memory this process has from the system."""
    status = Path("/proc/self/status").read_text("ascii")
    return round(int(status.split("VmRSS:")[1].split()[0]) / 1024, 1)
