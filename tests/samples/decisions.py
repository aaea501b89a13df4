"""Decisions for tests: a count with the requirements of a test, the worked example, and records of it with changes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dpwizard.decision import FORMAT, Assessment, Decision, assess, read_decision
from dpwizard.records import AssertedTime, Record, Sentences, drawing, make
from dpwizard.records.sentences import sentences_of
from dpwizard.wording import plain_sentences

EXAMPLES = Path(__file__).resolve().parents[2] / "resources" / "examples"
STATED = AssertedTime(time=datetime(2026, 11, 21, 12, 0, tzinfo=UTC), source="signer")
HOSTILE = (
    '#read("/etc/passwd")',
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "$x$ *bold* _it_ @ref `raw` #{1+1}",
    "back\\slash \\n \\u{41} //comment /* c */",
    "[link](file:///etc/passwd) ~ -- --- \"q\" 'q'",
    "</desc></svg><text>x</text>",
    "{kind} {0} %s {{}}",
    "w" * 300,
)


SALT = "5a" * 32
COUNT: dict[str, Any] = {
    "statistic": "count",
    "neighbours": "add_remove",
    "sensitivity": 1,
    "mechanism": "geometric",
    "unit": "one person",
}
CROSSING: dict[str, Any] = {  # the threshold of the worked example
    "kind": "switch_probability",
    "target": 6.0,
    "per": 1000,
    "records": 4012,
    "deviation": 0.25,
    "at_most": 0.1,
}


def decided(*requirements: Mapping[str, Any], epsilon: float | None = None, **release: Any) -> Decision:
    """Return a decision with REQUIREMENTS on a count, or on what RELEASE says otherwise; None leaves a field out."""
    described = {name: value for name, value in {**COUNT, **release}.items() if value is not None}
    raw = {"format": FORMAT, "title": "A test", "release": described, "requirements": requirements, "epsilon": epsilon}
    return read_decision({name: value for name, value in raw.items() if value is not None})


def example(name: str, **changes: Any) -> dict[str, Any]:
    """Return a bundled example decision as JSON says it, with some of its members replaced."""
    raw: dict[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text("utf-8"))
    return raw | changes


def recorded(raw: dict[str, Any], name: str = "r") -> Record:
    """Return the record of a decision as JSON says it; its files are called NAME."""
    return make(read_decision(raw), STATED, name=name, salt=SALT)


def said_of(decision: Decision, assessment: Assessment | None = None) -> Sentences:
    """Return the sentences of the record of DECISION without making it."""
    planned = decision.planned
    loss = plain_sentences.loss_given_others(planned)
    return sentences_of(planned, assessment or assess(decision), drawing.meaning(planned), loss)


def hostile() -> dict[str, Any]:
    """Return the worked example with texts that some reader might take for markup, a formula or a command."""
    raw = example("durham", title=" ".join(HOSTILE[:4]), justification="\n\n".join(HOSTILE))
    raw["release"]["description"] = "\n".join(HOSTILE)
    raw["requirements"][0]["name"] = HOSTILE[1]
    raw["requirements"][1]["name"] = HOSTILE[6]
    raw["details"] |= {
        "controller": HOSTILE[0],
        "authors": [HOSTILE[2], ""],
        "approver": HOSTILE[3],
        "record_number": HOSTILE[5],
    }
    return raw
