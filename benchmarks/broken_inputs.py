"""Broken inputs for the command line, by what is wrong with each: the sentences of the errors are compared by them."""

from __future__ import annotations

import json
from typing import Any

FORMAT = "dpwizard.decision/1"
COUNT = {"statistic": "count", "neighbours": "add_remove", "sensitivity": 1, "mechanism": "geometric"}
TABLES = [{"name": "3.10", "sensitivity": 1, "share": 0.7}, {"name": "a and b", "sensitivity": 1, "share": 0.7}]
RISK = {"kind": "relative_risk", "p": [0, 1], "q": 1}


def decision(**fields: Any) -> str:
    """Return a decision file with FIELDS."""
    return json.dumps({"format": FORMAT, **fields}, ensure_ascii=False)


def requirement(**fields: Any) -> str:
    """Return a decision file about a count, with one requirement of FIELDS."""
    return decision(release=COUNT, requirements=[fields], epsilon=1)


DECISIONS: dict[str, str | None] = {  # None: the file is not there
    "a missing file": None,
    "an empty file": "",
    "no JSON": "epsilon = 1",
    "half a file": decision(title="cut off")[:-2],
    "a duplicate key": '{"format": "dpwizard.decision/1", "title": "one", "title": "two"}',
    "not a number": '{"format": "dpwizard.decision/1", "epsilon": NaN}',
    "nested too deep": "[" * 2000 + "]" * 2000,
    "a list for a decision": "[1, 2]",
    "no format": '{"title": "what is this?"}',
    "a format that is not known": '{"format": "dpwizard.decision/99"}',
    "an unknown field": decision(release={**COUNT, "surprise": 1}),
    "a field nearly named": decision(releese=COUNT),
    "a negative number": decision(release={**COUNT, "sensitivity": -1}),
    "text for a number": decision(epsilon="one and a half"),
    "a number for text": decision(title=3.10),
    "a whole number with a fraction": decision(release={**COUNT, "repetitions": 2.5}),
    "an unknown choice": decision(release={**COUNT, "mechanism": "thick fog"}),
    "a text too long": decision(title="x" * 20_000),
    "too many tables": decision(release={"parts": [{"name": str(number)} for number in range(500)]}),
    "shares above one": decision(release={**COUNT, "parts": TABLES}, epsilon=1),
    "two tables of one name": decision(release={**COUNT, "parts": [TABLES[0], TABLES[0]]}, epsilon=1),
    "a table that is not there": decision(
        release={**COUNT, "parts": [{**TABLES[0], "disjoint_with": ["1,000"]}]}, epsilon=1
    ),
    "an unknown requirement": requirement(kind="wishful_thinking"),
    "a chance above one": requirement(kind="relative_risk", p=[0, 1.5], q=1),
    "a range upside down": requirement(kind="relative_risk", p=[0.5, 0.1], q=1),
    "points out of order": requirement(**RISK, profile={"shape": "knots", "axis": "p", "points": [[1, 2], [0, 3]]}),
    "nothing answered": requirement(kind="switch_probability"),
    "a need that nothing meets": decision(
        release=COUNT,
        requirements=[{"kind": "rmse", "at_most": 0.1}, {**RISK, "profile": {"shape": "constant", "ratio": 1}}],
    ),
}


def call(function: str, **arguments: Any) -> str:
    """Return a line that calls a function by name."""
    return json.dumps({"id": function, "fn": function, "args": arguments})


CALLS = {
    "no JSON": "accuracy.noise(1)",
    "a list for a call": "[1, 2]",
    "a duplicate key": '{"id": 1, "id": 2, "fn": "accuracy.noise"}',
    "a field too many": '{"id": 1, "fn": "accuracy.noise", "args": {}, "why": "because"}',
    "no function": '{"id": 1}',
    "an unknown function": call("accuracy.nois"),
    "an unknown module": call("astrology.epsilon"),
    "arguments missing": call("accuracy.noise"),
    "an argument too many": call("accuracy.noise", mechanism="geometric", epsilon=1, sensitivity=1, surprise=1),
    "a list for arguments": '{"id": 1, "fn": "accuracy.noise", "args": [1]}',
    "a negative number": call("accuracy.noise", mechanism="geometric", epsilon=-1, sensitivity=1),
    "nought where more is needed": call("accuracy.noise", mechanism="laplace", epsilon=1, sensitivity=0),
    "text for a number": call("accuracy.noise", mechanism="geometric", epsilon="much", sensitivity=1),
    "an unknown choice": call("accuracy.noise", mechanism="thick fog", epsilon=1, sensitivity=1),
    "a chance above one": call("relative_risk.risk", p=1.5, q=0.5, epsilon=1),
    "not a number": '{"id": 1, "fn": "relative_risk.risk", "args": {"p": NaN, "q": 0.5, "epsilon": 1}}',
    "a number too large": '{"id": 1, "fn": "relative_risk.risk", "args": {"p": 1e999, "q": 0.5, "epsilon": 1}}',
    "a range upside down": call(
        "relative_risk.recommend", profile={"shape": "constant", "ratio": 2}, p=[0.5, 0.1], q=1
    ),
    "an unknown shape": call("relative_risk.recommend", profile={"shape": "egg"}, p=[0, 1], q=1),
    "a text too long": call("accuracy.noise", mechanism="x" * 20_000, epsilon=1, sensitivity=1),
    "a need that nothing meets": call(
        "accuracy.epsilon_for_interval", mechanism="geometric", sensitivity=1, half_width=0, level=1
    ),
}
