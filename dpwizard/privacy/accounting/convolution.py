"""The losses of many noises together: their chances on the lattice, multiplied by fast Fourier transforms.

The chances are tilted towards what is read, so that delta is as exact at 1e-100 as at 1/2; what rounding, wrapping and
cut tails can hide is bounded and added. Proofs: docs/methods/accounting.md, "Errors".
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
RAISED = 2e-13  # relative: by which a chance of one noise is raised, at most, and so one of many for each of them
BLOCK = 30.0  # losses summed at once: e^30 of rounding is no matter


class EpsilonDeltaCurve(NamedTuple):
    """delta at losses that ascend by a step: upper bounds, or lower ones."""

    epsilons: Array
    deltas: Array


class Convolved(NamedTuple):
    """The chances of all losses together from `first` on, tilted, and what may be wrong with them."""

    first: int
    last: int
    cut: float  # beyond the last, and before the first, lies at most e^-cut of the tilted chance
    tilted: Array
    wrong: float  # of `tilted`, a bound on the 2-norm of the error of the transforms
    rounding: float  # relative, of each chance
    log_mean: float


def window(lattice: Lattice, tilt: float, cut: float = CUT) -> tuple[int, int]:
    """Return the first and last index outside which, on either side, lies at most e^-CUT of the tilted chance."""
    log_mean, _, variance = lattice.moments(tilt)
    tried = CHERNOFF if lattice.releases >= FEW else CHERNOFF_FEW
    steps = [step / math.sqrt(max(variance, lattice.step**2)) for step in tried]
    top = min((lattice.log_mean(tilt + s) - log_mean + cut) / s for s in steps)  # Chernoff's bound
    bottom = max((log_mean - lattice.log_mean(tilt - s) - cut) / s for s in steps)
    last = min(float(lattice.high), math.ceil((top - lattice.origin) / lattice.step) + 1.0)
    first = min(max(float(lattice.low), math.floor((bottom - lattice.origin) / lattice.step) - 1.0), last) - 1.0
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
    |w_i| + |y|) + 3 n |y|): of each transform 8 u log2 N (Higham 2002, Theorem 24.2, N a power of 2), of a product 3 u,
    of which the n-th power of a number of size 1 at most is n times as wrong.
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
        own = tilted.weights[start : start + length]
        weights = np.asarray(np.bincount(indices % size, own, size), dtype=np.float64)
        norms += times * norm(weights)
        product = flushed(product * power(np.fft.rfft(weights), int(times)))  # so that no product can underflow
    may_stop()
    sums = np.fft.irfft(product, size)
    total = norm(sums)
    each = 8.0 * math.log2(size)
    wrong = UNIT * (each * (norms + 2.0 * total) + 3.0 * lattice.releases * total)
    log_mean = float(lattice.times @ tilted.log_means)
    far = abs(lattice.origin) + lattice.step * max(abs(first), abs(first + size))
    rounding = tilted.rounding + 8.0 * UNIT * (float(lattice.times @ np.abs(tilted.log_means)) + tilt * far)
    return Convolved(first, last, cut, np.roll(sums, -(first % size)), wrong, rounding, log_mean)


def norm(values: Array) -> float:
    """Return the 2-norm of VALUES; not by BLAS, whose threads wait for each other where cores are busy."""
    return math.sqrt(float(np.sum(np.square(values)))) * (1.0 + 1e-12)


def power(values: Complex, times: int) -> Complex:
    """Return VALUES, of size 1 at most, to the power of TIMES >= 1, by squaring; those that vanish as 0."""
    kept = flushed(values, VANISHING ** (1.0 / times))
    result = None
    while True:
        may_stop()
        if times & 1:
            result = kept if result is None else result * kept
        times >>= 1
        if not times:
            return kept if result is None else result
        kept = kept * kept


def flushed(values: Complex, least: float = VANISHING) -> Complex:
    """Return VALUES with those of size below LEAST as 0: far below all rounding, they would take long to multiply.

    All of them together are less than what a transform is counted as wrong by.
    """
    small = values.real * values.real + values.imag * values.imag < least * least
    return np.where(small, 0.0, values)


def upper(lattice: Lattice, tilt: float) -> EpsilonDeltaCurve:
    """Return upper bounds on delta at the points of LATTICE in the window of TILT >= 0; none of them rises."""
    return upper_of(convolve(lattice, tilt), lattice, tilt)


def upper_of(found: Convolved, lattice: Lattice, tilt: float) -> EpsilonDeltaCurve:
    """Return the same of a convolution, with all that can be wrong in it added."""
    epsilons, scale = _untilted(lattice, found, tilt)
    size = len(epsilons)
    deltas = hockey_sticks(found.tilted, scale, lattice.step) * (1.0 + found.rounding + _summed(size))
    deltas += found.wrong * kernel_norm(tilt, lattice.step, size) * scale + lattice.infinite + LEAST
    if found.last < lattice.high:  # P(L > l) <= e^(K - tilt l - cut) at the end of the window: as infinite losses
        end = lattice.origin + lattice.step * found.last
        deltas += math.exp(min(0.0, found.log_mean - tilt * end - found.cut + 1e-6))
    return EpsilonDeltaCurve(epsilons + lattice.slack, np.minimum.accumulate(np.clip(deltas, 0.0, 1.0)))


def lower(lattice: Lattice, tilt: float) -> EpsilonDeltaCurve:
    """Return lower bounds on delta of the noises as they lie on LATTICE, at its points in the window of TILT >= 0.

    Every loss must lie on the lattice as it is. What may have come from outside the window is taken off as well.
    """
    return lower_of(convolve(lattice, tilt), lattice, tilt)


def lower_of(found: Convolved, lattice: Lattice, tilt: float) -> EpsilonDeltaCurve:
    """Return the same of a convolution, with all that can be wrong in it taken off."""
    epsilons, scale = _untilted(lattice, found, tilt)
    size = len(epsilons)
    raised = lattice.releases * RAISED
    deltas = hockey_sticks(found.tilted, scale, lattice.step) * (1.0 - found.rounding - raised - _summed(size))
    deltas -= (found.wrong * kernel_norm(tilt, lattice.step, size) + 2.0 * math.exp(-found.cut)) * scale
    return EpsilonDeltaCurve(epsilons - lattice.slack, np.maximum.accumulate(np.clip(deltas, 0.0, 1.0)[::-1])[::-1])


def _untilted(lattice: Lattice, found: Convolved, tilt: float) -> tuple[Array, Array]:
    """Return the losses of the window, and e^(K - tilt l), by which a tilted chance becomes a chance."""
    may_stop()
    epsilons = lattice.origin + lattice.step * (found.first + np.arange(len(found.tilted), dtype=np.float64))
    return epsilons, np.exp(np.clip(found.log_mean - tilt * epsilons, -745.0, 300.0))


def _summed(size: int) -> float:
    return 8.0 * UNIT * size + 1e-12  # two running sums of positive terms, and their factors


def hockey_sticks(tilted: Array, scale: Array, step: float) -> Array:
    """Return delta at each point: (1 - e^-h) times the sum of e^-(j-i)h P(L > l_j) over j from i on.

    All terms are positive, so that no delta cancels however small it is.
    """
    chances = np.minimum(np.maximum(tilted, 0.0) * scale, 1.0)
    beyond = np.append(np.cumsum(chances[:0:-1])[::-1], 0.0)  # from the far end, where chances are small
    return -math.expm1(-step) * discounted(beyond, step)


def discounted(values: Array, step: float) -> Array:
    """Return the sum of e^-(j-i)h VALUES[j] over j >= i, for each i; in blocks of BLOCK in loss."""
    may_stop()
    size = len(values)
    width = 1 << max(0, math.floor(math.log2(min(float(size), max(1.0, BLOCK / step)))))
    blocks = values.reshape(-1, width)
    ahead = step * np.arange(width - 1, -1, -1)
    within = np.cumsum((blocks * np.exp(ahead))[:, ::-1], axis=1)[:, ::-1] * np.exp(-ahead)
    carried = np.zeros(len(blocks))  # what follows a block, as it counts at the first point after it
    factor = math.exp(-step * width)
    for block in range(len(blocks) - 2, -1, -1):
        carried[block] = within[block + 1, 0] + factor * carried[block + 1]
    return np.asarray(within + carried[:, None] * np.exp(-step * np.arange(width, 0, -1))).ravel()


def kernel_norm(tilt: float, step: float, size: int) -> float:
    """Return the 2-norm of e^(-tilt x) (1 - e^-x) over the losses x = h, 2 h, ...: what an error ahead counts for."""
    may_stop()
    ahead = step * np.arange(1, size + 1)
    kernel = np.exp(-tilt * ahead) * -np.expm1(-ahead)
    return norm(kernel)
