"""The release script where tables were signed to add up: all sums hold, and the numbers are as near as was planned."""

from __future__ import annotations

import csv
import itertools
import json
import math
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import assess, problems, read_decision
from dpwizard.records import NoScript, release_script
from dpwizard.report import document
from tests.end_to_end.test_release_script import loaded, run, written
from tests.samples.decisions import recorded
from tests.samples.microdata import DATA, DISTRICTS, REGIONS, TABLES, persons, programme, table

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
        raw = _without_none(raw | {"epsilon": 0.8, "rho": None})
    assert "--to script" in document.text(document.blocks(recorded(raw)))
    folder = written(tmp_path, raw)
    assert run(folder, persons(500)) == 0
    out = folder / "out"
    regions, districts = numbers(out, "regions"), numbers(out, "districts")
    assert sum(regions.values()) == numbers(out, "everybody")[()]
    for name in regions:
        inside = [at for at in DISTRICTS if REGIONS[at] == name[0]]
        assert regions[name] == sum(districts[at,] for at in inside)
        by_age = numbers(out, "regions-by-age").items()
        assert regions[name] == sum(count for cell, count in by_age if cell[0] == name[0])
    for cell, count in districts.items():
        assert count == sum(one for at, one in numbers(out, "districts-by-sex").items() if at[0] == cell[0])
    log = json.loads((out / "public_log.json").read_text("utf-8"))
    assert log["made_to_add_up"] is True
    assert {each["name"] for each in log["tables"]} == {part["name"] for part in TREE}


def test_numbers_below_0_are_shown_as_page_one_says(tmp_path: Path) -> None:
    raw = programme([*TREE[:3], TABLES[3]], **ADDED | {"post_processing": ["rounding", "clamping"]})
    page = " ".join(document.text(document.blocks(recorded(raw))).split())
    assert "that cannot be below 0 is shown as 0 where it comes out below. Sums of them are made before" in page
    made = loaded(written(tmp_path, raw))
    plan = made.read_plan(json.loads((tmp_path / "plan.json").read_bytes()))
    negative = plan._replace(columns=plan.columns | {"hours": plan.columns["hours"]._replace(low=-1)})
    for one, of in [*((each, plan) for each in plan.every), (plan.tables[3], negative)]:
        shown = made.as_csv(of, one, [-1 for _ in made.cells_of(of, one)]).splitlines()[1:]
        kept = one.name in ("regions", "everybody") or of is negative
        assert {row.split(b",")[-1] for row in shown} == {b"-1" if kept else b"0"}


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


def test_a_table_adds_up_to_one_of_its_own_period_which_needs_a_heading_in_the_file() -> None:
    parts = [table("regions", "region", dimension=3, period="2025-Q1"), TREE[1] | {"period": "2025-Q2"}]
    data = {**DATA, "period_column": "when"}
    with pytest.raises(InvalidInput) as refused:
        release_script(recorded(programme(parts, data=data, **ADDED | {"totals": []})), "reference")
    assert refused.value.text == '"regions" does not read the same period'
    with pytest.raises(NoScript) as refused:
        release_script(recorded(programme([table("Q1", "district", share=1, period="2025-Q1")])), "reference")
    assert refused.value.where == "$.release.data.period_column"


@pytest.mark.parametrize(
    ("change", "key", "where"),
    [
        ({"post_processing": []}, "not_whole", "$.release.post_processing"),
        ({"data": {**DATA, "columns": None}}, "no_data_description", "$.release.data.columns"),
    ],
)
def test_sums_that_the_script_does_not_make_are_refused_by_key(change: dict[str, Any], key: str, where: str) -> None:
    record = recorded(_without_none(programme(TREE, **{**ADDED, **change})))
    with pytest.raises(NoScript) as refused:
        release_script(record, "reference")
    assert "--to script" not in document.text(document.blocks(record))
    assert (refused.value.key, refused.value.where, bool(refused.value.hint)) == (key, where, True)


def _without_none(raw: Any) -> Any:
    return {name: _without_none(one) for name, one in raw.items() if one is not None} if isinstance(raw, dict) else raw


def of_two(one: str, other: str, children: int, beside: int, **more: Any) -> dict[str, Any]:
    links = [{"part": one, "children": children}, {"part": other, "children": beside}]
    return {"adds_up_to": links, **more}


GRID = [
    table("regions", "region", dimension=3, adds_up_to=[{"part": "everybody", "children": 3}]),
    table("sexes", "sex", dimension=2, adds_up_to=[{"part": "everybody", "children": 2}]),
    table("regions by sex", "region", "sex", dimension=6, **of_two("regions", "sexes", 2, 3)),
    table("districts", "district", dimension=12, adds_up_to=[{"part": "regions", "children": 4}]),
    table("districts by sex", "district", "sex", dimension=24, **of_two("regions by sex", "districts", 4, 2)),
]


