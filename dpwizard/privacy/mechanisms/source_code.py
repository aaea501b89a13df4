"""Code that others run for a noise: OpenDP, which draws it for a release, and simulations for readers.

OpenDP's certified loss at scale = sensitivity / epsilon is one ulp above epsilon for half of all epsilons: the code
raises the scale until OpenDP certifies the required loss.
"""

from __future__ import annotations

import math
from typing import NamedTuple

RAISED = '''

def {{name}}_measurement():
    """Return OpenDP's measurement that adds {{words}} noise {says}"""
    space = {{space}}
    scale = {{scale!r}}
    while (measurement := space >> dp.m.{{maker}}(scale)).map({{sensitivity}}) > {{{loss}!r}}:
        scale = math.nextafter(scale, math.inf)
    return measurement
'''
AT_RHO = "to {what}, at rho {rho!r} of zero-concentrated privacy."
TOGETHER = """

    The Gaussian tables of this release divide its rho; together they keep its epsilon at delta {delta!r}.
    """
BY_LOSS = RAISED.format(says="for epsilon {epsilon!r} to {what}.", loss="epsilon")
BY_OWN_RHO = RAISED.format(says=AT_RHO, loss="rho")
BY_RHO = RAISED.format(says=AT_RHO + TOGETHER, loss="rho")
BY_ZCDP = '''

def {name}_measurement():
    """Return OpenDP's measurement that adds {words} noise for epsilon {epsilon!r} and delta {delta!r} to {what}.

    OpenDP accounts for Gaussian noise by way of zCDP, which asks for a larger scale than the record's exact one
    ({scale!r}), often a tenth and at times a fifth: the figures are that much less accurate than the record says.
    """
    space = {space}

    def measured(scale):
        return dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(space >> dp.m.{maker}(scale)), {delta!r})

    low = high = {scale!r}
    while measured(high).map({sensitivity})[0] > {epsilon!r}:
        low, high = high, 1.1 * high
    while high > low * 1.000001:
        middle = (low + high) / 2
        if measured(middle).map({sensitivity})[0] > {epsilon!r}:
            low = middle
        else:
            high = middle
    return measured(high)
'''


class OpenDP(NamedTuple):
    """The words for a noise in code comments, OpenDP's measurement of it, and the code around that."""

    words: str
    maker: str
    code: str = BY_LOSS
    by_rho: str = BY_RHO  # the code if a record states a rho


class Simulation(NamedTuple):
    """An expression for n draws of a noise in each language; {scale}, {p} and {reach} are its figures."""

    python: str
    r: str

    def written(self, scale: float, step: float = 1.0) -> tuple[str, str]:
        """Return the expressions in Python and in R for noise of SCALE steps in (0, inf), each of STEP.

        p is the parameter of a geometric number of steps, 1 - e^(-1/scale); reach: the largest noise of a double.
        """
        figures = {"scale": repr(scale), "p": repr(-math.expm1(-1.0 / scale)), "reach": math.ceil(12.0 * scale) + 1}
        python, r = self.python.format(**figures), self.r.format(**figures)
        return (python, r) if step == 1.0 else (f"{step!r} * ({python})", f"{step!r} * ({r})")


LAPLACE = Simulation("rng.laplace(0.0, {scale}, n)", "rexp(n, 1 / {scale}) - rexp(n, 1 / {scale})")
GEOMETRIC = Simulation("rng.geometric({p}, n) - rng.geometric({p}, n)", "rgeom(n, {p}) - rgeom(n, {p})")
GAUSSIAN = Simulation("rng.normal(0.0, {scale}, n)", "rnorm(n, 0, {scale})")
DISCRETE_GAUSSIAN = Simulation(
    "rng.choice(k := np.arange(-{reach}, {reach} + 1), n, p=(w := np.exp(-(k / {scale}) ** 2 / 2)) / w.sum())",
    "sample(-{reach}:{reach}, n, replace = TRUE, prob = exp(-((-{reach}:{reach}) / {scale})^2 / 2))",
)
