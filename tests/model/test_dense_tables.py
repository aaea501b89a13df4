"""Tables that cross in any way: their noise after least squares, against a pseudo-inverse and against other noise."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpwizard.privacy.adding_up import Limited, Link, Linked, Weighted, least_budget_of, linked
from dpwizard.privacy.adding_up.dense import MOST_CELLS, DenseTables

Cells = list[list[int]]  # of each table: in which of its numbers each of the finest cells lies


def in_order(labels: Any) -> list[int]:
    known: dict[Any, int] = {}
    return [known.setdefault(one, len(known)) for one in labels]


def counts_of(finer: list[int], coarser: list[int]) -> tuple[int, ...]:
    """Return how many numbers of a table lie in each of those of a coarser one."""
    above = dict(zip(finer, coarser, strict=True))
    return tuple(list(above.values()).count(number) for number in range(max(coarser) + 1))


def crossed(cells: Cells, noises: list[Any], above: list[list[int]], told: bool) -> tuple[Linked, ...]:
    """Return the tables of CELLS, each with the ones ABOVE it; TOLD: links say which numbers make each sum."""
    tables = []
    for blocks, noise, parents in zip(cells, noises, above, strict=True):
        links = []
        for parent in parents:
            known = dict(zip(blocks, cells[parent], strict=True))
            which = tuple(known[number] for number in range(max(blocks) + 1)) if told else None
            links.append(Link(parent, counts_of(blocks, cells[parent]), which))
        tables.append(Linked(max(blocks) + 1, noise, tuple(links)))
    return tuple(tables)


def drawn(dice: random.Random) -> tuple[Cells, list[list[int]]]:
    """Return partitions of some cells, the first of all and the last of each alone, each with those above it."""
    many = dice.choice([1, 4, 7, 12])
    cells: Cells = [[0] * many]
    above: list[list[int]] = [[]]
    for _ in range(dice.randint(2, 3)):
        cells.append(in_order(dice.randrange(dice.randint(1, 4)) for _ in range(many)))
        above.append([0])
    if dice.random() < 0.5:
        cells.append(in_order(zip(cells[1], cells[2], strict=True)))
        above.append([1, 2])
    cells.append(list(range(many)))
    above.append(list(range(1, len(cells) - 1)))
    return cells, above


def truth(cells: Cells, sds: list[float | None], row: Any) -> tuple[float, list[Any]]:
    """Return the variance of the number ROW after least squares, and its weights by table, by a pseudo-inverse."""
    designs = [np.equal.outer(np.arange(max(one) + 1), one).astype(float) for one in cells]
    exact = [design for design, sd in zip(designs, sds, strict=True) if sd == 0.0]
    left = np.eye(len(cells[0]))
    if exact:
        _, sizes, directions = np.linalg.svd(np.concatenate(exact))
        left = directions[(sizes > 1e-9).sum() :].T
    noisy = [(design / sd, sd) for design, sd in zip(designs, sds, strict=True) if sd]
    inverse = np.linalg.pinv(np.concatenate([design for design, _ in noisy]) @ left, rcond=1e-10)
    weights = row @ left @ inverse
    ends = np.cumsum([len(design) for design, _ in noisy])[:-1]
    parts = iter(np.split(weights, ends))
    return float(weights @ weights), [next(parts) / sd if sd else None for sd in sds]


@pytest.mark.parametrize("seed", range(40))
def test_published_numbers_have_the_noise_that_least_squares_leave(seed: int) -> None:
    dice = random.Random(seed)
    cells, above = drawn(dice)
    sds: list[float | None] = [dice.choice([1.0, 2.5, 7.0, dice.choice([0.0, None])]) for _ in cells[:-1]]
    sds.append(dice.choice([1.0, 3.0]))
    noises = ["none" if sd is None else "noisy" if sd else "exact" for sd in sds]
    ((made, _),), flaws = linked(crossed(cells, noises, above, told=True))
    assert flaws == ()
    variances = [None if sd is None else sd**2 for sd in sds]
    looked = made.variance_parts(np.array([1.0 / sd**2 if sd else 1.0 for sd in sds])).sum(axis=1)
    for table, blocks in enumerate(cells):
        expected = [truth(cells, sds, np.equal(blocks, one).astype(float)) for one in range(max(blocks) + 1)]
        found = {kind: made.variance(kind, variances) for kind in made.kinds(table)}
        assert_same([one for one, _ in expected], list(found.values()))
        for kind, variance in found.items():
            assert looked[kind] == pytest.approx(variance, rel=1e-9, abs=1e-12)
            assert any(same_weights(made.weights(kind, variances), each) for _, each in expected)


def assert_same(expected: list[float], found: list[float]) -> None:
    assert all(any(math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) for other in found) for one in expected)
    assert all(any(math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) for other in expected) for one in found)


def same_weights(taken: Weighted, expected: list[Any]) -> bool:
    listed: list[list[float]] = [[] for _ in expected]
    for (weight, table), count in taken.items():
        listed[table] += [float(weight)] * count
    for found, each in zip(listed, expected, strict=True):
        wanted = np.sort([] if each is None else each)
        padded = np.sort(found + [0.0] * (len(wanted) - len(found)))
        if len(padded) != len(wanted) or not np.allclose(padded, wanted, atol=1e-8):
            return False
    return True


def chains_of(dice: random.Random) -> list[Cells]:
    """Return chains of levels that divide unevenly, each from one number on."""
    chains = []
    for _ in range(dice.choice([2, 2, 3])):
        levels = [[0]]
        for _ in range(dice.randint(1, 2)):
            many = [dice.randint(1, 3) for _ in range(max(levels[-1]) + 1)]
            inside = [at for at, count in enumerate(many) for _ in range(count)]
            levels = [[level[at] for at in inside] for level in levels] + [list(range(len(inside)))]
        chains.append(levels)
    return chains


@pytest.mark.parametrize("seed", range(20))
def test_levels_and_queries_that_divide_unevenly_cross_though_no_list_says_so(seed: int) -> None:
    dice = random.Random(1_000 + seed)
    chains = chains_of(dice)
    stands = list(itertools.product(*(range(len(levels)) for levels in chains)))
    every = list(itertools.product(*(range(len(levels[0])) for levels in chains)))
    cells = []
    for stand in stands:
        cells.append(in_order(tuple(c[s][a] for c, s, a in zip(chains, stand, cell, strict=True)) for cell in every))
    above = [
        [stands.index(tuple(o - (n == c) for n, o in enumerate(stand))) for c, one in enumerate(stand) if one]
        for stand in stands
    ]
    sds: list[float | None] = [dice.choice([1.0, 2.0, 5.0]) for _ in stands]
    ((made, _),), flaws = linked(crossed(cells, ["noisy"] * len(stands), above, told=False))
    assert flaws == ()
    variances = [float(sd or 0.0) ** 2 for sd in sds]
    for table, blocks in enumerate(cells):
        expected = [truth(cells, sds, np.equal(blocks, one).astype(float))[0] for one in range(max(blocks) + 1)]
        assert_same(expected, [made.variance(kind, variances) for kind in made.kinds(table)])


@pytest.mark.parametrize("fine", [1.0, 10.0, 1_000.0])
def test_the_worst_number_of_a_long_row_of_sums_that_overlap_is_found(fine: float) -> None:
    """Where single cells have much noise, a number far from both ends of the row has twice the deviation of others."""
    cells = [[at // 2 for at in range(60)], [(at + 1) // 2 for at in range(60)], list(range(60))]
    ((made, _),), _ = linked(crossed(cells, ["noisy"] * 3, [[], [], [0, 1]], told=True))
    variances = [1.0, 1.0, fine**2]
    for table, blocks in enumerate(cells):
        expected = max(truth(cells, [1.0, 1.0, fine], np.equal(blocks, one) * 1.0)[0] for one in range(max(blocks) + 1))
        for worst_alone in (True, False):
            sums = made.sums(table, variances, worst_alone)
            found = max(sum(float(w) ** 2 * n * variances[at] for (w, at), n in each.items()) for each in sums)
            assert found == pytest.approx(expected, rel=1e-9)
        looked = made.variance_parts(np.array([1.0, 1.0, fine**-2])).sum(axis=1)[list(made.kinds(table))].max()
        assert looked == pytest.approx(expected, rel=1e-9)
    assert len(made.sums(2, variances, worst_alone=True)) == 1


def test_a_number_that_no_cell_of_the_lists_lies_in_is_refused_by_name() -> None:
    """No district lies in region 1 and police area 0, but a table is published by region, police area and sex."""
    districts = ((0, 0, 0, 1), (0, 0, 1, 1))
    crossing = ((0, 0, 0, 0, 1, 1, 1, 1), (0, 0, 1, 1, 0, 0, 1, 1))
    links = [
        tuple(Link(at, counts_of(list(range(len(one))), list(one)), one) for at, one in enumerate(lists))
        for lists in (districts, crossing)
    ]
    found, flaws = linked((Linked(2), Linked(2), Linked(4, links=links[0]), Linked(8, links=links[1])))
    assert (found, flaws[0].problem, flaws[0].table) == ((), "no_tree_and_no_grid", 2)


def exact_variance(cells: Cells, variances: list[Fraction], row: list[int]) -> Fraction:
    """Return the variance of the number ROW in fractions: by elimination."""
    many = len(cells[0])
    told = [
        [sum((1 / v for c, v in zip(cells, variances, strict=True) if c[a] == c[b]), Fraction()) for b in range(many)]
        for a in range(many)
    ]
    rows = [[*line, Fraction(one)] for line, one in zip(told, row, strict=True)]
    for at in range(many):
        rows[at] = [one / rows[at][at] for one in rows[at]]
        for other in range(many):
            if other != at:
                rows[other] = [a - rows[other][at] * b for a, b in zip(rows[other], rows[at], strict=True)]
    return sum((line[-1] * one for line, one in zip(rows, row, strict=True)), Fraction())


@pytest.mark.parametrize("seed", range(4))
def test_a_published_deviation_is_never_below_the_true_one(seed: int) -> None:
    dice = random.Random(seed)
    cells, above = drawn(dice)
    sds = [10.0 ** dice.uniform(-3.0, 3.0) for _ in cells]
    ((made, _),), _ = linked(crossed(cells, ["noisy"] * len(cells), above, told=True))
    for table, blocks in enumerate(cells):
        every = [
            exact_variance(cells, [Fraction(sd) ** 2 for sd in sds], [int(one == number) for one in blocks])
            for number in range(max(blocks) + 1)
        ]
        found = max(deviation(made.weights(kind, [sd**2 for sd in sds]), sds) for kind in made.kinds(table))
        assert max(every) <= Fraction(found) ** 2 <= max(every) * (1 + Fraction(1, 10**9))


def deviation(taken: Weighted, sds: list[float]) -> float:
    from dpwizard.privacy.adding_up.published_noise import Added, PublishedNoise
    from dpwizard.privacy.mechanisms import GAUSSIAN

    added = tuple(Added(GAUSSIAN, sd) for sd in sds)
    return PublishedNoise(noise=GAUSSIAN, scale=1.0, sums=(taken,), added=added).sd


@pytest.mark.parametrize("seed", range(4))
def test_the_least_budget_keeps_its_limits_and_no_plan_is_below_the_bound(seed: int) -> None:
    dice = random.Random(seed)
    cells, above = drawn(dice)
    ((made, _),), _ = linked(crossed(cells, ["noisy"] * len(cells), above, told=True))
    costs = tuple(dice.uniform(0.2, 3.0) for _ in cells)
    limits = tuple(Limited(at, dice.uniform(1.0, 40.0)) for at in range(len(cells)))
    found = least_budget_of(made, costs, limits)
    assert 0.0 < found.lower <= found.total <= found.lower * (1.0 + 1e-4)
    kept = [cost / spent for cost, spent in zip(costs, found.costs, strict=True)]
    for limit in limits:
        for kind in made.kinds(limit.table):
            assert made.variance(kind, kept) <= limit.variance * (1.0 + 1e-9)
    for _ in range(30):
        spent = np.array([max(cost, 1e-6) * dice.uniform(0.3, 3.0) for cost in found.costs])
        variances = made.variance_parts(spent / np.array(costs)).sum(axis=1)
        worst = max(variances[kind] / one.variance for one in limits for kind in made.kinds(one.table))
        assert worst * spent.sum() >= found.lower  # scaled so that the worst need is just met


def test_more_cells_than_are_fitted_are_refused_by_name() -> None:
    half = MOST_CELLS // 2 + 1
    lists = (tuple([0] * half + [1] * half), tuple([0] * (half + 1) + [1] * (half - 1)))
    links = tuple(Link(at, counts_of(list(range(2 * half)), list(one)), one) for at, one in enumerate(lists))
    found, flaws = linked((Linked(2), Linked(2), Linked(2 * half, links=links)))
    assert (found, flaws[0].problem, flaws[0].table) == ((), "too_many_cells", 2)


def test_a_grid_that_the_lists_do_not_cross_evenly_is_no_grid() -> None:
    lists = ((0, 0, 0, 0, 1, 1, 1, 1), (0, 0, 0, 1, 0, 1, 1, 1))
    links = tuple(Link(at, (4,), one) for at, one in enumerate(lists))
    tables = (Linked(1), *(Linked(2, links=(Link(0, (2,)),)),) * 2)
    moved = tuple(one._replace(parent=one.parent + 1) for one in links)
    ((made, _),), _ = linked((*tables, Linked(8, links=moved)))
    assert made.can_be_whole
    ((grid, _),), _ = linked((*tables, Linked(8, links=tuple(one._replace(above=None) for one in moved))))
    assert not isinstance(grid, DenseTables)
