"""The one registry of requirements: reading, showing, solving and reporting all use this union."""

from __future__ import annotations

from typing import Annotated, get_args

from pydantic import Field

from dpwizard.decision.requirement import BaseRequirement
from dpwizard.decision.requirements.accuracy import (
    AllWithin,
    DropRate,
    ExactProbability,
    MarginOfError,
    MeanAbsoluteError,
    NoiseInterval,
    RelativeError,
    Rmse,
    ShareWithin,
    SpuriousRate,
    SwitchProbability,
)
from dpwizard.decision.requirements.budget import Budget
from dpwizard.decision.requirements.categorical_advantage import CategoricalAdvantage
from dpwizard.decision.requirements.earlier_bounds import LeeClifton, Participation
from dpwizard.decision.requirements.guessing_advantage import GuessingAdvantage
from dpwizard.decision.requirements.persuasive_privacy import ExactMean, PersuasivePrivacy
from dpwizard.decision.requirements.privacy_at_risk import Compensation, PrivacyAtRisk, one_number, pure_noise
from dpwizard.decision.requirements.relative_risk import RelativeRisk, factor_of, people_of
from dpwizard.decision.requirements.two_worlds import AttackSuccess, EventProbability, MembershipAdvantage

Kinds = (
    RelativeRisk
    | LeeClifton
    | Participation
    | EventProbability
    | MembershipAdvantage
    | AttackSuccess
    | GuessingAdvantage
    | CategoricalAdvantage
    | PrivacyAtRisk
    | PersuasivePrivacy
    | ExactMean
    | Budget
    | Compensation
    | Rmse
    | MeanAbsoluteError
    | NoiseInterval
    | ExactProbability
    | SwitchProbability
    | RelativeError
    | AllWithin
    | ShareWithin
    | DropRate
    | SpuriousRate
    | MarginOfError
)
Requirement = Annotated[Kinds, Field(discriminator="kind")]


def kinds() -> dict[str, type[BaseRequirement]]:
    """Return every requirement class by its kind, in the order of the window."""
    return {member.model_fields["kind"].default: member for member in get_args(Kinds)}
