"""Requirements of Kazan & Reiter 2024: the chance after the release relative to the chance before (the prior)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Literal

from dpwizard.base.numerics import decimal, down, up
from dpwizard.base.values import LongText, OpenProbability, PriorRange, ShortText, field
from dpwizard.decision.neighbouring import AddOrRemoveOne
from dpwizard.decision.privacy_requirement import LossReading, OfAnAttribute, refused, unknown_reading
from dpwizard.decision.reasons import Check, Reason
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import (
    ERROR,
    Limit,
    Setting,
    beyond_reach,
    converted_limit,
    epsilon_limit,
    no_limit,
)
from dpwizard.decision.settings import PrivacyInputs
from dpwizard.decision.tables import DOUBLE
from dpwizard.privacy import gaussian_risk
from dpwizard.privacy import relative_risk as mathematics
from dpwizard.privacy.profiles import CapPiece, LevelPiece, Profile

Bound = mathematics.Recommendation | gaussian_risk.Recommendation

CERTAIN = (1.0, (1.0, 1.0))  # the two spellings of the prior 1
ANYTHING = (0.0, 1.0)  # any prior
STEEPEST = 16.0  # above every ratio of the loss between two values to that of presence, under Gaussian noise
RARELY = "Kazan & Reiter 2024, Theorem 1 and (13), of all but rare releases (docs/methods/gaussian_risk.md, Theorem 1)"
AT_ITS_SIGMA = (
    "Kazan & Reiter 2024, Theorem 1 and (13), of all but rare releases (docs/methods/gaussian_risk.md, Theorem 1); "
    "checked at this sigma"
)
AVERAGE_PRECISION = 1e-10  # relative precision of the search for the budget of a mean in closed form
NO_MORE = 1e-3  # relative: a tolerance that raises the budget by less than this counts as no gain
ON_AVERAGE = "the average over the releases, by Renyi divergence (docs/methods/gaussian_risk.md, Theorem 5)"
REPLACE_ONLY = 1.0  # the replace_factor that gives, with p = 1, the bound under the replace relation


class RelativeRisk(OfAnAttribute):
    """The chance after the release is at most a multiple of the chance before, for every prior considered."""

    drawn: ClassVar[Literal["", "curves", "figure"]] = "curves"
    source: ClassVar[str] = "Kazan & Reiter 2024, Theorem 2 and (13)"
    instead: ClassVar[str] = "no_largest_loss"
    assumptions: ClassVar[tuple[str, ...]] = ("independent_of_others", "class_is_complete")
    basic_fields: ClassVar[tuple[str, ...]] = ("adversary", "p", "q", "group", "attribute", "sensitive_set")

    kind: Literal["relative_risk"] = "relative_risk"
    adversary: Literal["inclusion", "attribute", "both"] | None = field(
        "What they want to learn", "Whether someone is in the data, a sensitive value of someone who is, or both."
    )
    p: PriorRange | None = field(
        "Chance that the record is in the data",
        "What the adversary thinks before the release: one chance or a range. A range from 0 does not include 0.",
        editor="belief",
    )
    q: PriorRange | None = field(
        "Chance of the sensitive value",
        "If the record is in the data: one chance or a range. A range from 0 does not include 0.",
        editor="belief",
    )
    profile: Profile | None = field(
        "Risk profile", "How many times as likely a statement may become, for each chance before.", by_questions=True
    )
    statement: Literal["certain", "tolerance", "average"] = field(
        "When the limit holds",
        "For every release; for all but rare ones; or on average over the releases. With unbounded "
        "noise, such as Gaussian noise, no limit holds for every release.",
        default="certain",
        decided=True,
    )
    tolerance: OpenProbability | None = field(
        "How often it may fail",
        "Of the people in the data for whom the statement is true: the share for whom the limit may "
        "fail, on average. A share below 1 in their number means fewer than one on average.",
        unit="in 100",
        editor="tolerance",  # entered by the user, never proposed as a default or to resolve a conflict
    )
    group: ShortText | None = field("Group", "Which people this is about, if not all.")
    sensitive_set: LongText | None = field(
        "Sensitive values", "Values that nobody may learn. Choose them without looking at the data."
    )
    others_known: bool | None = field(
        "They know all other records",
        "The limit holds even for someone who knows every other record. It stays the same, and nothing "
        "is assumed about how records are related. If empty: no.",
    )

    def assumed(self, release: Release) -> tuple[str, ...]:
        # given every other record, neighbouring datasets differ in one unit, and odds grow by e^epsilon at most, even
        # if other records reveal something about it. Inclusion with any prior covers every adversary
        any_prior = self.adversary == "inclusion" and self.beliefs() == (ANYTHING, 1.0)
        not_needed = {"independent_of_others": bool(self.others_known), "class_is_complete": any_prior}
        return tuple(key for key in super().assumed(release) if not not_needed.get(key))

    def beliefs(self) -> tuple[PriorRange | None, PriorRange | None]:
        """Return the priors p and q; unless stated, q = 1 for inclusion and p = 1 for an attribute."""
        p = 1.0 if self.p is None and self.adversary == "attribute" else self.p
        q = 1.0 if self.q is None and self.adversary == "inclusion" else self.q
        return p, q

    def contradiction(self) -> tuple[str, str] | None:
        p, q = self.beliefs()
        if self.adversary == "inclusion" and q is not None and q not in CERTAIN:
            return "q", "inclusion_knows_the_value"  # only presence is to be learned, so every value is sensitive
        if self.adversary == "both" and p in CERTAIN:
            return "p", "both_needs_doubt_about_presence"
        if self.attribute is not None and p is not None and p not in CERTAIN:
            return "p", "attribute_of_somebody_present"
        return None

    def inapplicable_fields(self, release: Release) -> tuple[str, ...]:
        fields = super().inapplicable_fields(release)
        if self.adversary in ("inclusion", "both") and self.attribute is None:
            fields += ("attribute",)  # an attribute requires p = 1: the person is in the data
        certain = {"inclusion": ("q", "sensitive_set"), "attribute": ("p",)}
        fields += certain.get(self.adversary or "", ())
        if not any(table.noise.needs_delta for table in release.tables):
            fields += ("statement",)  # bounded noise meets the requirement in every release
            return (*fields, "tolerance")
        return fields if self.statement == "tolerance" else (*fields, "tolerance")

    def missing(self) -> tuple[str, ...]:
        p, q = self.beliefs()
        answers = {"adversary": self.adversary, "p": p, "q": q, "profile": self.profile}
        missing = [name for name, value in answers.items() if value is None]
        missing += [f"profile.{name}" for name in self.profile.missing()] if self.profile else []
        missing += ["tolerance"] if self.statement == "tolerance" and self.tolerance is None else []
        return tuple(missing)

    def setting(self, release: Release) -> PrivacyInputs | tuple[str, ...]:
        presence = release.privacy_setting(AddOrRemoveOne(), in_epsilon=False)
        if isinstance(presence, tuple) or self.beliefs()[0] not in CERTAIN:
            return presence
        if unknown_reading(presence, self.reads) is None and self.attribute is None:
            return presence
        # with p = 1 the person is in both datasets: the loss between two values is enough
        return release.privacy_setting(self.value(), in_epsilon=False)

    @property
    def reads(self) -> LossReading:
        readings: dict[str, LossReading] = {"certain": "largest_loss", "tolerance": "curve", "average": "rho"}
        return readings[self.statement]

    def checks(self, release: Release, setting: Setting | tuple[str, ...]) -> tuple[Check, ...]:
        stated: tuple[Check, ...] = ("tolerance",) if self.statement == "tolerance" else ()
        return (*super().checks(release, setting), *stated)

    def solve(self, setting: PrivacyInputs) -> Limit:
        if self.statement == "certain":
            return self._limit_for_every_release(setting)
        return self._limit_with_tolerance(setting) if self.statement == "tolerance" else self._limit_on_average(setting)

    def _limit_for_every_release(self, setting: PrivacyInputs) -> Limit:
        p, q = self.beliefs()
        factor = factor_of(setting)
        assert self.profile is not None and p is not None and q is not None
        recommended = mathematics.recommend(profile=self.profile, p=p, q=q, replace_factor=factor)
        if recommended.epsilon is None:
            return _no_limit_for(recommended.status)
        published = None
        if factor != DOUBLE:
            epsilon = mathematics.recommend(profile=self.profile, p=p, q=q).epsilon
            if epsilon is not None and setting.pair.relation == "add_remove":
                epsilon = setting.loss.max_budget(epsilon)
            published = {
                "epsilon": epsilon,
                "source": "Kazan & Reiter 2024, Theorem 2 and (13), which takes e^-2eps where e^-(c eps) is proved",
            }
        gap = (recommended.upper if recommended.upper is not None else recommended.epsilon) - recommended.epsilon
        error = max(gap, ERROR * max(1.0, recommended.epsilon))
        to_budget = setting.loss.max_budget
        return self._limit_at_prior(recommended, recommended.epsilon, to_budget, error=error, as_published=published)

    def _limit_at_prior(
        self, bound: Bound, epsilon: float, to_budget: Callable[[float], float] = float, **more: Any
    ) -> Limit:
        prior = {"p": bound.p, "q": bound.q}
        return converted_limit(
            epsilon,
            to_budget,
            _sentence_key(bound.attained, *self._stated_priors(), (bound.p, bound.q)),
            figures=prior,
            binding=prior,
            attained=bound.attained,
            unique=bound.unique,
            grounds="proved_under",
            **more,
        )

    def _limit_with_tolerance(self, setting: PrivacyInputs) -> Limit:
        """Return the largest budget at which the requirement fails with less than the tolerance (Theorem 1).

        Consider an event whose probability, for people of whom the statement is true, is the tolerance or more. It
        raises their chance no more than a release with the losses `effective_losses` would.
        """
        assert self.tolerance is not None and self.profile is not None
        if setting.value_loss.trade_off_missing is not None:
            return beyond_reach(setting.value_loss.trade_off_missing)
        at_equal_losses = self._largest_presence_loss(1.0, 1.0)
        if at_equal_losses.status != "allowed":
            return _no_limit_for(at_equal_losses.status)
        if setting.is_gaussian_alone:
            return self._limit_by_mu(setting)
        pure = None
        if setting.loss.bounded:
            pure = refused(setting, "largest_loss", self.instead) or self._limit_for_every_release(setting)
        if pure is not None and (pure.status != "allowed" or pure.epsilon is None):
            return pure
        pure_budget = 0.0 if pure is None or pure.epsilon is None else pure.epsilon
        budget = setting.largest_budget(
            self._excess_over_profile(setting), 1.0, max(pure_budget, self._approximate_budget(setting))
        )
        if math.isinf(budget):
            return no_limit("unbounded", "no_table_reads_it")
        if pure is not None and budget <= pure_budget * (1.0 + NO_MORE):
            why = Reason(key="tolerance_buys_nothing", values={"tolerance": self.tolerance})
            return replace(pure, why=why)
        bound = self._largest_presence_loss(*self.effective_losses(setting, budget)) if budget else at_equal_losses
        source = RARELY if setting.monotone else AT_ITS_SIGMA
        return self._limit_at_prior(bound, budget, error=setting.error(budget), source=source)

    def _excess_over_profile(self, setting: PrivacyInputs) -> Callable[[float], float]:
        """Return a function of the budget: e to the loss above what the profile allows, at most 1 if it is met."""

        def excess(epsilon: float) -> float:
            presence, value = self.effective_losses(setting, epsilon)
            if presence == value == 0.0:
                return 0.0
            if math.isinf(max(presence, value)):
                return math.inf
            most = self._largest_presence_loss(presence, value).epsilon
            return 0.0 if most is None else _exp_or_inf(presence - most)

        return excess

    def _approximate_budget(self, setting: PrivacyInputs) -> float:
        assert self.tolerance is not None and self.profile is not None
        # the budget whose loss equals that of Gaussian noise that meets the profile
        p, q = self._stated_priors()
        factor = 1.0 if setting.pair.relation == "replace" else math.sqrt(2.0)
        recommended = gaussian_risk.recommend(
            profile=self.profile, p=p, q=q, tolerance=self.tolerance, replace_factor=factor
        )
        return setting.loss.approximate_budget(recommended.mu) if recommended.mu else 0.0

    def met_at(self, setting: PrivacyInputs, epsilon: float) -> bool | None:
        if self.statement != "tolerance" or setting.monotone:
            return None
        return self._excess_over_profile(setting)(epsilon) <= 1.0

    def _limit_by_mu(self, setting: PrivacyInputs) -> Limit:
        assert self.tolerance is not None and self.profile is not None
        p, q = self._stated_priors()
        recommended = gaussian_risk.recommend(
            profile=self.profile, p=p, q=q, tolerance=self.tolerance, replace_factor=setting.distance_factor
        )
        if recommended.mu is None:
            return _no_limit_for(recommended.status)
        budget = setting.loss.largest_for_mu(recommended.mu)
        gap = (recommended.upper or recommended.mu) - recommended.mu
        error = max(setting.error(budget), 4.0 * gap / recommended.mu * budget if recommended.mu else 0.0)
        return self._limit_at_prior(recommended, budget, error=error, source=RARELY)

    def effective_losses(self, setting: PrivacyInputs, epsilon: float) -> tuple[float, float]:
        """Return the losses of presence and of a value over all releases at the release's EPSILON; rounded up.

        With a tolerance, the largest losses over events with a probability of the tolerance or more.
        """
        if self.statement != "tolerance" or self.tolerance is None:
            total = setting.loss.total_epsilon(epsilon)
            return total, factor_of(setting) * total
        presence = setting.loss.trade_off(epsilon).effective_epsilon(self.tolerance)
        # with p = 1 absence, and with q = 1 another value, has the prior 0
        is_same = setting.pair.relation == "replace" or self.beliefs()[1] in CERTAIN
        value = presence if is_same else setting.value_loss.trade_off(epsilon).effective_epsilon(self.tolerance)
        if not setting.loss.bounded:
            return presence, value
        total = setting.loss.total_epsilon(epsilon)
        return min(presence, total), min(value, factor_of(setting) * total)

    def budget(self, setting: PrivacyInputs, loss: float) -> float:
        """Return the largest epsilon of the release whose loss is at most a LOSS of presence; rounded down."""
        if self.statement != "tolerance" or self.tolerance is None or setting.loss.bounded:
            return setting.loss.max_budget(loss)
        value = factor_of(setting) * loss

        def excess(epsilon: float) -> float:
            losses = self.effective_losses(setting, epsilon)
            return _exp_or_inf(max(losses[0] - loss, losses[1] - value))

        return setting.largest_budget(excess, 1.0, self._approximate_budget(setting))

    def _largest_presence_loss(self, presence: float, value: float) -> mathematics.Recommendation:
        """Return the largest presence loss within the profile, with the value loss in the same ratio to it."""
        assert self.profile is not None
        p, q = self.beliefs()
        presence = max(presence, value / STEEPEST)  # a larger presence loss is safe
        factor = value / presence if value == presence else up(value / presence, 1)
        return mathematics.recommendation(self.profile, _prior_range(p), _prior_range(q), factor)

    def _limit_on_average(self, setting: PrivacyInputs) -> Limit:
        """Return the largest budget at which the mean chance after, over the releases, meets the profile."""
        if setting.loss.bounded:
            return no_limit("not_applicable", "average_of_bounded_noise")
        if setting.value_loss.rho_missing is not None:
            return beyond_reach(setting.value_loss.rho_missing)
        worst_prior = self._worst_prior_on_average()
        if worst_prior is None:
            return no_limit("not_applicable", "average_not_proved")
        p, q, ratio = worst_prior
        if ratio < 1.0:
            return no_limit("infeasible", "ratio_below_one")
        if math.isinf(ratio) or (p * q and ratio * p * q >= 1.0):
            return no_limit("unbounded", "profile_never_binds")

        if setting.is_gaussian_alone and p * q:
            mu = gaussian_risk.average_mu_at(p=p, q=q, ratio=ratio, replace_factor=setting.distance_factor)
            budget = setting.loss.largest_for_mu(mu)
        else:
            start = setting.loss.largest_for_rho(0.1 * math.log(ratio))
            budget = setting.largest_budget(
                lambda epsilon: self._mean_ratio(setting, epsilon, p, q), ratio, start, AVERAGE_PRECISION
            )
        return epsilon_limit(
            budget,
            _sentence_key(bool(p * q), *self._stated_priors(), (p, q)),
            error=1e-7 * max(1.0, budget),  # the mean has a relative error of at most 1e-8
            figures={"p": p, "q": q},
            binding={"p": p, "q": q},
            attained=bool(p * q),
            grounds="proved_under",
            source=ON_AVERAGE,
        )

    def _stated_priors(self) -> tuple[PriorRange, PriorRange]:
        p, q = self.beliefs()
        assert p is not None and q is not None
        return p, q

    def _worst_prior_on_average(self) -> tuple[float, float, float] | None:
        """Return the prior p, q that limits the mean, and the ratio there; None if none is proved to.

        A single prior is the worst one. The chance after grows with p and q, so a cap is reached first at the largest
        of both. A constant ratio over a range of priors is reached first in the limit of a prior of 0
        (docs/methods/gaussian_risk.md, Theorem 5).
        """
        assert self.profile is not None
        (least_p, p), (least_q, q) = map(_prior_range, self._stated_priors())
        if least_p == p and least_q == q:
            return p, q, float(self.profile.ratio_at(p, q))
        pieces = () if self.profile.mesh() is not None else self.profile.pieces()[1]
        piece = pieces[0] if len(pieces) == 1 else None
        if isinstance(piece, CapPiece):
            return p, q, float(self.profile.ratio_at(p, q))
        if not isinstance(piece, LevelPiece):
            return None
        return (0.0, 1.0, piece.ratio) if least_q == 1.0 else (1.0, 0.0, piece.ratio)

    def _mean_ratio(self, setting: PrivacyInputs, epsilon: float, p: float, q: float) -> float:
        """Return the largest mean, over the releases, of the chance after divided by the chance before; rounded up."""
        curve = setting.loss.trade_off(epsilon)
        if setting.is_gaussian_alone and p * q and curve.mu:  # the mean is an exact integral
            factor = setting.distance_factor
            return gaussian_risk.average_risk(p=p, q=q, mu=curve.mu, replace_factor=factor).ratio
        value = curve if setting.pair.relation == "replace" else setting.value_loss.trade_off(epsilon)
        # a prior of almost 0 may also be about presence: the larger rho counts
        presence_uncertain = q == 0.0 and self.beliefs()[0] not in CERTAIN
        value_rho = max(value.zcdp, curve.zcdp) if presence_uncertain else value.zcdp
        return up(p * q + (1.0 - p) * _exp_or_inf(2.0 * curve.zcdp) + p * (1.0 - q) * _exp_or_inf(2.0 * value_rho), 8)

    def at(self, setting: PrivacyInputs, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the ratio and the chance after the release at EPSILON, at the prior that sets the limit.

        If the limit is approached at a prior that cannot occur: the ratio in the limit of p q = 0, or in that of p = q
        = 1 `odds`, the largest factor by which the odds grow. With a tolerance: fewer than `few` of `people` exceed
        these figures, nobody exceeds the factor `largest`, where there is one, and `predictive` is the share of such
        releases that the adversary expects. On average: `mean_ratio`, `mean_posterior`.
        """
        if not limit.binding or limit.epsilon is None:
            return {}
        p, q = (float(limit.binding[name]) for name in ("p", "q"))
        if self.statement == "average":
            mean = self._mean_ratio(setting, epsilon, p, q)
            if math.isinf(mean):
                return {}
            if not p * q:
                return {"mean_ratio": mean}
            return {"mean_ratio": mean, "prior": p * q, "mean_posterior": min(up(mean * p * q, 2), 1.0)}
        presence, value = self.effective_losses(setting, epsilon)
        figures = self._posterior_figures(limit, p, q, presence, value)
        if self.statement == "certain" or self.tolerance is None:
            return figures
        largest: dict[str, float] = {}
        if setting.loss.bounded:
            total = setting.loss.total_epsilon(epsilon)
            largest = self._posterior_figures(limit, p, q, total, factor_of(setting) * total)
            if all(largest[name] <= figure * (1.0 + NO_MORE) for name, figure in figures.items()):
                return largest  # the tolerance buys nothing here
        if not all(map(math.isfinite, figures.values())):
            return {}
        people, few = people_of(self.tolerance)
        figures |= {"tolerance": self.tolerance, "people": people, "few": few}
        if "posterior" in figures:
            figures |= {"prior": p * q, "predictive": min(1.0, up(self.tolerance / down(figures["ratio"], 16), 2))}
        factor = largest.get("odds", largest.get("ratio", math.inf))
        if math.isfinite(factor):
            figures["largest"] = factor
        return figures if setting.delta is None else {**figures, "delta": setting.delta}

    def _posterior_figures(self, limit: Limit, p: float, q: float, presence: float, value: float) -> dict[str, float]:
        if p == 0.0 or q == 0.0:
            return {"ratio": self._ratio_near_zero(presence, value)}
        if p == q == 1.0 and not limit.attained:
            return {"odds": self._odds_growth_near_one(presence, value)}
        risk = mathematics.posterior_bound(p, q, presence, value)
        return {"ratio": risk.ratio, "posterior": risk.posterior}

    def _ratio_near_zero(self, presence: float, value: float) -> float:
        """Return the largest ratio in the limit of p q = 0 (Theorem 1); rounded up."""
        (least_p, most), (least_q, _) = map(_prior_range, self.beliefs())
        ratios = [_exp_or_inf(presence)] if least_p == 0.0 else []  # p -> 0, whatever q is
        for p in (least_p, most) if least_q == 0.0 else ():  # either end may be the worst
            others = p * math.exp(-value) + (1.0 - p) * math.exp(-presence)
            ratios.append(1.0 / others if others > 1e-300 else math.inf)
        return up(max(ratios, default=1.0), 4)

    def _odds_growth_near_one(self, presence: float, value: float) -> float:
        """Return the growth of the odds in the limit of p = q = 1, the worst over all paths to it; rounded up."""
        p, q = self.beliefs()
        growth = [_exp_or_inf(presence)] if p not in CERTAIN else []
        growth += [_exp_or_inf(value)] if q not in CERTAIN else []
        return up(max(growth, default=1.0), 4)


