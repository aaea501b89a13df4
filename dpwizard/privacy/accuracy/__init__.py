"""How accurate a release is: error, noise interval, exact release and threshold switch, and the epsilon each needs."""

from dpwizard.privacy.accuracy.functions import (
    Noise,
    epsilon_for_exact_probability,
    epsilon_for_interval,
    epsilon_for_mean_absolute_error,
    epsilon_for_rmse,
    epsilon_for_switch,
    epsilon_for_switch_rate,
    noise,
    noise_cdf,
    noise_interval,
    switch_probability,
    switch_rate,
)

__all__ = [
    "Noise",
    "epsilon_for_exact_probability",
    "epsilon_for_interval",
    "epsilon_for_mean_absolute_error",
    "epsilon_for_rmse",
    "epsilon_for_switch",
    "epsilon_for_switch_rate",
    "noise",
    "noise_cdf",
    "noise_interval",
    "switch_probability",
    "switch_rate",
]
