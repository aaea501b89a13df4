"""The requirement of Pankova & Laud 2022 on guesses of a category."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import model_validator

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.values import Masses, Probability, ShortText, field
from dpwizard.decision.privacy_requirement import OfAnAttribute, within_limit
from dpwizard.decision.requirement import Limit, converted_limit, no_limit
from dpwizard.decision.settings import PrivacyInputs
from dpwizard.privacy import guessing_advantage as mathematics


class CategoricalAdvantage(OfAnAttribute):
    """The chance of guessing a category rises by at most an advantage."""

    drawn: ClassVar[Literal["", "curves", "figure"]] = "figure"
    source: ClassVar[str] = "Pankova & Laud 2022, simplification with a range of one precision (exact for categories)"
    instead: ClassVar[str] = "instead_of_category"
    assumptions: ClassVar[tuple[str, ...]] = ("attacker_knows_others",)
    basic_fields: ClassVar[tuple[str, ...]] = ("prior", "truth")

    kind: Literal["categorical_advantage"] = "categorical_advantage"
    prior: Masses | None = field("What the adversary thinks", "A share for each category.", tempting=True)
    truth: ShortText | None = field(
        "The true category",
        'A category that you choose, never a confidential one, or "worst".',
        categories_of="prior",
        tempting=True,
    )
    advantage: Probability | None = field(
        "Largest advantage",
        "How much the chance of a right guess may rise.",
        by_questions=True,
        decided=True,
        editor="chance",
    )

    @model_validator(mode="after")
    def _has_known_truth(self) -> CategoricalAdvantage:
        if self.prior is not None:
            names = [name for name, _ in self.prior]
            if not any(mass > 0 for _, mass in self.prior):
                raise InvalidInput(
                    "gives every category a share of 0", "prior", "Give at least one category a positive mass."
                )
            if self.truth not in (None, "worst", *names):
                raise InvalidInput(
                    message('"{name}" is not one of the categories', name=self.truth),
                    "truth",
                    'Name a category of the prior, or "worst".',
                )
        return self

    def solve(self, setting: PrivacyInputs) -> Limit:
        assert self.prior is not None and self.advantage is not None
        if self.truth == "worst":
            worst = mathematics.worst_class(prior=dict(self.prior), advantage=self.advantage)
            label, p, epsilon = worst.label, worst.p, worst.epsilon
        else:
            label, p = str(self.truth), self._prior_of_truth()
            epsilon = mathematics.categorical_epsilon(p=p, advantage=self.advantage)
        if math.isinf(epsilon):
            return no_limit("unbounded", "advantage_never_reached")
        return converted_limit(
            epsilon,
            setting.loss.max_budget,
            "category_binds",
            figures={"category": label, "p": p, "advantage": self.advantage},
            binding={"category": label, "p": p},
            grounds="proved_under",
            attained=True,
        )

    def _prior_of_truth(self) -> float:
        assert self.prior is not None
        return dict(self.prior)[str(self.truth)] / math.fsum(mass for _, mass in self.prior)

    def at(self, setting: PrivacyInputs, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the largest advantage at EPSILON."""
        if self.prior is None or self.truth is None:
            return {}
        total = setting.loss.total_epsilon(epsilon)
        if self.truth == "worst":
            advantage = mathematics.worst_class(prior=dict(self.prior), epsilon=total).advantage
            return {"advantage": within_limit(advantage, self.advantage, limit, epsilon)}
        p = self._prior_of_truth()
        return {"advantage": mathematics.categorical_posterior(p=p, epsilon=total) - p}
