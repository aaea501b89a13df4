"""What a release of some budget costs in all its repetitions: as rho, as mu, and as epsilon with the rule that says so.

The budget is the one number of a release: epsilon, or rho where all its noise is Gaussian and no delta is stated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from dpwizard.decision.loss import Loss, loss_of
from dpwizard.decision.release import Counting, Release
from dpwizard.decision.requirement import Side
from dpwizard.decision.settings import NumberSetting
from dpwizard.decision.worlds import UnitPresent, ValueChanged
from dpwizard.numerics import down, product_up, up
from dpwizard.privacy.mechanisms import loose_epsilon, zcdp_epsilon

ConversionRule = Literal["exact", "cks", "loose", "tight"]


@dataclass(frozen=True, kw_only=True)
class Ends:
    """The ends of the window in another coordinate; upper None: there is none."""

    lower: float
    upper: float | None


@dataclass(frozen=True, kw_only=True)
class Coordinates:
    """In what a budget is told: epsilon, and under Gaussian noise rho and mu."""

    epsilon: bool = True
    rho: bool = False
    mu: bool = False

    @property
    def budget(self) -> Counting:
        """Return what the budget itself is."""
        return "epsilon" if self.epsilon else "rho"

    def of(self, *, rho: Any, mu: Any) -> dict[str, Any]:
        """Return those of the figures that are told, by name."""
        known = {"rho": (self.rho, rho), "mu": (self.mu, mu)}
        return {name: figure for name, (told, figure) in known.items() if told}


IN_EPSILON = Coordinates()


@dataclass(frozen=True, kw_only=True)
class Conversion:
    """An epsilon that a rho keeps at delta, and the rule that says so."""

    rule: ConversionRule
    epsilon: float


@dataclass(frozen=True, kw_only=True)
class Accounting:
    """What all tables and repetitions of a release lose under its neighbours, none of it below the truth.

    mu is known of Gaussian noise alone; delta and epsilon of a release that is counted in epsilon.
    """

    rho: float | None = None
    mu: float | None = None
    delta: float | None = None
    epsilon: float | None = None
    conversions: tuple[Conversion, ...] = ()
    counted_in: Counting = "epsilon"

    def as_plain(self) -> Mapping[str, Any]:
        told = {"rho": self.rho, "mu": self.mu, "delta": self.delta, "epsilon": self.epsilon}
        if self.counted_in == "rho":
            del told["epsilon"]
        return {**told, "conversions": self.conversions}


NO_ACCOUNTING = Accounting()


def account(release: Release, budget: float | None) -> Accounting:
    """Return what RELEASE costs at its BUDGET (None: not chosen), all tables and repetitions together.

    Source: Dong, Roth & Su 2022, Corollary 2 (mu); Bun & Steinke 2016, Lemma 2.3 and Proposition 1.4 (rho adds up, and
    of a largest loss it is half its square); docs/methods/composition.md.
    """
    nothing = Accounting(counted_in=release.counted_in)
    if budget is None or release.neighbours is None or release.noise.absent:
        return nothing
    noise, times = release.noise, release.repetitions
    if noise.takes_delta and release.delta is None and release.counted_in == "epsilon":
        return nothing
    told = _loss(release)
    once = told.rate * budget if told.rate else 0.0  # what noise with a largest loss tells in one repetition
    mu = told.mu(budget)
    if release.counted_in == "rho":
        normal = told.curve.normal
        return Accounting(rho=product_up(budget, times), mu=mu if normal else None, counted_in="rho")
    rho = up(times * once * once / 2.0 + mu * mu / 2.0, 4)
    if release.delta is None or not noise.takes_delta:
        return Accounting(rho=rho, epsilon=told.alone(budget))
    delta, curve = release.delta, told.curve
    own = {"exact": "exact" if curve.normal else "tight"}.get(curve.rule)  # the curve of this very noise
    epsilon = told.alone(budget) if times == 1 else up(once * times + curve.epsilon(mu, delta), 4)
    rules: list[tuple[Any, float]] = [(own, epsilon)] if own and not told.rate else []
    rules += [("cks", zcdp_epsilon(rho, delta)), ("loose", loose_epsilon(rho, delta))]
    return Accounting(
        rho=rho,
        mu=mu if curve.normal and not told.rate else None,
        delta=delta,
        epsilon=epsilon,
        conversions=tuple(Conversion(rule=rule, epsilon=found) for rule, found in rules),
    )


def _loss(release: Release) -> Loss:
    """Return what the noisy tables tell of the declared neighbours; exact figures beside them cost nothing here."""
    pair = UnitPresent() if release.neighbours == "add_remove" else ValueChanged()
    return release.once(
        "accounting",
        lambda: loss_of(
            pair, release.noisy_groups, repetitions=release.repetitions, delta=release.delta, curve=release.curve
        ),
    )


# ------------------------------------------------------------------------------- one budget in the other coordinates


def coordinates(release: Release) -> Coordinates:
    """Return in what budgets of RELEASE are told: rho if all its noise is Gaussian, mu if none of it is discrete."""
    if not release.noise.only_deltas or (release.counted_in == "epsilon" and release.delta is None):
        return IN_EPSILON
    return Coordinates(epsilon=release.counted_in == "epsilon", rho=True, mu=release.curve.normal)


def rho_and_mu(release: Release, budget: float | None, side: Side) -> tuple[float | None, float | None]:
    """Return rho and mu of one repetition at BUDGET, a limit rounded down, a need rounded up; None where there is none.

    Of noise that is Gaussian in all tables. Under discrete Gaussian noise there is no mu: it has another curve.
    """
    known = coordinates(release)
    if budget is None or not known.rho:
        return None, None
    curve = release.curve
    mu = curve.mu(budget, release.delta or 0.0)
    if side == "lower":
        mu = up(mu * (1.0 + curve.error), 2)
    if release.counted_in == "rho":
        return budget, mu if known.mu else None
    rho = up(mu * mu / 2.0, 2) if side == "lower" else down(mu * mu / 2.0, 2)
    return rho, mu if known.mu else None


def at_budget(release: Release, budget: float | None) -> Mapping[str, float]:
    """Return rho and mu of one repetition at BUDGET, and the standard deviation of the only table's noise."""
    rho, mu = rho_and_mu(release, budget, "upper")
    found = {"rho": rho, "mu": mu, "sd": None if rho is None else deviation(release, budget)}
    return {name: value for name, value in found.items() if value is not None}


def deviation(release: Release, budget: float | None) -> float | None:
    """Return the standard deviation of the noise of the only table at BUDGET; None of several, or of infinite noise."""
    setting = release.number_setting(release.noisy[0].name) if len(release.noisy) == 1 else None
    if budget is None or not isinstance(setting, NumberSetting) or setting.noise is None:
        return None
    sd = setting.noise.sd(setting.scale(budget))
    return None if math.isinf(sd) else sd
