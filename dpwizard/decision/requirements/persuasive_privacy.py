"""Requirements of Bon, Bailie, Rousseau & Robert 2025: how much a release may improve a prediction about a person."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from dpwizard.base.numerics import down, up
from dpwizard.base.values import Count, Epsilon, NonNegative, Number, Positive, Probability, field
from dpwizard.decision.privacy_requirement import OfAnAttribute
from dpwizard.decision.reasons import Reason
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import (
    BaseRequirement,
    Limit,
    Side,
    Status,
    beyond_reach,
    converted_limit,
    no_limit,
)
from dpwizard.decision.settings import PrivacyInputs
from dpwizard.privacy import persuasive_privacy as mathematics
from dpwizard.privacy.mechanisms import LAPLACE, PointwiseLossNoise
from dpwizard.privacy.persuasive_privacy import NoiseNeed

PAPER = "Bon, Bailie, Rousseau & Robert 2025"
MOST_VALUES = 200
FIELDS = {"log": ("prior_mass",), "interval": ("length", "prior_sd", "margin"), "dawid_sebastiani": ("prior_sd", "r1")}
# status and sentence of the limit, by the status of the noise needed
WITHOUT_NOISE: Mapping[str, tuple[Status, str]] = {
    "none_needed": ("unbounded", "prediction_never_gains_more"),
    "infeasible": ("infeasible", "no_noise_is_large_enough"),
}

Row = Annotated[tuple[Number, ...], Field(min_length=2, max_length=MOST_VALUES)]


class PersuasivePrivacy(OfAnAttribute):
    """The score of a prediction rises by at most kappa, with probability 1 - delta."""

    drawn: ClassVar[Literal["", "curves", "figure"]] = "figure"
    source: ClassVar[str] = f"{PAPER}, Definition 2"
    assumptions: ClassVar[tuple[str, ...]] = ("priors_in_class", "scores_as_stated")
    basic_fields: ClassVar[tuple[str, ...]] = ("score", "prior_mass", "prior_sd", "r1", "margin")

    kind: Literal["persuasive_privacy"] = "persuasive_privacy"
    score: Literal["log", "interval", "dawid_sebastiani"] | None = field(
        "Score",
        "How a prediction is scored: by its density, by whether an interval contains the value, or by "
        "centre and spread.",
    )
    kappa: Epsilon | None = field(
        "Largest gain",
        "How much the score may improve: in nats for the log score. An interval that then contains the value gains 1.",
        decided=True,
    )
    delta: Probability = field(
        "Chance of more",
        "The chance that the gain is larger.",
        default=0.0,
        decided=True,
        editor="chance",
    )
    prior_mass: Probability | None = field(
        "Lowest chance before of the truth",
        "For the log score: the chance that the adversary gives the truth at least.",
        editor="chance",
    )
    length: Positive | None = field(
        "Length of the interval",
        "For the interval score, in the unit of the statistic.",
        unit="in the statistic’s unit",
        decided=True,
    )
    prior_sd: Positive | None = field(
        "Prior standard deviation",
        "Of the value, as the adversary thinks before the release.",
        unit="in the statistic’s unit",
    )
    margin: NonNegative | None = field(
        "Margin",
        "Interval score: how far the truth is outside the first interval, at least.",
        unit="in the statistic’s unit",
    )
    r1: NonNegative | None = field(
        "Largest surprise",
        "Squared distance of the value from its prior mean, in variances. Assumed.",
        unit="variances",
        tempting=True,
    )

    def missing(self) -> tuple[str, ...]:
        names = ("score", "kappa", *FIELDS.get(self.score or "", ()))
        return tuple(name for name in names if getattr(self, name) is None)

    def inapplicable_fields(self, release: Release) -> tuple[str, ...]:
        used = FIELDS.get(self.score or "", ())  # none if no score is chosen
        others = dict.fromkeys(name for names in FIELDS.values() for name in names if name not in used)
        return (*super().inapplicable_fields(release), *others)

    def setting(self, release: Release) -> PrivacyInputs | tuple[str, ...]:
        # the pair is two values of one person, who is in both datasets
        setting = release.privacy_setting(self.value(), of_noise=True)
        if isinstance(setting, tuple) or setting.one is None or setting.noise.absent_somewhere:
            return setting
        return setting.one.missing(("sensitivity",)) or setting

    def solve(self, setting: PrivacyInputs) -> Limit:
        unproved = self._why_unproved(setting)
        if unproved is not None:
            return no_limit("not_applicable", unproved)
        noise = (setting.noise.one or LAPLACE).judged  # the largest loss does not depend on the kind of bounded noise
        if noise is None:
            return no_limit("not_applicable", "score_judges_no_such_noise")
        # the log score assumes a sensitivity of 1; the step of geometric noise matters for delta above 1/2
        size = setting.own_sensitivity or 1.0
        unit = size / setting.step if noise.integer_valued and self.delta > 0.5 else 1.0
        needed = self._noise_needed(noise, unit)
        if needed.status in WITHOUT_NOISE:
            return no_limit(*WITHOUT_NOISE[needed.status])
        if needed.status == "not_applicable" or needed.noise is None:
            return no_limit("not_applicable", f"score_{needed.reason}")
        largest = self._largest_epsilon(setting, noise, needed.noise, unit)
        if math.isinf(largest):  # at delta 0 Gaussian noise is infinite at any epsilon
            return no_limit("unbounded", "prediction_never_gains_more")
        composes = setting.one is None or setting.repetitions > 1 or bool(setting.loss.earlier_epsilon)
        scale = noise.as_scale(needed.noise) * (
            size / unit if self.score == "log" else self._effect_on_figure(setting) or 0.0
        )
        is_budget = self.score != "log" or self._is_gaussian_log_score(setting)  # not a loss
        return converted_limit(
            largest,
            (lambda budget: budget) if is_budget else setting.loss.max_budget,
            "persuasion_binds_together" if composes else "persuasion_binds",
            figures={"kappa": self.kappa} if composes else {"kappa": self.kappa, "noise": scale},
            grounds="proved_under",
            attained=True,
        )

    def _is_gaussian_log_score(self, setting: PrivacyInputs) -> bool:
        # several Gaussian figures have the loss of one with the same mu
        return self.score == "log" and setting.noise.normal is not None

    def _effect_on_figure(self, setting: PrivacyInputs) -> float | None:
        # the log score does not depend on the effect
        return 1.0 if self.score == "log" else self.effect(setting)

    def _why_unproved(self, setting: PrivacyInputs) -> str | None:
        bounds_every_loss = self.score == "log" and self.delta == 0.0 and not setting.noise.needs_delta
        gaussian_log = self._is_gaussian_log_score(setting)
        if setting.post_processed and not bounds_every_loss:
            return "processing_ends_score"  # Proposition 5: the sender's processing
        if (len(setting.noise.each) > 1 or setting.dimension > 1) and not bounds_every_loss and not gaussian_log:
            return "score_speaks_of_one_value"
        if self._effect_on_figure(setting) is None:
            return "effect_of_value_not_stated"
        adds_up = bounds_every_loss or (gaussian_log and not setting.loss.earlier_epsilon)
        if (setting.repetitions > 1 or setting.loss.earlier_epsilon) and not adds_up:
            return "composition_not_proved"
        return None

    def _noise_needed(self, noise: PointwiseLossNoise, unit: float) -> NoiseNeed:
        assert self.kappa is not None and self.score is not None
        return mathematics.noise_needed(
            score=self.score,
            mechanism_kind=noise.name,
            kappa=self.kappa,
            delta=self.delta,
            sensitivity=unit,
            prior_mass=self.prior_mass or 0.0,
            prior_sd=self.prior_sd,
            r1=self.r1,
            length=self.length,
            margin=self.margin,
        )

    def _largest_epsilon(self, setting: PrivacyInputs, noise: PointwiseLossNoise, needed: float, unit: float) -> float:
        if self._is_gaussian_log_score(setting):
            return setting.loss.largest_for_mu(down(unit / needed, 2))
        if self.score == "log":
            return noise.largest_epsilon(needed, unit, 0.0)
        effect = self._effect_on_figure(setting)
        if not effect:
            return math.inf
        assert setting.sensitivity is not None
        # NEEDED is for a published value; a figure that changes EFFECT times as much needs EFFECT times the noise
        figure_noise = needed if effect == 1.0 else up(needed * effect, 1)
        return noise.largest_epsilon(figure_noise, setting.sensitivity, setting.delta or 0.0)

    def effect(self, setting: PrivacyInputs) -> float | None:
        """Return the change of the only table when the value changes by 1: 1 if it states no effects.

        None if that is unknown: for a histogram, a vector, several rows of a unit, effects of other attributes only, or
        several effects when no attribute is named.
        """
        table = setting.one
        if table is None or table.statistic in ("histogram", "vector"):
            return None
        effects = dict(table.effects or ())
        if not effects:
            return 1.0 if setting.contributions == 1 else None
        if self.attribute is not None:
            return effects.get(self.attribute)
        return next(iter(effects.values())) if len(effects) == 1 else None

    def at(self, setting: PrivacyInputs, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the largest factor of a gain, e^kappa or e^(kappa/2) for Dawid-Sebastiani, and the chance of more."""
        if self.kappa is None or limit.status != "allowed":
            return {}  # without a limit there is no guarantee
        exponent = self.kappa / (2.0 if self.score == "dawid_sebastiani" else 1.0)
        if exponent >= 700.0:
            return {}
        return {"factor": up(math.exp(exponent), 4)} | ({"chance_of_more": self.delta} if self.delta else {})


