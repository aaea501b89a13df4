"""Requirements of Pankova & Laud 2022: how much likelier a right guess of a value, or of a category, may become."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from dpwizard import guessing_advantage as mathematics
from dpwizard.errors import DPWizardError, InvalidInput
from dpwizard.fields import Masses, Probability, ShortText, field
from dpwizard.release import PrivacySetting, Release
from dpwizard.requirement import BaseRequirement, Limit, Side, allowed, no_pure_epsilon, refused

SLIDES = "Pankova & Laud 2022"
EXACT = f"the exact supremum over mechanisms, sharper than {SLIDES} (docs/methods/guessing_advantage.md)"
SOURCES = {"exact": EXACT, "main": f"{SLIDES}, main theorem", "simplified": f"{SLIDES}, simplification"}
MOST_ATTRIBUTES = 50
Way = Literal["rise", "drop"]


class GuessingAdvantage(BaseRequirement):
    """The chance of guessing a value to within a precision may change by at most an advantage."""

    end: ClassVar[Side] = "upper"
    step: ClassVar[str] = "profile"
    source: ClassVar[str] = EXACT
    assumptions: ClassVar[tuple[str, ...]] = ("attacker_knows_others",)
    needs: ClassVar[tuple[str, ...]] = ("advantage",)
    asked_early: ClassVar[tuple[str, ...]] = ("attributes", "combine")

    kind: Literal["guessing_advantage"] = "guessing_advantage"
    attributes: Annotated[tuple[mathematics.Attribute, ...], Field(max_length=MOST_ATTRIBUTES)] = field(
        "What is guessed", "Each attribute with the attacker's belief, a truth to protect, and how close a guess must come.", default=()
    )
    combine: Literal["one", "and", "or"] = field("Success means", "The one guess, all of several, or at least one of them.", default="one")
    advantage: Probability | None = field("Largest advantage", "How much the chance of a right guess may change.")
    direction: Literal["rise", "drop", "both"] = field("Direction", "The chance may not rise, not drop, or neither.", default="rise")
    bound: Literal["exact", "main", "simplified"] = field("Bound", "The exact one, or a coarser one of the source.", default="exact")

    @model_validator(mode="after")
    def _one_is_one(self) -> GuessingAdvantage:
        if self.combine == "one" and len(self.attributes) > 1:
            raise InvalidInput(f"is one, but there are {len(self.attributes)} attributes", "combine", "Choose and or or, or leave one.")
        return self

    def missing(self) -> tuple[str, ...]:
        own = ["attributes"] if not self.attributes else []
        own += [f"attributes[{i}].{name}" for i, attribute in enumerate(self.attributes) for name in attribute.missing()]
        return (*own, *super().missing())

    def takes_long(self) -> bool:
        """Return whether victims are searched through, or several guesses weighed together."""
        searched = (attribute.truth == "worst" and attribute.prior is not None for attribute in self.attributes)
        return len(self.attributes) > 1 or any(searched)

    def setting(self, release: Release) -> PrivacySetting | tuple[str, ...]:
        setting = release.privacy_setting("replace")
        if isinstance(setting, PrivacySetting) and setting.sensitivity_own is None and setting.mechanisms != ("exact",):
            return ("$.release.sensitivity",)
        return setting

    def limit(self, setting: PrivacySetting) -> Limit:
        reason = no_pure_epsilon(setting)
        if reason is not None:
            return reason
        assert self.advantage is not None and setting.sensitivity_own is not None
        per_precision = self._per_precision(self.bound)
        if math.isinf(per_precision):
            return refused("unbounded", "advantage_never_reached")
        epsilon = mathematics.release_epsilon(attributes=self.attributes, epsilon=per_precision, sensitivity=setting.sensitivity_own)
        published = None
        if self.bound != "simplified" and self.combine == "one":
            closed = mathematics.release_epsilon(
                attributes=self.attributes, epsilon=self._per_precision("simplified"), sensitivity=setting.sensitivity_own
            )
            published = {"epsilon": None if math.isinf(closed) else closed, "source": f"{SLIDES}, closed form (sound, coarser)"}
        figures = {"advantage": self.advantage, "per_precision": per_precision}
        source = SOURCES[self.bound] if self.combine == "one" else f"{SLIDES}, repaired (docs/methods/guessing_advantage.md)"
        return allowed(
            epsilon, "guess_binds", figures=figures, source=source, grounds="proved_under", attained=True, as_published=published
        )

    def _per_precision(self, bound: Literal["exact", "main", "simplified"]) -> float:
        assert self.advantage is not None
        if self.combine != "one":
            return mathematics.combined_epsilon(
                attributes=self.attributes, combine=self.combine, advantage=self.advantage, direction=self.direction
            )
        one = self.attributes[0]
        assert one.prior is not None and one.truth is not None and one.precision is not None
        return mathematics.epsilon_for(
            prior=one.prior, truth=one.truth, precision=one.precision, advantage=self.advantage, bound=bound, direction=self.direction
        )

    def at(self, setting: PrivacySetting, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the largest advantage that EPSILON leaves, for the truth stated or the worst one."""
        if setting.sensitivity_own is None or limit.status not in ("allowed", "unbounded"):
            return {}
        each = mathematics.precision_epsilon(attributes=self.attributes, epsilon=epsilon, sensitivity=setting.sensitivity_own)
        ways: tuple[Way, ...] = ("rise", "drop") if self.direction == "both" else (self.direction,)
        try:
            return {"advantage": max(self._advantage(each, way) for way in ways)}
        except DPWizardError:
            return {}  # a bound without a figure for this combination: the limit itself stands

    def _advantage(self, each: float, way: Way) -> float:
        if self.combine != "one":
            before = mathematics.combined_prior(attributes=self.attributes, combine=self.combine)
            after = mathematics.combined_posterior(attributes=self.attributes, combine=self.combine, epsilon=each, direction=way)
            return abs(after - before)
        one = self.attributes[0]
        assert one.prior is not None and one.truth is not None and one.precision is not None
        if one.truth == "worst":
            return mathematics.worst_truth(prior=one.prior, precision=one.precision, epsilon=each, direction=way).advantage
        before = mathematics.prior_probability(prior=one.prior, truth=one.truth, precision=one.precision)
        after = mathematics.posterior(
            prior=one.prior, truth=one.truth, precision=one.precision, epsilon=each, bound=self.bound, direction=way
        )
        return abs(after - before)


