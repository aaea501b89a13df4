"""Contradictions among answers, each as two answers side by side for the officer to settle. None is settled in silence.

Whatever the tolerance, three things hold: the chance accepted after a release is never below the one before it nor
above certainty (ratio >= 1, posterior <= 1); whoever accepts some chance after a release accepts it too where the
intruder believed more beforehand (the posterior never falls as the prior rises); and the same question has one answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from dpwizard.questions.elicitation_log import Chance, Reply, Session

Conflict = Literal["repeat", "crossing", "falling", "comparison", "below", "above"]
SAME = 1e-9


@dataclass(frozen=True, kw_only=True)
class Inconsistency:
    """Two answers that contradict each other, by their numbers in the log (the same number where one contradicts itself)."""

    kind: Conflict
    first: int
    second: int
    settled: bool = False


@dataclass(frozen=True, slots=True)
class _Level:
    """A release said to be accepted or refused, and by which answer."""

    number: int
    prior: float
    posterior: float
    accepted: bool


def inconsistencies(session: Session, *, settled: bool = False) -> tuple[Inconsistency, ...]:
    """Return the contradictions among the answers that stand, the oldest first; with SETTLED those already settled too."""
    stands = session.standing()
    standing = [(i + 1, reply) for i, reply in enumerate(session.replies) if stands[i]]
    both = {frozenset((s.first, s.second)) for s in session.settlements if s.stands == "both"}
    found: dict[frozenset[int], Inconsistency] = {}
    for one in (*_repeats(standing), *_of_levels(standing), *_of_pairs(standing), *_of_values(standing)):
        key = frozenset((one.first, one.second))
        if key not in both:
            found.setdefault(key, one)
    result = sorted(found.values(), key=lambda one: (one.second, one.first))
    if settled:
        result += [Inconsistency(kind="repeat", first=s.first, second=s.second, settled=True) for s in session.settlements]
    return tuple(result)


def _repeats(standing: list[tuple[int, Reply]]) -> Iterator[Inconsistency]:
    """Yield questions asked again and answered differently."""
    by_number = dict(standing)
    for number, reply in standing:
        first = by_number.get(reply.question.again or 0)
        if first is None:
            continue
        one, two = _sense(first), _sense(reply)
        if one is not None and two is not None and one != two:
            yield Inconsistency(kind="repeat", first=reply.question.again or 0, second=number)


def _sense(reply: Reply) -> object:
    """Return what an answer says whatever the form of its question; None where it says nothing."""
    question = reply.question
    if reply.answer in ("yes", "no"):
        return (reply.answer == "yes") != (question.form == "reversed")
    if reply.answer in ("a", "b"):
        side = question.a if reply.answer == "a" else question.b
        return side and (side.prior, side.posterior)
    return "neither" if reply.answer == "neither" else None


def levels_of(number: int, reply: Reply) -> tuple[_Level, ...]:
    """Return the releases that an answer accepts or refuses: one, two ("neither"), or a corrected value and the next above it."""
    question = reply.question
    if reply.answer == "corrected" and reply.corrected is not None:
        value = reply.corrected
        found = [_level(number, value, True)] if value.after > value.before else []
        above = step_above(value)
        return (*found, *([_level(number, above, False)] if above is not None else []))
    sides = [side for side in (question.a, question.b) if side is not None]
    if reply.answer == "neither":
        return tuple(_level(number, side, False) for side in sides)
    if question.kind == "level" and reply.answer in ("yes", "no") and sides:
        return (_level(number, sides[0], bool(_sense(reply))),)
    return ()


def step_above(value: Chance) -> Chance | None:
    """Return the chance a tenth of the rise above VALUE, which a correction to VALUE refuses; None above certainty."""
    rise = max(1, round(0.1 * (value.after - value.before)))
    after = max(value.after, value.before) + rise
    return Chance(out_of=value.out_of, before=value.before, after=after) if after < value.out_of else None


def _level(number: int, side: Chance, accepted: bool) -> _Level:
    return _Level(number, side.prior, side.posterior, accepted)


def _of_levels(standing: list[tuple[int, Reply]]) -> Iterator[Inconsistency]:
    """Yield an accepted and a refused release of which the refused one teaches no more to an intruder who knew no less."""
    said = [level for number, reply in standing for level in levels_of(number, reply)]
    for one, two in combinations(said, 2):
        if one.accepted == two.accepted or one.number == two.number:
            continue
        accepted, refused = (one, two) if one.accepted else (two, one)
        if refused.prior >= accepted.prior - SAME and refused.posterior <= accepted.posterior + SAME:
            same = abs(refused.prior - accepted.prior) <= SAME
            first, second = sorted((one.number, two.number))
            yield Inconsistency(kind="crossing" if same else "falling", first=first, second=second)


def _of_pairs(standing: list[tuple[int, Reply]]) -> Iterator[Inconsistency]:
    """Yield a comparison whose preferred release is refused elsewhere while the other is accepted."""
    said = [level for number, reply in standing for level in levels_of(number, reply)]
    for number, reply in standing:
        if reply.answer not in ("a", "b") or reply.question.a is None or reply.question.b is None:
            continue
        liked, other = (reply.question.a, reply.question.b) if reply.answer == "a" else (reply.question.b, reply.question.a)
        refused = [s for s in said if not s.accepted and s.prior >= liked.prior - SAME and s.posterior <= liked.posterior + SAME]
        accepted = [s for s in said if s.accepted and s.prior <= other.prior + SAME and s.posterior >= other.posterior - SAME]
        # a release refused at a higher prior is refused at a lower one only if it teaches as much: take the same prior
        refused = [s for s in refused if abs(s.prior - liked.prior) <= SAME]
        accepted = [s for s in accepted if abs(s.prior - other.prior) <= SAME]
        if refused and accepted:
            first, second = sorted((number, refused[-1].number))
            if first != second:
                yield Inconsistency(kind="comparison", first=first, second=second)


def _of_values(standing: list[tuple[int, Reply]]) -> Iterator[Inconsistency]:
    """Yield corrected values below the chance before the release (ratio < 1), or at certainty."""
    for number, reply in standing:
        value = reply.corrected
        if value is not None and value.after < value.before:
            yield Inconsistency(kind="below", first=number, second=number)
