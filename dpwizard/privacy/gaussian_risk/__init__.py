"""Limits on an adversary's conclusions under any noise, except with a small probability: trade-off curves."""

from dpwizard.privacy.gaussian_risk.averages import average_mu_at, average_rho, average_risk
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
from dpwizard.privacy.gaussian_risk.limits import Recommendation, informed_mu_at, mu_at, recommend, transfer
from dpwizard.privacy.gaussian_risk.normal_losses import ToleratedLosses
from dpwizard.privacy.gaussian_risk.trade_offs import GaussianTradeOff, PureTradeOff, ZcdpTradeOff
