"""How far people can move the cells of a table: the largest moves, in whole steps.

Under log-concave noise a vector of moves is dominated by any that is as large cell by cell, whatever the signs. No
single one of the largest is worst at every epsilon: all are listed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from dpwizard.base.errors import InvalidInput
from dpwizard.privacy.accounting.accountant import Part
from dpwizard.privacy.accounting.noises import Noise

Move = tuple[int, ...]

MOST_MOVES = 200  # that are listed for one table


def by_rows(total: int, most: int, cells: int) -> list[Move]:
    """Return the largest moves by TOTAL rows (if there is room), at most MOST in each of at most CELLS cells."""
    return _list_moves(_partitions(min(total, most * cells), most, cells))


def by_distance(square: float, most: int, cells: int) -> list[Move]:
    """Return the largest moves whose squares add up to at most SQUARE, by at most MOST in each of CELLS cells."""
    limit = math.floor(square * (1.0 + 1e-12) + 1e-12)  # SQUARE may be rounded
    return _list_moves(_maximal_moves(limit, min(most, math.isqrt(limit)), cells))


def _partitions(total: int, most: int, cells: int) -> Iterator[Move]:
    if total == 0:
        yield ()
    elif cells:
        for first in range(min(most, total), 0, -1):
            if first * cells >= total:
                for rest in _partitions(total - first, first, cells - 1):
                    yield first, *rest


def _maximal_moves(limit: int, most: int, cells: int) -> Iterator[Move]:
    """Yield the nonincreasing moves with squares up to LIMIT that cannot be raised by 1 in any cell."""
    for move in _moves_within(limit, most, cells):
        left = limit - sum(part * part for part in move)
        can_move_another_cell = left >= 1 and len(move) < cells and most >= 1
        if not can_move_another_cell and not any(part < most and 2 * part + 1 <= left for part in move):
            yield move


def _moves_within(limit: int, most: int, cells: int) -> Iterator[Move]:
    yield ()
    if cells:
        for first in range(min(most, math.isqrt(limit)), 0, -1):
            for rest in _moves_within(limit - first * first, first, cells - 1):
                yield first, *rest


def _list_moves(moves: Iterator[Move]) -> list[Move]:
    distinct = list(dict.fromkeys(islice(moves, MOST_MOVES + 1)))
    if not distinct:
        raise InvalidInput("there is no move", "move", "State by how many steps, at least one, a number can move.")
    if len(distinct) > MOST_MOVES:
        raise InvalidInput(
            "the cells can move in more than {most} ways",
            "move",
            "State fewer rows, or use the rho of the table.",
            most=MOST_MOVES,
        )
    return distinct


def moved(noise: Callable[[int], Noise], move: Sequence[int], times: int = 1) -> list[Part]:
    """Return the parts of a table whose cells move by MOVE, in either direction, each under NOISE of its steps."""
    return [(noise(step), times * move.count(step)) for step in sorted(set(move))]
