"""The closing look: the chances that an epsilon allows, for priors over the whole range, judged line by line.

The questions find the shape of a tolerance from a few answers; no shape fits a tolerance with a jump. A look shows the
consequences of an epsilon instead, and the officer marks those that are too much. One look shows whether the epsilon is
above the smallest that any line allows, so a few looks find it for any shape of the tolerance: its lines are judged,
and no family of curves is assumed. docs/elicitation.md says how well it works.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dpwizard.base.numerics import rounded_down
from dpwizard.decision import MOST_LOOKS, Chance
from dpwizard.elicitation import course
from dpwizard.elicitation.proposals import counted
from dpwizard.elicitation.question_design import BLUR, FINE, Evidence, Posterior, quantiles, two_digits
from dpwizard.elicitation.tolerance_curves import MOST_EPSILON, Array, Span, allowed

ENOUGH = 3  # looks, once one was without a mark
LINES = 11  # evenly spread in log odds, the ends of the range among them
BINDING = (0.25, 0.75)  # quantiles of the belief at which the answers' curves bind: these are shown, too
MOST_SHOWN = 16  # lines, from which none is added
LARGE, SELDOM = 0.02, 0.3  # gaps between smaller beliefs than this count so much: tolerances seldom bind there
APART = 1.12  # beliefs nearer to each other, as a ratio, are one line
ROUND = tuple(float(f"{digit}e{power}") for power in range(-9, 0) for digit in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8))
MARGIN = 1.02  # lines show an epsilon so much larger: between two of them a tolerance may be smaller than at both
SAME = 1.04  # two epsilons nearer to each other are not told apart
HIGHER = (0.4, 0.5)  # quantiles of what is possible at which the second and each later look lies, after one unmarked
LEEWAY = 1.003  # a profile found is rounded down, and must still allow what is printed
STEP = 0.8  # what is left of an epsilon with a mark where no smaller one was accepted

# What judgements at one look are worth, calibrated on practice officers (decision 0050): how far from the tolerance
# they are mistaken (in log epsilon), how probable that is for answers that are steady and for answers that slip, and
# how much earlier than the tolerance the first of many lines is marked by who is mistaken.
SPREADS = (0.02, 0.08, 0.2, 0.4)
STEADY, SLIPPING = (0.65, 0.25, 0.1, 0.0), (0.0, 0.2, 0.4, 0.4)
EARLIER, EARLIER_FROM = 1.0, 0.05
SLIPS_FROM, SLIPS_TO = 0.055, 0.135  # expected slips between which answers turn from steady to slipping
UNSETTLED = 0.08  # expected slips from which the interval of the questions is kept within that of the looks
STRAY = 0.01  # how often a look is judged at random
MORE = 0.03  # in log epsilon: less room than this nobody calls more
NEAR, FAR, FAR_SHARE = 0.04, (0.35, 0.6), (0.25, 0.4)  # how far off the questions may be, steady and slipping
GRID = np.linspace(math.log(1e-4), math.log(1.5 * MOST_EPSILON), 2400)


@dataclass(frozen=True, slots=True)
class JudgedLook:
    """A look and its judgement: its epsilon, its lines, the positions of those too much, and whether all could be more.

    CURRENT: no answer was given or changed since; of an older look only the marks count.
    """

    epsilon: float
    lines: tuple[Chance, ...]
    too_much: frozenset[int]
    could_be_more: bool
    current: bool = True

    @property
    def clear(self) -> tuple[Chance, ...]:
        """Return the lines that it accepts."""
        return tuple(line for place, line in enumerate(self.lines) if self.current and place not in self.too_much)


@dataclass(frozen=True, slots=True)
class LooksResult:
    """The result of the looks: the epsilon recommended, and the nominal 90 % interval with its middle."""

    epsilon: float
    low: float
    middle: float
    high: float


def after(span: Span, prior: float, epsilon: float) -> float:
    """Return the highest posterior of the worst adversary with PRIOR: the bound of Kazan & Reiter (2024), Theorem 1."""
    w = float(span.others(np.array([prior]))[0])
    odds = (1.0 - prior) * (w * math.exp(-span.factor * epsilon) + (1.0 - w) * math.exp(-epsilon))
    return prior / (prior + odds)


def epsilon_of_line(span: Span, line: Chance) -> float:
    """Return the epsilon that allows exactly what LINE shows."""
    prior = np.array([line.prior])
    return float(allowed(np.log(np.array([line.posterior])), prior, span.others(prior), span)[0])


def epsilon_of_look(
    span: Span, epsilon: float, lines: Sequence[Chance], marked: frozenset[int], before: Sequence[JudgedLook] = ()
) -> float:
    """Return the epsilon of a look's lines over the adversaries of SPAN, EPSILON at most.

    A marked line refuses the epsilon that allows what it shows. A look without a mark accepts no more than its lines
    show, and for other beliefs than the lines accepted BEFORE.
    """
    if marked:
        return min(epsilon, *(epsilon_of_line(span, lines[place]) for place in marked))
    by_belief = {line.prior: line for line in (*(line for look in before for line in look.clear), *lines)}
    return min(epsilon, min(epsilon_of_line(span, line) for line in by_belief.values()) / MARGIN)


def lines(
    posterior: Posterior, epsilon: float, judged: Sequence[JudgedLook] = (), *, whole: bool = False
) -> tuple[Chance, ...]:
    """Return the posteriors that EPSILON allows, for priors over the whole range asked about.

    Counts are rounded up, so that no line shows less than EPSILON allows. A belief whose line was accepted at a larger
    epsilon is shown again only if the look is WHOLE. A line is added between a line that was too much and its neighbour
    that was not. From the second look on, the widest gaps are filled: such a look is nearer to the tolerance, which may
    be smaller between two lines than at both.
    """
    shown = [counted_up(posterior.span, prior, epsilon * MARGIN) for prior in _priors(posterior, judged)]
    known = {line.prior for look in judged if look.epsilon >= epsilon and not whole for line in look.clear}
    return tuple(line for line in shown if line is not None and line.prior not in known)


def counted_up(span: Span, prior: float, epsilon: float) -> Chance | None:
    """Return a line in whole counts, the chance after rounded up; None if the chance cannot rise."""
    exact = after(span, prior, epsilon)
    move = counted(prior, min(exact, 1.0 - 1e-9), FINE)
    if move is None:
        return None
    return Chance(out_of=move.out_of, before=move.before, after=min(math.ceil(exact * move.out_of - 1e-9), move.out_of))


def _priors(posterior: Posterior, judged: Sequence[JudgedLook]) -> list[float]:
    span = posterior.span
    if span.single:
        return [two_digits(span.high)]
    shown = {line.prior for look in judged for line in look.lines if span.low / APART < line.prior < span.high * APART}
    priors = shown or {*_even(span), *_binding(posterior, _even(span))}
    ordered = sorted(priors)
    for look in judged:
        marked = {look.lines[position].prior for position in look.too_much}
        clear = {line.prior for line in look.lines} - marked
        for low, high in pairwise(ordered):
            edge = (low in marked and high in clear) or (low in clear and high in marked)
            if edge and high > low * APART**2 and len(priors) < MOST_SHOWN:
                priors.add(two_digits(math.sqrt(low * high)))
    return _filled(sorted(priors)) if shown else sorted(priors)


def _filled(priors: list[float]) -> list[float]:
    """Return PRIORS and others in the widest gaps, MOST_SHOWN at most."""
    filled = list(priors)
    while len(filled) < MOST_SHOWN:
        gaps = [pair for pair in pairwise(filled) if pair[1] > pair[0] * APART**2]
        if not gaps:
            break
        low, high = max(gaps, key=_width)
        filled = sorted({*filled, two_digits(math.sqrt(low * high))})
    return filled


def _width(gap: tuple[float, float]) -> float:
    """Return how wide the gap between two priors is, in log odds; among small ones it counts less."""
    low, high = (math.log(end / (1.0 - end)) for end in gap)
    return (high - low) * (1.0 if gap[0] > LARGE else SELDOM)


def _even(span: Span) -> list[float]:
    """Return round priors, evenly spread in log odds, from one end of the range to the other."""
    low, high = two_digits(span.low), two_digits(span.high)
    first, last = (math.log(end / (1.0 - end)) for end in (low, high))
    inside = [prior for prior in ROUND if low * APART < prior < high / APART]
    beliefs = {low, high}
    if inside:
        for place in range(1, LINES - 1):
            wanted = first + (last - first) * place / (LINES - 1)
            beliefs.add(min(inside, key=lambda prior: abs(math.log(prior / (1.0 - prior)) - wanted)))
    return sorted(beliefs)


def _binding(posterior: Posterior, shown: Sequence[float]) -> set[float]:
    """Return priors that set the limit of the curves that the answers support, if none is shown near."""
    span = posterior.span
    walk = np.geomspace(span.low, span.high, 80)
    highest = allowed(posterior.curves(walk), walk, span.others(walk)[None, :], span)
    places = quantiles(walk[np.argmin(highest, axis=1)], posterior.weights, BINDING)
    wanted = {two_digits(place) for place in places}
    return {prior for prior in wanted if all(max(prior / other, other / prior) > APART for other in shown)}


# -------------------------------------------------------------------------------- which epsilon is looked at


def accepted(judged: Sequence[JudgedLook]) -> float | None:
    """Return the largest epsilon looked at since the last answer without a mark, below all that were marked."""
    least = marked(judged)
    clear = [look.epsilon for look in judged if look.current and not look.too_much and look.epsilon < least]
    return max(clear, default=None)


def marked(judged: Sequence[JudgedLook]) -> float:
    """Return the smallest epsilon at which a line was too much; infinite where none was."""
    return min((look.epsilon for look in judged if look.too_much), default=math.inf)


def recommended(posterior: Posterior, judged: Sequence[JudgedLook]) -> float:
    """Return the epsilon on the safe side: the one looked at without a mark, and below every mark."""
    accepted_epsilon = accepted(judged)
    if accepted_epsilon is not None:
        return min(accepted_epsilon, _corrected(posterior))
    safe, _ = course.ends(posterior)
    return min(safe, STEP * marked(judged))


def _corrected(posterior: Posterior) -> float:
    moves = [(each.prior, each.posterior) for each in posterior.corrections if each.posterior < 1.0]
    if not moves:
        return math.inf
    priors = np.array([prior for prior, _ in moves])
    chances = np.log(np.array([chance for _, chance in moves]))
    return float(allowed(chances, priors, posterior.span.others(priors), posterior.span).min())


def refusals(evidence: Sequence[Evidence]) -> tuple[Chance, ...]:
    """Return the releases that answers refuse."""
    refused = [item for item in evidence if item.answer in ("no", "neither")]
    return tuple(move for item in refused for move in (item.a, item.b) if move is not None)


def next_epsilon(posterior: Posterior, refused: Sequence[Chance], judged: Sequence[JudgedLook] = ()) -> float | None:
    """Return the epsilon of the next look, or None if no look is needed.

    It falls while a line is too much, and rises while all could be more and no refusal (REFUSED) contradicts it.
    """
    current = [look for look in judged if look.current]
    if len(judged) >= MOST_LOOKS:
        return None
    accepted_epsilon, least = accepted(judged), marked(judged)
    if not current:
        return rounded_down(recommended(posterior, judged), 4)
    last = current[-1]
    if not last.too_much and not last.could_be_more:
        return None
    if accepted_epsilon is None:
        return rounded_down(STEP * least, 4)
    ceiling = min([least, _corrected(posterior), *(epsilon_of_line(posterior.span, move) for move in refused)])
    if len(current) >= ENOUGH or ceiling <= accepted_epsilon * SAME:
        return None
    wanted = _possible(posterior, judged, accepted_epsilon, ceiling, HIGHER[min(len(current), len(HIGHER)) - 1])
    if wanted is None:
        return None
    return rounded_down(max(min(wanted, 0.98 * ceiling), 1.03 * accepted_epsilon), 4)


def budget_above(needed: float, places: int, most: float) -> float:
    """Return the budget to be looked at before one printed as NEEDED, with PLACES decimals, may be chosen.

    It is slightly above: if MOST allows, above the next number with PLACES decimals, so that a range is left.
    """
    wanted = LEEWAY * (needed + 10.0**-places)
    return wanted if wanted <= most else LEEWAY * needed


def _possible(
    posterior: Posterior, judged: Sequence[JudgedLook], least: float, most: float, level: float
) -> float | None:
    """Return a quantile of the epsilons possible between LEAST and MOST; None where there are none."""
    inside = (math.log(least) + 1e-3 < GRID) & (math.log(min(most, MOST_EPSILON)) > GRID)
    weights = np.where(inside, _weights(posterior, judged), 0.0)
    if not weights.sum() > 0.0:
        return None
    return math.exp(quantiles(GRID, weights, (level,))[0])


# ----------------------------------------------------------------------------------- what they come to


def closed(posterior: Posterior, judged: Sequence[JudgedLook]) -> LooksResult:
    """Return the result of the looks; without any, that of the answers. The interval begins at the recommendation."""
    epsilon = recommended(posterior, judged)
    if not judged:
        (low, high), (middle,) = course.ends(posterior), posterior.quantile(0.5)
        return LooksResult(epsilon, low, middle, high)
    low, middle, high = (math.exp(x) for x in quantiles(GRID, _weights(posterior, judged), (0.05, 0.5, 0.95)))
    if posterior.slip > UNSETTLED:
        high = max(high, course.ends(posterior)[1])
    low = min(low, epsilon)
    return LooksResult(epsilon, low, max(middle, low), max(high, middle, epsilon))


def _weights(posterior: Posterior, judged: Sequence[JudgedLook]) -> Array:
    """Return how probable each epsilon of the grid is: by the answers, blurred, and by every look."""
    slipping = min(max((posterior.slip - SLIPS_FROM) / (SLIPS_TO - SLIPS_FROM), 0.0), 1.0)
    likely = np.zeros_like(GRID)
    for spread, steady, slips in zip(SPREADS, STEADY, SLIPPING, strict=True):
        share = (1.0 - slipping) * steady + slipping * slips
        earlier = EARLIER * spread if spread > EARLIER_FROM else 0.0
        by_spread = np.full_like(GRID, share)
        for look in judged:
            if look.too_much:
                by_spread = by_spread * _chance((math.log(look.epsilon) - GRID + earlier) / spread)
            elif look.current:
                below = (GRID - math.log(look.epsilon) - earlier) / spread
                more = _chance(below - MORE / spread)
                by_spread = by_spread * _chance(below) * (more if look.could_be_more else 1.0 - more)
        likely += by_spread
    weights: Array = _answered(posterior, slipping) * likely
    return weights


def _chance(deviations: Array) -> Array:
    from scipy.special import ndtr

    return np.asarray(STRAY + (1.0 - 2.0 * STRAY) * ndtr(deviations))


def _answered(posterior: Posterior, slipping: float) -> Array:
    """Return what the answers alone say of each epsilon of the grid, blurred by how far off they may be."""
    step = float(GRID[1] - GRID[0])
    cells = np.clip(np.round((np.log(posterior.epsilon) - GRID[0]) / step).astype(int), 0, len(GRID) - 1)
    masses = np.bincount(cells, weights=posterior.weights, minlength=len(GRID))
    far, share = (bounds[0] + (bounds[1] - bounds[0]) * slipping for bounds in (FAR, FAR_SHARE))
    away = GRID - GRID[len(GRID) // 2]
    near = math.hypot(NEAR, BLUR[-1])
    kernel = (1.0 - share) * np.exp(-0.5 * (away / near) ** 2) / near + share * np.exp(-0.5 * (away / far) ** 2) / far
    return np.maximum(np.convolve(masses, kernel, "same"), 0.0)
