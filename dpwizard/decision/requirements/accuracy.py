"""Requirements of accuracy: what must still be usable. Each gives the smallest epsilon that one number needs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from dpwizard.base.values import Count, NonNegative, OpenProbability, Positive, Probability, field
from dpwizard.decision.accuracy_requirement import About, AccuracyRequirement, given
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import Limit, no_limit
from dpwizard.decision.settings import AccuracyInputs
from dpwizard.decision.sum_requirement import OfASum
from dpwizard.privacy import accuracy as mathematics

RATE = ("target", "per", "records", "deviation")  # the fields that say how far a rate lies from its threshold


class Rmse(OfASum):
    """The root-mean-square error of the number, at most so much."""

    asks: ClassVar[type[mathematics.Statistic]] = mathematics.Rmse
    about: ClassVar[About] = "typical"
    gives: ClassVar[str] = "rmse"
    of_variance: ClassVar[bool] = True
    measured: ClassVar[Mapping[str, float] | None] = MappingProxyType({"at_most": 1.0})
    width: ClassVar[str] = "at_most"

    kind: Literal["rmse"] = "rmse"
    at_most: Positive | None = field(
        "Largest root-mean-square error", "In the unit of the statistic.", unit="in the statistic’s unit", decided=True
    )


class MeanAbsoluteError(OfASum):
    """The mean absolute error of the number, at most so much."""

    asks: ClassVar[type[mathematics.Statistic]] = mathematics.MeanAbsoluteError
    about: ClassVar[About] = "typical"
    gives: ClassVar[str] = "mean_absolute_error"
    measured: ClassVar[Mapping[str, float] | None] = MappingProxyType({"at_most": 1.0})
    width: ClassVar[str] = "at_most"

    kind: Literal["mean_absolute_error"] = "mean_absolute_error"
    at_most: Positive | None = field(
        "Largest mean absolute error", "In the unit of the statistic.", unit="in the statistic’s unit", decided=True
    )


class NoiseInterval(OfASum):
    """The noise stays within a half-width with a given probability."""

    about: ClassVar[About] = "each"
    bound: ClassVar[str] = "half_width"
    begins: ClassVar[Mapping[str, float]] = MappingProxyType({"level": 0.95})
    measured: ClassVar[Mapping[str, float] | None] = begins
    width: ClassVar[str] = "half_width"

    kind: Literal["noise_interval"] = "noise_interval"
    half_width: NonNegative | None = field(
        "Half-width",
        "How far off the number may be, in the unit of the statistic.",
        unit="in the statistic’s unit",
        by_questions=True,
        decided=True,
    )
    level: OpenProbability | None = field("Level", "With at least this probability.", decided=True, editor="chance")

    def statistic(self, setting: AccuracyInputs) -> mathematics.Statistic:
        if setting.is_sum or setting.added_up is not None:
            return mathematics.SumWithin(**self.asked())
        return mathematics.NoiseInterval(**self.asked())

    def figures(self, noise: mathematics.NumberNoise, setting: AccuracyInputs) -> Mapping[str, Any]:
        found = noise.interval(given(self.level))
        return {"half_width": found.half_width, "coverage": found.coverage}


class ExactProbability(AccuracyRequirement):
    """The number is published without error with at least a given probability."""

    about: ClassVar[About] = "each"
    gives: ClassVar[str] = "exact_probability"
    after_adding_up: ClassVar[str] = "no_exact_chance_after_adding_up"
    bound: ClassVar[str] = "at_least"
    measured: ClassVar[Mapping[str, float] | None] = MappingProxyType({"at_least": 0.0})

    kind: Literal["exact_probability"] = "exact_probability"
    at_least: Probability | None = field(
        "Smallest chance of the exact value", "Of all possible outcomes.", decided=True, editor="chance"
    )

    def limit(self, setting: AccuracyInputs) -> Limit:
        if setting.noise is not None and not setting.noise.integer_valued:
            return no_limit("not_applicable", "continuous_noise_is_never_exact")
        return super().limit(setting)

    def statistic(self, setting: AccuracyInputs) -> mathematics.Statistic:
        return mathematics.ExactProbability(level=given(self.at_least))


class SwitchProbability(AccuracyRequirement):
    """Noise carries a count across a policy threshold with at most a given probability."""

    about: ClassVar[About] = "threshold"
    source: ClassVar[str] = "Kazan & Reiter 2024, Example 3"
    after_adding_up: ClassVar[str] = "threshold_after_adding_up"
    measured: ClassVar[Mapping[str, float] | None] = MappingProxyType({})  # that its threshold is not answered

    kind: Literal["switch_probability"] = "switch_probability"
    target: NonNegative | None = field(
        "Target rate", "For instance 6.0 per 1,000; a rate at or below it meets the target.", unit="cases"
    )
    per: Positive | None = field("Per", "For instance 1,000.", unit="records")
    records: Count | None = field(
        "Number of records",
        "The rate’s denominator; a public or assumed figure.",
        unit="records",
        tempting=True,
        tried=20_000,  # counts at a threshold go up and down by one with every record, at any distance
    )
    deviation: NonNegative | None = field(
        "Deviation from the target", "How far the true rate is assumed to lie from it.", unit="cases", tempting=True
    )
    side: Literal["above", "below", "worst"] = field(
        "Side", "True rates above the target, below it, or the worse of the two.", default="worst"
    )
    steps: Count | None = field(
        "Steps to the threshold", "Instead of a rate: how many whole steps lie between.", unit="steps"
    )
    at_most: OpenProbability | None = field(
        "Largest chance of crossing", "Of all possible outcomes.", decided=True, editor="chance"
    )

    def missing(self) -> tuple[str, ...]:
        asked = ("at_most",) if self.steps is not None else (*RATE, "at_most")
        return tuple(name for name in asked if getattr(self, name) is None)

    def inapplicable_fields(self, release: Release) -> tuple[str, ...]:
        if self.steps is not None:
            return (*RATE, "side")
        return ("steps",) if any(getattr(self, name) is not None for name in RATE) else ()

    def limit(self, setting: AccuracyInputs) -> Limit:
        if setting.noise is not None and not setting.noise.integer_valued:
            return no_limit("not_applicable", "switch_needs_whole_counts", mechanism=setting.mechanism)
        return super().limit(setting)

    def statistic(self, setting: AccuracyInputs) -> mathematics.Statistic:
        steps = self._target().steps(self.side) if self.steps is None else self.steps
        return mathematics.Switch(at_most=given(self.at_most), steps=steps)

    def figures(self, noise: mathematics.NumberNoise, setting: AccuracyInputs) -> Mapping[str, Any]:
        crossing = super().figures(noise, setting)
        return crossing if self.steps is not None else {**crossing, **self._target().rate(noise).model_dump()}

    def _target(self) -> mathematics.Target:
        return mathematics.Target(**{name: given(getattr(self, name)) for name in RATE})
