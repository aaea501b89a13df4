"""A record compared with what its decision gives, solved and said again: every member of it, number by number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from dpwizard.decision import Assessment, Decision, assess, assumptions, read_decision, written
from dpwizard.language import counting, speaking
from dpwizard.records.record import (
    INTERNAL,
    PUBLIC,
    TOLERANCE,
    accounting,
    implementation,
    influence,
    read_record,
    sentences,
)
from dpwizard.values import plain
from dpwizard.version import __version__
from dpwizard.wording import explain

NUMBER = re.compile(r"\d[\d.]*(?:e[+-]?\d+)?")


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One number or word in which a replay differs from the record."""

    where: str
    recorded: Any
    replayed: Any


def older(made_by: Any, version: str) -> bool:
    """Return whether the version MADE_BY comes before VERSION; what is no version does not."""
    if not isinstance(made_by, str) or re.fullmatch(r"\d{1,6}(\.\d{1,6}){0,3}", made_by) is None:
        return False
    return [int(piece) for piece in made_by.split(".")] < [int(piece) for piece in version.split(".")]


def replay(raw: Any) -> tuple[Difference, ...]:
    """Solve the decision of a record again; return every member that differs from what the decision gives.

    Numbers may differ within TOLERANCE; texts may not. What no decision gives (who made the record, when, on what) has
    a closed form that `read_record` asks for. Raises InvalidInput if RAW is no record or its decision cannot be read.
    """
    record = read_record(raw)
    decision = read_decision(record["decision"], "$.decision")
    assessment = assess(decision)
    fresh: dict[str, Any] = {
        "tolerance": TOLERANCE,
        "assessment": plain(assessment),
        "accounting": plain(accounting(decision, assessment)),
        "implementation": _with_forms_of_calls(plain(implementation(decision.planned.release, decision.chosen))),
        "sentences": plain({"language": decision.language, **sentences(decision, assessment)}),
    }
    old = {**record, "implementation": _with_forms_of_calls(record.get("implementation"))}
    if "influence" in record:
        old["influence"] = _by_place(record["influence"])
        fresh["influence"] = _by_place(plain(influence(decision, assessment)))
    if by_older(record):
        old, fresh = _as_older(old, fresh)
    if record.get("edition") == PUBLIC:
        old, fresh = _as_public(old, fresh)
        with speaking(decision.language):
            knowing_more = _said_knowing_more(decision, assessment)
            old["sentences"] = _with_left_out(old["sentences"], fresh["sentences"], knowing_more)
    elif not by_older(record):
        fresh["decision"] = plain(written(decision.as_recorded()))
    found = [one for name in fresh for one in _differences(f"$.{name}", old.get(name), fresh[name], TOLERANCE)]
    return (*found, *_of_members(record))


def false_claims(raw: Any) -> tuple[Difference, ...]:
    """Return what `replay` finds, without the sentences that an older version of the program may have worded otherwise.

    For those who repeat no sentence of the record. Raises what `replay` raises.
    """
    reworded = by_older(read_record(raw))
    return tuple(one for one in replay(raw) if not (reworded and one.where.startswith("$.sentences.")))


def by_older(record: Mapping[str, Any]) -> bool:
    """Return whether RECORD says that an older version of this program made it."""
    program = record.get("program")
    return isinstance(program, dict) and older(program.get("version"), __version__)


def _of_members(record: dict[str, Any]) -> Iterator[Difference]:
    """Yield each member that no record of this edition has, and each that this one lacks."""
    public = record.get("edition") == PUBLIC
    some = {"policy", "influence", *({"left_out", "internal_sha256"} if public else {"salt"})}
    every = {"format", "document", "edition", "made", "program", "platform"}
    every |= {"tolerance", "decision", "assessment", "accounting", "implementation", "sentences"}
    for name in sorted(record.keys() - every - some):
        yield Difference(where=f"$.{name}", recorded=record[name], replayed=None)
    if not by_older(record):
        for name in sorted((every if public else every | {"influence"}) - record.keys()):
            yield Difference(where=f"$.{name}", recorded=None, replayed="a member that every record has")
    if record.get("edition", INTERNAL) not in (INTERNAL, PUBLIC):
        yield Difference(where="$.edition", recorded=record["edition"], replayed=INTERNAL)


