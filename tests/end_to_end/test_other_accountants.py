"""Composition against Google's dp-accounting, and noise against OpenDP: they live in an environment of their own (`make
soak`).

Google's optimistic and pessimistic epsilons must enclose ours, but for what its transforms in floating point add to or
take from delta (its pessimistic epsilon can be too small by that: the last test). Its connect-the-dots estimate must
also come close. OpenDP's measurements must certify the epsilon we choose a scale for. `scripts/soak_figures.py` prints
the figures that docs/soak.md records.
"""

from __future__ import annotations

import math
import random

import mpmath as mp
import pytest

from dpwizard.privacy import accuracy, mechanisms
from dpwizard.privacy.accounting import composition
from dpwizard.privacy.accounting.functions import read
from tests.samples.other_programs import Case, ask

SEED = 20_261_122
PUBLISHED = [
    ("laplace", [[0.1, 100]], 1),
    ("laplace", [[0.1, 1000]], 1),
    ("laplace", [[0.5, 300]], 1),
    ("laplace", [[0.5, 1000]], 1),
]
CLOSE = 2e-4  # Google's pessimistic epsilon, relative to ours, on the grid below
ROUNDING = 2e-14  # of Google's delta, absolute: its Fourier transforms carry sixteen digits of 1
ULP = 2.0**-52


def composed_cases(mechanism: str, count: int) -> list[Case]:
    """Releases at up to three levels, as many as 1,000; a grid fine enough for the total to be near."""
    dice, cases = random.Random(SEED), []
    for _ in range(count):
        delta = 10 ** dice.uniform(-9, -2)
        if mechanism == "gaussian":
            sensitivity, times = dice.choice([1.0, 2.5]), int(10 ** dice.uniform(0, 3))
            case: Case = {"sd": sensitivity * math.sqrt(times) * 10 ** dice.uniform(-0.3, 1), "times": times}
        else:
            sensitivity = dice.randint(1, 5) if mechanism == "geometric" else 1
            parts = dice.randint(1, 3)
            case = {
                "levels": [
                    [round(10 ** dice.uniform(-2, 0.3), 4), int(10 ** dice.uniform(0.3, 2.5))] for _ in range(parts)
                ]
            }
        cases.append(case | {"mechanism": mechanism, "sensitivity": sensitivity, "delta": delta})
    if mechanism == "laplace":
        cases += [{"mechanism": m, "levels": levels, "sensitivity": d, "delta": 1e-5} for m, levels, d in PUBLISHED]
    for case in cases:
        case["interval"] = 1e-4
    return cases


def ours(case: Case) -> tuple[float, float]:
    if case["mechanism"] == "gaussian":
        one = composition.gaussian(
            sigma=case["sd"], sensitivity=case["sensitivity"], releases=case["times"], delta=case["delta"]
        )
        return one, one
    found = composition.tight(
        mechanism=case["mechanism"], levels=case["levels"], delta=case["delta"], sensitivity=float(case["sensitivity"])
    )
    return found.lower, found.upper


def enclosed(case: Case, google: Case) -> bool:
    """Whether Google's two epsilons lie on either side of ours, ours being moved by what rounding does to its delta."""
    _, upper = ours(case | {"delta": case["delta"] - ROUNDING})
    lower, _ = ours(case | {"delta": case["delta"] + ROUNDING})
    return bool(google["least"] <= upper * (1 + 1e-9) and google["most"] >= lower * (1 - 1e-9))


def compositions(mechanism: str, count: int) -> list[tuple[Case, tuple[float, float], Case]]:
    """Each case, our lower and upper bound, and Google's answer."""
    cases = composed_cases(mechanism, count)
    return [(case, ours(case), found) for case, found in zip(cases, ask("google_accounting.py", cases), strict=True)]


def mixtures(count: int) -> list[Case]:
    """Several noises of several kinds, as accounting.read takes them, with a delta and an epsilon to compare."""
    dice, cases = random.Random(SEED + 2), []
    for _ in range(count):
        parts = []
        for kind in dice.sample(["laplace", "geometric", "discrete_gaussian", "gaussian"], dice.choice([1, 2, 3])):
            part: Case = {"noise": kind, "times": int(10 ** dice.uniform(0, 1.7))}
            if kind == "discrete_gaussian":
                part |= {"sigma": round(10 ** dice.uniform(0, 1.5), 3), "move": dice.randint(1, 3)}
            elif kind == "geometric":
                part |= {"rate": round(10 ** dice.uniform(-2, -0.3), 4), "move": dice.randint(1, 4)}
            else:
                part["epsilon" if kind == "laplace" else "mu"] = round(10 ** dice.uniform(-2, -0.3), 4)
            parts.append(part)
        cases.append({"parts": parts, "delta": 10 ** dice.uniform(-9, -2), "at": dice.uniform(0, 3), "interval": 1e-4})
    return cases


def readings(case: Case) -> tuple[float, float]:
    """Return our epsilon and our delta."""
    return (
        read(releases=case["parts"], read="epsilon", at=case["delta"]),
        read(releases=case["parts"], read="delta", at=case["at"]),
    )


