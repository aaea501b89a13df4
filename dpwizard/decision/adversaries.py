"""The adversaries that an officer can choose, and the requirement with safe priors that each adds."""

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
ANY = (0.0, 1.0)  # any prior, open at 0
AMOUNTS = ("sum", "mean")  # statistics of amounts


@dataclass(frozen=True, kw_only=True)
class AdversaryTemplate:
    """The requirement that an adversary adds to a release.

    why: the key of the sentence on the requirement and its priors; why_not: why it does not apply to the release, None
    if it does or if too little is answered.
    """

    requirement: Requirement
    why: str
    why_not: Reason | None = None


def feared(release: Release, who: str) -> AdversaryTemplate:
    """Return the template of WHO, one of ADVERSARIES, for RELEASE. Raises InvalidInput for any other name."""
    if who not in _TEMPLATES:
        stated = message("must be one of {names}; found {who}", names=", ".join(ADVERSARIES), who=quoted_value(who))
        raise InvalidInput(stated, "who", "Choose one of these.")
    return release.cached(("feared", who), lambda: _with_refusal(_TEMPLATES[who](release), release))


def add_feared(decision: Decision, who: str, name: str) -> Decision:
    """Return DECISION with the requirement of WHO added as NAME, with a number if that name is taken."""
    taken = {requirement.name for requirement in decision.requirements}
    numbered = (f"{name} {number}" for number in range(2, len(taken) + 3))
    free = name if name not in taken else next(each for each in numbered if each not in taken)
    requirement = feared(decision.planned.release, who).requirement.model_copy(update={"name": free})
    return edits.add(decision, WHERE, requirement)


# ---------------------------------------------------------------------------------- one template each


def _outsider(release: Release, who: str, why: str = "", **priors: Any) -> AdversaryTemplate:
    """Return the template of WHO, not known to be in the data, with PRIORS; in a full count only a value is secret."""
    if release.sampling_fraction == 1.0:
        return _attribute_adversary(release, f"{who}_of_all")
    return AdversaryTemplate(requirement=_relative_risk(release, **priors), why=why or who)


def _register(release: Release) -> AdversaryTemplate:
    fraction = release.sampling_fraction
    if not fraction:
        return _outsider(release, "register", adversary="both", p=ANY, q=ANY)
    # unless the sample is secret, the adversary may know who is in it
    p: PriorRange = fraction if release.sample_secret else (fraction, 1.0)
    why = "register_of_sample" if release.sample_secret else "register_of_open_sample"
    return _outsider(release, "register", why, adversary="both", p=p, q=ANY)


def _researcher(release: Release) -> AdversaryTemplate:
    # the smallest prior gains the most
    requirement = PersuasivePrivacy(score="log", prior_mass=0.0, attribute=_protected_attribute(release))
    # unbounded noise limits a score except with a probability that the officer has to choose
    why_not = Reason(key="score_needs_largest_loss") if release.noise.needs_delta else None
    return AdversaryTemplate(requirement=requirement, why="researcher", why_not=why_not)


def _insurer(release: Release) -> AdversaryTemplate:
    named, effect, largest = _amount_and_effect(release)
    prior = Uniform(low=None if largest is None else 0.0, high=largest)
    averaged = release.noise.needs_delta  # under unbounded noise only the mean success of the best guess is limited
    assumed_fields = ("prior",) if averaged else ("prior", "truth")
    requirement = GuessingAdvantage(
        attributes=(Attribute(name=named, prior=prior, truth=None if averaged else "worst", effect=effect),),
        statement="expected" if averaged else "certain",
        origins=tuple(Origin(field=f"attributes[0].{name}", origin="assumed") for name in assumed_fields),
    )
    why = "insurer_on_average" if averaged else "insurer" if largest is None else "insurer_within_bounds"
    reads_amount = any(table.effects or table.statistic in (*AMOUNTS, None) for table in release.noisy)
    return AdversaryTemplate(
        requirement=requirement, why=why, why_not=None if reads_amount else Reason(key="no_amount_read")
    )


_TEMPLATES: Mapping[str, Callable[[Release], AdversaryTemplate]] = MappingProxyType(
    {
        "neighbour": lambda release: _outsider(release, "neighbour", adversary="inclusion", p=ANY),
        "employer": lambda release: _attribute_adversary(release, "employer"),
        "insurer": _insurer,
        "register": _register,
        "broker": lambda release: _outsider(release, "broker", adversary="both", p=ANY, q=ANY),
        "insider": lambda _: AdversaryTemplate(requirement=MembershipAdvantage(), why="insider"),
        "researcher": _researcher,
    }
)
ADVERSARIES = tuple(_TEMPLATES)


