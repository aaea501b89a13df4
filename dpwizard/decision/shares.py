"""How much of a budget the tables of a release use together, counted exactly in fractions.

And which part of it those have whose noise takes a delta, with how it goes together with their noise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from dpwizard.base.fractional import exactly
from dpwizard.decision.histories import Histories, Ways, histories
from dpwizard.decision.in_periods import InPeriods
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


class StatedAmount(NamedTuple):
    """The epsilon or the rho that a table states that it spends; None where it states none."""

    epsilon: float | str | None = None
    rho: float | str | None = None


def in_portions(
    tables: Sequence[Table], amounts: Sequence[StatedAmount], at_most: int | None, in_periods: InPeriods | None = None
) -> tuple[tuple[Table, ...], Fraction | None]:
    """Return TABLES with the portions that AMOUNTS come to, and what the tables spend together.

    Arguments: tables, with their shares as portions; amounts, of each table; at_most, in how many years one person can
    be; in_periods, in how many periods. Tables with a largest loss state epsilon, the others rho; a stated amount of
    the other kind counts as nothing known. Where both kinds are published, tables with a largest loss spend what they
    state whatever the budget is, which is then a rho, and the others divide it. Shares get what amounts leave: .5
    beside a share of 1/2 makes a budget of 1. The second result is None where all tables state shares, or some table
    does not state what it spends.
    """
    if all(each == StatedAmount() for each in amounts):
        return tuple(tables), None
    mixed = len({table.noise.needs_delta for table in tables if not table.noise.absent}) > 1
    rows = [_with_fixed_amount(table, amount, mixed) for table, amount in zip(tables, amounts, strict=True)]
    dividing = [(table, amount) for table, amount in rows if table.fixed is None and not table.noise.absent]
    stating = [replace(table, portion=amount) for table, amount in dividing if amount is not None]
    stated = used(histories(stating, at_most, in_periods))
    if not stated:
        return tuple(table for table, _ in rows), None
    sharing = [table for table, amount in dividing if amount is None]
    shares = as_meant(used(histories(sharing, at_most, in_periods)))
    total = stated / (1 - shares) if shares < 1 else stated
    portioned = (table if amount is None else replace(table, portion=amount / total) for table, amount in rows)
    return tuple(portioned), None if any(table.portion is None for table in sharing) else total


def _with_fixed_amount(table: Table, amount: StatedAmount, mixed: bool) -> tuple[Table, Fraction | None]:
    """Return TABLE, with a fixed amount where it spends one whatever the budget is; and else its stated part of it."""
    if table.noise.absent:
        return table, None
    needs_delta = table.noise.needs_delta
    stated, other = (amount.rho, amount.epsilon) if needs_delta else (amount.epsilon, amount.rho)
    exact = None if stated is None else exactly(stated)
    if mixed and not needs_delta:
        return replace(table, portion=None if exact is None else NONE, fixed=exact), None
    if exact is None and other is not None:
        table = replace(table, portion=None)
    return table, exact
