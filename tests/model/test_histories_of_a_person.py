"""Every history a person can have in drawn programmes of groups and years, against the loss that is counted.

A history is a set of tables: of one group and year at most one, of at most so many years. Presence is a history against
none; two values of a person are any two histories, and the tables in both move by what a replaced unit moves them.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy
import pytest

from dpwizard.decision import AddOrRemoveOne, Decision, ReplaceOne, assess, read_decision

Row = dict[str, Any]


def drawn(generator: numpy.random.Generator, mechanism: str) -> tuple[Decision, list[Row], int | None]:
    """Return a decision of two to six tables in groups and years, the tables as plain rows, and the years of one."""
    count = int(generator.integers(2, 7))
    years = int(generator.integers(1, 4))
    amount = "rho" if mechanism == "gaussian" else "epsilon"
    rows: list[Row] = []
    for at in range(count):
        row: Row = {"name": str(at), "sensitivity": 1.0, amount: round(float(generator.uniform(0.05, 1.0)), 3)}
        if generator.random() < 0.6:
            row["sensitivity_other"] = float(generator.choice([0.2, 1.0, 1.3, 2.0]))
        if generator.random() < 0.7:
            row["year"] = str(generator.integers(0, years))
        if generator.random() < 0.6:
            row["group"] = str(generator.integers(0, 2))
        if generator.random() < 0.2:
            row["moves"] = False
        rows.append(row)
    at_most = int(generator.integers(1, 4)) if generator.random() < 0.7 else None
    release: Row = {"mechanism": mechanism, "neighbours": "add_remove", "unit": "person", "parts": rows}
    if at_most is not None:
        release["at_most_years"] = at_most
    return read_decision({"format": "dpwizard.decision/1", "release": release}), rows, at_most


def histories(rows: list[Row], at_most: int | None) -> list[frozenset[int]]:
    """Return every set of tables that one person can be in."""
    found = []
    for size in range(len(rows) + 1):
        for chosen in itertools.combinations(range(len(rows)), size):
            groups = [(rows[i]["group"], rows[i].get("year")) for i in chosen if "group" in rows[i]]
            years = {rows[i]["year"] for i in chosen if "year" in rows[i]}
            if len(groups) == len(set(groups)) and (at_most is None or len(years) <= at_most):
                found.append(frozenset(chosen))
    return found


def may_follow(one: frozenset[int], other: frozenset[int], rows: list[Row]) -> bool:
    """Return whether another value can turn history ONE into OTHER: in a year of both, the tables that a person is in
    are the same but for those of a group, and nobody leaves a table for another of its group where either says so."""
    for i, j in itertools.product(one - other, other - one):
        same = "group" in rows[i] and all(rows[i].get(key) == rows[j].get(key) for key in ("group", "year"))
        if same and (rows[i].get("moves") is False or rows[j].get("moves") is False):
            return False
    every = {row.get("year") for row in rows} - {None}
    years = [{rows[i].get("year") for i in side} | {None} for side in (one, other)]
    if len(every) == 1:  # whoever is in the one year there is, is in it whatever their values are
        years = [every | {None}] * 2
    stays = [i for i in one ^ other if rows[i].get("year") in years[0] & years[1]]
    if any("group" not in rows[i] for i in stays):
        return False
    # whoever leaves a table of a year they stay in is in another: what it is to be in none, replacing counts
    sides = [sorted((rows[i]["group"], rows[i].get("year", "")) for i in stays if i in side) for side in (one, other)]
    return sides[0] == sides[1]


def lost(rows: list[Row], mechanism: str, one: frozenset[int], other: frozenset[int]) -> float:
    """Return what the tables tell of two histories: epsilon, or mu^2."""
    total = Fraction(0)
    for i, row in enumerate(rows):
        far = Fraction(row.get("sensitivity_other", 2.0)) if i in one & other else Fraction(i in one ^ other)
        total += (
            Fraction(str(row["rho"])) * 2 * far**2 if mechanism == "gaussian" else Fraction(str(row["epsilon"])) * far
        )
    return float(total)


def told(decision: Decision, mechanism: str, pair: Any) -> float:
    setting = decision.release.privacy_setting(pair, in_epsilon=False)
    chosen = decision.chosen
    assert chosen is not None
    return setting.loss.mu(chosen) ** 2 if mechanism == "gaussian" else setting.loss.total_epsilon(chosen)


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_no_history_of_a_person_tells_more_than_is_counted(mechanism: str) -> None:
    generator = numpy.random.default_rng(20261123)
    tight = 0
    for _ in range(30):
        decision, rows, at_most = drawn(generator, mechanism)
        known = histories(rows, at_most)
        presence = max(lost(rows, mechanism, one, frozenset()) for one in known)
        assert told(decision, mechanism, AddOrRemoveOne()) >= presence * (1 - 1e-12)
        assert told(decision, mechanism, AddOrRemoveOne()) <= presence * (1 + 1e-9)
        values = max(
            (
                lost(rows, mechanism, one, other)
                for one, other in itertools.product(known, repeat=2)
                if may_follow(one, other, rows)
            ),
            default=0.0,
        )
        counted = told(decision, mechanism, ReplaceOne())
        assert counted >= values * (1 - 1e-12), rows
        tight += math.isclose(counted, values, rel_tol=1e-9)
    assert tight > 12  # what is counted is mostly just what some history tells


@pytest.mark.parametrize("mechanism", ["gaussian", "laplace"])
@pytest.mark.parametrize("allocation", ["stated", "needs", "weights"])
def test_the_noise_that_is_added_tells_no_more_than_the_accounting_says(mechanism: str, allocation: str) -> None:
    """From the noise of each table alone, at the budget chosen, over every history of a person."""
    generator = numpy.random.default_rng(20261125)
    for _ in range(12):
        count, at_most = int(generator.integers(1, 6)), (None, 1, 2)[int(generator.integers(0, 3))]
        rows: list[Row] = []
        for at in range(count):
            row: Row = {"name": str(at), "sensitivity": float(generator.choice([1, 2, 5]))}
            row |= {"group": str(generator.integers(0, 2))} if generator.random() < 0.4 else {}
            row |= {"year": str(generator.integers(0, 2))} if generator.random() < 0.4 else {}
            row |= {"times": int(generator.integers(2, 5))} if generator.random() < 0.3 else {}
            row |= {"share": f"1/{count}"} if allocation == "stated" else {}
            row |= {"weight": float(generator.choice([0.1, 1.0, 7.0]))} if allocation == "weights" else {}
            rows.append(row)
        release: Row = {"mechanism": mechanism, "neighbours": "add_remove", "unit": "person", "parts": rows}
        release |= {"allocation": allocation} | ({} if at_most is None else {"at_most_years": at_most})
        asked = [{"kind": "rmse", "part": row["name"], "at_most": float(generator.choice([2, 5, 20]))} for row in rows]
        budget = {"rho" if mechanism == "gaussian" else "epsilon": 0.7}
        raw = {"format": "dpwizard.decision/1", "release": release, "requirements": asked, **budget}
        decision = read_decision(raw)
        stated = assess(decision).accounting
        each = [_of_noise(decision, row, mechanism) for row in rows]
        true = max(sum(each[i] for i in history) for history in histories(rows, at_most))
        claimed = stated.rho if mechanism == "gaussian" else stated.epsilon
        assert true <= claimed * (1 + 1e-12)
        assert true >= claimed * 0.499  # shares of tables that no person shares leave some unused


def _of_noise(decision: Decision, row: Row, mechanism: str) -> float:
    """Return what a table loses by the scale of its noise: rho, or epsilon, for all the times it is made."""
    setting, chosen = decision.planned.release.number_setting(row["name"]), decision.chosen
    assert chosen is not None
    far = float(row["sensitivity"]) / setting.scale(chosen)
    return row.get("times", 1) * (far**2 / 2.0 if mechanism == "gaussian" else far)
