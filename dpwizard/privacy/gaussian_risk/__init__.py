"""What an intruder may conclude under any noise, but for a share of those of whom it is true: trade-off curves."""

from dpwizard.privacy.gaussian_risk.functions import (
    accusation,
    advantage,
    best_success,
    epsilon_from,
    exceedance,
    false_alarm,
    mu_for_advantage,
    mu_from,
    risk,
    success_bound,
    two_worlds,
    two_worlds_mu,
)

__all__ = [
    "accusation",
    "advantage",
    "best_success",
    "epsilon_from",
    "exceedance",
    "false_alarm",
    "mu_for_advantage",
    "mu_from",
    "risk",
    "success_bound",
    "two_worlds",
    "two_worlds_mu",
]
