"""Relative disclosure risk: how much a release may change a belief, and the largest epsilon a risk profile allows."""

from dpwizard.privacy.relative_risk.functions import (
    Recommendation,
    RecommendationForAll,
    Risk,
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
    risk,
)
from dpwizard.privacy.relative_risk.inverse import Inverse
from dpwizard.privacy.relative_risk.prior_odds import Array, multiplier_of_ratio
from dpwizard.privacy.relative_risk.profile_search import epsilons
