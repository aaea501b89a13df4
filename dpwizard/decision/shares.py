"""How much of a budget the tables of a release use together, counted exactly in fractions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction

from dpwizard.decision.histories import Histories, Ways
from dpwizard.decision.tables import Table

Amount = Callable[[Table], Fraction | None]  # what a table uses; None where it is not counted, or not known
NONE = Fraction(0)


def portion(table: Table) -> Fraction | None:
    """Return the table's portion of the budget."""
    return table.portion


def used(tables: Histories, amount: Amount = portion) -> Fraction:
    """Return how much TABLES use together under their declared neighbours; never below the truth.

    Arguments: amount, what each table uses. Of tables that share no unit the largest counts, or, where a unit can move
    from one to another, the two largest.
    """

    def weigh(table: Table, ways: Ways) -> float:
        own = amount(table)
        return float(own) if own is not None and _moves(table, ways) else 0.0

    moved = (alike * (amount(table) or NONE) for table, ways, alike in tables.most(weigh) if _moves(table, ways))
    return added(moved)


def _moves(table: Table, ways: Ways) -> bool:
    """Return whether the declared neighbours can move TABLE in one of WAYS: by its sensitivity, then."""
    if "stays" in ways:
        return True
    return table.neighbours == "replace" and ("absent" in ways or table.moves is not False)


def share_total(tables: Histories, amount: Amount = portion) -> Fraction:
    """Return the same as `used`, or 1 where it is meant to be 1."""
    return as_meant(used(tables, amount))


def added(shares: Iterable[Fraction]) -> Fraction:
    """Return the sum of SHARES: those over one denominator at once, as decimals mostly are."""
    over: dict[int, int] = defaultdict(int)
    for share in shares:
        over[share.denominator] += share.numerator
    return sum((Fraction(above, below) for below, above in over.items()), start=NONE)


def as_meant(total: Fraction) -> Fraction:
    """Return TOTAL, or 1 where it comes to 1 but for 1e-9: decimals such as 0.333333333 are meant to."""
    return Fraction(1) if abs(total - 1) <= Fraction(1, 10**9) else total
