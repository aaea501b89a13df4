"""Whom an officer may fear, and the requirement that each brings: a question, and beliefs to begin with.

Beliefs lie on the safe side: where the release does not say what somebody can know, they may believe anything. What
only the officer can say (how much may be learned, how close a guess comes, how rarely a promise may fail) stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal
from dpwizard.base.numerics import up as larger
from dpwizard.base.stopping import Stopped, stoppable
from dpwizard.base.value_errors import quoted_value
from dpwizard.base.values import PriorRange
from dpwizard.decision import edits
from dpwizard.decision.decision import Decision
from dpwizard.decision.reasons import Reason
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import BaseRequirement, Origin
from dpwizard.decision.requirements import (
    GuessingAdvantage,
    MembershipAdvantage,
    PersuasivePrivacy,
    RelativeRisk,
    Requirement,
)
from dpwizard.privacy.guessing_advantage import Attribute
from dpwizard.privacy.priors import Uniform
from dpwizard.privacy.profiles import Constant

WHERE = "$.requirements"
ANY = (0.0, 1.0)  # a belief of any strength, open at 0
AMOUNTS = ("sum", "mean")  # statistics that are computed from amounts


@dataclass(frozen=True, kw_only=True)
class AdversaryTemplate:
    """What somebody feared brings to a release.

    requirement: to begin with; why: the key of the sentence on this promise and these beliefs; why_not: why it says
    nothing about the release, None where it does or where too little is answered to know.
    """

    requirement: Requirement
    why: str
    why_not: Reason | None = None


def feared(release: Release, who: str) -> AdversaryTemplate:
    """Return what WHO, one of ADVERSARIES, brings to RELEASE. Raises InvalidInput for anybody else."""
    if who not in _BROUGHT:
        stated = message("must be one of {names}; found {who}", names=", ".join(ADVERSARIES), who=quoted_value(who))
        raise InvalidInput(stated, "who", "Choose one of these.")
    return release.cached(("feared", who), lambda: _judged(_BROUGHT[who](release), release))


def add_feared(decision: Decision, who: str, name: str) -> Decision:
    """Return DECISION with the requirement of WHO at its end, under NAME; a number is added where that is taken."""
    taken = {requirement.name for requirement in decision.requirements}
    numbered = (f"{name} {number}" for number in range(2, len(taken) + 3))
    called = name if name not in taken else next(each for each in numbered if each not in taken)
    begun = feared(decision.planned.release, who).requirement.model_copy(update={"name": called})
    return edits.add(decision, WHERE, begun)


# ---------------------------------------------------------------------------------- what each brings


def _neighbour(release: Release) -> AdversaryTemplate:
    if _everybody(release):
        return _of_a_value(release, "neighbour_of_all")
    return AdversaryTemplate(requirement=_risk(release, adversary="inclusion", p=ANY), why="neighbour")


def _employer(release: Release) -> AdversaryTemplate:
    return _of_a_value(release, "employer")


def _register(release: Release) -> AdversaryTemplate:
    fraction = release.sampling_fraction
    if _everybody(release):
        return _of_a_value(release, "register_of_all")
    if not fraction:
        return AdversaryTemplate(requirement=_risk(release, adversary="both", p=ANY, q=ANY), why="register")
    # whoever may learn who was sampled comes to know it
    p: PriorRange = fraction if release.sample_secret else (fraction, 1.0)
    why = "register_of_sample" if release.sample_secret else "register_of_open_sample"
    return AdversaryTemplate(requirement=_risk(release, adversary="both", p=p, q=ANY), why=why)


def _broker(release: Release) -> AdversaryTemplate:
    if _everybody(release):
        return _of_a_value(release, "broker_of_all")
    return AdversaryTemplate(requirement=_risk(release, adversary="both", p=ANY, q=ANY), why="broker")


def _insider(release: Release) -> AdversaryTemplate:
    return AdversaryTemplate(requirement=MembershipAdvantage(), why="insider")


def _researcher(release: Release) -> AdversaryTemplate:
    # no belief is too weak: what is hardly believed gains the most
    asked = PersuasivePrivacy(score="log", prior_mass=0.0, attribute=_attribute_with_noise(release))
    # noise without a largest loss keeps no score for sure, and how rarely it may fail is not for us to propose
    why_not = Reason(key="score_needs_largest_loss") if release.noise.needs_delta else None
    return AdversaryTemplate(requirement=asked, why="researcher", why_not=why_not)


def _insurer(release: Release) -> AdversaryTemplate:
    named, effect, largest = _amount(release)
    prior = Uniform(low=None if largest is None else 0.0, high=largest)
    averaged = release.noise.needs_delta  # no largest loss: only the best guess, over all values and releases
    assumed = ("prior",) if averaged else ("prior", "truth")
    asked = GuessingAdvantage(
        attributes=(Attribute(name=named, prior=prior, truth=None if averaged else "worst", effect=effect),),
        statement="expected" if averaged else "certain",
        origins=tuple(Origin(field=f"attributes[0].{name}", origin="assumed") for name in assumed),
    )
    why = "insurer_on_average" if averaged else "insurer" if largest is None else "insurer_within_bounds"
    read = any(table.effects or table.statistic in (*AMOUNTS, None) for table in release.noisy)
    return AdversaryTemplate(requirement=asked, why=why, why_not=None if read else Reason(key="no_amount_read"))


_BROUGHT: Mapping[str, Callable[[Release], AdversaryTemplate]] = MappingProxyType(
    {
        "neighbour": _neighbour,
        "employer": _employer,
        "insurer": _insurer,
        "register": _register,
        "broker": _broker,
        "insider": _insider,
        "researcher": _researcher,
    }
)
ADVERSARIES = tuple(_BROUGHT)


def _everybody(release: Release) -> bool:
    """Return whether whoever belongs to the population is in the data: then a value alone can be learned."""
    return release.sampling_fraction == 1.0


def _of_a_value(release: Release, why: str) -> AdversaryTemplate:
    """Return what somebody brings who knows that the person is in the data, and wants a value of theirs."""
    asked = _risk(release, adversary="attribute", q=ANY, attribute=_attribute_with_noise(release))
    return AdversaryTemplate(requirement=asked, why=why)


def _risk(release: Release, **asked: Any) -> RelativeRisk:
    """Return a relative risk of what is ASKED: for every release, or where no noise can promise that, for all but rare
    ones; how rare stays open.
    """
    return RelativeRisk(**asked, statement="tolerance" if release.noise.needs_delta else "certain")


def _attribute_with_noise(release: Release) -> str | None:
    """Return the first attribute that noisy tables read and no exact figure does: of another nothing is promised.

    None where nothing is published without noise: then every value is protected.
    """
    exact = {name for _, reads in release.exact for name in reads or ()}
    read = (name for table in release.noisy for name in table.reads or ())
    return next((name for name in read if name not in exact), None) if release.exact else None


def _amount(release: Release) -> tuple[str | None, float | None, float | None]:
    """Return the name of the amount that the tables read, how far the only one moves with it, and its largest value.

    None for what is not known. Without effects stated, a sum moves as far as its amount, and a mean of everybody one
    nth of it. The largest value, counted from 0, is what moves the only table by all its sensitivity.
    """
    named = next((name for table in release.noisy for name, _ in table.effects or ()), None)
    if len(release.tables) > 1:
        return named, None, None
    table = release.noisy[0]
    effect = dict(table.effects or ()).get(named or "")
    usual = usual_effect(release)
    if named is None and usual is not None and usual.stated and table.statistic in AMOUNTS:
        effect = usual.effect
    largest = table.sensitivity / effect if table.sensitivity and effect else None
    return named, None if named else effect, largest


# --------------------------------------------------------------------------- whether it applies


def _judged(found: AdversaryTemplate, release: Release) -> AdversaryTemplate:
    """Return FOUND with the reason why no promise of its kind can be made about RELEASE, if there is one."""
    return (
        found
        if found.why_not is not None
        else replace(found, why_not=_refusal(with_sample_answers(found.requirement), release))
    )


def _refusal(asked: BaseRequirement, release: Release) -> Reason | None:
    """Return why ASKED, which leaves nothing open, says nothing about RELEASE; None where it does, as far as known."""
    setting = asked.setting(release)
    if isinstance(setting, tuple):
        return None
    try:
        with stoppable(lambda: True):  # all that speaks against a promise is known before a search for its limit begins
            limit = asked.blocked_limit(release) or asked.limit(setting)
    except Stopped:
        return None
    except DPWizardError:
        return None  # a solver's own failure is said where its answer is
    return limit.why if limit.status == "not_applicable" else None


def with_sample_answers(requirement: Requirement) -> Requirement:
    """Return REQUIREMENT with an answer to all that it leaves open, to see what becomes of it."""
    known: dict[str, Any] = {"profile": Constant(ratio=2.0), "tolerance": 0.01, "kappa": 0.5, "advantage": 0.1}
    answered = {name: known[name] for name in requirement.missing() if name in known}
    attributes = getattr(requirement, "attributes", ())
    if attributes:
        answered["attributes"] = tuple(_probed_attribute(each) for each in attributes)
    return requirement.model_copy(update=answered)


def _probed_attribute(attribute: Attribute) -> Attribute:
    prior = Uniform(low=0.0, high=1.0) if attribute.prior is None or attribute.prior.missing() else attribute.prior
    low, high = prior.support()
    answered: dict[str, Any] = {"prior": prior, "precision": attribute.precision or (high - low) / 10.0}
    if attribute.name is None and attribute.effect is None:
        answered["effect"] = 1.0
    return attribute.model_copy(update=answered)


@dataclass(frozen=True, kw_only=True)
class UsualEffect:
    """How far the figure moves when one's own value moves by 1, why, and whether the release states all it rests on."""

    effect: float
    why: Reason
    stated: bool


