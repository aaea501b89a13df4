"""What later versions corrected: limits above what is proved, and the words for a record that rested on one.

A record says which version made it. Where that is older than the version named here and a limit of a listed kind
has fallen since, a replay calls the limit corrected; every other difference stays one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from dpwizard.decision import BaseRequirement, Decision, Release, read_decision
from dpwizard.privacy.mechanisms import mechanisms_named
from dpwizard.records.comparison import Difference, older
from dpwizard.records.record import read_record
from dpwizard.wording import explain, quoted

PRIVACY = (
    "relative_risk",
    "lee_clifton",
    "participation",
    "guessing_advantage",
    "categorical_advantage",
    "privacy_at_risk",
    "compensation",
    "persuasive_privacy",
)
NEEDS = ("rmse", "mean_absolute_error", "noise_interval", "exact_probability", "switch_probability")
OF_ANSWER = re.compile(r"\$\.assessment\.answers\[(\d+)\]\.(\w+)")
FOLLOWS = re.compile(
    r"\$\.(?:assessment\.(?:window|inside|problems)|accounting\.(?:window|delta_in_all)"
    r"|influence|implementation|sentences)\b"
)
OF_EPSILON = re.compile(r"\$\.(?:assessment\.(?:epsilon|inside)|accounting\.epsilon_\w+)")
NO_LIMIT = ("not_applicable", "infeasible", "unanswered", "failed")


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A correction: the kinds it changed, the decisions it speaks of, the version it came with, its reason's key."""

    reason: str
    since: str
    kinds: tuple[str, ...]
    applies: Callable[[Any, Release], bool]
    sharper: bool = False  # whether it allows more, or asks for less, than was proved before


def _tables(_: Any, release: Release) -> bool:
    return not release.tables[0].whole


def _before_all(_: Any, release: Release) -> bool:
    return release.priors_from == "before_all" and bool(release.spent)


def _whole(_: Any, release: Release) -> bool:
    means = [table.mechanism for table in release.tables if table.statistic == "mean"]
    means += [release.mechanism] if release.statistic in ("mean", "sum") else []
    return mechanisms_named(means).on_lattice


def _value(requirement: Any, release: Release) -> bool:
    ranged = getattr(requirement, "kind", "") == "lee_clifton"  # its range may have been wider than the noise covers
    return ranged or (release.neighbours == "add_remove" and getattr(requirement, "score", "log") == "log")


def _effect(requirement: Any, release: Release) -> bool:
    moved = ("histogram", "vector") if getattr(requirement, "score", None) else ("histogram", "count")
    stepped = not getattr(requirement, "score", None) and release.noise.on_lattice
    return stepped or any(
        statistic in moved for statistic in (release.statistic, *(table.statistic for table in release.tables))
    )


def _worst(requirement: Any, _: Release) -> bool:
    return any(attribute.truth == "worst" for attribute in getattr(requirement, "attributes", ()) or ())


def _joint(requirement: Any, _: Release) -> bool:
    return getattr(requirement, "combine", "one") != "one"


def _shifts(requirement: Any, release: Release) -> bool:
    return release.noise.on_lattice and getattr(requirement, "model", "plain") == "expected_loss"


def _gaussian(_: Any, release: Release) -> bool:
    return release.noise.takes_delta


def _gaussian_tables(_: Any, release: Release) -> bool:
    return release.noise.takes_delta and len(release.tables) > 1


def _exact_figures(_: Any, release: Release) -> bool:
    return bool(release.published_elsewhere) or release.noise.absent_somewhere


def _contributions(_: Any, release: Release) -> bool:
    return release.rows > 1


def _without_noise(_: Any, release: Release) -> bool:
    return release.noise.absent


def _always(_: Any, release: Release) -> bool:
    return True


