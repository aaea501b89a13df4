"""Any prior as seen from one guess: the right kind of view for its family."""

from __future__ import annotations

from dpwizard.piecewise_views import AtomsView, BinsView
from dpwizard.prior_regions import (
    View,
)
from dpwizard.priors import Beta, Discrete, Exponential, Histogram, LogNormal, Normal, Prior, TruncatedNormal, Uniform
from dpwizard.smooth_views import beta_view, exponential_view, lognormal_view, normal_view


def view(prior: Prior, truth: float, precision: float) -> View:
    """Return PRIOR as seen from the guess TRUTH within PRECISION; every field of the prior must be answered."""
    truth, precision = float(truth), float(precision)
    if isinstance(prior, Discrete):
        return AtomsView(prior, truth, precision)
    if isinstance(prior, Uniform | Histogram):
        return BinsView(prior, truth, precision)
    if isinstance(prior, Beta) and prior.a == 1.0 and prior.b == 1.0:
        return BinsView(Uniform.model_construct(low=prior.low, high=prior.high), truth, precision)
    if isinstance(prior, Normal | TruncatedNormal):
        return normal_view(prior, truth, precision)
    if isinstance(prior, Exponential):
        return exponential_view(prior, truth, precision)
    if isinstance(prior, LogNormal):
        return lognormal_view(prior, truth, precision)
    return beta_view(prior, truth, precision)
