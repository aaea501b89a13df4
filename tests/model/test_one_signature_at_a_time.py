"""The tests of one_signature_at_a_time.py, in a process of their own.

They fork a process for each call it dies at. A fork holds the locks of threads it does not have: beside a window's
threads it may wait for one of them for ever.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).with_name("one_signature_at_a_time.py")
ROOT = TESTS.parents[2]


@pytest.mark.parametrize(
    "those",
    [
        pytest.param("not slow and not soak", marks=pytest.mark.slow),
        pytest.param("slow", marks=pytest.mark.slow),
        pytest.param("soak", marks=pytest.mark.soak),
    ],
)
def test_one_signs_at_a_time_and_whoever_is_killed_leaves_it_as_it_was_or_was_to_be(those: str) -> None:
    asked = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", those, str(TESTS)]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
