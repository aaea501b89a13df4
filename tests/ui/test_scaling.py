"""Magnified from 100 % to 300 %, in English and in German: nothing is cut off, everything can be reached, epsilon stays
in view."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SCREENS = {  # scale, and what it leaves of a screen in logical pixels
    "100 % of 1366 x 768": ("1", 1366, 768),
    "100 % of 1920 x 1080": ("1", 1920, 1080),
    "150 % of 1366 x 768": ("1.5", 910, 512),
    "200 % of 1920 x 1080": ("2", 960, 540),
    "300 % of 2560 x 1440": ("3", 853, 480),
    "200 % of 1366 x 768": ("2", 683, 384),
    "300 % of 1366 x 768": ("3", 455, 256),
}
SMALLEST = ("300 % of 1366 x 768", "de")
OTHERS = tuple((screen, language) for screen in SCREENS for language in ("en", "de") if (screen, language) != SMALLEST)
WIDE = 1_200  # logical pixels from which there are two columns


def magnified(folder: Path, screen: str, language: str, *what: str) -> dict[str, Any]:
    """Return what is found on a SCREEN of its own, in a program of its own."""
    scale, width, height = SCREENS[screen]
    real = {
        "name": "small",
        "x": 0,
        "y": 0,
        "width": round(width * float(scale)),
        "height": round(height * float(scale)),
        "dpr": 1,
    }
    screens = folder / "screens.json"
    screens.write_text(json.dumps({"screens": [{**real, "logicalDpi": 96, "logicalBaseDpi": 96}]}), "utf-8")
    environment = {**os.environ, "QT_QPA_PLATFORM": f"offscreen:configfile={screens}", "QT_SCALE_FACTOR": scale}
    command = [sys.executable, "-m", "tests.ui.scaled", str(width), str(height), language, *what]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment, check=False)
    assert done.stdout, done.stderr[-3_000:]
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["scale"] == float(scale)
    return found


@pytest.mark.parametrize(
    ("screen", "language"), [SMALLEST, *(pytest.param(*one, marks=pytest.mark.soak) for one in OTHERS)]
)
def test_magnified_nothing_is_cut_off_and_epsilon_stays_in_view(tmp_path: Path, screen: str, language: str) -> None:
    _, width, height = SCREENS[screen]
    found = magnified(tmp_path, screen, language, "pages")
    assert found["window"] == [width, height], "the window fits the screen"
    assert found["cut"] == []
    assert found["squeezed"] == []
    assert found["sideways"] == [], "pages scroll up and down alone"
    assert found["epsilon"], "epsilon, its axis and the buttons of the footer lie in the window"
    assert found["steps"], "every step of the list lies in the window"
    if width < WIDE:
        assert set(found["columns"].values()) == {"TopToBottom"}


@pytest.mark.soak
@pytest.mark.parametrize("screen", ["200 % of 1366 x 768", "300 % of 1366 x 768"])
def test_magnified_every_dialog_fits_its_screen_and_is_reached_by_scrolling(tmp_path: Path, screen: str) -> None:
    found = magnified(tmp_path, screen, "de", "dialogs")
    assert len(found["dialogs"]) >= 9
    assert found["larger"] == [], "no dialog is larger than the screen"
    assert found["window"] == [*SCREENS[screen][1:]], (
        "neither the history nor a message makes the window larger than the screen"
    )
    assert found["unseen"] == [], "whatever has the keyboard is seen"
