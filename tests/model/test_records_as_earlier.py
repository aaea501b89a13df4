"""What a record counts as in the decisions after it: never less than its own release tells, and mostly just that."""

from __future__ import annotations

import math
import random
from itertools import product
from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import (
    AddOrRemoveOne,
    AttributeChange,
    Decision,
    Earlier,
    EarlierRelease,
    ReplaceOne,
    counted,
    read_decision,
    release_flaws,
    to_earlier_releases,
)
from dpwizard.decision.histories import histories
from dpwizard.decision.loss import ComposedLoss, loss_of
from dpwizard.decision.neighbouring import NeighbouringPair

HASH, ONE, TWO = "5" * 64, "1" * 64, "2" * 64
MEANT = 1e-9  # decimals such as 0.333333333 are meant to come to 1
KINDS = (
    ("laplace",),
    ("geometric", "laplace"),
    ("gaussian",),
    ("discrete_gaussian",),
    ("gaussian", "discrete_gaussian"),
    ("laplace", "gaussian"),
    ("laplace", "discrete_gaussian"),
)
PAIRS: tuple[NeighbouringPair, ...] = (
    AddOrRemoveOne(),
    ReplaceOne(),
    ReplaceOne(attributes=("a",)),
    AttributeChange(steps=(("a", 1.0),)),
    AttributeChange(steps=(("a", 0.3), ("b", 1.0))),
)


def decided(release: dict[str, Any], **more: Any) -> Decision:
    return read_decision({"format": "dpwizard.decision/1", "release": {"unit": "person", **release}, **more})


def earlier(decision: Decision) -> Earlier:
    return to_earlier_releases(decision, record="Old", sha256=HASH)


def a_table(rng: random.Random, declared: str, kinds: tuple[str, ...]) -> dict[str, Any]:
    distance = rng.choice([1, 2, 3])
    table = {"statistic": rng.choice(["count", "histogram", "vector"]), "mechanism": rng.choice(kinds)}
    table["sensitivity"] = distance
    if rng.random() < 0.5:
        times = (1, 1.5, 2) if declared == "add_remove" else (0.5, 1, 3)
        table["sensitivity_other"] = distance * rng.choice(times)
    if rng.random() < 0.4:
        table["effects"] = {"a": rng.choice([0.1, 0.5, distance]), **({"b": 0.2} if rng.random() < 0.5 else {})}
    if rng.random() < 0.3:
        table["reads"] = rng.choice([[], ["a"], ["b"], ["a", "b"]])
    return table


def a_decision(rng: random.Random) -> Decision | None:
    """Return a decision on a release drawn with groups, years, shares, several mechanisms; None of what is refused."""
    declared, kinds = rng.choice(["add_remove", "replace"]), rng.choice(KINDS)
    count, release = rng.choice([0, 1, 2, 3, 5]), {"neighbours": declared, "repetitions": rng.choice([1, 1, 3])}
    if count == 0:
        release |= a_table(rng, declared, kinds)
    else:
        amounts = rng.random() < 0.3
        release |= {"parts": [], "at_most_years": rng.choice([None, 1, 2])}
        for at in range(count):
            part = {"name": f"t{at}", **a_table(rng, declared, kinds)}
            if amounts and part["mechanism"] in ("laplace", "geometric"):
                part["epsilon"] = rng.choice([0.1, 0.3])
            else:
                part["share"] = rng.choice([f"1/{count}", round(1 / count, 9), f"1/{2 * count}"])
            part |= {"group": "g"} if rng.random() < 0.4 else {}
            part |= {"year": rng.choice(["2020", "2021", "2022"])} if rng.random() < 0.3 else {}
            part |= {"times": rng.choice([2, 3])} if rng.random() < 0.3 else {}
            part |= {"moves": False} if rng.random() < 0.2 else {}
            release["parts"].append(part)
    budget: dict[str, Any] = {"epsilon": rng.choice([0.1, 1.0, 3.0])}
    if any("gaussian" in kind for kind in kinds):
        if rng.random() < 0.6:
            release["delta"] = rng.choice([1e-6, 1e-2])
        else:
            budget = {"rho": rng.choice([0.1, 2.0])}
    decision = decided(release, **budget)
    contradicts = any(flaw.key == "sensitivity_below_leaving" for flaw in release_flaws.flaws(decision.release))
    return decision if decision.chosen is not None and not contradicts else None


