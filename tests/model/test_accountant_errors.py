"""Every error term of the accountant: the bound holds with it, and would fail without it or with the other sign."""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np
import pytest

from dpwizard.privacy.accounting import convolution, noises
from dpwizard.privacy.accounting.accountant import Accountant
from dpwizard.privacy.accounting.convolution import convolve, hockey_sticks, kernel_norm, lower_curve, upper_curve
from dpwizard.privacy.accounting.lattice import Lattice
from dpwizard.privacy.accounting.noises import DiscreteGaussian, Gaussian, Geometric, Laplace, Stated
from tests.oracles import enumerated_pair as oracle

mp.mp.dps = 40

STEP = 0.05
TIMES = 40


def lattice_of(noise=None, times=TIMES, depth=100.0):
    """Return a lattice that holds the losses of NOISE as they are, so that no splitting hides an error."""
    return Lattice({noise or Geometric(STEP): times}, 2.0 * STEP, depth)


def exact(epsilons, rate=STEP, times=TIMES):
    """Return delta of so many answers of randomised response, by sums of positive terms in many digits."""
    p = 1 / (1 + mp.exp(-mp.mpf(rate)))
    atoms = [((2 * k - times) * mp.mpf(rate), mp.binomial(times, k) * p**k * (1 - p) ** (times - k))
             for k in range(times + 1)]  # fmt: skip
    return np.array(
        [float(mp.fsum(c * (1 - mp.exp(mp.mpf(e) - loss)) for loss, c in atoms if loss > e)) for e in epsilons]
    )


@pytest.fixture
def found():
    lattice = lattice_of()
    tilt = 2.0
    return lattice, tilt, convolve(lattice, tilt)


def test_the_bounds_enclose_the_truth_and_lie_close(found):
    lattice, tilt, sums = found
    above, below = upper_curve(sums, lattice, tilt), lower_curve(sums, lattice, tilt)
    assert np.all(above.deltas >= exact(above.epsilons - lattice.slack) * (1 - 1e-15))
    assert np.all(below.deltas <= exact(below.epsilons + lattice.slack) * (1 + 1e-15) + 1e-40)
    middle = np.abs(above.epsilons - lattice.moments(tilt)[1]) < 0.4
    assert np.all(above.deltas[middle] - below.deltas[middle] < 1e-8 * above.deltas[middle])


def test_what_the_transforms_get_wrong_is_added_at_its_worst(found):
    lattice, tilt, sums = found
    wrong = 1e-6
    ahead = STEP * 2.0 * np.arange(1, len(sums.tilted) + 1)
    kernel = np.exp(-tilt * ahead) * -np.expm1(-ahead)
    for at in (20, 25, 30):
        worst = sums.tilted.copy()
        worst[at + 1 :] -= wrong * (kernel / math.sqrt(kernel @ kernel))[: len(worst) - at - 1]
        curve = upper_curve(sums._replace(tilted=worst, error_norm=wrong), lattice, tilt)
        assert curve.deltas[at] >= exact([curve.epsilons[at] - lattice.slack])[0]
        better = sums.tilted.copy()
        better[at + 1 :] += wrong * (kernel / math.sqrt(kernel @ kernel))[: len(worst) - at - 1]
        curve = lower_curve(sums._replace(tilted=better, error_norm=wrong), lattice, tilt)
        assert curve.deltas[at] <= exact([curve.epsilons[at] + lattice.slack])[0] * (1 + 1e-9)


def test_the_bound_on_the_transforms_is_above_what_they_get_wrong():
    for times, noise in ((40, Geometric(0.05)), (5_000, Geometric(0.01)), (300, Geometric(0.03, 4))):
        lattice = Lattice({noise: times}, noise.spacing, 100.0)
        sums = convolve(lattice, 1.0)
        direct = np.array([1.0])
        weights = lattice.tilted(1.0).weights
        for _ in range(times):
            direct = np.convolve(direct, weights)
        window = direct[sums.first - lattice.low if sums.first >= lattice.low else 0 :][: len(sums.tilted)]
        shift = max(0, lattice.low - sums.first)
        measured = np.zeros(len(sums.tilted))
        measured[shift : shift + len(window)] = window[: len(measured) - shift]
        off = float(np.linalg.norm(sums.tilted - measured))
        assert 0.0 < off < sums.error_norm + 2.0 * math.exp(-convolution.CUT)


