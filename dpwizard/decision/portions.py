"""The portion of the budget that each table has, from what it states: a share, or an amount of epsilon or of rho."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from dpwizard.decision.histories import histories
from dpwizard.decision.in_periods import InPeriods
from dpwizard.decision.shares import NONE, as_meant, used
from dpwizard.decision.tables import Table


class Amount(NamedTuple):
    """What a table states that it spends, in the one or the other; None where it does not."""

    epsilon: Fraction | None = None
    rho: Fraction | None = None


def in_portions(
    tables: Sequence[Table], amounts: Sequence[Amount], at_most: int | None, in_periods: InPeriods | None = None
) -> tuple[tuple[Table, ...], Fraction | None]:
    """Return TABLES with the portions that AMOUNTS come to, and what the tables spend together.

    Arguments: tables, with their shares as portions; amounts, of each table; at_most, in how many years one person
    can be; in_periods, in how many periods. Tables with a largest loss state epsilon, the others rho; the other
    amount says nothing of a table. Where both kinds are published, the former spend what they state whatever the
    budget is, which is rho, and the latter divide it. Amounts leave to shares what these ask for: .5 beside a share
    of 1/2 makes a budget of 1. What is spent together is None where some table does not say what it spends, or where
    shares alone do.
    """
    if all(each == Amount() for each in amounts):
        return tuple(tables), None
    mixed = len({table.noise.needs_delta for table in tables if not table.noise.absent}) > 1
    read = [_read(table, amount, mixed) for table, amount in zip(tables, amounts, strict=True)]
    dividing = [(table, amount) for table, amount in read if table.fixed is None and not table.noise.absent]
    stating = [replace(table, portion=amount) for table, amount in dividing if amount is not None]
    stated = used(histories(stating, at_most, in_periods))
    if not stated:
        return tuple(table for table, _ in read), None
    sharing = [table for table, amount in dividing if amount is None]
    shares = as_meant(used(histories(sharing, at_most, in_periods)))
    total = stated / (1 - shares) if shares < 1 else stated
    found = (table if amount is None else replace(table, portion=amount / total) for table, amount in read)
    return tuple(found), None if any(table.portion is None for table in sharing) else total


def _read(table: Table, amount: Amount, mixed: bool) -> tuple[Table, Fraction | None]:
    """Return TABLE, spending the same whatever the budget is where it says so, and the part of the budget it states."""
    normal = table.noise.needs_delta
    stated, other = (amount.rho, amount.epsilon) if normal else (amount.epsilon, amount.rho)
    if table.noise.absent:
        return table, None
    if mixed and not normal:
        return replace(table, portion=None if stated is None else NONE, fixed=stated), None
    return (replace(table, portion=None) if stated is None and other is not None else table), stated
