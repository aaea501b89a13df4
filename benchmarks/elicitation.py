"""How well questions find a known tolerance: simulated officers against the engine and against a plain fixed list.

    python -m benchmarks.elicitation COUNT [KIND ...] [--slip 0.05 ...] [--json FILE]

Officers come from tests/oracles/simulated_officer.py, which knows nothing of the engine. docs/elicitation.md shows a full run.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from dpwizard.questions import elicitation_course as course
from dpwizard.questions.question_design import belief
from dpwizard.questions.tolerance_curves import Span
from tests.oracles import simulated_officer as officers

KINDS = ("constant", "increase", "cap_or_ratio", "bent")
RANGES = (((1.0, 1.0), (0.001, 0.5)), ((0.01, 0.5), (1.0, 1.0)))  # a sensitive value; presence in the data
REMEMBERED = 10  # answers after which a course is no longer shared between officers
LEVELS = (course.SAFE, course.INTERVAL[0], 0.5, course.INTERVAL[1])


@dataclass(frozen=True)
class Trial:
    """One officer: the true epsilon, and what was made of the answers after so many questions (0: where it stopped)."""

    after: int
    asked: int
    truth: float
    safe: float
    low: float
    middle: float
    high: float


@dataclass(frozen=True)
class Row:
    """What many officers of one kind come to."""

    kind: str
    slip: float
    design: str
    after: int
    officers: int
    asked: float
    error: float  # median relative error of the middle
    safe_error: float  # median relative error of the recommended epsilon
    on_safe_side: float
    covered: float


def answer(officer: officers.Officer, asking: course.Asking) -> course.Answer:
    """Return what an officer answers to a question of the course."""
    if asking.b is not None:
        said = officer.pair((asking.a.prior, asking.a.posterior), (asking.b.prior, asking.b.posterior))
        return "a" if said == "a" else "b" if said == "b" else "neither"
    accepted = officer.level(asking.a.prior, asking.a.posterior)
    return "yes" if accepted != (asking.form == "reversed") else "no"


def trials(kind: str, slip: float, count: int, marks: Sequence[int], seed: int = 7) -> list[Trial]:
    """Return what the engine finds for COUNT officers, after each of MARKS questions and where it stops by itself."""
    luck, shared, found = random.Random(seed), {}, []
    for number in range(count):
        p, q = RANGES[number % 2]
        span = Span(p, q)
        officer = officers.draw(kind, luck, span.low, span.high, slip)
        truth = officers.true_epsilon(officer.curve, p, q)
        told: list[course.Told] = []
        stopped = False
        while True:
            key = (number % 2, tuple(item.answer for item in told))
            state = shared.get(key)
            if state is None:
                posterior = belief(span, course.evidence_of(told))
                asking = course.next_asking(span, told, posterior, endless=True)
                state = (posterior.quantile(*LEVELS), asking, course.enough(posterior, told))
                if len(told) <= REMEMBERED:
                    shared[key] = state
            values, asking, enough = state
            at_end = asking is None
            found += [Trial(mark, len(told), truth, *values) for mark in marks if mark == len(told) or (at_end and mark > len(told))]
            if not stopped and (enough or at_end):
                stopped = True
                found.append(Trial(0, len(told), truth, *values))
            if at_end or (stopped and len(told) >= max(marks, default=0)):
                break
            told.append(course.Told(asking, answer(officer, asking)))
    return found


def fixed_trials(kind: str, slip: float, count: int, questions: int, seed: int = 7) -> list[Trial]:
    """Return what a plain fixed list of questions finds for the same officers."""
    luck, found = random.Random(seed), []
    for number in range(count):
        p, q = RANGES[number % 2]
        span = Span(p, q)
        officer = officers.draw(kind, luck, span.low, span.high, slip)
        asked = officers.fixed_list(span.low, span.high, questions)
        said = [(before, after, officer.level(before, after)) for before, after in asked]
        middle, safe = officers.fixed_estimate(said, p, q)
        found.append(Trial(questions, len(asked), officers.true_epsilon(officer.curve, p, q), safe, safe, middle, math.inf))
    return found


def summary(kind: str, slip: float, design: str, after: int, found: Sequence[Trial]) -> Row:
    """Return the medians and shares of trials."""
    return Row(
        kind=kind,
        slip=slip,
        design=design,
        after=after,
        officers=len(found),
        asked=statistics.mean(one.asked for one in found),
        error=statistics.median(abs(one.middle / one.truth - 1.0) for one in found),
        safe_error=statistics.median(abs(one.safe / one.truth - 1.0) for one in found),
        on_safe_side=statistics.mean(one.safe <= one.truth * (1.0 + 1e-9) for one in found),
        covered=statistics.mean(one.low <= one.truth <= one.high for one in found),
    )


def rows(kind: str, slip: float, count: int, marks: Sequence[int]) -> list[Row]:
    """Return the rows of one kind and one rate of slips: the engine after so many questions, where it stops, and the fixed list."""
    found = trials(kind, slip, count, marks)
    made = [summary(kind, slip, "adaptive", mark, [one for one in found if one.after == mark]) for mark in (*marks, 0)]
    return made + [summary(kind, slip, "fixed", mark, fixed_trials(kind, slip, count, mark)) for mark in marks]


def main() -> None:
    """Print the rows as they are found."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("count", type=int)
    reader.add_argument("kinds", nargs="*", default=list(KINDS))
    reader.add_argument("--slip", type=float, action="append")
    reader.add_argument("--marks", type=int, action="append")
    reader.add_argument("--json", type=Path)
    options = reader.parse_args()
    made: list[Row] = []
    for slip in options.slip or [0.0, 0.05, 0.15]:
        for kind in options.kinds:
            for row in rows(kind, slip, options.count, options.marks or ((6, 8, 10, 12, 14) if slip == 0.0 else (10, 14))):
                made.append(row)
                print(
                    f"{row.kind:13} {row.slip:4.2f} {row.design:8} {row.after or 'stop':>4} asked {row.asked:4.1f} error {row.error:6.3f} "
                    f"recommended {row.safe_error:6.3f} safe {row.on_safe_side:5.3f} covered {row.covered:5.3f}",
                    flush=True,
                )
            if options.json:
                options.json.write_text(json.dumps([asdict(row) for row in made], indent=1), "utf-8")


if __name__ == "__main__":
    main()