def usual_effect(release: Release) -> UsualEffect | None:
    """Return how far the only number of RELEASE moves at most when the value of one unit moves by 1; None if unknown.

    Arguments: release, of one table with one number. Returns for a count or a sum the rows of one unit, for a mean
    under "replace" these over the number of records, which is the population where all of it is in the data. Where the
    release does not say that all of it is, or that a part is, the effect is only to be offered (`stated` is False):
    of fewer records it would be larger. **Never below the largest move**, the records being as many as said.
    Source: docs/methods/guessing_advantage.md.
    """
    table = release.tables[0]
    if len(release.tables) > 1 or table.dimension != 1 or table.noise.absent:
        return None
    rows = table.contributions
    if table.statistic in ("count", "sum"):
        return UsualEffect(effect=float(rows), why=_why(table.statistic, rows), stated=True)
    if table.statistic != "mean" or release.neighbours != "replace" or not release.population:
        return None
    fraction = release.sampling_fraction
    records = int(release.population * decimal(1.0 if fraction is None else fraction))
    if records < rows:
        return None
    exact = Fraction(rows, records)
    effect = float(exact)
    if decimal(effect) < exact:
        effect = larger(effect, 1)
    return UsualEffect(effect=effect, why=_why("mean", rows, records), stated=fraction == 1.0)


def _why(statistic: str, rows: int, records: int = 0) -> Reason:
    key = f"{statistic}_{'row' if rows == 1 else 'rows'}"
    return Reason(key=key, values={"rows": rows, "records": records})