def of_release(decision: Decision, pair: NeighbouringPair) -> ComposedLoss:
    release = decision.release
    return loss_of(
        pair,
        release.histories,
        repetitions=release.repetitions,
        delta=release.delta,
        calibration=release.calibration,
    )


@pytest.mark.slow
def test_no_entry_tells_less_of_any_pair_of_worlds_than_the_release_it_stands_for() -> None:
    rng, compared, equal = random.Random(20), 0, 0
    for _ in range(200):
        decision = a_decision(rng)
        if decision is None:
            continue
        spent, budget = earlier(decision).spent, decision.chosen
        for pair in PAIRS:
            own, entries = of_release(decision, pair), loss_of(pair, histories(()), earlier=spent)
            if own.trade_off_missing is not None or own.missing is not None:
                continue
            if entries.trade_off_missing is not None:
                assert not isinstance(pair, (AddOrRemoveOne, ReplaceOne)), decision
                continue
            largest = sum(epsilon * times for epsilon, _, times in entries.earlier_curve.stated)
            told = [
                (own.pure_factor * budget * own.repetitions + own.fixed * own.repetitions, largest),
                (0.5 * own.mu(budget) ** 2, entries.earlier_curve.rho),
            ]
            if not decision.release.noise.needs_delta:
                told.append((own.total_epsilon(budget), entries.total_epsilon(0.0)))
                assert pair not in PAIRS[:2] or entries.earlier_curve.zcdp <= own.rho(budget) * (1.0 + MEANT)
            for here, later in told:
                if isinstance(pair, AttributeChange) and later == entries.earlier_curve.rho:
                    continue  # what noise without a largest loss tells of an attribute is counted whole
                assert later >= here * (1.0 - MEANT), (decision, pair)
                compared += 1
                equal += later <= here * (1.0 + MEANT)
    assert compared > 600
    assert equal > 0.85 * compared


def most_that_a_history_loses(decision: Decision) -> float:
    """Return the most that somebody in some tables loses against nobody, by trying every set of tables they may be in.

    Of tables with a largest loss that use the whole budget.
    """
    release, most = decision.release, 0.0
    tables = release.noisy
    for chosen in product((False, True), repeat=len(tables)):
        inside = [table for table, there in zip(tables, chosen, strict=True) if there]
        apart = any(one is not other and one.disjoint(other) for one in inside for other in inside)
        years = {table.year for table in inside if table.year is not None}
        if apart or len(years) > (release.at_most_years or math.inf):
            continue
        lost = [float(table.portion or 0) * (table.times("add_remove") or math.inf) for table in inside]
        most = max(most, math.fsum(lost))
    return most * (decision.chosen or 0.0) * release.repetitions


@pytest.mark.slow
def test_no_history_of_a_person_loses_more_than_the_entries_say() -> None:
    rng, seen = random.Random(21), 0
    while seen < 120:
        decision = a_decision(rng)
        if decision is None or decision.release.noise.needs_delta:
            continue
        lost = [entry.loss("add_remove") for entry in earlier(decision).spent]
        known = [one for one in lost if one is not None]
        if len(known) == len(lost):
            assert math.fsum(known) >= most_that_a_history_loses(decision) * (1.0 - MEANT), decision
            seen += 1


def test_gaussian_tables_at_one_delta_are_one_entry_with_the_delta_once() -> None:
    two = [{"name": name, "sensitivity": 1, "share": 0.5} for name in ("by age", "by place")]
    decision = decided(
        {"neighbours": "add_remove", "statistic": "count", "mechanism": "gaussian", "delta": 1e-6, "parts": two},
        epsilon=1.0,
    )
    (entry,) = earlier(decision).spent
    assert (entry.epsilon, entry.delta, entry.table) == (1.0, 1e-6, "by age; by place")


