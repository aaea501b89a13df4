"""The largest changes that one person can make to the cells of a table, in whole steps.

Under log-concave noise a vector of changes is dominated by any vector that is as large in every cell, whatever the
signs. Among the largest vectors none is worst at every epsilon, so all are listed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from dpwizard.base.errors import InvalidInput
from dpwizard.privacy.accounting.accountant import Part
from dpwizard.privacy.accounting.noises import Noise

Move = tuple[int, ...]

MOST_MOVES = 200  # the most changes listed for one table


def by_rows(total: int, most: int, cells: int) -> list[Move]:
    """Return the largest changes by TOTAL rows (if there is room), at most MOST in each of at most CELLS cells."""
    return _list_moves(_partitions(min(total, most * cells), most, cells))


def by_distance(square: float, most: int, cells: int) -> list[Move]:
    """Return the largest changes with a sum of squares of at most SQUARE, at most MOST in each of CELLS cells."""
    limit = math.floor(square * (1.0 + 1e-12) + 1e-12)  # SQUARE may have been rounded down
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
    """Yield the nonincreasing vectors with a sum of squares up to LIMIT in which no cell can be raised by 1."""
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
    """Return the noises of a table whose cells change by MOVE, in either direction; NOISE gives that of a change."""
    return [(noise(step), times * move.count(step)) for step in sorted(set(move))]
