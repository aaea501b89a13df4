"""The frozen program in dist/ (`make dist`): its size, how fast it starts, and the memory it holds.

A cold start reads the program from the disk: the system is asked to forget it (posix_fadvise) before each run, which
needs no rights.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from benchmarks.timing import ROOT

FOLDER = ROOT / "dist" / "dpwizard"
RUNS = 5
GOALS = {"folder": 320, "archive": 95, "memory": 250, "first page": 0.200, "usable": 1.0, "command line": 0.3}


def forget(folder: Path) -> None:
    """Ask the system to drop what it keeps of the files in FOLDER in memory."""
    for path in folder.rglob("*"):
        if path.is_file():
            handle = os.open(path, os.O_RDONLY)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(handle)


def command_line() -> float:
    """Return how long the command line takes to say its version, in seconds."""
    began = time.perf_counter()
    subprocess.run([FOLDER / "dpwizard-cli", "--version"], check=True, capture_output=True)
    return time.perf_counter() - began


def window() -> dict[str, float]:
    """Return the times of the first page and of the usable window, and the memory after the first and the last
    example."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "DPWIZARD_STARTED": repr(time.time())}
    said = subprocess.run(
        [FOLDER / "dpwizard", "--self-test"], check=True, capture_output=True, text=True, env=environment
    ).stdout
    memory = [float(found) for found in re.findall(r"(\d+) MB in memory", said)]
    times = {"first page": r"first page painted after ([\d.]+)", "usable": r"window usable after ([\d.]+)"}
    found = {name: float(match.group(1)) for name, pattern in times.items() if (match := re.search(pattern, said))}
    return {**found, "memory": memory[0], "after all examples": memory[-1]}


def megabytes(folder: Path) -> float:
    """Return what FOLDER takes on the disk."""
    return float(subprocess.run(["du", "-sm", folder], check=True, capture_output=True, text=True).stdout.split()[0])


def line(what: str, value: float, unit: str, goal: float | None = None) -> bool:
    """Print one figure and return whether it keeps its goal."""
    shown = f"{value * 1000:.0f} ms" if unit == "s" else f"{value:.0f} {unit}"
    limit = (
        "" if goal is None else f"goal: under {goal * 1000:.0f} ms" if unit == "s" else f"goal: under {goal:.0f} {unit}"
    )
    met = goal is None or value < goal
    print(f"{what:<58}{shown:>10}   {limit}{'' if met else ', missed'}")
    return met


def main() -> int:
    """Print all figures; return 0 if every goal is kept."""
    if not FOLDER.is_dir():
        print("There is no dist/dpwizard: run `make dist` first.")
        return 0
    kept = [line("folder", megabytes(FOLDER), "MB", GOALS["folder"])]
    for archive in sorted(path for path in FOLDER.parent.iterdir() if re.search(r"\.(tar\.zst|zip|deb)$", path.name)):
        kept.append(
            line(
                archive.name,
                archive.stat().st_size / 1e6,
                "MB",
                GOALS["archive"] if archive.name.endswith(".zst") else None,
            )
        )
    command_line()
    kept.append(
        line(
            "command line prints its version, warm",
            median(command_line() for _ in range(RUNS)),
            "s",
            GOALS["command line"],
        )
    )
    window()
    warm = [window() for _ in range(RUNS)]
    for name, words in (("first page", "first page painted"), ("usable", "window usable with panels")):
        kept.append(
            line(
                f"{words}, warm (best {min(run[name] for run in warm) * 1000:.0f} ms)",
                median(run[name] for run in warm),
                "s",
                GOALS[name],
            )
        )
    kept.append(
        line("memory with the first example open", median(run["memory"] for run in warm), "MB", GOALS["memory"])
    )
    line("memory after every page of all examples", median(run["after all examples"] for run in warm), "MB")
    forget(FOLDER)
    cold = window()
    line("first page painted, cold", cold["first page"], "s")
    line("window usable with panels, cold", cold["usable"], "s")
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