class CategoricalAdvantage(BaseRequirement):
    """The chance of guessing a category may rise by at most an advantage."""

    end: ClassVar[Side] = "upper"
    step: ClassVar[str] = "profile"
    source: ClassVar[str] = f"{SLIDES}, simplification with a range of one precision (exact for categories)"
    assumptions: ClassVar[tuple[str, ...]] = ("attacker_knows_others",)
    needs: ClassVar[tuple[str, ...]] = ("prior", "truth", "advantage")
    asked_early: ClassVar[tuple[str, ...]] = ("prior", "truth")

    kind: Literal["categorical_advantage"] = "categorical_advantage"
    prior: Masses | None = field("What the attacker believes", "A mass for each category.")
    truth: ShortText | None = field("The true category", 'A category of your own choosing, never a confidential one, or "worst".')
    advantage: Probability | None = field("Largest advantage", "How much the chance of a right guess may rise.")

    @model_validator(mode="after")
    def _truth_is_a_category(self) -> CategoricalAdvantage:
        if self.prior is not None:
            names = [name for name, _ in self.prior]
            if not any(mass > 0 for _, mass in self.prior):
                raise InvalidInput("gives every category a mass of 0", "prior", "Give at least one category a positive mass.")
            if self.truth not in (None, "worst", *names):
                raise InvalidInput(f'"{self.truth}" is not one of the categories', "truth", 'Name a category of the prior, or "worst".')
        return self

    def setting(self, release: Release) -> PrivacySetting | tuple[str, ...]:
        return release.privacy_setting("replace")

    def limit(self, setting: PrivacySetting) -> Limit:
        reason = no_pure_epsilon(setting)
        if reason is not None:
            return reason
        assert self.prior is not None and self.advantage is not None
        if self.truth == "worst":
            worst = mathematics.worst_class(prior=dict(self.prior), advantage=self.advantage)
            label, p, epsilon = worst.label, worst.p, worst.epsilon
        else:
            label, p = str(self.truth), self._mass()
            epsilon = mathematics.categorical_epsilon(p=p, advantage=self.advantage)
        if math.isinf(epsilon):
            return refused("unbounded", "advantage_never_reached")
        return allowed(
            epsilon,
            "category_binds",
            figures={"category": label, "p": p, "advantage": self.advantage},
            binding={"category": label, "p": p},
            source=self.source,
            grounds="proved_under",
            attained=True,
        )

    def _mass(self) -> float:
        assert self.prior is not None
        return dict(self.prior)[str(self.truth)] / math.fsum(mass for _, mass in self.prior)

    def at(self, setting: PrivacySetting, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the largest advantage that EPSILON leaves."""
        if self.prior is None or self.truth is None:
            return {}
        if self.truth == "worst":
            return {"advantage": mathematics.worst_class(prior=dict(self.prior), epsilon=epsilon).advantage}
        p = self._mass()
        return {"advantage": mathematics.categorical_posterior(p=p, epsilon=epsilon) - p}
