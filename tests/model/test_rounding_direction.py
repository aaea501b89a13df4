"""Every figure with a closed form lies on its safe side of it, and next to it.

The closed form is worked out in sixty digits from the decimals as they are written. A limit that is raised, or a need
that is lowered, by more than the distance that the function states fails here; most fail from one unit in the last
place on, as many of the functions state an error of a few units.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import mpmath
import pytest

from dpwizard.base import fractional, numerics
from dpwizard.decision import assess
from dpwizard.privacy import compute
from dpwizard.privacy.mechanisms import IN_RHO
from tests.samples.decisions import decided

mp = mpmath.mp.clone()
mp.dps = 60
NORMAL_DIGITS = 1e-12
NEAR_ONE = 1e-12  # a chance near 1 is known to half a unit in its last place


class Case(NamedTuple):
    """A function by name, its arguments, what it gives in many digits, and how far it may stay on the safe side."""

    name: str
    arguments: dict[str, Any]
    exact: Any
    side: Literal["limit", "need"]
    error: float
    figure: str | None = None

    @property
    def label(self) -> str:
        return f"{self.name} {' '.join(str(value) for value in self.arguments.values())}"


def real(value: float) -> Any:
    """Return VALUE as the decimal it is written as."""
    return mp.mpf(repr(float(value)))


def logit(chance: Any) -> Any:
    return mp.log(chance / (1 - chance))


def theorem_1(p: float, q: float, epsilon: float) -> Any:
    """Return the largest ratio: Kazan & Reiter 2024, Theorem 1."""
    p, q, epsilon = real(p), real(q), real(epsilon)
    return 1 / (p * q + mp.exp(-2 * epsilon) * p * (1 - q) + mp.exp(-epsilon) * (1 - p))


def theorem_2(p: float, q: float, ratio: float) -> Any:
    """Return the largest epsilon: the positive root of p(1-q) x^2 + (1-p) x = 1/ratio - pq in x = e^-epsilon."""
    p, q, ratio = real(p), real(q), real(ratio)
    square, linear, constant = p * (1 - q), 1 - p, 1 / ratio - p * q
    if square == 0:
        return -mp.log(constant / linear)
    return -mp.log((-linear + mp.sqrt(linear**2 + 4 * square * constant)) / (2 * square))


def geometric_interval(half_width: int, level: float) -> Any:
    """Return the smallest rate u with 1 - 2 a^(h+1)/(1+a) >= level, a = e^-u: Kazan & Reiter 2024, Definition 1."""
    missed = 1 - real(level)

    def excess(a: Any) -> Any:
        return 2 * a ** (half_width + 1) - missed * (1 + a)

    return -mp.log(mp.findroot(excess, (mp.mpf(0), mp.mpf(1)), solver="anderson", tol=1e-50))


def normal_quantile(chance: Any) -> Any:
    return mp.sqrt(2) * mp.erfinv(2 * chance - 1)


def laplace_noise_level(epsilon: float, confidence: float) -> Any:
    return real(epsilon) + 2 * mp.log((1 - mp.exp(-real(epsilon))) / (2 * real(confidence)))


def cases(name: str, side: Literal["limit", "need"], error: float, points: list[Any], **how: Any) -> list[Case]:
    """Return a case for each point; how: `arguments` and `exact` of a point, and the `figure` of the answer."""
    arguments: Callable[..., dict[str, Any]] = how["arguments"]
    exact: Callable[..., Any] = how["exact"]
    return [Case(name, arguments(*at), exact(*at), side, error, how.get("figure")) for at in points]


PRIORS = [(0.3, 0.1, 2.0), (1.0, 0.2, 3.0), (0.7, 0.01, 7.3), (0.05, 0.9, 1.1), (0.999, 1e-6, 1.003), (1e-5, 0.5, 90.0)]
LOSSES = [(0.3, 0.1, 1.3), (1.0, 0.2, 0.01), (0.7, 0.01, 3.7), (0.05, 0.9, 1e-3), (0.999, 1e-6, 11.0), (1e-5, 0.5, 6.1)]
SCALES = [(1.0, 0.7), (3.0, 12.3), (0.1, 0.001), (7.7, 1e4), (2.0, 2.0)]
CHANCES = [(0.01, 0.02), (0.3, 0.7), (0.07, 0.0701), (1e-6, 0.4), (0.9, 0.999)]


def participation(side: Literal["limit", "need"], figure: str, doubled: int) -> list[Case]:
    return cases(
        "relative_risk.participation",
        side,
        4e-15,
        [(0.01, 0.7), (0.3, 2.1), (0.9, 0.001)],
        arguments=lambda before, epsilon: {"posterior_without": before, "epsilon": epsilon},
        exact=lambda b, e: real(b) / (real(b) + mp.exp(doubled * real(e)) * (1 - real(b))),
        figure=figure,
    )


def interval(mechanism: str, moved: float, half: float, level: float) -> dict[str, Any]:
    return {"mechanism": mechanism, "sensitivity": moved, "half_width": half, "level": level}


def errors(of: str, mechanism: str, exact: Callable[..., Any]) -> list[Case]:
    """Return cases of a need of the error OF Laplace or geometric noise."""
    return cases(
        f"accuracy.epsilon_for_{of}",
        "need",
        1e-12,
        SCALES if mechanism == "laplace" else [(1.0, 0.7), (3.0, 12.3), (2.0, 1e4)],
        arguments=lambda moved, most: {"mechanism": mechanism, "sensitivity": moved, "at_most": most},
        exact=exact,
    )


CASES = [
    *cases(
        "relative_risk.epsilon_at",
        "limit",
        1e-14,
        PRIORS,
        arguments=lambda p, q, ratio: {"p": p, "q": q, "ratio": ratio},
        exact=theorem_2,
    ),
    *cases(
        "relative_risk.risk",
        "need",
        4e-15,
        LOSSES,
        arguments=lambda p, q, epsilon: {"p": p, "q": q, "epsilon": epsilon},
        exact=theorem_1,
        figure="ratio",
    ),
    *cases(
        "relative_risk.risk",
        "need",
        5e-15,
        LOSSES,
        arguments=lambda p, q, epsilon: {"p": p, "q": q, "epsilon": epsilon},
        exact=lambda p, q, epsilon: real(p) * real(q) * theorem_1(p, q, epsilon),
        figure="posterior",
    ),
    *cases(
        "relative_risk.participation_epsilon",
        "limit",
        NEAR_ONE,
        CHANCES,
        arguments=lambda before, after: {"posterior_without": before, "posterior_with": after},
        exact=lambda before, after: (logit(real(after)) - logit(real(before))) / 2,
    ),
    *participation("need", "upper", -2),
    *participation("limit", "lower", 2),
    *cases(
        "relative_risk.lee_clifton_epsilon",
        "limit",
        NEAR_ONE,
        [(10, 0.3), (1000, 0.01), (7, 0.9), (3, 0.34)],
        arguments=lambda people, after: {"population": people, "posterior": after},
        exact=lambda people, after: mp.log((people - 1) * real(after) / (1 - real(after))),
    ),
    *errors("rmse", "laplace", lambda moved, most: mp.sqrt(2) * real(moved) / real(most)),
    *errors("rmse", "geometric", lambda moved, most: 2 * mp.asinh(1 / (mp.sqrt(2) * real(most))) * real(moved)),
    *errors("mean_absolute_error", "laplace", lambda moved, most: real(moved) / real(most)),
    *errors("mean_absolute_error", "geometric", lambda moved, most: mp.asinh(1 / real(most)) * real(moved)),
    *cases(
        "accuracy.epsilon_for_interval",
        "need",
        1e-12,
        [(1.0, 3.3, 0.95), (2.5, 40.0, 0.5), (1.0, 0.01, 0.999), (1.0, 3.3, 0.99999999999)],
        arguments=lambda moved, half, level: interval("laplace", moved, half, level),
        exact=lambda moved, half, level: -mp.log(1 - real(level)) * real(moved) / real(half),
    ),
    *cases(
        "accuracy.epsilon_for_all_within",
        "need",
        1e-3,  # the chance of so few outcomes is 1 minus one that is rounded
        [(1.0, 0.24, 4.530153810758904e-12), (1.0, 2.5, 3e-11), (1.0, 7.0, 2e-10)],
        arguments=lambda moved, half, level: interval("laplace", moved, half, level) | {"numbers": 1},
        exact=lambda moved, half, level: -mp.log(1 - real(level)) * real(moved) / real(half),
    ),
    *cases(
        "accuracy.epsilon_for_interval",
        "need",
        1e-12,
        [(1.0, 3, 0.95), (2.0, 40, 0.5), (1.0, 1, 0.9)],
        arguments=lambda moved, half, level: interval("geometric", moved, half + 0.9, level),
        exact=lambda moved, half, level: geometric_interval(half, level) * real(moved),
    ),
    *cases(
        "accuracy.epsilon_for_exact_probability",
        "need",
        1e-12,
        [(1.0, 0.3), (2.0, 0.95), (1.0, 0.001)],
        arguments=lambda moved, least: {"mechanism": "geometric", "sensitivity": moved, "level": least},
        exact=lambda moved, least: mp.log((1 + real(least)) / (1 - real(least))) * real(moved),
    ),
    *cases(
        "privacy_at_risk.noise_level",
        "limit",
        1e-14,
        [(0.5, 0.1), (1.0, 0.3), (2.7, 0.01), (0.01, 0.004)],
        arguments=lambda epsilon, sure: {"mechanism": "laplace", "epsilon": epsilon, "confidence": sure},
        exact=laplace_noise_level,
    ),
    *cases(
        "privacy_at_risk.noise_level_for_money",
        "limit",
        1e-15,
        [(7000.0, 1000, 100.0), (3.0, 7, 10.0), (123.4, 5, 33.3)],
        arguments=lambda money, people, cost: {"money": money, "people": people, "cost": cost},
        exact=lambda money, people, cost: 1 / -mp.log(real(money) / (people * real(cost))),
    ),
    *cases(
        "privacy_at_risk.level_for_delta",
        "need",
        4e-15,
        [(1.0, 0.1), (3.7, 0.3), (0.5, 1e-6)],
        arguments=lambda level, delta: {"epsilon0": level, "delta": delta},
        exact=lambda level, delta: real(level) + 2 * mp.log(1 - real(delta)),
    ),
    *cases(
        "guessing_advantage.simplified_epsilon",
        "limit",
        1e-14,
        [(0.1, 0.2, 3.0), (0.5, 0.01, 1.0), (0.9, 0.05, 12.5), (1e-6, 0.3, 0.7)],
        arguments=lambda p, gain, reach: {"p": p, "advantage": gain, "range": reach},
        exact=lambda p, gain, reach: (logit(real(p) + real(gain)) - logit(real(p))) / real(reach),
    ),
    *cases(
        "gaussian_risk.two_worlds_mu",
        "limit",
        NORMAL_DIGITS,
        [(0.01, 0.2), (0.3, 0.7), (1e-6, 0.4), (0.5, 0.999)],
        arguments=lambda without, given: {"chance_without": without, "chance_with": given},
        exact=lambda without, given: normal_quantile(real(given)) - normal_quantile(real(without)),
    ),
    *cases(
        "gaussian_risk.success_bound",
        "need",
        NORMAL_DIGITS,
        [(0.7, 0.01), (2.0, 0.3), (0.1, 1e-6), (3.0, 0.7)],
        arguments=lambda mu, chance: {"mechanism": {"kind": "gaussian", "mu": mu}, "baseline": chance},
        exact=lambda mu, chance: mp.ncdf(normal_quantile(real(chance)) + real(mu)),
    ),
    *cases(
        "programme.fair_factor",
        "need",
        4e-16,
        [(2.0, 0.3), (1.0, 0.7), (7.3, 1.1), (5.0, 0.6)],
        arguments=lambda need, cap: {"need": need, "cap": cap},
        exact=lambda need, cap: mp.mpf(need) / mp.mpf(cap),
    ),
    *cases(
        "gaussian_risk.mu_for_advantage",
        "limit",
        NORMAL_DIGITS,
        [(0.01,), (0.3,), (0.95,)],
        arguments=lambda gain: {"advantage": gain},
        exact=lambda gain: 2 * normal_quantile((1 + real(gain)) / 2),
    ),
    *cases(
        "persuasive_privacy.effective_epsilon",
        "limit",
        1e-12,
        [(0.1, 1.0), (0.001, 0.3), (0.4, 0.5)],
        arguments=lambda mass, kappa: {"prior_mass": mass, "kappa": kappa},
        exact=lambda mass, kappa: mp.log((1 - real(mass)) / (mp.exp(-real(kappa)) - real(mass))),
    ),
    *cases(
        "persuasive_privacy.exact_mean_promise",
        "need",
        1e-14,
        [(0.695, 6, 0.775), (0.3, 40, -0.01), (2.0, 3, 0.1), (0.011, 200, 0.5)],
        arguments=lambda r1, n, correlation: {"r1": r1, "n": n, "correlation": correlation},
        exact=lambda r1, n, correlation: real(r1) - mp.log((n - 1) * (1 - real(correlation)) / n),
        figure="sharp_kappa",
    ),
    *cases(
        "persuasive_privacy.linear_bound",
        "need",
        1e-14,
        [(0.1, 0.3), (1.7, 0.45), (0.013, 2.9), (5.1, 0.7)],
        arguments=lambda a, b: {
            "mean": [0.0, 0.0],
            "covariance": [[1.0, 0.0], [0.0, 1.0]],
            "data": [a, b],
            "matrix": [[1.0, 1.0]],
        },
        exact=lambda a, b: (real(a) + real(b)) ** 2 / 2 + mp.log(2),
    ),
    *cases(
        "composition.advanced",
        "need",
        3e-15,
        [(0.1, 100, 1e-5), (1.0, 7, 1e-9), (0.01, 3, 0.1)],
        arguments=lambda level, times, delta: {"epsilon0": level, "releases": times, "delta": delta},
        exact=lambda level, times, delta: (
            real(level) * mp.sqrt(-2 * times * mp.log(real(delta))) + times * real(level) * mp.expm1(real(level))
        ),
    ),
    *cases(
        "composition.zcdp",
        "need",
        3e-15,
        [(0.1, 100, 1e-5), (1.0, 7, 1e-9), (0.01, 3, 0.1)],
        arguments=lambda level, times, delta: {"epsilon0": level, "releases": times, "delta": delta},
        exact=lambda level, times, delta: (
            times * real(level) ** 2 / 2 + 2 * mp.sqrt(times * real(level) ** 2 / 2 * -mp.log(real(delta)))
        ),
    ),
    *cases(
        "accounting.epsilon_from_rho",
        "need",
        NORMAL_DIGITS,
        [(0.5, 1e-5), (0.01, 1e-9), (3.0, 0.01)],
        arguments=lambda rho, delta: {"rho": rho, "delta": delta, "rule": "loose"},
        exact=lambda rho, delta: real(rho) + 2 * mp.sqrt(real(rho) * -mp.log(real(delta))),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_a_figure_lies_on_its_safe_side_and_next_to_its_closed_form(case: Case) -> None:
    answer = compute.find(case.name)(**case.arguments)
    found = mp.mpf(answer if case.figure is None else getattr(answer, case.figure))
    over = float((found - case.exact) / abs(case.exact))
    if case.side == "limit":
        assert found <= case.exact, f"{over:.1e} above the true limit"
        assert over >= -case.error
    else:
        assert found >= case.exact, f"{-over:.1e} below the true need"
        assert over <= case.error


@pytest.mark.parametrize(
    "exact", [Fraction(k, 7) * Fraction(10) ** power for k in range(1, 40) for power in (0, -5, 9)], ids=str
)
def test_a_fraction_is_written_on_the_side_that_is_asked_for(exact: Fraction) -> None:
    more, less = numerics.written_up(exact), fractional.rounded_down(exact)
    assert numerics.decimal(math.nextafter(more, 0.0)) < exact <= numerics.decimal(more)
    assert numerics.decimal(less) <= exact < numerics.decimal(math.nextafter(less, math.inf))
    stored = fractional.rounded_up(str(exact))
    assert Fraction(math.nextafter(stored, 0.0)) < exact <= Fraction(stored)


def test_whole_noise_passes_a_fractional_threshold_at_the_next_whole_number() -> None:
    noise = {"mechanism": "geometric", "epsilon": 0.7}
    drop, spurious = compute.find("accuracy.drop_rate"), compute.find("accuracy.spurious_rate")
    a = mp.exp(-mp.mpf("0.7"))
    for threshold in (10.5, 11):
        assert float(drop(**noise, true_value=13, threshold=threshold)) == pytest.approx(
            float(a**3 / (1 + a)), rel=1e-10
        )
        assert float(spurious(**noise, threshold=threshold)) == pytest.approx(float(a**11 / (1 + a)), rel=1e-10)
    assert drop(**noise, true_value=13, threshold=10) < drop(**noise, true_value=13, threshold=10.5)


@pytest.mark.parametrize("rho", [k / 10 for k in range(1, 40)] + [3e-7, 1e9])
def test_the_mu_of_a_rho_is_the_largest_that_spends_no_more(rho: float) -> None:
    mu = IN_RHO.mu(rho, 0.0)
    assert Fraction(mu) ** 2 <= 2 * Fraction(rho) < Fraction(math.nextafter(mu, math.inf)) ** 2


@pytest.mark.parametrize("times", [3, 7, 11, 13, 49])
@pytest.mark.parametrize("total", [0.1, 0.3, 1.0, 2.7])
def test_all_repetitions_together_never_spend_more_than_the_budget(total: float, times: int) -> None:
    budget = {"kind": "budget", "total": total}
    epsilon = assess(decided(budget, mechanism="laplace", repetitions=times)).answers[0].epsilon
    assert 1 - Fraction(1, 10**14) < Fraction(epsilon) * times / Fraction(str(total)) <= 1
