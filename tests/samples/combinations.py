"""Decisions drawn at random over everything a decision can say, so that each kind meets each noise in each statement.

Kinds, mechanisms, and what can be chosen of a field are read off the program's own registries, so a new one joins by
itself; what is plausible to answer comes from the samples of kinds, profiles and priors.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from typing import Any, Literal, NamedTuple, get_args, get_origin

from pydantic import BaseModel

from dpwizard.base.errors import DPWizardError
from dpwizard.base.language import LANGUAGES
from dpwizard.decision import FORMAT, Decision, read_decision, to_json
from dpwizard.decision.adversaries import ADVERSARIES, add_feared, feared
from dpwizard.decision.decision import Details
from dpwizard.decision.earlier import EarlierRelease
from dpwizard.decision.release import Release
from dpwizard.decision.requirements import kinds
from dpwizard.decision.steps import assumptions
from dpwizard.decision.tables import NeighbouringRelation, Statistic
from dpwizard.privacy.mechanisms import MECHANISMS
from tests.samples import priors, profiles, requirements

Told = dict[str, Any]
SEED = 20261124
ALL = 500
OFTEN = 5  # how many times each combination is drawn in ALL of them
ATTEMPTS = 40
SEVERAL_NUMBERS = ("histogram", "vector")
ATTRIBUTES = ("age", "income")


class Combination(NamedTuple):
    """A kind of requirement, what it states where it can state several things, and the noise it meets."""

    kind: str
    statement: str
    mechanism: str


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A decision file, the combinations in it, and its number in the sequence."""

    number: int
    decision: Told
    combinations: tuple[Combination, ...]


# --------------------------------------------------------------------------------------- the registries