def without_noise(part: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in part.items() if name not in ("share", "sensitivity")}
    return kept | {"mechanism": "exact"}


def crossed(*exact: str, shares: tuple[int, ...] = (1, 2, 3, 4, 5), **release: Any) -> dict[str, Any]:
    """Return the decision to publish districts by sex and all their sums; those named EXACT without noise."""
    parts = [one | {"share": f"{share}/15"} for one, share in zip(GRID, shares, strict=True)]
    parts = [without_noise(one) if one["name"] in exact else one for one in parts]
    stated = {"adding_up": "least_squares", "post_processing": ["rounding"], **release}
    named = "exact_figures" if "everybody" in exact else "totals"
    return programme(parts, **{named: [{"name": "everybody", "reads": []}], **stated}) | {"rho": "1/20"}


def least_squares(plan: dict[str, Any], noisy: dict[str, list[int]]) -> np.ndarray[Any, Any]:
    """Return the estimates of the finest numbers by the normal equations; exact numbers weigh a thousand million."""
    lists = {name: column["classes"] for name, column in plan["columns"].items()}
    of = plan["columns"]["region"]["map"]
    finest = list(itertools.product(lists["district"], lists["sex"]))
    rows, seen, weights = [], [], []
    for each in [*plan["tables"], *plan["exact"]]:
        variance = float(Fraction(each["squared_distance"]) / (2 * Fraction(each["rho"]))) if "rho" in each else 1e-9
        cells = itertools.product(*(lists[name] for name in each["reads"]))
        for cell, number in zip(cells, noisy[each["name"]], strict=True):
            wanted = dict(zip(each["reads"], cell, strict=True))
            known = [{"district": at, "sex": sex, "region": of[at]} for at, sex in finest]
            rows.append([float(wanted.items() <= one.items()) for one in known])
            seen.append(number)
            weights.append(variance**-0.5)
    found: np.ndarray[Any, Any] = np.linalg.lstsq(
        np.array(rows) * np.array(weights)[:, None], np.array(seen) * np.array(weights), rcond=None
    )[0]
    return found


@pytest.mark.parametrize("exact", [(), ("everybody",), ("regions",), ("everybody", "regions", "sexes")])
def test_tables_that_cross_come_to_the_floor_or_ceiling_of_least_squares(
    tmp_path: Path, exact: tuple[str, ...]
) -> None:
    folder = written(tmp_path, crossed(*exact))
    module, raw = loaded(folder), json.loads((folder / "plan.json").read_text("utf-8"))
    plan, draws = module.planned(folder / "plan.json")
    (folder / "data.csv").write_text(persons(700), "utf-8")
    true = module.counted(plan, module.units_in(plan, (folder / "data.csv").read_bytes())[0])[0]
    kept: dict[str, list[int]] = {}
    for each, found in zip([*plan.tables, *plan.exact], true, strict=True):
        kept[each.name] = [found.get(cell, 0) for cell in module.cells_of(plan, each)]
    noisy = kept | {each.name: draw(kept[each.name]) for each, draw in zip(plan.tables, draws, strict=True)}
    published, estimates = module.made_to_add_up(plan, noisy), least_squares(raw, noisy)
    (group,) = module.linked(plan)
    blocks_of = module.blocks_of(plan, group)
    for name, blocks in blocks_of.items():
        sums = np.bincount(blocks, estimates)
        assert np.all(np.abs(sums - published[name]) < 1.0 + 1e-6), name
        assert list(np.bincount(blocks, published["districts by sex"])) == published[name]
        if name in exact:
            assert published[name] == kept[name]
    seen = [module.Seen(blocks_of[each.name], noisy[each.name], None) for each in plan.exact]
    seen += [module.Seen(blocks_of[each.name], noisy[each.name], 1 / module.variance_of(each)) for each in plan.tables]
    found = np.array([float(one) for one in module.crossed_estimates(seen)])
    assert found == pytest.approx(estimates, abs=1e-5)


def test_exact_numbers_are_published_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = written(tmp_path, crossed("everybody", "regions"))
    assert run(folder, persons(700)) == 0
    out = folder / "out"
    assert numbers(out, "everybody") == {(): 700}
    rows = [line.split(",")[1] for line in persons(700).splitlines()[1:]]
    assert numbers(out, "regions") == Counter((REGIONS[at],) for at in rows)
    both = numbers(out, "districts-by-sex")
    assert sum(both.values()) == 700
    for name, count in numbers(out, "regions").items():
        assert count == sum(one for cell, one in both.items() if REGIONS[cell[0]] == name[0])
    assert "Without noise, as signed: regions, everybody." in capsys.readouterr().out
    log = json.loads((out / "public_log.json").read_text("utf-8"))
    assert log["published_without_noise"] == ["regions", "everybody"]
    assert "700" not in json.dumps([table | {"sha256": ""} for table in log["tables"]])


