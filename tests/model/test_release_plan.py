"""The plan and the code of a release: what enters from a record, each table's own epsilon, and what has no code."""

from __future__ import annotations

import json
import math
import random
import re
from fractions import Fraction
from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import read_decision
from dpwizard.records import NoScript, making, release_code, release_script
from dpwizard.records.release_script import NOISE
from tests.samples.decisions import example, recorded
from tests.samples.microdata import COLUMNS, DATA, programme, table

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
            variance = 4 / (2 * Fraction(each["rho"]))  # in few digits, and never less noise than the record says
            assert len(each["rho"]) < 100
            assert (
                Fraction(row.scale or 0) ** 2 <= variance <= Fraction(row.scale or 0) ** 2 * (1 + Fraction(1, 10**38))
            )


def test_shares_that_pass_one_by_their_last_digit_spend_no_more_than_was_signed() -> None:
    parts = [COUNT | {"name": f"T{number}", "share": 0.33333333334} for number in range(3)]
    assert sum(Fraction(each["rho"]) for each in plan(programme(parts))["tables"]) == Fraction(2, 25)


@pytest.mark.parametrize(
    ("parts", "release", "where", "said"),
    [
        ([COUNT], {"data": None}, "$.release.data", "no data description"),
        ([COUNT], {"data": {"unit_column": "person"}}, "$.release.data.columns", "no data description"),
        ([COUNT | {"mechanism": "gaussian"}], {}, "$.release.parts[0].mechanism", "noise in whole steps"),
        ([COUNT | {"statistic": "mean"}], {}, "$.release.parts[0].statistic", "counts, histograms and sums"),
        ([COUNT | {"reads": ["ward"]}], {}, "$.release.parts[0].reads", 'no public list of "ward"'),
        ([COUNT | {"reads": ["hours"]}], {}, "$.release.parts[0].reads", "limits alone"),
        ([COUNT | {"statistic": "sum"}], {}, "$.release.parts[0].reads", "found 0"),
        ([COUNT | {"dimension": 7}], {}, "$.release.parts[0].dimension", "give 12 numbers; found 7"),
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
    ("parts", "release", "key", "said"),
    [
        ([COUNT], {"data": None}, "no_data_description", "public list of classes"),
        ([COUNT | {"mechanism": "laplace"}], {}, "not_whole", "laplace. Choose discrete Gaussian or geometric"),
        ([COUNT | {"mechanism": "geometric", "sensitivity": 1.5}], {}, "not_whole", "1.5"),
        ([COUNT | {"statistic": "vector"}], {}, "statistic", "found vector"),
    ],
)
def test_a_refusal_has_a_key_and_says_what_was_found_and_what_is_allowed(
    parts: Any, release: dict[str, Any], key: str, said: str
) -> None:
    raw = programme(parts, **release)
    raw["release"] = {name: value for name, value in raw["release"].items() if value is not None}
    if said == "1.5":  # geometric noise under a budget in rho
        raw["epsilon"] = raw.pop("rho") and 0.5
    with pytest.raises(NoScript, match=said) as refused:
        plan(raw)
    assert refused.value.key == key
    assert refused.value.where.startswith("$.release.")


@pytest.mark.parametrize(
    ("column", "where", "said"),
    [
        ({}, "", "must state classes"),
        ({"classes": ["a"], "low": 0, "high": 1}, "", "must state classes"),
        ({"classes": ["é", "e\u0301 "]}, ".classes", "twice"),
        ({"classes": ["a", ""]}, ".classes", "must not be empty"),
        ({"of": "years", "from": [0, 5, 5]}, ".from", "must rise"),
        ({"of": "years", "from": [0, 5], "classes": ["a"]}, ".classes", "2 entries"),
        ({"of": "sex", "from": [0]}, ".of", "cannot be derived from the classes of sex"),
        ({"of": "sex", "map": {"f": "a"}}, ".map", 'no class for "m"'),
        ({"of": "district", "map": {"d05": "a"}}, ".map", 'did you mean "D05"?'),
        ({"low": 1, "high": 1}, ".low", "below high"),
    ],
)
def test_public_lists_that_contradict_are_refused(column: dict[str, Any], where: str, said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_decision(programme(data={"unit_column": "person", "columns": {**COLUMNS, "new": column}}))
    assert refused.value.where == f"$.release.data.columns.new{where}"
    assert said in refused.value.text


def test_an_attribute_is_not_found_from_itself_by_way_of_another() -> None:
    columns = {"a": {"of": "b", "map": {"x": "x"}}, "b": {"of": "a", "map": {"x": "x"}}}
    with pytest.raises(InvalidInput, match="is derived from itself"):
        read_decision(programme(data={"columns": columns}))


PARTS = [
    {"name": "Districts", "sensitivity": 1, "dimension": 90, "statistic": "histogram", "mechanism": "geometric"},
    {"name": "Means", "sensitivity": 0.5, "dimension": 3, "statistic": "mean", "mechanism": "laplace", "share": 0.3},
    {"name": "Total", "sensitivity": 1, "dimension": 1, "statistic": "count", "mechanism": "geometric", "share": 0.2},
]


def coded(epsilon: float = 1.0, **release: Any) -> str:
    raw = example("durham", epsilon=epsilon, requirements=[])
    raw["release"] |= {"statistic": "vector", "mechanism": "laplace", "sensitivity": 2, "delta": 1e-6, **release}
    code = release_code(recorded(raw))
    compile(code, "release.py", "exec")
    return code


def spaces(code: str) -> dict[str, str]:
    """Return the space of each measurement by the name of its function."""
    return dict(re.findall(r"def (\w+)_measurement\(\):.*?    space = (.*?)\n", code, flags=re.DOTALL))


def test_each_table_has_its_own_dimension_also_where_another_lacks_its_share() -> None:
    found = spaces(coded(parts=PARTS))
    assert list(found) == ["release_2", "release_3"]
    assert found["release_2"].startswith("dp.vector_domain(dp.atom_domain(T=float")  # three means, not ninety districts
    assert (
        found["release_3"] == 'dp.atom_domain(T="i64"), dp.absolute_distance(T="i64")'
    )  # one whole number, not a list
    assert "a list of 3 numbers" in coded(parts=PARTS)
    assert "The table 'Districts' (release_1) has no function here: the decision lacks an answer" in coded(parts=PARTS)
    whole = spaces(coded(parts=[{**PARTS[0], "share": 0.5}, *PARTS[1:]]))
    assert list(whole) == ["release_1", "release_2", "release_3"]


def test_a_table_without_noise_is_named_and_has_no_code() -> None:
    code = coded(parts=[{**PARTS[0], "share": 0.5, "mechanism": "exact"}, *PARTS[1:]])
    assert "The table 'Districts' (release_1) has no function here: it is published without noise." in code


@pytest.mark.parametrize(
    ("part", "where"),
    [
        ({"statistic": "mean", "sensitivity": 1}, "$.release.parts[0].mechanism"),
        ({"sensitivity": 0.5}, "$.release.parts[0].sensitivity"),
    ],
)
def test_geometric_noise_on_what_is_no_whole_number_is_refused_by_name(part: dict[str, Any], where: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        coded(parts=[{**PARTS[0], "share": 0.5, **part}, *PARTS[1:]])
    assert refused.value.where == where


def test_the_tables_together_never_come_to_more_than_epsilon_and_their_noise_is_never_too_small() -> None:
    dice = random.Random(15)
    for _ in range(80):
        count = dice.randint(2, 7)
        cut = sorted(dice.randint(1, 999) for _ in range(count - 1))
        shares = [(high - low) / 1000 for low, high in zip([0, *cut], [*cut, 1000], strict=True) if high > low]
        parts = [{"name": f"T{i}", "sensitivity": dice.randint(1, 9), "share": share} for i, share in enumerate(shares)]
        epsilon = 10 ** dice.uniform(-4, 2)
        raw = example("durham", epsilon=epsilon, requirements=[])
        raw["release"] |= {"mechanism": "geometric", "parts": parts}
        rows = making.implementation(read_decision(raw).release, epsilon)
        assert sum(Fraction(row["epsilon"]) for row in rows) <= Fraction(epsilon)
        for row in rows:
            assert Fraction(row["sensitivity"]) / Fraction(row["scale"]) <= Fraction(row["epsilon"])
            assert row["alpha"] >= math.exp(-row["epsilon"] / row["sensitivity"])


def test_code_says_how_often_the_release_and_each_table_is_made() -> None:
    assert "made 4 times on the same people" in coded(repetitions=4)
    assert "times on the same people" not in coded()
    code = coded(parts=[{**PARTS[0], "share": 0.5, "times": 12}, *PARTS[1:]])
    assert "# The table 'Districts' is made 12 times in each release: call release_1 once each time" in code
    assert code.count("times in each release") == 1
