"""The course of a series of questions: what is asked next, when an answer is asked for again, and when it is enough.

Comparisons of two releases find the shape of a tolerance, questions on one release its level. The first comparisons
have fixed places, so that the shape is looked at however little it matters for the level; otherwise the question that
tells most comes next. Two answers near the officer's indifference are asked for again, in the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from dpwizard.decision import Chance
from dpwizard.elicitation.proposals import expected_information, level_proposals, pair_proposals
from dpwizard.elicitation.question_design import Evidence, Posterior, belief, explained_simply
from dpwizard.elicitation.tolerance_curves import MOST_EPSILON, SHARE, Span

AnswerKey = Literal["yes", "no", "either", "a", "b", "neither", "cannot_say"]
SILENT = ("either", "cannot_say")  # answers that tell nothing of where the limit lies

PAIRS_AT = (0, 2, 5)  # places of comparisons, counted from 0
PAIRS_EVERY = 3  # later, the distance of comparisons, which are asked if they give more information
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
class PlannedQuestion:
    """A question to be asked: one release or two, and the position of the question it repeats."""

    a: Chance
    b: Chance | None = None
    again: int | None = None

    @property
    def moves(self) -> frozenset[tuple[float, float]]:
        """Return the releases in it."""
        return frozenset((move.prior, move.posterior) for move in (self.a, self.b) if move is not None)


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question with its answer; an answer that no longer counts keeps its position."""

    asking: PlannedQuestion
    answer: AnswerKey
    stands: bool = True

    def evidence(self) -> Evidence | None:
        """Return what the answer says; None where it says nothing."""
        if not self.stands or self.answer == "either" or self.answer == "cannot_say":
            return None
        return Evidence(self.asking.a, self.asking.b, self.answer)


def evidence_of(answers: Sequence[AnsweredQuestion]) -> tuple[Evidence, ...]:
    """Return what the answers that stand say."""
    return tuple(evidence for evidence in (item.evidence() for item in answers) if evidence is not None)


def gaps(answers: Sequence[AnsweredQuestion]) -> tuple[tuple[int, int], ...]:
    """Return positions of questions asked twice and answered differently: the first and its repetition."""
    repeated = []
    for place, item in enumerate(answers):
        first = item.asking.again
        if first is None or not (answers[first].stands and item.stands):
            continue
        first_meaning, second_meaning = meaning(answers[first]), meaning(item)
        if first_meaning is not None and second_meaning is not None and first_meaning != second_meaning:
            repeated.append((first, place))
    return tuple(repeated)


def meaning(item: AnsweredQuestion) -> object:
    """Return what an answer says, whichever release stood first; None where it says nothing."""
    evidence = item.evidence()
    if evidence is None:
        return None
    if evidence.answer in ("a", "b"):
        preferred = evidence.a if evidence.answer == "a" else evidence.b
        return preferred and (preferred.prior, preferred.posterior)
    return evidence.answer


def enough(posterior: Posterior, answers: Sequence[AnsweredQuestion]) -> bool:
    """Return whether the answers suffice: a narrow interval and all checks made, or the most questions asked."""
    if len(answers) >= (MOST_WITH_GAPS if gaps(answers) else MOST):
        return True
    if len(answers) < FEWEST or _checks_done(answers) < len(CHECKS):
        return False
    if _narrow(posterior):
        return True
    return (
        len(answers) >= ONE_PARAMETER_MOST
        and not gaps(answers)
        and explained_simply(posterior.span, evidence_of(answers))
    )


def _narrow(posterior: Posterior) -> bool:
    low, high = posterior.quantile(*STOPS_AT)
    return high <= low * NARROW or low >= MOST_EPSILON


def _checks_done(answers: Sequence[AnsweredQuestion]) -> int:
    """Return how many answers were asked for again; two attempts without an answer count as one."""
    again = [item.answer not in SILENT for item in answers if item.asking.again is not None]
    return sum(again) + again.count(False) // 2


def one_parameter(posterior: Posterior) -> float:
    """Return how probable the shapes of one parameter are, together."""
    return sum(part for family, part in posterior.family_mass().items() if SHARE[family][1] == 1)


def next_asking(
    span: Span, answers: Sequence[AnsweredQuestion], posterior: Posterior | None = None, *, endless: bool = False
) -> PlannedQuestion | None:
    """Return the question to be asked next, or None where it is enough (never with ENDLESS, for simulations)."""
    posterior = belief(span, evidence_of(answers)) if posterior is None else posterior
    if not endless and enough(posterior, answers):
        return None
    due = _check_due(posterior, answers)
    if due is not None:
        return due
    asked = frozenset(move for item in answers for move in item.asking.moves)
    thinned = posterior.thinned()
    place = len(answers)
    asks_pair = not span.single and (place in PAIRS_AT or place % PAIRS_EVERY == 2)
    pairs = pair_proposals(thinned, asked) if asks_pair else []
    if place in PAIRS_AT and pairs:
        best = max(pairs, key=lambda proposal: proposal.expected_information)
    else:
        proposals = [*level_proposals(thinned, asked), *pairs]
        if not proposals:
            return None
        best = max(proposals, key=lambda proposal: proposal.expected_information)
    return PlannedQuestion(best.a, best.b)


def _check_due(posterior: Posterior, answers: Sequence[AnsweredQuestion]) -> PlannedQuestion | None:
    """Return the question to repeat if a check is due: the one whose repetition gives most information.

    That is an answer near the officer's indifference on which epsilon depends.
    """
    repeated = {item.asking.again for item in answers if item.asking.again is not None}
    early = len(answers) >= EARLIEST and _narrow(posterior)
    for place in CHECKS[_checks_done(answers) :]:
        if len(answers) < place and not early:
            continue
        candidates = [
            i
            for i, item in enumerate(answers)
            if item.evidence() is not None and item.asking.again is None and i not in repeated
        ]
        if not candidates:
            return None
        thinned = posterior.thinned()
        chosen = max(
            candidates, key=lambda i: (expected_information(thinned, answers[i].asking.a, answers[i].asking.b), -i)
        )
        return replace(answers[chosen].asking, again=chosen)
    return None


def ends(posterior: Posterior) -> tuple[float, float]:
    """Return the ends of the nominal 90 % interval of epsilon, which the officer's own lies in about as often.

    The lower one is on the safe side: it is what answers without a look recommend.
    """
    likely = one_parameter(posterior)
    below, above = next((below, above) for least, below, above in CUTS if likely >= least)
    below = ONE_PRIOR if posterior.span.single else below
    low, high = posterior.quantile(below, 1.0 - above * USUAL_SLIP / posterior.slip)
    return low, high