def test_exact_sums_of_a_tree_and_numbers_that_cross_are_published_as_they_are(tmp_path: Path) -> None:
    crossing = [*map(without_noise, GRID[:3]), table("ages", "age", dimension=4, share=1)]
    folder = written(tmp_path, programme(crossing, **ADDED))
    assert run(folder, persons(200)) == 0
    found = {name: numbers(folder / "out", name) for name in ("everybody", "sexes", "regions-by-sex")}
    assert sum(found["regions-by-sex"].values()) == sum(found["sexes"].values()) == found["everybody"][()] == 200
    figures = [*ADDED["totals"], {"name": "all hours", "reads": ["hours"]}]
    exact = {"adding_up": "least_squares", "post_processing": ["rounding"], "exact_figures": figures}
    hours = TABLES[3] | {"adds_up_to": [{"part": "all hours", "children": 2}]}
    folder = tmp_path / "tree"
    folder.mkdir()
    assert run(written(folder, programme([*TREE[:2], TREE[3], hours], **exact)), persons(400)) == 0
    tree = folder / "out"
    assert sum(numbers(tree, "districts-by-sex").values()) == numbers(tree, "everybody")[()] == 400
    worked = sum(min(60, int(line.split(",")[4])) for line in persons(400).splitlines()[1:])
    assert sum(numbers(tree, "hours-by-sex").values()) == numbers(tree, "all-hours")[()] == worked


@pytest.mark.parametrize("above", [["regions"], ["regions", "sexes"]])
def test_a_total_that_nothing_tells_of_is_not_made_up(above: list[str]) -> None:
    exact = [without_noise(table("regions", "region", dimension=3))]
    exact.append(without_noise(table("sexes", "sex", dimension=2)))
    sums = [{"part": name, "children": 2 if name == "regions" else 3} for name in above]
    total = {"name": "both", "reads": ["region", "sex"], "dimension": 6, "adds_up_to": sums}
    raw = programme([*exact, table("ages", "age", dimension=4, share=1)], **ADDED | {"totals": [total]})
    with pytest.raises(InvalidInput, match="The numbers of “both” are not published"):
        release_script(recorded(raw), "reference")


def test_numbers_made_whole_are_neither_too_high_nor_too_low_on_average(tmp_path: Path) -> None:
    module = loaded(written(tmp_path, crossed()))
    tables = [(0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 2, 3), (0, 0, 0, 0)]
    estimated = [Fraction(1, 4), Fraction(1, 3), Fraction(-1, 6), Fraction(3, 4)]
    sums = np.zeros(4)
    for _ in range(3_000):
        whole = module.crossed_whole(tables, estimated)
        for blocks in tables:
            for made, one in zip(np.bincount(blocks, whole), exact_sums(blocks, estimated), strict=True):
                assert math.floor(one) <= made <= math.ceil(one)
        sums += whole
    assert sums / 3_000 == pytest.approx([float(one) for one in estimated], abs=5 * 0.5 / 3_000**0.5)


def exact_sums(blocks: tuple[int, ...], values: list[Fraction]) -> list[Fraction]:
    return [
        sum((value for at, value in zip(blocks, values, strict=True) if at == block), Fraction())
        for block in range(max(blocks) + 1)
    ]


def test_sums_of_three_kinds_are_refused_by_key() -> None:
    parts = [table("sexes", "sex", dimension=2, adds_up_to=[{"part": "everybody", "children": 2}])]
    parts.append(table("ages", "age", dimension=4, adds_up_to=[{"part": "everybody", "children": 4}]))
    parts.append(table("regions", "region", dimension=3, adds_up_to=[{"part": "everybody", "children": 3}]))
    parts.append(table("sexes by age", "sex", "age", dimension=8, **of_two("sexes", "ages", 4, 2)))
    parts.append(table("regions by sex", "region", "sex", dimension=6, **of_two("regions", "sexes", 2, 3)))
    parts.append(table("regions by age", "region", "age", dimension=12, **of_two("regions", "ages", 4, 3)))
    links = [{"part": "sexes by age", "children": 3}, {"part": "regions by sex", "children": 4}]
    links.append({"part": "regions by age", "children": 2})
    parts.append(table("all three", "region", "sex", "age", dimension=24, adds_up_to=links))
    with pytest.raises(NoScript, match="all three") as refused:
        release_script(recorded(programme([one | {"share": "1/7"} for one in parts], **ADDED)), "reference")
    assert (refused.value.key, refused.value.where) == ("sum_in_two", "$.release.parts[6].adds_up_to")


