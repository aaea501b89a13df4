"""What several releases tell together, read and solved backwards: the functions `accounting.*` by name."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import Field

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.base.numerics import down
from dpwizard.base.values import Count, NonNegative, Number, Positive, Probability, Value, Within, public
from dpwizard.privacy.accounting.accountant import FINENESS, SMALLEST, Accountant, Part
from dpwizard.privacy.accounting.known_curves import zcdp
from dpwizard.privacy.accounting.noises import LEAST, DiscreteGaussian, Gaussian, Laplace, geometric, stated_for
from dpwizard.privacy.accounting.readings import Readings, Worst
from dpwizard.privacy.accounting.zcdp import PersonLoss, epsilon_from_rho, person_loss, rho_from_epsilon
from dpwizard.privacy.largest_budget import largest as largest_budget

__all__ = ["Largest", "PersonLoss", "epsilon_from_rho", "largest", "person_loss", "read", "rho_from_epsilon"]

Read = Literal["delta", "epsilon", "fpr", "tpr", "advantage", "accuracy", "ratio", "share_above"]
Limited = Literal["delta", "epsilon", "tpr", "advantage", "accuracy", "ratio", "share_above"]
Sigma = Annotated[float, Field(strict=True, allow_inf_nan=True), Within(low=0.02, high=1e12)]
Move = Annotated[Count, Field(le=10**9)]
Times = Annotated[Count, Field(le=10**9)]
Share = Annotated[float, Field(strict=True, allow_inf_nan=True), Within(low=0, high=1, low_open=True)]
Distance = Annotated[float, Field(strict=True, allow_inf_nan=True), Within(low=0, high=1e9)]
Rho = Annotated[float, Field(strict=True, allow_inf_nan=True), Within(low=0, high=1e9)]

MOST_RELEASES = 2_000
FINER = 16.0  # by how much a lattice is made finer until the reading stays
STAYS = 3e-4  # relative
SMALLEST_SIGMA = 0.02
START = 1e-3  # the first budget looked at


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
    """Releases of which only epsilon and delta are known."""

    noise: Literal["stated"]
    epsilon: NonNegative
    delta: Probability = 0.0
    people: Count = 1
    times: Times = 1

    def parts(self) -> list[Part]:
        return [(stated_for(self.epsilon, self.delta, self.people), self.times)]


class ZcdpRelease(Value):
    """Releases of which only rho is known."""

    noise: Literal["zcdp"]
    rho: Rho
    times: Times = 1


Release = Annotated[
    DiscreteGaussianRelease | GeometricRelease | LaplaceRelease | GaussianRelease | StatedRelease | ZcdpRelease,
    Field(discriminator="noise"),
]
Releases = Annotated[tuple[Release, ...], Field(min_length=1, max_length=MOST_RELEASES)]


class DiscreteGaussianShare(Value):
    """Whole numbers whose discrete Gaussian noise a share of rho sets."""

    noise: Literal["discrete_gaussian"]
    share: Share = 1.0
    l2: Positive = 1.0
    move: Move = 1
    times: Times = 1

    def at(self, budget: float) -> tuple[list[Part], float | None]:
        sigma = down(self.l2 / math.sqrt(2.0 * budget * self.share), 2)
        return [(DiscreteGaussian(sigma, self.move), self.times)], sigma


class GaussianShare(Value):
    """Numbers whose Gaussian noise a share of rho sets."""

    noise: Literal["gaussian"]
    share: Share = 1.0
    times: Times = 1

    def at(self, budget: float) -> tuple[list[Part], float | None]:
        return [(Gaussian(math.sqrt(2.0 * budget * self.share) * (1.0 + 1e-15)), self.times)], None


class GeometricShare(Value):
    """Whole numbers whose geometric noise a share of epsilon sets: rate = epsilon share, for each step."""

    noise: Literal["geometric"]
    share: Share = 1.0
    move: Move = 1
    times: Times = 1

    def at(self, budget: float) -> tuple[list[Part], float | None]:
        return [(geometric(budget * self.share * (1.0 + 1e-15), self.move), self.times)], None


class LaplaceShare(Value):
    """Numbers whose Laplace noise a share of epsilon sets."""

    noise: Literal["laplace"]
    share: Share = 1.0
    times: Times = 1

    def at(self, budget: float) -> tuple[list[Part], float | None]:
        return [(Laplace(budget * self.share * (1.0 + 1e-15)), self.times)], None


Shared = Annotated[DiscreteGaussianShare | GaussianShare | GeometricShare | LaplaceShare, Field(discriminator="noise")]
Sharing = Annotated[tuple[Shared, ...], Field(min_length=1, max_length=MOST_RELEASES)]
IN_RHO = ("discrete_gaussian", "gaussian")


class Largest(Value):
    """A budget (rho, or epsilon for geometric and Laplace noise; null: any), and each sigma at which it was read."""

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
    """Return what everything that is published together tells of one person, by one of eight readings.

    Arguments: exactly one of releases, what one person's change touches, and histories, several such lists of which one
    is true: sigma at least .02 and move in whole steps, rate for each step, epsilon and mu as distance by scale, each
    so many times; read and at: delta (epsilon, any real number), epsilon (delta; inf where there is none, at 0 the
    largest loss), fpr (true-positive rate: the least false-positive rate), tpr (false-positive rate), advantage (null),
    accuracy (prior chance that the person is in), ratio (share of releases left out), share_above (ratio > 0: the share
    of the releases made with the person's record in which it may be exceeded). **Every reading but fpr is never below
    the truth, fpr is never above it**; within 1e-3 relative. Raises InvalidInput for a number out of range, an empty
    list or losses that range too widely for memory. Source: docs/methods/accounting.md.
    """
    if (releases is None) is (histories is None):
        raise InvalidInput("give exactly one of releases and histories", "releases", "Histories are several lists.")
    _checked(read, at)
    lists = (releases,) if releases is not None else histories or ()

    def once(fineness: float, smallest: float) -> float:
        each = [Accountant(_parts(one, smallest), fineness=fineness, smallest=smallest) for one in lists]
        return reading(each[0] if len(each) == 1 else Worst(each), read, at)

    smallest = min(SMALLEST, at) if at and read in ("epsilon", "fpr", "tpr", "ratio") and at > 0.0 else SMALLEST
    value = once(FINENESS, smallest)
    if read in ("delta", "advantage", "share_above") and value < 1e4 * SMALLEST:
        smallest = LEAST
        value = min(value, once(FINENESS, smallest))
    return sharpened(lambda fineness: once(fineness, smallest), value, read)


@public
def largest(*, releases: Sharing, read: Limited, limit: Number, at: Number | None = None) -> Largest:
    """Return a budget at which what everything published together tells is at most a limit.

    Arguments: releases, each with its share of the budget, all in rho (discrete Gaussian: sigma = l2 / sqrt(2 rho
    share), and its move; Gaussian) or all in epsilon (geometric, for each step; Laplace), and times; read and at, as in
    accounting.read; limit, the most that is allowed. Returns {value, sigmas}: a budget that was read and holds, **never
    one that fails**, within 1e-5 relative of one that was seen to fail; null where none fails. With geometric, Laplace
    and Gaussian noise every smaller budget holds too. Discrete Gaussian noise need not tell less with a smaller budget:
    it holds at the sigmas returned, and any other budget must be read again. Raises InvalidInput; Infeasible where no
    budget holds.
    Source: docs/methods/accounting.md.
    """
    _checked(read, at)
    if len({release.noise in IN_RHO for release in releases}) > 1:
        raise InvalidInput("some divide rho and some epsilon", "releases", "Give Gaussian noise apart from the other.")
    sigmas: dict[float, tuple[float, ...]] = {}

    def value(budget: float) -> float:
        found = [release.at(budget) for release in releases]
        sigmas[budget] = tuple(sigma for _, sigma in found if sigma is not None)
        if any(sigma < SMALLEST_SIGMA for sigma in sigmas[budget]):
            return math.inf  # so little noise is not read
        small = at if at and 0.0 < at < SMALLEST and read in ("epsilon", "tpr", "ratio") else SMALLEST
        smallest = max(LEAST, min(small, limit if read in ("delta", "share_above") and limit > 0.0 else small))
        return reading(Accountant([part for parts, _ in found for part in parts], smallest=smallest), read, at)

    found, failed = largest_budget(value, limit, START)
    if found == 0.0:
        raise Infeasible(
            "no budget keeps this reading at {limit}",
            "limit",
            "Allow more than what holds without any release.",
            limit=limit,
        )
    return Largest(value=found if failed else None, sigmas=sigmas.get(found, ()) if failed else ())


def _checked(read: str, at: float | None) -> None:
    """Raise InvalidInput where AT is not what READ is read at."""
    if read == "advantage":
        if at is not None:
            raise InvalidInput("is not asked for with advantage", "at", "Leave it out.")
        return
    if at is None:
        raise InvalidInput("is missing: {read} is read at a number", "at", "See docs/functions.md.", read=read)
    if read != "delta" and (at < 0.0 or (at > 1.0 and read != "share_above") or (at == 0.0 and read == "share_above")):
        allowed = "greater than 0" if read == "share_above" else "in [0, 1]"
        raise InvalidInput("must be {allowed}; found {at}", "at", "Give a chance.", allowed=allowed, at=at)


def _parts(releases: tuple[Release, ...], smallest: float) -> list[Part]:
    """Return the noises of RELEASES; those of which only rho is known together, which is sharper than one by one."""
    rho = math.fsum(each.rho * each.times for each in releases if isinstance(each, ZcdpRelease))
    parts = [part for each in releases if not isinstance(each, ZcdpRelease) for part in each.parts()]
    if rho > 0.0:
        parts.append((zcdp(rho * (1.0 + 1e-15), smallest), 1))
    return parts


def reading(accountant: Readings, read: Read, at: float | None) -> float:
    """Return one reading of ACCOUNTANT by name."""
    if read == "advantage":
        return accountant.advantage()
    methods: dict[str, Callable[[float], float]] = {
        "delta": accountant.delta,
        "epsilon": accountant.epsilon,
        "fpr": accountant.fpr,
        "tpr": accountant.tpr,
        "accuracy": accountant.accuracy,
        "ratio": accountant.ratio,
        "share_above": accountant.share_above,
    }
    return methods[read](at if at is not None else 0.0)


def sharpened(once: Callable[[float], float], value: float, read: Read) -> float:
    """Return the best of VALUE and of readings on ever finer lattices, until one stays or memory ends.

    Where delta is nearly flat an epsilon moves far with it. Every one of them is safe.
    """
    fineness = FINENESS
    for _ in range(3):
        fineness /= FINER
        try:
            finer = once(fineness)
        except InvalidInput:  # too fine for memory
            return value
        best = max(value, finer) if read == "fpr" else min(value, finer)
        if best == value or abs(best - value) <= STAYS * abs(best):
            return best
        value = best
    return value