# What fell, or asks for more, in each version; the first that applies gives the reason.
RULES = (
    Rule(reason="worst_victim", since="0.2.0", kinds=("guessing_advantage",), applies=_worst),
    Rule(reason="independent", since="0.2.0", kinds=("guessing_advantage",), applies=_joint),
    Rule(reason="shifts", since="0.2.0", kinds=("compensation",), applies=_shifts),
    Rule(reason="threshold", since="0.2.0", kinds=("switch_probability",), applies=_always),
    Rule(reason="delta", since="0.2.0", kinds=("budget",), applies=_gaussian),
    Rule(reason="tables", since="0.2.0", kinds=(*PRIVACY, "budget"), applies=_tables),
    Rule(reason="gaussian_tables", since="0.2.0", kinds=NEEDS, applies=_gaussian_tables),
    Rule(reason="before_all", since="0.2.0", kinds=PRIVACY, applies=_before_all),
    Rule(reason="value", since="0.2.0", kinds=("lee_clifton", "persuasive_privacy"), applies=_value),
    Rule(reason="effect", since="0.2.0", kinds=("guessing_advantage", "persuasive_privacy"), applies=_effect),
    Rule(reason="whole_numbers", since="0.2.0", kinds=(*PRIVACY, *NEEDS, "budget"), applies=_whole),
    Rule(reason="exact_figures", since="0.2.0", kinds=PRIVACY, applies=_exact_figures),
    Rule(reason="contributions", since="0.2.0", kinds=(*PRIVACY, "budget"), applies=_contributions),
    Rule(reason="exact_figures", since="0.3.0", kinds=(*PRIVACY, "budget"), applies=_exact_figures),
    Rule(reason="divided", since="0.3.0", kinds=(*PRIVACY, *NEEDS), applies=_gaussian_tables, sharper=True),
    Rule(reason="composed", since="0.3.0", kinds=(*PRIVACY, "budget"), applies=_tables, sharper=True),
    Rule(reason="earlier", since="0.3.0", kinds=(*PRIVACY, "budget"), applies=_before_all, sharper=True),
    Rule(reason="joint", since="0.3.0", kinds=("guessing_advantage",), applies=_joint, sharper=True),
    Rule(reason="bounded", since="0.3.0", kinds=("guessing_advantage",), applies=_worst, sharper=True),
)
OF_RELEASE = MappingProxyType(
    {"without_noise": _without_noise, "gaussian_tables": _gaussian_tables}
    | {"whole_numbers": _whole, "contributions": _contributions}
)


@dataclass(frozen=True, kw_only=True)
class Correction:
    """One limit of an old record that was corrected since: whose, why, what it was and what it is."""

    requirement: int | None  # its position; None: something of the release itself
    kind: str
    reason: str
    since: str  # the version it was corrected in
    was: float | None  # the epsilon the record states; None where it stated none
    now: float | None  # today's; None where there is none
    status_was: str
    status_now: str
    words: str


@dataclass(frozen=True, kw_only=True)
class Corrected:
    """What of a replay's differences is a correction (`whole`: all), and where the signed epsilon lies today."""

    corrections: tuple[Correction, ...] = ()
    whole: bool = False
    epsilon: float | None = None
    inside: bool | None = None  # of today's window; None where there is no epsilon, or nothing can be said of it
    silent: bool = False  # a requirement that gave a limit says nothing today

    @property
    def place(self) -> str:
        """Return in a sentence where the epsilon signed lies now; nothing where that cannot be said."""
        if self.epsilon is not None and self.silent:
            return explain.say("corrected", "silent", {"epsilon": self.epsilon})
        if self.epsilon is None or self.inside is None or not self.corrections:
            return ""
        return explain.say("corrected", "inside" if self.inside else "outside", {"epsilon": self.epsilon})


def judged(raw: Any, differences: tuple[Difference, ...]) -> Corrected:
    """Return which of the DIFFERENCES that a replay of the record RAW found are corrections made since by this program.

    Raises InvalidInput where RAW is no record.
    """
    record = read_record(raw)
    program = record.get("program")
    made_by = program.get("version") if isinstance(program, dict) else None
    decision = read_decision(record["decision"], "$.decision")
    by_answer: dict[int, dict[str, Difference]] = {}
    for difference in differences:
        if match := OF_ANSWER.match(difference.where):
            by_answer.setdefault(int(match[1]), {}).setdefault(match[2], difference)
    places = _places(record)
    found: list[Correction] = []
    for shown, fields in sorted(by_answer.items()):
        index = places[shown] if shown < len(places) else shown
        if index < len(decision.requirements):
            found += _of_answer(record, decision, index, fields, made_by)
    told = {correction.reason for correction in found}
    found += [one for one in _of_release(decision, differences, made_by) if one.reason not in told]
    of_answers = {correction.requirement for correction in found}
    noiseless = any(correction.reason == "without_noise" for correction in found)
    explained = bool(found) and all(
        _explained(d.where, of_answers, places) or (noiseless and OF_EPSILON.match(d.where) is not None)
        for d in differences
    )
    assessment = record["assessment"]
    inside = next((d.replayed for d in differences if d.where == "$.assessment.inside"), assessment.get("inside"))
    window = assessment.get("window")
    hidden = isinstance(window, dict) and window.get("withheld")
    # the window is not complete today
    silent = any(one.status_now in NO_LIMIT and one.status_now != "infeasible" for one in found)
    return Corrected(
        corrections=tuple(found),
        whole=explained,
        epsilon=decision.chosen,
        inside=inside if isinstance(inside, bool) and not hidden and not silent else None,
        silent=silent,
    )


