"""Requirements of Dandekar, Basu & Bressan 2021: a level of loss with a confidence, and money reserved for breaches."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from dpwizard.base.errors import DPWizardError, Infeasible
from dpwizard.base.numerics import down
from dpwizard.base.values import Count, NonNegative, Positive, Probability, field
from dpwizard.decision.neighbouring import ReplaceOne
from dpwizard.decision.privacy_requirement import LossReading, PrivacyRequirement, refused
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import Limit, converted_limit, no_limit
from dpwizard.decision.settings import PrivacyInputs
from dpwizard.privacy import privacy_at_risk as mathematics
from dpwizard.privacy.mechanisms import LAPLACE, PureName


class PrivacyAtRisk(PrivacyRequirement):
    """The privacy loss stays within a level with a stated confidence, computed exactly."""

    drawn: ClassVar[Literal["", "curves", "figure"]] = "figure"
    source: ClassVar[str] = (
        "the exact distribution of the loss, auditing Dandekar, Basu & Bressan 2021, Theorem 4 "
        "(docs/methods/privacy_at_risk.md)"
    )

    kind: Literal["privacy_at_risk"] = "privacy_at_risk"
    level: Positive | None = field("Level", "The epsilon that the loss must stay within.", unit="epsilon", decided=True)
    confidence: Probability | None = field(
        "Confidence", "At least this chance, whichever person or thing is changed.", decided=True, editor="chance"
    )

    def setting(self, release: Release) -> PrivacyInputs | tuple[str, ...]:
        return release.privacy_setting(ReplaceOne(), of_noise=True, in_epsilon=False)

    def refused(self, setting: PrivacyInputs) -> Limit | None:
        return None  # checked with the kind of noise

    def solve(self, setting: PrivacyInputs) -> Limit:
        kind = pure_noise(setting, "instead_of_a_level")
        if isinstance(kind, Limit):
            return kind
        assert self.level is not None and self.confidence is not None
        # for several numbers, releases or processed figures, only a largest loss within the level is proved
        epsilon, key = self.level, "level_certain"
        if one_number(setting) and setting.own_sensitivity is not None:
            key = "level_holds"
            epsilon = mathematics.noise_level(
                mechanism=kind, epsilon=self.level, confidence=self.confidence, sensitivity=setting.own_sensitivity
            )
        if math.isinf(epsilon):
            return no_limit("unbounded", "no_confidence_asked")
        published = self._published_limit(setting.dimension)  # refuted: never a limit
        figures = {"level": self.level, "confidence": self.confidence}
        return converted_limit(
            epsilon,
            setting.loss.max_budget,
            key,
            figures=figures,
            attained=True,
            unique=True,
            as_published=published,
        )

    def _published_limit(self, dimension: int) -> Mapping[str, Any]:
        assert self.level is not None and self.confidence is not None
        source = "Dandekar, Basu & Bressan 2021, Theorem 4 and (14): refuted"
        try:
            epsilon = mathematics.published_noise_level(
                epsilon=self.level, confidence=self.confidence, dimension=dimension
            )
        except DPWizardError as problem:
            return {"epsilon": None, "source": source, "reason": problem.message}
        return {"epsilon": None if math.isinf(epsilon) else epsilon, "source": source}

    def at(self, setting: PrivacyInputs, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the exact confidence of the level at EPSILON, and the published one."""
        kind, total = pure_noise(setting), setting.loss.total_epsilon(epsilon)
        if isinstance(kind, Limit) or self.level is None:
            return {}
        published = mathematics.published_confidence(epsilon=self.level, epsilon0=total, dimension=setting.dimension)
        if not one_number(setting) or setting.own_sensitivity is None:
            return {"confidence": 1.0 if total <= self.level else None, "published_confidence": published}
        sensitivity = setting.own_sensitivity
        audited = mathematics.confidence(mechanism=kind, epsilon=self.level, epsilon0=total, sensitivity=sensitivity)
        risk = mathematics.risk(mechanism=kind, epsilon=self.level, epsilon0=total, sensitivity=sensitivity)
        return {"confidence": audited, "risk": risk, "published_confidence": published}


