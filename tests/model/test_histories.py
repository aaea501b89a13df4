"""The histories that one person can have, against every pair of sets of tables in small programmes drawn at random."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from dpwizard.decision import AddOrRemoveOne, Decision, ReplaceOne, assess, read_decision
from dpwizard.decision.histories import MOST_SETS, Histories, TableHistory, Ways
from dpwizard.decision.tables import Table

Weights = dict[str, tuple[float, float]]  # by a table's name: where it is in both worlds, and where it is in one


def release_of(parts: list[dict[str, Any]], *asked: dict[str, Any], **more: Any) -> Decision:
    filled = [{"statistic": "sum", "sensitivity": 1.0, **part} for part in parts]
    release = {"mechanism": "laplace", "neighbours": "add_remove", "unit": "person", "parts": filled, **more}
    return read_decision({"format": "dpwizard.decision/1", "release": release, "requirements": list(asked)})


def drawn(rng: random.Random, count: int) -> Histories:
    """Return the histories in COUNT tables with groups, years and names of others, of several kinds of noise."""
    parts: list[dict[str, Any]] = []
    for at in range(count):
        part: dict[str, Any] = {"name": str(at), "sensitivity": 1.0 + at}  # equal tables are listed once
        part |= {"mechanism": rng.choice(["laplace", "gaussian", "exact"])}
        part |= {"group": rng.choice("gh")} if rng.random() < 0.4 else {}
        part |= {"year": rng.choice(["2023", "2024", "2025"])} if rng.random() < 0.5 else {}
        others = [str(other) for other in range(count) if other != at and rng.random() < 0.15]
        parts.append(part | {"disjoint_with": others})
    years = {"at_most_years": rng.choice([1, 2])} if rng.random() < 0.7 else {}
    return release_of(parts, **years).release.histories


def every(found: Histories) -> Iterator[TableHistory]:
    """Yield every pair of histories; their number grows with the product over the components."""
    components = [component.alternatives for component in found.always]
    for kept, left in found.years_kept():
        more = [component.alternatives for year in kept for component in found.years[year]]
        gone = [component.left for year in left for component in found.years[year]]
        for chosen in itertools.product(*components, *more, *gone):
            yield tuple(move for history in chosen for move in history)


def sets_of(tables: Sequence[Table], at_most: int | None) -> list[frozenset[int]]:
    """Return every set of TABLES, by their places, that one person can be in."""
    found = []
    for size in range(len(tables) + 1):
        for chosen in itertools.combinations(range(len(tables)), size):
            apart = any(tables[i].disjoint(tables[j]) for i, j in itertools.combinations(chosen, 2))
            years = {tables[i].year for i in chosen} - {None}
            if not apart and (at_most is None or len(years) <= at_most):
                found.append(frozenset(chosen))
    return found


def most_of_all(found: Histories, weights: Weights, at_most: int | None) -> float:
    """Return the largest weight of a pair of sets, by trying all pairs; without histories' own search.

    A table that is disjoint from none and of no year, or of the only one, is in both worlds if it is in one.
    """
    tables = [table for component in found.components for table in component.tables]
    several = len({table.year for table in tables} - {None}) > 1
    fixed = {
        i
        for i, table in enumerate(tables)
        if not (several and table.year) and not any(table.disjoint(other) for other in tables if other is not table)
    }
    known = sets_of(tables, at_most)
    most = 0.0
    for one, other in itertools.combinations_with_replacement(known, 2):
        if (one ^ other).isdisjoint(fixed):
            both, single = (weights[tables[i].name or ""][0] for i in one & other), one ^ other
            most = max(most, math.fsum(both) + math.fsum(weights[tables[i].name or ""][1] for i in single))
    return most


def counted(found: Histories, weights: Weights) -> float:
    return _weight(found.most(lambda table, ways: _heaviest(weights, table, ways)), weights)


def _weight(history: Any, weights: Weights) -> float:
    return math.fsum(alike * _heaviest(weights, table, ways) for table, ways, alike in history)


def _heaviest(weights: Weights, table: Table, ways: Ways) -> float:
    stays, leaves = weights[table.name or ""]
    return max(stays if way == "stays" else leaves for way in ways)


@pytest.mark.parametrize("seed", range(6))
def test_largest_weight_of_a_history_equals_that_of_all_pairs_of_sets(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(25):
        found = drawn(rng, rng.randint(1, 6))
        at_most = found.at_most if found.years else None
        for presence in (False, True):
            weights = {
                table.name or "": (rng.choice([0.0, 0.2, 1.0, 2.0]), 0.0 if presence else rng.choice([0.0, 0.7, 1.0]))
                for component in found.components
                for table in component.tables
            }
            expected = most_of_all(found, weights, at_most)
            assert counted(found, weights) == pytest.approx(expected, abs=1e-12)
            listed = list(every(found))
            assert max((_weight(each, weights) for each in listed), default=0.0) == pytest.approx(expected, abs=1e-12)
            assert all(len({move.table for move in each}) == len(each) for each in listed)


def test_histories_beyond_the_listed_sets_are_never_fewer() -> None:
    """Ten pairs of tables of which the second of each names the first of the next have more than a thousand sets."""
    rng = random.Random(3)
    parts: list[dict[str, Any]] = [
        {"name": str(at), "group": str(at // 2), "sensitivity": 1.0 + at} for at in range(10)
    ]
    for at in range(1, 9, 2):
        parts[at]["disjoint_with"] = [str(at + 1)]
    found = release_of(parts).release.histories
    assert len(sets_of(release_of(parts).release.tables, None)) > MOST_SETS
    for _ in range(10):
        weights = {str(at): (rng.random(), rng.random()) for at in range(10)}
        assert counted(found, weights) >= most_of_all(found, weights, None) - 1e-12


def test_two_thousand_districts_are_one_component() -> None:
    parts = [{"name": str(at), "group": "district"} for at in range(2_000)]
    found = release_of(parts).release.histories
    (component,) = found.always
    assert len(component.sets) == 2_000
    assert len(component.alternatives) == 2  # of equal tables: to stay in one, or to leave it for another


# ------------------------------------------------------------------------------ tables that are alike


DIFFERENT: dict[str, Any] = {"sensitivity": 2.0, "sensitivity_other": 0.5, "share": 0.1, "times": 2, "dimension": 3}
DIFFERENT |= {"reads": ["age"], "effects": {"age": 0.5}, "moves": False, "level": "county", "mechanism": "geometric"}
DIFFERENT |= {"statistic": "histogram", "year": "2025", "period": "2025"}


@pytest.mark.parametrize("field", DIFFERENT)
@pytest.mark.parametrize("asked", [AddOrRemoveOne(), ReplaceOne(attributes=("age",))], ids=str)
def test_only_tables_that_are_alike_in_all_that_counts_are_counted_together(field: str, asked: Any) -> None:
    """Against tables of sensitivities that are just not the same."""
    plain: dict[str, Any] = {"share": 0.05, "sensitivity": 1.0, "sensitivity_other": 1.0}
    alike = [{"name": str(at), **plain, **({} if at % 3 else {field: DIFFERENT[field]})} for at in range(12)]
    apart = [part | {"sensitivity": part["sensitivity"] * (1.0 + at * 1e-14)} for at, part in enumerate(alike)]
    told = []
    for parts, kinds in ((alike, 2), (apart, 12)):
        release = release_of(parts, delta=1e-6).release
        assert len(release.histories.moves) == kinds
        loss = release.loss(asked)
        told.append((loss.total_epsilon(0.5), loss.mu(0.5), loss.rho(0.5), loss.trade_off(0.5).max_probability(0.1)))
    assert told[0][:3] == pytest.approx(told[1][:3], rel=1e-12)
    assert told[0][3] == pytest.approx(told[1][3], rel=1e-4)  # lattices differ


# ------------------------------------------------------------------------------ losses of actual releases


COUNT = {"statistic": "count", "sensitivity_other": 1.0, "mechanism": "gaussian", "share": 0.1}


@pytest.mark.parametrize("seed", range(2))
def test_losses_of_tables_of_mixed_noise_are_never_below_any_pair_of_sets(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(25):
        parts: list[dict[str, Any]] = []
        for at in range(rng.randint(2, 5)):
            part: dict[str, Any] = {"name": str(at), "mechanism": rng.choice(["laplace", "gaussian"])}
            part |= {"epsilon": 0.5} if part["mechanism"] == "laplace" else {"rho": 0.25}
            part |= {"sensitivity_other": rng.choice([0.2, 1.0, 2.0])}
            part |= {"group": "g"} if rng.random() < 0.4 else {}
            part |= {"year": rng.choice(["2024", "2025"])} if rng.random() < 0.4 else {}
            part |= {"disjoint_with": [str(at - 1)]} if at and rng.random() < 0.3 else {}
            parts.append(part)
        decision = release_of(parts, **({"at_most_years": 1} if rng.random() < 0.5 else {}))
        release, budget = decision.release, decision.chosen
        if budget is None or not release.noise.needs_delta:
            continue
        for pair in (AddOrRemoveOne(), ReplaceOne()):
            setting = release.privacy_setting(pair, in_epsilon=False)
            nothing = dict.fromkeys((part["name"] for part in parts), (0.0, 0.0))
            largest = (setting.loss.pure_factor * budget + setting.loss.fixed) * setting.loss.repetitions
            for normal, told in ((False, largest), (True, setting.loss.mu(budget) ** 2)):
                weights = nothing | {
                    table.name or "": _moved(table, pair, normal)
                    for table in release.tables
                    if table.noise.needs_delta is normal
                }
                at_most = release.at_most_years if release.histories.years else None
                assert told >= most_of_all(release.histories, weights, at_most) * (1.0 - 1e-12)


def _moved(table: Table, pair: Any, normal: bool) -> tuple[float, float]:
    """Return what a table tells that is in both worlds, and that is in one: epsilon, or mu^2."""
    replaced = isinstance(pair, ReplaceOne)
    stays, leaves = (table.sensitivity_other or 0.0, 1.0) if replaced else (1.0, 0.0)
    return (0.5 * stays**2, 0.5 * leaves**2) if normal else (0.5 * stays, 0.5 * leaves)


def test_a_table_that_nobody_moves_by_leaving_it_counts_for_nothing() -> None:
    """Two tables of one quarter and one of the next tell all: a total of 2 allows 2, and not a hair less."""
    quarters = {"1": ("2024-Q1", "2/9"), "2": ("2024-Q2", "3/9"), "still": ("2024-Q1", "1/9")}
    parts = [{"name": name, "period": period, "share": share} for name, (period, share) in quarters.items()]
    parts[2] |= {"moves": False}
    more: dict[str, Any] = {"in_periods": {"at_most": 1, "of": "quarter"}, "neighbours": "replace", "delta": 1e-6}
    decision = release_of(parts, {"kind": "budget", "total": 2}, mechanism="gaussian", **more)
    assert assess(decision).answers[0].epsilon == 2.0
