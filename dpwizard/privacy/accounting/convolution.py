"""The chances of the losses of many noises together, multiplied on the lattice by fast Fourier transforms.

They are tilted towards what is read, so that delta is as exact at 1e-100 as at 1/2; what rounding, wrapping and cut
tails can hide is bounded and added. Proofs: docs/methods/accounting.md, "Errors".
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpwizard.base.errors import InvalidInput
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.accounting.lattice import Lattice
from dpwizard.privacy.accounting.noises import LEAST, UNIT, Array

Complex = npt.NDArray[np.complex128]

CUT = 30.0  # e^-30 of the tilted chance may lie beyond either end of the window
MOST_POINTS = 2**22  # of a window, held in memory
CHERNOFF = (7.75,)  # the tilt for the ends of the window, over the sd: the best for a normal law
CHERNOFF_FEW = (2.0, 5.0, 7.75, 12.0, 25.0)  # tilts tried where few noises may be far from normal
FEW = 30
VANISHING = 1e-60
RAISED = 2e-13  # relative: the most by which the chances of one noise are raised
BLOCK = 30.0  # of losses, summed at once: e^30 times the rounding is still negligible


class EpsilonDeltaCurve(NamedTuple):
    """delta at losses that ascend in equal steps: upper bounds, or lower ones."""

    epsilons: Array
    deltas: Array


class Convolved(NamedTuple):
    """The tilted chances of all losses together, from `first` on, with bounds on their errors."""

    first: int
    last: int
    cut: float  # beyond the last, and before the first, lies at most e^-cut of the tilted chance
    tilted: Array
    wrong: float  # of `tilted`, a bound on the 2-norm of the error of the transforms
    rounding: float  # relative, of each chance
    log_mean: float


def window(lattice: Lattice, tilt: float, cut: float = CUT) -> tuple[int, int]:
    """Return the first and last index beyond which, on either side, at most e^-CUT of the tilted chance lies."""
    log_mean, _, variance = lattice.moments(tilt)
    tilts = CHERNOFF if lattice.releases >= FEW else CHERNOFF_FEW
    tilt_steps = [tilt_step / math.sqrt(max(variance, lattice.step**2)) for tilt_step in tilts]
    highest = min((lattice.log_mean(tilt + s) - log_mean + cut) / s for s in tilt_steps)  # Chernoff's bound
    lowest = max((log_mean - lattice.log_mean(tilt - s) - cut) / s for s in tilt_steps)
    last = min(float(lattice.high), math.ceil((highest - lattice.origin) / lattice.step) + 1.0)
    first = min(max(float(lattice.low), math.floor((lowest - lattice.origin) / lattice.step) - 1.0), last) - 1.0
    if last - first >= MOST_POINTS:
        raise InvalidInput(
            "their losses range over more than {most} steps, too many for memory",
            "releases",
            "Leave out the one with the least noise, or read it apart from the others.",
            most=MOST_POINTS,
        )
    return int(first), int(last)


def convolve(lattice: Lattice, tilt: float, cut: float = CUT) -> Convolved:
    """Return the law of the sum of all losses of LATTICE, at TILT >= 0.

    Chance from outside the window wraps round, and only adds. The 2-norm of the error is below u (8 log2 N (sum n_i
    |w_i| + |y|) + 3 n |y|): each transform is wrong by 8 u log2 N (Higham 2002, Theorem 24.2, N a power of 2), each
    product by 3 u, and the n-th power of a number of size 1 at most by n times as much as the number.
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
        product = flush(product * power(np.fft.rfft(weights), int(times)))  # so that no product can underflow
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
    """Return the 2-norm of VALUES; not by BLAS, whose threads wait for each other on busy cores."""
    return math.sqrt(float(np.sum(np.square(values)))) * (1.0 + 1e-12)


def power(values: Complex, times: int) -> Complex:
    """Return VALUES, of size 1 at most, to the power of TIMES >= 1, by squaring; values that vanish become 0."""
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
    """Return VALUES with those below LEAST, far below the error that a transform counts, as 0: they are slow."""
    small = values.real * values.real + values.imag * values.imag < least * least
    return np.where(small, 0.0, values)


