"""How much of a budget the tables of a release use together, counted exactly in fractions.

And which part of it those have whose noise takes a delta, with how it goes together with their noise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction

from dpwizard.decision.histories import Histories, Ways
from dpwizard.decision.tables import Table
from dpwizard.privacy.mechanisms import ANALYTIC, IN_RHO, WHOLE_IN_RHO, ZCDP, Calibration, DiscreteGaussianCurve

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
        share = amount(table)
        return float(share) if share is not None and _moves(table, ways) else 0.0

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


def dividing(table: Table) -> Fraction | None:
    """Return the portion of a table with noise that divides the budget; None of one that spends its own amount."""
    return None if table.noise.absent or table.fixed is not None else table.portion


def pure(table: Table) -> Fraction | None:
    """Return the same of a table with noise that has a largest loss."""
    return None if table.noise.needs_delta else dividing(table)


def normal(table: Table) -> Fraction | None:
    """Return the same of a table with noise that takes a delta."""
    return dividing(table) if table.noise.needs_delta else None


def gaussian_share(tables: Histories) -> Fraction:
    """Return how much of the budget the Gaussian TABLES have together: all of it where no other noise takes some."""
    if all(move.table.noise.needs_delta for move in tables.moves if move.table.fixed is None):
        return Fraction(1)
    return share_total(tables, normal)


def calibration_of(tables: Histories, dimension: int, in_rho: bool) -> Calibration:
    """Return how the budget of TABLES with Gaussian noise is calibrated, which hold DIMENSION numbers in all.

    IN_RHO: they have no epsilon, their budget is rho.

    With continuous noise alone by its own. With discrete noise somewhere by that of zCDP, but for one number alone,
    which moves by whole steps: that has one of its own.
    """
    found = [move for move in tables.moves if move.table.noise.needs_delta]
    if all(table.noise.normal is not None for table, _, _ in found):
        return IN_RHO if in_rho else ANALYTIC
    if in_rho:
        return WHOLE_IN_RHO
    pure = sum(table.dimension * alike for table, _, alike in tables.moves if not table.noise.needs_delta)
    (one, _, alike), own = found[0], None
    alone = len(found) == alike == one.dimension == one.times_released == 1
    if alone and dimension <= pure + 1 and one.noise_step() == 1.0:
        own = DiscreteGaussianCurve.moving(one.sensitivity) if one.portion == gaussian_share(tables) else None
    return own or ZCDP
