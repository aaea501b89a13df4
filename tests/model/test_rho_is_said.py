"""Of a decision that is counted in rho nothing says a number of epsilon: records, pages, exports, terminal, German."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from dpwizard.decision import read_decision
from dpwizard.records import AssertedTime, Record, library_code, make, recompute, sentences
from dpwizard.report import document
from dpwizard.signing import exports

ROOT = Path(__file__).resolve().parents[2]
CLINIC = json.loads((ROOT / "resources" / "examples" / "gaussian_clinic.json").read_text("utf-8"))
STATED = AssertedTime(time=datetime(2026, 1, 1, tzinfo=UTC), source="signer")
# "epsilon 0.3", "epsilon of at most 0.3", "epsilon: 0.3", "0.3 epsilon"; not "epsilon at delta 0.001 ... 0.3"
EPSILON = r"epsilon(?! (?:at|bei) delta)"
NUMBER_OF_EPSILON = re.compile(rf"{EPSILON}[^.;|\n]{{0,14}}?\d|\d\s*{EPSILON}", re.IGNORECASE)
ONE = {
    "statistic": "count",
    "neighbours": "add_remove",
    "sensitivity": 1,
    "mechanism": "gaussian",
    "unit": "one person",
    "repetitions": 3,
    "spent": [{"record": "2024", "mechanism": "gaussian", "rho": 0.01, "neighbours": "add_remove"}],
    "priors_from": "before_all",
    "sampling_fraction": 0.1,
    "sample_secret": True,
}
ASKED = [
    {"kind": "rmse", "at_most": 3},
    {"kind": "noise_interval", "half_width": 5, "level": 0.95},
    {"kind": "two_worlds", "chance_without": 0.01, "chance_with": 0.03},
    {"kind": "attack_advantage", "advantage": 0.2},
    {
        "kind": "relative_risk",
        "adversary": "inclusion",
        "p": [0, 1],
        "q": 1,
        "statement": "tolerance",
        "tolerance": 0.01,
    }
    | {"profile": {"shape": "cap_or_ratio", "posterior": 0.5, "ratio": 5}},
    {"kind": "budget", "total": 1},
    {"kind": "budget", "total": 0.3, "composition": "zcdp"},
    {"kind": "participation", "posterior_without": 0.1, "posterior_with": 0.2},
    {"kind": "privacy_at_risk", "level": 1, "confidence": 0.9},
    {"kind": "persuasive_privacy", "score": "log", "kappa": 1, "delta": 0.01, "prior_mass": 0.1},
]
DECISIONS = {
    "one": {"release": ONE, "requirements": ASKED, "rho": "1/50", "outcome": "refer", "justification": "So be it."},
    "broken": {"release": ONE, "requirements": ASKED, "rho": 2.0, "outcome": "refer", "exception_reason": "Needed."},
    "discrete": {"release": {**ONE, "mechanism": "discrete_gaussian"}, "requirements": ASKED[:2], "rho": 0.02},
    "open": {"release": ONE, "requirements": ASKED},
    "tables": {**CLINIC, "rho": "1/50"},
}


def texts(value: Any) -> Iterator[str]:
    """Yield every text of VALUE, with the label of a figure before it where both stand in one row."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, tuple | list):
        if value and all(isinstance(item, str) for item in value):
            yield " ".join(value)
        for item in value:
            yield from texts(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from texts(getattr(value, field.name))


def wrong(found: Any) -> list[str]:
    return sorted({text for text in texts(found) if NUMBER_OF_EPSILON.search(text)})


@pytest.fixture(
    scope="module", params=[(name, language) for name in DECISIONS for language in ("en", "de")], ids="-".join
)
def made(request: pytest.FixtureRequest) -> Record:
    name, language = request.param
    stated = {"format": "dpwizard.decision/1", "title": "Counts", "language": language, **DECISIONS[name]}
    return make(read_decision(stated), STATED, name="counts")


def test_no_sentence_of_a_record_does(made: Record) -> None:
    assert wrong(sentences(made)) == []
    assert made.accounting.counted_in == "rho"
    assert recompute(made) == ()


def test_no_page_of_the_report_does(made: Record) -> None:
    assert wrong(document.blocks(made)) == []


def test_no_export_does(made: Record) -> None:
    told = [exports.web_summary(made, "0" * 64), exports.report_html(made)]
    if made.decision.rho is not None:
        told.append(library_code.release_code(made))
        assert "rho" in told[-1]
    assert wrong([re.sub(r"<[^>]+>", " ", text) for text in told]) == []
    assert "epsilon" not in exports.answers_csv(made).split("\n", 2)[2].lower()


@pytest.mark.slow
def test_with_a_delta_the_same_texts_say_it() -> None:
    release = {**ONE, "delta": 1e-6}
    stated = {"format": "dpwizard.decision/1", "title": "Counts", **DECISIONS["one"], "release": release}
    told = make(read_decision(stated), STATED, name="counts")
    assert wrong(sentences(told))
    assert any("(exact)" in text for text in texts(document.blocks(told)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["one", "broken"])
def test_no_line_of_the_terminal_does(name: str, tmp_path: Path) -> None:
    path = tmp_path / "decision.json"
    path.write_text(json.dumps({"format": "dpwizard.decision/1", "title": "Counts", **DECISIONS[name]}), "utf-8")
    run = subprocess.run(
        [sys.executable, "main.py", "solve", str(path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 1, run.stderr  # neither lies inside its window
    without_delta = [line for line in run.stderr.splitlines() if "delta" not in line]
    assert wrong(without_delta) == []
    found = json.loads(run.stdout)
    for point in found["accounting"]["at_delta"]:  # of every release, each epsilon with its delta
        assert set(point) == {"delta", "epsilon"}
    del found["accounting"]["at_delta"]
    assert '"epsilon"' not in json.dumps(found)
    assert "rho" in run.stderr.lower()
