"""How the users of a table simulate its noise: an expression in Python (with numpy) and one in R, for n draws.

What makes a release draws its noise with a library for the purpose, from secure randomness (opendp.py). These lines are
for those who read the figures: how far off may they be, and what becomes of that in a sum or a share.
"""

from __future__ import annotations

import math
from typing import NamedTuple


class Simulation(NamedTuple):
    """An expression for n draws of a noise, in each language; {scale}, {p} and {reach} stand for its figures."""

    python: str
    r: str

    def written(self, scale: float, step: float = 1.0) -> tuple[str, str]:
        """Return the expressions in Python and in R for noise of SCALE steps in (0, inf), each of STEP.

        p is the chance of a geometric number of steps, 1 - e^(-1/scale); beyond reach lies less of the noise than a
        double can tell.
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
