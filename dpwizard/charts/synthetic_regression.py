"""Synthetic public records for the ridge regression of Dandekar, Basu & Bressan 2021, Section 6: the same at every run.

The paper's census records are not here, so its Figures 6 and 7 are recomputed on records made by a rule: points that
fill a cube evenly (an additive recurrence with the generalised golden ratio) are read as age, gender, race, marital
status and education, and income follows from them. Nothing is drawn at random and nobody is described.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

RECORDS = 212_605  # as many as the paper has
TRAINED_ON = 0.8
REGULARISATION = 0.01
PREDICTORS = 5
GROUP, PAIRS_OF_GROUP, GROUPS = 1_000, 1_000, 15  # of the sampled neighbours: 15,000 pairs, as the paper has


@dataclass(frozen=True, eq=False)
class Records:
    """Predictors, each row of length 1, and incomes between 0 and 1."""

    x: Array
    y: Array


@dataclass(frozen=True)
class Regression:
    """What noise on the parameters does to a prediction: the error without it, and the sensitivity it is set by."""

    rmse: float
    sensitivity: float

    def rmse_at(self, epsilon0: float) -> float:
        """Return the exact root-mean-square error with Laplace noise at EPSILON0 on each parameter (rows: length 1)."""
        scale = self.sensitivity / epsilon0
        return math.sqrt(self.rmse**2 + 2.0 * scale**2)  # E|x . noise|^2 = 2 scale^2 |x|^2


def records(count: int, start: int = 0) -> Records:
    """Return COUNT records from the position START of the sequence on."""
    ratio = _golden(PREDICTORS + 1)
    steps = np.array([ratio ** -(j + 1) for j in range(PREDICTORS + 1)])
    places = np.arange(start + 1, start + count + 1, dtype=np.float64)[:, None]
    u = np.mod(0.5 + places * steps[None, :], 1.0)
    age = 18.0 + 72.0 * u[:, 0] ** 1.4
    gender = np.floor(2.0 * u[:, 1])
    race = 1.0 + np.floor(5.0 * u[:, 2] ** 3)
    marital = 1.0 + np.floor(4.0 * u[:, 3])
    education = 1.0 + np.floor(16.0 * np.sqrt(u[:, 4]))
    raw = np.column_stack((age / 90.0, 0.5 + 0.5 * gender, race / 5.0, marital / 4.0, education / 16.0))
    spread = 0.18 * (u[:, 5] - 0.5)
    income = 0.05 + 0.45 * (education / 16.0) ** 2 + 0.25 * np.sin(np.pi * (age - 18.0) / 80.0) + 0.05 * gender + spread
    x = raw / np.linalg.norm(raw, axis=1, keepdims=True)
    return Records(x=x, y=np.clip(income, 0.0, 1.0))


def regression() -> Regression:
    """Return the ridge regression on four fifths of the records: its error on the rest, and its sensitivity.

    The objective, the mean of squared residuals / 2 and regularisation / 2 of the squared length, is strongly convex;
    at length at most 1/sqrt(regularisation) one replaced record moves the parameters by at most
    2 (1 + 1/sqrt(regularisation)) / (n regularisation) in length, and sqrt(5) times that in sum.
    """
    everything = records(RECORDS)
    n = round(TRAINED_ON * RECORDS)
    theta = _ridge(everything.x[:n], everything.y[:n])
    residuals = everything.y[n:] - everything.x[n:] @ theta
    longest = 1.0 / math.sqrt(REGULARISATION)
    moved = 2.0 * (1.0 + longest) / (n * REGULARISATION)
    return Regression(rmse=float(np.sqrt(np.mean(residuals**2))), sensitivity=math.sqrt(PREDICTORS) * moved)


def sensitivities() -> Array:
    """Return, in order, how far 15,000 pairs of neighbouring groups of records move the parameters in sum."""
    found = []
    eye = REGULARISATION * GROUP * np.eye(PREDICTORS)
    for group in range(GROUPS):
        start = group * (GROUP + 2 * PAIRS_OF_GROUP)
        common = records(GROUP - 1, start)
        ones = records(PAIRS_OF_GROUP, start + GROUP)
        others = records(PAIRS_OF_GROUP, start + GROUP + PAIRS_OF_GROUP)
        matrix, vector = common.x.T @ common.x + eye, common.x.T @ common.y
        ends = []
        for one in (ones, others):
            matrices = matrix[None] + one.x[:, :, None] * one.x[:, None, :]
            vectors = vector[None] + one.x * one.y[:, None]
            ends.append(np.linalg.solve(matrices, vectors[:, :, None])[:, :, 0])
        found.append(np.abs(ends[0] - ends[1]).sum(axis=1))
    result = np.sort(np.concatenate(found))
    result.setflags(write=False)
    return result


def _ridge(x: Array, y: Array) -> Array:
    return np.asarray(
        np.linalg.solve(x.T @ x + REGULARISATION * len(y) * np.eye(x.shape[1]), x.T @ y), dtype=np.float64
    )


def _golden(dimension: int) -> float:
    """Return the root of x^(d+1) = x + 1 above 1: its powers fill a cube evenly."""
    x = 1.5
    for _ in range(60):
        x = (1.0 + x) ** (1.0 / (dimension + 1))
    return x
