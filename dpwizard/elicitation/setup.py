"""From a requirement to its questions, and from the answers back to the requirement."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dpwizard.base.errors import InvalidInput
from dpwizard.base.values import read
from dpwizard.decision import (
    DOUBLE,
    AccuracyInputs,
    BaseRequirement,
    Decision,
    ElicitationSession,
    PrivacyInputs,
    Reason,
    Release,
    Setup,
)
from dpwizard.decision.requirements import (
    CategoricalAdvantage,
    GuessingAdvantage,
    NoiseInterval,
    RelativeRisk,
    factor_of,
)
from dpwizard.elicitation.influences import AnswerEffect, AnswerInfluence
from dpwizard.elicitation.result import Result, result
from dpwizard.privacy import guessing_advantage
from dpwizard.privacy.profiles import Constant

ERRORS = (0.5, 500.0)  # the smallest and largest error asked about, in sensitivities


def setup_for(
    requirement: BaseRequirement, release: Release, *, benefit: str | None = None, figure: str | None = None
) -> Setup:
    """Return what questions about REQUIREMENT are about: its adversaries' range, its guess, or its published number.

    Raises InvalidInput where an answer of an earlier step is missing, or where this kind is not asked for by questions.
    """
    fields: dict[str, Any] = {"about": requirement.name, "benefit": benefit, "figure": figure}
    match requirement:
        case RelativeRisk():
            fields |= _of_risk(requirement, release)
        case CategoricalAdvantage(prior=tuple(masses)) if requirement.truth not in (None, "worst"):
            whole = sum(mass for _, mass in masses)
            fields |= {"topic": "guess", "q": dict(masses)[str(requirement.truth)] / whole}
        case GuessingAdvantage(statement="certain", attributes=(one,)) if not one.missing() and one.truth != "worst":
            assert one.prior is not None and one.truth is not None and one.precision is not None
            chance = guessing_advantage.prior_probability(prior=one.prior, truth=one.truth, precision=one.precision)
            fields |= {"topic": "guess", "q": chance}
        case NoiseInterval():
            fields |= _of_accuracy(requirement, release)
        case _:
            raise InvalidInput(
                "cannot be found by questions",
                "requirement",
                "Set it directly, or name one truth, one category or one range of chances before.",
            )
    setup: Setup = read(Setup, {name: value for name, value in fields.items() if value is not None}, "setup")
    return setup


def _of_risk(requirement: RelativeRisk, release: Release) -> dict[str, Any]:
    p, q = requirement.beliefs()
    if p is None or q is None:
        raise InvalidInput(
            "is missing",
            f"requirement.{'p' if p is None else 'q'}",
            "Say in step 2 what the adversary thinks before the release.",
        )
    return {"p": p, "q": q, "replace_factor": _factor(requirement, release)}


def _factor(requirement: RelativeRisk, release: Release) -> float:
    """Return the replace factor as the requirement's limit takes it; the published one while RELEASE is unanswered."""
    setting = requirement.setting(release)
    return factor_of(setting) if isinstance(setting, PrivacyInputs) else DOUBLE


def _of_accuracy(requirement: NoiseInterval, release: Release) -> dict[str, Any]:
    setting = requirement.setting(release)
    sensitivity = setting.stated or setting.sensitivity if isinstance(setting, AccuracyInputs) else 1.0
    one_in = 20 if requirement.level is None else max(2, min(round(1.0 / (1.0 - requirement.level)), 10**6))
    least, most = (factor * sensitivity for factor in ERRORS)
    return {"topic": "accuracy", "smallest": least, "largest": most, "one_in": one_in}


def why_no_questions(requirement: BaseRequirement, release: Release) -> str:
    """Return why no questions can be asked about REQUIREMENT; an empty text if only priors are missing, or nothing."""
    try:
        setup_for(requirement, release)
    except InvalidInput as problem:
        return problem.remedy if problem.where == "requirement" else ""
    return ""


def sessions_about(decision: Decision, index: int) -> tuple[tuple[int, ElicitationSession], ...]:
    """Return the sessions about requirement INDEX, with their positions; none if no questions can be asked.

    The release may have changed since, and so may the words for the benefit and the figure.
    """
    try:
        subject = _subject(setup_for(decision.requirements[index], decision.release))
    except InvalidInput:
        return ()
    sessions = enumerate(decision.elicitation)
    return tuple((place, session) for place, session in sessions if _subject(session.setup) == subject)


