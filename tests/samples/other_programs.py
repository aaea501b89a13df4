"""Programs of others, asked in an environment of their own (`scripts/setup.sh soak`)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv-oracles" / "bin" / "python"
Case = dict[str, Any]


def ask(script: str, cases: list[Case]) -> list[Case]:
    """Return what a script of tests/oracles answers to each of CASES."""
    assert PYTHON.exists(), "run scripts/setup.sh soak"
    command = [PYTHON, ROOT / "tests" / "oracles" / script]
    text = "\n".join(json.dumps(case) for case in cases)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=1800)
    assert done.returncode == 0, done.stderr[-2000:]
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(cases)
    return answers
