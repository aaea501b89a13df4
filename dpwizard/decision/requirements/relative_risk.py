"""Requirements of Kazan & Reiter 2024: how much a release may teach an adversary, relative to what was believed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Literal

from dpwizard.base.numerics import decimal, down, up
from dpwizard.base.values import LongText, OpenProbability, PriorRange, ShortText, field
from dpwizard.decision.neighbouring import AddOrRemoveOne
from dpwizard.decision.reasons import Check, Reason
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import (
    ERROR,
    Limit,
    OfAnAttribute,
    Setting,
    Side,
    beyond_reach,
    epsilon_limit,
    no_limit,
    no_pure_epsilon,
    trade_off_unknown,
)
from dpwizard.decision.settings import PrivacyInputs
from dpwizard.decision.tables import DOUBLE
from dpwizard.privacy import gaussian_risk
from dpwizard.privacy import relative_risk as mathematics
from dpwizard.privacy.profiles import CapPiece, LevelPiece, Profile

Bound = mathematics.Recommendation | gaussian_risk.Recommendation

CERTAIN = (1.0, (1.0, 1.0))  # a belief that leaves no doubt
ANYTHING = (0.0, 1.0)  # a belief of any strength
STEEPEST = 16.0  # more than a loss between two values of one person can be of that of presence, by Gaussian noise
RARELY = "Kazan & Reiter 2024, Theorem 1 and (13), of all but rare releases (docs/methods/gaussian_risk.md, Theorem 1)"
AT_ITS_SIGMA = (
    "Kazan & Reiter 2024, Theorem 1 and (13), of all but rare releases (docs/methods/gaussian_risk.md, Theorem 1); "
    "checked at this sigma"
)
EXACTLY = 1e-10  # relative: how closely the search for an average closes in, whose value is a closed form
NO_MORE = 1e-3  # relative: a tolerance that allows so little more allows nothing more
ON_AVERAGE = "the average over the releases, by Renyi divergence (docs/methods/gaussian_risk.md, Theorem 5)"
REPLACE_ONLY = 1.0  # the replace_factor with which p = 1 gives the bound of a replace-only release


class RelativeRisk(OfAnAttribute):
    """The chance after the release, at most so many times the chance before it, for every adversary considered."""

    end: ClassVar[Side] = "upper"
    step: ClassVar[str] = "profile"
    drawn: ClassVar[Literal["", "curves", "figure"]] = "curves"
    source: ClassVar[str] = "Kazan & Reiter 2024, Theorem 2 and (13)"
    assumptions: ClassVar[tuple[str, ...]] = ("independent_of_others", "class_is_complete")
    basic_fields: ClassVar[tuple[str, ...]] = ("adversary", "p", "q", "group", "attribute", "sensitive_set")

    kind: Literal["relative_risk"] = "relative_risk"
    adversary: Literal["inclusion", "attribute", "both"] | None = field(
        "What they want to learn", "Whether someone is in the data, a sensitive value of someone who is, or both."
    )
    p: PriorRange | None = field(
        "Chance that the record is in the data",
        "What the adversary believes beforehand: one chance or a range; 0 means open at 0.",
        editor="belief",
    )
    q: PriorRange | None = field(
        "Chance of the sensitive value",
        "Given that the record is in the data: one chance or a range; 0 means open at 0.",
        editor="belief",
    )
    profile: Profile | None = field(
        "Risk profile", "How much the release may teach, for every belief beforehand.", by_questions=True
    )
    statement: Literal["certain", "tolerance", "average"] = field(
        "What is promised",
        "For every release; for all but rare ones; or on average over the releases. Noise without a largest loss, such "
        "as Gaussian noise, promises nothing for every release.",
        default="certain",
        decided=True,
    )
    tolerance: OpenProbability | None = field(
        "How rarely may it fail",
        "Of those in the data of whom it is true, the share for whom the promise may fail, on average. Below 1 in "
        "so many as there are of them, fewer than one is expected to be exposed.",
        unit="in 100",
        editor="tolerance",  # asked, and never proposed: neither beforehand nor to open the window
    )
    group: ShortText | None = field("Group", "Whom this speaks of, if not everybody.")
    sensitive_set: LongText | None = field(
        "Sensitive values", "Which values must not be learned, chosen without looking at the data."
    )
    others_known: bool | None = field(
        "They know all other records",
        "It holds even for someone who knows every other record. The limit stays the same, and nothing is assumed "
        "about how records hang together. Absent: no.",
    )

    def assumed(self, release: Release) -> tuple[str, ...]:
        # given every other record, both worlds differ in one unit alone: odds grow by e^epsilon at most, whatever the
        # records of others reveal about it
        # where every belief about presence is considered, and nothing else is asked, nobody is left out
        all_beliefs = self.adversary == "inclusion" and self.beliefs() == (ANYTHING, 1.0)
        settled = {"independent_of_others": bool(self.others_known), "class_is_complete": all_beliefs}
        return tuple(key for key in super().assumed(release) if not settled.get(key))

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

    def inapplicable_fields(self, release: Release) -> tuple[str, ...]:
        doubted = self.adversary in ("inclusion", "both") and self.attribute is None  # an attribute is of who is there
        known = {"inclusion": ("q", "sensitive_set"), "attribute": ("p",)}  # what is certain, or at no stake
        unbounded = any(table.noise.needs_delta for table in release.tables)
        stated: tuple[str, ...] = ("statement", "tolerance")  # certain, where noise has a largest loss
        if unbounded:
            stated = () if self.statement == "tolerance" else ("tolerance",)
        attribute = ("attribute",) if doubted else ()
        return (*super().inapplicable_fields(release), *attribute, *known.get(self.adversary or "", ()), *stated)

    def missing(self) -> tuple[str, ...]:
        p, q = self.beliefs()
        asked = {"adversary": self.adversary, "p": p, "q": q, "profile": self.profile}
        missing = [name for name, value in asked.items() if value is None]
        missing += [f"profile.{name}" for name in self.profile.missing()] if self.profile else []
        missing += ["tolerance"] if self.statement == "tolerance" and self.tolerance is None else []
        return tuple(missing)

    def setting(self, release: Release) -> PrivacyInputs | tuple[str, ...]:
        presence = release.privacy_setting(AddOrRemoveOne(), in_epsilon=False)
        certain = self.beliefs()[0] in CERTAIN
        if isinstance(presence, tuple) or not certain:
            return presence
        # whoever is surely in the data is compared with nobody absent: two values of theirs are enough to know of
        known = self.unknown(presence) is None and self.attribute is None
        return presence if known else release.privacy_setting(self.value(), in_epsilon=False)

    def unknown(self, setting: PrivacyInputs) -> Reason | None:
        known = {
            "certain": setting.loss.missing,
            "tolerance": setting.loss.trade_off_missing,
            "average": setting.loss.rho_missing,
        }
        return known[self.statement]

    def checks(self, release: Release, setting: Setting | tuple[str, ...]) -> tuple[Check, ...]:
        stated: tuple[Check, ...] = ("tolerance",) if self.statement == "tolerance" else ()
        return (*super().checks(release, setting), *stated)

    def limit(self, setting: PrivacyInputs) -> Limit:
        answered = {"certain": self._certainly, "tolerance": self._but_rarely, "average": self._on_average}
        return answered[self.statement](setting)

    def _certainly(self, setting: PrivacyInputs) -> Limit:
        """Return the largest loss at which the promise holds for every release."""
        reason = no_pure_epsilon(setting, "no_largest_loss")
        if reason is not None:
            return reason
        p, q = self.beliefs()
        factor = factor_of(setting)
        assert self.profile is not None and p is not None and q is not None
        found = mathematics.recommend(profile=self.profile, p=p, q=q, replace_factor=factor)
        if found.epsilon is None:
            return _without_limit(found.status)
        published = None
        if factor != DOUBLE:
            paper = mathematics.recommend(profile=self.profile, p=p, q=q)
            of_presence = paper.epsilon is not None and setting.pair.relation == "add_remove"
            published = {
                "epsilon": setting.loss.max_budget(paper.epsilon)
                if of_presence and paper.epsilon is not None
                else paper.epsilon,
                "source": "Kazan & Reiter 2024, Theorem 2 and (13), which takes e^-2eps where e^-(c eps) is proved",
            }
        gap = (found.upper if found.upper is not None else found.epsilon) - found.epsilon
        error = max(gap, ERROR * max(1.0, found.epsilon))
        return self._bound_by(found, found.epsilon, error=error, as_published=published)

    def _bound_by(self, found: Bound, budget: float, **more: Any) -> Limit:
        """Return BUDGET as what the belief FOUND allows."""
        at = {"p": found.p, "q": found.q}
        return epsilon_limit(
            budget,
            _key(found.attained, *self._considered(), (found.p, found.q)),
            figures=at,
            binding=at,
            attained=found.attained,
            unique=found.unique,
            grounds="proved_under",
            **more,
        )

    def _but_rarely(self, setting: PrivacyInputs) -> Limit:
        """Return the largest budget at which the promise fails for less than the tolerance (Theorem 1).

        An event that befalls a share of the tolerance or more of those of whom it is true tells no more of them than a
        release with the losses `effective_losses` would.
        """
        assert self.tolerance is not None and self.profile is not None
        reason = trade_off_unknown(setting)
        if reason is not None:
            return reason
        if setting.value_loss.trade_off_missing is not None:
            return beyond_reach(setting.value_loss.trade_off_missing)
        first = self._allowed(1.0, 1.0)
        if first.status != "allowed":
            return _without_limit(first.status)
        if setting.is_gaussian_alone:
            return self._by_distance(setting)
        certain = self._certainly(setting) if setting.loss.bounded else None  # what holds for every release holds here
        if certain is not None and (certain.status != "allowed" or certain.epsilon is None):
            return certain
        least = 0.0 if certain is None or certain.epsilon is None else setting.loss.max_budget(certain.epsilon)
        if math.isinf(least):
            return no_limit("unbounded", "no_table_reads_it")
        budget = setting.largest_budget(self._excess(setting), 1.0, max(least, self._guess(setting)))
        if math.isinf(budget):
            return no_limit("unbounded", "no_table_reads_it")
        if certain is not None and budget <= least * (1.0 + NO_MORE):
            why = Reason(key="tolerance_buys_nothing", values={"tolerance": self.tolerance})
            return replace(certain, why=why)
        binds = self._allowed(*self.effective_losses(setting, budget)) if budget else first
        source = RARELY if setting.monotone else AT_ITS_SIGMA
        return self._bound_by(binds, budget, of_release=True, error=setting.error(budget), source=source)

    def _excess(self, setting: PrivacyInputs) -> Callable[[float], float]:
        """Return, of a budget, e to what presence loses above what the profile allows: at most 1 where it is kept."""

        def excess(epsilon: float) -> float:
            presence, value = self.effective_losses(setting, epsilon)
            if presence == value == 0.0:
                return 0.0
            if math.isinf(max(presence, value)):
                return math.inf
            most = self._allowed(presence, value).epsilon
            return 0.0 if most is None else _exp(presence - most)

        return excess

    def _guess(self, setting: PrivacyInputs) -> float:
        """Return about the largest budget: that which tells as much as the Gaussian noise that keeps the profile."""
        assert self.tolerance is not None and self.profile is not None
        p, q = self._considered()
        factor = 1.0 if setting.pair.relation == "replace" else math.sqrt(2.0)
        found = gaussian_risk.recommend(profile=self.profile, p=p, q=q, tolerance=self.tolerance, replace_factor=factor)
        return setting.loss.approximate_budget(found.mu) if found.mu else 0.0

    def reads_curve(self) -> bool:
        return self.statement == "tolerance"

    def met_at(self, setting: PrivacyInputs, epsilon: float) -> bool | None:
        """Return whether EPSILON keeps the promise, read there, where a smaller budget may tell more."""
        if self.statement != "tolerance" or setting.monotone:
            return None
        return self._excess(setting)(epsilon) <= 1.0

    def _by_distance(self, setting: PrivacyInputs) -> Limit:
        """Return the same where Gaussian noise alone tells of both pairs of worlds: by its distance."""
        assert self.tolerance is not None and self.profile is not None
        p, q = self._considered()
        found = gaussian_risk.recommend(
            profile=self.profile, p=p, q=q, tolerance=self.tolerance, replace_factor=setting.distance_factor
        )
        if found.mu is None:
            return _without_limit(found.status)
        budget = setting.loss.largest_for_mu(found.mu)
        if math.isinf(budget):
            return no_limit("unbounded", "no_table_reads_it")
        gap = (found.upper or found.mu) - found.mu
        error = max(setting.error(budget), 4.0 * gap / found.mu * budget if found.mu else 0.0)
        return self._bound_by(found, budget, of_release=True, error=error, source=RARELY)

    def effective_losses(self, setting: PrivacyInputs, epsilon: float) -> tuple[float, float]:
        """Return the losses that tell as much as all that counts at the release's EPSILON: of presence, of a value.

        With a tolerance those of every event that is not rarer; rounded up.
        """
        if self.statement != "tolerance" or self.tolerance is None:
            total = setting.loss.total_epsilon(epsilon)
            return total, factor_of(setting) * total
        presence = setting.loss.trade_off(epsilon).effective_epsilon(self.tolerance)
        # with p = 1 nobody is absent, and with q = 1 there is no other value
        known = setting.pair.relation == "replace" or self.beliefs()[1] in CERTAIN
        value = presence if known else setting.value_loss.trade_off(epsilon).effective_epsilon(self.tolerance)
        if not setting.loss.bounded:
            return presence, value
        total = setting.loss.total_epsilon(epsilon)
        return min(presence, total), min(value, factor_of(setting) * total)

    def budget(self, setting: PrivacyInputs, loss: float) -> float:
        """Return the largest epsilon of the release at which no more is told than by a LOSS of presence; rounded down.

        A value may lose as many times that as the certain promise takes.
        """
        if self.statement != "tolerance" or self.tolerance is None or setting.loss.bounded:
            return setting.loss.max_budget(loss)
        value = factor_of(setting) * loss

        def excess(epsilon: float) -> float:
            losses = self.effective_losses(setting, epsilon)
            return _exp(max(losses[0] - loss, losses[1] - value))

        return setting.largest_budget(excess, 1.0, self._guess(setting))

    def _allowed(self, presence: float, value: float) -> mathematics.Recommendation:
        """Return the largest loss of presence that the profile allows where that of a value grows with it alike."""
        assert self.profile is not None
        p, q = self.beliefs()
        presence = max(presence, value / STEEPEST)  # the larger, the safer
        factor = value / presence if value == presence else up(value / presence, 1)
        return mathematics.recommendation(self.profile, _ends(p), _ends(q), factor)

    def _on_average(self, setting: PrivacyInputs) -> Limit:
        """Return the largest budget at which the chance after, on average over the releases, keeps the profile."""
        reason = trade_off_unknown(setting)
        if reason is not None:
            return reason
        if setting.loss.bounded:
            return no_limit("not_applicable", "average_of_bounded_noise")
        if setting.loss.rho_missing is not None:
            return beyond_reach(setting.loss.rho_missing)
        if setting.value_loss.rho_missing is not None:
            return beyond_reach(setting.value_loss.rho_missing)
        asked = self._averaged()
        if asked is None:
            return no_limit("not_applicable", "average_not_proved")
        p, q, ratio = asked
        if ratio < 1.0:
            return no_limit("infeasible", "ratio_below_one")
        if math.isinf(ratio) or (p * q and ratio * p * q >= 1.0):
            return no_limit("unbounded", "profile_never_binds")

        if setting.is_gaussian_alone and p * q:
            mu = gaussian_risk.average_mu_at(p=p, q=q, ratio=ratio, replace_factor=setting.distance_factor)
            budget = setting.loss.largest_for_mu(mu)
        else:
            start = setting.loss.largest_for_rho(0.1 * math.log(ratio))
            budget = setting.largest_budget(lambda epsilon: self._mean(setting, epsilon, p, q), ratio, start, EXACTLY)
        if math.isinf(budget):
            return no_limit("unbounded", "no_table_reads_it")
        return epsilon_limit(
            budget,
            _key(bool(p * q), *self._considered(), (p, q)),
            of_release=True,
            error=1e-7 * max(1.0, budget),  # the average is known to 1e-8 of it, relative
            figures={"p": p, "q": q},
            binding={"p": p, "q": q},
            attained=bool(p * q),
            grounds="proved_under",
            source=ON_AVERAGE,
        )

    def _considered(self) -> tuple[PriorRange, PriorRange]:
        p, q = self.beliefs()
        assert p is not None and q is not None
        return p, q

    def _averaged(self) -> tuple[float, float, float] | None:
        """Return the belief at which the average binds, and the ratio there; None where it is not proved which that is.

        One belief is as it is. The chance after rises in p and in q, so a cap binds at the largest of both. One ratio
        for a range of beliefs binds in the limit of someone who hardly believes it: docs/methods/gaussian_risk.md,
        Theorem 5.
        """
        assert self.profile is not None
        (least_p, p), (least_q, q) = map(_ends, self._considered())
        if least_p == p and least_q == q:
            return p, q, float(self.profile.ratio_at(p, q))
        pieces = () if self.profile.mesh() is not None else self.profile.pieces()[1]
        piece = pieces[0] if len(pieces) == 1 else None
        if isinstance(piece, CapPiece):
            return p, q, float(self.profile.ratio_at(p, q))
        if not isinstance(piece, LevelPiece):
            return None
        return (0.0, 1.0, piece.ratio) if least_q == 1.0 else (1.0, 0.0, piece.ratio)

    def _mean(self, setting: PrivacyInputs, epsilon: float, p: float, q: float) -> float:
        """Return the most that the chance after is of that before, averaged over the releases; rounded up."""
        curve = setting.loss.trade_off(epsilon)
        if setting.is_gaussian_alone and p * q and curve.mu:  # Gaussian noise alone: the integral itself
            factor = setting.distance_factor
            return gaussian_risk.average_risk(p=p, q=q, mu=curve.mu, replace_factor=factor).ratio
        value = curve if setting.pair.relation == "replace" else setting.value_loss.trade_off(epsilon)
        # whoever hardly believes it may doubt presence as well: what tells more of the two counts
        doubted = q == 0.0 and self.beliefs()[0] not in CERTAIN
        other = max(value.zcdp, curve.zcdp) if doubted else value.zcdp
        return up(p * q + (1.0 - p) * _exp(2.0 * curve.zcdp) + p * (1.0 - q) * _exp(2.0 * other), 8)

    def at(self, setting: PrivacyInputs, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return what the binding adversary may learn at EPSILON: the ratio and the chance after the release.

        Where a limit binds that nobody attains, the figure is the limit's own: the ratio of someone who hardly believes
        it before (p q = 0), or `odds`, how many times the odds may grow, of someone who is almost certain of it before
        (p = q = 1). With a tolerance: what is passed for less than `few` of `people`, and the share of releases of
        which the adversary would expect it (`predictive`). On average over the releases: `mean_ratio` and
        `mean_posterior`.
        """
        if not limit.binding or limit.epsilon is None:
            return {}
        p, q = (float(limit.binding[name]) for name in ("p", "q"))
        if self.statement == "average":
            mean = self._mean(setting, epsilon, p, q)
            if math.isinf(mean):
                return {}
            after = {"prior": p * q, "mean_posterior": min(up(mean * p * q, 2), 1.0)} if p * q else {}
            return {"mean_ratio": mean, **after}
        presence, value = self.effective_losses(setting, epsilon)
        found = self._learned(limit, p, q, presence, value)
        if self.statement == "certain" or self.tolerance is None or setting.loss.bounded:
            return found
        if not all(map(math.isfinite, found.values())):
            return {}
        people, few = people_of(self.tolerance)
        figures = {"tolerance": self.tolerance, "people": people, "few": few}
        if "posterior" in found:
            figures |= {"prior": p * q, "predictive": min(1.0, up(self.tolerance / down(found["ratio"], 16), 2))}
        return {**found, **figures, **({} if setting.delta is None else {"delta": setting.delta})}

    def _learned(self, limit: Limit, p: float, q: float, presence: float, value: float) -> dict[str, float]:
        if p == 0.0 or q == 0.0:
            return {"ratio": self._of_disbelief(presence, value)}
        if p == q == 1.0 and not limit.attained:
            return {"odds": self._of_certainty(presence, value)}
        risk = mathematics.posterior_bound(p, q, presence, value)
        return {"ratio": risk.ratio, "posterior": risk.posterior}

    def _of_disbelief(self, presence: float, value: float) -> float:
        """Return the largest ratio whose belief p q goes to 0: Theorem 1 at p q = 0. Never below the true one."""
        (least_p, most), (least_q, _) = map(_ends, self.beliefs())
        ratios = [_exp(presence)] if least_p == 0.0 else []  # p -> 0: what is believed of the value does not matter
        for p in (least_p, most) if least_q == 0.0 else ():  # replacing may tell less than adding: either end
            others = p * math.exp(-value) + (1.0 - p) * math.exp(-presence)
            ratios.append(1.0 / others if others > 1e-300 else math.inf)
        return up(max(ratios, default=1.0), 4)

    def _of_certainty(self, presence: float, value: float) -> float:
        """Return the growth of the odds of p = q = 1: 1 / (w e^-(c eps) + (1 - w) e^-eps), w by how 1 is approached."""
        p, q = self.beliefs()
        growth = [_exp(presence)] if p not in CERTAIN else []
        growth += [_exp(value)] if q not in CERTAIN else []
        return up(max(growth, default=1.0), 4)


def _without_limit(status: str) -> Limit:
    if status == "infeasible":
        return no_limit("infeasible", "ratio_below_one")
    return no_limit("unbounded", "profile_never_binds")


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


def factor_of(setting: PrivacyInputs) -> float:
    """Return the replace_factor of all that is released: how much more replacing a person may tell than adding them."""
    if setting.pair.relation == "replace":
        return REPLACE_ONLY
    return DOUBLE if setting.replace_factor is None else setting.replace_factor


def people_of(tolerance: float) -> tuple[int, int]:
    """Return so many people, a power of ten, and of them the number that a share of TOLERANCE is: whole where it can
    be, else rounded up to two digits or more.
    """
    exact = decimal(tolerance)
    people = next(10**power for power in range(2, 400) if exact * 10**power >= 1)
    for more in (1, 10, 100):
        if (exact * people * more).denominator == 1:
            return people * more, int(exact * people * more)
    return people * 10, math.ceil(exact * people * 10)
