"""The privacy budget: the largest cost of this release and all earlier ones on the same people."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Literal

from dpwizard.base.numerics import decimal, down, largest
from dpwizard.base.values import OpenProbability, Positive, field
from dpwizard.decision.privacy_requirement import LossReading, PrivacyRequirement
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import Limit, converted_limit, epsilon_limit, no_limit
from dpwizard.decision.settings import PrivacyInputs
from dpwizard.privacy.accounting import composition as mathematics
from dpwizard.privacy.mechanisms import gaussian_mu

SOURCES = {
    "basic": "Dwork & Roth 2014, Theorem 3.14 (basic composition)",
    "advanced": "Dwork & Roth 2014, Theorem 3.20 (advanced composition), or basic where that is less",
    "optimal": "Kairouz, Oh & Viswanath 2015, Theorem 3.3 (optimal composition of pure mechanisms)",
    "tight": "the exact distribution of the privacy loss, upper bound (docs/methods/accounting.md)",
    "zcdp": "Bun & Steinke 2016, Lemma 1.7 (composition of zCDP) and Proposition 1.4",
}
NARROWEST = 1e-10  # relative precision of the search for the largest epsilon
LARGEST = 1e4


class Budget(PrivacyRequirement):
    """All repetitions of this release and all earlier releases cost at most a total."""

    step: ClassVar[str] = "budget"
    source: ClassVar[str] = SOURCES["basic"]

    kind: Literal["budget"] = "budget"
    total: Positive | None = field(
        "Total privacy budget",
        "The largest epsilon of all releases counted here together. With the rule zCDP, the largest rho.",
        unit="epsilon or rho",
        decided=True,
    )
    composition: Literal["basic", "advanced", "optimal", "tight", "zcdp"] = field(
        "Rule of composition",
        "How the losses of all times add up. What was spent before is added to that.",
        default="basic",
    )
    delta: OpenProbability | None = field(
        "Delta",
        "How far any chance may exceed what the total allows. Basic composition of pure noise needs no delta.",
        editor="tiny_chance",
        decided=True,
    )

    def missing(self) -> tuple[str, ...]:
        names = ("total",) if self.composition == "basic" or self.in_rho else ("total", "delta")
        return tuple(name for name in names if getattr(self, name) is None)

    def inapplicable_fields(self, release: Release) -> tuple[str, ...]:
        added_up = self.in_rho or (self.composition == "basic" and not release.noise.needs_delta)
        return ("delta",) if added_up else ()

    @property
    def in_rho(self) -> bool:
        return self.composition == "zcdp"

    @property
    def by_curve(self) -> bool:
        """Return whether the total epsilon is computed from one trade-off curve."""
        return self.composition == "tight"

    @property
    def reads(self) -> LossReading:
        readings: dict[str, LossReading] = {"basic": "epsilon", "tight": "curve", "zcdp": "rho"}
        return readings.get(self.composition, "largest_loss")  # basic: deltas of earlier releases add up, too

    def assumed(self, release: Release) -> tuple[str, ...]:
        # the epsilons entered add up, whatever their noise
        return tuple(key for key in super().assumed(release) if key != "earlier_releases_pure")

    def setting(self, release: Release) -> PrivacyInputs | tuple[str, ...]:
        # earlier releases count whatever the priors refer to
        return release.privacy_setting(before_all=True, in_epsilon=not (self.in_rho or self.by_curve))

    def solve(self, setting: PrivacyInputs) -> Limit:
        assert self.total is not None
        adds_up = self.reads in ("epsilon", "largest_loss")
        spent = setting.loss.earlier_epsilon if adds_up else self._cost(setting, 0.0)
        suffix = "_rho" if self.in_rho else ""
        if spent > self.total:
            return no_limit("infeasible", f"budget_overspent{suffix}", total=self.total, spent=spent)
        has_delta = adds_up and (setting.noise.needs_delta or bool(setting.loss.spent_delta))
        reason = self._why_not_with_delta(setting) if has_delta else None
        if reason is not None:
            return reason
        left = down(self.total - spent, 2) if spent else self.total
        figures = {"total": self.total, "spent": spent, "left": left, "repetitions": setting.repetitions}
        if has_delta and self.composition == "basic":
            figures["delta"], suffix = float(self._delta_in_all(setting)), "_delta"
        key, source = f"budget_left{suffix}", SOURCES[self.composition]
        found: dict[str, Any] = {"figures": figures, "source": source, "attained": True, "unique": True}
        if self.composition == "basic":
            return converted_limit(self.total, setting.loss.max_budget, key, **found)
        budget, error = self._largest_budget(setting, left)
        return epsilon_limit(budget, key, error=error, **found)

    def _largest_budget(self, setting: PrivacyInputs, left: float) -> tuple[float, float | None]:
        """Return the largest budget of this release with LEFT of the total, and its error; None for a closed form."""
        if self.in_rho:
            return setting.loss.largest_for_rho(left), None
        if self.by_curve:  # the curve of all releases, at the whole total
            total, delta = self.total or 0.0, self.delta or 0.0
            budget = setting.largest_budget_reading(
                lambda curve: curve.epsilon(delta), total, lambda: gaussian_mu(total, delta), total
            )
            return budget, setting.error(budget)
        budget = largest(lambda e: self._all_repetitions(setting, e) <= left, 0.0, LARGEST, NARROWEST)
        return budget, budget * 2 * NARROWEST + 1e-12

    def _cost(self, setting: PrivacyInputs, budget: float) -> float:
        """Return the cost of all releases at BUDGET, in rho or epsilon."""
        if self.in_rho:
            return setting.loss.rho(budget)
        if self.by_curve:
            return setting.loss.trade_off(budget).epsilon(self.delta or 0.0)
        if self.composition == "basic":
            return setting.loss.total_epsilon(budget)
        return setting.loss.earlier_epsilon + self._all_repetitions(setting, budget)

    def met_at(self, setting: PrivacyInputs, epsilon: float) -> bool | None:
        if not self.by_curve or setting.monotone:
            return None
        return self._cost(setting, epsilon) <= (self.total or 0.0)

    def _why_not_with_delta(self, setting: PrivacyInputs) -> Limit | None:
        if self.composition != "basic" and not setting.noise.needs_delta:
            return None
        if setting.noise.one is None and setting.noise.needs_delta:
            return no_limit("not_applicable", "rule_for_one_kind_of_noise")
        if self.composition in ("advanced", "optimal"):
            return no_limit("not_applicable", "rule_for_pure_noise")
        total = self._delta_in_all(setting)
        if self.delta is not None and total > decimal(self.delta):
            return no_limit("infeasible", "delta_overspent", delta=self.delta, spent=float(total))
        return None

    def _delta_in_all(self, setting: PrivacyInputs) -> Fraction:
        """Return the delta of all tables and repetitions, exact in decimals: 3 times 1e-6 is 3e-6.

        One delta covers all tables of one repetition; repetitions add up (Dwork & Roth 2014, Theorem 3.16).
        """
        return decimal(setting.delta or 0.0) * setting.repetitions + decimal(setting.loss.spent_delta)

    def _all_repetitions(self, setting: PrivacyInputs, epsilon: float) -> float:
        """Return an upper bound on the loss of all repetitions at EPSILON, by advanced or optimal composition."""
        times, delta = setting.repetitions, self.delta or 0.0
        basic = epsilon * times
        if epsilon == 0.0:
            return basic
        if self.composition == "advanced":
            return min(basic, mathematics.advanced(epsilon0=epsilon, releases=times, delta=delta))
        return min(basic, mathematics.optimal(epsilon0=epsilon, releases=times, delta=delta))

    def at(self, setting: PrivacyInputs, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the total cost of all releases at EPSILON, and the rest of the budget."""
        assert self.total is not None
        cost = self._cost(setting, epsilon)
        if math.isinf(cost):
            return {}
        left = max(0.0, down(self.total - cost, 1)) if cost else self.total
        return {"rho_total": cost, "rho_left": left} if self.in_rho else {"spent_total": cost, "left": left}