def test_the_relative_rounding_counts_both_ways(found):
    lattice, tilt, sums = found
    rounding = 1e-3
    low = sums._replace(tilted=sums.tilted * (1 - 0.99 * rounding), rounding=rounding)
    curve = upper_curve(low, lattice, tilt)
    truth = exact(curve.epsilons - lattice.slack)
    reach = truth > 1e-30
    assert np.all(curve.deltas[reach] >= truth[reach])
    high = sums._replace(tilted=sums.tilted * (1 + 0.99 * rounding), rounding=rounding)
    curve = lower_curve(high, lattice, tilt)
    truth = exact(curve.epsilons + lattice.slack)
    assert np.all(curve.deltas <= truth * (1 + 1e-9) + 1e-40)


def test_the_rounding_of_the_weights_grows_with_the_tilt_and_the_releases():
    lattice = lattice_of()
    assert lattice.tilted(5.0).rounding > lattice.tilted(0.0).rounding > TIMES * 300 * noises.UNIT
    weights = lattice.tilted(3.0).weights

    p = [1 / (1 + mp.exp(s * mp.mpf(STEP))) * mp.exp(-s * mp.mpf(STEP) * 3) for s in (1, -1)]
    off = max(abs(w / float(q / sum(p)) - 1) for w, q in zip(weights, p, strict=True))
    assert off * TIMES <= lattice.tilted(3.0).rounding + TIMES * 1e-13  # by which chances are raised on purpose


def test_losses_that_may_be_too_low_move_every_epsilon(found):
    lattice, tilt, sums = found
    lattice.slack = 0.07
    lattice.origin -= 0.07  # as if all losses had been rounded down by so much
    curve = upper_curve(sums, lattice, tilt)
    truth = exact(curve.epsilons)
    assert np.all(curve.deltas[truth > 1e-30] >= truth[truth > 1e-30] * (1 - 1e-9))
    lattice.origin += 0.14
    below = lower_curve(sums, lattice, tilt)
    assert np.all(below.deltas <= exact(below.epsilons) * (1 + 1e-9))


def test_the_slack_covers_the_losses_as_floats():
    noise = DiscreteGaussian(7.3, 3)
    lattice = Lattice({noise: 1000}, noise.spacing, 100.0)
    assert lattice.slack >= 1000 * 4 * noises.UNIT * float(np.abs(lattice.losses).max())


@pytest.mark.parametrize("cut", [1.0])
def test_what_lies_right_of_the_window_counts_as_an_infinite_loss(cut):
    noise = Geometric(0.5)
    lattice = Lattice({noise: 400}, noise.spacing, 100.0)
    sums = convolve(lattice, 0.3, cut)
    assert sums.last < lattice.high
    curve = upper_curve(sums, lattice, 0.3)
    inside = curve.epsilons - lattice.slack <= lattice.origin + lattice.step * sums.last
    truth = exact(curve.epsilons[inside] - lattice.slack, 0.5, 400)
    assert np.all(curve.deltas[inside] >= truth * (1 - 1e-12))
    below = lower_curve(sums, lattice, 0.3)
    assert np.all(below.deltas <= exact(below.epsilons + lattice.slack, 0.5, 400) * (1 + 1e-12) + 1e-40)


def test_chance_that_wraps_round_only_adds():
    noise = Geometric(0.5)
    lattice = Lattice({noise: 2_000}, noise.spacing, 100.0)
    sums = convolve(lattice, 0.4, 0.1)
    assert len(sums.tilted) < lattice.high - lattice.low
    assert float(sums.tilted.sum()) == pytest.approx(1.0, abs=1e-9)  # all of it is still there


@pytest.mark.parametrize("sigma", [0.4, 1.0, 3.0])
def test_cut_tails_are_moved_up_or_are_infinite(sigma):
    noise = DiscreteGaussian(sigma)
    for depth in (1.0, 3.0, 8.0):
        found = noise.losses(0.1, depth)
        pair = oracle.discrete_gaussian(sigma, 1)
        assert float(found.chances.sum()) + found.infinite >= 1.0
        for epsilon in (-3.0, 0.0, 1.0, float(found.losses[-1]), float(found.losses[-1]) + 1.0):
            finite = float(np.sum(found.chances * np.maximum(-np.expm1(epsilon - found.losses), 0.0)))
            assert finite + found.infinite >= oracle.delta(pair, epsilon) * (1 - 1e-14)


def test_infinite_losses_of_all_releases_add_up():
    lattice = Lattice({Stated(0.1, 0.01): 3}, 0.2, 100.0)
    assert lattice.infinite == pytest.approx(1 - 0.99**3, rel=1e-12)
    assert lattice.infinite >= 1 - 0.99**3
    assert Accountant([(Stated(0.1, 0.01), 3)]).delta(50.0) >= 1 - 0.99**3


