"""The privacy budget: what this release and the earlier ones on the same people may cost together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from dpwizard.fields import OpenProbability, Positive, field
from dpwizard.numerics import down
from dpwizard.release import PrivacySetting, Release
from dpwizard.requirement import BaseRequirement, Limit, Side, allowed, refused


class Budget(BaseRequirement):
    """All repetitions of this release and all that is already spent, at most a total."""

    end: ClassVar[Side] = "upper"
    step: ClassVar[str] = "budget"
    source: ClassVar[str] = "Dwork & Roth 2014, Theorem 3.16 (basic composition)"
    needs: ClassVar[tuple[str, ...]] = ("total",)

    kind: Literal["budget"] = "budget"
    total: Positive | None = field("Privacy budget in all", "The largest epsilon that all releases on these people may come to.")
    composition: Literal["basic"] = field("Rule of composition", "How the losses of several releases add up.", default="basic")
    delta: OpenProbability | None = field("Delta", "The chance left out; basic composition of pure mechanisms needs none.")

    def setting(self, release: Release) -> PrivacySetting | tuple[str, ...]:
        # a budget counts what is spent whatever the beliefs are counted from
        return release.model_copy(update={"priors_from": "before_all"}).privacy_setting()

    def limit(self, setting: PrivacySetting) -> Limit:
        if "exact" in setting.mechanisms:
            return refused("not_applicable", "exact_has_no_epsilon")
        if setting.spent is None:
            return refused("not_applicable", "spent_under_other_neighbours", relation=setting.relation)
        assert self.total is not None
        if setting.spent > self.total:
            return refused("infeasible", "budget_overspent", total=self.total, spent=setting.spent)
        left = down(self.total - setting.spent, 2) if setting.spent else self.total
        figures = {"total": self.total, "spent": setting.spent, "left": left, "repetitions": setting.repetitions}
        return allowed(self.total, "budget_left", figures=figures, source=self.source, attained=True, unique=True)

    def at(self, setting: PrivacySetting, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return what all releases come to at EPSILON (all repetitions, with what is spent), and what is left."""
        assert self.total is not None
        return {"spent_total": epsilon, "left": max(0.0, self.total - epsilon)}
