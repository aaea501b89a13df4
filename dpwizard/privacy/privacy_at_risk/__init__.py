"""Dandekar, Basu & Bressan 2021: privacy at risk and the compensation cost, as published and audited."""

from dpwizard.privacy.privacy_at_risk.audited import (
    confidence,
    coverage_confidence,
    delta,
    level_for_delta,
    noise_level,
    risk,
)
from dpwizard.privacy.privacy_at_risk.cost import (
    compensation,
    expected_compensation,
    noise_level_for_money,
    two_tier_cheapest,
)
from dpwizard.privacy.privacy_at_risk.published import (
    published_cheapest,
    published_compensation,
    published_confidence,
    published_confidence_sampled,
    published_level,
    published_level_for_budget,
    published_noise_level,
    published_noise_level_sampled,
    published_tolerance,
)
from dpwizard.privacy.privacy_at_risk.sampling import sampled_sensitivity, sampled_sensitivity_from_csv, samples_needed
from dpwizard.privacy.privacy_at_risk.vector_loss import vector_confidence, vector_delta
