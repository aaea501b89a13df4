"""How a thing is timed: the median of several runs after a first one that is not counted, and the goal it is held
to."""

from __future__ import annotations

import gc
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = ("numpy", "scipy", "pydantic", "PySide6-Essentials", "pyqtgraph")


def installed() -> dict[str, str]:
    """Return the environment of a program that was installed: Python keeps what it has compiled, as it does where
    nobody forbids it."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class Measured(float):
    """A median time in seconds by the clock on the wall, with that of the processor where the work was done in this
    process."""

    cpu: float | None = None

    @classmethod
    def of(cls, wall: float, cpu: float | None) -> Measured:
        made = cls(wall)
        made.cpu = cpu
        return made


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of a table: what was timed, how long the median run took, the goal if there is one, and a remark."""

    what: str
    seconds: float
    goal: float | None = None
    note: str = ""

    @property
    def met(self) -> bool | None:
        return None if self.goal is None else self.seconds < self.goal

    @property
    def cpu(self) -> float | None:
        """Return the processor's time, which another program's work does not lengthen as much."""
        return getattr(self.seconds, "cpu", None)


def median(action: Callable[[], Any], times: int = 9) -> Measured:
    """Return the median time of ACTION in seconds; a first run, which loads what is loaded lazily, is not counted."""
    action()
    wall, cpu = [], []
    gc.collect()
    for _ in range(times):
        begin, worked = time.perf_counter(), time.process_time()
        action()
        wall.append(time.perf_counter() - begin)
        cpu.append(time.process_time() - worked)
    return Measured.of(statistics.median(wall), statistics.median(cpu))


def median_of_each(actions: list[Callable[[], Any]], times: int = 9) -> Measured:
    """Return the median over ACTIONS of the median time of each: for inputs that differ in how hard they are."""
    each = [median(action, times) for action in actions]
    return Measured.of(statistics.median(each), statistics.median(one.cpu or 0.0 for one in each))


def median_program(*arguments: str, times: int = 5, text: str | None = None) -> Measured:
    """Return the median time in seconds of a fresh process of main.py with ARGUMENTS; TEXT goes to its standard
    input."""

    def once() -> None:
        done = subprocess.run(
            [sys.executable, str(ROOT / "main.py"), *arguments],
            input=text,
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=False,
            env=installed(),
        )
        if done.returncode not in (0, 1):  # 1: solved, and the answer is not what one would like
            raise RuntimeError(f"main.py {' '.join(arguments)}: {done.stderr[-500:]}")

    return Measured.of(median(once, times), None)  # the work is done elsewhere


def yardsticks() -> list[Row]:
    """Return the time of two fixed pieces of work: to compare this machine, and this moment, with another."""
    import numpy as np

    numbers = np.random.default_rng(1).random(1_000_000)
    return [
        Row(
            what="yardstick: a million turns of an empty Python loop",
            seconds=median(lambda: [None for _ in range(1_000_000)]),
        ),
        Row(what="yardstick: NumPy sorts a million numbers", seconds=median(lambda: np.sort(numbers))),
    ]


def machine() -> str:
    """Return in a sentence what the program ran on."""
    processor = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        processor = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    load = f"; load average at the start {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{os.cpu_count()} processors ({processor}), {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}, {libraries}{load}."
    )
