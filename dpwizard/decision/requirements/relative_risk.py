"""Requirements of Kazan & Reiter 2024: how much a release may teach an adversary, relative to what was believed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from dpwizard.decision.release import Release
from dpwizard.decision.requirement import (
    ERROR,
    BaseRequirement,
    Limit,
    OfAnAttribute,
    Side,
    allowed,
    no_pure_epsilon,
    refused,
)
from dpwizard.decision.settings import PrivacySetting
from dpwizard.decision.tables import DOUBLE
from dpwizard.decision.worlds import UnitPresent
from dpwizard.numerics import down, up
from dpwizard.privacy import relative_risk as mathematics
from dpwizard.privacy.profiles import Profile
from dpwizard.values import Belief, Count, LongText, OpenProbability, Positive, PriorRange, ShortText, field

HUGE = 1e290  # figures beyond it are cut there
CERTAIN = (1.0, (1.0, 1.0))  # a belief that leaves no doubt
REPLACE_ONLY = 1.0  # the replace_factor with which p = 1 gives the bound of a replace-only release


class RelativeRisk(OfAnAttribute):
    """The chance after the release, at most so many times the chance before it, for every adversary considered."""

    end: ClassVar[Side] = "upper"
    step: ClassVar[str] = "profile"
    drawn: ClassVar[Literal["", "curves", "figure"]] = "curves"
    source: ClassVar[str] = "Kazan & Reiter 2024, Theorem 2 and (13)"
    assumptions: ClassVar[tuple[str, ...]] = ("independent_of_others", "class_is_complete")
    asked_early: ClassVar[tuple[str, ...]] = ("adversary", "p", "q", "group", "attribute", "sensitive_set")

    kind: Literal["relative_risk"] = "relative_risk"
    adversary: Literal["inclusion", "attribute", "both"] | None = field(
        "What they want to learn", "Whether someone is in the data, a sensitive value of someone who is, or both."
    )
    p: PriorRange | None = field(
        "Chance that the person is in the data",
        "What the adversary believes beforehand: one chance or a range; 0 means open at 0.",
        editor="belief",
    )
    q: PriorRange | None = field(
        "Chance of the sensitive value",
        "Given that the person is in the data: one chance or a range; 0 means open at 0.",
        editor="belief",
    )
    profile: Profile | None = field(
        "Risk profile", "How much the release may teach, for every belief beforehand.", by_questions=True
    )
    group: ShortText | None = field("Group", "Whom this speaks of, if not everybody.")
    sensitive_set: LongText | None = field(
        "Sensitive values", "Which values must not be learned, chosen without looking at the data."
    )

    def beliefs(self) -> tuple[PriorRange | None, PriorRange | None]:
        """Return p and q; an inclusion adversary has q = 1, an attribute adversary p = 1, unless said otherwise."""
        p = 1.0 if self.p is None and self.adversary == "attribute" else self.p
        q = 1.0 if self.q is None and self.adversary == "inclusion" else self.q
        return p, q

    def contradiction(self) -> tuple[str, str] | None:
        p, q = self.beliefs()
        if self.adversary == "inclusion" and q is not None and q not in CERTAIN:
            return "q", "inclusion_knows_the_value"  # presence alone is at stake: every value counts
        if self.adversary == "both" and p in CERTAIN:
            return "p", "both_needs_doubt_about_presence"
        if self.attribute is not None and p is not None and p not in CERTAIN:
            return "p", "attribute_of_somebody_present"
        return None

    def unasked(self, release: Release) -> tuple[str, ...]:
        doubted = self.adversary in ("inclusion", "both") and self.attribute is None  # an attribute is of who is there
        return (*super().unasked(release), *(("attribute",) if doubted else ()))

    def missing(self) -> tuple[str, ...]:
        p, q = self.beliefs()
        asked = {"adversary": self.adversary, "p": p, "q": q, "profile": self.profile}
        missing = [name for name, value in asked.items() if value is None]
        missing += [f"profile.{name}" for name in self.profile.missing()] if self.profile else []
        return tuple(missing)

    def setting(self, release: Release) -> PrivacySetting | tuple[str, ...]:
        presence = release.privacy_setting(UnitPresent())
        certain = self.beliefs()[0] in CERTAIN
        if isinstance(presence, tuple) or not certain:
            return presence
        # whoever is surely in the data is compared with nobody absent: two values of theirs are enough to know of
        known = presence.missing is None and self.attribute is None
        return presence if known else release.privacy_setting(self.value())

    def limit(self, setting: PrivacySetting) -> Limit:
        reason = no_pure_epsilon(setting)
        if reason is not None:
            return reason
        p, q = self.beliefs()
        factor = factor_of(setting)
        assert self.profile is not None and p is not None and q is not None
        found = mathematics.recommend(profile=self.profile, p=p, q=q, replace_factor=factor)
        if found.status == "infeasible":
            return refused("infeasible", "ratio_below_one")
        if found.status == "unbounded" or found.epsilon is None:
            return refused("unbounded", "profile_never_binds")
        published = None
        if factor != DOUBLE:
            paper = mathematics.recommend(profile=self.profile, p=p, q=q)
            of_presence = paper.epsilon is not None and setting.relation == "add_remove"
            published = {
                "epsilon": setting.limit(paper.epsilon) if of_presence and paper.epsilon is not None else paper.epsilon,
                "source": "Kazan & Reiter 2024, Theorem 2 and (13), which takes e^-2eps where e^-(c eps) is proved",
            }
        gap = (found.upper if found.upper is not None else found.epsilon) - found.epsilon
        return allowed(
            found.epsilon,
            _key(found.attained, p, q, (found.p, found.q)),
            error=max(gap, ERROR * max(1.0, found.epsilon)),
            figures={"p": found.p, "q": found.q},
            binding={"p": found.p, "q": found.q},
            attained=found.attained,
            unique=found.unique,
            grounds="proved_under",
            as_published=published,
        )

    def at(self, setting: PrivacySetting, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return what the binding adversary may learn at EPSILON: the ratio and the chance after the release.

        Where a limit binds that nobody attains, the figure is the limit's own: the ratio of someone who hardly believes
        it before (p q = 0), or `odds`, how many times the odds may grow, of someone who is almost certain of it before
        (p = q = 1).
        """
        if not limit.binding or limit.epsilon is None:
            return {}
        p, q = (float(limit.binding[name]) for name in ("p", "q"))
        factor, own = factor_of(setting), setting.own(epsilon)
        if p == 0.0 or q == 0.0:
            return {"ratio": self._of_disbelief(own, factor)}
        if p == q == 1.0 and not limit.attained:
            return {"odds": self._of_certainty(own, factor)}
        risk = mathematics.risk(p=p, q=q, epsilon=own, replace_factor=factor)
        return {"ratio": risk.ratio, "posterior": risk.posterior}

    def _of_disbelief(self, epsilon: float, factor: float) -> float:
        """Return the largest ratio whose belief p q goes to 0: Theorem 1 at p q = 0. Never below the true one."""
        (least_p, most), (least_q, _) = map(_ends, self.beliefs())
        ratios = [_exp(epsilon)] if least_p == 0.0 else []  # p -> 0: what is believed of the value does not matter
        for p in (least_p, most) if least_q == 0.0 else ():  # replacing may tell less than adding: either end
            others = p * math.exp(-factor * epsilon) + (1.0 - p) * math.exp(-epsilon)
            ratios.append(1.0 / others if others > 1e-300 else math.inf)
        return up(max(ratios, default=1.0), 4)

    def _of_certainty(self, epsilon: float, factor: float) -> float:
        """Return the growth of the odds of p = q = 1: 1 / (w e^-(c eps) + (1 - w) e^-eps), w by how 1 is approached."""
        p, q = self.beliefs()
        growth = [_exp(epsilon)] if p not in CERTAIN else []
        growth += [_exp(factor * epsilon)] if q not in CERTAIN else []
        return up(max(growth, default=1.0), 4)


