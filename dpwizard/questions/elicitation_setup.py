"""From a requirement to the questions that answer it, and from the answers back into the requirement."""

from __future__ import annotations

from typing import Any

from dpwizard import guessing_advantage
from dpwizard.errors import InvalidInput
from dpwizard.fields import read
from dpwizard.questions.elicitation_log import Session, Setup
from dpwizard.questions.elicitation_result import result
from dpwizard.release import NumberSetting, PrivacySetting, Release
from dpwizard.requirement import BaseRequirement
from dpwizard.requirements.accuracy import NoiseInterval
from dpwizard.requirements.guessing_advantage import CategoricalAdvantage, GuessingAdvantage
from dpwizard.requirements.relative_risk import REPLACE_ONLY, RelativeRisk

ERRORS = (0.5, 500.0)  # the smallest and largest error asked about, in sensitivities


def setup_for(requirement: BaseRequirement, release: Release, *, benefit: str | None = None, figure: str | None = None) -> Setup:
    """Return what questions about REQUIREMENT are about: its adversaries' range, its guess, or its published number.

    Raises InvalidInput where an answer of an earlier step is missing, or where this kind is not asked for by questions.
    """
    told: dict[str, Any] = {"about": requirement.name, "benefit": benefit, "figure": figure}
    match requirement:
        case RelativeRisk():
            told |= _of_risk(requirement, release)
        case CategoricalAdvantage(prior=tuple(masses)) if requirement.truth not in (None, "worst"):
            whole = sum(mass for _, mass in masses)
            told |= {"topic": "guess", "q": dict(masses)[str(requirement.truth)] / whole}
        case GuessingAdvantage(attributes=(one,)) if not one.missing() and one.truth != "worst":
            assert one.prior is not None and one.truth is not None and one.precision is not None
            chance = guessing_advantage.prior_probability(prior=one.prior, truth=one.truth, precision=one.precision)
            told |= {"topic": "guess", "q": chance}
        case NoiseInterval():
            told |= _of_accuracy(requirement, release)
        case _:
            raise InvalidInput(
                "is not asked for by questions", "requirement", "Set it directly, or name one truth, one category or one range of beliefs."
            )
    setup: Setup = read(Setup, {name: value for name, value in told.items() if value is not None}, "setup")
    return setup


def _of_risk(requirement: RelativeRisk, release: Release) -> dict[str, Any]:
    p, q = requirement.beliefs()
    if p is None or q is None:
        raise InvalidInput(
            "is missing", f"requirement.{'p' if p is None else 'q'}", "Say in step 2 what the adversary believes beforehand."
        )
    setting = requirement.setting(release)
    factor = 2.0
    if isinstance(setting, PrivacySetting):
        factor = REPLACE_ONLY if setting.relation == "replace" else setting.replace_factor or 2.0
    return {"p": p, "q": q, "replace_factor": factor}


def _of_accuracy(requirement: NoiseInterval, release: Release) -> dict[str, Any]:
    setting = requirement.setting(release)
    sensitivity = setting.sensitivity if isinstance(setting, NumberSetting) else 1.0
    one_in = 20 if requirement.level is None else max(2, min(round(1.0 / (1.0 - requirement.level)), 10**6))
    return {"topic": "accuracy", "smallest": ERRORS[0] * sensitivity, "largest": ERRORS[1] * sensitivity, "one_in": one_in}


def answered_by(requirement: BaseRequirement, session: Session) -> BaseRequirement:
    """Return REQUIREMENT with what the answers support, on the safe side, or with what was agreed.

    Raises InvalidInput where there are too few answers, or where they set no limit.
    """
    found = result(session) if session.agreed is None else None
    profile = session.agreed.profile if session.agreed else found.profile if found else None
    value = session.agreed.value if session.agreed else found.value if found else None
    match requirement:
        case RelativeRisk() if profile is not None:
            return requirement.model_copy(update={"profile": profile})
        case CategoricalAdvantage() | GuessingAdvantage() if value is not None:
            return requirement.model_copy(update={"advantage": min(value, 1.0)})
        case NoiseInterval() if value is not None:
            return requirement.model_copy(update={"half_width": value, "level": 1.0 - 1.0 / session.setup.one_in})
        case _:
            raise InvalidInput("supports nothing to take over", "session", "Answer more questions, or about this requirement.")
