"""`make run` without a display: the bundled example is solved, signed and verified, as often as one likes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_the_demonstration_can_be_given_again(tmp_path: Path) -> None:
    command = ["sh", str(ROOT / "scripts" / "demo.sh"), sys.executable, str(ROOT / "main.py")]
    for _ in range(2):
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "DEMO_OUT": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"lies in {tmp_path.resolve()}" in done.stdout
    assert {path.name for path in tmp_path.iterdir()} >= {
        "durham.pdf",
        "durham.json",
        "durham.1.jws",
        "identity.crt",
    }
