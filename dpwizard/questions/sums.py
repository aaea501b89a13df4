"""Counts and totals of a table, how far off they are, and how much one person changes them, in plain words."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING

from dpwizard.base.language import ENGLISH, spoken
from dpwizard.base.numerics import significant
from dpwizard.decision import Decision, TableSum, derived_fields
from dpwizard.decision import figures as given_figures
from dpwizard.wording import figures, format_text, percent, plain_sentences, plain_words, whole, word

LEVEL, DIGITS = 0.95, 3  # at which it is said what one gets without a need, and in how many digits


def axis_title(numbers: TableSum, unit: str) -> str:
    """Return the title of the axis that shows how far off these NUMBERS are."""
    text = plain_sentences.sum_name(numbers, unit)
    name = f"{text[:1].lower()}{text[1:]}" if spoken() == ENGLISH else text
    return format_text("sum", "axis" if unit == "count" else "axis_of_amounts", {"name": name})


def gets(half_width: float, level: float = LEVEL) -> str:
    """Return how far off numbers are at the LEVEL, in a few words: ±3 in 95 of 100."""
    if math.isinf(half_width):
        return word("sum", "gets_nothing")
    half = figures.number(as_read(half_width))
    return format_text("sum", "gets", {"half": half, "count": percent(level).removesuffix(" %")})


def chart_title(numbers: TableSum, unit: str, budget: str) -> str:
    """Return the title of the figure of these NUMBERS at a BUDGET, as it is printed."""
    return format_text("sum", "chart_title", {"name": plain_sentences.sum_name(numbers, unit), "value": budget})


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


def too_high(numbers: TableSum, unit: str, bias: float) -> str:
    """Return by how much readers' own totals are too high, where all that add up to NUMBERS are 0: BIAS on average."""
    words = {"division": numbers.division, "a_division": plain_words.with_article(numbers.division)}
    words |= {"units": word("sum", f"{unit}s"), "bias": figures.number(float(f"{bias:.2g}"))}
    key = "too_high_amounts" if unit != "count" else "too_high" if numbers.division else "too_high_table"
    return format_text("sum", key, words)


def as_read(half_width: float) -> float:
    """Return how far off something is, rounded up to the three digits that people read."""
    return float(significant(half_width, DIGITS, ROUND_CEILING))


def derivation(decision: Decision) -> str | None:
    """Return how the sensitivity that follows from the plain answers was found; None where none follows."""
    release, sensitivity = decision.release, derived_fields.sensitivity(decision)
    most = derived_fields.most_counts(decision)
    if sensitivity is None or most is None:
        return None
    values = given_figures(
        sensitivity,
        contributions=most,
        low=release.lowest,
        high=release.highest,
        records=release.population,
        dimension=release.dimension,
        touched=1,
    )
    sentences = [format_text("sensitivity", sensitivity.rule, values)]
    if sensitivity.l1_other is not None:
        key = "other_replace" if release.neighbours != "replace" else "other_add_remove"
        sentences.append(format_text("sensitivity", key, {"other": sensitivity.l1_other}))
    return " ".join(sentences)
