"""What every mechanism of the registry owes: words, an inverse, a distribution, a loss, library code and a drawing.

A mechanism that lacks one fails here with a sentence that names the step; CONTRIBUTING says how to add one.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpwizard.base.language import LANGUAGES
from dpwizard.decision import Decision, read_decision
from dpwizard.privacy import persuasive_privacy
from dpwizard.privacy.mechanisms import MECHANISMS, Mechanism, Noise, PointwiseLossNoise
from dpwizard.wording import known_word
from dpwizard.wording.general_guarantee import error_of_noise
from tests.samples.mechanisms import SAMPLES, Sample

EVERY = tuple(MECHANISMS.values())
NOISES = tuple(mechanism.noise for mechanism in EVERY if mechanism.noise is not None)
FAR = 60.0  # scales from the middle, beyond which nothing is left
EPSILONS = (0.0, 0.3, 1.0, 1.4)
every_mechanism = pytest.mark.parametrize("mechanism", EVERY, ids=lambda mechanism: mechanism.name)
JUDGED = tuple(mechanism.judged for mechanism in EVERY if mechanism.judged is not None)
every_judged = pytest.mark.parametrize("noise", JUDGED, ids=lambda noise: noise.name)
every_noise = pytest.mark.parametrize("noise", NOISES, ids=lambda noise: noise.name)


def sample(mechanism: Mechanism) -> Sample:
    assert mechanism.name in SAMPLES, f'add a sample of "{mechanism.name}" to tests/samples/mechanisms.py'
    return SAMPLES[mechanism.name]


def decision(mechanism: Mechanism) -> Decision:
    one = sample(mechanism)
    release = one.release(mechanism.name)
    return read_decision({"format": "dpwizard.decision/1", "epsilon": one.epsilon, "release": release})


def points(noise: Noise, shift: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Return places and their weights, for the sum or the integral over all outputs; edges stand at 0 and at SHIFT."""
    reach = FAR * sample(noise).scale
    if noise.integer_valued:
        places = np.arange(-math.ceil(reach), math.ceil(reach) + 1, dtype=float)
        return places, np.ones_like(places)
    nodes, weights = np.polynomial.legendre.leggauss(20)
    edges = np.unique([*np.linspace(-reach, reach, 2001), 0.0, shift])
    half = np.diff(edges)[:, None] / 2
    return (edges[:-1, None] + half * (nodes + 1)).ravel(), (half * weights).ravel()


def heights(noise: Noise, places: np.ndarray) -> np.ndarray:
    return np.array([noise.height(sample(noise).scale, float(x)) for x in places])


# ------------------------------------------------------------------------------------------- words


@every_mechanism
def test_every_mechanism_has_words_in_every_language(mechanism: Mechanism) -> None:
    name = mechanism.name
    wanted = [("mechanism", name), ("mechanism_help", name)]
    wanted += [("unprotected", name)] if mechanism.noise is None or mechanism.needs_delta else []
    wanted += [("chart", f"noise_{name}")] if mechanism.noise is not None else []
    if mechanism.needs_delta:
        ends = ("", "_value", "_open", "_value_open", "_without_delta")
        wanted += [("meaning", f"{name}{end}") for end in ends]
    for language in LANGUAGES:
        for section, key in wanted:
            step = f'add "{key}" in the context "{section}" to resources/locale/{language}/LC_MESSAGES/dpwizard.po'
            assert known_word(section, key, language), step


# ----------------------------------------------------------------------------------- scale and distribution


@every_noise
def test_scale_and_epsilon_are_inverse(noise: Noise) -> None:
    for scale in (0.01, 0.6, 3.0, 200.0):
        epsilon = noise.epsilon(scale, 0.7, 1e-6)
        assert noise.scale(epsilon, 0.7, 1e-6) == pytest.approx(scale, rel=1e-9)


@every_noise
def test_the_noise_scale_has_its_limits(noise: Noise) -> None:
    assert noise.scale(math.inf, 1.0, 1e-5) == noise.scale(1.0, 0.0, 1e-5) == 0.0
    assert noise.epsilon(0.0, 1.0, 1e-5) == math.inf
    assert noise.epsilon(math.inf, 1.0, 1e-5) == 0.0
    assert (noise.cdf(0.0, -1e-9), noise.cdf(0.0, 0.0), noise.cdf(math.inf, 3.0)) == (0.0, 1.0, 0.5)
    assert noise.exact_mass(0.0) == 1.0


@every_noise
def test_the_distribution_is_the_sum_of_what_is_drawn(noise: Noise) -> None:
    scale = sample(noise).scale
    places, weights = points(noise)
    masses = heights(noise, places) * weights
    assert math.fsum(masses) == pytest.approx(1.0, rel=1e-12)
    assert noise.sd(scale) ** 2 == pytest.approx(math.fsum(masses * places**2), rel=1e-11)
    assert noise.mean_absolute(scale) == pytest.approx(math.fsum(masses * abs(places)), rel=1e-11)
    exact = math.fsum(masses[places == 0.0]) if noise.integer_valued else 0.0
    assert noise.exact_mass(scale) == pytest.approx(exact, rel=1e-12)
    for x in (-4.0, 0.0, 2.0):
        places, weights = points(noise, x)
        below = math.fsum((heights(noise, places) * weights)[places <= x])
        assert noise.cdf(scale, x) == pytest.approx(below, rel=1e-11)


