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
from dpwizard.privacy.accounting.noises import DiscreteGaussian, Geometric, Laplace, Stated
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


@pytest.mark.parametrize("width", [1e-6, 0.05, 0.8])
@pytest.mark.parametrize("middle", [-4.0, 0.0, 1.5, 6.0])
def test_what_is_split_of_a_cell_reveals_no_less_than_the_density_and_little_more(width, middle):
    mu = 0.7
    z = np.array([middle, middle + width / mu])
    mass = mp.ncdf(z[1]) - mp.ncdf(z[0])
    kept, moved = noises._split_cells(np.array([float(mass)]), -z[:1] / mu, width)
    share = mp.quad(lambda x: mp.npdf(x) * -mp.expm1(-mu * (x - mp.mpf(z[0]))), [mp.mpf(z[0]), mp.mpf(z[1])])
    true = share / -mp.expm1(-mp.mpf(width))
    assert moved >= float(true) * (1 - 1e-13)
    assert moved <= float(true) * (1 + 1e-7 + 0.2 * (width / mu) ** 2)
    assert kept + moved == pytest.approx(float(mass), rel=1e-12)


def normal_position(tail):
    """Return where a normal distribution has this tail, by Newton's method for its logarithm."""
    z = mp.sqrt(-2 * mp.log(tail))
    for _ in range(60):
        z += (mp.log(mp.ncdf(-z)) - mp.log(tail)) * mp.ncdf(-z) / mp.npdf(z)
    return z


@pytest.mark.parametrize("sigma", [3, 40])
def test_neighbouring_tails_of_wide_noise_are_normal_ones_a_little_further_apart(sigma):
    sums, total = {}, mp.mpf(0)
    for k in range(50 * sigma, -1, -1):
        total += mp.exp(-(mp.mpf(k) ** 2) / (2 * sigma**2))
        sums[k] = total
    tails = {k: each / (2 * total - 1) for k, each in sums.items()}
    for k in (0, 1, sigma, 3 * sigma, 8 * sigma, 38 * sigma):
        apart = (normal_position(tails[k + 2]) - normal_position(tails[k + 1])) * sigma - 1
        assert 0 < apart < mp.mpf(1) / (12 * sigma**2)  # below 1/sigma apart, mu would be too small


@pytest.mark.parametrize(("sigma", "move"), [(3.0, 1), (4.0, 2), (8.0, 1), (8.0, 5)])
def test_wide_noise_counted_as_normal_reveals_at_least_as_much_as_its_outputs(sigma, move, monkeypatch):
    monkeypatch.setattr(noises, "LEAST_WIDE", 2.0)
    monkeypatch.setattr(noises, "MANY_STEPS_ALONE", 2.0)
    found = Accountant([(DiscreteGaussian(sigma, move), 1)], fineness=1e-7)
    assert found.lattice.sizes[0] > 1_000  # of a continuous density
    pair = oracle.discrete_gaussian(sigma, move)
    for epsilon in np.linspace(-2.0, 4.0, 25):
        assert found.delta(float(epsilon)) >= oracle.delta(pair, float(epsilon))
    assert found.delta(0.0) == pytest.approx(oracle.delta(pair, 0.0), rel=0.05)


def test_splitting_keeps_both_masses_and_moves_chance_up():
    noise = Laplace(1.0)
    lattice = Lattice({noise: 1}, 0.3, 60.0)
    chances = np.exp(lattice.logs)
    assert float(chances.sum()) == pytest.approx(1.0, abs=1e-9)
    weighed = float(np.sum(chances * np.exp(-lattice.losses)))  # less than 1 by the last cell, which is moved up
    assert 1.0 - 1e-3 < weighed <= 1.0 + 1e-9
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
