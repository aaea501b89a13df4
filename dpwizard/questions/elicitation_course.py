"""The course of a series of questions: what is asked next, when an answer is asked for again, and when it is enough.

Comparisons of two releases find the shape of a tolerance, questions on one release its level. The first comparisons
have fixed places, so that the shape is looked at however little it matters for the level; otherwise the question that
tells most comes next. Two answers near the officer's indifference are asked for again: one in another form, one the
other way round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from dpwizard.questions.question_design import Belief, Evidence, Move, belief, level_proposals, pair_proposals, severity
from dpwizard.questions.tolerance_curves import MOST_EPSILON, SHARE, Span

Form = Literal["plain", "other", "reversed"]
Answer = Literal["yes", "no", "a", "b", "neither", "cannot_say"]

PAIRS_AT = (0, 2, 5)  # places of comparisons, counted from 0
PAIRS_EVERY = 3  # later, every so many questions, a comparison is asked if it tells more than a question on one release
CHECKS: tuple[tuple[int, Form], ...] = ((5, "other"), (8, "reversed"))  # the place from which each is due
FEWEST = 8
MOST = 14  # questions, where no answer contradicts another
MOST_WITH_GAPS = 24
STOPS_AT = (0.05, 0.95)  # quantiles of epsilon that are compared to see whether it is enough
NARROW = 1.15  # these this near each other, as a ratio: it is enough
ONE_PARAMETER_MOST = 10  # questions, where a shape of one parameter is likely and nothing contradicts
ONE_PARAMETER = 0.2  # probability of such a shape from which that holds
ONE_PARAMETER_NARROW = 2.5  # and the ratio of the quantiles

# Calibrated on practice officers (decision 0050): what is cut off at the lower and the upper end for the nominal 90 % interval,
# by how probable the shapes of one parameter together are. The upper share holds for USUAL_SLIP and shrinks as slips grow likelier.
CUTS: tuple[tuple[float, float, float], ...] = ((0.5, 0.05, 0.12), (0.1, 0.04, 0.08), (0.0, 0.04, 0.03))
USUAL_SLIP = 0.08
ONE_PRIOR = 0.03  # cut off below where one prior only is asked about: the interval reaches the last release that was accepted


@dataclass(frozen=True, slots=True)
class Asking:
    """A question of the course: one release or two, in which form, and whether it asks an earlier one (by position) again."""

    a: Move
    b: Move | None = None
    form: Form = "plain"
    again: int | None = None

    @property
    def moves(self) -> frozenset[tuple[float, float]]:
        """Return the releases it speaks of."""
        return frozenset((move.prior, move.posterior) for move in (self.a, self.b) if move is not None)


@dataclass(frozen=True, slots=True)
class Told:
    """A question with its answer as given; one that no longer stands is kept in place and tells nothing."""

    asking: Asking
    answer: Answer
    stands: bool = True

    def evidence(self) -> Evidence | None:
        """Return what the answer says, free of the form in which it was asked; None where it says nothing."""
        if not self.stands or self.answer == "cannot_say":
            return None
        if self.asking.b is None and self.asking.form == "reversed":  # "would you refuse it?"
            return Evidence(self.asking.a, None, "no" if self.answer == "yes" else "yes")
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
    """Return what an answer says in a form that does not depend on how it was asked; None where it says nothing."""
    one = item.evidence()
    if one is None:
        return None
    if one.answer in ("a", "b"):
        preferred = one.a if one.answer == "a" else one.b
        return preferred and (preferred.prior, preferred.posterior)
    return one.answer


def enough(found: Belief, told: Sequence[Told]) -> bool:
    """Return whether the answers suffice: the interval is narrow and every check was made, or nobody should be asked more."""
    if len(told) >= (MOST_WITH_GAPS if gaps(told) else MOST):
        return True
    checked = {item.asking.form for item in told if item.asking.again is not None}
    if len(told) < FEWEST or len(checked) < len(CHECKS):
        return False
    low, high = found.quantile(*STOPS_AT)
    if high <= low * NARROW or low >= MOST_EPSILON:
        return True
    simple = one_parameter(found) >= ONE_PARAMETER and high <= low * ONE_PARAMETER_NARROW
    return simple and len(told) >= ONE_PARAMETER_MOST and not gaps(told)


def one_parameter(found: Belief) -> float:
    """Return how probable the shapes of one parameter are, together."""
    return sum(part for family, part in found.family_mass().items() if SHARE[family][1] == 1)


def next_asking(span: Span, told: Sequence[Told], found: Belief | None = None, *, endless: bool = False) -> Asking | None:
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


def _check_due(found: Belief, told: Sequence[Told]) -> Asking | None:
    """Return the answer nearest to indifference, asked again, where a check is due; None else."""
    repeated = {item.asking.again for item in told if item.asking.again is not None}
    made = {item.asking.form for item in told if item.asking.again is not None}
    for place, form in CHECKS:
        if len(told) < place or form in made:
            continue
        open_ones = [i for i, item in enumerate(told) if item.evidence() is not None and item.asking.again is None and i not in repeated]
        if not open_ones:
            return None
        chosen = max(open_ones, key=lambda i: (_doubt(found, told[i].asking), -i))
        first = told[chosen].asking
        if form == "reversed" and first.b is not None:
            return Asking(first.b, first.a, "reversed", chosen)
        return replace(first, form=form, again=chosen)
    return None


def _doubt(found: Belief, asking: Asking) -> float:
    """Return how near a question lies to the officer's indifference: the probability of its rarer answer."""
    column = found.priors.index(asking.a.prior)
    over = severity(asking.a, found.log_after[:, column], found.severities)
    if asking.b is not None:
        over = over - severity(asking.b, found.log_after[:, found.priors.index(asking.b.prior)], found.severities)
    chance = float(found.weights[over < 0.0].sum())
    return min(chance, 1.0 - chance) - 1e-3 * abs(float(np.clip(found.weights @ np.clip(over, -9.0, 9.0), -9.0, 9.0)))


def ends(found: Belief) -> tuple[float, float]:
    """Return the ends of the nominal 90 % interval of epsilon, which the officer's own lies in about as often."""
    likely = one_parameter(found)
    below, above = next((below, above) for least, below, above in CUTS if likely >= least)
    below = ONE_PRIOR if found.span.single else below
    low, high = found.quantile(below, 1.0 - above * USUAL_SLIP / found.slip)
    return low, high


def recommended(found: Belief) -> float:
    """Return the epsilon to be recommended: the lower end of the interval, which is on the safe side."""
    return ends(found)[0]
