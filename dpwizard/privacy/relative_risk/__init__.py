"""Relative disclosure risk: how much a release may raise a prior, and the largest epsilon of a risk profile."""

from dpwizard.privacy.relative_risk.functions import (
    PosteriorBound,
    Recommendation,
    RecommendationForAll,
    at_least_one,
    epsilon_at,
    least,
    lee_clifton_epsilon,
    max_budget_at,
    participation,
    participation_epsilon,
    posterior_bound,
    range_of,
    recommend,
    recommend_all,
    recommendation,
    risk,
)
from dpwizard.privacy.relative_risk.prior_odds import Array, Inverse, multiplier_of_ratio
from dpwizard.privacy.relative_risk.profile_search import epsilons
