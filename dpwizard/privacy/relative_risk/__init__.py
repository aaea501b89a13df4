"""Relative disclosure risk: how much a release may change a belief, and the largest epsilon a risk profile allows."""

from dpwizard.privacy.relative_risk.functions import (
    TIE,
    Recommendation,
    RecommendationForAll,
    Risk,
    curve,
    epsilon_at,
    learned,
    least,
    lee_clifton_epsilon,
    limit_at,
    participation,
    participation_epsilon,
    range_of,
    recommend,
    recommend_all,
    recommendation,
    replace_one_epsilon,
    replace_one_risk,
    risk,
)
from dpwizard.privacy.relative_risk.inverse import Inverse
from dpwizard.privacy.relative_risk.prior_odds import multiplier_of_ratio

__all__ = [
    "TIE",
    "Inverse",
    "Recommendation",
    "RecommendationForAll",
    "Risk",
    "curve",
    "epsilon_at",
    "learned",
    "least",
    "lee_clifton_epsilon",
    "limit_at",
    "multiplier_of_ratio",
    "participation",
    "participation_epsilon",
    "range_of",
    "recommend",
    "recommend_all",
    "recommendation",
    "replace_one_epsilon",
    "replace_one_risk",
    "risk",
]