@every_noise
@pytest.mark.parametrize("level", [0.2, 0.999])
def test_the_half_width_is_the_smallest_that_holds_the_level(noise: Noise, level: float) -> None:
    epsilon, delta = 0.8, 1e-6
    scale = noise.scale(epsilon, 1.3, delta)
    half, held = noise.half_width(scale, epsilon, 1.3, level)
    assert noise.within(scale, half) == pytest.approx(held, rel=1e-12)
    assert held >= level
    if half > 0.0:
        assert noise.within(scale, math.nextafter(half, 0.0) if noise.integer_valued else half * (1 - 1e-9)) < level


# ------------------------------------------------------------------------------------------ privacy loss


@pytest.mark.slow
@every_judged
def test_the_loss_of_a_shift_is_that_of_the_two_distributions(noise: PointwiseLossNoise) -> None:
    one = sample(noise)
    shift = one.shift / one.scale  # its largest loss, or its standard deviations
    loss = noise.loss(shift, one.steps)
    places, _ = points(noise)
    near, far = heights(noise, places), heights(noise, places - one.shift)
    told = [math.log(a / b) for a, b in zip(near, far, strict=True) if a > 0.0 and b > 0.0]
    assert (noise.pure is None) or max(told) <= shift * (1 + 1e-12)
    for epsilon in EPSILONS:
        # the likelihood ratio falls along the axis, so the outputs that lose more than epsilon lie below one place
        places, weights = points(noise, _where_it_tells(noise, epsilon))
        near, far = heights(noise, places) * weights, heights(noise, places - one.shift) * weights
        more = near > math.exp(epsilon) * far * (1 + 1e-12)
        assert loss.tail(epsilon) == pytest.approx(math.fsum(near[more]), rel=1e-9)
        assert loss.delta(epsilon) == pytest.approx(math.fsum((near - math.exp(epsilon) * far)[more]), rel=1e-9)
        assert loss.within(epsilon) <= 1.0 - loss.tail(epsilon) + 1e-12


def _where_it_tells(noise: Noise, epsilon: float) -> float:
    """Return up to where an output loses more than EPSILON."""
    one = sample(noise)

    def told(x: float) -> float:
        return math.log(noise.height(one.scale, x)) - math.log(noise.height(one.scale, x - one.shift))

    low, high = -10.0, 10.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if told(middle) > epsilon else (low, middle)
    return high


@every_judged
@pytest.mark.parametrize("delta", [1e-6, 0.2, 0.7])
def test_the_least_noise_keeps_its_loss_and_a_little_less_breaks_it(noise: PointwiseLossNoise, delta: float) -> None:
    """In the mechanism's own terms: what persuasive privacy asks for is what its promise then finds."""
    own = noise.least(2.0, 1.0, delta)
    for factor, kept in ((1.0, True), (1.0 - 1e-6, False)):
        stated = noise.stated(noise.as_scale(own) * factor, 2.0)
        found = persuasive_privacy.probabilistic_delta(mechanism=stated, epsilon=1.0)
        assert (found <= delta * (1 + 1e-9)) is kept


@every_judged
def test_the_largest_epsilon_of_a_noise_has_at_least_that_noise(noise: PointwiseLossNoise) -> None:
    own = noise.least(2.0, 1.0, 0.3)
    epsilon = noise.largest_epsilon(own, 2.0, 1e-6)
    assert noise.scale(epsilon, 2.0, 1e-6) >= noise.as_scale(own) * (1 - 1e-15)
    assert noise.scale(epsilon * (1 + 1e-9), 2.0, 1e-6) < noise.as_scale(own)


@every_noise
@pytest.mark.parametrize("sensitivity", [3.0])
def test_the_least_error_of_the_noise_itself_is_that_of_the_best_rule(noise: Noise, sensitivity: float) -> None:
    release = decision(noise).release.model_copy(update={"sensitivity": sensitivity})
    setting = release.number_setting()
    scale = setting.scale(0.9)
    found = error_of_noise(release, 0.9)
    # where either world is the likelier one it is guessed: half of what the smaller of both masses comes to
    apart = 1.0 if noise.integer_valued else scale / 100
    places = np.arange(-3_000, 3_000) * apart
    both = [np.array([noise.height(scale, place - moved) for place in places]) for moved in (0.0, sensitivity)]
    expected = 0.5 * float(np.minimum(*both).sum()) * apart
    assert found == pytest.approx(expected, rel=1e-9 if noise.integer_valued else 1e-3)


# --------------------------------------------------------------------------------- library code, drawing
