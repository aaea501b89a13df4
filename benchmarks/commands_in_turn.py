"""Run many commands of a checkout's main.py in one process, each as `python main.py ...` would, and answer in JSON.

    python benchmarks/commands_in_turn.py CHECKOUT < COMMANDS > ANSWERS

A command is a line {"arguments": [...], "input": "..."}, its answer a line {"status": 0, "out": "...", "err": "..."}.
Starting Python and loading the libraries takes longer than most answers do, so one process gives them all. What is said
is caught where Python writes; main.py itself is run anew each time, under its own name.
"""

from __future__ import annotations

import contextlib
import io
import json
import runpy
import sys
from pathlib import Path
from typing import Any


def stream(content: str = "") -> io.TextIOWrapper:
    """Return a text stream that holds CONTENT, with bytes behind it as the streams of a process have."""
    return io.TextIOWrapper(io.BytesIO(content.encode("utf-8")), encoding="utf-8", newline="\n")


def written(held: io.TextIOWrapper) -> str:
    """Return what was written to a stream."""
    held.flush()
    held.seek(0)
    return held.read()


def answer(program: Path, arguments: list[str], given: str) -> dict[str, Any]:
    """Return what PROGRAM says to ARGUMENTS with GIVEN on its standard input, and its exit status.

    An exception that the program lets out ends this process, as it would have ended the program's own.
    """
    out, err = stream(), stream()
    status: str | int | None = 0
    sys.argv, sys.stdin = [str(program), *arguments], stream(given)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            runpy.run_path(str(program), run_name="__main__")
        except SystemExit as ended:
            status = ended.code
    return {"status": status, "out": written(out), "err": written(err)}


def main(checkout: Path) -> None:
    """Answer each command on standard input."""
    sys.path[0] = str(checkout)  # in place of this file's own folder: every module comes from the checkout
    for line in list(sys.stdin):
        command = json.loads(line)
        print(json.dumps(answer(checkout / "main.py", command["arguments"], command["input"])), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