def test_discrete_noise_without_a_delta_is_counted_in_rho_by_its_own_distances() -> None:
    decision = decided(
        {"neighbours": "add_remove", "statistic": "histogram", "mechanism": "discrete_gaussian", "sensitivity": 1},
        rho=0.25,
    )
    (entry,) = earlier(decision).spent
    told = entry.curve("replace")
    assert (entry.rho, entry.epsilon) == (0.25, None)
    assert told.rho == pytest.approx(0.5, rel=1e-12)  # two cells, at right angles


# ------------------------------------------------------------------------------------------------ counted once


def with_spent(*spent: EarlierRelease) -> Decision:
    return decided({"neighbours": "add_remove"}).model_copy(
        update={"release": decided({"neighbours": "add_remove"}).release.model_copy(update={"spent": spent})}
    )


def entry(digit: str, epsilon: float, **more: Any) -> EarlierRelease:
    return EarlierRelease(sha256=digit * 64, epsilon=epsilon, neighbours="add_remove", **more)


def test_a_record_that_is_chosen_counts_as_it_says_and_not_as_another_says_of_it() -> None:
    first = Earlier(spent=(entry("1", 1.0),))
    second = Earlier(spent=(entry("2", 0.5),), before=(entry("1", 0.25),))
    assert sum(one.epsilon or 0.0 for one in counted(with_spent(), {TWO: second}).release.spent) == 0.75
    both = counted(with_spent(), {ONE: first, TWO: second})
    assert sorted(one.epsilon or 0.0 for one in both.release.spent) == [0.5, 1.0]
    assert sorted(one.epsilon or 0.0 for one in counted(both, {ONE: first, TWO: second}).release.spent) == [0.5, 1.0]


def test_what_two_records_say_of_a_third_counts_once_by_its_hash_and_twice_without_a_name() -> None:
    third, nameless = entry("3", 1.0, record="Third"), EarlierRelease(epsilon=2.0, neighbours="add_remove")
    one, other = (Earlier(spent=(entry(digit, 0.5),), before=(third, nameless)) for digit in ("1", "2"))
    found = counted(with_spent(), {ONE: one, TWO: other})
    assert sorted(each.epsilon or 0.0 for each in found.release.spent) == [0.5, 0.5, 1.0, 2.0, 2.0]
    assert counted(found, {ONE: one}) == found  # chosen once more, nothing is added


def test_two_records_that_differ_on_a_third_both_count() -> None:
    one = Earlier(spent=(), before=(entry("3", 1.0),))
    other = Earlier(spent=(), before=(entry("3", 1.5),))
    assert sorted(each.epsilon or 0.0 for each in counted(with_spent(), {ONE: one, TWO: other}).release.spent) == [
        1.0,
        1.5,
    ]


def test_what_was_published_exactly_stays_exact_with_what_it_reads() -> None:
    table = {"name": "by age", "statistic": "count", "mechanism": "laplace", "sensitivity": 1, "share": 1}
    exact = [{"name": "total", "reads": []}]
    old = decided({"neighbours": "replace", "parts": [table], "exact_figures": exact}, epsilon=1.0)
    found = counted(decided({"neighbours": "replace"}), {HASH: earlier(old)}).release
    assert [(figure.name, figure.reads) for figure in found.exact_figures] == [("total", ())]
    assert counted(old, {HASH: earlier(old)}).release.exact_figures == old.release.exact_figures


@pytest.mark.parametrize("without", ["neighbours", "sensitivity", "mechanism"])
def test_a_record_that_does_not_say_what_it_spent_is_refused_by_name(without: str) -> None:
    release = {"neighbours": "add_remove", "statistic": "count", "mechanism": "laplace", "sensitivity": 1}
    del release[without]
    with pytest.raises(InvalidInput, match="spent"):
        earlier(decided(release, epsilon=1.0))
