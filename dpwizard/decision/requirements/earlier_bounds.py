"""Requirements by bounds of earlier papers that Kazan & Reiter 2024 compare with theirs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from dpwizard.base.numerics import down
from dpwizard.base.values import Belief, Count, OpenProbability, Positive, field
from dpwizard.decision.neighbouring import AddOrRemoveOne
from dpwizard.decision.privacy_requirement import OfAnAttribute, PrivacyRequirement
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import Limit, converted_limit, epsilon_limit, no_limit
from dpwizard.decision.settings import PrivacyInputs
from dpwizard.privacy import relative_risk as mathematics

HUGE = 1e290  # larger numbers are replaced by this one, to avoid overflow


class LeeClifton(OfAnAttribute):
    """The chance that an adversary who knows all but one record names its owner (Lee & Clifton 2011)."""

    source: ClassVar[str] = "Lee & Clifton 2011, as in Kazan & Reiter 2024, (38)-(39)"
    instead: ClassVar[str] = "instead_of_lee_clifton"
    assumptions: ClassVar[tuple[str, ...]] = ("knows_all_but_one",)
    basic_fields: ClassVar[tuple[str, ...]] = ("population",)

    kind: Literal["lee_clifton"] = "lee_clifton"
    population: Count | None = field("Population", "How many people it could be, all equally likely.", tempting=True)
    posterior: Belief | None = field(
        "Highest chance after the release",
        "The highest chance of naming the right record.",
        decided=True,
        editor="chance",
    )
    range: Positive = field(
        "Sensitivity",
        "How much one person or thing can change it (delta f of the source).",
        default=1.0,
        unit="in the statistic’s unit",
    )
    difference: Positive = field(
        "Largest difference",
        "Between the values the adversary compares (delta v of the source).",
        default=1.0,
        unit="in the statistic’s unit",
    )

    def solve(self, setting: PrivacyInputs) -> Limit:
        assert self.population is not None and self.posterior is not None
        if self.posterior < 1 / self.population:
            return no_limit("infeasible", "posterior_below_prior", population=self.population, posterior=self.posterior)
        whole = mathematics.lee_clifton_epsilon(
            population=self.population, posterior=self.posterior, range=1.0, difference=1.0
        )
        if whole == float("inf"):
            return no_limit("unbounded", "certainty_allowed")
        # (39) for the rest: earlier losses count in full whatever the difference of the two values
        spent, ratio = setting.loss.earlier_epsilon, self._loss_ratio(setting)
        left = max(0.0, down(whole - spent, 1)) if spent else whole
        epsilon = setting.loss.max_budget_alone(left if ratio == 1.0 else down(min(left / ratio, HUGE), 3))
        return epsilon_limit(epsilon, "lee_clifton_binds", grounds="proved_under", attained=True, unique=True)

    def at(self, setting: PrivacyInputs, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the chance of naming the right person at EPSILON: (38)."""
        assert self.population is not None
        loss = setting.loss.this_epsilon(epsilon) * self._loss_ratio(setting) + setting.loss.earlier_epsilon
        return {"posterior": 1 / (1 + (self.population - 1) * math.exp(-loss))}

    def _loss_ratio(self, setting: PrivacyInputs) -> float:
        """Return the loss between two values `difference` apart, divided by that between any two values.

        A range above the sensitivity has no effect. For several tables the difference cannot be compared with a
        sensitivity, and all tables may change in full. A difference below the smallest change of the statistic counts
        as that change: a count changes by 1.
        """
        if setting.own_sensitivity is None:
            return min(max(1.0, self.difference / self.range), HUGE)
        sensitivity, least = setting.own_sensitivity, setting.grain or 0.0
        if setting.statistic == "histogram":
            least = sensitivity  # any difference may change the bin, with the full sensitivity
        return min(max(self.difference / min(self.range, sensitivity), min(least / sensitivity, 1.0), 1.0 / HUGE), HUGE)


class Participation(PrivacyRequirement):
    """The chance after the release if the person takes part, given that without them (Wood et al. 2018)."""

    source: ClassVar[str] = "Wood et al. 2018, as in Kazan & Reiter 2024, (42)-(43)"
    instead: ClassVar[str] = "instead_of_participation"
    basic_fields: ClassVar[tuple[str, ...]] = ("posterior_without",)

    kind: Literal["participation"] = "participation"
    posterior_without: OpenProbability | None = field(
        "Chance if they stay out",
        "The chance that others give to a statement about someone who does not take part.",
        editor="chance",
    )
    posterior_with: Belief | None = field(
        "Highest chance if they take part",
        "The chance never rises above this, whatever is released.",
        decided=True,
        editor="chance",
    )

    def setting(self, release: Release) -> PrivacyInputs | tuple[str, ...]:
        return release.privacy_setting(AddOrRemoveOne(), in_epsilon=False)

    def solve(self, setting: PrivacyInputs) -> Limit:
        assert self.posterior_without is not None and self.posterior_with is not None
        if self.posterior_with < self.posterior_without:
            return no_limit(
                "infeasible", "taking_part_cannot_lower", without=self.posterior_without, posterior=self.posterior_with
            )
        epsilon = mathematics.participation_epsilon(
            posterior_without=self.posterior_without, posterior_with=self.posterior_with
        )
        if epsilon == float("inf"):
            return no_limit("unbounded", "certainty_allowed")
        return converted_limit(epsilon, setting.loss.max_budget, "participation_binds", attained=True, unique=True)

    def at(self, setting: PrivacyInputs, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the bounds on the chance after the release if the person takes part."""
        assert self.posterior_without is not None and self.posterior_with is not None
        bounds = mathematics.participation(
            posterior_without=self.posterior_without, epsilon=setting.loss.total_epsilon(epsilon)
        )
        return {"upper": bounds.upper, "lower": bounds.lower}
