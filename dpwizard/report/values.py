"""The values entered by the officer as text of the report, with the labels of their declarations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin

from dpwizard.base.language import digits, phrase
from dpwizard.base.numerics import significant
from dpwizard.base.values import Value
from dpwizard.charts import glyphs
from dpwizard.decision import BaseRequirement
from dpwizard.decision.requirements import RelativeRisk, people_of
from dpwizard.privacy.priors import Distribution
from dpwizard.privacy.profiles import Shape
from dpwizard.report.phrases import Words
from dpwizard.wording import figures, texts

KEYED = {"statistic", "priors_from", "post_processing", "origin"}  # of the report alone
# with texts of the whole program, not of the report alone
SHARED = {
    *("mechanism", "neighbours", "adversary", "kind", "statement", "role", "sees", "state", "rule", "of"),
    *("allocation", "each_number", "how_often", "slice", "unit_kind", "trust_model", "adding_up", "paper"),
    *("domain_source", "tuned_on", "floating_point", "randomness"),
}
PRINTED_ELSEWHERE = {"kind", "name", "enabled", "off_reason", "origins", "format"}
OMITTED: Mapping[str, str] = MappingProxyType(  # the fields of a decision that no page prints, and why
    {
        "Decision.format": "says how the file is written",
        "Decision.language": "the document speaks it",
        "Decision.paper": "the document is set on it",
        "Decision.axis": "says how the window draws budgets; it changes no answer",
        "Release.data": "public lists for the script that makes the tables, often long; the JSON holds them",
        "Acknowledgement.language": "the sentence acknowledged is printed as it was said",
    }
)
LONGEST_LIST = 40  # printed numbers of a list; NAME.json has all


def label(value: Value | type[Value], name: str) -> str:
    """Return the label of field NAME in the current language."""
    kind = value if isinstance(value, type) else type(value)
    return phrase("label", kind.model_fields[name].title or name)


def six_digits(value: float, side: str) -> str:
    """Return a limit in six digits, rounded down for an upper limit ("upper"), else up."""
    return number(float(significant(value, 6, ROUND_FLOOR if side == "upper" else ROUND_CEILING)))


def number(value: float) -> str:
    """Return an entered number as text; very small and very large ones with a power of ten."""
    mantissa, _, exponent = f"{value:.10g}".partition("e")
    if not exponent:
        return figures.number(value)
    power = f"10{str(int(exponent)).translate(figures.SUPERSCRIPTS)}"
    return power if mantissa == "1" else f"{digits(mantissa)} × {power}"


def every_digit(value: float) -> str:
    """Return VALUE with all its digits."""
    return digits(repr(float(value)))


def cut(text: str, most: int) -> str:
    """Return TEXT, cut to MOST characters with an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def cut_between_words(text: str, most: int) -> str:
    """Return TEXT cut to MOST characters, after a whole word if this keeps half of them."""
    shown = cut(text, most)
    if shown == text:
        return text
    whole_words = shown[:-1] if text[len(shown) - 1 :][:1].isspace() else shown.rpartition(" ")[0]
    return f"{whole_words.rstrip()}…" if len(whole_words) >= most // 2 else shown


def cut_printed(text: str, most: int, end: Callable[[str, int], str] = cut) -> str:
    """Return TEXT cut by END to MOST printed characters; a character that no font has is printed as several."""
    return text if len(printed := glyphs.printable(text)) <= most else end(printed, most)


def written(name: str, value: Any, words: Words) -> str:
    """Return the VALUE of field NAME in words; None is "not assessed"."""
    if name == "reads" and not value:
        return words("release", "reads_unknown" if value is None else "reads_none")
    if value is None:
        return words("summary", "not_assessed")
    if name == "effects":
        return figures.listed([f"{attribute}: {_number(by, words)}" for attribute, by in value])
    if isinstance(value, bool):
        return words("document", "yes" if value else "no")
    if isinstance(value, str):
        return _text(name, value, words)
    if name in ("p", "q"):
        return belief(value, words)
    if isinstance(value, int | float):
        return _number(value, words)
    if name == "profile":
        return profile_promise(value, words)
    if isinstance(value, Distribution):
        text = _fields(value, words, without="family")
        return f"{phrase('label', value.title)} ({text})" if text else phrase("label", value.title)
    if isinstance(value, Value):
        return _fields(value, words)
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {written('', item, words)}" for key, item in value.items())
    if isinstance(value, tuple):
        return _listed(name, value, words)
    return str(value)


