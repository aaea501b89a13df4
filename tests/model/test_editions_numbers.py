"""A number that a public edition leaves out stands in none of its outputs, and nothing there adds up to it."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from dpwizard.decision import read_decision
from dpwizard.errors import InvalidInput
from dpwizard.records import comparison, editions, record
from dpwizard.report import document as report
from dpwizard.signing import exports
from tests.samples.decisions import example, recorded

MARK = 0.7312345
SPENT = "$.release.spent"
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*\.?\d*(?:e[+-]?\d+)?")
DECIMALS = 4  # as many digits as tell a number from a chance meeting


def decided(
    *withheld: str, epsilon: float = 0.5, priors_from: str = "before_all", total: float = 3.1728, **more: Any
) -> dict[str, Any]:
    release = {
        "description": "A count.",
        "statistic": "count",
        "neighbours": "add_remove",
        "sensitivity": 1,
        "mechanism": "laplace",
        "repetitions": 2,
        "unit": "one person",
        "priors_from": priors_from,
        "spent": [{"record": "Census of bats", "epsilon": MARK, "neighbours": "add_remove", "date": "2019-03-04"}],
    }
    requirements = [
        {
            "kind": "relative_risk",
            "name": "Neighbour",
            "adversary": "inclusion",
            "p": [0.001, 1],
            "q": 1,
            "profile": {"shape": "cap_or_ratio", "posterior": 0.5, "ratio": 40},
        },
        {"kind": "budget", "name": "Office", "total": total},
        {"kind": "mean_absolute_error", "name": "Typical error", "at_most": 4.0},
    ]
    raw = example("durham", release=release, requirements=requirements, epsilon=epsilon, title="Bats", **more)
    raw["details"] = {
        "curators": ["Office"],
        "intended_use": "Planning",
        "product_type": "Summary statistics",
        "region": "Here",
        "publication_date": "2026-11-21",
        "authors": ["A. Person"],
    }
    raw["withheld"] = list(withheld)
    raw["justification"] = "We chose 0.5."
    return raw | more


def public(raw: dict[str, Any]) -> dict[str, Any]:
    _, data = recorded(raw)
    return editions.public_record(json.loads(data), hashlib.sha256(data).hexdigest())


def outputs(made: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield every form in which the public edition MADE leaves the office, hashes aside."""
    data = record.record_bytes(made)
    yield "json", data.decode("utf-8")
    yield "report", report.text(report.blocks(made, data))
    yield "html", exports.report_html(made, data)
    yield "web", exports.web_summary(made, "00")
    yield "registry", exports.registry_yaml(exports.registry_entry(made, "00"))
    yield "csv", exports.answers_csv(made)
    yield "opendp", exports.release_code(made)


def numbers_in(text: str) -> set[float]:
    plain = re.sub(r"[0-9a-f]{64}|<svg.*?</svg>|<style>.*?</style>", "", text, flags=re.DOTALL)
    return {float(found.replace(",", "")) for found in NUMBER.findall(plain) if found.replace(",", "") not in ("", ".")}


def tells(values: set[float], secret: float, times: tuple[int, ...] = (1,)) -> list[tuple[float, ...]]:
    """Return which of VALUES are SECRET, or add up to it: one taken from another, so many times."""
    close = 10.0**-DECIMALS
    found: list[tuple[float, ...]] = [(one,) for one in values if abs(one - secret) < close]
    for one, other in itertools.permutations(values, 2):
        for n in times:
            if abs(one - n * other - secret) < close * secret or abs(one + n * other - secret) < close * secret:
                found.append((one, other, float(n)))
    return found


@pytest.mark.parametrize("priors_from", ["this_release", "before_all"])
@pytest.mark.parametrize("epsilon", [0.5, 1.15, (3.1728 - MARK) / 2], ids=["far", "near", "all of it"])
def test_what_is_spent_and_left_out_stands_nowhere_and_nothing_adds_up_to_it(epsilon: float, priors_from: str) -> None:
    internal, _ = recorded(decided(epsilon=epsilon, priors_from=priors_from))
    assert "7312345" in json.dumps(internal)
    made = public(decided(SPENT, epsilon=epsilon, priors_from=priors_from))
    for name, text in outputs(made):
        left = (
            () if epsilon > 1.2 else ("44156", "22078", "88313", "2.4416", "1.2208")
        )  # where all is taken these are epsilon's own
        for digits in ("73123", "0.7313", "Census of bats", "2019-03-04", *left):
            assert digits not in text, (name, digits)
        found = tells(numbers_in(text.replace(repr(epsilon), "")) | {epsilon}, MARK, (1, 2))
        assert not found, (name, found)
    assert comparison.replay(made) == ()
    budget = made["assessment"]["answers"][1]
    assert (budget["epsilon"], budget["at_epsilon"], budget["withheld"]) == (None, {}, True)
    assert (made["accounting"]["spent_before"], made["accounting"]["epsilon_in_all"]) == (None, None)
    left_out = [item["where"] for item in made["left_out"]]
    assert left_out[0] == SPENT
    assert ("$.requirements[1].total" in left_out) == (epsilon > 1.0)  # beside epsilon it would tell what is spent
    text = " ".join(report.text(report.blocks(made, None)).split())
    assert "Spent before left out of this edition" in text
    assert "In all left out of this edition" in text