class LeeClifton(OfAnAttribute):
    """The chance that an adversary who knows all but one record finds out whose it is (Lee & Clifton 2011)."""

    end: ClassVar[Side] = "upper"
    step: ClassVar[str] = "profile"
    source: ClassVar[str] = "Lee & Clifton 2011, as in Kazan & Reiter 2024, (38)-(39)"
    assumptions: ClassVar[tuple[str, ...]] = ("knows_all_but_one",)
    needs: ClassVar[tuple[str, ...]] = ("population", "posterior")
    asked_early: ClassVar[tuple[str, ...]] = ("population",)

    kind: Literal["lee_clifton"] = "lee_clifton"
    population: Count | None = field(
        "Population", "How many people the adversary holds possible, all equally.", unit="people", tempting=True
    )
    posterior: Belief | None = field("Highest chance after the release", "Of naming the right person.", decided=True)
    range: Positive = field(
        "Range of the statistic",
        "Delta f of the source: how far one person can move it.",
        default=1.0,
        unit="in the statistic's unit",
    )
    difference: Positive = field(
        "Largest difference",
        "Delta v of the source: between the values the adversary compares.",
        default=1.0,
        unit="in the statistic's unit",
    )

    def setting(self, release: Release) -> PrivacySetting | tuple[str, ...]:
        return release.privacy_setting(self.value())

    def limit(self, setting: PrivacySetting) -> Limit:
        reason = no_pure_epsilon(setting)
        if reason is not None:
            return reason
        assert self.population is not None and self.posterior is not None
        if self.posterior < 1 / self.population:
            return refused("infeasible", "posterior_below_prior", population=self.population, posterior=self.posterior)
        whole = mathematics.lee_clifton_epsilon(
            population=self.population, posterior=self.posterior, range=1.0, difference=1.0
        )
        if whole == float("inf"):
            return refused("unbounded", "certainty_allowed")
        # (39) for what the earlier releases leave: their loss is of this pair of worlds, however far apart its values
        spent, ratio = setting.loss.earlier, self._ratio(setting)
        left = max(0.0, down(whole - spent, 1)) if spent else whole
        epsilon = setting.loss.within(left if ratio == 1.0 else down(min(left / ratio, HUGE), 3))
        return allowed(
            epsilon, "lee_clifton_binds", of_release=True, grounds="proved_under", attained=True, unique=True
        )

    def at(self, setting: PrivacySetting, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the chance of naming the right person at EPSILON: (38)."""
        assert self.population is not None
        loss = setting.loss.alone(epsilon) * self._ratio(setting) + setting.loss.earlier
        return {"posterior": 1 / (1 + (self.population - 1) * math.exp(-loss))}

    def _ratio(self, setting: PrivacySetting) -> float:
        """Return the loss of two values `difference` apart, as a share of that of any replaced value.

        A range wider than what the noise covers is not believed. Of several tables no difference is stated: all may
        differ in full. Nor is a difference smaller than the least by which the statistic changes where it changes at
        all: a count moves by 1.
        """
        if setting.sensitivity_own is None:
            return min(max(1.0, self.difference / self.range), HUGE)
        own, least = setting.sensitivity_own, setting.grain or 0.0
        if setting.statistic == "histogram":
            least = own  # whoever is counted in another bin moves it in full, however near the values are
        return min(max(self.difference / min(self.range, own), min(least / own, 1.0), 1.0 / HUGE), HUGE)


class Participation(BaseRequirement):
    """The chance after the release if the person takes part, given what it would be if they did not (Wood et al.
    2018)."""

    end: ClassVar[Side] = "upper"
    step: ClassVar[str] = "profile"
    source: ClassVar[str] = "Wood et al. 2018, as in Kazan & Reiter 2024, (42)-(43)"
    needs: ClassVar[tuple[str, ...]] = ("posterior_without", "posterior_with")
    asked_early: ClassVar[tuple[str, ...]] = ("posterior_without",)

    kind: Literal["participation"] = "participation"
    posterior_without: OpenProbability | None = field(
        "Chance if they stay out", "What the release would make others believe anyway."
    )
    posterior_with: Belief | None = field(
        "Highest chance if they take part", "At most this, whatever is released.", decided=True
    )

    def setting(self, release: Release) -> PrivacySetting | tuple[str, ...]:
        return release.privacy_setting(UnitPresent())

    def limit(self, setting: PrivacySetting) -> Limit:
        reason = no_pure_epsilon(setting)
        if reason is not None:
            return reason
        assert self.posterior_without is not None and self.posterior_with is not None
        if self.posterior_with < self.posterior_without:
            return refused(
                "infeasible", "taking_part_cannot_lower", without=self.posterior_without, posterior=self.posterior_with
            )
        epsilon = mathematics.participation_epsilon(
            posterior_without=self.posterior_without, posterior_with=self.posterior_with
        )
        if epsilon == float("inf"):
            return refused("unbounded", "certainty_allowed")
        return allowed(epsilon, "participation_binds", attained=True, unique=True)

    def at(self, setting: PrivacySetting, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the bounds on the chance if they take part."""
        assert self.posterior_without is not None and self.posterior_with is not None
        found = mathematics.participation(posterior_without=self.posterior_without, epsilon=setting.own(epsilon))
        return {"upper": found.upper, "lower": found.lower}


def _key(attained: bool | None, p: PriorRange, q: PriorRange, binding: tuple[float | None, float | None]) -> str:
    """Return the key of the sentence that says which belief binds: of presence alone, of the value alone, or of both.

    Whoever knows that the person is in the data doubts the value alone, also where the belief that binds is certainty.
    """
    known_present, known_value = p in CERTAIN, q in CERTAIN
    if known_present != known_value:
        what = "value" if known_present else "presence"
    else:
        what = "presence" if binding[1] == 1.0 else "value" if binding[0] == 1.0 else "both"
    return f"profile_binds_{what}" if attained else f"profile_limit_{what}"


def _ends(belief: PriorRange | None) -> tuple[float, float]:
    """Return the ends of what is believed beforehand; 0 is open."""
    assert belief is not None
    return belief if isinstance(belief, tuple) else (belief, belief)


def _exp(exponent: float) -> float:
    return math.exp(exponent) if exponent < 700.0 else math.inf


def factor_of(setting: PrivacySetting) -> float:
    """Return the replace_factor of all that is released: how much more replacing a person may tell than adding them."""
    if setting.relation == "replace":
        return REPLACE_ONLY
    return DOUBLE if setting.replace_factor is None else setting.replace_factor
