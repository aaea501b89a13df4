"""Run all benchmarks and write docs/performance.md; or only those named, and print.

    python -m benchmarks                     all of them, into docs/performance.md
    python -m benchmarks solvers window      benchmarks/bench_solvers.py and benchmarks/bench_window.py, on the screen

A benchmark is a module `bench_NAME.py` with TITLE, and `run()`, which returns or yields `timing.Row`s. It may have
INTRODUCTION, a paragraph under its title. A module without `run()` is a program of its own (the window needs a fresh
process and a display): it is started as one, and what it prints is quoted.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

from benchmarks.timing import ROOT, Row, machine, yardsticks

TARGET = ROOT / "docs" / "performance.md"
HEAD = """# Performance

`make bench` (that is `.venv/bin/python -m benchmarks`) writes this page; `.venv/bin/python -m benchmarks NAME` prints
one table (`benchmarks/bench_NAME.py`) and writes nothing. All figures are medians of one run on one machine, after a
first call that is not counted. *Processor* is the processor time of the process, which a busy machine lengthens less.
Compare figures within a table, or relative to the yardsticks: another or a busy machine changes all of them together.

"""


def names() -> list[str]:
    """Return the names of all benchmarks, in alphabetical order."""
    return sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


def shown(seconds: float) -> str:
    """Return a time in the unit that suits it, with three digits."""
    unit, scale = ("µs", 1e6) if seconds < 1e-3 else ("ms", 1e3) if seconds < 1 else ("s", 1.0)
    value = seconds * scale
    return f"{value:.{0 if value >= 100 else 1 if value >= 10 else 2}f} {unit}"


def table(rows: list[Row]) -> str:
    """Return the rows as a table in Markdown."""
    lines = ["| what | median | processor | goal | |", "|---|---:|---:|---:|---|"]
    for row in rows:
        goal = "" if row.goal is None else f"< {row.goal * 1000:g} ms" if row.goal < 1 else f"< {row.goal:g} s"
        mark = "" if row.met is None else "met" if row.met else "**missed**"
        cpu = shown(row.cpu) if row.cpu is not None else ""
        lines.append(
            f"| {row.what} | {shown(row.seconds)} | {cpu} | {goal} | "
            f"{'; '.join(part for part in (mark, row.note) if part)} |"
        )
    return "\n".join(lines)


def program(name: str) -> tuple[str, int]:
    """Run benchmarks/bench_NAME.py as a program, on a display made for it where there is none; return what it
    prints."""
    command = [sys.executable, "-m", f"benchmarks.bench_{name}"]
    xvfb = shutil.which("xvfb-run")
    if xvfb and "DISPLAY" not in os.environ and "WAYLAND_DISPLAY" not in os.environ:
        command = [xvfb, "-a", "-s", "-screen 0 1366x768x24", *command]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    printed = done.stdout.strip() or done.stderr.strip()[-2000:]
    how = f"`python -m benchmarks.bench_{name}`, a separate process. Exit status {done.returncode} (0: all goals met)."
    return f"## {name.capitalize()}\n\n{how}\n\n```\n{printed}\n```", int(done.returncode != 0)


def section(module: ModuleType) -> tuple[str, int]:
    rows = list(module.run())
    introduction = getattr(module, "INTRODUCTION", "")
    paragraphs = [f"## {module.TITLE}", *([introduction] if introduction else []), table(rows)]
    return "\n\n".join(paragraphs), sum(row.met is False for row in rows)


def main(chosen: list[str]) -> int:
    known = names()
    unknown = [name for name in chosen if name not in known]
    if unknown:
        print(f"No benchmark is called {', '.join(unknown)}. There are: {', '.join(known)}.", file=sys.stderr)
        return 2
    begun, sections, missed = time.strftime("%Y-%m-%d"), [], 0
    where = machine()
    print(where, file=sys.stderr)
    sections.append(f"{begun}. {where}\n\n{table(yardsticks())}")
    for name in chosen or known:
        print(f"{name} ...", file=sys.stderr)
        module = importlib.import_module(f"benchmarks.bench_{name}")
        text, short = section(module) if hasattr(module, "run") else program(name)
        sections.append(text)
        missed += short
        print(text + "\n", flush=True)
    if not chosen:
        TARGET.write_text(HEAD + "\n\n".join(sections) + "\n", "utf-8")
        print(f"Written to {TARGET.relative_to(ROOT)}.", file=sys.stderr)
    print(f"Goals missed: {missed}." if missed else "All goals met.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