def choices(annotation: Any) -> tuple[Any, ...]:
    """Return what can be chosen of a field by its type: the members of every Literal in it."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return tuple(choice for part in get_args(annotation) for choice in choices(part))


@cache
def chosen_fields(model: type[BaseModel]) -> dict[str, tuple[Any, ...]]:
    """Return the fields of MODEL that hold one of several choices, with these."""
    found = {name: choices(field.annotation) for name, field in model.model_fields.items()}
    return {name: among for name, among in found.items() if len(among) > 1}


def statements(kind: str) -> tuple[str, ...]:
    """Return what a requirement of KIND can state; of most kinds there is one thing only."""
    return chosen_fields(kinds()[kind]).get("statement", ("",))


def every_combination() -> tuple[Combination, ...]:
    """Return each kind with each of its statements under each mechanism."""
    return tuple(
        Combination(kind, statement, mechanism)
        for kind in kinds()
        for statement in statements(kind)
        for mechanism in MECHANISMS
    )


# ----------------------------------------------------------------------------------------- all of them


def sequence(seed: int = SEED, count: int = ALL) -> Iterator[Drawn]:
    """Yield COUNT decisions; by the last, each combination was drawn OFTEN times or more where COUNT is ALL.

    The first draws of a combination come before any second one, so that a few decisions already hold most kinds.
    """
    rng = random.Random(seed)
    waiting: dict[str, Iterator[Combination]] = {}
    per_mechanism: dict[str, list[Combination]] = {name: [] for name in MECHANISMS}
    for combination in every_combination():
        per_mechanism[combination.mechanism].append(combination)
    for mechanism, found in per_mechanism.items():
        rng.shuffle(found)
        waiting[mechanism] = cycle(found)
    needed = max(len(found) for found in per_mechanism.values()) * OFTEN * len(MECHANISMS)
    each = -(-needed // ALL)
    for number in range(count):
        mechanism = list(MECHANISMS)[number % len(MECHANISMS)]
        wanted = [next(waiting[mechanism]) for _ in range(each)]
        yield _one(random.Random(f"{seed} {number}"), number, mechanism, wanted)


def _one(rng: random.Random, number: int, mechanism: str, wanted: list[Combination]) -> Drawn:
    """Return a decision that holds what is WANTED; what the format refuses is drawn again, with less and less in it."""
    for attempt in range(ATTEMPTS):
        fullness = max(0.0, 1.0 - attempt / (ATTEMPTS - 10))
        told = a_decision(rng, mechanism, wanted, fullness) | {"title": f"Combination {number}"}
        try:
            decision = read_decision(told)
        except DPWizardError as problem:
            refused = problem
            continue
        told["acknowledged"] = [{"assumption": key, "text": "As shown."} for key in assumptions(decision)]
        return Drawn(number=number, decision=told, combinations=tuple(wanted))
    raise AssertionError(f"no decision with {wanted} can be read: {refused}")


# ----------------------------------------------------------------------------------------- one decision


def a_decision(rng: random.Random, mechanism: str, wanted: list[Combination], fullness: float = 1.0) -> Told:
    """Draw a decision on a release with noise of MECHANISM and the requirements WANTED; FULLNESS is how much of what
    may be left out is filled in.
    """
    release = a_release(rng, mechanism, fullness)
    names = [part["name"] for part in release.get("parts", ())]
    asked = [a_requirement(rng, one, names, fullness) for one in wanted]
    details: Told = {name: rng.choice(among) for name, among in chosen_fields(Details).items() if rng.random() < 0.3}
    details |= {"record_number": "7", "authors": ["An author"], "approver": "An approver", "product": "Counts"}
    decision: Told = {"format": FORMAT, "release": release, "requirements": asked, "details": details}
    decision |= {"justification": "The figures are needed.", "exception_reason": "They are needed sooner."}
    decision |= {"outcome": rng.choice(choices(Decision.model_fields["outcome"].annotation))}
    decision["language"] = rng.choice(tuple(LANGUAGES))
    budget = few_digits(rng, 0.01, 4)
    counted = rng.choice(("epsilon", "epsilon", "rho")) if MECHANISMS[mechanism].needs_delta else "epsilon"
    if rng.random() < 0.95:
        decision[counted] = budget
    for name in chosen_fields(Decision).keys() - {"outcome", "requirements", "release"}:
        if rng.random() < 0.3 * fullness:
            decision[name] = rng.choice(chosen_fields(Decision)[name])
    return decision


def few_digits(rng: random.Random, low: float, high: float) -> float:
    """Return a number between LOW and HIGH with three digits; small ones are as frequent as large ones."""
    return float(f"{low * (high / low) ** rng.random():.3g}")


def a_release(rng: random.Random, mechanism: str, fullness: float) -> Told:
    """Draw a release of one table or several, most of them with noise of MECHANISM."""
    tables = rng.choice((1, 1, 1, 1, 2, 3, 3, 5, 8, 20))
    release: Told = {"neighbours": rng.choice(choices(NeighbouringRelation)), "unit": "one person"}
    release |= _table(rng, mechanism, fullness)
    for name, among in chosen_fields(Release).items():
        if name not in {"statistic", "mechanism", "neighbours", "allocation"} and rng.random() < 0.15 * fullness:
            release[name] = [rng.choice(among)] if name == "post_processing" else rng.choice(among)
    numbers = {"repetitions": (2, 5, 30), "contributions": (2, 3), "cap": (1, 4), "population": (50, 10_000)}
    numbers |= {"slices_per_person": (2, 12), "sampling_fraction": (0.1, 1.0), "at_most_years": (1, 2)}
    for name, among in numbers.items():
        if rng.random() < 0.15 * fullness:
            release[name] = rng.choice(among)
    for name in ("distinct_cells", "sample_secret"):
        if rng.random() < 0.15 * fullness:
            release[name] = rng.random() < 0.5
    if rng.random() < 0.95:
        release["delta"] = 10.0 ** -rng.randint(3, 12)
    if rng.random() < 0.15 * fullness:
        release["exact_figures"] = [{"name": "All", "reads": list(ATTRIBUTES[: rng.randint(0, 2)])}]
    if rng.random() < 0.3 * fullness:
        release["spent"] = [_spent(rng) for _ in range(rng.randint(1, 3))]
    if tables > 1:
        release |= _parts(rng, mechanism, tables, fullness)
    return release


def _table(rng: random.Random, mechanism: str, fullness: float) -> Told:
    """Draw the figures of a table."""
    statistic = rng.choice(choices(Statistic))
    far = rng.choice((1, 1, 1, 2, 5, 40)) if rng.random() < 0.85 else few_digits(rng, 0.1, 100)
    stated: Told = {"statistic": statistic, "mechanism": mechanism, "sensitivity": far}
    if statistic in SEVERAL_NUMBERS:
        stated["dimension"] = rng.choice((2, 10, 100, 5_000))
    if rng.random() < 0.5:
        stated["sensitivity_other"] = far * rng.choice((0.5, 1, 2))
    if rng.random() < 0.4:
        stated["step"] = 1
    if rng.random() < 0.4 * fullness:
        stated["reads"] = list(ATTRIBUTES[: rng.randint(0, 2)])
    if rng.random() < 0.4 * fullness:
        stated["effects"] = {name: rng.choice((0, 1, 0.5)) for name in ATTRIBUTES[: rng.randint(1, 2)]}
    return stated


def _spent(rng: random.Random) -> Told:
    earlier: Told = {"record": "Last year", rng.choice(("epsilon", "epsilon", "rho")): few_digits(rng, 0.001, 1)}
    for name, among in chosen_fields(EarlierRelease).items():
        if name == "neighbours" or rng.random() < 0.5:
            earlier[name] = rng.choice(among)
    optional = {"delta": 1e-6, "sensitivity": 1, "sensitivity_other": 1, "times": 4, "effects": {"age": 1}}
    return earlier | {name: value for name, value in optional.items() if rng.random() < 0.3}


def _parts(rng: random.Random, mechanism: str, count: int, fullness: float) -> Told:
    """Draw COUNT tables, and in which way they share the budget."""
    allocation = rng.choice(choices(Release.model_fields["allocation"].annotation))
    amount = rng.choice(("share", "share", "share", "epsilon", "rho"))
    groups, years, levels = (rng.random() < 0.25 * fullness for _ in range(3))
    mixed = rng.random() < 0.3
    parts: list[Told] = []
    for index in range(count):
        own = rng.choice(tuple(MECHANISMS)) if mixed and index else mechanism
        part = {"name": f"Table {index + 1}", **_table(rng, own, fullness)}
        if allocation == "stated" and amount == "share":
            part["share"] = f"1/{count}"
        elif allocation == "stated":
            part[amount] = few_digits(rng, 0.01, 0.5)
        if allocation == "weights" and rng.random() < 0.7:
            part["weight"] = few_digits(rng, 0.1, 10)
        if groups:
            part |= {"group": rng.choice(("north", "south")), "moves": rng.random() < 0.5}
        if years:
            part["year"] = rng.choice(("2025", "2026"))
        if levels:
            part["level"] = rng.choice(("county", "state"))
        if rng.random() < 0.2 * fullness:
            part["times"] = rng.choice((2, 12))
        if rng.random() < 0.2 * fullness:
            part["contributions"] = rng.choice((1, 3))
        if not groups and index and rng.random() < 0.15 * fullness:
            part["disjoint_with"] = [parts[-1]["name"]]
        parts.append(part)
    shared: Told = {"parts": parts, **({"levels": ["county", "state"]} if levels else {})}
    return shared if rng.random() < 0.2 and allocation == "stated" else shared | {"allocation": allocation}


# ---------------------------------------------------------------------------------------- one requirement


def a_requirement(rng: random.Random, wanted: Combination, names: list[str], fullness: float) -> Told:
    """Draw a requirement of the kind and the statement WANTED, of a table called one of NAMES."""
    model = kinds()[wanted.kind]
    samples = requirements.SAMPLES[wanted.kind]
    stating = [one for one in samples if one.get("statement", "certain") == wanted.statement]
    asked: Told = {"kind": wanted.kind, **_moved(rng, rng.choice(stating or samples), fullness)}
    for name, among in chosen_fields(model).items():
        if name != "profile" and rng.random() < (0.25 if name in asked else 0.15) * fullness:
            asked[name] = rng.choice(among)
    if wanted.statement:
        asked["statement"] = wanted.statement
    if wanted.statement == "tolerance":
        asked.setdefault("tolerance", few_digits(rng, 1e-6, 0.5))
    if "attribute" in model.model_fields and rng.random() < 0.3 * fullness:
        asked["attribute"] = rng.choice(ATTRIBUTES)
    if "part" in model.model_fields and names:
        asked["part"] = rng.choice(names)
    if rng.random() < 0.08 * fullness:
        asked |= {"enabled": False, "off_reason": "It does not apply."}
    return asked


def _moved(rng: random.Random, sample: Any, fullness: float) -> Any:
    """Return SAMPLE with other profiles and beliefs, and its numbers a little elsewhere."""
    if isinstance(sample, dict):
        if "shape" in sample:
            return profiles.at_random(rng, rng.choice(profiles.SHAPES)) if rng.random() < 0.6 * fullness else sample
        if "family" in sample:
            return priors.wide(rng.choice(priors.FAMILIES)) if rng.random() < 0.6 * fullness else sample
        return {name: _moved(rng, value, fullness) for name, value in sample.items()}
    if isinstance(sample, list):
        return [_moved(rng, value, fullness) for value in sample]
    if isinstance(sample, bool) or not isinstance(sample, int | float) or rng.random() > 0.5 * fullness:
        return sample
    if isinstance(sample, int):
        return sample if sample < 2 else max(1, round(sample * few_digits(rng, 0.5, 3)))
    return few_digits(rng, 0.3 * sample, 3 * sample) if sample > 0 else sample


# ----------------------------------------------------------------------------- what the window proposes by itself


def proposed(mechanism: str, tables: int = 1) -> Told:
    """Return a decision on TABLES histograms that share the budget evenly, with the promise that the window proposes
    for everybody one may fear; what it leaves open is answered as the samples do.
    """
    histogram: Told = {"statistic": "histogram", "sensitivity": 1, "dimension": 12}
    release: Told = {"neighbours": "add_remove", "unit": "one person", "mechanism": mechanism}
    if MECHANISMS[mechanism].needs_delta:
        release["delta"] = 1e-6
    parts = [{"name": f"Table {index + 1}", "share": f"1/{tables}", **histogram} for index in range(tables)]
    release |= {"parts": parts} if tables > 1 else histogram
    decision = read_decision({"format": FORMAT, "release": release})
    for who in ADVERSARIES:
        if feared(decision.release, who).why_not is None:
            decision = add_feared(decision, who, who)
    told = to_json(decision)
    for asked in told.get("requirements", ()):
        samples = requirements.SAMPLES[asked["kind"]]
        alike = [one for one in samples if one.get("statement") == asked.get("statement")]
        asked |= {name: value for name, value in (alike or samples)[0].items() if name not in asked}
    told |= {"title": f"{tables} histograms with {mechanism} noise", "language": "en", "epsilon": 1.0}
    told |= {"justification": "The figures are needed.", "outcome": "refer"}
    return told
