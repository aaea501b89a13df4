"""How well questions find a known tolerance: simulated officers against the engine and against a plain fixed list.

    python -m tests.soak.elicitation COUNT [KIND ...] [--slip 0.05 ...] [--curve OFFICERS] [--practice] [--json FILE]
    python -m tests.soak.elicitation COUNT guess accuracy [--slip 0.05 ...]

Officers come from tests/oracles/simulated_officer.py, which knows nothing of the engine. Prints a table in Markdown;
docs/elicitation.md shows a full run. COUNT officers of each kind answer until the course ends by itself; of these the
first so many (--curve) go on, to show the error after each number of questions.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from dpwizard.decision import ElicitationSession, Reply, Setup
from dpwizard.elicitation import course
from dpwizard.elicitation import interview as elicitation
from dpwizard.elicitation.question_design import Posterior, belief
from dpwizard.elicitation.result import posterior_of_threshold, value_of
from dpwizard.elicitation.tolerance_curves import Span
from tests.oracles import simulated_officer as officers

KINDS = ("constant", "increase", "cap_or_ratio", "bent")
Range = tuple[float, float]
RANGES: tuple[tuple[Range, Range], ...] = (
    ((1.0, 1.0), (0.001, 0.5)),
    ((0.01, 0.5), (1.0, 1.0)),
)  # a sensitive value; presence
PRACTICE_RANGES: tuple[tuple[Range, Range], ...] = (((1.0, 1.0), (0.002, 0.3)), ((0.03, 0.8), (1.0, 1.0)))
THRESHOLDS = {  # the setup of questions about one number, and from where to where the officers' own lies
    "guess": (Setup(topic="guess", q=0.2), (0.005, 0.6)),
    "accuracy": (Setup(topic="accuracy", smallest=0.5, largest=500.0), (1.0, 250.0)),
}
REMEMBERED = 10  # answers after which a course is no longer shared between officers
SEED = 311  # of tests; docs/elicitation.md names its own
HEADING = (
    "| officers | slips | design | questions | of | asked | by 10 | error | recommended | safe | covered |\n"
    + "|---" * 11
    + "|"
)
CLEAN_MARKS, NOISY_MARKS = (6, 8, 10, 12, 14), (6, 8, 10, 14, 18, 24)
FIXED = (10, 14, 24)  # lengths of the plain list


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
    early: float  # share of the officers asked 10 questions or fewer
    error: float  # median relative error of the middle
    safe_error: float  # median relative error of the recommended epsilon
    on_safe_side: float
    covered: float


def answer(officer: officers.Officer, asking: course.PlannedQuestion) -> str:
    """Return what an officer answers to a question of the course."""
    if asking.b is not None:
        said = officer.pair((asking.a.prior, asking.a.posterior), (asking.b.prior, asking.b.posterior))
        return "a" if said == "a" else "b" if said == "b" else "neither"
    accepted = officer.level(asking.a.prior, asking.a.posterior)
    return "yes" if accepted else "no"


State = tuple[
    tuple[float, float, float, float] | None, course.PlannedQuestion | None, bool
]  # estimate, question, whether it is enough


def estimate(found: Posterior) -> tuple[float, float, float, float]:
    """Return the recommended epsilon, the ends of the interval and the middle."""
    (low, high), (middle,) = course.ends(found), found.quantile(0.5)
    return low, low, middle, high


def drawn(kind: str, slip: float, count: int, seed: int, practice: bool) -> list[tuple[officers.Officer, Range, Range]]:
    """Return COUNT officers of KIND with the adversaries they worry about: always the same for a seed."""
    luck, ranges = random.Random(seed), PRACTICE_RANGES if practice else RANGES
    spread = officers.PRACTICE if practice else officers.TRIAL
    made = []
    for number in range(count):
        p, q = ranges[number % len(ranges)]
        span = Span(p, q)
        made.append((officers.draw(kind, luck, span.low, span.high, slip, spread), p, q))
    return made


def trials(
    kind: str,
    slip: float,
    count: int,
    marks: Sequence[int],
    seed: int = SEED,
    *,
    onwards: int | None = None,
    practice: bool = False,
) -> list[Trial]:
    """Return what the engine finds for COUNT officers where it stops by itself, and for ONWARDS of them after each of
    MARKS questions."""
    found: list[Trial] = []
    shared: dict[tuple[Range, tuple[str, ...]], State] = {}
    for number, (officer, p, q) in enumerate(drawn(kind, slip, count, seed, practice)):
        span, truth = Span(p, q), officers.true_epsilon(officer.curve, p, q)
        own_marks = marks if onwards is None or number < onwards else ()
        told: list[course.AnsweredQuestion] = []
        stopped = False
        while True:
            key = (q, tuple(item.answer for item in told))
            state = shared.get(key)
            if state is None:
                posterior = belief(span, course.evidence_of(told))
                asking = course.next_asking(span, told, posterior, endless=True)
                ended = asking is None or course.enough(posterior, told)
                state = (estimate(posterior) if ended or len(told) in marks else None, asking, ended)
                if len(told) <= REMEMBERED:
                    shared[key] = state
            values, asking, ended = state
            reached = [mark for mark in own_marks if mark == len(told) or (asking is None and mark > len(told))]
            if not stopped and ended:
                stopped = True
                reached.append(0)
            if values is not None:
                found += [Trial(mark, len(told), truth, *values) for mark in reached]
            if asking is None or (stopped and len(told) >= max(own_marks, default=0)):
                break
            told.append(course.AnsweredQuestion(asking, answer(officer, asking)))
    return found


def fixed_trials(
    kind: str, slip: float, count: int, questions: int, seed: int = SEED, *, practice: bool = False
) -> list[Trial]:
    """Return what a plain fixed list of questions finds for the same officers."""
    found = []
    for officer, p, q in drawn(kind, slip, count, seed, practice):
        span = Span(p, q)
        asked = officers.fixed_list(span.low, span.high, questions)
        said = [(before, after, officer.level(before, after)) for before, after in asked]
        middle, safe = officers.fixed_estimate(said, p, q)
        found.append(
            Trial(questions, len(asked), officers.true_epsilon(officer.curve, p, q), safe, safe, middle, math.inf)
        )
    return found


def threshold_trials(topic: str, slip: float, count: int, seed: int = SEED) -> list[Trial]:
    """Return what COUNT officers are found to accept where one number is asked for: an advantage, or an error."""
    luck, (setup, (least, most)) = random.Random(seed), THRESHOLDS[topic]
    found = []
    for _ in range(count):
        truth = officers.log_even(luck, least, most)
        session = ElicitationSession(setup=setup)
        while (question := elicitation.next_question(session)) is not None:
            value = value_of(question)
            accepted = (value <= truth) != (luck.random() < slip)
            said = Reply(question=question, answer="yes" if accepted != (question.form == "reversed") else "no")
            session = session.model_copy(update={"replies": (*session.replies, said)})
        result, middle = elicitation.result(session), posterior_of_threshold(session).quantile(0.5)[0]
        found.append(Trial(0, len(session.replies), truth, result.value, result.value_low, middle, result.value_high))
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
        early=statistics.mean(one.asked <= 10 for one in found),
        error=statistics.median(abs(one.middle / one.truth - 1.0) for one in found),
        safe_error=statistics.median(abs(one.safe / one.truth - 1.0) for one in found),
        on_safe_side=statistics.mean(one.safe <= one.truth * (1.0 + 1e-9) for one in found),
        covered=statistics.mean(one.low <= one.truth <= one.high for one in found),
    )


def line(row: Row) -> str:
    """Return a row of the table in Markdown."""
    after = "where it ends" if row.after == 0 else f"{row.after}"
    covered = "" if row.design == "fixed" else f"{100 * row.covered:.1f} %"
    return (
        f"| {row.kind} | {100 * row.slip:.0f} % | {row.design} | {after} | {row.officers:,} | {row.asked:.1f} "
        f"| {100 * row.early:.0f} % | {100 * row.error:.1f} % | {100 * row.safe_error:.1f} % | "
        f"{100 * row.on_safe_side:.1f} % | {covered} |"
    )


def main() -> None:
    """Print the rows as they are found."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("count", type=int)
    reader.add_argument("kinds", nargs="*", default=list(KINDS))
    reader.add_argument("--slip", type=float, action="append")
    reader.add_argument("--curve", type=int, default=250)
    reader.add_argument("--seed", type=int, default=SEED)
    reader.add_argument("--practice", action="store_true")
    reader.add_argument("--json", type=Path)
    options = reader.parse_args()
    made: list[Row] = []
    print(HEADING)
    for slip in options.slip or [0.0, 0.05, 0.15]:
        everybody: list[Trial] = []
        for kind in options.kinds:
            if kind in THRESHOLDS:
                made.append(
                    summary(kind, slip, "adaptive", 0, threshold_trials(kind, slip, options.count, options.seed))
                )
                print(line(made[-1]), flush=True)
                continue
            marks = CLEAN_MARKS if slip == 0.0 else NOISY_MARKS
            found = trials(
                kind, slip, options.count, marks, options.seed, onwards=options.curve, practice=options.practice
            )
            everybody += [one for one in found if one.after == 0]
            reached = {mark: [one for one in found if one.after == mark] for mark in (*marks, 0)}
            new = [summary(kind, slip, "adaptive", mark, those) for mark, those in reached.items() if those]
            for length in FIXED:
                fixed = fixed_trials(kind, slip, options.count, length, options.seed, practice=options.practice)
                new.append(summary(kind, slip, "fixed", length, fixed))
            print("\n".join(map(line, new)), flush=True)
            made += new
        if everybody:
            made.append(summary("all", slip, "adaptive", 0, everybody))
            print(line(made[-1]), flush=True)
        if options.json:
            options.json.write_text(json.dumps([asdict(row) for row in made], indent=1), "utf-8")
    print(f"\nseed {options.seed}; {time.process_time():.0f} seconds of one core")


if __name__ == "__main__":
    main()
