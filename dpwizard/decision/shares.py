"""The shares of a budget that tables use, as exact fractions, and the calibration of the Gaussian tables' budget."""

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

Amount = Callable[[Table], Fraction | None]  # the amount of a table; None if it does not count or is unknown
NONE = Fraction(0)


def portion(table: Table) -> Fraction | None:
    return table.portion


def used(tables: Histories, amount: Amount = portion) -> Fraction:
    """Return the total share that TABLES use under their declared neighbours; never below the true total.

    Arguments: amount, of each table. Of disjoint tables the largest counts, or the two largest if a unit can move.
    """

    def weigh(table: Table, ways: Ways) -> float:
        share = amount(table)
        return float(share) if share is not None and _is_moved(table, ways) else 0.0

    moved = (alike * (amount(table) or NONE) for table, ways, alike in tables.most(weigh) if _is_moved(table, ways))
    return added(moved)


def _is_moved(table: Table, ways: Ways) -> bool:
    """Return whether the declared neighbours can change TABLE by its sensitivity in one of WAYS."""
    if "stays" in ways:
        return True
    return table.neighbours == "replace" and ("absent" in ways or table.moves is not False)


def share_total(tables: Histories, amount: Amount = portion) -> Fraction:
    """Return the share of the budget that TABLES use, exactly 1 if it is within 1e-9 of 1."""
    return as_meant(used(tables, amount))


def added(shares: Iterable[Fraction]) -> Fraction:
    """Return the sum of SHARES, adding fractions of equal denominators first."""
    over: dict[int, int] = defaultdict(int)
    for share in shares:
        over[share.denominator] += share.numerator
    return sum((Fraction(above, below) for below, above in over.items()), start=NONE)


def as_meant(total: Fraction) -> Fraction:
    """Return TOTAL, or 1 if it is within 1e-9 of 1: decimals such as 0.333333333 are meant to add up."""
    return Fraction(1) if abs(total - 1) <= Fraction(1, 10**9) else total


def dividing(table: Table) -> Fraction | None:
    """Return the portion of a table whose noise shares the budget; None if it states its own amount."""
    return None if table.noise.absent or table.fixed is not None else table.portion


def pure(table: Table) -> Fraction | None:
    """Return the portion of a table with bounded noise that shares the budget."""
    return None if table.noise.needs_delta else dividing(table)


def normal(table: Table) -> Fraction | None:
    """Return the portion of a table with unbounded noise that shares the budget."""
    return dividing(table) if table.noise.needs_delta else None


def gaussian_share(tables: Histories) -> Fraction:
    """Return the budget share of all Gaussian TABLES: 1 if no other noise shares it."""
    if all(move.table.noise.needs_delta for move in tables.moves if move.table.fixed is None):
        return Fraction(1)
    return share_total(tables, normal)


def calibration_of(tables: Histories, dimension: int, in_rho: bool) -> Calibration:
    """Return the calibration of the budget of TABLES with Gaussian noise, which hold DIMENSION numbers in all.

    in_rho: whether their budget is rho, without an epsilon. Continuous noise has its own calibration, discrete noise
    that of zCDP, except for a single number that changes by whole steps, which has its own.
    """
    gaussian = [move for move in tables.moves if move.table.noise.needs_delta]
    if all(table.noise.normal is not None for table, _, _ in gaussian):
        return IN_RHO if in_rho else ANALYTIC
    if in_rho:
        return WHOLE_IN_RHO
    bounded_numbers = sum(table.dimension * count for table, _, count in tables.moves if not table.noise.needs_delta)
    table, _, count = gaussian[0]
    is_single = len(gaussian) == count == table.dimension == table.times_released == 1
    is_whole = table.noise_step() == 1.0 and table.portion == gaussian_share(tables)
    if is_single and is_whole and dimension <= bounded_numbers + 1:
        return DiscreteGaussianCurve.moving(table.sensitivity) or ZCDP
    return ZCDP


class StatedAmount(NamedTuple):
    """The epsilon or rho that a table states; None if it states none."""

    epsilon: float | str | None = None
    rho: float | str | None = None


def in_portions(
    tables: Sequence[Table], amounts: Sequence[StatedAmount], at_most: int | None, in_periods: InPeriods | None = None
) -> tuple[tuple[Table, ...], Fraction | None]:
    """Return TABLES with the portions that follow from AMOUNTS, and the total budget of the tables.

    Arguments: tables, with their shares as portions; amounts, of each table; at_most, in how many years one person can
    be; in_periods, in how many periods. Bounded tables state epsilon, the others rho; the other kind of amount does not
    count. If both kinds of tables are published, the bounded ones use their stated epsilon and the others divide the
    budget, a rho. Shares get the rest: an amount of .5 with a share of 1/2 makes a budget of 1. The second result is
    None if all tables state shares, or one states nothing.
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
    """Return TABLE with its fixed epsilon if that does not depend on the budget, else with its stated amount."""
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