@pytest.mark.parametrize("width", [0.3, 0.6, 1.0])
@pytest.mark.parametrize("middle", [0.0, 1.5, 4.0])
def test_the_bounds_on_the_quadrature_are_above_its_error(width, middle):

    move = 0.7
    half = width / 2
    nodes, weights = middle + half * noises.NODES, half * noises.WEIGHTS
    density = np.exp(-0.5 * nodes**2) / math.sqrt(2 * math.pi)
    step = -math.expm1(-move * width)
    ups = -np.expm1(-move * (nodes - middle + half)) / step  # the share that goes to the upper end of the cell
    chance, up = float(weights @ density), float(weights @ (density * ups))
    true = mp.quad(lambda z: mp.npdf(z), [middle - half, middle + half])
    true_up = mp.quad(
        lambda z: mp.npdf(z) * -mp.expm1(-move * (z - middle + half)) / step, [middle - half, middle + half]
    )
    slope = float(np.max(np.abs(nodes))) + width + 1.8
    raised = noises.REMAINDER * math.exp(width * slope) * (width * slope) ** 8
    assert abs(chance - float(true)) <= raised * chance
    assert abs(up - float(true_up)) <= float(noises._misplaced_share(width, slope, move)) * chance


def test_misplaced_chances_move_up():
    class Shaken(Gaussian):
        def losses(self, step, depth):
            found = super().losses(step, depth)
            return found._replace(misplaced=np.full(len(found.losses), 0.01))

    plain, shaken = (Lattice({kind(1.0): 1}, 0.1, 60.0) for kind in (Gaussian, Shaken))
    means = [float(np.sum(np.exp(lattice.logs) * lattice.losses)) for lattice in (plain, shaken)]
    assert means[1] - means[0] == pytest.approx(0.01 * 0.1, rel=0.05)


@pytest.mark.parametrize(("sigma", "move"), [(3.0, 1), (4.0, 2), (8.0, 1), (8.0, 5)])
def test_a_large_sigma_by_its_density_tells_at_least_as_much_as_its_outputs(sigma, move):
    class ByDensity(DiscreteGaussian):
        smooth = True

    by_density = Accountant([(ByDensity(sigma, move), 1)], fineness=1e-7)
    pair = oracle.discrete_gaussian(sigma, move)
    for epsilon in np.linspace(-2.0, 4.0, 25):
        true = oracle.delta(pair, float(epsilon))
        assert by_density.delta(float(epsilon)) >= true
    assert by_density.delta(0.0) == pytest.approx(oracle.delta(pair, 0.0), rel=0.05)


def test_splitting_keeps_both_masses_and_moves_chance_up():
    noise = Laplace(1.0)
    lattice = Lattice({noise: 1}, 0.3, 60.0)
    chances = np.exp(lattice.logs)
    assert float(chances.sum()) == pytest.approx(1.0, abs=1e-9)
    assert float(np.sum(chances * np.exp(-lattice.losses))) == pytest.approx(1.0, abs=1e-6)
    assert float(chances.sum()) >= 1.0
    for epsilon in (-0.8, -0.1, 0.0, 0.4, 0.95):
        true = 1 - math.exp((epsilon - 1) / 2)  # of Laplace noise at full distance
        assert float(np.sum(chances * np.maximum(-np.expm1(epsilon - lattice.losses), 0.0))) >= true


def test_delta_is_the_sum_over_all_larger_losses():
    chances, step = np.array([0.1, 0.2, 0.3, 0.0, 0.4, 0.0, 0.0, 0.0]), 0.4
    found = hockey_sticks(chances, np.ones(8), step)
    for i in range(8):
        direct = sum(chances[j] * (1 - math.exp(-(j - i) * step)) for j in range(i + 1, 8))
        assert found[i] == pytest.approx(direct, rel=1e-13)
    for step in (1e-4, 1.0, 50.0):  # in one block, in several, and in blocks of one
        chances = np.random.default_rng(1).random(256)
        chances /= chances.sum()
        ahead = np.arange(256)
        direct = [float(chances[i:] @ -np.expm1(step * (i - ahead[i:]))) for i in range(256)]
        assert hockey_sticks(chances, np.ones(256), step) == pytest.approx(direct, rel=1e-12, abs=1e-300)
    assert kernel_norm(1.0, 0.5, 1) == pytest.approx(math.exp(-0.5) * (1 - math.exp(-0.5)), rel=1e-14)
