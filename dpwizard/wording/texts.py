"""Texts of the catalogue with their figures, each written in the way that its place in the text names.

The wording is in the catalogue of each language in `resources/locale/`; the language is the one spoken
(`dpwizard/base/language.py`).
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from typing import Any

from dpwizard.base.language import phrase, speaking, spoken
from dpwizard.base.language import word as word
from dpwizard.decision import Decision, Release
from dpwizard.decision.requirements import kinds
from dpwizard.wording.field_words import field_label
from dpwizard.wording.figures import listed, number, quoted, whole, written

MOST_NAMED = 8  # requirements in one sentence
MOST_NUMBERS = 8
PATH = re.compile(r"[$a-z_][\w.$\[\]]*")  # of a field


def format_text(section: str, key: str, figures: Mapping[str, Any], language: str | None = None) -> str:
    """Return the sentence KEY of SECTION with FIGURES written into it, sentence and figures in one language."""
    if language is None or language == spoken():
        return _written_into(word(section, key), figures)
    with speaking(language):
        return format_text(section, key, figures)


def describe(text: str, figures: Mapping[str, Any] | None = None, language: str | None = None) -> str:
    """Return TEXT, which a declaration says in English, with FIGURES in it, all in one language."""
    with speaking(language or spoken()):
        return _written_into(phrase("label", text), figures or {})


def _written_into(text: str, figures: Mapping[str, Any]) -> str:
    """Return TEXT with FIGURES, each in the way its place in the sentence names: {epsilon:limit}, {p:chance}."""
    pieces = string.Formatter().parse(text)
    return "".join(part + (_figure(figures[name], way or "") if name else "") for part, name, way, _ in pieces)


def _figure(value: Any, way: str) -> str:
    if way == "names":
        return listed(_named(value))
    if way == "numbers":
        return listed([number(item) for item in value[:MOST_NUMBERS]] + ["…"] * (len(value) > MOST_NUMBERS))
    if way == "tables":  # which they are, in brackets; a release that is one table needs no name
        return f" ({listed(_named(value))})" if value else ""
    if way == "fields":
        names = map(str, value)
        return listed([quoted(field_name(name) if PATH.fullmatch(name) else name) for name in names])
    if way == "assumption":
        return word("assumption", value)
    if isinstance(value, str):  # written already, by the rule for ranges
        return value
    if value is None:
        return word("number", "no_limit" if way in ("limit", "need") else "not_known")
    if way == "repetitions":
        return _written_into(word("plural", "repetition", plural="repetitions", count=value), {"count": value})
    return written(value, way) if way else str(value)


def _named(items: Sequence[str]) -> list[str]:
    """Return what ITEMS are called, in quotes; of very many the first, and how many more: a sentence stays one."""
    shown = len(items) if len(items) <= MOST_NAMED else MOST_NAMED - 1
    names = [quoted(item) for item in items[:shown]]
    more = [word("number", "more").format(count=whole(len(items) - shown))] if shown < len(items) else []
    return names + more


def field_name(path: str) -> str:
    """Return what the field at PATH is called: of the release or of any requirement, with which of several."""
    if path.startswith("$."):
        return field_label((Decision,), path)
    return field_label((Release, *kinds().values()), path)
