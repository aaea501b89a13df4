"""Numbers into plain sentences: rounded to the safe side, with counts out of N, in the words of the resources.

Every sentence is generated from the numbers it speaks of. The wording lies in `resources/wording/`, one
file for each language; the language is the one spoken (`dpwizard/language.py`) unless a caller names one.
"""

from __future__ import annotations

import functools
import math
import re
import string
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import Any

from dpwizard.assessment import Answer, Assessment
from dpwizard.decision import Decision
from dpwizard.fields import Value
from dpwizard.language import ENGLISH, LANGUAGES, phrase, speaking, spoken
from dpwizard.profiles import Shape
from dpwizard.release import Part, Release
from dpwizard.requirement import BaseRequirement, Message
from dpwizard.requirements import kinds
from dpwizard.requirements.relative_risk import RelativeRisk
from dpwizard.resource_files import resource

MOST_NAMED = 8  # requirements in one sentence
MOST_PLACES = 15  # decimals; with more, nobody counts the zeros
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SMALL = 1e-3  # below this a chance is counted in 10,000
TINY = 1e-9  # below this a number is written with a power of ten
DIGITS = 7  # of a number that is written whole; one of more is rounded to six
GROUPED = 10_000  # from here on thousands are marked
NOTHING = 1e-13  # a chance below this is next to nothing


def wording(language: str | None = None) -> Mapping[str, Mapping[str, str]]:
    """Return all sentences of LANGUAGE (the one spoken if it is None) by section and key."""
    asked = language or spoken()
    return _wording(asked if asked in LANGUAGES else ENGLISH)


@functools.cache
def _wording(language: str) -> Mapping[str, Mapping[str, str]]:
    with resource("wording", f"{language}.toml").open("rb") as stream:
        found = tomllib.load(stream)
    if language == ENGLISH:
        return found
    return {section: {**texts, **found.get(section, {})} for section, texts in _wording(ENGLISH).items()}


def word(section: str, key: str | None, language: str | None = None) -> str:
    """Return the word or sentence KEY of SECTION; the key itself if there is none (a test forbids that)."""
    return wording(language)[section].get(key or "", key or "")


def say(section: str, key: str, figures: Mapping[str, Any], language: str | None = None) -> str:
    """Return the sentence KEY of SECTION with FIGURES written into it, sentence and figures in one language."""
    if language is None or language == spoken():
        return _Sentence().vformat(wording()[section][key], (), figures)
    with speaking(language):
        return say(section, key, figures)


class _Sentence(string.Formatter):
    """Writes a figure in the way its place in the sentence names: {epsilon:limit}, {p:chance}."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "names":
            return listed(_named([str(item) for item in value]))
        if format_spec == "tables":  # which they are, in brackets; a release that is one table needs no name
            return f" ({listed(_named([str(item) for item in value]))})" if value else ""
        if format_spec == "fields":
            return listed([quoted(field_name(str(item))) for item in value])
        if format_spec == "assumption":
            return word("assumption", value)
        if value is None:
            return word("number", "no_limit")
        if format_spec == "repetitions":
            key = "repetition" if value == 1 else "repetitions"
            return say("plural", key, {"count": value})
        return str(_WAYS[format_spec](value)) if format_spec else str(value)


def _named(names: Sequence[str]) -> list[str]:
    """Return NAMES in quotes; of very many the first, and how many more there are: a sentence stays a sentence."""
    if len(names) <= MOST_NAMED:
        return [quoted(name) for name in names]
    shown = MOST_NAMED - 1
    return [*(quoted(name) for name in names[:shown]), word("number", "more").format(count=whole(len(names) - shown))]


# ------------------------------------------------------------------------------------ numbers


def digits(text: str) -> str:
    """Return a number written as 1,234.5 with the marks of the language spoken: 1\u202f234,5 in German."""
    marks = wording()["number"]
    return text.translate({ord(","): marks["thousands"], ord("."): marks["decimal"]})


def whole(value: float) -> str:
    """Return a whole number with its thousands marked."""
    return digits(f"{value:,.0f}")


def listed(texts: Sequence[str]) -> str:
    """Return TEXTS one after another, with the mark between that no number in the language contains."""
    return word("number", "between").join(texts)


def field_name(path: str) -> str:
    """Return the label of the field that a PATH ends in; the path itself where several fields of that name differ in theirs."""
    name = re.split(r"[.\]]", path)[-1]
    titles = _titles(*((Shape,) if path.startswith("profile.") else (Release, Part, BaseRequirement))).get(name, frozenset())
    return phrase("label", next(iter(titles))) if len(titles) == 1 else path


@functools.cache
def _titles(*kinds: type[Value]) -> Mapping[str, frozenset[str]]:
    """Return the labels of every field of KINDS and of what is built on them, by the field's name."""
    found: dict[str, set[str]] = {}
    waiting = list(kinds)
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        for name, item in kind.model_fields.items():
            found.setdefault(name, set()).add(item.title or name)
    return {name: frozenset(titles) for name, titles in found.items()}