class Compensation(PrivacyRequirement):
    """The expected compensation of all people together is within the reserved money."""

    step: ClassVar[str] = "budget"
    source: ClassVar[str] = (
        "Dandekar, Basu & Bressan 2021, (8); the expected cost by the exact distribution of the loss"
    )
    assumptions: ClassVar[tuple[str, ...]] = ("cost_model_chosen",)

    kind: Literal["compensation"] = "compensation"
    people: Count | None = field(
        "People", "How many people would be compensated; a public or assumed figure.", unit="people", tempting=True
    )
    cost: Positive | None = field(
        "Cost for one person",
        "What full disclosure would cost for one person (E of the source).",
        unit="in your currency",
    )
    floor: NonNegative = field(
        "Least cost for one person",
        "What is paid whatever is disclosed (Emin of the source).",
        default=0.0,
        unit="in your currency",
    )
    rate: Positive = field(
        "Rate", "c of the source: the cost is least + cost e^(-rate / epsilon).", default=1.0, unit="epsilon"
    )
    money: Positive | None = field("Money set aside", "For all people together.", unit="in your currency", decided=True)
    model: Literal["plain", "expected_loss"] = field(
        "Cost model", "By epsilon itself, or by the actual loss, on average.", default="plain"
    )

    @property
    def reads(self) -> LossReading:
        return "epsilon"

    def assumed(self, release: Release) -> tuple[str, ...]:
        # under Gaussian noise the loss may exceed epsilon, for which the model has no cost
        approximate = release.noise.needs_delta or (release.counts_spent() and not all(e.pure for e in release.spent))
        beyond = ("cost_leaves_delta_out",) if approximate else ()
        return (*super().assumed(release), *beyond)

    def setting(self, release: Release) -> PrivacyInputs | tuple[str, ...]:
        return release.privacy_setting(of_noise=True)

    def solve(self, setting: PrivacyInputs) -> Limit:
        assert self.people is not None and self.cost is not None and self.money is not None
        kind: PureName = LAPLACE.name
        if self.model == "expected_loss":
            pure = pure_noise(setting)
            if isinstance(pure, Limit):
                return pure
            if not one_number(setting) or setting.sensitivity is None:
                return no_limit("not_applicable", "expected_loss_of_one_number")
            kind = pure
        try:
            epsilon = mathematics.noise_level_for_money(
                money=self.money,
                people=self.people,
                cost=self.cost,
                rate=self.rate,
                floor=self.floor,
                model=self.model,
                mechanism=kind,
                sensitivity=setting.sensitivity or 1.0,
            )
        except Infeasible:
            return no_limit("infeasible", "money_below_least_cost", money=self.money, least=self.people * self.floor)
        if math.isinf(epsilon):
            return no_limit("unbounded", "money_covers_everything")
        figures = {"money": self.money, "people": self.people}
        return converted_limit(
            down(epsilon, 0),
            setting.loss.max_budget,
            "money_binds",
            figures=figures,
            grounds="proved_under",
            attained=True,
        )

    def at(self, setting: PrivacyInputs, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the cost of all people together at EPSILON."""
        if self.people is None or self.cost is None:
            return {}
        kind, total = pure_noise(setting), setting.loss.total_epsilon(epsilon)
        exact = self.model == "expected_loss" and one_number(setting)
        if exact and not isinstance(kind, Limit) and setting.sensitivity is not None:
            each = mathematics.expected_compensation(
                epsilon0=total,
                cost=self.cost,
                rate=self.rate,
                floor=self.floor,
                mechanism=kind,
                sensitivity=setting.sensitivity,
            )
        else:
            each = mathematics.compensation(epsilon=total, cost=self.cost, rate=self.rate, floor=self.floor)
        return {"cost": self.people * each}


def one_number(setting: PrivacyInputs) -> bool:
    """Return whether the exact loss is known: one number, released once, of whole sensitivity, geometric noise."""
    once = (
        not setting.post_processed
        and setting.dimension == 1
        and setting.repetitions == 1
        and setting.step == 1.0
        and not setting.loss.earlier_epsilon
        and setting.noise.one is not None
        and setting.one is not None
        and setting.one.portion in (None, 1)  # else only a bound on the loss is known
    )
    whole = all(d is None or d.is_integer() for d in (setting.sensitivity, setting.own_sensitivity))
    return once and (whole or not setting.noise.integer_valued)


def pure_noise(setting: PrivacyInputs, instead: str = "gaussian_has_no_pure_epsilon") -> PureName | Limit:
    """Return the only kind of noise, if it is bounded, or why there is none; INSTEAD as in `refused`."""
    if not setting.noise.needs_delta and not setting.noise.judged:
        return no_limit("not_applicable", "score_judges_no_such_noise")
    return refused(setting, "largest_loss", instead) or (setting.noise.one_pure or LAPLACE).name
