"""Requirements of accuracy in people's words: of small numbers, of all numbers of a table, of noisy thresholds."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from dpwizard.base.numerics import decimal, real, up
from dpwizard.base.values import NonNegative, Number, OpenProbability, Positive, Probability, field
from dpwizard.decision.number_requirement import About, NumberRequirement
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import Limit, beyond_reach
from dpwizard.decision.settings import NumberSetting
from dpwizard.decision.worlds import missing
from dpwizard.privacy import accuracy as mathematics
from dpwizard.privacy.mechanisms import Law, Noise, law_at


class NoisyNumbers(NumberRequirement):
    """What its kinds share: which noise is kept, and the chance that it comes to what they speak of."""

    @abstractmethod
    def kept(self, setting: NumberSetting) -> mathematics.Kept:
        """Return which noise is accurate enough; raises Infeasible where none is."""

    @abstractmethod
    def chance(self, law: Law, setting: NumberSetting) -> Mapping[str, float]:
        """Return what noise of this law comes to."""

    def need(self, noise: Noise, setting: NumberSetting) -> float:
        scale = mathematics.largest_scale(noise.name, self.kept(setting))
        if scale == 0.0:
            return math.inf
        return 0.0 if math.isinf(scale) else noise.epsilon_for_scale(scale, setting.sensitivity, setting.delta or 0.0)

    def at(self, setting: NumberSetting, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return what the noise comes to at EPSILON."""
        scale = setting.scale(epsilon)
        if setting.noise is None or not 0.0 < scale < math.inf:
            return {}
        return self.chance(law_at(setting.noise.name, 1.0 / scale), setting)


class RelativeError(NoisyNumbers):
    """Noise is more than a share of the smallest number that matters, with at most a given probability."""

    key: ClassVar[str] = "relative_error"
    about: ClassVar[About] = "each"
    begins: ClassVar[Mapping[str, float]] = MappingProxyType({"fraction": 0.1, "at_most": 0.05})
    width: ClassVar[str] = "fraction"
    needs: ClassVar[tuple[str, ...]] = ("fraction", "of", "at_most")

    kind: Literal["relative_error"] = "relative_error"
    fraction: Positive | None = field(
        "Share of the number", "How far off it may be, as a part of it.", decided=True, editor="share"
    )
    of: Positive | None = field(
        "Smallest number that matters",
        "The smallest true value that somebody relies on.",
        unit="in the statistic's unit",
        tempting=True,
    )
    at_most: OpenProbability | None = field(
        "Largest chance of more", "Of all possible outcomes.", decided=True, editor="chance"
    )

    def kept(self, setting: NumberSetting) -> mathematics.Kept:
        assert self.fraction is not None and self.of is not None and self.at_most is not None
        return mathematics.relative_error_kept(self.fraction, self.of, self.at_most)

    def chance(self, law: Law, setting: NumberSetting) -> Mapping[str, float]:
        assert self.fraction is not None and self.of is not None
        return {"probability": law.beyond(decimal(self.fraction) * decimal(self.of))}


class AllWithin(NoisyNumbers):
    """All numbers of a table lie within a half-width at once, with at least a given probability."""

    key: ClassVar[str] = "all_within"
    about: ClassVar[About] = "all"
    begins: ClassVar[Mapping[str, float]] = MappingProxyType({"level": 0.95})
    width: ClassVar[str] = "half_width"
    needs: ClassVar[tuple[str, ...]] = ("half_width", "level")

    kind: Literal["all_within"] = "all_within"
    half_width: NonNegative | None = field(
        "Half-width", "How far off any number may be.", unit="in the statistic's unit", decided=True
    )
    level: OpenProbability | None = field(
        "Level", "With at least this probability, of all numbers at once.", decided=True, editor="chance"
    )

    def kept(self, setting: NumberSetting) -> mathematics.Kept:
        assert self.half_width is not None and self.level is not None
        return mathematics.all_within_kept(self.half_width, self.level, setting.numbers)

    def chance(self, law: Law, setting: NumberSetting) -> Mapping[str, float]:
        assert self.half_width is not None
        return {"chance": mathematics.all_kept(law, self.half_width, setting.numbers)}


