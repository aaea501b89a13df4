"""Contradictions among answers, each as two answers side by side for the officer to settle. None is settled in silence.

For any tolerance: the chance accepted after a release is never below the one before it (ratio >= 1; one above certainty
cannot be entered); if a posterior is accepted, it is accepted for a larger prior, too; if an error is accepted, a
smaller one is; a preferred release is acceptable and stays preferred; and the same question has one answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from dpwizard.decision import Chance, ElicitationSession, Reply

Conflict = Literal["repeat", "crossing", "falling", "comparison", "rather", "preference", "coarser", "below"]
SAME = 1e-9


@dataclass(frozen=True, kw_only=True)
class Inconsistency:
    """Two answers that contradict each other, by their numbers in the log (the same if one contradicts itself)."""

    kind: Conflict
    first: int
    second: int
    settled: bool = False  # never so among those returned; programs that read them know the field


@dataclass(frozen=True, slots=True)
class _Level:
    """A release said to be accepted or refused, and by which answer."""

    number: int
    prior: float
    posterior: float
    accepted: bool


def inconsistencies(session: ElicitationSession) -> tuple[Inconsistency, ...]:
    """Return the contradictions among the answers that stand and are not settled, oldest first."""
    stands = session.standing()
    standing = [(i + 1, reply) for i, reply in enumerate(session.replies) if stands[i]]
    both = {frozenset((s.first, s.second)) for s in session.settlements if s.stands == "both"}
    by_pair: dict[frozenset[int], Inconsistency] = {}
    checks = (_repeats, _of_levels, _of_pairs, _of_two_pairs, _of_errors, _of_values)
    for conflict in (conflict for check in checks for conflict in check(standing)):
        key = frozenset((conflict.first, conflict.second))
        if key not in both:
            by_pair.setdefault(key, conflict)
    return tuple(sorted(by_pair.values(), key=lambda conflict: (conflict.second, conflict.first)))


def _repeats(standing: list[tuple[int, Reply]]) -> Iterator[Inconsistency]:
    by_number = dict(standing)
    for number, reply in standing:
        first = by_number.get(reply.question.again or 0)
        if first is None:
            continue
        first_sense, second_sense = _sense(first), _sense(reply)
        if first_sense is not None and second_sense is not None and first_sense != second_sense:
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
    """Return the releases an answer accepts or refuses: one, two ("neither"), or a correction and the next above."""
    question = reply.question
    if reply.answer == "corrected" and reply.corrected is not None:
        value = reply.corrected
        levels = [_level(number, value, True)] if value.after > value.before else []
        above = step_above(value)
        return (*levels, *([_level(number, above, False)] if above is not None else []))
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
    """Yield an accepted and a refused release where the refused one has no smaller prior and no larger posterior."""
    levels = [level for number, reply in standing for level in levels_of(number, reply)]
    for level, other in combinations(levels, 2):
        if level.accepted == other.accepted or level.number == other.number:
            continue
        accepted, refused = (level, other) if level.accepted else (other, level)
        if refused.prior >= accepted.prior - SAME and refused.posterior <= accepted.posterior + SAME:
            same = abs(refused.prior - accepted.prior) <= SAME
            first, second = sorted((level.number, other.number))
            yield Inconsistency(kind="crossing" if same else "falling", first=first, second=second)


def _of_pairs(standing: list[tuple[int, Reply]]) -> Iterator[Inconsistency]:
    """Yield a comparison whose choice is refused elsewhere: the other accepted ("comparison") or not ("rather")."""
    sentences = [level for number, reply in standing for level in levels_of(number, reply)]
    for number, liked, other in _preferences(standing):
        # a release refused at a higher prior is refused at a lower one only if it teaches as much: take the same prior
        refused = [s for s in sentences if not s.accepted and _same(s, liked) and s.posterior <= liked.posterior + SAME]
        accepted = [s for s in sentences if s.accepted and _same(s, other) and s.posterior >= other.posterior - SAME]
        if refused and refused[-1].number != number:
            first, second = sorted((number, refused[-1].number))
            yield Inconsistency(kind="comparison" if accepted else "rather", first=first, second=second)


def _of_two_pairs(standing: list[tuple[int, Reply]]) -> Iterator[Inconsistency]:
    """Yield two comparisons where the second refuses what is no graver than the first's choice for one no better."""
    for (first, liked, other), (second, taken, left) in combinations(_preferences(standing), 2):
        no_graver = _same(left, liked) and left.posterior <= liked.posterior + SAME
        no_better = _same(taken, other) and taken.posterior >= other.posterior - SAME
        if no_graver and no_better:
            yield Inconsistency(kind="preference", first=first, second=second)


def _preferences(standing: list[tuple[int, Reply]]) -> tuple[tuple[int, Chance, Chance], ...]:
    preferences = []
    for number, reply in standing:
        a, b = reply.question.a, reply.question.b
        if reply.answer in ("a", "b") and a is not None and b is not None:
            preferences.append((number, *((a, b) if reply.answer == "a" else (b, a))))
    return tuple(preferences)


def _same(one: _Level | Chance, other: Chance) -> bool:
    """Return whether two releases begin at the same chance."""
    return abs(one.prior - other.prior) <= SAME


def _of_errors(standing: list[tuple[int, Reply]]) -> Iterator[Inconsistency]:
    errors = [
        (n, r.question.blur.off_by, bool(_sense(r)))
        for n, r in standing
        if r.question.blur is not None and r.answer in ("yes", "no")
    ]
    for (first, one, accepts), (second, two, accepts_too) in combinations(errors, 2):
        accepted, refused = (one, two) if accepts else (two, one)
        if accepts != accepts_too and refused <= accepted * (1.0 + SAME):
            yield Inconsistency(kind="coarser", first=first, second=second)


def _of_values(standing: list[tuple[int, Reply]]) -> Iterator[Inconsistency]:
    """Yield corrected values below the chance before the release (ratio < 1), or at certainty."""
    for number, reply in standing:
        value = reply.corrected
        if value is not None and value.after < value.before:
            yield Inconsistency(kind="below", first=number, second=number)
