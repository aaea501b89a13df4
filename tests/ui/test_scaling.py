"""Magnified from 100 % to 300 %, in English and in German: nothing is cut off, everything can be reached, epsilon stays in view."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCREENS = {  # scale, and what it leaves of a screen in logical pixels
    "100 % of 1366 x 768": ("1", 1366, 768),
    "150 % of 1366 x 768": ("1.5", 910, 512),
    "200 % of 1920 x 1080": ("2", 960, 540),
    "300 % of 2560 x 1440": ("3", 853, 480),
}
WIDE = 1_200  # logical pixels from which there are two columns


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("screen", SCREENS)
def test_magnified_nothing_is_cut_off_and_epsilon_stays_in_view(screen: str, language: str) -> None:
    scale, width, height = SCREENS[screen]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
    command = [sys.executable, "-m", "tests.ui.scaled", str(width), str(height), language]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment, check=False)
    assert done.stdout, done.stderr[-3_000:]
    found = json.loads(done.stdout)
    assert found["scale"] == float(scale)
    assert found["window"] == [width, height], "the window fits the screen"
    assert found["cut"] == []
    assert found["sideways"] == [], "pages scroll up and down alone"
    assert found["epsilon"], "epsilon, its axis and the buttons of the foot lie in the window"
    if width < WIDE:
        assert set(found["columns"].values()) == {"TopToBottom"}