def noise_cases(mechanism: str, count: int) -> list[Case]:
    """Scales that we choose for random epsilons, with a level of accuracy to compare."""
    dice, cases = random.Random(SEED + 1), []
    for _ in range(count):
        epsilon, delta = 10 ** dice.uniform(-2, 1), 10 ** dice.uniform(-8, -3)
        sensitivity = float(dice.randint(1, 12)) if mechanism == "geometric" else 10 ** dice.uniform(-2, 3)
        scale = mechanisms.mechanism_named(mechanism).scale(
            epsilon, sensitivity, delta if mechanism == "gaussian" else 0.0
        )
        case = {
            "mechanism": mechanism,
            "scale": scale,
            "sensitivity": sensitivity,
            "level": round(dice.uniform(0.5, 0.999), 3),
        }
        cases.append(case | {"epsilon": epsilon} | ({"delta": delta} if mechanism == "gaussian" else {}))
    return cases


def scales(mechanism: str, count: int) -> list[tuple[Case, Case]]:
    cases = noise_cases(mechanism, count)
    return list(zip(cases, ask("opendp_noise.py", cases), strict=True))


def interval(case: Case) -> float:
    return accuracy.noise_interval(
        mechanism=case["mechanism"],
        epsilon=case["epsilon"],
        sensitivity=case["sensitivity"],
        level=case["level"],
        **({"delta": case["delta"]} if case["mechanism"] == "gaussian" else {}),
    ).half_width


@pytest.mark.soak
@pytest.mark.parametrize("mechanism", ["laplace", "geometric", "gaussian"])
def test_googles_accountant_encloses_our_composition(mechanism: str) -> None:
    for case, (_, upper), google in compositions(mechanism, 40):
        assert google["least"] is not None, case
        assert google["most"] is not None, case
        assert enclosed(case, google), (case, ours(case), google)
        if (
            mechanism != "geometric"
        ):  # a lattice of losses that its grid does not hold is rounded up once for each release
            assert google["most"] == pytest.approx(upper, rel=CLOSE, abs=1e-4), (case, upper, google)


@pytest.mark.soak
def test_googles_connected_dots_come_as_near_to_the_truth_as_our_readings() -> None:
    cases = mixtures(40)
    for case, google in zip(cases, ask("google_accounting.py", cases), strict=True):
        epsilon, delta = readings(case)
        assert epsilon == pytest.approx(google["epsilon"], rel=1e-3, abs=1e-4), (case, epsilon, google)
        # both are upper bounds; what its transforms add to or take from delta is absolute
        assert delta == pytest.approx(google["delta"], rel=1e-3, abs=ROUNDING), (case, delta, google)


@pytest.mark.soak
@pytest.mark.parametrize("mechanism", ["laplace", "geometric", "gaussian"])
def test_opendp_certifies_the_loss_and_the_width_of_our_noise(mechanism: str) -> None:
    for case, opendp in scales(mechanism, 300):
        if mechanism == "gaussian":
            assert opendp["loss"] == pytest.approx((case["sensitivity"] / case["scale"]) ** 2 / 2, rel=1e-12)
        else:  # its arithmetic rounds up
            assert opendp["loss"] == pytest.approx(case["epsilon"], rel=8 * ULP)
        if mechanism == "geometric":  # P(|noise| >= a) = 1 - level for a real a; ours is a whole number that is reached
            assert interval(case) == math.ceil(opendp["width"] - 1e-9) - 1, case
        else:
            assert interval(case) == pytest.approx(opendp["width"], rel=1e-9), case


def test_where_googles_upper_estimate_falls_short_whole_number_arithmetic_agrees_with_ours() -> None:
    case = {"mechanism": "geometric", "levels": [[0.607, 291]], "sensitivity": 4, "delta": 1.3984766918538719e-09}
    lower, upper = ours(case)
    assert lower <= upper <= lower * (1 + 1e-4)
    assert exact_delta(lower) >= case["delta"] * (1 - 1e-11)
    assert exact_delta(upper) <= case["delta"] * (1 + 1e-11)
    assert exact_delta(96.70883232229492) > case["delta"] * (1 + 6e-6)  # what dp-accounting 0.6 gives on a grid of 1e-4


def exact_delta(epsilon: float) -> float:
    """Delta of those 291 releases: the law of the loss, a polynomial in whole numbers of 60 digits, raised to that
    power."""
    with mp.workdps(50):
        one, unit = 10**60, mp.mpf("0.607") / 4
        a = mp.exp(-unit)
        chances = [1 / (1 + a), *((1 - a) / (1 + a) * a**k for k in range(1, 4)), a**4 / (1 + a)]
        law, power, left = [one], [int(mp.nint(chance * one)) for chance in chances], 291
        while left:
            law = times(law, power, one) if left % 2 else law
            left //= 2
            power = times(power, power, one) if left else power
        losses = ((unit * (4 * 291 - 2 * j), chance) for j, chance in enumerate(law))
        return float(
            mp.fsum(mp.mpf(chance) / one * (1 - mp.exp(epsilon - loss)) for loss, chance in losses if loss > epsilon)
        )


def times(first: list[int], second: list[int], one: int) -> list[int]:
    product = [0] * (len(first) + len(second) - 1)
    for i, x in enumerate(first):
        for j, y in enumerate(second):
            product[i + j] += x * y
    return [value // one for value in product]