def upper_curve(convolved: Convolved, lattice: Lattice, tilt: float) -> EpsilonDeltaCurve:
    """Return upper bounds on delta at the points of LATTICE in the window of TILT >= 0; none of them rises."""
    epsilons, scale = _untilt(lattice, convolved, tilt)
    size = len(epsilons)
    deltas = hockey_sticks(convolved.tilted, scale, lattice.step) * (1.0 + convolved.rounding + _sum_rounding(size))
    deltas += convolved.wrong * kernel_norm(tilt, lattice.step, size) * scale + lattice.infinite + LEAST
    if convolved.last < lattice.high:  # P(L > l) <= e^(K - tilt l - cut) at the end of the window: as infinite losses
        end = lattice.origin + lattice.step * convolved.last
        deltas += math.exp(min(0.0, convolved.log_mean - tilt * end - convolved.cut + 1e-6))
    return EpsilonDeltaCurve(epsilons + lattice.slack, np.minimum.accumulate(np.clip(deltas, 0.0, 1.0)))


def lower_curve(convolved: Convolved, lattice: Lattice, tilt: float) -> EpsilonDeltaCurve:
    """Return lower bounds on delta at the points of LATTICE in the window of TILT >= 0.

    Every loss must lie on the lattice as it is. Chance that may have come from outside the window is taken off as well.
    """
    epsilons, scale = _untilt(lattice, convolved, tilt)
    size = len(epsilons)
    factor = 1.0 - convolved.rounding - lattice.releases * RAISED - _sum_rounding(size)
    deltas = hockey_sticks(convolved.tilted, scale, lattice.step) * factor
    deltas -= (convolved.wrong * kernel_norm(tilt, lattice.step, size) + 2.0 * math.exp(-convolved.cut)) * scale
    return EpsilonDeltaCurve(epsilons - lattice.slack, np.maximum.accumulate(np.clip(deltas, 0.0, 1.0)[::-1])[::-1])


def _untilt(lattice: Lattice, convolved: Convolved, tilt: float) -> tuple[Array, Array]:
    """Return the losses of the window, and e^(K - tilt l), by which a tilted chance becomes a chance."""
    may_stop()
    epsilons = lattice.origin + lattice.step * (convolved.first + np.arange(len(convolved.tilted), dtype=np.float64))
    return epsilons, np.exp(np.clip(convolved.log_mean - tilt * epsilons, -745.0, 300.0))


def _sum_rounding(size: int) -> float:
    return 8.0 * UNIT * size + 1e-12  # two running sums of positive terms, and their factors


def hockey_sticks(tilted: Array, scale: Array, step: float) -> Array:
    """Return delta, (1 - e^-h) times the sum of e^-(j-i)h P(L > l_j) over j >= i: no term cancels another."""
    chances = np.minimum(np.maximum(tilted, 0.0) * scale, 1.0)
    beyond = np.append(np.cumsum(chances[:0:-1])[::-1], 0.0)  # from the far end, where chances are small
    return -math.expm1(-step) * discounted_sums(beyond, step)


def discounted_sums(values: Array, step: float) -> Array:
    """Return the sum of e^-(j-i)h VALUES[j] over j >= i, for each i."""
    may_stop()
    size = len(values)
    width = 1 << max(0, math.floor(math.log2(min(float(size), max(1.0, BLOCK / step)))))
    blocks = values.reshape(-1, width)
    distance = step * np.arange(width - 1, -1, -1)
    within = np.cumsum((blocks * np.exp(distance))[:, ::-1], axis=1)[:, ::-1] * np.exp(-distance)
    carried = np.zeros(len(blocks))  # what follows a block, as it counts at the first point after it
    factor = math.exp(-step * width)
    for block in range(len(blocks) - 2, -1, -1):
        carried[block] = within[block + 1, 0] + factor * carried[block + 1]
    return np.asarray(within + carried[:, None] * np.exp(-step * np.arange(width, 0, -1))).ravel()


def kernel_norm(tilt: float, step: float, size: int) -> float:
    """Return the 2-norm of e^(-tilt x) (1 - e^-x) over x = h, 2 h, ...: how much an error ahead counts."""
    may_stop()
    ahead = step * np.arange(1, size + 1)
    kernel = np.exp(-tilt * ahead) * -np.expm1(-ahead)
    return norm(kernel)
