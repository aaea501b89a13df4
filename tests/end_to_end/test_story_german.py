"""The whole Durham case by keyboard alone, in German, at 200 % in the dark theme: from an empty page to a signed
record."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dpwizard import records
from dpwizard.report import document as report
from dpwizard.signing.identity import open_identity
from tests.end_to_end.german_story import PASSPHRASE, WIDTH

ROOT = Path(__file__).parents[2]
LN_9 = 2.197224577336219

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Return the folder of the story, and what it found."""
    folder = tmp_path_factory.mktemp("german")
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QT_SCALE_FACTOR": "2",
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
    }
    command = [sys.executable, "-m", "tests.end_to_end.german_story", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder, json.loads((folder / "told.json").read_text("utf-8"))


def test_the_record_is_signed_and_no_mouse_was_touched(told: tuple[Path, dict[str, Any]]) -> None:
    folder, found = told
    assert found["ok"]
    assert found["mouse"] == 0
    assert "Von Ihnen signiert, " in found["said"]
    assert (
        open_identity(pkcs12=(folder / "amt.p12").read_bytes(), passphrase=PASSPHRASE).certificate.name == "A. Müller"
    )


def test_every_control_that_had_the_keyboard_was_seen_on_a_magnified_screen(told: tuple[Path, dict[str, Any]]) -> None:
    _, found = told
    assert found["scale"] == 2.0
    assert found["width"] == WIDTH
    assert found["unseen"] == []


def test_the_record_says_it_was_made_in_german_and_its_numbers_are_free_of_it(
    told: tuple[Path, dict[str, Any]],
) -> None:
    folder, _ = told
    made = records.read((folder / "durham.json").read_bytes())
    said = records.sentences(made)
    assert made.decision.language == said.language == "de"
    assert made.decision.epsilon == pytest.approx(LN_9, rel=1e-12)
    assert made.decision.release.population == 4012
    assert getattr(made.decision.requirements[1], "deviation", None) == 0.25
    assert {one.language for one in made.decision.acknowledged} == {"de"}
    assert said.position == "Es ist gewählt."
    assert records.recompute(made) == ()


def test_its_report_is_german_throughout(told: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = told
    pdf = (folder / "durham.pdf").read_bytes()
    assert re.search(rb"/Lang\s*\(de\)", pdf)
    text = report.text(report.blocks(records.read((folder / "durham.json").read_bytes())))
    assert "21. November 2026" in text
    assert "Was jede Anforderung erlaubt" in text
    english = {"the", "and", "with", "chance", "requirement", "of", "is", "not", "by"}
    words = set(re.findall(r"[A-Za-zäöüÄÖÜß]+", re.sub(r"(?m)^    .*$|„[^“]*“|Kazan & Reiter[^\n]*", "", text).lower()))
    assert words & english == set()
