"""Every field that a decision can state is printed in its report, or named among those that are left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from dpwizard.base.values import Value
from dpwizard.decision import (
    Acknowledgement,
    Decision,
    Details,
    Division,
    EarlierRelease,
    ExactFigure,
    Part,
    Release,
    read_decision,
)
from dpwizard.decision.decision import Actor, ResidualRisk
from dpwizard.decision.letterhead import Letterhead
from dpwizard.decision.requirements import kinds
from dpwizard.report import document as report
from dpwizard.report.phrases import Words
from dpwizard.report.values import OMITTED, PRINTED_ELSEWHERE, label, pairs_of, written
from tests.model.test_adding_a_requirement import decisions
from tests.samples.decisions import example, recorded

STATED: dict[str, Any] = {  # of a publication of two tables, every field that durham.json leaves open
    "axis": "sd",
    "exception_reason": "An exception, for a reason.",
    "paper": "a4",
    "letterhead": {"name": "County of Durham", "lines": ["12 Main Street"]},
}
RELEASE: dict[str, Any] = {
    "statistic": "count",
    "mechanism": "geometric",
    "delta": 1e-6,
    "neighbours": "add_remove",
    "sensitivity": 9,
    "sensitivity_other": 18,
    "effects": {"income": 0.25},
    "reads": ["income"],
    "step": 1,
    "description": "Births and deaths by ward.",
    "unit": "one infant",
    "unit_kind": "person",
    "slice": "year",
    "slices_per_person": 3,
    "at_most_years": 2,
    "in_periods": {"at_most": 2, "of": "quarter", "rule": "rolling", "within": 4},
    "cap": 4,
    "distinct_cells": True,
    "contributions": 2,
    "dimension": 3,
    "repetitions": 2,
    "population": 4012,
    "sampling_fraction": 0.5,
    "sample_secret": True,
    "published_elsewhere": "An older bulletin.",
    "post_processing": ["rounding"],
    "priors_from": "before_all",
    "trust_model": "central",
    "allocation": "weights",
    "levels": ["ward", "county"],
    "adding_up": "least_squares",
    "totals": [
        {"name": "All years", "dimension": 2, "reads": ["sex"], "adds_up_to": [{"part": "Births", "children": 2}]}
    ],
    "divisions": [{"name": "age of the mother", "parts": 3}],
    "person_word": "infant",
    "reveals": "died within a year",
    "totals_printed": True,
    "each_number": "average",
    "lowest": 18.5,
    "highest": 97.25,
    "how_often": "every_year",
    "exact_figures": [{"name": "All births", "reads": ["sex"], "level": "county"}],
    "spent": [
        {
            "record": "The bulletin of 2019",
            "table": "Deaths of 2019",
            "sha256": "ab" * 32,
            "mechanism": "geometric",
            "epsilon": 0.1,
            "neighbours": "replace",
            "sensitivity": 1,
            "sensitivity_other": 1,
            "effects": {"income": 0.5},
            "times": 2,
            "date": "May 2020",
        },
        {"record": "The bulletin of 2018", "mechanism": "gaussian", "rho": 0.01, "delta": 1e-7},
    ],
    "parts": [
        {
            "name": "Births",
            "statistic": "count",
            "mechanism": "geometric",
            "sensitivity": 1,
            "sensitivity_other": 1,
            "effects": {"income": 0.5},
            "reads": ["income"],
            "step": 1,
            "dimension": 40,
            "share": 0.5,
            "weight": 2,
            "times": 3,
            "level": "ward",
            "year": "2020",
            "disjoint_with": ["Deaths"],
            "group": "apart",
            "moves": True,
            "contributions": 2,
        },
        {
            "name": "Deaths",
            "statistic": "count",
            "mechanism": "geometric",
            "sensitivity": 1,
            "adds_up_to": [{"part": "All years", "children": [1, 2]}],
            "epsilon": 0.1,
        },
        {
            "name": "Clinics",
            "statistic": "count",
            "mechanism": "discrete_gaussian",
            "sensitivity": 1,
            "rho": 0.01,
            "period": "2020",
        },
    ],
}
DETAILS: dict[str, Any] = {
    "curators": ["The registry"],
    "authors": ["A. Author"],
    "product_type": "SQL queries",
    "sector": "Healthcare",
    "domain_source": "public",
    "tuned_on": "public",
    "floating_point": "rounded",
    "randomness": "seeded",
    "small_groups": [7],
    "actors": [{"name": "The agency", "role": "curator", "sees": "everything"}],
    "risks": [{"risk": "A leak", "measure": "A lock", "owner": "The office", "date": "1 May"}],
    "superseded_sha256": "cd" * 32,
}
# what no one decision can state together with the rest, or what is no text: looked at in other tests
APART = {
    *("Decision.epsilon", "Decision.rho", "Decision.elicitation", "Decision.withheld", "Decision.exception_reason"),
    *("Release.derivation", "Letterhead.logo"),
}
CHECKED = (
    *(
        Decision,
        Details,
        Release,
        Division,
        Part,
        EarlierRelease,
        ExactFigure,
        ResidualRisk,
        Actor,
        Acknowledgement,
        Letterhead,
    ),
)


@pytest.fixture(scope="module")
def decision() -> Decision:
    raw = example("durham", **STATED)
    raw["release"] = RELEASE
    for name in Details.model_fields:
        raw["details"].setdefault(name, f"What is said of {name}.")
    raw["details"] |= DETAILS
    raw["acknowledged"][0] |= {"state": "open", "reason": "The registry knows it.", "vouched_by": "B. Clerk"}
    raw["acknowledged"][0]["time"] = "21 November 2026, noon"
    return read_decision(raw)


@pytest.fixture(scope="module")
def document(decision: Decision) -> str:
    return "\n".join(texts(report.blocks(recorded(decision.model_dump(mode="json", exclude_none=True)))))


def texts(block: Any) -> Iterator[str]:
    if isinstance(block, str):
        yield block
    elif isinstance(block, tuple):
        for each in block:
            yield from texts(each)
    elif is_dataclass(block):
        for field in fields(block):
            yield from texts(getattr(block, field.name))


def values_of(value: Any) -> Iterator[Value]:
    if isinstance(value, Value):
        yield value
        for name in type(value).model_fields:
            yield from values_of(getattr(value, name))
    elif isinstance(value, tuple):
        for each in value:
            yield from values_of(each)


@pytest.mark.parametrize("kind", CHECKED, ids=lambda kind: kind.__name__)
def test_every_field_is_printed_or_left_out_by_name(kind: type[Value], decision: Decision, document: str) -> None:
    words, unstated, unprinted = Words("en"), [], []
    for name, field in kind.model_fields.items():
        if f"{kind.__name__}.{name}" in {*OMITTED, *APART}:
            continue
        stated = [getattr(one, name) for one in values_of(decision) if type(one) is kind]
        stated = [one for one in stated if one not in (field.default, None, (), "")]
        if not stated:
            unstated.append(name)
        elif any(True for one in stated for _ in values_of(one)):
            continue  # its own fields are looked for
        elif label(kind, name) not in document and not any(written(name, one, words) in document for one in stated):
            unprinted.append(name)
    assert not unstated, f"state {unstated} of {kind.__name__} in this test"
    assert not unprinted, f"print {unprinted} of {kind.__name__}, or name them in OMITTED of dpwizard/report/values.py"


def test_what_is_left_out_is_a_field_and_has_a_reason() -> None:
    known = {f"{kind.__name__}.{name}" for kind in CHECKED for name in kind.model_fields}
    assert set(OMITTED) <= known
    assert all(OMITTED.values())


@pytest.mark.parametrize("kind", kinds())
def test_every_answered_field_of_a_requirement_is_printed(kind: str) -> None:
    for decision in decisions(kind):
        requirement = decision.requirements[0]
        rows = [name for name, _ in pairs_of(requirement, Words("en"))]
        answered = {name for name in type(requirement).model_fields if getattr(requirement, name) is not None}
        assert {label(requirement, name) for name in answered - PRINTED_ELSEWHERE} <= set(rows)


def test_attributes_that_are_none_and_that_nobody_named_are_said_apart() -> None:
    assert [written("reads", read, Words("en")) for read in ((), None)] == ["none", "not stated"]