def quoted(name: str) -> str:
    """Return a name in the quotation marks of the language."""
    return wording()["number"]["quoted"].format(name=name)


def rounded(value: float, places: int, how: str) -> str:
    """Return VALUE with PLACES decimals, rounded as HOW (a rounding mode of the decimal module) says.

    A value within 1e-9 of a shown decimal counts as that decimal: log 9 found to 1e-12 is not pushed a step on.
    """
    if math.isinf(value):
        return word("number", "without_limit")
    if abs(value) >= 1e15 or (places > MOST_PLACES and value != 0):
        return _scientific(value, how)
    exact, step = Decimal(repr(value)), Decimal(1).scaleb(-places)
    near = exact.quantize(step, ROUND_HALF_EVEN)
    result = near if abs(exact - near) <= Decimal("1e-9") * max(Decimal(1), abs(exact)) else exact.quantize(step, how)
    return digits(f"{result:,f}")


def _scientific(value: float, how: str) -> str:
    """Return a number too large or too small to be written out, as 1.23 × 10⁻¹⁴, rounded as HOW says."""
    exact = Decimal(repr(value))
    power = exact.adjusted()
    mantissa = exact.scaleb(-power).quantize(Decimal("0.01"), how)
    return digits(f"{mantissa} × 10{str(power).translate(SUPERSCRIPTS)}")


def _places(value: float, most: int = 2) -> int:
    """Return how many decimals show VALUE to two or three significant digits, at least MOST for ordinary sizes."""
    return most if value == 0 or math.isinf(value) or abs(value) >= 0.1 else min(12, 1 - math.floor(math.log10(abs(value))))


def limit(epsilon: float) -> str:
    """Return a limit on epsilon as it is shown: rounded down."""
    return rounded(epsilon, _places(epsilon), ROUND_FLOOR)


def need(epsilon: float) -> str:
    """Return a need for epsilon as it is shown: rounded up."""
    return rounded(epsilon, _places(epsilon), ROUND_CEILING)


def ends_cross(lower: float, upper: float) -> bool:
    """Return whether a need at LOWER, rounded up, and a limit at UPPER, rounded down, would be shown the wrong way round."""
    if not lower <= upper < 1e15 or upper > 2.0 * lower + 0.02:  # too far apart for any rounding
        return False
    up, down = (Decimal(1).scaleb(-_places(end)) for end in (lower, upper))
    return Decimal(repr(lower)).quantize(up, ROUND_CEILING) > Decimal(repr(upper)).quantize(down, ROUND_FLOOR)


def number(value: float) -> str:
    """Return a number somebody entered, or a point between two safe sides: as short as it is exact, else rounded; never as 1e-06."""
    if value != 0 and not TINY <= abs(value) < 1e15:
        return word("number", "without_limit") if math.isinf(value) else _scientific(value, ROUND_HALF_EVEN)
    short = Decimal(f"{value:.10g}")
    if len(short.as_tuple().digits) > DIGITS:
        short = Decimal(f"{value:.6g}") if abs(value) < 1e6 else Decimal(round(value))
    return digits(f"{short:,f}" if abs(value) >= GROUPED else f"{short:f}")


def _share(value: float, how: str) -> str:
    """Return a probability as a count out of 100, below 1 in 1,000 out of 10,000; rounded as HOW says."""
    if 0 < value < NOTHING and how != ROUND_FLOOR:
        return word("number", "next_to_nothing")
    if 0 < value < SMALL:
        return _count("in_10000", _trimmed(rounded(value * 10_000, _places(value * 10_000), how)))
    return _count("in_100", _trimmed(rounded(value * 100, 2 if 0.1 <= value <= 0.105 or value < 0.01 else 1, how)))


