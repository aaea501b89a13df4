"""Bon, Bailie, Rousseau & Robert 2025, Persuasive Privacy: all public functions, and the least noise."""

from dpwizard.privacy.persuasive_privacy.dawid_sebastiani import (
    dawid_sebastiani_hold,
    smallest_sd_dawid_sebastiani,
    worst_chance,
)
from dpwizard.privacy.persuasive_privacy.discrete_sum import discrete_sum_gain
from dpwizard.privacy.persuasive_privacy.functions import NoiseNeed, noise_needed
from dpwizard.privacy.persuasive_privacy.gaussian_beliefs import (
    exact_mean_promise,
    linear_bound,
    linear_gain,
    mean_class,
    multiple_correlation,
)
from dpwizard.privacy.persuasive_privacy.interval_score import interval_loss, smallest_sd_interval
from dpwizard.privacy.persuasive_privacy.log_score import (
    approximate_delta,
    compose,
    effective_epsilon,
    hold_probability,
    log_score_gain,
    probabilistic_delta,
    smallest_noise,
)
from dpwizard.privacy.persuasive_privacy.several_values import log_score_hold
