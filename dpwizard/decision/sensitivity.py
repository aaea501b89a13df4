"""The sensitivity of a statistic, from bounds that are enforced by clamping and not read from the data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal
from dpwizard.base.values import NUMBER_LIMIT, Count, Number, Value, field, public
from dpwizard.decision.tables import NeighbouringRelation, Statistic

Rows = Literal["at_most", "exactly"]
Pair = tuple[Fraction, Fraction]  # the L1 sensitivity, and the square of the L2 sensitivity


class Derivation(Value):
    """A sensitivity in both norms, under both relations if it is bounded, and the rule it follows from."""

    l1: float = field("L1 sensitivity", "The most that all numbers together change, sizes added.", default=...)
    l2: float = field(
        "L2 sensitivity", "The most that they change as a distance: what Gaussian noise needs.", default=...
    )
    l1_other: float | None = field("L1 for the other neighbouring datasets", "Null if nothing limits it.")
    l2_other: float | None = field("L2 for the other neighbouring datasets", "Null if nothing limits it.")
    rule: str = field("Rule", "The key of the sentence that says how it was derived.", default=...)


@public
def derive(
    *,
    statistic: Statistic,
    neighbours: NeighbouringRelation,
    contributions: Count = 1,
    rows: Rows = "at_most",
    low: Number | None = None,
    high: Number | None = None,
    records: Count | None = None,
    dimension: Count = 1,
    touched: Count | None = None,
    per_cell: Count | None = None,
) -> Derivation:
    """Return the most that one unit changes a statistic by, under the declared neighbour relation and the other one.

    Arguments: statistic; neighbours; contributions, the rows of one unit, at least 1; rows, whether every unit has
    exactly so many (matters under "replace" alone) or at most so many; low < high, the bounds on one value (sum, mean,
    vector); records, the number of rows, public and fixed (mean); dimension, the number of cells (histogram) or of
    numbers (vector), 1 for the others; touched, the most numbers of a vector that one row changes (null: all);
    per_cell, the most rows of one unit in one cell of a histogram (null: all). Returns {l1, l2, l1_other, l2_other,
    rule}: **never below the largest change that two neighbouring data sets can show, bounds read as the decimals they
    are written as**, and equal to it but for the rounding of the last digit, upwards. Raises InvalidInput where an
    argument is missing, nothing can change, several numbers are called one, or the mean of a number of rows that is not
    fixed is asked for. Source: Dwork & Roth 2014, Definition 3.1 (L1) and Definition 3.8 (L2), with the extremes taken
    over all data within the bounds.
    """
    if statistic in ("count", "sum", "mean") and dimension > 1:
        raise InvalidInput(
            message("must be 1 for a count, a sum or a mean; found {dimension}", dimension=dimension),
            "dimension",
            "Choose a histogram if each row counts in one of the numbers, otherwise a vector.",
        )
    if statistic == "mean":
        return _derive_mean(neighbours, contributions, low, high, records)
    if statistic == "histogram":
        pairs = _extremes_of_counts(contributions, dimension, min(per_cell or contributions, contributions))
        return _derivation(
            neighbours, pairs, f"histogram_{neighbours}" if per_cell is None else f"histogram_{neighbours}_capped"
        )
    if statistic == "count":
        bounds: Pair = (Fraction(0), Fraction(1))
        numbers = each = 1
        rows = "at_most"  # any number of rows may count
    else:
        bounds = _exact_bounds(low, high)
        numbers, each = (dimension, min(touched or dimension, dimension)) if statistic == "vector" else (1, 1)
    fixed = rows == "exactly" and each == numbers
    pairs = _extremes_of_sums(contributions, numbers, each, bounds, fixed)
    suffix = "_fixed" if fixed and neighbours == "replace" else ""
    return _derivation(neighbours, pairs, f"{statistic}_{neighbours}{suffix}")


def figures(
    derivation: Derivation,
    *,
    contributions: int,
    low: float | None,
    high: float | None,
    records: int | None,
    dimension: int,
    touched: int | None,
) -> Mapping[str, Any]:
    """Return the figures in the sentence on DERIVATION: those entered, and those that follow."""
    low, high = low or 0.0, high or 0.0
    return {
        "l1": derivation.l1,
        "l2": derivation.l2,
        "rows": contributions,
        "low": low,
        "high": high,
        "largest": max(abs(low), abs(high)),
        "range": _round_up(abs(decimal(high) - decimal(low))),
        "reach": _round_up(max(decimal(high), Fraction(0)) - min(decimal(low), Fraction(0))),
        "records": records or 0,
        "numbers": dimension,
        "touched": min(touched or dimension, dimension),
    }


def _exact_bounds(low: float | None, high: float | None) -> Pair:
    for name, value in (("low", low), ("high", high)):
        if value is None:
            raise InvalidInput("is missing", name, "Enter the smallest and the largest value that one row can have.")
    bottom, top = decimal(low or 0.0), decimal(high or 0.0)
    if bottom > top:
        raise InvalidInput("must be at least low", "high", "Swap low and high.")
    return bottom, top


def _derive_mean(
    neighbours: NeighbouringRelation, rows: int, low: float | None, high: float | None, records: int | None
) -> Derivation:
    if neighbours == "add_remove":
        raise InvalidInput(
            'must be "replace" for a mean: when a person or thing is added or removed, the number of rows '
            "changes as well",
            "neighbours",
            "Publish a sum and a count as two tables, and divide the published figures.",
        )
    if records is None:
        raise InvalidInput("is missing", "records", "Enter it if it is public. Otherwise publish a sum and a count.")
    if records < rows:
        raise InvalidInput(
            "must be at least contributions", "records", "One person or thing cannot have more rows than there are."
        )
    bottom, top = _exact_bounds(low, high)
    change = rows * (top - bottom) / records
    return _derivation("replace", {"replace": (change, change * change)}, "mean_replace")


def _extremes_of_sums(rows: int, numbers: int, each: int, bounds: Pair, fixed: bool) -> dict[str, Pair]:
    """Return the largest changes of sums of values in NUMBERS cells, EACH changed by a row, under both relations.

    They occur if every cell is changed by all rows or none (a convex function on a box with one constraint).
    """
    bottom, top = bounds
    largest = rows * max(abs(bottom), abs(top))
    added = (each * largest, each * largest**2)
    if fixed:
        change = rows * (top - bottom)
        return {"add_remove": added, "replace": (numbers * change, numbers * change**2)}
    # a unit's sum lies between -under and over
    over, under = (rows * max(top, Fraction(0)), rows * max(-bottom, Fraction(0)))
    span, side = over + under, max(over, under)
    shared = max(0, 2 * each - numbers)  # the fewest cells that old and new rows have in common
    found_l1 = shared * span + 2 * (each - shared) * side
    squares = (common * span**2 + 2 * (each - common) * side**2 for common in (shared, each))  # linear between the two
    return {"add_remove": added, "replace": (found_l1, max(squares))}


def _extremes_of_counts(rows: int, cells: int, most: int) -> dict[str, Pair]:
    """Return the largest changes by a unit's rows counted in CELLS, at most MOST of them in one, under both relations.

    The old and the new rows fill different cells, divided evenly: both functions are concave in their number.
    """
    halves = (cells // 2, cells - cells // 2)
    replaced = [_fill_cells(rows, half, most) for half in halves]
    return {
        "add_remove": _fill_cells(rows, cells, most),
        "replace": (replaced[0][0] + replaced[1][0], replaced[0][1] + replaced[1][1]),
    }


def _fill_cells(rows: int, cells: int, most: int) -> Pair:
    """Return the sum, and the largest sum of squares, of at most ROWS rows in CELLS with at most MOST in each."""
    full = min(cells, rows // most)
    rest = min(rows - full * most, most) if full < cells else 0
    return Fraction(full * most + rest), Fraction(full * most**2 + rest**2)


def _derivation(neighbours: NeighbouringRelation, pairs: Mapping[str, Pair], rule: str) -> Derivation:
    other = pairs.get("replace" if neighbours == "add_remove" else "add_remove")
    declared_pair = pairs[neighbours]
    if declared_pair[0] == 0:
        raise InvalidInput(
            "leaves nothing that one person or thing could change",
            "high",
            "Enter two different limits, and at least one row.",
        )
    return Derivation.model_construct(
        l1=_round_up(declared_pair[0]),
        l2=_root_rounded_up(declared_pair[1]),
        l1_other=_round_up(other[0]) if other is not None and other[0] > 0 else None,
        l2_other=_root_rounded_up(other[1]) if other is not None and other[0] > 0 else None,
        rule=rule,
    )


def _round_up(exact: Fraction) -> float:
    """Return the smallest number that, read as its decimal, is not below EXACT."""
    if exact > Fraction(NUMBER_LIMIT):
        raise InvalidInput("leads to a change of more than 1e300", "high", "Enter narrower limits.")
    near = float(exact)
    return near if decimal(near) >= exact else math.nextafter(near, math.inf)


def _root_rounded_up(square: Fraction) -> float:
    """Return a number that, read as its decimal, is not below the root of SQUARE; the root if that is a decimal."""
    if square > Fraction(NUMBER_LIMIT) ** 2:
        raise InvalidInput("leads to a change of more than 1e300", "high", "Enter narrower limits.")
    # the leading binary digits
    digits = square.denominator.bit_length() - square.numerator.bit_length()
    scale = 1 << max(0, 128 + digits // 2)
    near = _round_up(Fraction(math.isqrt(square.numerator * scale**2 // square.denominator), scale))
    while decimal(near) ** 2 < square:
        near = math.nextafter(near, math.inf)
    return near
