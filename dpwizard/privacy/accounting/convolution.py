"""The loss distribution of many noises together, convolved on the lattice by fast Fourier transforms.

Distributions are tilted towards the requested range, so that delta is as exact at 1e-100 as at 1/2; rounding, wrapped
and truncated tails are bounded and added. Proofs: docs/methods/accounting.md, "Errors".
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpwizard.base.errors import InvalidInput
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.accounting.curve import EpsilonDeltaCurve
from dpwizard.privacy.accounting.lattice import Lattice
from dpwizard.privacy.accounting.noises import LEAST, UNIT, Array

Complex = npt.NDArray[np.complex128]

CUT = 30.0  # at most e^-30 of the tilted probability is beyond either end of the window
MOST_POINTS = 2**22  # the most points of a window, a limit on memory
CHERNOFF = (7.75,)  # the tilt for the ends of the window times the sd: optimal for a normal loss
CHERNOFF_FEW = (2.0, 5.0, 7.75, 12.0, 25.0)  # the same for few noises, whose total loss may be far from normal
FEW = 30
VANISHING = 1e-60
RAISED = 2e-13  # relative: the most by which the probabilities of one noise are raised
BLOCK = 30.0  # the width of losses summed at once: e^30 times the rounding error is still negligible


class Convolved(NamedTuple):
    """The tilted distribution of the total loss from index `first` on, with bounds on its errors."""

    first: int
    last: int
    cut: float  # at most e^-cut of the tilted probability is after the last index, and as much before the first
    tilted: Array
    error_norm: float  # a bound on the 2-norm of the error of `tilted` by the transforms
    rounding: float  # relative error of each probability
    log_mean: float


def window(lattice: Lattice, tilt: float, cut: float = CUT) -> tuple[int, int]:
    """Return the first and last index such that at most e^-CUT of the tilted probability is beyond either of them."""
    log_mean, _, variance = lattice.moments(tilt)
    tilts = CHERNOFF if lattice.releases >= FEW else CHERNOFF_FEW
    tilt_steps = [tilt_step / math.sqrt(max(variance, lattice.step**2)) for tilt_step in tilts]
    if lattice.releases < FEW and tilt > 0.0:
        tilt_steps.append(0.5 * tilt)  # close to the largest loss the tilted one is far from normal
    highest = min((lattice.log_mean(tilt + s) - log_mean + cut) / s for s in tilt_steps)  # Chernoff's bound
    lowest = max((log_mean - lattice.log_mean(tilt - s) - cut) / s for s in tilt_steps)
    last = min(float(lattice.high), math.ceil((highest - lattice.origin) / lattice.step) + 1.0)
    first = min(max(float(lattice.low), math.floor((lowest - lattice.origin) / lattice.step) - 1.0), last) - 1.0
    if last - first >= MOST_POINTS:
        raise InvalidInput(
            "their losses range over more than {most} steps, too many for memory",
            "releases",
            "Leave out the release with the least noise, or compute it separately.",
            most=MOST_POINTS,
        )
    return int(first), int(last)


def convolve(lattice: Lattice, tilt: float, cut: float = CUT) -> Convolved:
    """Return the distribution of the total loss of LATTICE, at TILT >= 0.

    Probability from outside the window wraps round, which only adds to it. The 2-norm of the error is below u (8 log2 N
    (sum n_i |w_i| + |y|) + 3 n |y|): each transform has an error of 8 u log2 N (Higham 2002, Theorem 24.2, N a power of
    2), each product 3 u, and the n-th power of a number of absolute value at most 1 has at most n times its error.
    """
    first, last = window(lattice, tilt, cut)
    size = 1 << max(4, math.ceil(math.log2(last - first + 1)))
    tilted = lattice.tilted(tilt)
    product: Complex | float = 1.0
    norms = 0.0
    for times, indices, start, length in zip(
        lattice.times, lattice.indices, lattice.starts, lattice.sizes, strict=True
    ):
        may_stop()
        chances = tilted.weights[start : start + length]
        weights = np.asarray(np.bincount(indices % size, chances, size), dtype=np.float64)
        norms += times * norm(weights)
        product = flush(product * power(np.fft.rfft(weights), int(times)))  # no product underflows
    may_stop()
    sums = np.fft.irfft(product, size)
    total = norm(sums)
    of_transform = 8.0 * math.log2(size)
    wrong = UNIT * (of_transform * (norms + 2.0 * total) + 3.0 * lattice.releases * total)
    log_mean = float(lattice.times @ tilted.log_means)
    farthest_loss = abs(lattice.origin) + lattice.step * max(abs(first), abs(first + size))
    rounding = tilted.rounding + 8.0 * UNIT * (float(lattice.times @ np.abs(tilted.log_means)) + tilt * farthest_loss)
    return Convolved(first, last, cut, np.roll(sums, -(first % size)), wrong, rounding, log_mean)


def norm(values: Array) -> float:
    """Return the 2-norm of VALUES; not by BLAS, whose threads would wait for each other on busy cores."""
    return math.sqrt(float(np.sum(np.square(values)))) * (1.0 + 1e-12)


def power(values: Complex, times: int) -> Complex:
    """Return VALUES, of absolute value at most 1, to the power of TIMES >= 1, by squaring; tiny values become 0."""
    square = flush(values, VANISHING ** (1.0 / times))
    result = None
    while True:
        may_stop()
        if times & 1:
            result = square if result is None else result * square
        times >>= 1
        if not times:
            return square if result is None else result
        square = square * square


def flush(values: Complex, least: float = VANISHING) -> Complex:
    """Return VALUES with those below LEAST as 0: subnormal numbers are slow, and the error bound is far larger."""
    small = values.real * values.real + values.imag * values.imag < least * least
    return np.where(small, 0.0, values)


def upper_curve(convolved: Convolved, lattice: Lattice, tilt: float) -> EpsilonDeltaCurve:
    """Return upper bounds on delta, nonincreasing, at the points of LATTICE in the window of TILT >= 0."""
    epsilons, scale = _untilt(lattice, convolved, tilt)
    size = len(epsilons)
    deltas = hockey_sticks(convolved.tilted, scale, lattice.step) * (1.0 + convolved.rounding + _sum_rounding(size))
    deltas += convolved.error_norm * kernel_norm(tilt, lattice.step, size) * scale + lattice.infinite + LEAST
    if convolved.last < lattice.high:  # P(L > l) <= e^(K - tilt l - cut) at the end
        end = lattice.origin + lattice.step * convolved.last
        deltas += math.exp(min(0.0, convolved.log_mean - tilt * end - convolved.cut + 1e-6))
    return EpsilonDeltaCurve(epsilons + lattice.slack, np.minimum.accumulate(np.clip(deltas, 0.0, 1.0)))


def lower_curve(convolved: Convolved, lattice: Lattice, tilt: float) -> EpsilonDeltaCurve:
    """Return lower bounds on delta at the points of LATTICE in the window of TILT >= 0.

    Every loss must be a point of the lattice. Probability that may have wrapped round is subtracted as well.
    """
    epsilons, scale = _untilt(lattice, convolved, tilt)
    size = len(epsilons)
    factor = 1.0 - convolved.rounding - lattice.releases * RAISED - _sum_rounding(size)
    deltas = hockey_sticks(convolved.tilted, scale, lattice.step) * factor
    deltas -= (convolved.error_norm * kernel_norm(tilt, lattice.step, size) + 2.0 * math.exp(-convolved.cut)) * scale
    return EpsilonDeltaCurve(epsilons - lattice.slack, np.maximum.accumulate(np.clip(deltas, 0.0, 1.0)[::-1])[::-1])


def _untilt(lattice: Lattice, convolved: Convolved, tilt: float) -> tuple[Array, Array]:
    """Return the losses of the window, and the factors e^(K - tilt l) that convert tilted probabilities."""
    may_stop()
    epsilons = lattice.origin + lattice.step * (convolved.first + np.arange(len(convolved.tilted), dtype=np.float64))
    return epsilons, np.exp(np.clip(convolved.log_mean - tilt * epsilons, -745.0, 300.0))


def _sum_rounding(size: int) -> float:
    return 8.0 * UNIT * size + 1e-12  # two running sums of positive terms, and their factors


def hockey_sticks(tilted: Array, scale: Array, step: float) -> Array:
    """Return delta, (1 - e^-h) times the sum of e^-(j-i)h P(L > l_j) over j >= i, without cancellation."""
    chances = np.minimum(np.maximum(tilted, 0.0) * scale, 1.0)
    beyond = np.append(np.cumsum(chances[:0:-1])[::-1], 0.0)  # summed from the far end, where probabilities are small
    return -math.expm1(-step) * discounted_sums(beyond, step)


def discounted_sums(values: Array, step: float) -> Array:
    """Return the sum of e^-(j-i)h VALUES[j] over j >= i, for each i."""
    may_stop()
    size = len(values)
    width = 1 << max(0, math.floor(math.log2(min(float(size), max(1.0, BLOCK / step)))))
    blocks = values.reshape(-1, width)
    distance = step * np.arange(width - 1, -1, -1)
    within = np.cumsum((blocks * np.exp(distance))[:, ::-1], axis=1)[:, ::-1] * np.exp(-distance)
    carried = np.zeros(len(blocks))  # the discounted sum after each block, at the first point after it
    factor = math.exp(-step * width)
    for block in range(len(blocks) - 2, -1, -1):
        carried[block] = within[block + 1, 0] + factor * carried[block + 1]
    return np.asarray(within + carried[:, None] * np.exp(-step * np.arange(width, 0, -1))).ravel()


def kernel_norm(tilt: float, step: float, size: int) -> float:
    """Return the 2-norm of e^(-tilt x) (1 - e^-x) over x = h, 2 h, ...: the factor of a transform's error."""
    may_stop()
    ahead = step * np.arange(1, size + 1)
    kernel = np.exp(-tilt * ahead) * -np.expm1(-ahead)
    return norm(kernel)