def test_what_the_release_means_is_left_out_where_it_would_tell_what_is_spent() -> None:
    """Before all releases an intruder gains e^(2 (epsilon in all)) at most: the factor tells what is spent, so it is
    not said."""
    internal, _ = recorded(decided())
    made = public(decided(SPENT))
    meanings = (internal["sentences"]["meaning"], made["sentences"]["meaning"])
    assert [i for i, (one, other) in enumerate(zip(*meanings, strict=True)) if one != other] == [1]
    assert meanings[1][1] == "Left out: it would tell what this edition does not."
    after, _ = recorded(decided(priors_from="this_release"))
    assert public(decided(SPENT, priors_from="this_release"))["sentences"]["meaning"] == after["sentences"]["meaning"]


def test_what_somebody_typed_of_a_number_left_out_is_masked() -> None:
    typed = (
        "We spent 0.731 (0,7312345; 73.12 in 100) on 2019-12-31, so 3.1728 minus that leaves 2.4415; of 4,012, 0.5 "
        "is new."
    )
    said = public(decided(SPENT, justification=typed))["decision"]["justification"]
    gone = "[withheld number]"
    assert (
        said
        == f"We spent {gone} ({gone}; {gone} in 100) on 2019-12-31, so 3.1728 minus that leaves {gone}; of 4,012, 0.5 "
        "is new."
    )


MARKED = 0.6123457
PLACES: dict[str, dict[str, Any]] = {
    "$.release.population": {"release": {"population": 6123457}},
    "$.release.sampling_fraction": {"release": {"sampling_fraction": MARKED, "sample_secret": True}},
    "$.requirements[0].profile": {
        "requirements": (0, {"profile": {"shape": "cap_or_ratio", "posterior": MARKED, "ratio": 6.123457}})
    },
    "$.requirements[0].p": {"requirements": (0, {"p": [0.06123457, MARKED]})},
    "$.requirements[1].total": {"requirements": (1, {"total": 6.123457})},
    "$.requirements[2].at_most": {"requirements": (2, {"at_most": 6.123457})},
    "$.requirements[2]": {"requirements": (2, {"at_most": 6.123457})},
    "$.details.advice": {"details": {"advice": "Counsellor 6123457 advised."}},
    "$.details.residual_risks": {"details": {"residual_risks": "Number 6123457 remains."}},
    "$.details.risks": {"details": {"risks": [{"risk": "Six 6123457", "measure": "6123457"}]}},
    "$.release.published_elsewhere": {"release": {"published_elsewhere": "The exact total 6123457"}},
    "$.release.derivation": {"release": {"derivation": "One of 6123457 at most"}},
    "$.release.unit": {"release": {"unit": "one of 6123457"}},
    "$.release.description": {"release": {"description": "A count of 6123457"}},
    "$.justification": {"justification": "For 6123457 reasons"},
    "$.exception_reason": {"exception_reason": "For 6123457 reasons"},
}


def changed(raw: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    for name, value in change.items():
        if name == "requirements":
            raw["requirements"][value[0]] |= value[1]
        elif isinstance(value, dict):
            raw[name] |= value
        else:
            raw[name] = value
    return raw


@pytest.mark.parametrize("where", PLACES)
def test_a_marker_at_any_place_that_may_be_left_out_stands_in_no_output(where: str) -> None:
    raw = changed(decided(where), PLACES[where])
    assert "6123457" in json.dumps(recorded(raw)[0]).replace(".", "")
    made = public(raw)
    for name, text in _outputs_that_can_be(made):
        for digits in ("6123457", "6,123,457", "612,3", "0.6123", "6.1234", "6.1235", "61.23"):
            assert digits not in text, (name, digits)
        assert not tells(numbers_in(text), MARKED), name
    assert comparison.replay(made) == ()


def _outputs_that_can_be(made: dict[str, Any]) -> Iterator[tuple[str, str]]:
    try:
        yield from outputs(made)
    except InvalidInput:  # the registry asks for a description, which may be what is left out
        assert made["decision"]["release"].get("description") is None


def test_every_place_that_is_offered_to_be_left_out_is_tried_here_or_is_text() -> None:
    raw = decided()
    for change in PLACES.values():
        changed(raw, change)
    offered = {mark.where for mark in editions.markable(read_decision(raw))}
    kinds = {re.sub(r"\[\d+\]", "[]", where) for where in (*PLACES, SPENT)}
    texts = {"$.requirements[].name", "$.requirements[].off_reason", "$.release.sample_secret", "$.acknowledged"}
    rest = {re.sub(r"\[\d+\]", "[]", where) for where in offered} - kinds - texts
    assert all(where.startswith("$.details.") for where in rest), rest


@pytest.mark.slow
def test_the_pdf_holds_nothing_of_what_is_spent_and_left_out() -> None:
    made = public(decided(SPENT, epsilon=(3.1728 - MARK) / 2))
    pdf = report.pdf_bytes(made, record.record_bytes(made), "x.json")
    for command in (["pdftotext", "-layout", "-", "-"], ["pdftotext", "-raw", "-", "-"]):
        text = subprocess.run(command, input=pdf, capture_output=True, check=True).stdout.decode("utf-8")
        for digits in ("73123", "0.7313", "0.731", "Census of bats"):
            assert digits not in text