def _subject(setup: Setup) -> tuple[object, ...]:
    return setup.topic, setup.about, setup.p, setup.q, setup.one_in


# ------------------------------------------------------------------- what answers mean for a release


def with_current_factor(
    session: ElicitationSession, requirement: BaseRequirement, release: Release
) -> ElicitationSession:
    """Return SESSION with the factor that REQUIREMENT's limit on RELEASE has now."""
    if session.setup.topic != "risk" or not isinstance(requirement, RelativeRisk):
        return session
    setup = session.setup.model_copy(update={"replace_factor": _factor(requirement, release)})
    return session.model_copy(update={"setup": setup})


@dataclass(frozen=True, kw_only=True)
class ReleaseEpsilons:
    """Epsilons found by questions converted to those of a release; `why`: the reason if that is not possible.

    An epsilon found by questions is the total loss in the terms of the requirement. It is converted like the
    requirement's limit: with the repetitions, the neighbouring relation and earlier releases.
    """

    requirement: RelativeRisk | None
    setting: PrivacyInputs | None
    why: Reason | None = None

    def limit(self, stated: float | None) -> float | None:
        """Return the release's epsilon that STATED allows, rounded down; None if it is not known."""
        if self.requirement is None or stated is None:
            return stated
        return None if self.setting is None or self.why is not None else self.requirement.budget(self.setting, stated)

    def result(self, result: Result) -> Result:
        """Return RESULT with each epsilon as the release's; the recommended one is the limit that its profile sets."""
        if self.requirement is None:
            return result
        epsilon = None
        if result.profile is not None and self.setting is not None and self.why is None:
            with_profile = self.requirement.model_copy(update={"profile": result.profile})
            epsilon = with_profile.limit(self.setting).epsilon
        low, middle, high = self.limit(result.low), self.limit(result.middle), self.limit(result.high)
        return replace(result, epsilon=epsilon, low=low, middle=middle, high=high)

    def influence(self, influence: AnswerInfluence) -> AnswerInfluence:
        """Return INFLUENCE, how an answer moves epsilon, as epsilons of the release."""
        return replace(influence, without=self.limit(influence.without), otherwise=self.limit(influence.otherwise))

    def change(self, change: AnswerEffect) -> AnswerEffect:
        """Return CHANGE, what an answer changed, as epsilons of the release."""
        return replace(change, before=self.result(change.before), after=self.result(change.after))


def release_epsilons(requirement: BaseRequirement, release: Release) -> ReleaseEpsilons:
    """Return the conversion of epsilons found by questions about REQUIREMENT to those of RELEASE."""
    if not isinstance(requirement, RelativeRisk):
        return ReleaseEpsilons(requirement=None, setting=None)
    setting = requirement.setting(release)
    if isinstance(setting, tuple):
        why = Reason(key="release_unanswered", values={"fields": setting})
        return ReleaseEpsilons(requirement=requirement, setting=None, why=why)
    if requirement.statement == "average":  # questions find a loss, and an average is none
        return ReleaseEpsilons(requirement=requirement, setting=None, why=Reason(key="average_not_by_questions"))
    any_profile = requirement.model_copy(update={"profile": Constant(ratio=DOUBLE)})
    limit = requirement.blocked_limit(release) or (any_profile.limit(setting) if not any_profile.missing() else None)
    refused = limit is not None and limit.status == "not_applicable"
    return ReleaseEpsilons(
        requirement=requirement, setting=setting, why=limit.why if refused and limit is not None else None
    )


def answered_by(requirement: BaseRequirement, session: ElicitationSession) -> BaseRequirement:
    """Return REQUIREMENT with what the answers support, on the safe side, or with what was agreed.

    Raises InvalidInput where there are too few answers, or where they set no limit.
    """
    supported = result(session) if session.agreed is None else None
    profile = session.agreed.profile if session.agreed else supported.profile if supported else None
    value = session.agreed.value if session.agreed else supported.value if supported else None
    match requirement:
        case RelativeRisk() if profile is not None:
            return requirement.model_copy(update={"profile": profile})
        case CategoricalAdvantage() | GuessingAdvantage() if value is not None:
            return requirement.model_copy(update={"advantage": min(value, 1.0)})
        case NoiseInterval() if value is not None:
            return requirement.model_copy(update={"half_width": value, "level": 1.0 - 1.0 / session.setup.one_in})
        case _:
            raise InvalidInput("do not give a value yet", "session", "Answer more questions about this requirement.")