def in_100(count: float) -> str:
    """Return a count out of 100, as the ticks of an axis write it."""
    return _count("in_100", digits(f"{count:.4g}"))


def part_of(count: float) -> str:
    """Return a chance as a fraction, as the ticks of an axis write it: 1/1,000."""
    return _count("part_of", whole(count))


def _count(key: str, written: str) -> str:
    return wording()["number"][key].format(count=written)


def _trimmed(text: str) -> str:
    mark = wording()["number"]["decimal"]
    return text.rstrip("0").rstrip(mark) if mark in text else text


def chance(value: float) -> str:
    """Return a prior belief in words: certain, 1 in 10, 1 in 1,000; other values as a count out of 100 or 10,000."""
    if value == 0:
        return word("number", "next_to_nothing")
    if value > 1 - 1e-9:
        return word("number", "certainty")
    odds = 1 / value
    if abs(odds - round(odds)) < 1e-6 * odds and odds < 1e15:
        return _count("one_in", digits(f"{round(odds):,}"))
    return _share(value, ROUND_HALF_EVEN)


def share(value: float) -> str:
    """Return a probability as a count out of 100 (or 10,000), rounded down: for what one may hope for."""
    return _share(value, ROUND_FLOOR)


def share_up(value: float) -> str:
    """Return a probability as a count out of 100 (or 10,000), rounded up: for what one must fear."""
    return _share(value, ROUND_CEILING)


def times(ratio: float) -> str:
    """Return a ratio in words, as short as three digits allow: "5 times", "any number of times"."""
    if math.isinf(ratio):
        return word("number", "any_number_of_times")
    return _count("times", digits(f"{ratio:,.3g}" if ratio < 1000 else f"{ratio:,.0f}"))


_WAYS: Mapping[str, Callable[[float], str]] = {
    "limit": limit,
    "need": need,
    "number": number,
    "count": lambda value: digits(f"{round(value):,}"),
    "chance": chance,
    "edge": lambda value: word("number", "nothing") if value == 0 else chance(value),
    "share": share,
    "share_up": share_up,
    "share_down": lambda value: _share(value, ROUND_FLOOR),
    "ratio_up": lambda value: rounded(value, 0 if value >= 100 else 1 if value >= 10 else 2, ROUND_CEILING),
    "figure": lambda value: _trimmed(
        rounded(value, max(0, 2 - math.floor(math.log10(value))) if 0 < value < math.inf else 0, ROUND_CEILING)
    ),
    "figure_up": lambda value: _trimmed(rounded(value, _places(value), ROUND_CEILING)),
}


def written(value: float, way: str) -> str:
    """Return VALUE as a sentence would write it in one of the ways named above: "share_down", "chance", "limit"."""
    return _WAYS[way](value)


@dataclass(frozen=True)
class SideBySide:
    """A chance before and after a release in whole counts out of one number: what a pair of icon arrays shows, with its sentence."""

    out_of: int
    before: int
    after: int
    text: str


def side_by_side(before: float, after: float, language: str | None = None) -> SideBySide:
    """Return a chance before and after a release, counted out of one number: 100 or 1,000, or 10,000 below 1 in 1,000, which is said.

    Rounded on the safe side: the count after is never below what is feared, the count before never above what was believed.
    """
    least = min(before, after)
    enough = [n for n in (100, 1_000) if least * n >= 1 and all(abs(x * n - round(x * n)) < 1e-6 for x in (before, after))]
    out_of = 10_000 if 0 < least < SMALL else enough[0] if enough else 1_000
    counts = math.floor(before * out_of + 1e-9), math.ceil(after * out_of - 1e-9)
    figures = {"out_of": out_of, "before": counts[0], "after": counts[1]}
    return SideBySide(out_of, *counts, say("side_by_side", "small" if out_of == 10_000 else "plain", figures, language))


# ---------------------------------------------------------------------------------- sentences


def title(answer: Answer, language: str | None = None) -> str:
    """Return what a requirement is called: the officer's name for it, or its kind."""
    return answer.name or word("kind", answer.kind, language)


