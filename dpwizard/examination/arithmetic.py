"""The arithmetic of the second opinion: each figure by a named rule, with its ends as the figures put in were rounded.

Sums are of fractions, exact. Everything else is computed by the functions of dpwizard.privacy at both ends of its
figures: all of them rise or fall with each, so that nothing between is outside.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from dpwizard.base.numerics import real, up
from dpwizard.decision import TradeOff, curve_of_stated
from dpwizard.examination.claim import Rule
from dpwizard.examination.finding import Derived, Meaning
from dpwizard.examination.printed import ends, exact, slack
from dpwizard.privacy.compute import find
from dpwizard.privacy.mechanisms import gaussian_epsilon

RULES: tuple[Rule, ...] = ("cks", "exact", "loose")
FORMULAS: Mapping[str, str] = {
    "cks": "ε = min over α > 1 of α·ρ + ln(1 − 1/α) − ln(α·δ)/(α − 1)",
    "exact": "δ = Φ(µ/2 − ε/µ) − e^ε·Φ(−µ/2 − ε/µ), µ = √(2·ρ)",
    "loose": "ε = ρ + 2·√(ρ·ln(1/δ))",
    "curve": "δ = Φ(µ/2 − ε/µ) − e^ε·Φ(−µ/2 − ε/µ)",
    "optimal": "ε = least at which n randomised responses keep δ",
    "basic": "ε = n·ε₁",
}
NEAR = 1e-9  # relative: by how much the functions may be off
BELIEF = Fraction(1, 100)  # from which, and at which false alarms, a loss is said for one person
FAR = 700.0  # exponents beyond it cannot be written


def agrees(stated: str, derived: Derived) -> bool:
    """Return whether a printed result is DERIVED's, as far as rounding goes."""
    value, off = exact(stated), slack(stated)
    if math.isinf(derived.high):
        return False
    low, high = Fraction(derived.low) * (1 - Fraction(NEAR)), Fraction(derived.high) * (1 + Fraction(NEAR))
    return low - off <= value <= high + off


def of_exact(value: Fraction, formula: str, rule: str = "") -> Derived:
    """Return what a sum or a product of printed numbers comes to, which no rounding moves."""
    nearest = real(value)
    return Derived(value=nearest, low=nearest, high=nearest, formula=formula, rule=rule)


def between(value: Callable[..., float], formula: str, *figures: tuple[float, float, float], rule: str = "") -> Derived:
    """Return VALUE of FIGURES: each as printed, and the two ends at which the result is lowest and highest."""
    middle, low, high = (value(*each) for each in zip(*figures, strict=True))
    return Derived(value=middle, low=min(low, middle), high=max(high, middle), formula=formula, rule=rule)


def rising(text: str) -> tuple[float, float, float]:
    """Return a printed figure and its ends, of one with which the result rises."""
    low, high = ends(text)
    return real(exact(text)), low, high


def fixed(text: str) -> tuple[float, float, float]:
    """Return a printed figure that was chosen, such as a delta, and not rounded."""
    value = real(exact(text))
    return value, value, value


def of_total(value: Fraction) -> tuple[float, float, float]:
    """Return a sum as a figure that is put into another formula."""
    nearest = real(value)
    return nearest, nearest, nearest


def by_rules(rho: tuple[float, float, float], delta: str, rules: Iterable[Rule] = RULES) -> tuple[Derived, ...]:
    """Return the epsilon of RHO at DELTA by each of RULES."""
    epsilon = find("accounting.epsilon_from_rho")
    return tuple(
        between(
            lambda r, d, rule=rule: float(epsilon(rho=r, delta=d, rule=rule)),
            FORMULAS[rule],
            rho,
            fixed(delta),
            rule=rule,
        )
        for rule in rules
    )


def of_mu(mu: str, delta: str) -> Derived:
    """Return the epsilon of a Gaussian MU at DELTA."""
    return between(
        lambda m, d: gaussian_epsilon(m, d) if m else 0.0, FORMULAS["curve"], rising(mu), fixed(delta), rule="exact"
    )


def sampled(epsilon: float, part: float) -> float:
    """Return EPSILON for a secret sample of a PART of the units, rounded up (Balle, Barthe & Gaboardi 2018)."""
    if epsilon > FAR:
        return epsilon
    return up(min(epsilon, math.log1p(part * math.expm1(epsilon))), 4)


def group_delta(epsilon: float, delta: float, size: int) -> float:
    """Return the delta of a group: delta (1 + e^eps + ... + e^((k-1) eps)); at most 1."""
    if epsilon * size > FAR:
        return 1.0
    grown = size if epsilon == 0.0 else math.expm1(size * epsilon) / math.expm1(epsilon)
    return min(1.0, up(delta * grown, 8))


def meaning(stated: Mapping[str, float] | None, derived: Mapping[str, float] | None) -> Meaning | None:
    """Return what two losses of one kind, named by their quantities, mean for one person; None if neither is stated.

    A largest loss is said of a belief; whatever has none, of the best test that is wrong of 1 in 100.
    """
    quantities = (stated or derived or {}).keys()
    if not quantities & {"epsilon", "rho", "mu"}:
        return None
    pure = "epsilon" in quantities and not quantities & {"delta", "rho", "mu"}
    bound = _highest_belief if pure else _highest_chance
    return Meaning(
        of="belief" if pure else "test",
        stated=None if stated is None else bound(stated),
        derived=None if derived is None else bound(derived),
    )


def _highest_belief(loss: Mapping[str, float]) -> float:
    """Return p e^eps / (1 - p + p e^eps), p = 1 in 100: the highest chance after the release."""
    grown = math.exp(min(loss["epsilon"], FAR))
    prior = float(BELIEF)
    return min(1.0, up(prior * grown / (1.0 - prior + prior * grown), 8))


def _highest_chance(loss: Mapping[str, float]) -> float:
    """Return the most that an event of 1 in 100 in one world has in the other."""
    chance = float(BELIEF)
    if "mu" in loss:
        return TradeOff(mu=loss["mu"]).max_probability(chance) if loss["mu"] else chance
    if "rho" in loss:
        return TradeOff(rho=loss["rho"]).max_probability(chance) if loss["rho"] else chance
    return curve_of_stated({(loss["epsilon"], min(loss["delta"], 1.0)): 1}, 0.0).max_probability(chance)


def usable(delta: str | None) -> bool:
    """Return whether a delta is one by which rho can be said as epsilon."""
    return delta is not None and 0 < exact(delta) < 1
