"""Relative disclosure risk: how much a release may change a belief, and the largest epsilon a risk profile allows."""

from dpwizard.privacy.relative_risk.functions import (
    TIE,
    Recommendation,
    RecommendationForAll,
    Risk,
    curve,
    epsilon_at,
    learned,
    lee_clifton_epsilon,
    participation,
    participation_epsilon,
    recommend,
    recommend_all,
    recommendation,
    replace_one_epsilon,
    replace_one_risk,
    risk,
)

__all__ = [
    "TIE",
    "Recommendation",
    "RecommendationForAll",
    "Risk",
    "curve",
    "epsilon_at",
    "learned",
    "lee_clifton_epsilon",
    "participation",
    "participation_epsilon",
    "recommend",
    "recommend_all",
    "recommendation",
    "replace_one_epsilon",
    "replace_one_risk",
    "risk",
]