def why(message: Message, language: str | None = None, kind: str = "") -> str:
    """Return the reason for an answer as a sentence; fields that are not answered are named as a requirement of KIND labels them."""
    if kind and "fields" in message.figures:
        with speaking(language or spoken()):
            named = field_labels(message.figures["fields"], kind)
            return say("why", message.key, {**message.figures, "fields": named})
    return say("why", message.key, message.figures, language)


def field_labels(names: Sequence[str], kind: str) -> tuple[str, ...]:
    """Return the labels of the fields NAMES of a requirement of KIND, in the language spoken; a name it does not have stays as it is."""
    declared = kinds()[kind].model_fields
    titles = (declared[name].title if name in declared else None for name in names)
    return tuple(phrase("label", title) if title else name for name, title in zip(names, titles, strict=True))


def bound(answer: Answer, language: str | None = None) -> str:
    """Return an answer in three words: "at most 2.19", "at least 2.20", or its status."""
    if answer.side == "verdict" and answer.met is not None:
        return word("verdict", "kept" if answer.met else "not_kept", language)
    if answer.status != "allowed" or answer.epsilon is None:
        return word("status", answer.status, language)
    return say("unit", f"epsilon_{answer.side}", {"epsilon": answer.epsilon}, language)


def at_epsilon(answer: Answer, chosen: float | None, language: str | None = None) -> str:
    """Return what the chosen epsilon gives, or an empty text where nothing can be said."""
    key = _key_of(answer)
    if chosen is None or not answer.at_epsilon or key not in wording(language)["at_epsilon"]:
        return ""
    return say("at_epsilon", key, {**answer.at_epsilon, "chosen": chosen}, language)


def _key_of(answer: Answer) -> str:
    """Return the key of the sentence on what the chosen epsilon gives; a limit that nobody attains has one of its own."""
    return "relative_risk_limit" if answer.kind == "relative_risk" and "posterior" not in answer.at_epsilon else answer.kind


def at_limit(requirement: BaseRequirement, answer: Answer, language: str | None = None) -> tuple[str, tuple[float, float] | None]:
    """Return what the binding adversary of a relative risk may learn at the limit, and the chances before and after out of 100."""
    if not isinstance(requirement, RelativeRisk) or answer.status != "allowed" or requirement.profile is None:
        return "", None
    p, q = answer.binding.get("p") or SMALL, answer.binding.get("q") or SMALL  # a limit point: seen from just inside
    before = p * q
    after = min(1.0, before * float(requirement.profile.ratio_at(p, q)))
    with speaking(language or spoken()):
        counted, most = one_denominator(before, after)
        key = "at_limit" if counted == chance(before) or before > 1 - 1e-9 else "at_limit_counted"
        return say("meaning", key, {"before": before, "counted": counted, "after": most}), (100 * before, 100 * after)


def one_denominator(before: float, after: float) -> tuple[str, str]:
    """Return a chance before and after a release in words, out of one number: 10,000 where the first is below 1 in 1,000, else 100.

    The one after is rounded up, the one before to the nearest.
    """
    if 0 < before < SMALL <= after:
        return _share(before, ROUND_HALF_EVEN), _count("in_10000", whole(math.ceil(after * 10_000 - 1e-9)))
    return _share(before, ROUND_HALF_EVEN), share_up(after)


def broken(decision: Decision, assessment: Assessment, language: str | None = None) -> tuple[str, ...]:
    """Return one sentence for each enabled requirement that the chosen epsilon does not keep."""
    sentences = []
    for requirement, answer in zip(decision.requirements, assessment.answers, strict=True):
        if answer.met is not False or not answer.enabled or answer.epsilon is None:
            continue
        figures = {
            **answer.at_epsilon,
            "at_most": getattr(requirement, "at_most", None),
            "chosen": assessment.epsilon,
            "limit": answer.epsilon,
            "name": title(answer, language),
        }
        key = _key_of(answer) if _key_of(answer) in wording(language)["broken"] and answer.at_epsilon else answer.side
        sentences.append(say("broken", key, figures, language))
    return tuple(sentences)