def _no_limit_for(status: str) -> Limit:
    if status == "infeasible":
        return no_limit("infeasible", "ratio_below_one")
    return no_limit("unbounded", "profile_never_binds")


def _sentence_key(
    attained: bool | None, p: PriorRange, q: PriorRange, binding: tuple[float | None, float | None]
) -> str:
    """Return the key of the sentence on the prior that sets the limit: about presence, the value, or both."""
    known_present, known_value = p in CERTAIN, q in CERTAIN
    if known_present != known_value:
        uncertain = "value" if known_present else "presence"
    elif binding[1] == 1.0:
        uncertain = "presence"
    else:
        uncertain = "value" if binding[0] == 1.0 else "both"
    return f"profile_binds_{uncertain}" if attained else f"profile_limit_{uncertain}"


def _prior_range(prior: PriorRange | None) -> tuple[float, float]:
    assert prior is not None
    return prior if isinstance(prior, tuple) else (prior, prior)


def _exp_or_inf(exponent: float) -> float:
    return math.exp(exponent) if exponent < 700.0 else math.inf


def factor_of(setting: PrivacyInputs) -> float:
    """Return the largest loss of replacing a person divided by that of adding them, over all releases counted."""
    if setting.pair.relation == "replace":
        return REPLACE_ONLY
    return DOUBLE if setting.replace_factor is None else setting.replace_factor


def people_of(tolerance: float) -> tuple[int, int]:
    """Return a number of people, and how many of them a share of TOLERANCE is: whole, or rounded up to two digits."""
    exact = decimal(tolerance)
    people = next(10**power for power in range(2, 400) if exact * 10**power >= 1)
    for finer in (1, 10, 100):
        if (exact * people * finer).denominator == 1:
            return people * finer, int(exact * people * finer)
    return people * 10, math.ceil(exact * people * 10)
