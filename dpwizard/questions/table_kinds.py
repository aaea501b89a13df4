"""The tables of a publication by a field they share: one accuracy requirement for all districts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dpwizard.decision import AccuracyInputs, BaseRequirement, Decision, edits
from dpwizard.decision.requirements import NoiseInterval
from dpwizard.questions.sums import LEVEL
from dpwizard.wording import format_text, plain_sentences, required_figure, tables_asked

WORDS = ("level", "group", "period", "year", "name")  # the first with a few different values is used
MOST_KINDS = 12
REQUIREMENTS = "$.requirements"


@dataclass(frozen=True, kw_only=True)
class TableKind:
    """Tables with the same WORDS in the field WORD: such as "district" in the field level."""

    word: str
    words: str
    tables: tuple[str, ...]

    @property
    def speaks_of(self) -> dict[str, Any]:
        """Return which tables these are, as a need states it."""
        return {"part": self.words} if self.word == "name" else {"where": {self.word: self.words}}

    def is_asked_by(self, requirement: BaseRequirement) -> bool:
        """Return whether REQUIREMENT, which is switched on, is a need of each number of just these tables."""
        if not isinstance(requirement, NoiseInterval) or not requirement.enabled or requirement.cells not in (None, 1):
            return False
        stated = requirement.model_dump(mode="json", include={"part", "where", "sum_of"}, exclude_none=True)
        return stated == self.speaks_of


def table_kinds(decision: Decision) -> tuple[TableKind, ...]:
    """Return the tables of DECISION by the first of WORDS that all have and that makes few kinds of them."""
    tables = decision.release.tables
    for word in WORDS:
        values = [getattr(table, word) for table in tables]
        kinds = tuple(dict.fromkeys(values))
        if None not in kinds and 1 <= len(kinds) <= MOST_KINDS and (len(kinds) > 1 or word == "level"):
            return tuple(
                TableKind(
                    word=word,
                    words=str(kind),
                    tables=tuple(table.name or "" for table in tables if getattr(table, word) == kind),
                )
                for kind in kinds
            )
    return ()


def asked_at(decision: Decision, kind: TableKind) -> int | None:
    """Return the position of the first need of the tables of this KIND that is switched on; None if there is none."""
    return next((at for at, requirement in enumerate(decision.requirements) if kind.is_asked_by(requirement)), None)


def needs_of_kinds(decision: Decision, cut: Callable[[str], str] = str) -> dict[str, tuple[int, ...]]:
    """Return the needs of each number of tables as sentences, each with the positions of its needs.

    Tables of which the same is asked share a sentence; CUT shortens the list of them. Empty where tables have no kinds.
    """
    by_interval = dict[tuple[str, ...], dict[int, str]]()
    for at, need in enumerate(decision.requirements if table_kinds(decision) else ()):
        if isinstance(need, NoiseInterval) and need.enabled and not need.is_sum():
            interval = tuple(required_figure(need, name) for name in ("half_width", "level"))
            by_interval.setdefault(interval, {})[at] = tables_asked(need)
    sentences = {}
    for (half_width, level), kinds in by_interval.items():
        kinds_text = cut(plain_sentences.in_short(list(dict.fromkeys(kinds.values()))))
        text = format_text("table_kind", "need", {"kinds": kinds_text, "half_width": half_width, "level": level})
        sentences[text] = tuple(kinds)
    return sentences


def with_need(decision: Decision, kind: TableKind) -> Decision:
    """Return DECISION with a need of each number of the tables of this KIND at its end."""
    return edits.add(decision, REQUIREMENTS, {"kind": "noise_interval", "level": LEVEL, **kind.speaks_of})


def note(kind: TableKind) -> str:
    """Return the name of the only table of this KIND; nothing where there are several, or the row is called like it."""
    if kind.word == "name" or len(kind.tables) > 1:
        return ""
    return format_text("table_kind", "one", {"names": kind.tables})


def half_widths(
    settings: Sequence[Sequence[AccuracyInputs | tuple[str, ...]]], budget: float
) -> tuple[float | None, ...]:
    """Return within what the worst number of each kind lies in 95 of 100 cases at a BUDGET, rounded up.

    SETTINGS are those of the tables of each kind, or what is not answered yet of one. None of a kind of which it is not
    known: where something is not answered, or noise comes in steps.
    """
    widths = {setting: _half_width(setting, budget) for settings_of_kind in settings for setting in settings_of_kind}
    return tuple(_largest([widths[setting] for setting in settings_of_kind]) for settings_of_kind in settings)


def _half_width(setting: AccuracyInputs | tuple[str, ...], budget: float) -> float | None:
    if isinstance(setting, tuple) or setting.in_steps:
        return None
    noise = setting.noise_at(budget)
    return 0.0 if noise is None else noise.interval(LEVEL).half_width


def _largest(widths: Sequence[float | None]) -> float | None:
    known = [width for width in widths if width is not None]
    return max(known) if len(known) == len(widths) else None