class ExactMean(BaseRequirement):
    """A mean published without noise reveals at most kappa to Gaussian priors. Not differentially private."""

    end: ClassVar[Side] = "verdict"
    source: ClassVar[str] = f"{PAPER}, Proposition 7"
    assumptions: ClassVar[tuple[str, ...]] = ("gaussian_beliefs", "nothing_else_exact")
    basic_fields: ClassVar[tuple[str, ...]] = ("mean", "covariance", "n", "correlation", "r1")

    kind: Literal["exact_mean"] = "exact_mean"
    mean: Row | None = field(
        "Prior means", "Of all values, as the adversary thinks. Never take them from confidential data.", tempting=True
    )
    covariance: Annotated[tuple[Row, ...], Field(max_length=MOST_VALUES)] | None = field(
        "Prior covariance", "Of all values.", tempting=True
    )
    n: Count | None = field(
        "Number of people", "Instead of a covariance: equal variances and one correlation.", unit="people"
    )
    correlation: Annotated[Number, Field(ge=-1, le=1)] | None = field("Correlation", "Between any two people.")
    r1: NonNegative | None = field(
        "Largest surprise",
        "Squared distance of the mean from its prior mean, in variances. Assumed.",
        unit="variances",
        tempting=True,
    )
    kappa: Epsilon | None = field(
        "Largest gain", "How much better the prediction of one value may become, in nats.", unit="nats", decided=True
    )

    def missing(self) -> tuple[str, ...]:
        names = ("r1", "kappa") if self.covariance is not None else ("n", "correlation", "r1", "kappa")
        return tuple(name for name in names if getattr(self, name) is None)

    def inapplicable_fields(self, release: Release) -> tuple[str, ...]:
        return ("n", "correlation") if self.covariance is not None or self.mean is not None else ()

    def setting(self, release: Release) -> PrivacyInputs | tuple[str, ...]:
        return release.privacy_setting(of_noise=True)

    def limit(self, setting: PrivacyInputs) -> Limit:
        if not setting.noise.absent:
            return no_limit("not_applicable", "exact_mean_needs_exact_release")
        if setting.loss.missing is not None and setting.loss.missing.check == "exact_figures":
            return beyond_reach(setting.loss.missing)  # the difference of two means may reveal a value
        if setting.post_processed:
            return no_limit("not_applicable", "processing_ends_exact_mean")  # Proposition 5: the sender's processing
        assert self.r1 is not None and self.kappa is not None
        by_covariance = self.covariance is not None
        leak = mathematics.exact_mean_promise(
            r1=self.r1,
            mean=self.mean if by_covariance else None,
            covariance=self.covariance,
            n=None if by_covariance else self.n,
            correlation=None if by_covariance else self.correlation,
        )
        published = {"kappa": leak.kappa, "r1": leak.r1, "r2": leak.r2, "source": self.source}
        is_kept = leak.sharp_kappa is not None and leak.sharp_kappa <= self.kappa
        figures = {"gain": leak.sharp_kappa, "kappa": self.kappa}
        return Limit(
            status="allowed" if is_kept else "infeasible",
            why=Reason(key="exact_mean_kept" if is_kept else "exact_mean_gives_more", values=figures),
            grounds="proved_under",
            as_published=published,
        )

    def at(self, setting: PrivacyInputs, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        return {}
