"""Needs of a release whose tables are made to add up: they speak of the published numbers, or say why they do not."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpwizard.charts import usability
from dpwizard.decision import Decision, RequirementResult, assess, edits, plan, problems
from dpwizard.privacy import programme
from dpwizard.wording import plans
from tests.samples.decisions import decided

Z95 = 1.959963984540054
SIZES = {"nation": 1, "regions": 4, "districts": 20}
WIDTHS = {"nation": 20, "regions": 15, "districts": 10}
LINKS: dict[str, Any] = {
    "regions": [{"part": "nation", "children": 4}],
    "districts": [{"part": "regions", "children": 5}],
}


def part(name: str, numbers: int, **more: Any) -> dict[str, Any]:
    return {"name": name, "statistic": "histogram", "sensitivity": 1, "dimension": numbers} | more


def parts(shares: tuple[str, ...] | None = ("1/4", "1/4", "1/2"), **links: Any) -> list[dict[str, Any]]:
    found = [part(name, numbers) for name, numbers in SIZES.items()]
    for at, one in enumerate(found):
        one |= {} if shares is None else {"share": shares[at]}
        sums = {**LINKS, **links}.get(one["name"])
        one |= {"adds_up_to": sums} if sums else {}
    return found


def within(name: str, half_width: float, **more: Any) -> dict[str, Any]:
    return {"kind": "noise_interval", "half_width": half_width, "level": 0.95, "part": name} | more


DISCRETE: dict[str, Any] = {"mechanism": "discrete_gaussian"}
NEEDS = [within(name, width) for name, width in WIDTHS.items()]


def of(*asked: dict[str, Any], mechanism: str = "gaussian", **release: Any) -> Decision:
    stated = {"statistic": "histogram", "parts": parts(), "adding_up": "least_squares"} | release
    return decided(*asked, mechanism=mechanism, **stated)


def answer(decision: Decision) -> RequirementResult:
    return assess(decision).answers[0]


def rho_of(result: RequirementResult) -> float:
    rho = result.in_units["rho"]
    assert rho is not None
    return rho


def nodes(sds: dict[str, float]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"name": "n", "parent": None, "sd": sds["nation"]}]
    for region in range(4):
        found.append({"name": f"r{region}", "parent": "n", "sd": sds["regions"]})
        found += [{"name": f"d{region}{at}", "parent": f"r{region}", "sd": sds["districts"]} for at in range(5)]
    return found


def sigmas(rho: float, decision: Decision) -> dict[str, float]:
    return {
        table.name or "": math.sqrt(1.0 / (2.0 * rho * float(table.portion or 0)))
        for table in decision.planned.release.tables
    }


@pytest.mark.parametrize("name", list(SIZES))
def test_a_need_is_met_just_where_the_published_number_meets_it(name: str) -> None:
    decision = of(within(name, WIDTHS[name]))
    found = answer(decision)
    assert found.status == "allowed"
    sd = programme.adding_up(nodes=nodes(sigmas(rho_of(found), decision))).sd[list(SIZES).index(name)]
    assert sd == pytest.approx(WIDTHS[name] / Z95, rel=1e-9)
    assert math.erf(WIDTHS[name] / sd / math.sqrt(2.0)) >= 0.95 - 1e-12
    before = answer(of(within(name, WIDTHS[name]), adding_up="none"))
    assert rho_of(found) < rho_of(before)


def test_a_tree_whose_sums_have_different_sizes_speaks_of_its_worst_number() -> None:
    sums = {
        "regions": [{"part": "nation", "children": [4]}],
        "districts": [{"part": "regions", "children": [2, 3, 5, 10]}],
    }
    decision = of({"kind": "rmse", "at_most": 5, "part": "districts"}, parts=parts(**sums))
    found = answer(decision)
    sd = sigmas(rho_of(found), decision)
    found_nodes: list[dict[str, Any]] = [{"name": "n", "parent": None, "sd": sd["nation"]}]
    for region, count in enumerate((2, 3, 5, 10)):
        found_nodes.append({"name": f"r{region}", "parent": "n", "sd": sd["regions"]})
        found_nodes += [
            {"name": f"d{region}.{at}", "parent": f"r{region}", "sd": sd["districts"]} for at in range(count)
        ]
    after = programme.adding_up(nodes=found_nodes).sd
    worst = max(one for node, one in zip(found_nodes, after, strict=True) if node["name"].startswith("d"))
    assert worst == pytest.approx(5.0, rel=1e-9)


def test_an_interval_of_whole_noise_is_computed_anew_and_certified() -> None:
    """Twelve children within 1 with chance .95 by themselves: after adding up the same noise does not do."""
    twelve = [part("all", 1, share="1/2"), part("parts", 12, share="1/2", adds_up_to=[{"part": "all", "children": 12}])]
    need = within("parts", 1)
    before = answer(of(need, mechanism="discrete_gaussian", parts=twelve, adding_up="none"))
    after = answer(of(need, mechanism="discrete_gaussian", parts=twelve))
    assert rho_of(after) > 1.1 * rho_of(before)
    for rho, holds in ((rho_of(after), True), (rho_of(after) * (1.0 - 2.0 * 2e-4), False)):
        sigma = math.sqrt(1.0 / rho)
        tree = [{"name": "r", "parent": None, "sd": sigma}]
        tree += [{"name": f"{at}", "parent": "r", "sd": sigma} for at in range(12)]
        chance = programme.within_after(
            nodes=tree, node="3", half_width=1, mechanism="discrete_gaussian", sd="parameter"
        )
        assert (chance.lower >= 0.95) is holds


@pytest.mark.parametrize("mechanism", ["geometric", "laplace"])
def test_noise_with_a_largest_loss_is_judged_after_adding_up_where_shares_are_stated(mechanism: str) -> None:
    decision = of(within("districts", 10), mechanism=mechanism)
    found = answer(decision)
    dice = np.random.default_rng(3)
    scales = {
        table.name: 1.0 / (found.epsilon * float(table.portion or 0)) for table in decision.planned.release.tables
    }
    assert mechanism == "geometric" or _simulated(dice, scales) == pytest.approx(0.95, abs=0.006)
    assert problems(decision) is not None
    shared = of(*NEEDS, mechanism=mechanism, parts=parts(None), allocation="needs")
    assert {one.why.key for one in assess(shared).answers} == {"not_convex"}
    assert ("not_convex", "$.release.allocation") in {(one.key, one.where) for one in problems(shared)}
    assert not assess(shared).window.complete


def _simulated(dice: np.random.Generator, scales: dict[Any, float]) -> float:
    """Return how often a district is within 10 in simulated releases."""
    noise = {name: dice.laplace(scale=scale, size=(20_000, SIZES[name])) for name, scale in scales.items()}
    u = {name: 2.0 * scale**2 for name, scale in scales.items()}
    own, below = u["regions"], 5 * u["districts"]
    z_regions = (noise["regions"] / own + noise["districts"].reshape(-1, 4, 5).sum(axis=2) / below) / (
        1 / own + 1 / below
    )
    u_regions = 1 / (1 / own + 1 / below)
    own, below = u["nation"], 4 * u_regions
    nation = (noise["nation"][:, 0] / own + z_regions.sum(axis=1) / below) / (1 / own + 1 / below)
    regions = z_regions + ((nation - z_regions.sum(axis=1)) / 4)[:, None]
    districts = noise["districts"].reshape(-1, 4, 5)
    published = districts + ((regions - districts.sum(axis=2)) / 5)[:, :, None]
    return float(np.mean(np.abs(published) <= 10))


# ------------------------------------------------------------------------------------------- the least budget


def test_the_plan_says_what_each_need_costs_and_how_near_it_is_to_the_least() -> None:
    shared = of(*NEEDS, parts=parts(None), allocation="needs")
    found = plan(shared, assess(shared))
    assert found.bound <= found.least_by_needs <= found.bound * (1.0 + 1e-5)
    assert sum(share for _, share in found.costs) == pytest.approx(1.0)
    for shares in ([1, 1, 1], [1, 3, 9], [5, 1, 1], [1, 6, 2]):
        stated = [one | {"share": f"{share}/{sum(shares)}"} for one, share in zip(parts(None), shares, strict=True)]
        assert assess(of(*NEEDS, parts=stated)).window.lower >= found.bound
    said = plans.in_words(shared, assess(shared), found)
    assert "No other division manages with less." in said
    dearest = found.costs[0][0]
    assert f"({round(100 * found.costs[0][1])} %)" in said
    free = of(*NEEDS, within("nation", 500), parts=parts(None), allocation="needs")
    assert dict(plan(free, assess(free)).costs).keys() == dict(found.costs).keys()
    assert "because they are met anyway: 1." in plans.in_words(free, assess(free), plan(free, assess(free)))
    without = edits.remove(shared, "$.requirements", dearest)
    assert plan(without, assess(without)).least_by_needs is None  # its table has no other need


def test_no_bound_is_said_where_a_person_is_in_some_of_the_tables_alone() -> None:
    apart = [one | {"group": "levels"} for one in parts(None)]
    decision = of(*NEEDS, parts=apart, allocation="needs")
    assert plan(decision, assess(decision)).bound is None


def test_sums_of_three_kinds_are_not_rounded() -> None:
    made = [part("all", 1)]
    names = {"a": ("all",), "b": ("all",), "c": ("all",), "ab": "ab", "ac": "ac", "bc": "bc", "abc": ("ab", "ac", "bc")}
    for name, above in names.items():
        links = [{"part": one, "children": 2} for one in above]
        made.append(part(name, 2 ** len(name), adds_up_to=links))
    stated = [one | {"share": "1/8"} for one in made]
    found = answer(of(within("abc", 9), mechanism="discrete_gaussian", parts=stated, post_processing=["rounding"]))
    assert (found.status, found.why.key) == ("not_applicable", "grid_is_not_rounded")


def test_an_exact_total_narrows_what_adds_up_to_it() -> None:
    only = [part("districts", 4, share=1, adds_up_to=[{"part": "everybody", "children": 4}])]
    exact = {"parts": only, "exact_figures": [{"name": "everybody", "reads": []}]}
    found, before = (
        answer(of(within("districts", 10), **exact)),
        answer(of(within("districts", 10), adding_up="none", **exact)),
    )
    assert rho_of(found) == pytest.approx(rho_of(before) * 3 / 4, rel=1e-9)


# ------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("sums", "key", "where"),
    [
        ({"part": "regoins", "children": 5}, "unknown_table_near", "parts[2].adds_up_to[0].part"),
        ({"part": "zzz", "children": 5}, "unknown_table", "parts[2].adds_up_to[0].part"),
        ({"part": "districts", "children": 1}, "unknown_table", "parts[2].adds_up_to[0].part"),
        ({"part": "regions", "children": 4}, "children_do_not_fit", "parts[2].adds_up_to[0].children"),
        ({"part": "regions", "children": [5, 5, 10]}, "children_do_not_fit", "parts[2].adds_up_to[0].children"),
        ({"part": "regions"}, "unanswered", "parts[2].adds_up_to[0].children"),
    ],
)
def test_sums_that_contradict_are_named_where_they_stand(sums: dict[str, Any], key: str, where: str) -> None:
    decision = of(*NEEDS, parts=parts(districts=[sums]))
    assert (key, f"$.release.{where}") in {(one.key, one.where) for one in problems(decision) if one.step == "release"}
    found = assess(decision)
    assert {one.status for one in found.answers} == {"unanswered"}
    assert not found.window.complete


def test_other_sums_that_cannot_be_are_refused_by_name() -> None:
    circle = parts(nation=[{"part": "districts", "children": [1] + [1] * 19}])
    circle[0]["dimension"] = 20
    circle[1] |= {"dimension": 80, "adds_up_to": [{"part": "nation", "children": 4}]}
    circle[2] |= {"dimension": 20, "adds_up_to": [{"part": "regions", "children": [1] * 80}]}
    crossed = [*parts(districts=[{"part": "regions", "children": 5}, {"part": "nation", "children": 20}])]
    untold = [part("a", 2, share=1, adds_up_to=[{"part": "t", "children": 2}])]
    open_totals = [
        {"name": "t", "adds_up_to": [{"part": "u", "children": 1}]},
        {"name": "u"},
        {"name": "v", "dimension": 2},
    ]
    open_totals[2]["adds_up_to"] = [{"part": "u", "children": 2}]
    cases: list[tuple[str, dict[str, Any]]] = [
        ("no_tree_and_no_grid", {"parts": crossed}),
        ("nothing_tells", {"parts": untold, "totals": open_totals}),
        ("nothing_adds_up", {"parts": [part("a", 2, share=1)]}),
        ("name_given_twice", {"totals": [{"name": "nation"}]}),
    ]
    for key, stated in cases:
        found = {one.key for one in problems(of(within("a", 3), **stated))}
        assert key in found, (key, found)


def test_a_circle_of_sums_is_refused() -> None:
    rows = [part("a", 3, share="1/2", adds_up_to=[{"part": "b", "children": 1}])]
    rows += [part("b", 3, share="1/2", adds_up_to=[{"part": "a", "children": 1}])]
    assert "circle" in {one.key for one in problems(of(within("a", 3), parts=rows))}


@pytest.mark.parametrize(
    ("need", "mechanism", "release", "key"),
    [
        ({"kind": "share_within", "half_width": 3, "share": 0.9, "level": 0.9}, "gaussian", {}, "errors_depend"),
        ({"kind": "exact_probability", "at_least": 0.1}, "geometric", {}, "no_exact_chance_after_adding_up"),
        (
            {"kind": "drop_rate", "threshold": 5, "true_value": 9, "at_most": 0.1},
            "gaussian",
            {},
            "threshold_after_adding_up",
        ),
        ({"kind": "switch_probability", "steps": 2, "at_most": 0.1}, "geometric", {}, "threshold_after_adding_up"),
        (within("regions", 9), "gaussian", {"post_processing": ["clamping"]}, "clamped_sums"),
        (within("regions", 9, cells=2), "discrete_gaussian", {}, "sum_errors_depend"),
    ],
)
def test_what_is_not_known_after_adding_up_is_said(
    need: dict[str, Any], mechanism: str, release: dict[str, Any], key: str
) -> None:
    found = answer(of(need | {"part": "regions"}, mechanism=mechanism, **release))
    assert (found.status, found.why.key) == ("not_applicable", key)


def test_a_true_zero_is_rarely_published_as_three_or_more_once_whole_numbers_add_up() -> None:
    """Of one total and twelve counts, drawn and added up here: what is 2 or less before rounding is never made 3."""
    twelve = [part("all", 1, share="1/2"), part("parts", 12, share="1/2", adds_up_to=[{"part": "all", "children": 12}])]
    need = {"kind": "spurious_rate", "threshold": 3, "at_most": 0.1, "part": "parts"}
    found = answer(of(need, mechanism="discrete_gaussian", parts=twelve, post_processing=["rounding"]))
    places = np.arange(-60, 61)
    masses = np.exp(-(places**2) / 2.0 * rho_of(found))
    drawn = np.random.default_rng(5).choice(places, (200_000, 13), p=masses / masses.sum())
    estimate = drawn[:, 1] + (drawn[:, 0] - drawn[:, 1:].sum(axis=1)) / 13.0
    assert (estimate > 2.0 + 1e-9).mean() == pytest.approx(0.1, abs=0.003)


def test_a_sum_of_normal_numbers_is_judged_by_its_noise_before_adding_up() -> None:
    need = within("districts", 20, cells=3)
    assert rho_of(answer(of(need))) == rho_of(answer(of(need, adding_up="none")))
    variance = {"kind": "rmse", "at_most": 9, "part": "districts", "cells": 3}
    found = answer(of(variance, mechanism="discrete_gaussian"))
    alone = answer(of(variance, mechanism="discrete_gaussian", adding_up="none"))
    assert rho_of(found) == pytest.approx(rho_of(alone), rel=1e-9)


@pytest.mark.parametrize("share", ["1/10", "1/50"])
def test_a_sum_of_whole_numbers_may_vary_more_than_before_adding_up(share: str) -> None:
    """Weights of sigma^2 are not those of the true variances of so little noise: least squares make no promise."""
    pair = [part("all", 1, share=share), part("both", 2, share=str(1 - Fraction(share)))]
    pair[1]["adds_up_to"] = [{"part": "all", "children": 2}]
    found = answer(of({"kind": "rmse", "at_most": 0.3, "part": "both", "cells": 2}, parts=pair, **DISCRETE))
    one, two = (1 / (2 * rho_of(found) * float(each)) for each in (Fraction(share), 1 - Fraction(share)))  # sigma^2
    taken = 2 * two / (2 * two + one)  # of what the total is off by
    spread = taken**2 * true_variance(one) + (1 - taken) ** 2 * 2 * true_variance(two)
    assert math.sqrt(spread) <= 0.3


def true_variance(parameter: float) -> float:
    """Return the variance of a discrete Gaussian with this parameter sigma^2."""
    k = np.arange(-60, 61)
    masses = np.exp(-(k**2) / (2 * parameter))
    return float(masses @ k**2 / masses.sum())


def test_a_table_that_is_named_twice_in_a_sum_gives_different_numbers() -> None:
    twice = {"kind": "rmse", "at_most": 9, "sum_of": [{"part": "regions", "cells": 2}, {"part": "regions", "cells": 2}]}
    whole = {"kind": "rmse", "at_most": 9, "part": "regions", "cells": 4}
    assert rho_of(answer(of(twice))) == pytest.approx(rho_of(answer(of(whole))), rel=1e-9)
    twice["sum_of"][1]["cells"] = 3  # of four
    assert answer(of(twice)).why.key == "more_cells_than_numbers"


@pytest.mark.parametrize("mechanism", ["gaussian", "geometric"])
@pytest.mark.parametrize("sensitivities", [(1e300, 1.0), (1.0, 1e300), (1e160, 1e160)])
def test_sensitivities_that_no_square_holds_are_no_defect(mechanism: str, sensitivities: tuple[float, float]) -> None:
    far = [part(name, n, share="1/2", sensitivity=s) for name, n, s in zip("ab", (1, 12), sensitivities, strict=True)]
    far[1]["adds_up_to"] = [{"part": "a", "children": 12}]
    asked = {"kind": "noise_interval", "half_width": 3, "level": 0.9}
    found = assess(of(asked | {"part": "a"}, asked | {"part": "b"}, parts=far, mechanism=mechanism)).answers
    near = [size == 1.0 or (at == 0 and sensitivities[1] == 1.0) for at, size in enumerate(sensitivities)]
    assert [one.status == "allowed" for one in found] == near


def test_noise_in_steps_of_a_table_beside_is_not_counted_in_ones() -> None:
    steps = [part("a", 1, statistic="sum", step=50, sensitivity=50, share="1/2"), part("b", 2, share="1/2")]
    steps[1]["adds_up_to"] = [{"part": "a", "children": 2}]
    found = answer(of(within("b", 9), parts=steps, mechanism="discrete_gaussian"))
    assert (found.why.key, found.why.values["step"]) == ("noise_in_steps", 50)


def test_a_plan_of_numbers_that_exact_ones_leave_no_noise_is_no_defect() -> None:
    rows = [part("all", 1), part("halves", 2, adds_up_to=[{"part": "all", "children": 2}])]
    rows += [part("known", 4, mechanism="exact", adds_up_to=[{"part": "halves", "children": 2}])]
    found = assess(of(within("all", 3), within("halves", 3), parts=rows, allocation="needs"))
    assert [one.status for one in found.answers] == ["allowed", "allowed"]


def test_all_numbers_at_once_add_up_what_each_misses_under_whole_noise() -> None:
    need = {"kind": "all_within", "half_width": 12, "level": 0.9, "part": "districts"}
    decision = of(need, mechanism="discrete_gaussian")
    found = answer(decision)
    tree = nodes(sigmas(rho_of(found), decision))
    chance = programme.within_after(
        nodes=tree, node="d00", half_width=12, mechanism="discrete_gaussian", sd="parameter"
    )
    assert 1.0 - 20 * (1.0 - chance.lower) <= 0.9 <= 1.0 - 20 * (1.0 - chance.upper)


def test_rounding_breaks_no_whole_half_width_and_is_counted_elsewhere() -> None:
    rounded = {"mechanism": "discrete_gaussian", "post_processing": ["rounding"]}
    plain, whole = (
        answer(of(within("districts", 9), mechanism="discrete_gaussian")),
        answer(of(within("districts", 9), **rounded)),
    )
    assert rho_of(whole) == pytest.approx(rho_of(plain), rel=5e-4)
    broken = answer(of(within("districts", 9.5), **rounded))
    assert rho_of(broken) == pytest.approx(rho_of(whole), rel=5e-4)  # judged at 9
    assert "rounded_to_whole" in whole.assumptions
    assert "processing_adds_no_error" not in whole.assumptions
    need = {"kind": "rmse", "at_most": 5, "part": "districts"}
    assert rho_of(answer(of(need, **rounded))) == pytest.approx(
        rho_of(answer(of(need | {"at_most": 4}, mechanism="discrete_gaussian"))), rel=5e-4
    )


def test_promises_of_the_noisy_figure_itself_end_where_tables_add_up() -> None:
    score = {"kind": "persuasive_privacy", "score": "interval", "kappa": 0.1, "length": 1, "prior_sd": 1, "margin": 1}
    found = answer(of(score, mechanism="laplace", neighbours="replace"))
    assert (found.status, found.why.key) == ("not_applicable", "processing_ends_score")


@pytest.mark.parametrize(
    ("sums", "said"), [("none", "15.4 in 100"), ("least_squares", "not known after the tables are made to add up")]
)
def test_the_chance_of_no_error_is_not_claimed_of_a_published_number(sums: str, said: str) -> None:
    decision = of(*NEEDS, mechanism="discrete_gaussian", adding_up=sums).model_copy(update={"rho": 0.3})
    found = {one.kind: one.value for one in usability.measures(decision.planned, assess(decision))}
    assert (found["exact_probability"], found["rmse"] == "2.59") == (said, sums == "none")
