"""Every table of a release at the chosen budget: its share, noise, privacy loss and accuracy requirements.

A row is formatted only when it becomes visible, which makes thousands of tables fast. The requirement that takes
most of the budget comes first.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dpwizard.base.numerics import up
from dpwizard.charts.curves import DRAWN
from dpwizard.charts.usability import given
from dpwizard.decision import (
    SETTLED,
    AccuracyInputs,
    BaseRequirement,
    Release,
    RequirementResult,
    Table,
    published_setting,
)
from dpwizard.privacy.accuracy import NumberNoise
from dpwizard.wording import format_max, format_text, whole, word, written

COLUMNS = ("table", "share", "tells", "noise", "interval", "need", "gives", "kept", "left")
NUMBERS = ("share", "tells", "noise", "interval", "gives", "left")  # right-aligned
LEFT = COLUMNS.index("left")  # the initial sort column


@dataclass(frozen=True, kw_only=True, slots=True)
class Need:
    """An accuracy requirement on one table.

    needed: the budget of the release for it, inf if none is enough, None if it is unknown; left: the chosen budget
    divided by that, at least 1 if the need is met.
    """

    requirement: BaseRequirement
    answer: RequirementResult
    needed: float | None
    left: float | None

    @property
    def required(self) -> str:
        """Return the requirement in words."""
        if self.requirement.missing():
            return word("kind", self.answer.kind)
        return format_text("need", self.answer.kind, dict(self.requirement))

    @property
    def words(self) -> str:
        """Return the requirement in words, with its name if it has one."""
        name = self.answer.name
        return format_text("tables", "named", {"name": name, "need": self.required}) if name else self.required

    @property
    def given(self) -> str:
        """Return the accuracy at the chosen budget."""
        return given(self.answer.at_epsilon, getattr(self.requirement, "at_most", None), self.answer.met)

    @property
    def kept(self) -> str:
        """Return whether it is met, or why that is unknown."""
        met, status = self.answer.met, self.answer.status
        if met is None:
            return word("status", status) if status not in SETTLED else ""
        return word("implied", "kept" if met else "broken")

    @property
    def left_over(self) -> str:
        """Return the chosen budget divided by the budget needed, rounded down."""
        if self.needed == math.inf:
            return word("tables", "never")
        if self.left is None:
            return ""
        return format_max(self.left) if self.left < 100.0 else written(self.left, "number_down")


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """The figures of one table at a budget; None if unknown, as those of noise without a chosen budget.

    share: of the budget; privacy_loss: its own epsilon or rho over all repetitions, inf without noise; sd, noise: of
    one published number, after tables are made to add up; noise is None without noise, or if it is unbounded.
    """

    name: str | None
    share: float | None
    privacy_loss: float | None
    privacy_loss_unit: str
    sd: float | None
    noise: NumberNoise | None

    @property
    def half_width(self) -> float | None:
        """Return the half-width of the interval that holds 95 in 100 of the noise."""
        return self.sd if self.noise is None else self.noise.interval(DRAWN).half_width


@dataclass(frozen=True, kw_only=True, slots=True)
class TableRow:
    """One table with its needs, the most demanding first."""

    name: str
    figures: Figures
    needs: tuple[Need, ...]

    @property
    def kept(self) -> bool | None:
        """Return whether every need on it is met; None if it has none, or that is unknown."""
        known = [need.answer.met for need in self.needs if need.answer.met is not None]
        return all(known) if known else None

    @property
    def needed(self) -> float | None:
        """Return the budget for its most demanding need; None if it is unknown or there is none."""
        return self.needs[0].needed if self.needs else None


def rows(
    release: Release, chosen: float | None, asked: Iterable[tuple[Any, RequirementResult]]
) -> tuple[TableRow, ...]:
    """Return the tables of RELEASE at the budget CHOSEN with their needs among those ASKED, the most demanding first.

    Tables whose needs are unanswered follow, then those without a need, in the order of the release.
    """
    known = figures_of(release, chosen)
    needs: dict[str | None, list[Need]] = defaultdict(list)
    for requirement, answer in asked:
        if answer.enabled and answer.side == "lower":
            part = answer.binding.get("part") if requirement.where is not None else requirement.part
            named = part if part is not None or len(known) > 1 else known[0].name
            needs[named].append(_make_need(requirement, answer, chosen))
    table_rows = [
        TableRow(
            name=figures.name or word("tables", "unnamed"),
            figures=figures,
            needs=tuple(sorted(needs.get(figures.name, ()), key=_tightness)),
        )
        for figures in known
    ]
    return tuple(sorted(table_rows, key=_tightness))


def figures_of(release: Release, chosen: float | None) -> tuple[Figures, ...]:
    """Return the figures of each table of RELEASE at the budget CHOSEN."""
    tables = release.tables
    settings = release.cached(
        "number settings", lambda: tuple(published_setting(release, table.name) for table in tables)
    )
    both = zip(tables, settings, strict=True)
    return tuple(_table_figures(release, table, setting, chosen) for table, setting in both)


def _make_need(requirement: BaseRequirement, answer: RequirementResult, chosen: float | None) -> Need:
    needed = math.inf if answer.status == "infeasible" else answer.epsilon
    if answer.status == "unbounded":
        needed = 0.0
    left = None
    if chosen is not None and needed is not None:
        left = chosen / needed if needed else math.inf
        left = max(left, 1.0) if answer.met else left
    return Need(requirement=requirement, answer=answer, needed=needed, left=left)


def _tightness(of: TableRow | Need) -> tuple[int, float]:
    """Return the sort key: the largest needed budget first, the unknown last."""
    if of.needed is not None:
        return 0, -of.needed
    return (1 if isinstance(of, Need) or of.needs else 2), 0.0


def _table_figures(
    release: Release, table: Table, setting: AccuracyInputs | tuple[str, ...], chosen: float | None
) -> Figures:
    share = None if table.portion is None or table.noise.absent else float(table.portion)
    loss = sd = noise = None
    in_rho_itself = table.noise.needs_delta
    if table.noise.absent and table.mechanism is not None:
        loss, sd = math.inf, 0.0
    elif isinstance(setting, AccuracyInputs) and chosen and not setting.in_steps:
        scale = setting.scale(chosen)
        inside = setting.noise is not None and 0.0 < scale < math.inf
        noise = setting.noise_at(chosen) if inside else None
        sd = scale if noise is None else noise.sd
        if table.fixed is not None:
            loss = up(float(table.fixed), 1)
        elif (release.counted_in == "rho") == in_rho_itself:
            loss = up(float(table.portion or 0) * chosen, 2)
        elif inside:  # Gaussian noise of a release that is counted in epsilon: the rho of its own sensitivity
            loss = up(0.5 * ((table.sensitivity or 0.0) / scale) ** 2 * table.times_released, 8)
    unit = "rho" if in_rho_itself else "epsilon"
    return Figures(name=table.name, share=share, privacy_loss=loss, privacy_loss_unit=unit, sd=sd, noise=noise)


# ------------------------------------------------------------------------------------------------- in words


def _cell_words(row: TableRow, column: str, need: Need | None, more: int) -> str:
    figures = row.figures
    if column == "table":
        return row.name
    if column == "share":
        return "" if figures.share is None else written(100.0 * figures.share, "figure_up")
    if column == "tells":
        return _loss_words(row)
    if column == "noise":
        return "" if figures.sd is None else written(figures.sd, "figure")
    if column == "interval":
        if figures.half_width is None:
            return ""
        return format_text("implied", "within_half_width", {"value": written(figures.half_width, "figure_up")})
    if need is None:
        return ""
    if column == "need":
        return format_text("tables", "more", {"need": need.words, "count": whole(more)}) if more else need.words
    if column == "gives":
        return need.given
    return need.kept if column == "kept" else need.left_over


def _loss_words(row: TableRow) -> str:
    loss = row.figures.privacy_loss
    if loss is None:
        return ""
    if math.isinf(loss):
        return word("tables", "everything")
    return format_text("tables", row.figures.privacy_loss_unit, {"value": loss})


def cell(row: TableRow, column: str) -> str:
    """Return the words of ROW under COLUMN, with its most demanding need."""
    need = row.needs[0] if row.needs else None
    return _cell_words(row, column, need, len(row.needs) - 1)


def need_words(need: Need) -> str:
    """Return all words of NEED on one line."""
    return "  ".join(text for text in (need.words, need.given, need.kept, need.left_over) if text)


def lines(rows: Iterable[TableRow]) -> tuple[tuple[str, ...], ...]:
    """Return a line for each need of ROWS, and one for a table without needs: for print and CSV."""
    return tuple(
        tuple(_cell_words(row, column, need, 0) for column in COLUMNS) for row in rows for need in row.needs or (None,)
    )


def headings() -> tuple[str, ...]:
    """Return the headings of COLUMNS."""
    return tuple(word("tables", key) for key in COLUMNS)


def summary(tables: Sequence[TableRow], chosen: float | None) -> str:
    """Return a sentence: how many tables, needs and unmet needs there are, and which need is most demanding."""
    needs = [need for row in tables for need in row.needs]
    figures: dict[str, Any] = {"tables": whole(len(tables)), "needs": whole(len(needs))}
    if not needs or tables[0].needed is None:
        return format_text("tables", "none", figures)
    tightest = tables[0]
    figures |= {"name": tightest.name, "left": tightest.needs[0].left, "needed": tightest.needed}
    broken = sum(need.answer.met is False for need in needs)
    if chosen is None:
        return format_text("tables", "open", figures)
    if broken:
        return format_text("tables", "broken", {**figures, "broken": whole(broken)})
    return format_text("tables", "all_kept", figures)


# ------------------------------------------------------------------------------------------- sorting and searching


def sort_key(row: TableRow, column: str) -> Any:
    """Return the value by which COLUMN sorts ROW; None if its cell is empty."""
    need = row.needs[0] if row.needs else None
    attribute = {"share": "share", "noise": "sd", "interval": "half_width"}.get(column)
    if attribute is not None:
        return getattr(row.figures, attribute)
    if column == "table":
        return _natural_order(row.name)
    if column == "tells":
        return None if row.figures.privacy_loss is None else (row.figures.privacy_loss_unit, row.figures.privacy_loss)
    if column == "kept":
        return row.kept
    if column == "left":
        return None if row.needed is None else -row.needed
    if need is None:
        return None
    return _natural_order(need.words if column == "need" else need.given)


def _natural_order(text: str) -> list[tuple[int, int, str]]:
    """Return a sort key that puts table 2 before table 10."""
    pieces = re.split(r"(\d{1,18})", text.casefold())
    return [(1, int(piece), "") if piece.isascii() and piece.isdigit() else (0, 0, piece) for piece in pieces if piece]


def is_sought(row: TableRow, text: str, only_broken: bool) -> bool:
    """Return whether ROW or its needs contain every word of TEXT and, if ONLY_BROKEN, a need is not met."""
    sentence = " ".join((row.name, *(need.words for need in row.needs))).casefold() if text else ""
    return (not only_broken or row.kept is False) and all(piece in sentence for piece in text.casefold().split())
