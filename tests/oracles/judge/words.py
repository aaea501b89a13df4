"""What the program says in words, held against the data: every number in a sentence, rounded as it is printed.

`solve` says two lines of each answer on standard error: its limit, and what the decision's epsilon gives. The numbers
are read off the English sentences; a sentence whose numbers cannot be read is counted, so that silence is noticed.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.oracles.judge import guesses, needs, promises
from tests.oracles.judge.drawing import Case
from tests.oracles.judge.noise import Loss
from tests.oracles.judge.verdicts import JUDGES, Finding, conditions
from tests.oracles.judge.world import World

Told = Mapping[str, Any]
NUMBER = r"(\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?)"
SAYS = re.compile(r"At the (?:epsilon|rho) chosen: (.*)$")
GUESSED = re.compile(rf"Of {NUMBER} such people, .* and at most {NUMBER} after")
LIFTED = re.compile(rf"from (.*?) (?:in \d[\d,]* )?to (?:more than|at most) ({NUMBER} in {NUMBER})")
FEWER = re.compile(rf"Take {NUMBER} people .* for fewer than {NUMBER} of them")
CHANCE = re.compile(rf"(?:fewer than |more than )?{NUMBER} in {NUMBER}")
TIMES = re.compile(rf"at most {NUMBER} times")
LIMIT = re.compile(rf": at (most|least) {NUMBER}")


def said(
    command: Sequence[str], decisions: Iterable[Told], folder: Path | None = None
) -> list[tuple[Told, list[list[str]]]]:
    """Return for each decision its assessment, and for each of its answers the lines that were said of it."""
    decisions = list(decisions)
    lines = "".join(json.dumps(decision) + "\n" for decision in decisions)
    done = subprocess.run(
        [*command, "--language", "en", "solve", "-"],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    blocks: dict[str, list[str]] = {decision["title"]: [] for decision in decisions}
    current: list[str] = []
    for line in done.stderr.splitlines():
        current = blocks.get(line, current)
        current.append(line)
    return [
        (answer, _by_answer(blocks[decision["title"]], decision) if "answers" in answer else [])
        for answer, decision in zip(answers, decisions, strict=True)
    ]


def _by_answer(block: list[str], decision: Told) -> list[list[str]]:
    found: list[list[str]] = []
    for asked in decision["requirements"]:
        names = (f"  {asked['name']}: ", f"  {asked['name']} within ")  # a need says what it asks for beside its name
        start = next(i for i, line in enumerate(block) if line.startswith(names))
        chosen = [line for line in block[start + 1 : start + 2] if line.startswith("    ")]
        found.append([block[start], *chosen])
    return found


def _float(text: str) -> float:
    return float(text.replace(",", ""))


def _chances(sentence: str) -> list[float]:
    return [_float(a) / _float(b) for a, b in CHANCE.findall(sentence)]


def untrue(case: Case, assessment: Told, lines: list[list[str]]) -> list[Finding]:
    """Return every number of a sentence that is not true of the data, on the side that harms."""
    found = []
    for position, (asked, answer, spoken) in enumerate(
        zip(case.decision["requirements"], assessment["answers"], lines, strict=True)
    ):
        if case.lie is not None:
            continue
        wrong = [*_limit(case.limit(answer), answer, spoken[0])]
        if len(spoken) > 1 and answer["status"] == "allowed":
            wrong += _at_epsilon(case, asked, answer, spoken[1])
        found += [
            Finding(
                what=f"words: {spoken[-1].strip()}",
                kind=asked["kind"],
                claimed=claimed,
                true=true,
                case=case,
                position=position,
            )
            for claimed, true in wrong
        ]
    return found


def _limit(epsilon: float | None, answer: Told, line: str) -> list[tuple[float, float]]:
    match = LIMIT.search(line)
    if answer["status"] != "allowed" or epsilon is None or match is None:
        return []
    printed = _float(match[2])
    same = abs(printed - epsilon) <= 2e-14 * epsilon  # the number itself, but for the last step down
    wrong = not same and (printed > epsilon if match[1] == "most" else printed < epsilon)
    return [(printed, epsilon)] if wrong else []


def _at_epsilon(case: Case, asked: Told, answer: Told, line: str) -> list[tuple[float, float]]:
    match = SAYS.search(line)
    if match is None:
        return [(math.nan, math.nan)] if asked["kind"] in _READ else []  # a sentence that cannot be read is no proof
    world, binding = conditions(case.world, asked, answer)
    binding = {**binding, **answer["at_epsilon"]}
    read = _READ.get(asked["kind"])
    return [] if read is None else read(world, asked, case.budget, binding, match[1])


# ------------------------------------------------------------------------------------------- kind by kind

Pairs = list[tuple[float, float]]


def _at_most(said_: list[float], true: float) -> Pairs:
    """Return the pair where the last number said is below the TRUE one."""
    return [(said_[-1], true)] if said_ and said_[-1] < true * (1 - 2e-4) - 1e-12 else []


def _risk(world: World, asked: Told, epsilon: float, binding: Told, text: str) -> Pairs:
    times = [_float(x) for x in TIMES.findall(text)]
    p, q = binding.get("p"), binding.get("q")
    certain = "Take" not in text and "verage" not in text  # as for every release: no less is promised
    if asked.get("statement", "certain") != "certain" and not certain:
        return _rarely(world, asked, epsilon, binding, text)
    if p is None or q is None or not times or "odds" in binding:
        return []
    ratio = promises.learned(world, {**asked, "statement": "certain"}, epsilon, p or 1e-9, q or 1e-9)
    return [*_at_most(times, ratio * (1 - 1e-7)), *_at_most(_chances(text)[:1], ratio * p * q)]


def _rarely(world: World, asked: Told, epsilon: float, binding: Told, text: str) -> Pairs:
    """How many are lifted from where to where, or to where belief rises on average."""
    p, q = binding.get("p"), binding.get("q")
    lifted, fewer, times = LIFTED.search(text), FEWER.search(text), TIMES.search(text)
    found = []
    if asked["statement"] == "tolerance" and fewer is not None:
        found = [(_float(fewer[2]) / _float(fewer[1]), asked["tolerance"])]
        found = [pair for pair in found if pair[0] < pair[1] * (1 - 1e-9)]
    if p and q and lifted is not None:
        true = promises.learned(world, asked, epsilon, p, q) * p * q
        found += _at_most(_chances(lifted[2]), true)
    elif times is not None and p is not None and q is not None and "odds" not in binding and min(p, q) == 0.0:
        true = promises.learned(world, asked, epsilon, p or 1e-9, q or 1e-9)
        found += _at_most([_float(times[1])], true * (1 - 1e-7))
    elif fewer is None and "next to certainty" not in text:
        found += [(math.nan, math.nan)]
    return found


def _guessed(world: World, asked: Told, epsilon: float, binding: Told, text: str) -> Pairs:
    guessed = GUESSED.search(text)
    if guessed is None:
        return _harm(world, asked, epsilon, binding, text)
    after = guesses.expected(world, asked["attributes"][0], epsilon)[1]
    share = _float(guessed[2]) / _float(guessed[1])
    return [(share, after)] if share < after - 2e-4 else []


def _even(world: World, asked: Told, epsilon: float, binding: Told, text: str) -> Pairs:
    return _at_most(_chances(text)[:1], (1 + JUDGES[asked["kind"]](world, asked, epsilon, binding)[0]) / 2)


def _harm(world: World, asked: Told, epsilon: float, binding: Told, text: str) -> Pairs:
    said_ = [*_chances(text), *([1.0] if "next to certainty" in text else [])]
    return _at_most(said_, JUDGES[asked["kind"]](world, asked, epsilon, binding)[0])


def _figure(world: World, asked: Told, epsilon: float, binding: Told, text: str) -> Pairs:
    """A figure that is printed with three digits or more, rounded to the nearest."""
    numbers = [_float(x) for x in re.findall(NUMBER, text)]
    true = JUDGES[asked["kind"]](world, asked, epsilon, binding)[0]
    return [(numbers[-1], true)] if numbers and numbers[-1] < true * 0.994 else []


def _interval(world: World, asked: Told, epsilon: float, binding: Told, text: str) -> Pairs:
    width = re.search(rf"within {NUMBER} of the true", text)
    chances = _chances(text)
    if width is None or not chances:
        return []
    missed = needs.noise_interval(world, {**asked, "half_width": _float(width[1])}, epsilon, {})[0]
    return [(chances[-1], 1 - missed)] if chances[-1] > 1 - missed + 1e-9 else []


def _exactly(world: World, asked: Told, epsilon: float, binding: Told, text: str) -> Pairs:
    hit = 1 - needs.exact_probability(world, asked, epsilon, {})[0]
    return [(c, hit) for c in _chances(text)[-1:] if c > hit + 1e-9]


def _spent(world: World, asked: Told, epsilon: float, binding: Told, text: str) -> Pairs:
    numbers = [_float(x) for x in re.findall(NUMBER, text)]
    if asked.get("composition") == "zcdp" and numbers:
        true = JUDGES["budget"](world, asked, epsilon, binding)[0]
        return [(numbers[0], true)] if numbers[0] < true * (1 - 1e-9) else []
    open_ended = world.open_ended
    if asked.get("composition", "basic") != "basic" or open_ended or not numbers:
        return []
    true = float(world.losses(epsilon, world.neighbours, earlier=True).max())
    return [(numbers[0], true)] if math.isfinite(true) and numbers[0] < true * (1 - 1e-9) else []


_READ: dict[str, Callable[[World, Told, float, Told, str], Pairs]] = {
    "relative_risk": _risk,
    "lee_clifton": _harm,
    "participation": _harm,
    "two_worlds": _harm,
    "attack_advantage": _even,
    "attack_success": _harm,
    "guessing_advantage": _guessed,
    "categorical_advantage": _harm,
    "compensation": _figure,
    "budget": _spent,
    "rmse": _figure,
    "mean_absolute_error": _figure,
    "noise_interval": _interval,
    "exact_probability": _exactly,
    "switch_probability": _harm,
}


# ------------------------------------------------------------------------------------------- the report

OUTSIDE = re.compile(rf"this one person(?:'s values)? becomes at most {NUMBER} times as likely as before")
ANALYST = re.compile(rf"they would be right in at most {NUMBER} of {NUMBER} cases")
ITSELF = re.compile(rf"With this noise: right in about {NUMBER}, wrong in about {NUMBER}")


def untrue_of_anybody(case: Case, text: str) -> list[tuple[str, float, float]]:
    """Return what the report says of one person and of any intruder, where the release does more: (what, said, true).

    Only of noise with a largest loss, and where nothing is published without noise.
    """
    world, epsilon = case.world, case.budget
    open_ended = world.open_ended or world.exact
    if open_ended or world.shows("replace") or case.lie is not None:
        return []
    apart = float(world.losses(epsilon, "replace").max())
    alone = 0.0 if world.neighbours == "replace" else float(world.losses(epsilon, "add_remove").max())
    found = []
    times = [_float(x) for x in OUTSIDE.findall(text)]
    if times and times[0] < math.exp(max(apart, alone)) * (1 - 1e-9):
        found.append(("an intruder outside the classes", times[0], math.exp(max(apart, alone))))
    right = max(_told_apart(loss) for loss in world.worst_losses(epsilon, world.neighbours, 2))
    shares = [_float(a) / _float(b) for a, b in ANALYST.findall(text)]
    if shares and shares[0] < right - 1e-3:
        found.append(("an analyst, at most", shares[0], right))
    itself = [_float(a) / (_float(a) + _float(b)) for a, b in ITSELF.findall(text)]
    if itself and shares and abs(itself[0] - right) > 0.012:
        found.append(("an analyst, this noise", itself[0], right))
    return found


def _told_apart(loss: Loss) -> float:
    """Return how often the likelier of two worlds is the true one, ties halved; a grid's cell below the truth."""
    values = loss.values
    near = abs(values) <= loss.grain * loss.number
    return float(loss.down[values > loss.grain * loss.number].sum() + 0.5 * loss.down[near].sum())
