"""The budgets others chose, with the officer's decision among them; shown only on request."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpwizard.base.language import digits
from dpwizard.decision import Assessment, Decision
from dpwizard.precedents import PersonRisk, PrecedentRow, compared, current_decision, read_precedents
from dpwizard.wording import figures, persons
from ui.controls.controls import Prose
from ui.controls.tables import RowsTable
from ui.widgets import Fold, added, plain, theme, tr

MOST_ROWS = 10
SIGN_SHOWS = 4  # the column first sorted by
WIDTHS = (0.13, 0.19, 0.16, 0.15, 0.15, 0.11, 0.11)


class PrecedentsTable(QWidget):
    """A table of budgets, folded away, sorted by what each means for one person."""

    def __init__(self) -> None:
        super().__init__()
        column = plain(QVBoxLayout(self), theme.NEAR)
        self.says = added(column, Prose("", "caption", most=theme.WIDEST))
        titles = tr("Show what others have chosen"), tr("Hide what others have chosen")
        self.fold = added(column, Fold(titles[0], self._make_table, card=False, open_title=titles[1]))
        self.fold.head.toggled.connect(self._show)
        self._decision: tuple[Decision, Assessment] | None = None
        self._own_row: PrecedentRow | None = None
        self._rows: tuple[PrecedentRow, ...] = ()
        self._show(False)

    def _make_table(self, column: QVBoxLayout) -> None:
        name = tr("What others have chosen")
        self.table = added(column, RowsTable(name, sorts=(SIGN_SHOWS, False), most=MOST_ROWS, wraps=True))
        self.table.chosen.connect(self._say_source)
        self.source = added(column, Prose("", "caption"))

    def show_decision(self, decision: Decision, assessment: Assessment) -> None:
        """Keep the decision to show among the others; redraw an open table if it has changed."""
        title, self._decision = self._title, (decision, assessment)
        # a curve is read for the own row: not for a table that nobody sees
        if self.fold.is_open and (title, self._own_row) != (self._title, current_decision(decision, assessment)):
            self._fill_table()

    def _show(self, opened: bool) -> None:
        """Say what the table holds if it is OPENED, else why one might not open it."""
        if not opened:
            self.says.say(
                tr(
                    "You have your own answer now. What others chose means little without knowing whom they "
                    "protected and for how long, and does not make yours right."
                )
            )
            return
        words = tr(
            "As published, collected on {day}. A sign is anything that someone looks for in a release. Take "
            "a sign that shows in 1 of 100 cases without the data of one person or thing. With these data it "
            "shows in at most as many cases as given here. Someone who sees such a sign, and thought "
            "something 1 in 100 likely before, may think it as likely as given here. The last column counts "
            "everything about one person together, where that is known.",
            day=read_precedents().as_of,
        )
        self.says.say(words)
        self._fill_table()

    @property
    def _title(self) -> str:
        return "" if self._decision is None else self._decision[0].title or ""

    def _fill_table(self) -> None:
        self._own_row = None if self._decision is None else current_decision(*self._decision)
        self._rows = compared(self._own_row)
        titles = (
            tr("Who"),
            tr("What"),
            tr("Protected as one"),
            tr("Budget, as published"),
            tr("A sign of 1 in 100 then shows in at most"),
            tr("1 in 100 becomes at most"),
            tr("For one person, over everything"),
        )
        words = [self._row_words(row) for row in self._rows]
        keys: list[tuple[Any, ...]] = [
            (*cells[:4], *(math.inf if bound is None else getattr(bound, name) for bound, name in _shown_bounds(row)))
            for row, cells in zip(self._rows, words, strict=True)
        ]
        bold = [index for index, row in enumerate(self._rows) if row.precedent is None]
        self.table.fill(titles, words, keys, bold, WIDTHS)
        self._say_source(self.table.currentIndex().row())

    def _row_words(self, row: PrecedentRow) -> tuple[str, ...]:
        precedent = row.precedent
        if precedent is None and self._decision is not None:
            loss, unit = row.loss, persons.unit_words(self._decision[0].release)
            spent = f"ε {loss.epsilon:.3g}" if loss.rho is None else f"ρ {loss.rho:.3g}"
            cells = (tr("You"), self._title, unit, digits(spent))
        elif precedent is not None:
            cells = (f"{precedent.who}, {precedent.year}", precedent.what, precedent.unit, precedent.printed)
        return (*cells, *(_share_words(bound, name) for bound, name in _shown_bounds(row)))

    def _say_source(self, index: int) -> None:
        """Show the source of the row at INDEX and the remark about it."""
        words = "" if index < 0 else self.table.rows_model.words_at(index, 1)
        precedent = next((row.precedent for row in self._rows if row.precedent and row.precedent.what == words), None)
        if precedent is None:
            self.source.say(tr("Choose a row to see its source."))
        else:
            self.source.say(f"{precedent.what}. {precedent.source}. {precedent.remark}".rstrip())


def _shown_bounds(row: PrecedentRow) -> tuple[tuple[PersonRisk | None, str], ...]:
    return (row.unit, "event_chance"), (row.unit, "chance_after"), (row.person, "chance_after")


def _share_words(bound: PersonRisk | None, name: str) -> str:
    return tr("not determined") if bound is None else figures.share_up(getattr(bound, name))