def _as_older(old: dict[str, Any], fresh: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return both sides of a replay without what versions before this one did not state, or stated in another way."""
    made = {**old, "implementation": _without_calls(old["implementation"])}
    fresh = {**fresh, "implementation": _without_calls(fresh["implementation"])}
    made["assessment"] = _with_grounds_of(old["assessment"], fresh["assessment"])
    made["assessment"] = _with_reasons_of(made["assessment"], fresh["assessment"])
    if not any("delta" in row for row in old["implementation"] if isinstance(row, dict)):
        fresh["implementation"] = [_without(row, {"delta"}) for row in fresh["implementation"]]
    _forget_chances(old["assessment"].get("answers"), fresh["assessment"]["answers"])
    if "accounting" not in old["assessment"]:
        _forget_rho(fresh)
    elif "gdp_mu" not in old["assessment"]["accounting"]:
        for name in ("gdp_mu", "at_delta"):
            fresh["assessment"]["accounting"].pop(name, None)
    if "delta_in_all" not in old.get("accounting", {}):
        fresh["accounting"].pop("delta_in_all", None)
    return made, fresh


def _forget_chances(old: Any, fresh: list[dict[str, Any]]) -> None:
    """Take out of FRESH answers the chance that a gain is larger where OLD ones, of before it was stated, lack it."""
    for one, answer in zip(old if isinstance(old, list) else (), fresh, strict=False):
        then = one.get("at_epsilon") if isinstance(one, dict) else None
        if isinstance(then, dict) and "chance_of_more" not in then:
            answer["at_epsilon"] = _without(answer["at_epsilon"], {"chance_of_more"})


def _forget_rho(fresh: dict[str, Any]) -> None:
    """Take out of a FRESH solution what says a budget in other words: as rho, as mu, as a deviation."""
    assessment = fresh["assessment"]
    del assessment["accounting"]
    for found in (assessment["window"], fresh["accounting"]["window"], *assessment["answers"]):
        for name in ("rho", "mu"):
            found.pop(name, None)
    for answer in assessment["answers"]:
        answer["at_epsilon"] = _without(answer["at_epsilon"], {"rho", "mu", "sd"})


def _with_reasons_of(old: dict[str, Any], fresh: dict[str, Any]) -> dict[str, Any]:
    """Return the assessment of an OLDER program with the reasons of the FRESH one where both answer alike.

    A later version may give its reason in another sentence, with other figures; what it answers is compared all the
    same.
    """
    answers = old.get("answers")
    if not isinstance(answers, list) or len(answers) != len(fresh["answers"]):
        return old
    made = []
    for one, other in zip(answers, fresh["answers"], strict=True):
        why = one.get("why") if isinstance(one, dict) else None
        otherwise = isinstance(why, dict) and why.get("key") != other["why"]["key"]
        made.append({**one, "why": other["why"]} if otherwise and one.get("status") == other["status"] else one)
    return {**old, "answers": made}


def _as_public(old: dict[str, Any], fresh: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return both sides of a replay without what a public edition leaves out, or says otherwise because of it."""
    answers, window = old["assessment"].get("answers"), old["assessment"].get("window")
    left_out = [item.get("where") for item in old.get("left_out", ()) if isinstance(item, dict)]
    hidden = {i for i, answer in enumerate(answers or ()) if isinstance(answer, dict) and answer.get("withheld")}
    absent = {"problems"}
    absent |= {"window", "inside"} if isinstance(window, dict) and window.get("withheld") else set()
    unaccounted = {"window"} if hidden else set()
    unaccounted |= {"spent_before", "epsilon_in_all", "delta_spent_before"} if "$.release.spent" in left_out else set()

    def kept(side: dict[str, Any]) -> dict[str, Any]:
        assessment, accounts = _without(side["assessment"], absent), _without(side.get("accounting"), unaccounted)
        assessment["window"] = _without(assessment.get("window"), {"complete"} if hidden else set())
        if isinstance(assessment.get("answers"), list):
            shown = [answer for index, answer in enumerate(assessment["answers"]) if index not in hidden]
            assessment["answers"] = [_without(answer, {"name", "why"}) for answer in shown]
        return {**side, "assessment": assessment, "accounting": accounts}

    return kept(old), kept(fresh)


def _said_knowing_more(decision: Decision, assessment: Assessment) -> frozenset[str]:
    """Return what may be said of the window, and assumed, by whoever knows what a public edition leaves out."""
    language, release = decision.language, decision.planned.release
    elsewhere = decision.model_copy(update={"release": release.model_copy(update={"published_elsewhere": "told"})})
    with counting(release.counted_in):
        said = {explain.word("assumption", key, language) for key in assumptions(elsewhere)}
        said |= {explain.say("window", "verdicts", {}, language), explain.say("window", "open", {}, language)}
        for complete, inside in product((False, True), repeat=2):
            known = replace(assessment, window=replace(assessment.window, complete=complete), inside=inside)
            said |= {explain.window(known, language), explain.position(known, language)}
    return frozenset(said)


def _with_left_out(said: Any, fresh: Any, knowing_more: frozenset[str], place: int = 0) -> Any:
    """Return what a public edition has SAID with the FRESH sentence wherever it has the words for what it leaves out.

    Arguments: knowing_more, what it may say instead; place, the position in a list.
    """
    if isinstance(said, dict) and isinstance(fresh, dict):
        return {name: _with_left_out(item, fresh.get(name), knowing_more, place) for name, item in said.items()}
    if isinstance(said, list) and isinstance(fresh, list):
        pairs = enumerate(zip(said, fresh, strict=False))
        return [_with_left_out(item, new, knowing_more, i) for i, (item, new) in pairs] or fresh
    requirement = explain.word("edition", "requirement").format(number=place + 1)
    left_out = ("", requirement, *(explain.word("edition", key) for key in ("left_out", "would_tell")))
    return fresh if said in left_out or said in knowing_more else said


def _without(found: Any, names: set[str]) -> Any:
    return {name: value for name, value in found.items() if name not in names} if isinstance(found, dict) else found


def _with_grounds_of(recorded: Any, fresh: dict[str, Any]) -> Any:
    """Return the assessment RECORDED with the grounds of the FRESH one where an answer sets no limit.

    Before version 0.2.0 such answers said "proved" whatever they were; it bound nothing. Before version 0.3.0 no answer
    named the checks it passed: those of the fresh one take their place.
    """
    answers = recorded.get("answers")
    if not isinstance(answers, list) or len(answers) != len(fresh["answers"]):
        return recorded
    kept = []
    for one, other in zip(answers, fresh["answers"], strict=True):
        bare = isinstance(one, dict) and "allowed" not in (one.get("status"), other["status"])
        then = {**one, "grounds": other["grounds"]} if bare and one.get("grounds") == "proved" else one
        named = isinstance(then, dict) and "validity" in then
        kept.append(then if named or not isinstance(then, dict) else {**then, "validity": other.get("validity")})
    return {**recorded, "answers": kept}


def _without_calls(rows: list[Any]) -> list[Any]:
    """Return the rows without the library's call."""
    return [_without(row, {"library_call"}) for row in rows]


def _with_forms_of_calls(rows: Any) -> list[Any]:
    """Return the rows with a mark for each number in the library's call: the rows state those numbers themselves."""
    made = []
    for row in rows or ():
        call = row.get("library_call") if isinstance(row, dict) else None
        made.append({**row, "library_call": NUMBER.sub("#", call)} if isinstance(call, str) else row)
    return made


def _by_place(found: Any) -> Any:
    """Return an influence with its rows by place: rows of equal swing may stand in either order."""
    if not isinstance(found, dict) or not isinstance(found.get("rows"), list):
        return found
    return {**found, "rows": {str(row.get("where")): row for row in found["rows"] if isinstance(row, dict)}}


def _differences(where: str, recorded: Any, replayed: Any, tolerance: float) -> Iterator[Difference]:
    if isinstance(recorded, dict) and isinstance(replayed, dict):
        for name in sorted(recorded.keys() | replayed.keys()):
            yield from _differences(f"{where}.{name}", recorded.get(name), replayed.get(name), tolerance)
    elif isinstance(recorded, list) and isinstance(replayed, list) and len(recorded) == len(replayed):
        for index, (one, other) in enumerate(zip(recorded, replayed, strict=True)):
            yield from _differences(f"{where}[{index}]", one, other, tolerance)
    elif not _same(recorded, replayed, tolerance):
        yield Difference(where=where, recorded=recorded, replayed=replayed)


def _same(one: Any, other: Any, tolerance: float) -> bool:
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (one, other))
    if not numbers:
        return type(one) is type(other) and bool(one == other)
    return bool(abs(one - other) <= tolerance * max(1.0, abs(one), abs(other)))
