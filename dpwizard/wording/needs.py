"""Accuracy requirements as sentences: within ± 10 in 95 of 100 figures. An answer that is missing is a blank."""

from __future__ import annotations

import math
from typing import Any

from dpwizard.base.language import known_word, word
from dpwizard.base.numerics import decimal
from dpwizard.base.values import hints
from dpwizard.decision import AccuracyRequirement, Release
from dpwizard.wording.figures import all_digits, listed, number, quoted, whole
from dpwizard.wording.texts import format_text
from dpwizard.wording.typed_chances import percent

BLANK = "…"
IN_100 = ("chance", "share")  # editors of what is counted out of 100


def need(requirement: AccuracyRequirement, release: Release) -> str:
    """Return what REQUIREMENT asks of the figures of RELEASE, in a sentence; what is open is a blank."""
    tables = requirement.read_tables(release)
    numbers = getattr(requirement, "numbers", None) or (tables[0].dimension if len(tables) == 1 else 1)
    figures = {name: required_figure(requirement, name) for name in type(requirement).model_fields}
    share, key = getattr(requirement, "share", None), requirement.key
    if requirement.is_sum():
        key, figures = f"{key}_sum", {**figures, "cells": whole(requirement.cells_in_all())}
    elif numbers > 1 and known_word("need_asked", f"{key}_counted"):
        some = BLANK if share is None else whole(math.ceil(decimal(share) * numbers))
        key, figures = f"{key}_counted", {**figures, "numbers": whole(numbers), "some": some}
    text = format_text("need_asked", key, figures)
    if requirement.where is not None:
        figures = {"count": whole(len(tables)), "words": tables_asked(requirement), "said": text}
        return format_text("need_asked", "of_tables", figures)
    names = [quoted(table.name) for table in tables if table.name is not None]
    return format_text("need_asked", "of_table", {"table": listed(names), "said": text}) if names else text


def tables_asked(requirement: AccuracyRequirement) -> str:
    """Return which tables a need speaks of: their name, or what they have in common, such as district, sex × age."""
    if requirement.where is None:
        return requirement.part or word("protection", "sum_of_tables")
    words = dict.fromkeys(each for name, given in requirement.where.given if name != "reads" for each in given)
    crossed = " × ".join(each for each in requirement.where.reads or () if each not in words)
    crossed = word("protection", "no_breakdown") if requirement.where.reads == () else crossed
    return listed([*words, crossed] if crossed else list(words))


def required_figure(requirement: AccuracyRequirement, name: str) -> str:
    """Return a field as the sentence says it: a chance as a count out of 100."""
    value: Any = getattr(requirement, name)
    if not isinstance(value, int | float):
        return BLANK
    if hints(type(requirement), name).editor in IN_100:
        return percent(value).removesuffix(" %")
    return number(value) if float(f"{value:.6g}") == value else all_digits(value)  # what is asked is never rounded