def _attribute_adversary(release: Release, why: str) -> AdversaryTemplate:
    requirement = _relative_risk(release, adversary="attribute", q=ANY, attribute=_protected_attribute(release))
    return AdversaryTemplate(requirement=requirement, why=why)


def _relative_risk(release: Release, **fields: Any) -> RelativeRisk:
    """Return a relative risk for every release, or with a tolerance if the noise is unbounded."""
    return RelativeRisk(**fields, statement="tolerance" if release.noise.needs_delta else "certain")


def _protected_attribute(release: Release) -> str | None:
    """Return the first attribute that noisy tables read and no exact figure does; None if nothing is exact."""
    exact = {name for _, reads in release.exact for name in reads or ()}
    read = (name for table in release.noisy for name in table.reads or ())
    return next((name for name in read if name not in exact), None) if release.exact else None


def _amount_and_effect(release: Release) -> tuple[str | None, float | None, float | None]:
    """Return the name of the amount that the tables read, its effect on the only table, and its largest value.

    None for unknown ones. Without stated effects, the effect on a sum is 1, and on a mean 1/n. The largest value,
    counted from 0, changes the only table by its sensitivity.
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


# --------------------------------------------------------------------------- applicability


def _with_refusal(template: AdversaryTemplate, release: Release) -> AdversaryTemplate:
    """Return TEMPLATE with the reason why its requirement, fully answered, does not apply to RELEASE, if so."""
    if template.why_not is not None:
        return template
    requirement: BaseRequirement = with_sample_answers(template.requirement)
    setting = requirement.setting(release)
    if isinstance(setting, tuple):
        return template
    try:
        with stoppable(lambda: True):  # every reason is found before the search for a limit starts
            limit = requirement.blocked_limit(release) or requirement.limit(setting)
    except (Stopped, DPWizardError):
        return template  # the assessment reports why a solver failed
    return replace(template, why_not=limit.why) if limit.status == "not_applicable" else template


def with_sample_answers(requirement: Requirement) -> Requirement:
    """Return REQUIREMENT with a sample answer in each open field."""
    known: dict[str, Any] = {"profile": Constant(ratio=2.0), "tolerance": 0.01, "kappa": 0.5, "advantage": 0.1}
    answered = {name: known[name] for name in requirement.missing() if name in known}
    attributes = getattr(requirement, "attributes", ())
    if attributes:
        answered["attributes"] = tuple(_sample_attribute(each) for each in attributes)
    return requirement.model_copy(update=answered)


def _sample_attribute(attribute: Attribute) -> Attribute:
    prior = Uniform(low=0.0, high=1.0) if attribute.prior is None or attribute.prior.missing() else attribute.prior
    low, high = prior.support()
    answered: dict[str, Any] = {"prior": prior, "precision": attribute.precision or (high - low) / 10.0}
    if attribute.name is None and attribute.effect is None:
        answered["effect"] = 1.0
    return attribute.model_copy(update=answered)


@dataclass(frozen=True, kw_only=True)
class UsualEffect:
    """The effect of one's own value on the figure, the reason, and whether it rests on stated figures alone."""

    effect: float
    why: Reason
    stated: bool


def usual_effect(release: Release) -> UsualEffect | None:
    """Return the largest change of RELEASE's only number when the value of one unit changes by 1; None if unknown.

    Arguments: release, of one table with one number. Returns for a count or a sum the rows of one unit; for a mean
    under "replace" these divided by the number of records, which is the population times the sampling fraction. If no
    fraction is stated, `stated` is False: with fewer records the effect would be larger. **Never below the largest
    change**, if the number of records is as stated. Source: docs/methods/guessing_advantage.md.
    """
    table = release.tables[0]
    if len(release.tables) > 1 or table.dimension != 1 or table.noise.absent:
        return None
    rows = table.contributions
    if table.statistic in ("count", "sum"):
        return UsualEffect(effect=float(rows), why=_reason_of_effect(table.statistic, rows), stated=True)
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
    return UsualEffect(effect=effect, why=_reason_of_effect("mean", rows, records), stated=fraction == 1.0)


def _reason_of_effect(statistic: str, rows: int, records: int = 0) -> Reason:
    key = f"{statistic}_{'row' if rows == 1 else 'rows'}"
    return Reason(key=key, values={"rows": rows, "records": records})
