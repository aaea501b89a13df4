"""The plan of a release script: what enters it from a record, and what is refused by the name of its field."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import read_decision, to_json
from dpwizard.records import NoScript, release_script
from dpwizard.records.release_script import NOISE
from tests.samples.decisions import example, recorded
from tests.samples.microdata import COLUMNS, DATA, TABLES, programme, table

COUNT = table("districts", "district", share=1)
HOURS = table("hours", "sex", "hours", share=1, statistic="sum", sensitivity=60, step=1)


def plan(raw: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(release_script(recorded(raw), "reference")["plan.json"])
    return found


def test_a_plan_states_exact_fractions_and_the_noise_of_the_record() -> None:
    record = recorded(programme())
    for library in NOISE:
        made = release_script(record, library)
        compile(made["release.py"], "release.py", "exec")
        assert json.loads(made["plan.json"]) == plan(programme())  # one plan is one release, whatever draws its noise
    assert "OpenDP does not\ncheck" in release_script(record, "opendp")["release.py"]
    found = plan(programme())
    assert (found["rho"], found["epsilon"]) == ("2/25", None)
    assert [(each["rho"], each["squared_distance"]) for each in found["tables"]] == [("1/50", "1")] * 3 + [
        ("1/50", "3600")
    ]
    for row, each in zip(record.implementation, found["tables"], strict=True):
        sigma = math.sqrt(Fraction(each["squared_distance"]) / (2 * Fraction(each["rho"])))
        assert row.scale == pytest.approx(sigma, rel=1e-12)


def test_geometric_noise_and_gaussian_noise_at_a_delta_keep_the_scale_of_the_record() -> None:
    data: dict[str, Any] = {"data": DATA, "statistic": "histogram", "reads": ["sex"]}
    for mechanism, delta in (("geometric", {}), ("discrete_gaussian", {"delta": 1e-6})):
        raw = example("durham", epsilon=0.5, requirements=[])
        raw["release"] |= {**data, **delta, "mechanism": mechanism, "sensitivity": 2}
        (each,), (row,) = plan(raw)["tables"], recorded(raw).implementation
        if mechanism == "geometric":
            assert (each["epsilon"], each["distance"]) == ("1/2", "2")
        else:
            assert math.sqrt(4 / (2 * Fraction(each["rho"]))) == pytest.approx(row.scale, rel=1e-12)


def test_shares_that_pass_one_by_their_last_digit_spend_no_more_than_was_signed() -> None:
    parts = [COUNT | {"name": f"T{number}", "share": 0.33333333334} for number in range(3)]
    assert sum(Fraction(each["rho"]) for each in plan(programme(parts))["tables"]) == Fraction(2, 25)


@pytest.mark.parametrize(
    ("parts", "release", "where", "said"),
    [
        ([COUNT], {"data": None}, "$.release.data", "no description of the microdata"),
        ([COUNT], {"data": {"unit_column": "person"}}, "$.release.data.columns", "no description"),
        ([COUNT | {"mechanism": "gaussian"}], {}, "$.release.parts[0].mechanism", "noise in whole steps"),
        ([COUNT | {"statistic": "mean"}], {}, "$.release.parts[0].statistic", "counts, histograms and sums"),
        ([COUNT | {"statistic": "vector"}], {}, "$.release.parts[0].statistic", "counts, histograms and sums"),
        ([COUNT | {"reads": ["ward"]}], {}, "$.release.parts[0].reads", 'no public list of "ward"'),
        ([COUNT | {"reads": ["hours"]}], {}, "$.release.parts[0].reads", "bounds alone"),
        ([COUNT | {"statistic": "sum"}], {}, "$.release.parts[0].reads", "found 0"),
        ([COUNT | {"dimension": 7}], {}, "$.release.parts[0].dimension", "give 12 numbers; found 7"),
        ([COUNT | {"times": 2}], {}, "$.release.parts[0].times", "made 2 times"),
        ([COUNT], {"repetitions": 4}, "$.release.repetitions", "made 4 times"),
        ([HOURS | {"step": None}], {}, "$.release.parts[0].step", "hides no fraction"),
        ([HOURS | {"step": 7}], {}, "$.release.data.columns.hours.high", "multiple of the table’s step"),
    ],
)
def test_what_no_script_can_make_is_refused(parts: Any, release: dict[str, Any], where: str, said: str) -> None:
    raw = programme([{name: value for name, value in part.items() if value is not None} for part in parts], **release)
    raw["release"] = {name: value for name, value in raw["release"].items() if value is not None}
    with pytest.raises(InvalidInput) as refused:
        plan(raw)
    assert refused.value.where == where
    assert said in refused.value.text


@pytest.mark.parametrize(
    ("parts", "release", "key", "value", "allowed"),
    [
        ([COUNT], {"data": None}, "no_data_description", None, "columns"),
        ([COUNT], {"data": {"columns": COLUMNS}}, "no_data_description", None, "unit_column"),
        ([COUNT | {"mechanism": "laplace"}], {}, "not_whole", "laplace", "geometric"),
        ([COUNT | {"mechanism": "geometric", "sensitivity": 1.5}], {}, "not_whole", 1.5, None),
        ([COUNT | {"statistic": "mean"}], {}, "statistic", "mean", "histogram"),
        ([COUNT | {"statistic": "vector"}], {}, "statistic", "vector", "sum"),
    ],
)
def test_a_refusal_has_a_key_the_value_found_and_what_is_allowed(
    parts: Any, release: dict[str, Any], key: str, value: Any, allowed: str | None
) -> None:
    raw = programme(parts, **release)
    raw["release"] = {name: value for name, value in raw["release"].items() if value is not None}
    if key == "not_whole" and value != "laplace":
        raw |= {"epsilon": 0.5}
        del raw["rho"]
    with pytest.raises(NoScript) as refused:
        plan(raw)
    found = refused.value
    assert (found.key, found.value) == (key, value)
    assert found.where.startswith("$.release.")
    assert found.hint
    assert allowed is None or allowed in found.allowed
    assert value is None or str(value) in found.text


def test_a_description_is_kept_as_it_was_written() -> None:
    decision = read_decision(programme(TABLES))
    assert to_json(decision)["release"]["data"]["columns"] | {"hours": COLUMNS["hours"]} == COLUMNS
    assert read_decision(to_json(decision)) == decision


@pytest.mark.parametrize(
    ("column", "where", "said"),
    [
        ({}, "", "must state classes"),
        ({"classes": ["a"], "low": 0, "high": 1}, "", "must state classes"),
        ({"classes": ["é", "e\u0301 "]}, ".classes", "twice"),
        ({"classes": ["a", ""]}, ".classes", "must not be empty"),
        ({"of": "years", "from": [0, 5, 5]}, ".from", "must rise"),
        ({"of": "years", "from": [0, "x"]}, ".from[1]", "whole number"),
        ({"of": "years", "from": [0, 5], "classes": ["a"]}, ".classes", "2 entries"),
        ({"of": "sex", "from": [0]}, ".of", "cannot be found from the classes of sex"),
        ({"of": "sex", "map": {"f": "a"}}, ".map", 'no class for "m"'),
        ({"of": "district", "map": {"d05": "a"}}, ".map", 'did you mean "D05"?'),
        ({"low": 1, "high": 1}, ".low", "below high"),
        ({"classes": ["a"], "label": "x"}, ".label", "not a field"),
    ],
)
def test_public_lists_that_contradict_are_refused(column: dict[str, Any], where: str, said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_decision(programme(data={"unit_column": "person", "columns": {**COLUMNS, "new": column}}))
    assert refused.value.where == f"$.release.data.columns.new{where}"
    assert said in refused.value.text


def test_an_attribute_is_not_found_from_itself_by_way_of_another() -> None:
    columns = {"a": {"of": "b", "map": {"x": "x"}}, "b": {"of": "a", "map": {"x": "x"}}}
    with pytest.raises(InvalidInput, match="is found from itself"):
        read_decision(programme(data={"columns": columns}))
