"""What would tell a number left out of a public edition: what comes out otherwise, and where somebody typed it.

Nobody has to list which answer reads which field: the decision is solved once as it is and once without what is
marked, and whatever differs is left out.
"""

from __future__ import annotations

import copy
import itertools
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from dpwizard.decision import Decision, assess, read_decision, written
from dpwizard.records import record
from dpwizard.values import plain

OF_REQUIREMENT = ("name", "off_reason", "origins", "group", "sensitive_set")  # what no number follows from
NEAR = 1.1  # a limit up to this many times the chosen epsilon tells what it was computed from, as epsilon is public
TELLING = ("epsilon", "rho", "mu", "why", "at_epsilon", "as_published")  # of an answer: what its limit follows from
TEXTS = ("description", "unit", "derivation")
# significant digits from which on a typed number is taken for one left out, or for one that follows from it
OWN, DERIVED = (2, 3)
DATE = re.compile(r"(\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?)")
TYPED = re.compile(r"(?<![\w.,])\d*[.,]?\d[\d.,\u00a0\u202f]*(?![\w])")


@dataclass(frozen=True, kw_only=True)
class Follows:
    """What is left out beside what is marked: numbers of requirements, answers, sentences, the window."""

    also: tuple[str, ...] = ()  # paths of numbers that the chosen epsilon, beside them, would tell what is marked by
    answers: frozenset[int] = frozenset()
    meaning: tuple[int, ...] = ()
    window: bool = False


def what_follows(decision: Decision, paths: tuple[str, ...]) -> Follows:
    """Return what of DECISION's record comes out otherwise without the fields of the release that PATHS mark.

    Where an answer does whose limit lies near the chosen epsilon, the numbers of its requirement are left out as well:
    a budget of 2 with nothing left at epsilon 1.27 tells that .73 is spent.
    """
    marked = [path for path in paths if path.startswith("$.release.") and _read_by_answers(path)]
    if not marked:
        return Follows()
    raw = copy.deepcopy(written(decision))
    raw.pop("withheld", None)
    for path in marked:
        raw["release"].pop(path.removeprefix("$.release."), None)
    outward = read_decision(raw, "$.decision")
    full = assess(decision)
    shown = assess(outward, full)
    before, after = plain(full.answers), plain(shown.answers)
    answers = frozenset(index for index, (one, other) in enumerate(zip(before, after, strict=True)) if one != other)
    chosen = decision.chosen
    near = [
        i
        for i in sorted(answers)
        if (limit := full.answers[i].epsilon) is not None and chosen is not None and limit <= NEAR * chosen
    ]
    also = [
        where for where in (_a_number(decision, index) for index in near) if where is not None and where not in paths
    ]
    said, otherwise = (record.sentences(one, found)["meaning"] for one, found in ((decision, full), (outward, shown)))
    meaning = tuple(i for i, sentence in enumerate(said) if i >= len(otherwise) or otherwise[i] != sentence)
    ends = [
        (w.lower, w.upper, w.binds_lower, w.binds_upper, w.empty, w.touching, w.conflict)
        for w in (full.window, shown.window)
    ]
    return Follows(also=tuple(also), answers=answers, meaning=meaning, window=ends[0] != ends[1])


def _read_by_answers(path: str) -> bool:
    return path.removeprefix("$.release.") not in TEXTS and not path.startswith("$.release.parts")


def _a_number(decision: Decision, index: int) -> str | None:
    """Return the path of a number of the requirement at INDEX: whoever leaves out one leaves out all of them."""
    requirement = decision.requirements[index]
    told = ("kind", "enabled", *OF_REQUIREMENT)
    name = next(
        (n for n in type(requirement).model_fields if n not in told and getattr(requirement, n) is not None), None
    )
    return None if name is None else f"$.requirements[{index}].{name}"


# ------------------------------------------------------------------------------------ numbers that somebody typed


@dataclass
class Told:
    """The numbers that an edition leaves out, as they are collected: those marked, and those that follow from them."""

    own: list[float] = field(default_factory=list)
    derived: list[float] = field(default_factory=list)

    def itself(self, taken: Any) -> None:
        """Take note of every number in what was TAKEN out."""
        self.own += _numbers(taken)

    def follows(self, made: dict[str, Any], answers: frozenset[int], *, spent: bool) -> None:
        """Take note of what the record MADE still says that follows from it: answers, totals, what is left."""
        for index in answers:
            found = made["assessment"]["answers"][index]
            self.derived += _numbers([found.get(name) for name in TELLING])
        window = made["assessment"]["window"]
        for ends in (window, window.get("rho", {}), window.get("mu", {})):
            self.derived += _numbers(
                [ends.get(end) for end in ("lower", "upper") if window.get(f"binds_{end}") in answers]
            )
        if spent:
            accounts = made["accounting"]
            totals = ("spent_before", "epsilon_in_all", "delta_spent_before")
            self.derived += _numbers([accounts.get(name) for name in totals])

    def of(self, decision: dict[str, Any]) -> Numbers:
        """Return the numbers to look for in what was typed; one that the public DECISION states anyway is no secret."""
        public = set(_numbers(decision))
        return Numbers(
            own=tuple(dict.fromkeys(n for n in self.own if n not in public)),
            derived=tuple(dict.fromkeys(n for n in self.derived if n not in public)),
        )


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """Numbers to be taken out of typed texts."""

    own: tuple[float, ...] = ()
    derived: tuple[float, ...] = ()

    def masked(self, text: str, mark: str) -> str:
        """Return TEXT with MARK in place of every number that is one of these, to the digits it was typed with."""
        if not self.own and not self.derived:
            return text
        pieces = DATE.split(text)  # a day is no number, and the pieces between two days are every other one
        outside = [TYPED.sub(lambda found: self._mark(found[0], mark), piece) for piece in pieces[::2]]
        return "".join(piece for pair in itertools.zip_longest(outside, pieces[1::2], fillvalue="") for piece in pair)

    def _mark(self, typed: str, mark: str) -> str:
        body = typed.rstrip(".,\u00a0\u202f")
        return (
            mark + typed[len(body) :] if any(self._is_told(value, step) for value, step in _readings(body)) else typed
        )

    def _is_told(self, value: Decimal, step: Decimal) -> bool:
        digits = len(value.as_tuple().digits)
        for numbers, least in ((self.own, OWN), (self.derived, DERIVED)):
            for number in numbers:
                for exact, enough in ((Decimal(repr(number)), least), (Decimal(repr(number)) * 100, DERIVED)):
                    if digits >= enough and abs(exact) >= step and abs(value - exact) < step:
                        return True
                    if value == exact and digits >= OWN:
                        return True
        return False


def _readings(body: str) -> Iterator[tuple[Decimal, Decimal]]:
    """Yield what a typed number may mean, comma or point as its mark, each with the unit of its last digit."""
    text = body.replace("\u00a0", "").replace("\u202f", "")
    for plain_text in {text.replace(",", ""), text.replace(".", "").replace(",", ".")}:
        try:
            value = Decimal(plain_text)
        except InvalidOperation:
            continue
        exponent = value.as_tuple().exponent
        yield value, Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)


def _numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [number for item in value.values() for number in _numbers(item)]
    if isinstance(value, list | tuple):
        return [number for item in value for number in _numbers(item)]
    wanted = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value != 0
    return [float(value)] if wanted else []
