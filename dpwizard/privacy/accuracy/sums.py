"""How far off a sum or a difference of several published numbers is, and the budgets that keep it near.

**A needed budget is never below the true need.** Proofs: docs/methods/adding_up.md.
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from pydantic import Field

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal
from dpwizard.base.values import Count, Epsilon, NonNegative, OpenProbability, Positive, Value, field, public
from dpwizard.privacy.accuracy.number_noise import noise_with
from dpwizard.privacy.accuracy.statistics import SumWithin, least_budget
from dpwizard.privacy.accuracy.sum_noise import Summands, beyond
from dpwizard.privacy.mechanisms import (
    IN_RHO,
    NoiseName,
    PureName,
    RhoName,
    noise_named,
)

Cells = Annotated[Count, Field(le=10**6)]


class Term(Value):
    """Some numbers of a sum that all have the same noise."""

    mechanism: NoiseName = field("Noise", default=...)
    epsilon: Epsilon | None = field("Budget of geometric and Laplace noise")
    rho: Epsilon | None = field("Budget of Gaussian noise")
    sensitivity: Positive = field("Sensitivity", default=1.0)
    cells: Cells = field("How many numbers", default=1)


Terms = Annotated[tuple[Term, ...], Field(min_length=1, max_length=2_000)]


# ----------------------------------------------------------------------------------- what a budget gives


@public
def sum_within(*, terms: Terms, half_width: NonNegative) -> float:
    """Return P(|noise of the sum| <= half_width) of a sum or difference of numbers with independent noise.

    Arguments: terms, each with mechanism geometric | laplace (epsilon in [0, inf]) or gaussian | discrete_gaussian (rho
    in [0, inf]), sensitivity > 0 and cells, how many numbers have this noise; half_width >= 0. Whole and continuous
    noise do not mix, and Laplace noise has one scale. Returns a probability, exact to 1e-10. Raises InvalidInput.
    Source: docs/methods/adding_up.md.
    """
    return 1.0 - sum_beyond(terms=terms, half_width=half_width)


@public
def sum_beyond(*, terms: Terms, half_width: NonNegative) -> float:
    """Return P(|noise of the sum| > half_width) of a sum or difference of numbers with independent noise.

    Arguments: as of sum_within. Returns a probability, exact to 1e-10 relative where it is above 1e-300. Raises
    InvalidInput. Source: docs/methods/adding_up.md.
    """
    kinds = {term.mechanism for term in terms}
    if len(kinds) > 1 and not all(noise_named(kind).on_lattice for kind in kinds):
        raise InvalidInput(
            message("mix the noise {kinds}", kinds=", ".join(sorted(kinds))),
            "terms",
            "Add up whole noise with whole noise, or noise of one kind.",
        )
    summands: Summands = Counter()
    for at, term in enumerate(terms):
        added = noise_with(term.mechanism, term.epsilon, term.rho, term.sensitivity, f"terms[{at}].")
        summands[noise_named(term.mechanism), added.scale] += term.cells
    return beyond(summands, decimal(half_width))


# ------------------------------------------------------------------------------------ what a need asks


@public
def rho_for_sum_within(
    *,
    mechanism: RhoName,
    cells: Cells,
    half_width: NonNegative,
    level: OpenProbability,
    sensitivity: Positive = 1.0,
) -> float:
    """Return the least rho with which a sum of CELLS numbers lies within HALF_WIDTH with chance LEVEL.

    Arguments: mechanism gaussian | discrete_gaussian; cells >= 1; half_width >= 0; level in (0, 1); sensitivity > 0
    (L2). Returns rho, **never below the true need**, within 1e-9 relative; inf where no finite one will do. Raises
    InvalidInput. Source: docs/methods/adding_up.md (more noise is less peaked, so bisection is right).
    """
    noise = noise_named(mechanism).by_rule(IN_RHO.rule, sensitivity)
    return least_budget(SumWithin(level=level, half_width=half_width), noise, sensitivity, cells=cells)


@public
def epsilon_for_sum_within(
    *,
    mechanism: PureName,
    cells: Cells,
    half_width: NonNegative,
    level: OpenProbability,
    sensitivity: Positive = 1.0,
) -> float:
    """Return the least epsilon with which a sum of CELLS numbers lies within HALF_WIDTH with chance LEVEL.

    Arguments: mechanism geometric | laplace; cells >= 1; half_width >= 0; level in (0, 1); sensitivity > 0 (L1).
    Returns epsilon, **never below the true need**, within 1e-9 relative; inf where no finite one will do. Raises
    InvalidInput. Source: docs/methods/adding_up.md.
    """
    asked = SumWithin(level=level, half_width=half_width)
    return least_budget(asked, noise_named(mechanism), sensitivity, cells=cells)