class ShareWithin(NoisyNumbers):
    """At least a share of the numbers of a table lies within a half-width, with at least a given probability."""

    key: ClassVar[str] = "share_within"
    about: ClassVar[About] = "all"
    begins: ClassVar[Mapping[str, float]] = MappingProxyType({"share": 0.95, "level": 0.95})
    width: ClassVar[str] = "half_width"
    needs: ClassVar[tuple[str, ...]] = ("half_width", "share", "level")

    kind: Literal["share_within"] = "share_within"
    half_width: NonNegative | None = field(
        "Half-width", "How far off such a number may be.", unit="in the statistic's unit", decided=True
    )
    share: Probability | None = field(
        "Share of the numbers", "90 of 100 districts are 0.9.", decided=True, editor="chance"
    )
    level: OpenProbability | None = field("Level", "With at least this probability.", decided=True, editor="chance")

    def barred(self, release: Release) -> Limit | None:
        """Return the same, or that the errors of the numbers depend on each other once they are made to add up."""
        if "consistency" in release.post_processing:
            return beyond_reach(missing("post_processing", "errors_depend"))
        return super().barred(release)

    def kept(self, setting: NumberSetting) -> mathematics.Kept:
        assert self.half_width is not None and self.share is not None and self.level is not None
        return mathematics.share_within_kept(self.half_width, self.share, self.level, setting.numbers)

    def chance(self, law: Law, setting: NumberSetting) -> Mapping[str, float]:
        assert self.half_width is not None and self.share is not None
        return {"chance": mathematics.share_kept(law, self.half_width, self.share, setting.numbers)}


class DropRate(NoisyNumbers):
    """A number that is published only above a noisy threshold is dropped with at most a given probability."""

    key: ClassVar[str] = "drop_rate"
    about: ClassVar[About] = "threshold"
    begins: ClassVar[Mapping[str, float]] = MappingProxyType({"at_most": 0.05})
    needs: ClassVar[tuple[str, ...]] = ("true_value", "threshold", "at_most")

    kind: Literal["drop_rate"] = "drop_rate"
    true_value: Number | None = field(
        "True value", "Of a number that should be published.", unit="in the statistic's unit", tempting=True
    )
    threshold: Number | None = field(
        "Threshold", "A noisy number is published where it reaches this.", unit="in the statistic's unit", decided=True
    )
    at_most: OpenProbability | None = field(
        "Largest chance of being dropped", "Of all outcomes.", decided=True, editor="chance"
    )

    def kept(self, setting: NumberSetting) -> mathematics.Kept:
        assert self.true_value is not None and self.threshold is not None and self.at_most is not None
        return mathematics.drop_rate_kept(self.true_value, self.threshold, self.at_most)

    def chance(self, law: Law, setting: NumberSetting) -> Mapping[str, float]:
        assert self.true_value is not None and self.threshold is not None
        return {"probability": mathematics.dropped(law, self.true_value, self.threshold)}


class SpuriousRate(NoisyNumbers):
    """A true 0 comes to a noisy threshold, and is published, with at most a given probability."""

    key: ClassVar[str] = "spurious_rate"
    about: ClassVar[About] = "threshold"
    begins: ClassVar[Mapping[str, float]] = MappingProxyType({"at_most": 0.01})
    needs: ClassVar[tuple[str, ...]] = ("threshold", "at_most")

    kind: Literal["spurious_rate"] = "spurious_rate"
    threshold: Positive | None = field(
        "Threshold", "A noisy number is published where it reaches this.", unit="in the statistic's unit", decided=True
    )
    at_most: OpenProbability | None = field(
        "Largest chance that a 0 is published", "Of all possible outcomes.", decided=True, editor="chance"
    )

    def kept(self, setting: NumberSetting) -> mathematics.Kept:
        assert self.threshold is not None and self.at_most is not None
        return mathematics.spurious_rate_kept(self.threshold, self.at_most)

    def chance(self, law: Law, setting: NumberSetting) -> Mapping[str, float]:
        assert self.threshold is not None
        return {"probability": law.reaching(decimal(self.threshold))}


class MarginOfError(NumberRequirement):
    """The standard deviation of the noise is at most a half-width divided by z, as agencies print margins of error."""

    key: ClassVar[str] = "margin_of_error"
    about: ClassVar[About] = "each"
    begins: ClassVar[Mapping[str, float]] = MappingProxyType({"z": 1.96})
    width: ClassVar[str] = "half_width"
    needs: ClassVar[tuple[str, ...]] = ("half_width", "z")

    kind: Literal["margin_of_error"] = "margin_of_error"
    half_width: Positive | None = field(
        "Margin of error", "As it is printed beside the number.", unit="in the statistic's unit", decided=True
    )
    z: Positive | None = field(
        "Standard deviations", "How many of them the margin is; usually 1.96 for 95 in 100. No coverage is claimed."
    )

    def need(self, noise: Noise, setting: NumberSetting) -> float:
        assert self.half_width is not None and self.z is not None
        most = math.nextafter(real(decimal(self.half_width) / decimal(self.z)), 0.0)
        return noise.epsilon_for_sd(most, setting.sensitivity, setting.delta or 0.0)

    def at(self, setting: NumberSetting, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the margin of error at EPSILON: z standard deviations of the noise."""
        assert self.z is not None
        noise, scale = self.added(setting, epsilon)
        return {"half_width": up(self.z * noise.sd(scale), 1), "z": self.z}
