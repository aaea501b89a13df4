"""The largest moves of a table, against all moves: none is missing, and each one that is listed is needed."""

from __future__ import annotations

from functools import partial
from itertools import product

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.privacy.accounting.accountant import Accountant
from dpwizard.privacy.accounting.moves import by_distance, by_rows, moved
from dpwizard.privacy.accounting.noises import DiscreteGaussian, Geometric, Laplace
from dpwizard.privacy.accounting.readings import Worst


def covered(move, found):
    """Return whether some move of FOUND is at least MOVE cell by cell, both in falling order."""
    return any(len(each) >= len(move) and all(a >= b for a, b in zip(each, move, strict=False)) for each in found)


def falling(cells, most):
    """Return all moves of CELLS cells by up to MOST, in falling order, without cells that do not move."""
    every = {
        tuple(sorted((part for part in move if part), reverse=True)) for move in product(range(most + 1), repeat=cells)
    }
    return sorted(every - {()})


@pytest.mark.parametrize("total", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("most", [1, 2, 3, 6])
@pytest.mark.parametrize("cells", [1, 2, 3, 4])
def test_moves_by_rows_cover_all_and_none_is_idle(total, most, cells):
    found = by_rows(total, most, cells)
    possible = [move for move in falling(cells, most) if sum(move) <= total]
    assert all(covered(move, found) for move in possible)
    assert all(move in possible for move in found)
    for move in found:
        assert not covered(move, [other for other in found if other != move])


@pytest.mark.parametrize("square", [1.0, 2.0, 3.0, 4.0, 5.0, 8.0, 9.0, 9.9, 12.0])
@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("cells", [1, 2, 3, 4])
def test_moves_by_distance_cover_all_even_with_few_cells(square, most, cells):
    found = by_distance(square, most, cells)
    possible = [move for move in falling(cells, most) if sum(part * part for part in move) <= square]
    assert all(covered(move, found) for move in possible)
    assert all(move in possible for move in found)


def test_what_partitions_into_squares_miss_with_few_cells():
    assert (2, 2) in by_distance(9.0, 3, 2)
    assert by_distance(1.0, 1, 50) == [(1,)]
    assert by_distance(2.0 - 1e-15, 1, 2) == [(1, 1)]  # the rounding of a square is no step less


def test_too_many_ways_to_move_are_refused():
    with pytest.raises(InvalidInput, match="more than 200 ways"):
        by_rows(60, 60, 60)


def test_no_move_is_worst_so_that_all_are_read():
    two, four = (Accountant(moved(partial(DiscreteGaussian, 1.5), move)) for move in ((2,), (1, 1, 1, 1)))
    assert two.epsilon(1e-6) == pytest.approx(6.916, abs=2e-3)
    assert four.epsilon(1e-6) == pytest.approx(6.801, abs=2e-3)
    assert two.epsilon(1e-10) == pytest.approx(8.873, abs=2e-3)
    assert four.epsilon(1e-10) == pytest.approx(8.959, abs=2e-3)
    worst = Worst([two, four])
    for delta in (1e-6, 1e-10):
        assert worst.epsilon(delta) == pytest.approx(max(two.epsilon(delta), four.epsilon(delta)), rel=1e-4)


def test_parts_of_a_table_count_each_step_once():
    assert dict(moved(partial(Geometric, 0.5), (3, 1, 1), 2)) == {Geometric(0.5, 3): 2, Geometric(0.5, 1): 4}


def test_laplace_noise_tells_most_where_one_cell_moves():
    one, two = Accountant([(Laplace(1.0), 1)]), Accountant([(Laplace(0.5), 2)])
    for epsilon in (-0.5, 0.0, 0.4, 0.9):
        assert one.delta(epsilon) >= two.delta(epsilon) * (1 - 1e-4)
