"""How well questions closed by looks find a known tolerance, with a jump or without, by officers who err or do not.

    python -m tests.soak.closing_look COUNT [KIND ...] [--near gain:0.15 ...] [--practice] [--seed SEED]

Officers come from tests/oracles/simulated_officer.py, which knows nothing of the engine. Prints a table in Markdown;
docs/elicitation.md shows a full run. The same answers are followed by the same question, so officers share a course as
long as they agree.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from dpwizard.elicitation import closing_look, course
from dpwizard.elicitation.question_design import Posterior, belief
from dpwizard.elicitation.tolerance_curves import Span
from dpwizard.wording import printed_range
from tests.oracles import simulated_officer as officers
from tests.soak.elicitation import KINDS as SMOOTH
from tests.soak.elicitation import PRACTICE_RANGES, RANGES, Range, answer

KINDS = (*SMOOTH, *officers.JUMPS)  # fresh ones are named when they are wanted: two_jumps, one_in
STEADY, BY_GAIN, BY_CHANCE = ("gain", 0.0), ("gain", 0.15), ("chance", 0.1)
ERRORS = (STEADY, BY_GAIN, BY_CHANCE)
SEED = 2711  # of tests; docs/elicitation.md names its own
HAIR = 1.0 + 1e-6  # the truth is a minimum over a grid, too
Shared = dict[tuple[Range, tuple[str, ...]], tuple[course.PlannedQuestion | None, Posterior | None]]


@dataclass(frozen=True)
class Trial:
    """One officer: the truth, what the questions alone came to, and what the looks made of it."""

    truth: float
    asked: int
    looks: int
    lines: int  # of all looks
    before: tuple[float, float]
    found: closing_look.LooksResult
    above: float  # a need drawn between what is recommended and the highest the answers do not rule out
    passed: bool  # whether the look that is offered for it was accepted


def trial(officer: officers.Officer, p: Range, q: Range, shared: Shared) -> Trial:
    """Return what questions and looks find for one officer."""
    span, told = Span(p, q), list[course.AnsweredQuestion]()
    while True:
        key = (q, tuple(item.answer for item in told))
        if key not in shared:
            found = belief(span, course.evidence_of(told))
            asking = course.next_asking(span, told, found)
            shared[key] = (asking, found if asking is None else None)
        asking, ended = shared[key]
        if asking is None:
            break
        told.append(course.AnsweredQuestion(asking, answer(officer, asking)))
    assert ended is not None
    refused = closing_look.refusals(course.evidence_of(told))
    judged: list[closing_look.JudgedLook] = []
    while (epsilon := closing_look.next_epsilon(ended, refused, judged)) is not None:
        lines = closing_look.lines(ended, epsilon, judged)
        too_much, more = officer.look([(line.prior, line.posterior) for line in lines])
        judged.append(closing_look.JudgedLook(epsilon, lines, frozenset(too_much), more))
    truth = officers.true_epsilon(officer.curve, p, q, 480, officer.jump_at)
    closed = closing_look.closed(ended, judged)
    above, passed = look_above(officer, ended, judged, closed)
    shown = sum(len(look.lines) for look in judged)
    return Trial(truth, len(told), len(judged), shown, course.ends(ended), closed, above, passed)


def look_above(
    officer: officers.Officer,
    ended: Posterior,
    judged: Sequence[closing_look.JudgedLook],
    closed: closing_look.LooksResult,
) -> tuple[float, bool]:
    """Return a need above the safe end as step 6 prints it, and whether OFFICER accepts the look that is offered."""
    drawn = math.exp(officer.luck.uniform(math.log(closed.epsilon), math.log(closed.high)))
    shown = printed_range(drawn, closed.high)
    need = shown.lower.value
    budget = closing_look.budget_above(need, shown.places, closed.high)
    lines = closing_look.lines(ended, budget, judged, whole=True)
    marks, _ = officer.look([(line.prior, line.posterior) for line in lines])
    return need, budget <= closed.high and not marks


def trials(
    kind: str, erring: tuple[str, float], count: int, seed: int = SEED, *, practice: bool = False
) -> list[Trial]:
    """Return what questions and looks find for COUNT officers of KIND who err so near their threshold."""
    luck, ranges = random.Random(f"{seed} {kind}"), PRACTICE_RANGES if practice else RANGES
    spread, shared = officers.PRACTICE if practice else officers.TRIAL, Shared()
    found = []
    for number in range(count):
        p, q = ranges[number % len(ranges)]
        span = Span(p, q)
        officer = officers.draw(kind, luck, span.low, span.high, 0.0, spread)
        officer.erring, officer.near = erring
        found.append(trial(officer, p, q, shared))
    return found


@dataclass(frozen=True)
class Row:
    """What many officers come to."""

    asked: tuple[float, float]  # the median, and what 95 in 100 are asked at most
    most_asked: int
    looks: float
    most_looks: int
    lines: tuple[float, float]  # lines, as asked
    safe_before: float
    below_before: float
    covered_before: float
    safe: float
    below: float  # median distance of the recommended epsilon from the truth, relative
    covered: float
    added: float  # the share of looks above that make a safe result unsafe


def summary(found: Sequence[Trial]) -> Row:
    """Return what many officers come to."""

    def share(holds: Sequence[bool]) -> float:
        return sum(holds) / len(holds)

    def usual_and_many(counts: Sequence[int]) -> tuple[float, float]:
        return statistics.median(counts), sorted(counts)[math.ceil(0.95 * len(counts)) - 1]

    return Row(
        asked=usual_and_many([one.asked for one in found]),
        most_asked=max(one.asked for one in found),
        looks=statistics.fmean(one.looks for one in found),
        most_looks=max(one.looks for one in found),
        lines=usual_and_many([one.lines for one in found]),
        safe_before=share([one.before[0] <= one.truth * HAIR for one in found]),
        below_before=statistics.median(1.0 - one.before[0] / one.truth for one in found),
        covered_before=share([one.before[0] <= one.truth * HAIR <= one.before[1] * HAIR**2 for one in found]),
        safe=share([one.found.epsilon <= one.truth * HAIR for one in found]),
        below=statistics.median(1.0 - one.found.epsilon / one.truth for one in found),
        covered=share([one.found.low <= one.truth * HAIR <= one.found.high * HAIR**2 for one in found]),
        added=share([one.passed and one.found.epsilon <= one.truth * HAIR < one.above for one in found]),
    )


HEADING = (
    "| tolerance | errs | asked (95 in 100) | at most | looks | at most | lines (95 in 100) | safe before |"
    " below | covered | safe | below | covered | added |\n" + "|---" * 14 + "|"
)


def line(name: str, erring: tuple[str, float], row: Row) -> str:
    """Return a row of the table."""
    errs = f"{erring[0]} {erring[1]:g}" if erring[1] else "no"
    asked, lines = (f"{usual:g} ({many:g})" for usual, many in (row.asked, row.lines))
    cells = [name, errs, asked, str(row.most_asked), f"{row.looks:.1f}", str(row.most_looks), lines]
    shares = (row.safe_before, row.below_before, row.covered_before, row.safe, row.below, row.covered, row.added)
    cells += [f"{100.0 * one:.1f} %" for one in shares]
    return "| " + " | ".join(cells) + " |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the trials and print their table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("kinds", nargs="*", default=KINDS)
    parser.add_argument("--near", nargs="*", default=[f"{way}:{far}" for way, far in ERRORS])
    parser.add_argument("--practice", action="store_true")
    parser.add_argument("--seed", type=int, default=SEED)
    told = parser.parse_args(arguments)
    print(HEADING)
    for text in told.near:
        way, far = text.split(":")
        erring, every = (way, float(far)), list[Trial]()
        for kind in told.kinds:
            found = trials(kind, erring, told.count, told.seed, practice=told.practice)
            print(line(kind, erring, summary(found)), flush=True)
            every += found
        print(line("**all**", erring, summary(every)), flush=True)


if __name__ == "__main__":
    main()
