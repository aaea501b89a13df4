"""Pankova & Laud 2022: how much a release improves an adversary's guess of an attribute."""

from dpwizard.privacy.guessing_advantage.arguments import Attribute, weight_of
from dpwizard.privacy.guessing_advantage.expected_guess import expected, noise_for_expected
from dpwizard.privacy.guessing_advantage.functions import (
    combined_epsilon,
    combined_limit,
    combined_posterior,
    combined_prior,
    curve,
    epsilon_for,
    laplace_posterior,
    posterior,
    precision_epsilon,
    prior_probability,
    release_epsilon,
    worst_epsilon,
    worst_truth,
)
from dpwizard.privacy.guessing_advantage.given_truth import LIMIT_ERROR, Bound
from dpwizard.privacy.guessing_advantage.simplified import (
    categorical_epsilon,
    categorical_posterior,
    simplified_epsilon,
    simplified_posterior,
    worst_class,
    worst_prior,
)
from dpwizard.privacy.guessing_advantage.worst_truths import WorstLimit
