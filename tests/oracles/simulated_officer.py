"""Officers with a known tolerance, who answer questions about releases, and what a plain fixed list makes of them.

Independent of the program: it imports nothing of it. An officer is a curve (the largest chance accepted after the
release, for every chance before it), a sense of what is the graver of two releases, and a rate of slips. The true
epsilon is found by brute force: the smallest over a fine grid of adversaries, from Theorem 1 of Kazan & Reiter 2024.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Curve = Callable[[float], float]
Sense = str  # "chance": times the chance accepted; "rise": the rise in points; "odds": the rise in log odds


@dataclass
class Officer:
    """Answers by CURVE; of two releases prefers the one less grave in their own SENSE; slips with chance SLIP.

    One who errs NEAR the threshold sees it each time elsewhere: the gain in log odds that they accept is off by a
    factor whose logarithm has this standard deviation, or, ERRING in chances, the chance that they accept is.
    """

    curve: Curve
    sense: Sense
    slip: float = 0.0
    luck: random.Random = field(default_factory=lambda: random.Random(0))
    near: float = 0.0
    erring: str = "gain"
    jump_at: tuple[float, ...] = ()  # the priors at which the curve jumps

    def limit(self, before: float) -> float:
        """The chance accepted after the release, as it is seen now."""
        limit = min(self.curve(before), 1.0)
        if not self.near or limit >= 1.0:
            return limit
        off = math.exp(self.luck.gauss(0.0, self.near))
        if self.erring == "chance":
            return min(max(limit * off, before), 1.0)
        return risen(before, (odds(limit) - odds(before)) * off)

    def accepts(self, before: float, after: float) -> bool:
        return after <= self.limit(before) + 1e-12

    def look(self, lines: Sequence[tuple[float, float]]) -> tuple[list[int], bool]:
        """Which of the lines shown are too much, by position, and whether all could be more."""
        too_much = [place for place, line in enumerate(lines) if not self.accepts(*line)]
        more = all(after + 0.05 * (after - before) < self.limit(before) for before, after in lines)
        return too_much, more and not too_much

    def grave(self, before: float, after: float) -> float:
        """How grave a release is: 0 at the limit, positive beyond it."""
        top = 1.0 - 1e-12
        limit, after = min(max(self.limit(before), before + 1e-12), top), min(after, top)
        if self.sense == "chance":
            return math.log(after) - math.log(limit)
        if self.sense == "rise":
            return math.log(after - before) - math.log(limit - before)
        return math.log(odds(after) - odds(before)) - math.log(odds(limit) - odds(before))

    def level(self, before: float, after: float) -> bool:
        """Whether one release is acceptable, as the officer says."""
        return self.accepts(before, after) != (self.luck.random() < self.slip)

    def pair(self, first: tuple[float, float], second: tuple[float, float]) -> str:
        """Which of two releases is preferred: "a", "b" or "neither", as the officer says."""
        answer = "a" if self.grave(*first) < self.grave(*second) else "b"
        if not self.accepts(*first) and not self.accepts(*second):
            answer = "neither"
        if self.luck.random() < self.slip:
            answer = self.luck.choice([other for other in ("a", "b", "neither") if other != answer])
        return answer


def odds(chance: float) -> float:
    return math.log(chance) - math.log1p(-chance)


def risen(before: float, gain: float) -> float:
    """The chance after the log odds rose by GAIN."""
    return 1.0 / (1.0 + math.exp(-(odds(before) + gain)))


def constant(ratio: float) -> Curve:
    return lambda m: ratio * m


def cap_or_ratio(cap: float, ratio: float) -> Curve:
    return lambda m: max(cap, ratio * m)


def increase(amount: float) -> Curve:
    return lambda m: m + amount


JUMPS = ("jump_odds", "jump_ratio", "jump_rise")


def jump(kind: str, below: float, above: float, at: float) -> Curve:
    """A gain in log odds, a log ratio or a rise that is BELOW for priors smaller than AT and ABOVE from there on."""
    rules = {"jump_odds": risen, "jump_ratio": lambda m, x: math.exp(x) * m, "jump_rise": lambda m, x: m + x}
    return lambda m: rules[kind](m, below if m < at else above)


def two_jumps(gains: Sequence[float], at: Sequence[float]) -> Curve:
    """The log odds may rise by the first of GAINS below the first prior of AT, the second up to the next, then the
    last."""
    return lambda m: risen(m, gains[sum(m >= one for one in at)])


def one_in(factor: float) -> Curve:
    """Who thinks in "1 in N", to two digits, and from 1 in 10 on in whole percent: FACTOR times the chance, rounded
    down to such a figure."""

    def curve(m: float) -> float:
        wanted = factor * m
        if wanted >= 0.1:
            return min(max(math.floor(100.0 * wanted + 1e-9) / 100.0, m), 1.0)
        digit = 10.0 ** (math.floor(math.log10(1.0 / wanted)) - 1)
        return max(1.0 / (math.ceil(1.0 / wanted / digit - 1e-9) * digit), m)

    return curve


def bent(first: float, second: float, turn: float, sharp: float = 1.5) -> Curve:
    """A curve no named shape fits: the log odds may rise by FIRST below the prior TURN and by SECOND above, with a
    smooth bend."""

    def curve(m: float) -> float:
        share = 1.0 / (1.0 + (m / turn) ** sharp)
        return 1.0 / (1.0 + math.exp(-(odds(m) + first * share + second * (1.0 - share))))

    return curve


@dataclass(frozen=True)
class Spread:
    """From where to where the tolerances of simulated officers lie."""

    constant: tuple[float, float]  # log ratio
    increase: tuple[float, float]
    cap_or_ratio: tuple[float, float]  # log ratio
    bent: tuple[float, float]  # gain in log odds at small priors
    bend: float  # how far, in logarithms, the gain at large priors may be from that
    sharp: float  # how sharply it bends


TRIAL = Spread(
    constant=(0.15, 2.5), increase=(0.01, 0.5), cap_or_ratio=(0.2, 2.0), bent=(0.2, 3.0), bend=1.0, sharp=1.5
)
PRACTICE = Spread(
    constant=(0.1, 1.6), increase=(0.02, 0.3), cap_or_ratio=(0.3, 1.5), bent=(0.3, 2.0), bend=1.2, sharp=1.0
)


def draw(kind: str, luck: random.Random, low: float, high: float, slip: float = 0.0, spread: Spread = TRIAL) -> Officer:
    """Draw an officer of KIND with tolerances that are spread evenly over what people may hold."""
    own = random.Random(luck.random())
    if kind == "constant":
        return Officer(constant(math.exp(log_even(luck, *spread.constant))), "chance", slip, own)
    if kind == "increase":
        return Officer(increase(log_even(luck, *spread.increase)), "rise", slip, own)
    if kind == "cap_or_ratio":
        ratio = math.exp(log_even(luck, *spread.cap_or_ratio))
        turn = math.exp(luck.uniform(math.log(2.0 * low), math.log(min(0.5 * high, 0.9 / ratio))))
        return Officer(cap_or_ratio(turn * ratio, ratio), "chance", slip, own)
    if kind in JUMPS:
        spreads = dict(zip(JUMPS, (spread.bent, spread.constant, spread.increase), strict=True))
        below = log_even(luck, *spreads[kind])
        above = below * math.exp(luck.choice((-1.0, 1.0)) * luck.uniform(0.2, 1.2))
        at = math.exp(luck.uniform(math.log(2.0 * low), math.log(0.8 * high)))
        sense = dict(zip(JUMPS, ("odds", "chance", "rise"), strict=True))[kind]
        return Officer(jump(kind, below, above, at), sense, slip, own, jump_at=(at,))
    if kind == "one_in":
        return Officer(one_in(math.exp(log_even(luck, *spread.constant))), "chance", slip, own)
    if kind == "two_jumps":
        middle = log_even(luck, *spread.bent)
        sides = [middle * math.exp(luck.choice((-1.0, 1.0)) * luck.uniform(0.2, 0.8)) for _ in range(2)]
        at = sorted(math.exp(luck.uniform(math.log(2.0 * low), math.log(0.8 * high))) for _ in range(2))
        return Officer(two_jumps((sides[0], middle, sides[1]), at), "odds", slip, own, jump_at=tuple(at))
    assert kind == "bent"
    first = log_even(luck, *spread.bent)
    second = first * math.exp(luck.uniform(-spread.bend, spread.bend))
    turn = math.exp(luck.uniform(math.log(3.0 * low), math.log(0.3 * high)))
    return Officer(bent(first, second, turn, spread.sharp), luck.choice(("chance", "rise", "odds")), slip, own)


def log_even(luck: random.Random, least: float, most: float) -> float:
    return math.exp(luck.uniform(math.log(least), math.log(most)))


def epsilon_of(after: float, p: float, q: float) -> float:
    """The epsilon at which the bound of Theorem 1 meets AFTER; infinite where AFTER is certainty.

    The bound pq / (pq + p(1-q) x^2 + (1-p) x), with x = exp(-epsilon), equals AFTER at the root of a quadratic.
    """
    if after >= 1.0:
        return math.inf
    a, b, c = p * (1.0 - q), 1.0 - p, p * q * (1.0 - after) / after
    return max(-math.log(2.0 * c / (b + math.sqrt(b * b + 4.0 * a * c))), 0.0)


def true_epsilon(
    curve: Curve,
    p: tuple[float, float],
    q: tuple[float, float],
    steps: int = 240,
    jump_at: tuple[float, ...] = (),
) -> float:
    """The smallest epsilon over the adversaries, on a grid of logarithms; where p or q is 1, at both sides of a jump,
    too."""
    lines = [
        [low * (high / low) ** (i / steps) for i in range(steps + 1)] if low < high else [low] for low, high in (p, q)
    ]
    if jump_at:
        line = lines[0] if len(lines[1]) == 1 and q == (1.0, 1.0) else lines[1]
        line += [place for at in jump_at for place in (at * (1.0 - 1e-12), at)]
    return min(epsilon_of(curve(a * b), a, b) for a in lines[0] for b in lines[1])


# --------------------------------------------------------------------------- a plain fixed list


def fixed_list(low: float, high: float, questions: int) -> list[tuple[float, float]]:
    """Questions on one release each, decided beforehand: at two or three priors a ladder of ratios, the same for
    everybody."""
    rungs = questions // 3
    priors = (low, math.sqrt(low * high), high)[: 3 if rungs >= 2 else 1]
    rungs = questions // len(priors)
    asked = []
    for m in priors:
        top = min(12.0, 0.95 / m)
        asked += [(m, m * top ** ((i + 1) / (rungs + 1))) for i in range(rungs)]
    return asked


def fixed_estimate(
    answers: Sequence[tuple[float, float, bool]], p: tuple[float, float], q: tuple[float, float]
) -> tuple[float, float]:
    """Epsilon by the book: at each prior the middle between what was accepted and what refused; and the safe end of
    it."""
    middle, safe = math.inf, math.inf
    for m in sorted({before for before, _, _ in answers}):
        ladder = sorted((after, yes) for before, after, yes in answers if before == m)
        count = sum(yes for _, yes in ladder)  # slips are outvoted as well as a ladder can
        ends = [m, *(after for after, _ in ladder), min(2.0 * ladder[-1][0], 0.99)]
        adversary = (m / q[0], q[0]) if p[0] < p[1] else (p[1], m / p[1])
        one = epsilon_of(math.sqrt(ends[count] * ends[count + 1]), *adversary)
        middle, safe = min(middle, one), min(safe, epsilon_of(ends[count], *adversary))
    return middle, safe
