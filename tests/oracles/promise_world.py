"""A release as it is made at some epsilon, for the judges of promises: its noise, and what one
person changes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import mpmath as mp
import numpy as np

from tests.oracles import noise_oracle


@dataclass(frozen=True)
class World:
    """A release as it is made: the noise of each repetition, and what one person can change."""

    kind: str
    scale: float  # Laplace scale, 1/rate of the geometric, standard deviation of the Gaussian
    repetitions: int
    declared: float  # sensitivity under the declared relation
    added: float | None  # the most that adding a person changes (None: nothing bounds it)
    replaced: float  # the most that replacing one changes
    earlier: tuple[
        tuple[float | None, float], ...
    ]  # losses of earlier releases: when one is added, when one is replaced

    def loss_of_a_change(self) -> float:
        """The largest loss when a value is replaced: of this release with its repetitions, and of all earlier ones."""
        return self.replaced / self.scale * self.repetitions + sum(replaced for _, replaced in self.earlier)


def gaussian_sd(epsilon, delta, sensitivity):
    """The smallest standard deviation with delta(epsilon) at most DELTA, by bisection on the hockey-stick
    divergence."""
    low, high = mp.mpf("1e-6"), mp.mpf("1e6")  # shift/sd
    with mp.workdps(40):
        for _ in range(110):
            middle = mp.sqrt(low * high)
            low, high = (
                (middle, high) if noise_oracle.gaussian_hockey_stick(middle, epsilon) <= delta else (low, middle)
            )
    return float(sensitivity / low)


def scale_of(kind, epsilon, sensitivity, delta):
    return gaussian_sd(epsilon, delta, sensitivity) if kind == "gaussian" else sensitivity / epsilon


def world(release, epsilon, always_spent=False):
    """What the plain RELEASE is at EPSILON; earlier releases count only if beliefs are counted from before them.

    Several tables (share and sensitivity of each) are one statistic in units of the noise: nothing is known of a
    replaced value but that it is one removed and one added.
    """
    declared, other = release.get("sensitivity"), release.get("sensitivity_other")
    if release.get("parts"):
        declared, other = sum(part["share"] for part in release["parts"]), None
        epsilon = declared * epsilon
    if release["neighbours"] == "add_remove":
        added, replaced = declared, other if other is not None else 2 * declared
    else:
        added, replaced = other, declared
    earlier = ()
    if always_spent or release.get("priors_from") == "before_all":
        spent = release.get("spent", ())
        earlier = tuple(
            (e["epsilon"], 2 * e["epsilon"]) if e["neighbours"] == "add_remove" else (None, e["epsilon"]) for e in spent
        )
    kind = release["mechanism"]
    scale = scale_of(kind, epsilon, declared, release.get("delta"))
    return World(kind, scale, release.get("repetitions", 1), declared, added, replaced, earlier)


def spent_replaced(made):
    return sum(replaced for _, replaced in made.earlier)


# ------------------------------------------------------------------------- what an adversary learns


def outputs(kind, scale, values):
    """Outputs at which likelihood ratios take all their extremes: between, at and beyond the values."""
    if kind == "geometric":
        return np.arange(math.floor(min(values)) - 3, math.ceil(max(values)) + 4)
    return np.concatenate([np.linspace(min(values) - 3 * scale, max(values) + 3 * scale, 61), values])


def ratios(kind, scale, truth, others, times=1):
    """Likelihoods of OTHERS over that of TRUTH for every output, the same output being seen TIMES times (the extreme
    case)."""
    seen = outputs(kind, scale, (truth, *others))
    return [np.exp(times * (np.abs(seen - truth) - np.abs(seen - other)) / scale) for other in others]
