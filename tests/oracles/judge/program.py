"""The program as its users call it: decisions in, one a line, assessments out."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any


def solve(command: Sequence[str], decisions: Iterable[Any], folder: Path | None = None) -> list[Any]:
    """Return the program's answer to each decision, through one process of `solve -`."""
    lines = "".join(json.dumps(decision) + "\n" for decision in decisions)
    done = subprocess.run(
        [*command, "solve", "--quiet", "-"], input=lines, capture_output=True, text=True, check=False, cwd=folder
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != lines.count("\n"):
        raise RuntimeError(done.stderr[-2000:])
    return answers
