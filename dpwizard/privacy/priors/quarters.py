"""Priors by three quartiles: the values below which a quarter, half and three quarters of the probability are.

People know such numbers better than, say, the mean of a logarithm. If a family cannot have all three, the fit is by
least squares, and its own quartiles are returned with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import Quantity
from dpwizard.base.value_errors import quoted_value
from dpwizard.base.values import NUMBER_LIMIT, read
from dpwizard.privacy.priors.density import Floats
from dpwizard.privacy.priors.distribution import Distribution, Quarters, answered, array

SHARES = array((0.25, 0.5, 0.75))
NAMES = ("quarter", "half", "three_quarters")
EXACT_WITHIN = 1e-4  # relative to the distance from the first to the third quartile
Z_THREE_QUARTERS = 0.6744897501960817  # Phi of it is 3/4


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """A prior fitted to three quartiles, and its own quartiles."""

    prior: Distribution
    quarters: Quarters
    exact: bool  # whether they equal the given ones


def quarters_of(prior: Distribution) -> Quarters:
    """Return the quartiles of PRIOR: the values below which it has 1/4, 1/2 and 3/4 of its mass.

    Raises InvalidInput if a field is not answered.
    """
    answered(prior)
    low, half, high = (prior.quantile(share) for share in SHARES)
    return low, half, high


def fitted(prior: Distribution, quarters: Sequence[float]) -> Fitted:
    """Return the prior of PRIOR's family, with its ends, whose quartiles are nearest to QUARTERS.

    Arguments: prior, whose family and ends (of a family with two) are kept; quarters, three increasing numbers within
    the ends, in the attribute's unit. Returns the prior, its own quartiles and whether they are those given, to 1e-4 of
    the distance from the first to the third. Nearest is by least squares: of the logarithms for a lognormal prior, of
    the numbers for any other. A prior is assumed: neither side is safe. Raises InvalidInput if the numbers do not
    increase, are outside the ends, or the nearest prior is farther from one of them than the first from the third.
    """
    numbers = _check_quarters(prior, quarters)
    fields = {name: getattr(prior, name) for name in type(prior).model_fields}
    try:
        with np.errstate(all="ignore"):
            prior_found: Distribution = read(type(prior), {**fields, **prior.parameters_for(numbers)}, "")
            own_quarters = quarters_of(prior_found)
    except (InvalidInput, ArithmeticError, ValueError) as error:
        raise _no_fit() from error
    largest_distance = max(abs(number - quarter) for number, quarter in zip(numbers, own_quarters, strict=True))
    span = numbers[2] - numbers[0]
    if not largest_distance <= span:  # NaN as well
        raise _no_fit()
    return Fitted(prior=prior_found, quarters=own_quarters, exact=largest_distance <= EXACT_WITHIN * span)


def _check_quarters(prior: Distribution, quarters: Sequence[float]) -> Quarters:
    """Return QUARTERS as three numbers that a prior with PRIOR's ends can have."""
    if len(quarters) != len(SHARES):
        raise InvalidInput("must be three numbers; found {found}", "quarters", "Give all three.", found=len(quarters))
    for name, value in zip(NAMES, quarters, strict=True):
        if not (isinstance(value, int | float) and abs(value) <= NUMBER_LIMIT):
            raise InvalidInput(
                "must be a finite number; found {found}", name, "Enter a number.", found=quoted_value(value)
            )
    if not prior.by_quarters:
        prior.parameters_for((0.0, 1.0, 2.0))  # raises the error
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
            "must be within the smallest and the largest value; found {found}, with an end at {end:g}",
            name,
            "Move it inwards.",
            found=quoted_value(low if low <= first else high),
            end=Quantity(end),
        )
    return low, half, high


def _no_fit() -> InvalidInput:
    return InvalidInput(
        "are numbers that no distribution of this kind comes near",
        "quarters",
        "Choose another kind of distribution, or bars.",
    )


# ------------------------------------------------------------------------------- least squares


def normal_fit(quarters: Quarters) -> tuple[float, float]:
    """Return mean and standard deviation of the normal prior with the nearest quartiles, by least squares.

    Its quartiles are mean - z sd, mean and mean + z sd with Phi(z) = 3/4: a straight line through three points.
    """
    low, half, high = quarters
    return low / 3 + half / 3 + high / 3, (high / 2 - low / 2) / Z_THREE_QUARTERS


def least_squares_fit(
    quantiles: Callable[[Floats], Floats], quarters: Floats, starts: Sequence[Floats], bounds: Any
) -> Floats:
    """Return the two parameters whose QUANTILES are nearest to QUARTERS, by least squares, from several STARTS."""
    from scipy.optimize import least_squares  # 0.2 s to import

    spread = float(quarters[2] - quarters[0])

    def residuals_at(at: Floats) -> Floats:
        return np.nan_to_num((quantiles(at) - quarters) / spread, nan=1e3, posinf=1e3, neginf=-1e3)

    fits = [
        least_squares(residuals_at, np.clip(start, *bounds), bounds=bounds, xtol=1e-12, ftol=1e-15, gtol=1e-15)
        for start in starts
    ]
    best: Floats = min(fits, key=lambda fit: float(fit.cost)).x
    return best