def errors_of(folder: Path, draws: int) -> dict[str, float]:
    """Return the root mean square error of each table's published numbers over so many DRAWS of the plan in FOLDER."""
    module = loaded(folder)
    plan, drawers = module.planned(folder / "plan.json")
    squares: dict[str, list[int]] = {each.name: [] for each in plan.tables}
    for _ in range(draws):
        for each in module.made(plan, [{} for _ in plan.tables], drawers)[1]:
            squares[each["table"]] += [error**2 for error in each["errors"]]
    return {name: math.sqrt(sum(found) / len(found)) for name, found in squares.items()}


def test_sums_that_cross_unevenly_are_as_near_as_the_decision_says(tmp_path: Path) -> None:
    halves = {at: ("first", "second")[number // 5 > 0] for number, at in enumerate(DISTRICTS)}
    columns = {**DATA["columns"], "half": {"of": "district", "map": halves}}
    parts = [table("regions", "region", dimension=3, adds_up_to=[{"part": "everybody", "children": 3}])]
    parts.append(table("halves", "half", dimension=2, adds_up_to=[{"part": "everybody", "children": 2}]))
    parts.append(table("districts", "district", dimension=12, **of_two("regions", "halves", 4, [5, 7])))
    asked = [{"kind": "rmse", "part": part["name"], "at_most": 99} for part in parts]
    raw = programme([one | {"share": "1/3"} for one in parts], data={**DATA, "columns": columns}, **ADDED)
    told = assess(read_decision(raw | {"requirements": asked})).answers
    folder = written(tmp_path, raw)
    found = errors_of(folder, 300)
    for part, answer in zip(parts, told, strict=True):
        most = answer.at_epsilon["rmse"]  # 1 of it for what is made whole
        assert most - 2.2 < found[part["name"]] < most


def test_public_lists_that_contradict_the_stated_counts_are_named() -> None:
    """The noise of a sum would be said for other numbers than those that the script adds up."""
    halves = {at: ("first", "second")[number // 5 > 0] for number, at in enumerate(DISTRICTS)}
    columns = {**DATA["columns"], "half": {"of": "district", "map": halves}}
    parts = [table("regions", "region", dimension=3), table("halves", "half", dimension=2)]
    parts.append(table("districts", "district", dimension=12, **of_two("regions", "halves", 4, 6)))
    raw = programme([one | {"share": "1/3"} for one in parts], data={**DATA, "columns": columns}, **ADDED)
    found = [(one.key, one.where) for one in problems(read_decision(raw)) if one.key == "lists_differ"]
    assert found == [("lists_differ", "$.release.parts[2].adds_up_to[1].children")]


def test_tables_cross_also_where_none_of_them_holds_the_finest_numbers(tmp_path: Path) -> None:
    parts = [GRID[0], table("ages", "age", dimension=4, adds_up_to=[{"part": "everybody", "children": 4}])]
    parts += [table("regions by age", "region", "age", dimension=12, **of_two("regions", "ages", 4, 3)), GRID[3]]
    asked = [{"kind": "rmse", "part": part["name"], "at_most": 99} for part in parts]
    raw = programme(parts, **ADDED)
    told = assess(read_decision(raw | {"requirements": asked})).answers
    folder = written(tmp_path, raw)
    assert run(folder, persons(400)) == 0
    names = ("regions", "regions-by-age", "districts")
    regions, by_age, inside = (numbers(folder / "out", name) for name in names)
    for name in regions:
        assert regions[name] == sum(count for cell, count in by_age.items() if cell[0] == name[0])
        assert regions[name] == sum(count for at, count in inside.items() if REGIONS[at[0]] == name[0])
    found = errors_of(folder, 100)
    for part, answer in zip(parts, told, strict=True):
        assert found[part["name"]] < 1.02 * answer.at_epsilon["rmse"]


@pytest.mark.parametrize(
    ("sums", "where", "said"),
    [
        ({"part": "by age", "children": 3}, "parts[1].adds_up_to[0].part", "cannot be derived from"),
        ({"part": "regions", "children": [3, 4, 5]}, "parts[1].adds_up_to[0].children", "a sum of 4 numbers"),
        ({"part": "known", "children": 12}, "exact_figures[0].reads", "is missing"),
    ],
)
def test_public_lists_that_give_other_sums_are_refused(sums: dict[str, Any], where: str, said: str) -> None:
    parts = [TREE[0], table("districts", "district", dimension=12, adds_up_to=[sums])]
    parts.append(table("by age", "age", dimension=4))
    exact = [{"name": "known"}]
    with pytest.raises(InvalidInput) as refused:
        release_script(recorded(programme(parts, exact_figures=exact, **ADDED)), "reference")
    assert refused.value.where == f"$.release.{where}"
    assert said in refused.value.text
