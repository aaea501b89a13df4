"""The course of a series of questions: what is asked next, when an answer is asked for again, and when it is enough.

Comparisons of two releases find the shape of a tolerance, questions on one release its level. The first comparisons
have fixed places, so that the shape is looked at however little it matters for the level; otherwise the question that
tells most comes next. Two answers near the officer's indifference are asked for again, in the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from dpwizard.elicitation.proposals import level_proposals, pair_proposals, told_by
from dpwizard.elicitation.question_design import Evidence, Move, Posterior, belief, explained_simply
from dpwizard.elicitation.tolerance_curves import MOST_EPSILON, SHARE, Span

AnswerKey = Literal["yes", "no", "either", "a", "b", "neither", "cannot_say"]
SILENT = ("either", "cannot_say")  # answers that tell nothing of where the limit lies

PAIRS_AT = (0, 2, 5)  # places of comparisons, counted from 0
PAIRS_EVERY = 3  # later, every so many questions, a comparison is asked if it tells more than a question on one release
CHECKS = (7, 9)  # the place from which each is due
EARLIEST = 5  # the place from which a check comes where nothing else is left to find
FEWEST = 8
MOST = 12  # questions, where no answer contradicts another
MOST_WITH_GAPS = 24
STOPS_AT = (0.05, 0.95)  # quantiles of epsilon that are compared to see whether it is enough
NARROW = 1.15  # these this near each other, as a ratio: it is enough
ONE_PARAMETER_MOST = 10  # questions, where a shape of one parameter contradicts no answer

# Calibrated on practice officers (decision 0050): what is cut off at the lower and the upper end for the nominal 90 %
# interval, by how probable the shapes of one parameter together are. The upper share holds for USUAL_SLIP and shrinks
# as slips grow likelier.
CUTS: tuple[tuple[float, float, float], ...] = ((0.5, 0.05, 0.06), (0.1, 0.07, 0.13), (0.0, 0.05, 0.01))
USUAL_SLIP = 0.08
# cut off below where one prior only is asked about: the interval reaches the last release that was accepted
ONE_PRIOR = 0.03


@dataclass(frozen=True, slots=True)
class Asking:
    """A question of the course: one release or two, and which earlier one (by position) it repeats."""

    a: Move
    b: Move | None = None
    again: int | None = None

    @property
    def moves(self) -> frozenset[tuple[float, float]]:
        """Return the releases it speaks of."""
        return frozenset((move.prior, move.posterior) for move in (self.a, self.b) if move is not None)


@dataclass(frozen=True, slots=True)
class Told:
    """A question with its answer as given; one that no longer stands is kept in place and tells nothing."""

    asking: Asking
    answer: AnswerKey
    stands: bool = True

    def evidence(self) -> Evidence | None:
        """Return what the answer says; None where it says nothing."""
        if not self.stands or self.answer == "either" or self.answer == "cannot_say":
            return None
        return Evidence(self.asking.a, self.asking.b, self.answer)


def evidence_of(told: Sequence[Told]) -> tuple[Evidence, ...]:
    """Return what the answers that stand say."""
    return tuple(one for one in (item.evidence() for item in told) if one is not None)


def gaps(told: Sequence[Told]) -> tuple[tuple[int, int], ...]:
    """Return positions of questions asked twice and answered differently: the first and its repetition."""
    found = []
    for place, item in enumerate(told):
        first = item.asking.again
        if first is None or not (told[first].stands and item.stands):
            continue
        one, two = meaning(told[first]), meaning(item)
        if one is not None and two is not None and one != two:
            found.append((first, place))
    return tuple(found)


def meaning(item: Told) -> object:
    """Return what an answer says, whichever release stood first; None where it says nothing."""
    one = item.evidence()
    if one is None:
        return None
    if one.answer in ("a", "b"):
        preferred = one.a if one.answer == "a" else one.b
        return preferred and (preferred.prior, preferred.posterior)
    return one.answer


def enough(found: Posterior, told: Sequence[Told]) -> bool:
    """Return whether the answers suffice: narrow interval and every check made, or nobody should be asked more."""
    if len(told) >= (MOST_WITH_GAPS if gaps(told) else MOST):
        return True
    if len(told) < FEWEST or _checks_made(told) < len(CHECKS):
        return False
    if _narrow(found):
        return True
    return len(told) >= ONE_PARAMETER_MOST and not gaps(told) and explained_simply(found.span, evidence_of(told))


def _narrow(found: Posterior) -> bool:
    """Return whether epsilon is known well enough, or nothing limits it."""
    low, high = found.quantile(*STOPS_AT)
    return high <= low * NARROW or low >= MOST_EPSILON


def _checks_made(told: Sequence[Told]) -> int:
    """Return how many answers were asked for again: given, or not to be had at the second attempt either."""
    again = [item.answer not in SILENT for item in told if item.asking.again is not None]
    return sum(again) + again.count(False) // 2


def one_parameter(found: Posterior) -> float:
    """Return how probable the shapes of one parameter are, together."""
    return sum(part for family, part in found.family_mass().items() if SHARE[family][1] == 1)


def next_asking(
    span: Span, told: Sequence[Told], found: Posterior | None = None, *, endless: bool = False
) -> Asking | None:
    """Return the question to be asked next, or None where it is enough (never with ENDLESS, for simulations)."""
    found = belief(span, evidence_of(told)) if found is None else found
    if not endless and enough(found, told):
        return None
    due = _check_due(found, told)
    if due is not None:
        return due
    asked = frozenset(move for item in told for move in item.asking.moves)
    few = found.thinned()
    place = len(told)
    pairs = pair_proposals(few, asked) if not span.single and (place in PAIRS_AT or place % PAIRS_EVERY == 2) else []
    if place in PAIRS_AT and pairs:
        best = max(pairs, key=lambda proposal: proposal.tells)
    else:
        both = [*level_proposals(few, asked), *pairs]
        if not both:
            return None
        best = max(both, key=lambda proposal: proposal.tells)
    return Asking(best.a, best.b)


def _check_due(found: Posterior, told: Sequence[Told]) -> Asking | None:
    """Return an answer asked for again, where a check is due: the one whose repetition tells most; None else.

    That is an answer near the officer's indifference on which epsilon hangs: were it a slip, epsilon would be another.
    """
    repeated = {item.asking.again for item in told if item.asking.again is not None}
    early = len(told) >= EARLIEST and _narrow(found)
    for place in CHECKS[_checks_made(told) :]:
        if len(told) < place and not early:
            continue
        open_ones = [
            i
            for i, item in enumerate(told)
            if item.evidence() is not None and item.asking.again is None and i not in repeated
        ]
        if not open_ones:
            return None
        few = found.thinned()
        chosen = max(open_ones, key=lambda i: (told_by(few, told[i].asking.a, told[i].asking.b), -i))
        return replace(told[chosen].asking, again=chosen)
    return None


def ends(found: Posterior) -> tuple[float, float]:
    """Return the ends of the nominal 90 % interval of epsilon, which the officer's own lies in about as often."""
    likely = one_parameter(found)
    below, above = next((below, above) for least, below, above in CUTS if likely >= least)
    below = ONE_PRIOR if found.span.single else below
    low, high = found.quantile(below, 1.0 - above * USUAL_SLIP / found.slip)
    return low, high


def recommended(found: Posterior) -> float:
    """Return the epsilon to be recommended: the lower end of the interval, which is on the safe side."""
    return ends(found)[0]
