"""Requirements of accuracy: what must still be usable. Each gives the smallest epsilon that one number needs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from dpwizard.base.values import Count, NonNegative, OpenProbability, Positive, Probability, field
from dpwizard.decision.number_requirement import About, NumberRequirement
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import Limit, refused
from dpwizard.decision.settings import NumberSetting
from dpwizard.privacy import accuracy as mathematics
from dpwizard.privacy.mechanisms import Noise

RATE = ("target", "per", "records", "deviation")  # the fields that say how far a rate lies from its threshold


class Rmse(NumberRequirement):
    """The root-mean-square error of the number, at most so much."""

    key: ClassVar[str] = "rmse"
    about: ClassVar[About] = "typical"
    width: ClassVar[str] = "at_most"
    needs: ClassVar[tuple[str, ...]] = ("at_most",)

    kind: Literal["rmse"] = "rmse"
    at_most: Positive | None = field(
        "Largest root-mean-square error", "In the unit of the statistic.", unit="in the statistic's unit", decided=True
    )

    def need(self, noise: Noise, setting: NumberSetting) -> float:
        assert self.at_most is not None
        return noise.epsilon_for_sd(self.at_most, setting.sensitivity, setting.delta or 0.0)

    def at(self, setting: NumberSetting, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the root-mean-square error at EPSILON."""
        noise, scale = self.added(setting, epsilon)
        return {"rmse": noise.sd(scale)}


class MeanAbsoluteError(NumberRequirement):
    """The mean absolute error of the number, at most so much."""

    key: ClassVar[str] = "mean_absolute_error"
    about: ClassVar[About] = "typical"
    width: ClassVar[str] = "at_most"
    needs: ClassVar[tuple[str, ...]] = ("at_most",)

    kind: Literal["mean_absolute_error"] = "mean_absolute_error"
    at_most: Positive | None = field(
        "Largest mean absolute error", "In the unit of the statistic.", unit="in the statistic's unit", decided=True
    )

    def need(self, noise: Noise, setting: NumberSetting) -> float:
        assert self.at_most is not None
        return noise.epsilon_for_mean_absolute(self.at_most, setting.sensitivity, setting.delta or 0.0)

    def at(self, setting: NumberSetting, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the mean absolute error at EPSILON."""
        noise, scale = self.added(setting, epsilon)
        return {"mean_absolute_error": noise.mean_absolute(scale)}


class NoiseInterval(NumberRequirement):
    """The noise stays within a half-width with a given probability."""

    key: ClassVar[str] = "noise_interval"
    about: ClassVar[About] = "each"
    begins: ClassVar[Mapping[str, float]] = MappingProxyType({"level": 0.95})
    width: ClassVar[str] = "half_width"
    needs: ClassVar[tuple[str, ...]] = ("half_width", "level")

    kind: Literal["noise_interval"] = "noise_interval"
    half_width: NonNegative | None = field(
        "Half-width",
        "How far off the number may be, in the unit of the statistic.",
        unit="in the statistic's unit",
        by_questions=True,
        decided=True,
    )
    level: OpenProbability | None = field("Level", "With at least this probability.", decided=True, editor="chance")

    def need(self, noise: Noise, setting: NumberSetting) -> float:
        assert self.half_width is not None and self.level is not None
        return noise.epsilon_for_half_width(self.half_width, self.level, setting.sensitivity, setting.delta or 0.0)

    def at(self, setting: NumberSetting, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the noise interval at the level asked for, and its coverage."""
        assert self.level is not None
        assert setting.noise is not None
        scale, own = setting.scale(epsilon), setting.own(epsilon)
        found = mathematics.interval_of(setting.noise, scale, own, setting.sensitivity, self.level)
        return {"half_width": found.half_width, "coverage": found.coverage}


class ExactProbability(NumberRequirement):
    """The number is published without error with at least a given probability."""

    key: ClassVar[str] = "exact_probability"
    about: ClassVar[About] = "each"
    needs: ClassVar[tuple[str, ...]] = ("at_least",)

    kind: Literal["exact_probability"] = "exact_probability"
    at_least: Probability | None = field(
        "Smallest chance of the exact value", "Of all possible outcomes.", decided=True, editor="chance"
    )

    def limit(self, setting: NumberSetting) -> Limit:
        if setting.noise is not None and not setting.noise.on_lattice:
            return refused("not_applicable", "continuous_noise_is_never_exact")
        return super().limit(setting)

    def need(self, noise: Noise, setting: NumberSetting) -> float:
        assert self.at_least is not None
        if self.at_least in (0.0, 1.0):
            return math.inf if self.at_least else 0.0
        return noise.epsilon_for_exact_mass(self.at_least, setting.sensitivity, setting.delta or 0.0)

    def at(self, setting: NumberSetting, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the chance of the exact value at EPSILON."""
        noise, scale = self.added(setting, epsilon)
        return {"exact_probability": noise.exact_mass(scale)}


class SwitchProbability(NumberRequirement):
    """Noise carries a count across a policy threshold with at most a given probability."""

    key: ClassVar[str] = "switch_probability"
    about: ClassVar[About] = "threshold"
    source: ClassVar[str] = "Kazan & Reiter 2024, Example 3"

    kind: Literal["switch_probability"] = "switch_probability"
    target: NonNegative | None = field(
        "Target rate", "For instance 6.0 per 1,000; a rate at or below it meets the target.", unit="cases"
    )
    per: Positive | None = field("Per", "For instance 1,000.", unit="records")
    records: Count | None = field(
        "Number of records",
        "The rate's denominator; a public or assumed figure.",
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

    def unasked(self, release: Release) -> tuple[str, ...]:
        if self.steps is not None:
            return (*RATE, "side")
        return ("steps",) if any(getattr(self, name) is not None for name in RATE) else ()

    def limit(self, setting: NumberSetting) -> Limit:
        if setting.noise is not None and not setting.noise.on_lattice:
            return refused("not_applicable", "switch_needs_whole_counts", mechanism=setting.mechanism)
        return super().limit(setting)

    def need(self, noise: Noise, setting: NumberSetting) -> float:
        assert self.at_most is not None
        whole, delta = noise.whole, setting.delta or 0.0
        assert whole is not None
        if self.steps is not None:
            return mathematics.switch_need_of(whole, self.at_most, self.steps, setting.sensitivity, delta)
        found = mathematics.switch_rate_need_of(
            whole,
            **self._rate(),
            side=self.side,
            at_most=self.at_most,
            sensitivity=setting.sensitivity,
            delta=delta,
        )
        return found.epsilon

    def _rate(self) -> dict[str, float]:
        figures = {name: getattr(self, name) for name in RATE}
        assert None not in figures.values()
        return figures

    def at(self, setting: NumberSetting, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the chance of crossing at EPSILON, on either side of the target."""
        assert setting.noise is not None
        whole, scale = setting.noise.whole, setting.scale(epsilon)
        assert whole is not None
        if self.steps is not None:
            return {"probability": whole.reaching(scale, self.steps)}
        found = mathematics.switch_rate_of(whole, scale, **self._rate())
        chances = {"above": (found.above,), "below": (found.below,), "worst": (found.above, found.below)}[self.side]
        return {
            "probability": max(chances),
            "above": found.above,
            "below": found.below,
            "threshold_count": found.threshold_count,
            "true_count_above": found.true_count_above,
            "true_count_below": found.true_count_below,
        }
