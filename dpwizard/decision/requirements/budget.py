"""The privacy budget: the largest cost of this release and all earlier ones on the same people."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Literal

from dpwizard.base.numerics import decimal, down, largest
from dpwizard.base.values import OpenProbability, Positive, field
from dpwizard.decision.privacy_requirement import PrivacyRequirement, Reading
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
        "Privacy budget in all",
        "The largest epsilon that all releases counted here may come to; by the rule of zCDP the largest rho.",
        unit="epsilon or rho",
        decided=True,
    )
    composition: Literal["basic", "advanced", "optimal", "tight", "zcdp"] = field(
        "Rule of composition",
        "How the losses of the repetitions add up; what is spent before is added as it is.",
        default="basic",
    )
    delta: OpenProbability | None = field(
        "Delta",
        "How far the chance of anything may go beyond the total; basic composition of pure noise needs none.",
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
    def reads(self) -> Reading:
        readings: dict[str, Reading] = {"basic": "epsilon", "tight": "curve", "zcdp": "rho"}
        return readings.get(self.composition, "largest_loss")  # basic: deltas of earlier releases add up, too

    def assumed(self, release: Release) -> tuple[str, ...]:
        # the epsilons entered add up, whatever their noise
        return tuple(key for key in super().assumed(release) if key != "earlier_releases_pure")

    def setting(self, release: Release) -> PrivacyInputs | tuple[str, ...]:
        # earlier releases count whatever the priors refer to
        return release.privacy_setting(before_all=True, in_epsilon=not (self.in_rho or self.by_curve))

    def _limit_in_rho(self, setting: PrivacyInputs) -> Limit:
        assert self.total is not None
        spent = setting.loss.rho(0.0)
        if spent > self.total:
            return no_limit("infeasible", "budget_overspent_rho", total=self.total, spent=spent)
        figures = self._spent_and_left(setting, spent)
        return _limit_of_left(
            setting.loss.largest_for_rho(figures["left"]), "budget_left_rho", SOURCES["zcdp"], figures
        )

    def _limit_by_curve(self, setting: PrivacyInputs) -> Limit:
        """Return the largest budget at which the curve's epsilon at delta, over all releases, is at most the total."""
        assert self.total is not None and self.delta is not None
        spent = self._epsilon_in_all(setting, 0.0)
        if spent > self.total:
            return no_limit("infeasible", "budget_overspent", total=self.total, spent=spent)
        total, delta = self.total, self.delta
        budget = setting.largest_budget_reading(
            lambda curve: curve.epsilon(delta), total, lambda: gaussian_mu(total, delta), total
        )
        figures = self._spent_and_left(setting, spent)
        return _limit_of_left(budget, "budget_left", SOURCES["tight"], figures, setting.error(budget))

    def _spent_and_left(self, setting: PrivacyInputs, spent: float) -> dict[str, float]:
        assert self.total is not None
        left = down(self.total - spent, 2) if spent else self.total
        return {"total": self.total, "spent": spent, "left": left, "repetitions": setting.repetitions}

    def _epsilon_in_all(self, setting: PrivacyInputs, budget: float) -> float:
        return setting.loss.trade_off(budget).epsilon(self.delta or 0.0)

    def met_at(self, setting: PrivacyInputs, epsilon: float) -> bool | None:
        if not self.by_curve or setting.monotone:
            return None
        return self._epsilon_in_all(setting, epsilon) <= (self.total or 0.0)

    def solve(self, setting: PrivacyInputs) -> Limit:
        if self.in_rho:
            return self._limit_in_rho(setting)
        if self.by_curve:
            return self._limit_by_curve(setting)
        assert self.total is not None
        spent = setting.loss.earlier_epsilon
        if spent > self.total:
            return no_limit("infeasible", "budget_overspent", total=self.total, spent=spent)
        if setting.noise.needs_delta or setting.loss.spent_delta:
            reason = self._why_not_with_delta(setting)
            if reason is not None:
                return reason
        figures = self._spent_and_left(setting, spent)
        source, key = SOURCES[self.composition], "budget_left"
        if self.composition == "basic" and (setting.noise.needs_delta or setting.loss.spent_delta):
            figures["delta"], key = float(self._delta_in_all(setting)), "budget_left_delta"
        if self.composition == "basic":
            to_budget = setting.loss.max_budget
            return converted_limit(
                self.total, to_budget, key, figures=figures, source=source, attained=True, unique=True
            )
        left = figures["left"]
        epsilon = largest(lambda e: self._all_repetitions(setting, e) <= left, 0.0, LARGEST, NARROWEST)
        return _limit_of_left(epsilon, key, source, figures, epsilon * 2 * NARROWEST + 1e-12)

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
        if self.in_rho:
            rho = setting.loss.rho(epsilon)
            return {"rho_total": rho, "rho_left": max(0.0, down(self.total - rho, 1)) if rho else self.total}
        if self.by_curve:
            total = self._epsilon_in_all(setting, epsilon)
            if math.isinf(total):
                return {}
            return {
                "spent_total": total,
                "left": max(0.0, down(self.total - total, 1)) if total else self.total,
            }
        total = setting.loss.total_epsilon(epsilon)
        if self.composition != "basic":
            total = setting.loss.earlier_epsilon + self._all_repetitions(setting, epsilon)
        left = self.total - total
        return {"spent_total": total, "left": max(0.0, down(left, 1)) if total else self.total}


def _limit_of_left(
    budget: float, key: str, source: str, figures: Mapping[str, float], error: float | None = None
) -> Limit:
    return epsilon_limit(budget, key, figures=figures, source=source, attained=True, unique=True, error=error)