def _fields(value: Value, words: Words, without: str = "") -> str:
    fields = [(key, item) for key, item in value if item is not None and key != without]
    return "; ".join(f"{label(value, key)}: {written(key, item, words)}" for key, item in fields)


def _number(value: float, words: Words) -> str:
    if not math.isfinite(value):
        return words("figure", "unbounded")
    return figures.whole(value) if value == round(value) and abs(value) < 1e15 else number(value)


def _text(name: str, value: str, words: Words) -> str:
    """Return a text; a key of field NAME becomes its word."""
    if (name, value) == ("truth", "worst"):
        return words("choice", "worst_truth")
    if name in SHARED:
        return words.of_model(name, value)
    return words(name, value) if name in KEYED and words.has(name, value) else value


def _listed(name: str, values: tuple[Any, ...], words: Words) -> str:
    if not values:
        return words("accounting", "nothing")
    shown = [written(name, value, words) for value in values[:LONGEST_LIST]]
    within = all(isinstance(value, Value | tuple | Mapping) for value in values)
    text = "\n".join(shown) if within else figures.listed(shown)
    rest = len(values) - len(shown)
    return f"{text} {words('results', 'and_more', count=figures.whole(rest))}" if rest else text


def belief(prior: Any, words: Words) -> str:
    """Return a prior in words: one chance, or a range, which is open at 0."""
    if prior is None:
        return words("summary", "not_assessed")
    if not isinstance(prior, tuple):
        return figures.chance(prior)
    low, high = prior
    if low == high:
        return figures.chance(high)
    if (low, high) == (0, 1):
        return words("adversaries", "range_all")
    if low == 0:
        return words("adversaries", "range_open", high=figures.chance(high))
    return words("adversaries", "range", low=figures.chance(low), high=figures.chance(high))


def profile_promise(profile: Shape | None, words: Words) -> str:
    """Return the limit of a risk profile as a clause."""
    if profile is None or profile.missing():
        return words("summary", "not_assessed")
    return texts.describe(profile.promise, profile.figures(), words.language)


def promise_of(requirement: RelativeRisk, words: Words) -> str:
    """Return the limit of a relative risk as a clause: its profile, and how often it may fail."""
    profile = profile_promise(requirement.profile, words)
    if requirement.statement == "tolerance" and requirement.tolerance is not None:
        people, few = map(figures.whole, people_of(requirement.tolerance))
        return words("profile", "but_rarely", promise=profile, people=people, few=few)
    return words("profile", "on_average", promise=profile) if requirement.statement == "average" else profile


def _is_choice(requirement: BaseRequirement, name: str) -> bool:
    """Return whether field NAME is a choice from a list, not a typed text."""
    declared = type(requirement).model_fields[name].annotation
    return any(get_origin(kind) is Literal for kind in (declared, *get_args(declared)))


def pairs_of(requirement: BaseRequirement, words: Words) -> Iterable[tuple[str, str]]:
    """Yield the fields of a requirement with their values, or that they are not assessed."""
    origins = {origin.field: words("origin", origin.origin) for origin in requirement.origins}
    for name in type(requirement).model_fields:
        value = getattr(requirement, name)
        if name in PRINTED_ELSEWHERE or (value is None and name not in requirement.missing()):
            continue
        chosen = _is_choice(requirement, name) and words.has("choice", str(value))
        text = words("choice", value) if chosen else written(name, value, words)
        yield label(requirement, name), f"{text} ({origins[name]})" if name in origins else text
