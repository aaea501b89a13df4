"""The cost of a release at a budget over all repetitions: as rho, as mu, and as epsilon with its conversion rule."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Literal

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import down, product_up, up
from dpwizard.decision.loss import ComposedLoss
from dpwizard.decision.neighbouring import TableSubset
from dpwizard.decision.release import Counting, Release
from dpwizard.decision.requirement import Side
from dpwizard.decision.settings import AccuracyInputs
from dpwizard.decision.trade_off import TradeOff
from dpwizard.privacy.mechanisms import ZCDP, loose_epsilon, zcdp_epsilon

DELTAS = (1e-5, 1e-6, 1e-10)  # the deltas at which the epsilon of every release is shown
ConversionRule = Literal["exact", "cks", "loose", "tight"]


@dataclass(frozen=True, kw_only=True)
class Conversion:
    """An epsilon converted from a rho at delta, and the conversion rule."""

    rule: ConversionRule
    epsilon: float


@dataclass(frozen=True, kw_only=True)
class AtDelta:
    """The epsilon of all releases together at a delta; None if there is none."""

    delta: float
    epsilon: float | None


@dataclass(frozen=True, kw_only=True)
class Readings:
    """Figures computed earlier from a trade-off curve: the values of `Accounting.gdp_mu` and `at_delta`."""

    gdp_mu: float | None
    at_delta: tuple[AtDelta, ...]


@dataclass(frozen=True, kw_only=True)
class Accounting:
    """The privacy cost of the tables and repetitions of a release under its neighbours; never below the true cost.

    mu is known for Gaussian noise alone, delta and epsilon if the release is counted in epsilon. by_attribute: the cost
    of the tables that may read the attribute; within_level: the cost of all finer levels; per_person: the cost for all
    units of one person. These, gdp_mu and at_delta are given for the whole release only. gdp_mu and at_delta are slow,
    and are computed when they are shown.
    """

    rho: float | None = None
    mu: float | None = None
    delta: float | None = None
    epsilon: float | None = None
    conversions: tuple[Conversion, ...] = ()
    counted_in: Counting = "epsilon"
    by_attribute: tuple[tuple[str, Accounting], ...] = ()
    within_level: tuple[tuple[str, Accounting], ...] = ()
    per_person: Accounting | None = None
    trade_off: TradeOff | Readings | None = field(default=None, compare=False, repr=False)  # of the whole release

    def as_plain(self) -> Mapping[str, Any]:
        figures = {"rho": self.rho, "mu": self.mu, "delta": self.delta, "epsilon": self.epsilon}
        if self.counted_in == "rho" and self.epsilon is None:
            del figures["epsilon"]
        plain: dict[str, Any] = {**figures, "conversions": self.conversions}
        if self.trade_off is not None:
            plain |= {"gdp_mu": self.gdp_mu, "at_delta": self.at_delta}
        for name in ("by_attribute", "within_level"):
            if rows := getattr(self, name):
                plain[name] = dict(rows)
        return plain if self.per_person is None else {**plain, "per_person": self.per_person}

    @cached_property
    def gdp_mu(self) -> float | None:
        """Return the smallest mu whose Gaussian trade-off curve is nowhere above that of this release; rounded up.

        For true-positive rates of 1e-15 or more; None where there is none, as with a stated delta above 0.
        """
        if self.trade_off is None or isinstance(self.trade_off, Readings):
            return None if self.trade_off is None else self.trade_off.gdp_mu
        return _finite_or_none(self.trade_off.gdp_mu)

    @cached_property
    def at_delta(self) -> tuple[AtDelta, ...]:
        """Return the epsilon at each of DELTAS; None if there is none, or if it cannot be computed."""
        if self.trade_off is None or isinstance(self.trade_off, Readings):
            return () if self.trade_off is None else self.trade_off.at_delta
        curve = self.trade_off
        return tuple(AtDelta(delta=delta, epsilon=_finite_or_none(partial(curve.epsilon, delta))) for delta in DELTAS)


def _finite_or_none(read: Callable[[], float]) -> float | None:
    """Return the result of READ; None if it is infinite, or if the losses span too wide a range."""
    try:
        reading = read()
    except InvalidInput:
        return None
    return None if math.isinf(reading) else reading


NO_ACCOUNTING = Accounting()


def account(release: Release, budget: float | None) -> Accounting:
    """Return the privacy cost of RELEASE at BUDGET (None: not chosen), over all tables and repetitions, and by parts.

    Source: Dong, Roth & Su 2022, Corollary 2 (mu); Bun & Steinke 2016, Lemma 2.3 and Proposition 1.4 (rho adds up, and
    a largest loss counts as half its square); docs/methods/accounting.md and programmes.md.
    """
    if budget is None or release.neighbours is None or release.noise.absent:
        return Accounting(counted_in=release.counted_in)
    if release.noise.needs_delta and release.delta is None and release.counted_in == "epsilon":
        return Accounting(counted_in=release.counted_in)
    declared = TableSubset(declared=release.neighbours)
    names = dict.fromkeys(name for table in release.noisy for name in table.reads or ())
    reading = {name: replace(declared, attribute=name) for name in names}
    # a change within one area of a level affects only tables without a level, or of a finer level
    finer = {name: replace(declared, levels_left_out=release.levels[at:]) for at, name in enumerate(release.levels)}

    def of_parts(pairs: Mapping[str, TableSubset]) -> tuple[tuple[str, Accounting], ...]:
        return tuple((name, _accounting_of(release, release.loss(pair), budget)) for name, pair in pairs.items())

    loss, units = release.loss(declared), release.units_of_a_person
    return replace(
        _accounting_of(release, loss, budget),
        by_attribute=of_parts(reading),
        within_level=of_parts(finer),
        per_person=None if units is None else _accounting_of(release, loss, budget, units),
        trade_off=loss.trade_off(budget) if loss.missing is None else None,
    )


def _accounting_of(release: Release, loss: ComposedLoss, budget: float, units: int = 1) -> Accounting:
    """Return the cost of LOSS for UNITS units of one person, at the release's BUDGET.

    The costs of slices of time add up. Other units of one person may be in the same figures, whose sensitivity grows by
    the factor UNITS, so rho grows by its square (Bun & Steinke 2016, Proposition 1.9).
    """
    if release.has_separate_units:
        of_person = replace(loss, repetitions=loss.repetitions * units)
    else:
        of_person = replace(loss, pure_factor=loss.pure_factor * units, mu_factor=loss.mu_factor * units)
    delta = release.delta if release.noise.needs_delta else None
    if release.counted_in == "epsilon":
        return _cost_in_epsilon(of_person, budget, delta, is_single=loss.repetitions == units == 1)
    growth = units if release.has_separate_units else units * units
    fixed = (loss.earlier_curve.zcdp or 0.0) * growth  # the rho of tables with a fixed epsilon
    mu = of_person.mu(budget)
    rho = product_up(budget, loss.repetitions * growth) if loss.mu_factor == 1.0 else up(0.5 * mu * mu, 2)
    rho = up(rho + fixed, 2) if fixed else rho
    conversions = () if delta is None or not rho else _conversions(rho, delta)
    return Accounting(
        rho=rho,
        mu=mu if loss.calibration.normal and not fixed else None,
        delta=delta,
        epsilon=min((each.epsilon for each in conversions), default=None),
        conversions=conversions,
        counted_in="rho",
    )


def _cost_in_epsilon(loss: ComposedLoss, budget: float, delta: float | None, is_single: bool) -> Accounting:
    """Return the cost of LOSS at BUDGET, an epsilon; IS_SINGLE: for one unit, released once."""
    times, normal, mu = loss.repetitions, loss.calibration.normal, loss.mu(budget)
    bounded_loss = loss.pure_factor * budget if loss.pure_factor else 0.0  # in one repetition
    rho = up(times * bounded_loss * bounded_loss / 2.0 + mu * mu / 2.0, 4)
    if delta is None:
        return Accounting(rho=rho, epsilon=loss.this_epsilon(budget))
    calibration = loss.calibration if is_single or normal else ZCDP  # that of discrete noise is for one figure
    epsilon = loss.this_epsilon(budget) if is_single else up(bounded_loss * times + calibration.epsilon(mu, delta), 4)
    conversions = _conversions(rho, delta)
    if calibration.exact and not loss.pure_factor:  # the epsilon-delta curve of this noise is known exactly
        conversions = (Conversion(rule="exact" if normal else "tight", epsilon=epsilon), *conversions)
    return Accounting(
        rho=rho,
        mu=mu if normal and not loss.pure_factor else None,
        delta=delta,
        epsilon=epsilon,
        conversions=conversions,
    )


def _conversions(rho: float, delta: float) -> tuple[Conversion, ...]:
    return (
        Conversion(rule="cks", epsilon=zcdp_epsilon(rho, delta)),
        Conversion(rule="loose", epsilon=loose_epsilon(rho, delta)),
    )


# ------------------------------------------------------------------------------- one budget in other units


def rho_and_mu(release: Release, budget: float | None, side: Side) -> dict[str, float | None]:
    """Return rho and mu of one repetition at BUDGET by name, an upper limit rounded down, a lower one up.

    Nothing unless all tables have Gaussian noise, with rho as budget or a delta. Discrete Gaussian noise has no mu, as
    its trade-off curve is not Gaussian.
    """
    in_rho = release.counted_in == "rho"
    if not in_rho and (not release.noise.only_deltas or release.delta is None):
        return {}
    rho, mu, calibration = budget, None, release.calibration
    if budget is not None:
        mu = calibration.mu(budget, release.delta or 0.0)
        if side == "lower":
            mu = up(mu * (1.0 + calibration.error), 2)
        if not in_rho:
            rho = up(mu * mu / 2.0, 2) if side == "lower" else down(mu * mu / 2.0, 2)
    return {"rho": rho, "mu": mu} if calibration.normal else {"rho": rho}


def at_budget(release: Release, budget: float | None) -> Mapping[str, float]:
    """Return rho and mu of one repetition at BUDGET, and the standard deviation of the only table's noise."""
    figures = rho_and_mu(release, budget, "upper")
    if figures:
        figures["sd"] = deviation(release, budget)
    return {name: value for name, value in figures.items() if value is not None}


def deviation(release: Release, budget: float | None) -> float | None:
    """Return the standard deviation of the only table's noise at BUDGET; None for several tables or infinite noise."""
    setting = release.number_setting(release.noisy[0].name) if len(release.noisy) == 1 else None
    if budget is None or not isinstance(setting, AccuracyInputs) or setting.noise is None:
        return None
    sd = setting.noise.sd(setting.scale(budget))
    return None if math.isinf(sd) else sd
