"""Counts and totals of a table, and how far off they are, in plain words."""

from __future__ import annotations

import math

from dpwizard.base.language import ENGLISH, spoken
from dpwizard.decision import Release, TableSum
from dpwizard.wording import figures, format_text, percent, plain_words, whole, word

LEVEL = 0.95  # at which it is said what one gets without a need
COUNTS = ("count", "histogram", None)  # statistics whose numbers are counts, or not answered yet


def unit_of(release: Release) -> str:
    """Return the key of what one number of the only table is called: a count, or any figure."""
    return "count" if release.tables[0].statistic in COUNTS else "figure"


def name(one: TableSum, unit: str) -> str:
    """Return what the numbers ONE are called, for instance "A ward’s total"."""
    return _sum_words(_key(one), one, unit)


def note(one: TableSum, unit: str) -> str:
    """Return how many counts are added and how many totals there are, in a few words."""
    return _sum_words(f"{_key(one)}_note", one, unit)


def _key(one: TableSum) -> str:
    return "alone" if one.which == "each" and one.sums == 1 else one.which


def _sum_words(key: str, one: TableSum, unit: str) -> str:
    a_division = plain_words.with_article(one.division)
    words = {"units": word("sum", f"{unit}s"), "unit": word("sum", unit), "a_division": a_division}
    counts = {"cells": whole(one.cells), "sums": whole(one.sums), "division": one.division}
    text = format_text("sum", key, {**words, **counts})
    return f"{text[:1].upper()}{text[1:]}" if not key.endswith("_note") else text


def axis_title(one: TableSum, unit: str) -> str:
    """Return the title of the axis that shows how far off the numbers ONE are."""
    text = name(one, unit)
    return format_text("sum", "axis", {"name": f"{text[:1].lower()}{text[1:]}" if spoken() == ENGLISH else text})


def outcomes() -> str:
    """Return the title of the axis that counts outcomes."""
    return word("sum", "outcomes")


def gets(half_width: float, level: float = LEVEL) -> str:
    """Return how far off numbers are at the LEVEL, in a few words: ±3 in 95 of 100."""
    if math.isinf(half_width):
        return word("sum", "gets_nothing")
    return format_text("sum", "gets", {"half": half_width, "count": percent(level).removesuffix(" %")})


def chart_title(one: TableSum, unit: str, budget: str) -> str:
    """Return the title of the figure of the numbers ONE at a BUDGET, as it is printed."""
    return format_text("sum", "chart_title", {"name": name(one, unit), "value": budget})


def small_title(budget: str) -> str:
    """Return the title of the table of small counts at a BUDGET, as it is printed."""
    return format_text("sum", "small_title", {"value": budget})


def small(reaches: float, one_reaches: float, numbers: int, watched: int) -> tuple[str, tuple[str, ...]]:
    """Return how often a true 0 is published as WATCHED or more, and one of NUMBERS zeros, with the words that count.

    Both chances are rounded up.
    """
    often = figures.cases_up(reaches)
    text = format_text("sum", "small", {"watched": whole(watched), "often": often})
    if numbers > 1:
        reached = {"numbers": whole(numbers), "often": figures.cases_up(one_reaches)}
        text = f"{text} {format_text('sum', 'small_all', reached)}"
    return text, (format_text("sum", "or_more", {"count": whole(watched)}), often)


def too_high(one: TableSum, bias: float) -> str:
    """Return by how much readers' own totals are too high, where all counts of a total ONE are 0: BIAS on average."""
    a_division = plain_words.with_article(one.division)
    words = {"a_division": a_division, "division": one.division, "bias": figures.number(float(f"{bias:.2g}"))}
    return format_text("sum", "too_high" if one.division else "too_high_table", words)