def window(assessment: Assessment, language: str | None = None) -> str:
    """Return the window in a sentence: its ends, or who contradicts whom."""
    found = assessment.window
    figures = {"lower": found.lower, "upper": found.upper, "names": [title(assessment.answers[i], language) for i in found.conflict]}
    if found.empty:
        each = all(assessment.answers[index].status == "infeasible" for index in found.conflict)  # none of them against another
        key = "alone" if each else "empty"
    elif found.touching:
        key = "touching"
    elif any(answer.side == "verdict" and answer.met for answer in assessment.answers if answer.enabled):
        key = "verdicts"
    else:
        bounds = (found.binds_lower is not None, found.binds_upper is not None)
        key = {(False, False): "open", (False, True): "upper", (True, False): "lower", (True, True): "both"}[bounds]
        if key == "both" and found.upper is not None and ends_cross(found.lower, found.upper):
            key = "narrow"
    sentence = say("window", key, figures, language)
    return sentence if found.complete or not assessment.answers else f"{sentence} {word('window', 'incomplete', language)}"


def binds(assessment: Assessment, language: str | None = None) -> tuple[str, ...]:
    """Return which requirement binds each end of the window, a line for each end that is bound."""
    ends = (("binds_upper", assessment.window.binds_upper), ("binds_lower", assessment.window.binds_lower))
    return tuple(
        say("window", key, {"name": title(assessment.answers[index], language)}, language) for key, index in ends if index is not None
    )


def position(assessment: Assessment, language: str | None = None) -> str:
    """Return where the chosen epsilon lies, or an empty text if none is chosen."""
    if assessment.epsilon is None:
        return ""
    return say("window", "inside" if assessment.inside else "outside", {"chosen": assessment.epsilon}, language)


def two_worlds(epsilon: float) -> tuple[int, int]:
    """Return, of 100 outcomes, how many point to a person in the data if they are, and if they are not: at worst.

    At even odds the chance is e^epsilon / (1 + e^epsilon); rounded to the side that says more risk.
    """
    seen = math.ceil(100 / (1 + math.exp(-epsilon)) - 1e-9)
    return min(seen, 100), max(0, 100 - seen)


def meaning(decision: Decision, epsilon_all: float, language: str | None = None) -> tuple[str, ...]:
    """Return what EPSILON_ALL (all repetitions together) means for one person, for everyone else, and what it does not cover."""
    seen, unseen = two_worlds(epsilon_all)
    factor = math.exp(2 * epsilon_all) if 2 * epsilon_all < 700 else math.inf
    person = "person_value" if decision.release.neighbours == "replace" else "person"  # where values are replaced, presence is no secret
    everyone = say("meaning", "everyone" if math.isfinite(factor) else "everyone_unbounded", {"factor": factor}, language)
    return (
        say("meaning", person, {"seen": seen, "unseen": unseen}, language),
        " ".join(part for part in (everyone, left_out(decision, language)) if part),
        word("meaning", "population", language),
    )


def left_out(decision: Decision, language: str | None = None) -> str:
    """Return in how many outcomes Gaussian noise promises nothing, all repetitions together; nothing of other noise."""
    release = decision.release
    if "gaussian" not in release.mechanisms() or not release.delta:
        return ""
    return say("meaning", "gaussian", {"delta": min(1.0, release.delta * release.repetitions)}, language)


def accounting(decision: Decision, language: str | None = None) -> str:
    """Return what this release and the earlier ones come to, by basic composition, in a sentence."""
    release = decision.release
    spent = release.spent_under(release.neighbours) if release.neighbours else None
    if decision.epsilon is None or spent is None:
        return word("budget", "open", language)
    this = decision.epsilon * release.repetitions
    figures = {"epsilon": decision.epsilon, "repetitions": release.repetitions, "this": this, "spent": spent, "total": this + spent}
    return say("budget", "spent" if spent else "alone", figures, language)


def release_in_words(release: Release, language: str | None = None) -> tuple[str, ...]:
    """Return what a release promises, as far as it is described: who is protected as one, and by how much one can change it."""
    unit = release.unit or word("release", "unit", language)
    said = [say("release", "unit_is", {"unit": unit, "contributions": release.contributions}, language)] if release.unit else []
    if release.neighbours is not None and release.sensitivity is not None:
        said.append(say("release", release.neighbours, {"sensitivity": release.sensitivity}, language))
    said += [say("release", "noise", {"mechanism": word("mechanism", kind, language)}, language) for kind in release.mechanisms()[:1]]
    if release.repetitions > 1:
        said.append(say("release", "repeated", {"repetitions": release.repetitions}, language))
    return tuple(said) or (word("release", "open", language),)
