"""Beliefs by three numbers: a quarter, half and three quarters of what is held possible lie below them.

People know such numbers; nobody knows the mean of a logarithm. Where a family cannot have all three, the fit is the one
of least squares, and how far it lies from what was asked is returned with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import Quantity
from dpwizard.base.value_errors import quoted_value
from dpwizard.base.values import NUMBER_LIMIT, read
from dpwizard.privacy.priors.distribution import Distribution, Quarters, answered

SHARES = (0.25, 0.5, 0.75)
NAMES = ("quarter", "half", "three_quarters")
SAME = 1e-4  # of the distance from the first to the third: nearer than that, they are those asked for


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """A belief fitted to three numbers, and where its own quarters lie."""

    prior: Distribution
    quarters: Quarters
    exact: bool  # whether they are those asked for


def quarters_of(prior: Distribution) -> Quarters:
    """Return the values below which a quarter, half and three quarters of PRIOR lie.

    Raises InvalidInput where a field is not answered.
    """
    answered(prior)
    low, half, high = (prior.quantile(share) for share in SHARES)
    return low, half, high


def fitted(prior: Distribution, quarters: Sequence[float]) -> Fitted:
    """Return the belief of PRIOR's family, with its ends, whose quarters lie nearest those asked for.

    Arguments: prior, whose family is kept and, where the family is cut off at two ends, those; quarters, three numbers
    that increase, in the attribute's unit, within the ends. Returns the belief, its own quarters and whether they are
    those asked for, to 1e-4 of the distance from the first to the third. Nearest is least squares: of the logarithms
    for a lognormal belief, of the numbers themselves for any other. A belief is assumed: neither side is safe.
    Raises InvalidInput where the numbers do not increase, lie outside the ends, or the nearest belief of the family is
    farther from one of them than the first from the third.
    """
    asked = _checked(prior, quarters)
    known = {name: getattr(prior, name) for name in type(prior).model_fields}
    try:
        with np.errstate(all="ignore"):
            found: Distribution = read(type(prior), {**known, **prior.parameters_for(asked)}, "")
            reached = quarters_of(found)
    except (InvalidInput, ArithmeticError, ValueError) as problem:
        raise _out_of_reach() from problem
    furthest = max(abs(one - other) for one, other in zip(asked, reached, strict=True))
    across = asked[2] - asked[0]
    if not furthest <= across:  # NaN as well
        raise _out_of_reach()
    return Fitted(prior=found, quarters=reached, exact=furthest <= SAME * across)


def _checked(prior: Distribution, quarters: Sequence[float]) -> Quarters:
    """Return QUARTERS as three numbers that a belief with PRIOR's ends can have."""
    if len(quarters) != len(SHARES):
        raise InvalidInput("must be three numbers; found {found}", "quarters", "Give all three.", found=len(quarters))
    for name, one in zip(NAMES, quarters, strict=True):
        if not (isinstance(one, int | float) and abs(one) <= NUMBER_LIMIT):
            raise InvalidInput(
                "must be a finite number; found {found}", name, "Enter a number.", found=quoted_value(one)
            )
    if not prior.by_quarters:
        prior.parameters_for((0.0, 1.0, 2.0))  # which says so
    for name in prior.ends:
        if getattr(prior, name) is None:
            raise InvalidInput("is not answered", name, "Enter a value.")
    low, half, high = map(float, quarters)
    first, last = prior.support()
    if not low < half < high:
        name = NAMES[1] if half <= low else NAMES[2]
        raise InvalidInput("must be larger than the number before it", name, "Enter three numbers that increase.")
    if low <= first or high >= last:
        name, end = (NAMES[0], first) if low <= first else (NAMES[2], last)
        raise InvalidInput(
            "must lie within the smallest and the largest value; found {found}, with an end at {end:g}",
            name,
            "Move it inwards.",
            found=quoted_value(low if low <= first else high),
            end=Quantity(end),
        )
    return low, half, high


def _out_of_reach() -> InvalidInput:
    return InvalidInput(
        "are numbers that no belief of this kind comes near", "quarters", "Choose another kind of belief, or bars."
    )
