"""The release script where tables were signed to add up: all sums hold, and the numbers are as near as was planned."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import assess, read_decision
from dpwizard.records import NoScript, release_script
from tests.end_to_end.test_release_script import loaded, run, written
from tests.samples.decisions import recorded
from tests.samples.microdata import DATA, DISTRICTS, REGIONS, persons, programme, table

TREE = [
    table("regions", "region", dimension=3, adds_up_to=[{"part": "everybody", "children": 3}]),
    table("districts", "district", dimension=12, adds_up_to=[{"part": "regions", "children": 4}]),
    table("regions by age", "region", "age", dimension=12, adds_up_to=[{"part": "regions", "children": 4}]),
    table("districts by sex", "district", "sex", dimension=24, adds_up_to=[{"part": "districts", "children": 2}]),
]
ADDED: dict[str, Any] = {
    "adding_up": "least_squares",
    "post_processing": ["rounding"],
    "totals": [{"name": "everybody", "reads": []}],
}


def numbers(folder: Path, name: str) -> dict[tuple[str, ...], int]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        return {tuple(row[:-1]): int(row[-1]) for row in list(csv.reader(lines))[1:]}


@pytest.mark.parametrize("mechanism", ["discrete_gaussian", "geometric"])
def test_all_sums_hold_in_what_is_published(tmp_path: Path, mechanism: str) -> None:
    raw = programme(TREE, mechanism=mechanism, **ADDED)
    if mechanism == "geometric":
        raw |= {"epsilon": 0.8}
        del raw["rho"]
    folder = written(tmp_path, raw)
    assert run(folder, persons(500)) == 0
    out = folder / "out"
    regions, districts = numbers(out, "regions"), numbers(out, "districts")
    assert sum(regions.values()) == numbers(out, "everybody")[()]
    for name in regions:
        inside = [at for at in DISTRICTS if REGIONS[at] == name[0]]
        assert regions[name] == sum(districts[at,] for at in inside)
        assert regions[name] == sum(
            count for cell, count in numbers(out, "regions-by-age").items() if cell[0] == name[0]
        )
    for cell, count in districts.items():
        assert count == sum(one for at, one in numbers(out, "districts-by-sex").items() if at[0] == cell[0])
    log = json.loads((out / "public_log.json").read_text("utf-8"))
    assert log["made_to_add_up"] is True
    assert {each["name"] for each in log["tables"]} == {part["name"] for part in TREE}


def test_the_published_numbers_are_as_near_as_the_decision_says(tmp_path: Path) -> None:
    need = {"kind": "noise_interval", "half_width": 9, "level": 0.9, "part": "districts"}
    raw = programme(TREE, **ADDED) | {"requirements": [need]}
    (found,) = assess(read_decision(raw)).answers
    folder = written(tmp_path, raw)
    module = loaded(folder)
    plan = module.read_plan(json.loads((folder / "plan.json").read_text("utf-8")))
    draws = [module.drawer(one.noise, one.budget, one.distance) for one in plan.tables]
    zero: list[dict[Any, int]] = [{} for _ in plan.tables]
    errors = [error for _ in range(150) for error in module.made(plan, zero, draws)[1][1]["errors"]]
    within = sum(abs(error) <= found.at_epsilon["half_width"] for error in errors) / len(errors)
    assert within >= 0.9 - 0.03
    sd = (sum(error**2 for error in errors) / len(errors)) ** 0.5
    own = float(plan.tables[1].distance / (2 * plan.tables[1].budget)) ** 0.5
    assert sd < 0.9 * own  # adding up helped


def test_estimates_are_those_of_least_squares_in_fractions(tmp_path: Path) -> None:
    folder = written(tmp_path, programme(TREE, **ADDED))
    module = loaded(folder)
    children = {("r", ()): {"d": [("d", ("1",)), ("d", ("2",))]}, ("d", ("1",)): {}, ("d", ("2",)): {}}
    own = {("r", ()): (Fraction(1), 10), ("d", ("1",)): (Fraction(4), 3), ("d", ("2",)): (Fraction(4), 4)}
    found = module.estimates(list(own), children, own)
    assert found["r", ()] == (Fraction(10) + Fraction(7, 8)) / Fraction(9, 8)
    assert found["d", ("1",)] == 3 + (found["r", ()] - 7) / 2
    ties = {
        module.made_whole(
            list(own), children, {("r", ()): Fraction(1), **dict.fromkeys(list(own)[1:], Fraction(1, 2))}
        )["d", ("1",)]
        for _ in range(60)
    }
    assert ties == {0, 1}  # ties are broken at random


def test_rows_of_other_periods_are_not_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = [table(f"Q{at}", "district", share="1/2", period=f"2025-Q{at}") for at in (1, 2)]
    data = {**DATA, "period_column": "when"}
    folder = written(tmp_path, programme(parts, data=data, in_periods={"at_most": 1, "of": "quarter"}) | {"rho": 50})
    rows = [f"P{at},D01,f,17,40,2025-0{1 + at % 6}" for at in range(60)]
    assert run(folder, "\n".join(["person,district,sex,years,hours,when", *rows, ""])) == 0
    assert [abs(numbers(folder / "out", f"q{at}")["D01",] - 30) < 5 for at in (1, 2)] == [True, True]
    assert run(folder, "person,district,sex,years,hours,when\nA,D01,f,1,1,2025\n", "other") == 1
    assert "lies in the period of 'Q1' in part" in capsys.readouterr().err
    assert run(folder, "person,district,sex,years,hours,when\nA,D01,f,1,1,spring\n", "other") == 1
    assert "is no period such as 2025" in capsys.readouterr().err
    module = loaded(folder)
    assert module.main([str(folder / "plan.json"), "--rehearse", str(folder / "rehearsed"), "--units", "20"]) == 0


@pytest.mark.parametrize(
    ("change", "key", "where"),
    [
        ({"post_processing": []}, "not_whole", "$.release.post_processing"),
        ({"data": {**DATA, "columns": None}}, "no_data_description", "$.release.data.columns"),
    ],
)
def test_sums_that_the_script_does_not_make_are_refused_by_key(change: dict[str, Any], key: str, where: str) -> None:
    with pytest.raises(NoScript) as refused:
        release_script(recorded(_without_none(programme(TREE, **{**ADDED, **change}))), "reference")
    assert (refused.value.key, refused.value.where) == (key, where)
    assert refused.value.hint


def _without_none(raw: Any) -> Any:
    return {name: _without_none(one) for name, one in raw.items() if one is not None} if isinstance(raw, dict) else raw


def test_a_number_in_two_sums_is_refused_by_key() -> None:
    crossed = [
        table("regions", "region", dimension=3, adds_up_to=[{"part": "everybody", "children": 3}]),
        table("sexes", "sex", dimension=2, adds_up_to=[{"part": "everybody", "children": 2}]),
        table(
            "both",
            "region",
            "sex",
            dimension=6,
            adds_up_to=[{"part": "regions", "children": 2}, {"part": "sexes", "children": 3}],
        ),
    ]
    with pytest.raises(NoScript) as refused:
        release_script(recorded(programme([one | {"share": "1/3"} for one in crossed], **ADDED)), "reference")
    found = refused.value
    assert (found.key, found.where) == ("sum_in_two", "$.release.parts[2].adds_up_to[1]")
    assert (found.value, found.allowed) == ("sexes", ("regions",))


@pytest.mark.parametrize(
    ("sums", "where", "said"),
    [
        ({"part": "by age", "children": 3}, "parts[1].adds_up_to[0].part", "cannot be found from"),
        ({"part": "regions", "children": [3, 4, 5]}, "parts[1].adds_up_to[0].children", "a sum of 4 numbers"),
        ({"part": "known", "children": 12}, "parts[1].adds_up_to[0].part", "has no noise"),
    ],
)
def test_public_lists_that_give_other_sums_are_refused(sums: dict[str, Any], where: str, said: str) -> None:
    parts = [TREE[0], table("districts", "district", dimension=12, adds_up_to=[sums])]
    parts.append(table("by age", "age", dimension=4))
    exact = [{"name": "known", "reads": []}]
    with pytest.raises(InvalidInput) as refused:
        release_script(recorded(programme(parts, exact_figures=exact, **ADDED)), "reference")
    assert refused.value.where == f"$.release.{where}"
    assert said in refused.value.said


def test_a_period_needs_a_heading_in_the_file() -> None:
    with pytest.raises(NoScript) as refused:
        release_script(recorded(programme([table("Q1", "district", share=1, period="2025-Q1")])), "reference")
    assert (refused.value.key, refused.value.where) == ("no_data_description", "$.release.data.period_column")
