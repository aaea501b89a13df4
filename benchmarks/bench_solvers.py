"""Each solver by itself, in a warm process, called as a public function: with the reading and checking of its
arguments."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from benchmarks import samples
from benchmarks.timing import Row, median, median_of_each
from dpwizard.base.values import read
from dpwizard.decision import ElicitationSession, Setup, assess, read_decision
from dpwizard.decision.loss import MOST_DIFFERENT
from dpwizard.elicitation import interview
from dpwizard.privacy import (
    accuracy,
    gaussian_risk,
    guessing_advantage,
    persuasive_privacy,
    privacy_at_risk,
    relative_risk,
)
from dpwizard.privacy.accounting import composition
from dpwizard.privacy.accounting.accountant import Accountant
from dpwizard.privacy.accounting.noises import DiscreteGaussian
from dpwizard.privacy.gaussian_risk.trade_offs import DiscreteGaussianTradeOff, MixedTradeOff, ZcdpTradeOff
from dpwizard.privacy.profiles import Profile

TITLE = "Solvers"
INTRODUCTION = "In one warm process, as public functions, so with the checking of their arguments."
ONE_DIMENSION, SQUARE, SURFACE, GUESS, TIGHT = 1e-3, 50e-3, 500e-3, 5e-3, 100e-3
CURVE, TEN_ON_72, TEN_ON_2000, FIRST = 50e-3, 1.0, 3.0, 0.1
WHOLE = (0.0, 1.0)


def run() -> Iterator[Row]:
    yield from relative_risks()
    yield from gaussian_limits()
    yield from guesses()
    yield from compositions()
    yield from curves()
    yield from questions()
    yield from others()


def relative_risks() -> Iterator[Row]:
    rng = random.Random(1)
    for shape in ("constant", "cap_or_ratio", "knots", "steps"):
        profiles = [samples.profile(shape, rng) for _ in range(10)]
        actions = [lambda f=f: relative_risk.recommend(profile=f, p=WHOLE, q=0.3) for f in profiles]
        yield Row(what=f"recommendation in one dimension, {shape}", seconds=median_of_each(actions), goal=ONE_DIMENSION)
    profiles = [samples.cap_or_ratio(rng) for _ in range(10)]
    actions = [lambda f=f: relative_risk.recommend(profile=f, p=WHOLE, q=WHOLE) for f in profiles]
    yield Row(what="recommendation on the full square, cap_or_ratio (reduced exactly)", seconds=median_of_each(actions))
    for points, kind in ((8, "falling"), (8, "rough"), (8, "flat"), (64, "rough")):
        surfaces = [read(Profile, samples.surface(points, rng, kind)) for _ in range(5 if points == 8 else 2)]
        goal, words = SURFACE if points == 8 else None, f"knots2d {points} x {points}, {kind}, on the full square"
        actions = [lambda f=f: relative_risk.recommend(profile=f, p=WHOLE, q=WHOLE) for f in surfaces]
        yield Row(what=f"recommendation, {words}", seconds=median_of_each(actions, 3), goal=goal)


def gaussian_limits() -> Iterator[Row]:
    rng = random.Random(1)
    given = {"tolerance": 0.001}
    one = median(lambda: gaussian_risk.mu_at(p=0.2, q=0.3, ratio=2.0, **given))
    yield Row(what="largest mu at a tolerance, one adversary", seconds=one, goal=ONE_DIMENSION)
    for shape in ("constant", "cap_or_ratio", "knots", "steps"):
        profiles = [samples.profile(shape, rng) for _ in range(10)]
        actions = [lambda f=f: gaussian_risk.recommend(profile=f, p=WHOLE, q=0.3, **given) for f in profiles]
        words = f"largest mu at a tolerance in one dimension, {shape}"
        yield Row(what=words, seconds=median_of_each(actions), goal=ONE_DIMENSION)
    profiles = [samples.cap_or_ratio(rng) for _ in range(10)]
    actions = [lambda f=f: gaussian_risk.recommend(profile=f, p=WHOLE, q=WHOLE, **given) for f in profiles]
    words = "largest mu at a tolerance on the full square, cap_or_ratio (reduced exactly)"
    yield Row(what=words, seconds=median_of_each(actions), goal=SQUARE)
    for points, kind in ((8, "falling"), (8, "rough"), (8, "flat"), (64, "rough")):
        surfaces = [read(Profile, samples.surface(points, rng, kind)) for _ in range(5 if points == 8 else 2)]
        goal = SQUARE if points == 8 else None
        actions = [lambda f=f: gaussian_risk.recommend(profile=f, p=WHOLE, q=WHOLE, **given) for f in surfaces]
        words = f"largest mu at a tolerance, knots2d {points} x {points}, {kind}, on the full square"
        yield Row(what=words, seconds=median_of_each(actions, 3), goal=goal)
    one = median(lambda: gaussian_risk.average_mu_at(p=0.2, q=0.3, ratio=2.0))
    yield Row(what="largest mu on average, one adversary", seconds=one)
    for noise in (
        DiscreteGaussianTradeOff(sigma=1.5),
        DiscreteGaussianTradeOff(sigma=900.0, sensitivity=30),
        ZcdpTradeOff(rho=0.5),
        MixedTradeOff(epsilon=0.5, mu=0.5),
    ):
        one = median(lambda n=noise: gaussian_risk.false_alarm(mechanism=n, hit=0.01))
        yield Row(what=f"a value of the trade-off curve, {noise.kind}", seconds=one, goal=GUESS)


def guesses() -> Iterator[Row]:
    for prior in samples.PRIORS:
        family = prior["family"]
        one = median(lambda f=prior: guessing_advantage.posterior(prior=f, truth=3.0, precision=1.0, epsilon=1.0))
        yield Row(what=f"exact posterior of a guess, {family}", seconds=one, goal=GUESS)
        one = median(lambda f=prior: guessing_advantage.epsilon_for(prior=f, truth=3.0, precision=1.0, advantage=0.1))
        yield Row(what=f"epsilon from an exact advantage, {family}", seconds=one, goal=GUESS)
    for prior in samples.PRIORS:
        one = median(
            lambda f=prior: guessing_advantage.epsilon_for(prior=f, truth="worst", precision=1.0, advantage=0.1), 3
        )
        yield Row(what=f"epsilon from an exact advantage, {prior['family']}, for the worst truth", seconds=one)


def compositions() -> Iterator[Row]:
    for kind in ("laplace", "geometric"):
        found = composition.tight(mechanism=kind, levels=[[0.1, 1000]], delta=1e-5, sensitivity=1)
        gap = (found.upper - found.lower) / found.upper
        one = median(lambda k=kind: composition.tight(mechanism=k, levels=[[0.1, 1000]], delta=1e-5, sensitivity=1))
        yield Row(
            what=f"tight composition of 1,000 {kind} releases at .1",
            seconds=one,
            goal=TIGHT,
            note=f"gap {gap:.0e} relative",
        )
    mixed = [[0.05, 400], [0.1, 400], [0.2, 200]]
    found = composition.tight(mechanism="laplace", levels=mixed, delta=1e-5, sensitivity=1)
    gap = (found.upper - found.lower) / found.upper
    one = median(lambda: composition.tight(mechanism="laplace", levels=mixed, delta=1e-5, sensitivity=1))
    yield Row(
        what="tight composition of 1,000 Laplace releases at three levels",
        seconds=one,
        goal=TIGHT,
        note=f"gap {gap:.0e} relative",
    )
    one = median(lambda: composition.optimal(epsilon0=0.1, releases=1000, delta=1e-5))
    yield Row(what="optimal composition of 1,000 releases at .1", seconds=one)


def curves() -> Iterator[Row]:
    """One curve of everything released together, and promises that read it."""
    histogram = [(DiscreteGaussian(12.0 + 0.01 * at, 1), 1) for at in range(72)]
    one = median(lambda: Accountant(histogram).delta(1.0))
    yield Row(what="one curve of 72 tables of different discrete Gaussian noise", seconds=one, goal=CURVE)
    for tables, different, goal in ((1, 1, None), (72, 1, None), (72, 72, TEN_ON_72), (2_000, 20, TEN_ON_2000)):
        waiting = [read_decision(_promises(tables, different, 10)) for _ in range(4)]
        one = median(lambda w=waiting: assess(w.pop()), 3)
        words = f"ten requirements on {tables:,} tables, {different} of them different"
        yield Row(what=words, seconds=one, goal=goal)
        if different > MOST_DIFFERENT:
            waiting = [read_decision(_promises(tables, different, 10, 0.001 * at)) for at in range(4)]  # none is kept
            one = median(lambda w=waiting: assess(w.pop(), draft=True), 3)
            yield Row(what=f"first answers to {words}", seconds=one, goal=FIRST)


def _promises(tables: int, different: int, count: int, more: float = 0.0) -> dict[str, Any]:
    """Return a decision file of so many TABLES of discrete Gaussian noise, and COUNT promises about two worlds.

    MORE is added to each of them.
    """
    total = sum(100 + at % different for at in range(tables))
    parts = [
        {"name": f"t{at}", "statistic": "histogram", "dimension": 5, "sensitivity": 1}
        | {"share": f"{100 + at % different}/{total}"}
        for at in range(tables)
    ]
    asked: list[dict[str, Any]] = [
        {"kind": "attack_advantage", "advantage": round(0.1 + 0.05 * at + more, 3)} for at in range(count // 2)
    ]
    asked += [
        {"kind": "two_worlds", "chance_without": 0.01, "chance_with": round(0.03 + 0.01 * at + more, 3)}
        for at in range(count - count // 2)
    ]
    release = {"mechanism": "discrete_gaussian", "neighbours": "add_remove", "unit": "person", "parts": parts}
    return {"format": "dpwizard.decision/1", "release": release, "requirements": asked, "rho": 0.1}


def questions() -> Iterator[Row]:
    for topic, setup in (("value", Setup(q=(0.001, 0.5))), ("guess", Setup(topic="guess", q=0.2))):
        session = ElicitationSession(setup=setup, assessor="Ada")
        for _ in range(6):
            question = interview.next_question(session)
            if question is not None:
                answer = "a" if question.kind == "pair" else "no"
                session = interview.answered(session, question, answer, seconds=2.5)
        one = median(lambda s=session: interview.next_question(s))
        yield Row(what=f"the next question about a {topic}, after {len(session.replies)}", seconds=one, goal=TIGHT)


def others() -> Iterator[Row]:
    one = median(lambda: accuracy.epsilon_for_interval(mechanism="geometric", sensitivity=1, half_width=3, level=0.95))
    yield Row(what="epsilon for a noise interval, geometric", seconds=one)
    one = median(
        lambda: accuracy.epsilon_for_interval(mechanism="gaussian", sensitivity=1, half_width=3, level=0.95, delta=1e-6)
    )
    yield Row(what="epsilon for a noise interval, Gaussian", seconds=one)
    one = median(
        lambda: privacy_at_risk.expected_compensation(
            epsilon0=0.5, cost=1e5, rate=1, floor=0, mechanism="laplace", sensitivity=1
        )
    )
    yield Row(what="expected compensation, Laplace", seconds=one)
    one = median(lambda: privacy_at_risk.vector_delta(levels=[0.1 + 0.01 * i for i in range(10)], epsilon=0.5))
    yield Row(what="exact delta of ten Laplace coordinates", seconds=one)
    one = median(
        lambda: persuasive_privacy.smallest_noise(
            mechanism_kind="gaussian", sensitivity=1, kappa=0.5, delta=0.05, prior_mass=0.1
        )
    )
    yield Row(what="smallest Gaussian noise, log score", seconds=one)
    one = median(lambda: persuasive_privacy.smallest_sd_dawid_sebastiani(prior_sd=1, kappa=1, r1=2, delta=0.05), 3)
    yield Row(what="smallest Gaussian noise, Dawid-Sebastiani score", seconds=one)
    one = median(lambda: persuasive_privacy.smallest_sd_interval(prior_sd=1, length=0.5, margin=0.1, delta=0.05), 3)
    yield Row(what="smallest Gaussian noise, interval score", seconds=one)
