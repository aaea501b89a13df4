"""Any prior as seen from one guess: the right kind of view for its family."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dpwizard.privacy.priors.families import Beta, Discrete, Exponential, Histogram, LogNormal, Prior, Uniform
from dpwizard.privacy.priors.piecewise_views import Atoms, AtomsView, Bins, BinsView
from dpwizard.privacy.priors.regions import View
from dpwizard.privacy.priors.smooth_views import beta_view, exponential_view, lognormal_view, normal_view


def views(prior: Prior) -> Callable[[float, float], View]:
    """Return the views of PRIOR as a function of truth and precision; what does not depend on them is made once."""
    if isinstance(prior, Discrete):
        return partial(AtomsView, Atoms(prior))
    if isinstance(prior, Uniform | Histogram):
        return partial(BinsView, Bins(prior))
    if isinstance(prior, Beta):
        if prior.a == 1.0 and prior.b == 1.0:
            return partial(BinsView, Bins(Uniform.model_construct(low=prior.low, high=prior.high)))
        return partial(beta_view, prior)
    if isinstance(prior, Exponential):
        return partial(exponential_view, prior)
    if isinstance(prior, LogNormal):
        return partial(lognormal_view, prior)
    return partial(normal_view, prior)


def view(prior: Prior, truth: float, precision: float) -> View:
    """Return PRIOR as seen from the guess TRUTH within PRECISION; every field of the prior must be answered."""
    return views(prior)(float(truth), float(precision))
