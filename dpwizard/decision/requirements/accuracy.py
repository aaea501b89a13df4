"""The accuracy requirements: each sets the smallest epsilon for a number, a sum or a table."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from dpwizard.base.values import Count, NonNegative, Number, OpenProbability, Positive, Probability, field
from dpwizard.decision.accuracy_requirement import About, AccuracyRequirement, given
from dpwizard.decision.reasons import missing
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import Limit, beyond_reach, no_limit
from dpwizard.decision.settings import AccuracyInputs
from dpwizard.decision.sum_requirement import OfASum, OfCells
from dpwizard.privacy import accuracy as mathematics

RATE = ("target", "per", "records", "deviation")  # the fields that give the distance of a rate from its threshold


class Rmse(OfASum):
    """The root-mean-square error of the number is at most a given one."""

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
    """The mean absolute error of the number is at most a given one."""

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
    level: OpenProbability | None = field("Level", "At least this chance.", decided=True, editor="chance")

    def statistic(self, setting: AccuracyInputs) -> mathematics.Statistic:
        if setting.is_sum or setting.added_up is not None:
            return mathematics.SumWithin(**self.asked())
        return mathematics.NoiseInterval(**self.asked())

    def figures(self, noise: mathematics.NumberNoise, setting: AccuracyInputs) -> Mapping[str, Any]:
        interval = noise.interval(given(self.level))
        return {"half_width": interval.half_width, "coverage": interval.coverage}


class ExactProbability(AccuracyRequirement):
    """The number is published without error with at least a given probability."""

    about: ClassVar[About] = "each"
    gives: ClassVar[str] = "exact_probability"
    after_adding_up: ClassVar[str] = "no_exact_chance_after_adding_up"
    bound: ClassVar[str] = "at_least"
    measured: ClassVar[Mapping[str, float] | None] = MappingProxyType({"at_least": 0.0})

    kind: Literal["exact_probability"] = "exact_probability"
    at_least: Probability | None = field(
        "Smallest chance of the exact value", "Of all outcomes.", decided=True, editor="chance"
    )

    def limit_on_table(self, setting: AccuracyInputs) -> Limit:
        if setting.noise is not None and not setting.noise.integer_valued:
            return no_limit("not_applicable", "continuous_noise_is_never_exact")
        return super().limit_on_table(setting)

    def statistic(self, setting: AccuracyInputs) -> mathematics.Statistic:
        return mathematics.ExactProbability(level=given(self.at_least))


class SwitchProbability(AccuracyRequirement):
    """Noise carries a count across a policy threshold with at most a given probability."""

    about: ClassVar[About] = "threshold"
    source: ClassVar[str] = "Kazan & Reiter 2024, Example 3"
    after_adding_up: ClassVar[str] = "threshold_after_adding_up"
    measured: ClassVar[Mapping[str, float] | None] = MappingProxyType({})  # without its threshold

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
    )
    deviation: NonNegative | None = field(
        "Deviation from the target", "How far the true rate is assumed to be from it.", unit="cases", tempting=True
    )
    side: Literal["above", "below", "worst"] = field(
        "Side", "True rates above the target, below it, or the worse of the two.", default="worst"
    )
    steps: Count | None = field("Steps to the threshold", "Instead of a rate: the number of whole steps.", unit="steps")
    at_most: OpenProbability | None = field(
        "Largest chance of crossing", "Of all outcomes.", decided=True, editor="chance"
    )

    def missing(self) -> tuple[str, ...]:
        names = ("at_most",) if self.steps is not None else (*RATE, "at_most")
        return tuple(name for name in names if getattr(self, name) is None)

    def inapplicable_fields(self, release: Release) -> tuple[str, ...]:
        if self.steps is not None:
            return (*RATE, "side")
        return ("steps",) if any(getattr(self, name) is not None for name in RATE) else ()

    def limit_on_table(self, setting: AccuracyInputs) -> Limit:
        if setting.noise is not None and not setting.noise.integer_valued:
            return no_limit("not_applicable", "switch_needs_whole_counts", mechanism=setting.mechanism)
        return super().limit_on_table(setting)

    def statistic(self, setting: AccuracyInputs) -> mathematics.Statistic:
        steps = self._policy_target().steps(self.side) if self.steps is None else self.steps
        return mathematics.Switch(at_most=given(self.at_most), steps=steps)

    def figures(self, noise: mathematics.NumberNoise, setting: AccuracyInputs) -> Mapping[str, Any]:
        crossing = super().figures(noise, setting)
        return crossing if self.steps is not None else {**crossing, **self._policy_target().rate(noise).model_dump()}

    def _policy_target(self) -> mathematics.Target:
        return mathematics.Target(**{name: given(getattr(self, name)) for name in RATE})


class RelativeError(OfASum):
    """Noise is more than a share of the smallest number that matters, with at most a given probability."""

    asks: ClassVar[type[mathematics.Statistic]] = mathematics.RelativeError
    about: ClassVar[About] = "each"
    begins: ClassVar[Mapping[str, float]] = MappingProxyType({"fraction": 0.1, "at_most": 0.05})
    width: ClassVar[str] = "fraction"

    kind: Literal["relative_error"] = "relative_error"
    fraction: Positive | None = field(
        "Share of the number", "How far off it may be, compared with the number itself.", decided=True, editor="share"
    )
    of: Positive | None = field(
        "Smallest number that matters",
        "The smallest true value that someone relies on.",
        unit="in the statistic’s unit",
        tempting=True,
    )
    at_most: OpenProbability | None = field(
        "Largest chance of a larger error", "Of all outcomes.", decided=True, editor="chance"
    )


class AllWithin(OfCells):
    """All numbers of a table lie within a half-width at once, with at least a given probability."""

    about: ClassVar[About] = "all"
    gives: ClassVar[str] = "chance"
    bound: ClassVar[str] = "level"
    begins: ClassVar[Mapping[str, float]] = MappingProxyType({"level": 0.95})
    width: ClassVar[str] = "half_width"
    optional: ClassVar[tuple[str, ...]] = ("numbers", "overlapping")

    kind: Literal["all_within"] = "all_within"
    half_width: NonNegative | None = field(
        "Half-width", "How far off any number may be.", unit="in the statistic’s unit", decided=True
    )
    level: OpenProbability | None = field(
        "Level", "At least this chance, for all numbers at once.", decided=True, editor="chance"
    )
    numbers: Count | None = field(
        "Numbers at once",
        "How many numbers, or sums, must be accurate enough at once. If empty: all numbers of the table.",
        unit="numbers",
    )
    overlapping: bool | None = field(
        "Sums share numbers",
        "Whether two of the sums have a number in common, such as wards and age groups. If empty: only "
        "if the table has too few numbers for them.",
    )

    def missing(self) -> tuple[str, ...]:
        return (*super().missing(), *(("numbers",) if self.is_sum() and self.numbers is None else ()))

    def inapplicable_fields(self, release: Release) -> tuple[str, ...]:
        fields = super().inapplicable_fields(release)
        numbers = ("numbers",) if "cells" in fields and self.numbers is None else ()
        return (*fields, *numbers, *(() if self.is_sum() or self.overlapping is not None else ("overlapping",)))

    def limit_on_table(self, setting: AccuracyInputs) -> Limit:
        if not setting.is_sum and self.numbers is not None and 1 < setting.numbers < self.numbers:
            return no_limit("not_applicable", "more_cells_than_numbers", cells=self.numbers, numbers=setting.numbers)
        return super().limit_on_table(setting)

    def statistic(self, setting: AccuracyInputs) -> mathematics.Statistic:
        numbers = setting.numbers if self.numbers is None else self.numbers
        share_numbers = 1 < setting.numbers < numbers * setting.cells if self.overlapping is None else self.overlapping
        # miss probabilities add up for dependent errors; for normal noise the product is a lower bound (Sidak)
        dependent = setting.added_up is not None and not setting.added_up.normal
        return mathematics.AllWithin(
            **self.asked(),
            numbers=numbers,
            overlapping=(setting.is_sum and share_numbers) or dependent,
        )


class ShareWithin(AccuracyRequirement):
    """At least a share of the numbers of a table lies within a half-width, with at least a given probability."""

    about: ClassVar[About] = "all"
    gives: ClassVar[str] = "chance"
    after_adding_up: ClassVar[str] = "errors_depend"
    bound: ClassVar[str] = "level"
    begins: ClassVar[Mapping[str, float]] = MappingProxyType({"share": 0.95, "level": 0.95})
    width: ClassVar[str] = "half_width"

    kind: Literal["share_within"] = "share_within"
    half_width: NonNegative | None = field(
        "Half-width", "How far off such a number may be.", unit="in the statistic’s unit", decided=True
    )
    share: Probability | None = field(
        "Share of the numbers", "0.9 is 90 of 100 districts.", decided=True, editor="chance"
    )
    level: OpenProbability | None = field("Level", "At least this chance.", decided=True, editor="chance")

    def blocked_limit(self, release: Release) -> Limit | None:
        """Return why RELEASE allows none, also because the errors of numbers that add up are dependent."""
        if "consistency" in release.post_processing:
            return beyond_reach(missing("post_processing", "errors_depend"))
        return super().blocked_limit(release)

    def statistic(self, setting: AccuracyInputs) -> mathematics.Statistic:
        return mathematics.ShareWithin(**self.asked(), numbers=setting.numbers)


class DropRate(AccuracyRequirement):
    """A number that is published only above a noisy threshold is dropped with at most a given probability."""

    asks: ClassVar[type[mathematics.Statistic]] = mathematics.DropRate
    about: ClassVar[About] = "threshold"
    after_adding_up: ClassVar[str] = "threshold_after_adding_up"
    begins: ClassVar[Mapping[str, float]] = MappingProxyType({"at_most": 0.05})

    kind: Literal["drop_rate"] = "drop_rate"
    true_value: Number | None = field(
        "True value",
        "The true value of a number that should be published.",
        unit="in the statistic’s unit",
        tempting=True,
    )
    threshold: Number | None = field(
        "Threshold", "A noisy number is published if it reaches this.", unit="in the statistic’s unit", decided=True
    )
    at_most: OpenProbability | None = field(
        "Largest chance of being suppressed", "Of all outcomes.", decided=True, editor="chance"
    )


class SpuriousRate(AccuracyRequirement):
    """A true 0 reaches a noisy threshold, and is published as that or more, with at most a given probability."""

    asks: ClassVar[type[mathematics.Statistic]] = mathematics.SpuriousRate
    about: ClassVar[About] = "threshold"
    begins: ClassVar[Mapping[str, float]] = MappingProxyType({"at_most": 0.01})

    kind: Literal["spurious_rate"] = "spurious_rate"
    threshold: Positive | None = field(
        "Threshold",
        "The number, or more, that a true 0 must not be published as.",
        unit="in the statistic’s unit",
        decided=True,
    )
    at_most: OpenProbability | None = field(
        "Largest chance of publishing a 0 like that", "Of all outcomes.", decided=True, editor="chance"
    )


class MarginOfError(OfASum):
    """The standard deviation of the noise is at most a half-width divided by z, as agencies print margins of error."""

    about: ClassVar[About] = "each"
    gives: ClassVar[str] = "half_width"
    bound: ClassVar[str] = "half_width"
    of_variance: ClassVar[bool] = True
    begins: ClassVar[Mapping[str, float]] = MappingProxyType({"z": 1.96})
    width: ClassVar[str] = "half_width"

    kind: Literal["margin_of_error"] = "margin_of_error"
    half_width: Positive | None = field(
        "Margin of error", "As it is printed beside the number.", unit="in the statistic’s unit", decided=True
    )
    z: Positive | None = field(
        "Standard deviations", "How many of them the margin is: usually 1.96 for 95 in 100. No coverage is claimed."
    )

    def statistic(self, setting: AccuracyInputs) -> mathematics.Statistic:
        return mathematics.MarginOfError(at_most=given(self.half_width), z=given(self.z))

    def figures(self, noise: mathematics.NumberNoise, setting: AccuracyInputs) -> Mapping[str, Any]:
        return {**super().figures(noise, setting), "z": self.z}
