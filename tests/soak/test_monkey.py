"""A monkey at the real window: nothing breaks, nothing hangs, nothing is kept that is not needed
(tests/soak/monkey.py)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.soak.monkey import EVENTS, SEED

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = 100
MOST_GROWTH = 20.0  # MB
LEAST_VISITS = 50


def monkey(events: int, seed: int) -> dict[str, Any]:
    """Return what a run in a process of its own found."""
    command = [sys.executable, "-m", "tests.soak.monkey", "--events", str(events), "--seed", str(seed)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment, check=False)
    assert done.stdout, done.stderr[-4_000:]
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


@pytest.mark.slow
def test_a_monkey_at_the_window_breaks_nothing() -> None:
    found = monkey(SAMPLE, SEED + 1)
    assert found["errors"] == []
    assert found["events"] >= SAMPLE
    assert set(found["acts"]) >= {"click", "key", "type", "drag", "visit"}


@pytest.mark.soak
def test_twenty_thousand_events_leave_no_error_no_hang_and_no_memory_behind() -> None:
    from tests.soak.monkey_turns import PLACES

    found = monkey(EVENTS, SEED)
    assert found["errors"] == []
    assert found["hangs"] == []
    assert found["growth, MB"]["in use"] < MOST_GROWTH
    assert {name: found["visits"].get(name, 0) for name in PLACES if found["visits"].get(name, 0) < LEAST_VISITS} == {}
