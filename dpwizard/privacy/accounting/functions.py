"""The public functions `accounting.*`: the total loss of several releases, the budget for a limit, and rho.

Three rules convert rho to epsilon: "exact" is the curve of the Gaussian mechanism (Balle & Wang 2018), for Gaussian
noise alone; "cks" is the zCDP bound at its best order (Canonne, Kamath & Steinke 2020, Proposition 12); "loose" is rho
+ 2 sqrt(rho ln(1/delta)) (Bun & Steinke 2016, Proposition 1.3). Proofs: docs/methods/accounting.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import Field

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.base.fractional import RoundedUp
from dpwizard.base.numerics import decimal, down, product_up, up, written_up
from dpwizard.base.values import (
    Count,
    NonNegative,
    Number,
    OpenProbability,
    Positive,
    Probability,
    Value,
    Within,
    field,
    public,
)
from dpwizard.privacy.accounting.accountant import Part, compose
from dpwizard.privacy.accounting.known_curves import zcdp
from dpwizard.privacy.accounting.noises import DiscreteGaussian, Gaussian, Laplace, geometric, stated_for_group
from dpwizard.privacy.accounting.readings import Readings, Worst
from dpwizard.privacy.largest_budget import largest as largest_budget
from dpwizard.privacy.mechanisms import gaussian_epsilon, gaussian_mu, loose_epsilon, loose_rho, zcdp_epsilon, zcdp_rho

__all__ = ["Largest", "PersonLoss", "epsilon_from_rho", "largest", "person_loss", "read", "rho_from_epsilon"]

Read = Literal["delta", "epsilon", "fpr", "tpr", "advantage", "accuracy", "ratio", "share_above"]
Limited = Literal["delta", "epsilon", "tpr", "advantage", "accuracy", "ratio", "share_above"]
Sigma = Annotated[float, Field(strict=True, allow_inf_nan=True), Within(low=0.02, high=1e12)]
Move = Annotated[Count, Field(le=10**9)]
Times = Annotated[Count, Field(le=10**9)]
Share = Annotated[float, Field(strict=True, allow_inf_nan=True), Within(low=0, high=1, low_open=True)]
Distance = Annotated[float, Field(strict=True, allow_inf_nan=True), Within(low=0, high=1e9)]
Rho = Annotated[float, Field(strict=True, allow_inf_nan=True), Within(low=0, high=1e9)]
Rule = Literal["exact", "cks", "loose"]

MOST_RELEASES = 2_000
SMALLEST_SIGMA = 0.02
FIRST_BUDGET = 1e-3  # the first budget of the search


class DiscreteGaussianRelease(Value):
    """Whole numbers with discrete Gaussian noise."""

    noise: Literal["discrete_gaussian"]
    sigma: Sigma
    move: Move = 1
    times: Times = 1

    def parts(self) -> list[Part]:
        return [(DiscreteGaussian(self.sigma, self.move), self.times)]


class GeometricRelease(Value):
    """Whole numbers with geometric noise."""

    noise: Literal["geometric"]
    rate: NonNegative
    move: Move = 1
    times: Times = 1

    def parts(self) -> list[Part]:
        return [(geometric(self.rate, self.move), self.times)]


class LaplaceRelease(Value):
    """Numbers with Laplace noise."""

    noise: Literal["laplace"]
    epsilon: NonNegative
    times: Times = 1

    def parts(self) -> list[Part]:
        return [(Laplace(self.epsilon), self.times)]


class GaussianRelease(Value):
    """Numbers with Gaussian noise."""

    noise: Literal["gaussian"]
    mu: Distance
    times: Times = 1

    def parts(self) -> list[Part]:
        return [(Gaussian(self.mu), self.times)]


class StatedRelease(Value):
    """Releases whose epsilon and delta alone are known."""

    noise: Literal["stated"]
    epsilon: NonNegative
    delta: Probability = 0.0
    people: Count = 1
    times: Times = 1

    def parts(self) -> list[Part]:
        return [(stated_for_group(self.epsilon, self.delta, self.people), self.times)]


class ZcdpRelease(Value):
    """Releases whose rho alone is known."""

    noise: Literal["zcdp"]
    rho: Rho
    times: Times = 1


Release = Annotated[
    DiscreteGaussianRelease | GeometricRelease | LaplaceRelease | GaussianRelease | StatedRelease | ZcdpRelease,
    Field(discriminator="noise"),
]
Releases = Annotated[tuple[Release, ...], Field(min_length=1, max_length=MOST_RELEASES)]


class DiscreteGaussianShare(Value):
    """Whole numbers with discrete Gaussian noise, whose scale follows from a share of rho."""

    noise: Literal["discrete_gaussian"]
    share: Share = 1.0
    l2: Positive = 1.0
    move: Move = 1
    times: Times = 1

    def at(self, budget: float) -> tuple[list[Part], float | None]:
        sigma = down(self.l2 / math.sqrt(2.0 * budget * self.share), 2)
        return [(DiscreteGaussian(sigma, self.move), self.times)], sigma


class GaussianShare(Value):
    """Numbers with Gaussian noise, whose scale follows from a share of rho."""

    noise: Literal["gaussian"]
    share: Share = 1.0
    times: Times = 1

    def at(self, budget: float) -> tuple[list[Part], float | None]:
        return [(Gaussian(math.sqrt(2.0 * budget * self.share) * (1.0 + 1e-15)), self.times)], None


class GeometricShare(Value):
    """Whole numbers with geometric noise: rate = epsilon share, per step."""

    noise: Literal["geometric"]
    share: Share = 1.0
    move: Move = 1
    times: Times = 1

    def at(self, budget: float) -> tuple[list[Part], float | None]:
        return [(geometric(budget * self.share * (1.0 + 1e-15), self.move), self.times)], None


class LaplaceShare(Value):
    """Numbers with Laplace noise, whose scale follows from a share of epsilon."""

    noise: Literal["laplace"]
    share: Share = 1.0
    times: Times = 1

    def at(self, budget: float) -> tuple[list[Part], float | None]:
        return [(Laplace(budget * self.share * (1.0 + 1e-15)), self.times)], None


Shared = Annotated[DiscreteGaussianShare | GaussianShare | GeometricShare | LaplaceShare, Field(discriminator="noise")]
Sharing = Annotated[tuple[Shared, ...], Field(min_length=1, max_length=MOST_RELEASES)]


class Largest(Value):
    """A budget (rho, or epsilon for geometric and Laplace noise; null: any), and the sigmas at which it was checked."""

    value: float | None
    sigmas: tuple[float, ...] = ()


@public
def read(
    *,
    read: Read,
    at: Number | None = None,
    releases: Releases | None = None,
    histories: Annotated[tuple[Releases, ...], Field(min_length=1, max_length=1_000)] | None = None,
) -> float:
    """Return a measure of the total privacy loss of one person over all releases, one of eight.

    Arguments: exactly one of releases, those that one person's change touches, and histories, several such lists of
    which one is true: sigma at least .02 and move in whole steps, rate for each step, epsilon and mu as distance by
    scale, each so many times; read and at: delta (epsilon, any real number), epsilon (delta; inf where there is none,
    at 0 the largest loss), fpr (true-positive rate: the least false-positive rate), tpr (false-positive rate),
    advantage (null), accuracy (prior chance that the person is in), ratio (share of releases left out), share_above
    (ratio > 0: the share of the releases made with the person's record in which it may be exceeded). **Every reading
    but fpr is never below the true one, fpr never above it**; within 1e-3 relative, but further off where discrete
    noise of few losses meets a little continuous noise. Raises InvalidInput for a number out of range, an empty list or
    losses that range too widely for memory. Source: docs/methods/accounting.md.
    """
    if (releases is None) is (histories is None):
        raise InvalidInput("give exactly one of releases and histories", "releases", "Histories are several lists.")
    _check_argument_of_reading(read, at)
    lists = (releases,) if releases is not None else histories or ()

    histories_read = [compose(_noises_of(history)) for history in lists]
    return reading(histories_read[0] if len(histories_read) == 1 else Worst(histories_read), read, at)


@public
def largest(*, releases: Sharing, read: Limited, limit: Number, at: Number | None = None) -> Largest:
    """Return a budget at which a measure of the total privacy loss is at most a limit.

    Arguments: releases, each with its share of the budget, all in rho (discrete Gaussian: sigma = l2 / sqrt(2 rho
    share), and its move; Gaussian) or all in epsilon (geometric, for each step; Laplace), and times; read and at, as in
    accounting.read; limit, the most that is allowed. Returns {value, sigmas}: a budget that was read and holds, **never
    one that fails**, within 1e-5 relative of one that was seen to fail; null where none fails. With geometric, Laplace
    and Gaussian noise every smaller budget holds too. Discrete Gaussian noise need not reveal less with a smaller
    budget: it holds at the sigmas returned, and any other budget must be read again. Raises InvalidInput; Infeasible
    where no budget holds. Source: docs/methods/accounting.md.
    """
    _check_argument_of_reading(read, at)
    if len({isinstance(release, DiscreteGaussianShare | GaussianShare) for release in releases}) > 1:
        raise InvalidInput("some divide rho and some epsilon", "releases", "Enter Gaussian noise separately.")
    sigmas: dict[float, tuple[float, ...]] = {}

    def reading_at(budget: float) -> float:
        noises = [release.at(budget) for release in releases]
        sigmas[budget] = tuple(sigma for _, sigma in noises if sigma is not None)
        if any(sigma < SMALLEST_SIGMA for sigma in sigmas[budget]):
            return math.inf  # so little noise counts as none
        return reading(compose(part for parts, _ in noises for part in parts), read, at)

    budget, fails_above = largest_budget(reading_at, limit, FIRST_BUDGET)
    if budget == 0.0:
        raise Infeasible(
            "no budget limits this to {limit}",
            "limit",
            "Allow more than is true without any release.",
            limit=limit,
        )
    return Largest(value=budget, sigmas=sigmas.get(budget, ())) if fails_above else Largest(value=None)


def _check_argument_of_reading(read: str, at: float | None) -> None:
    if read == "advantage":
        if at is not None:
            raise InvalidInput("is not used together with advantage", "at", "Leave it out.")
        return
    if at is None:
        raise InvalidInput("is missing: {read} is read at a number", "at", "See docs/functions.md.", read=read)
    if read != "delta" and (at < 0.0 or (at > 1.0 and read != "share_above") or (at == 0.0 and read == "share_above")):
        allowed = "greater than 0" if read == "share_above" else "in [0, 1]"
        raise InvalidInput("must be {allowed}; found {at}", "at", "Give a chance.", allowed=allowed, at=at)


def _noises_of(releases: tuple[Release, ...]) -> list[Part]:
    """Return the noises of RELEASES; those with a rho alone are added up first, which is sharper."""
    rho = math.fsum(release.rho * release.times for release in releases if isinstance(release, ZcdpRelease))
    parts = [part for release in releases if not isinstance(release, ZcdpRelease) for part in release.parts()]
    if rho > 0.0:
        parts.append((zcdp(rho * (1.0 + 1e-15)), 1))
    return parts


def reading(loss: Readings, read: Read, at: float | None) -> float:
    method: Callable[..., float] = getattr(loss, read)
    return method() if at is None else method(at)


class PersonLoss(Value):
    """The total loss of one person over all slices they are in."""

    basic: float | None = field("Epsilon by basic composition; null for rho", default=...)
    rho: float = field("Rho", default=...)
    epsilon: float = field("Epsilon at delta, the smaller of basic and the rule cks", default=...)


@public
def epsilon_from_rho(*, rho: RoundedUp, delta: OpenProbability, rule: Rule = "cks") -> float:
    """Return an epsilon that RHO keeps at DELTA.

    Arguments: rho >= 0, a number or a fraction such as "53/513"; delta in (0, 1); rule, exact (Gaussian noise alone) |
    cks | loose. Returns epsilon >= 0, **never below what the rule says** and at most 1e-12 relative above it (exact,
    loose) or 1e-9 (cks, whose order is searched: every order is valid). Raises InvalidInput. Source: Balle & Wang 2018;
    Canonne, Kamath & Steinke 2020, Proposition 12; Bun & Steinke 2016, Proposition 1.3.
    """
    if rho == 0.0:
        return 0.0
    if rule == "exact":
        return gaussian_epsilon(up(math.sqrt(2.0 * rho), 2), delta)
    return loose_epsilon(rho, delta) if rule == "loose" else zcdp_epsilon(rho, delta)


@public
def rho_from_epsilon(*, epsilon: NonNegative, delta: OpenProbability, rule: Rule = "cks") -> float:
    """Return the largest rho whose epsilon at DELTA is at most EPSILON.

    Arguments: epsilon >= 0; delta and rule as for epsilon_from_rho. Returns rho >= 0, **never above the true value**
    and at most 1e-12 relative below it (cks: 1e-9). Raises InvalidInput. Source: as there.
    """
    if rule == "exact":
        mu = gaussian_mu(epsilon, delta)
        return down(mu * mu / 2.0, 4)
    return loose_rho(epsilon, delta) if rule == "loose" else zcdp_rho(epsilon, delta)


@public
def person_loss(
    *,
    slices: Annotated[Count, Field(le=10**9)],
    delta: OpenProbability,
    epsilon: NonNegative | None = None,
    rho: RoundedUp | None = None,
) -> PersonLoss:
    """Return the total loss of one person over SLICES slices, each protected by EPSILON or by RHO.

    Arguments: slices >= 1; delta in (0, 1); exactly one of epsilon >= 0 (pure) and rho >= 0, of one slice. Returns
    basic = slices epsilon (null for rho), rho = slices rho (epsilon^2/2 for pure) and epsilon at delta, the smaller of
    basic and rule cks; **none is below the true value**. Raises InvalidInput. Source: Bun & Steinke 2016,
    Proposition 1.4 and Lemma 2.3.
    """
    if (epsilon is None) is (rho is None):
        raise InvalidInput("give exactly one of epsilon and rho", "epsilon", "Enter epsilon or rho for one period.")
    if epsilon is None:
        basic, total_rho = None, product_up(rho or 0.0, slices)
    else:
        basic, total_rho = product_up(epsilon, slices), written_up(decimal(epsilon) ** 2 * slices / 2)
    by_rule = epsilon_from_rho(rho=total_rho, delta=delta)
    return PersonLoss(basic=basic, rho=total_rho, epsilon=by_rule if basic is None else min(basic, by_rule))