def _places(record: dict[str, Any]) -> list[int]:
    """Return the positions of the answers that a replay compares: a public edition leaves some out."""
    answers = record["assessment"].get("answers")
    if not isinstance(answers, list):
        return []
    public = record.get("edition") == "public"
    hidden = [public and isinstance(answer, dict) and answer.get("withheld") for answer in answers]
    return [index for index, gone in enumerate(hidden) if not gone]


def _explained(where: str, of_answers: set[int | None], places: list[int]) -> bool:
    if match := OF_ANSWER.match(where):
        shown = int(match[1])
        return (places[shown] if shown < len(places) else shown) in of_answers
    return FOLLOWS.match(where) is not None


def _of_answer(
    record: dict[str, Any], decision: Decision, index: int, fields: dict[str, Difference], made_by: Any
) -> Iterator[Correction]:
    answers = record["assessment"].get("answers")
    then = answers[index] if isinstance(answers, list) and index < len(answers) else None
    then = then if isinstance(then, dict) else {}
    requirement = decision.requirements[index]
    was, now = (_number(value) for value in _both(then, fields, "epsilon"))
    status_was, status_now = (str(value) for value in _both(then, fields, "status"))
    assumed = "assumptions" in fields and status_was == status_now and "epsilon" not in fields
    for rule in _rules(requirement, decision.release, made_by):
        key = _key(requirement.end, (status_was, was), (status_now, now), sharper=rule.sharper)
        key = key or ("assumption" if assumed and not rule.sharper else "")
        if key:
            break
    else:
        return
    figures = {
        "name": quoted(requirement.name or explain.word("kind", requirement.kind)),
        "version": str(made_by),
        "was": was,
        "now": now,
        "before": explain.word("status", status_was),
        "status": explain.word("status", status_now),
        "reason": explain.word("corrected_reason", rule.reason),
    }
    words = explain.say("corrected", key, figures)
    yield Correction(
        requirement=index,
        kind=requirement.kind,
        reason=rule.reason,
        since=rule.since,
        was=was,
        now=now,
        status_was=status_was,
        status_now=status_now,
        words=words,
    )


def _of_release(decision: Decision, differences: tuple[Difference, ...], made_by: Any) -> Iterator[Correction]:
    """Return what was corrected of the release itself: noise computed otherwise, or a problem that is named now."""
    if not older(made_by, "0.3.0"):
        return
    where = [d.where for d in differences]
    told = {
        "without_noise": any(OF_EPSILON.match(place) for place in where),
        "gaussian_tables": any(place.startswith(("$.implementation", "$.accounting.delta_in_all")) for place in where),
    }
    problems = any(place.startswith("$.assessment.problems") for place in where)
    for reason, applies in OF_RELEASE.items():
        if told.get(reason, problems) and applies(None, decision.release):
            since = "0.2.0" if older(made_by, "0.2.0") else "0.3.0"
            figures = {"version": str(made_by), "reason": explain.word("corrected_reason", reason)}
            words = explain.say("corrected", "release", figures)
            yield Correction(
                requirement=None,
                kind="release",
                reason=reason,
                since=since,
                was=None,
                now=None,
                status_was="",
                status_now="",
                words=words,
            )
            return


def _rules(requirement: BaseRequirement, release: Release, made_by: Any) -> Iterator[Rule]:
    kind = getattr(requirement, "kind", "")
    known = (rule for rule in RULES if kind in rule.kinds and older(made_by, rule.since))
    return (rule for rule in known if rule.applies(requirement, release))


def _key(end: str, was: tuple[str, float | None], now: tuple[str, float | None], *, sharper: bool) -> str:
    """Return the key of the sentence on a limit that fell, or a need that rose; of the other way round if SHARPER.

    Nothing of one that did neither.
    """
    if sharper:
        if now[1] is None or now[0] != "allowed":
            return "proved_now" if now[0] == "unbounded" and was[0] != now[0] else ""
        if was[1] is None:
            return "proved_now" if was[0] == "not_applicable" else ""
        return f"{end}_sharper" if (now[1] > was[1] if end == "upper" else now[1] < was[1]) else ""
    if was[0] == now[0] == "allowed" and was[1] is not None and now[1] is not None:
        fell = now[1] < was[1] if end == "upper" else now[1] > was[1]
        return end if fell else ""
    if now[0] in NO_LIMIT and was[0] != now[0]:
        return f"{end}_gone" if was[1] is not None and end != "verdict" else "gone"
    if was[0] == "unbounded" and now[0] == "allowed" and now[1] is not None:
        return "unbounded"
    return ""


def _both(then: dict[str, Any], fields: dict[str, Difference], name: str) -> tuple[Any, Any]:
    found = fields.get(name)
    return (then.get(name), then.get(name)) if found is None else (found.recorded, found.replayed)


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
