"""The cells of the spreadsheet of tables: a row for each table, a column for each field; each can be edited."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from dpwizard import sheets
from dpwizard.base.errors import DPWizardError
from dpwizard.base.fractional import exactly
from dpwizard.base.values import Value
from dpwizard.decision import edits
from ui.controls import Column
from ui.session import DocumentSession
from ui.widgets import tr, within

MANY_TABLES = 200  # from here on an edit takes as long as a frame: the cell shows its new text first
PUT_DELAY = 15  # milliseconds after typing in which the cell is painted
WIDEST = 202  # pixels of the words of a column


class TablesCells(QObject):
    """What each cell shows, and what happens to what is typed into it; a table is its position in the file."""

    refused = Signal(str)  # why something was not taken, in words; an empty text when nothing is wrong
    changed = Signal()

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.values: tuple[Value, ...] = ()
        self.session = session
        self.problems: dict[tuple[int, str], tuple[str, str]] = {}  # what was typed into a cell and refused, and why
        self._pending: dict[tuple[int, str], Any] = {}  # typed, shown, and put in a moment
        self._put_timer = QTimer(self, singleShot=True, interval=PUT_DELAY)
        self._put_timer.timeout.connect(self.put_pending)

    # ------------------------------------------------------------------------------------- showing

    def columns(self) -> tuple[Column, ...]:
        """Return a column for each field, whose rows are positions in the file."""
        return tuple(map(self._column, sheets.columns()))

    def _column(self, field: sheets.Column) -> Column:
        def text(part: int) -> str:
            typed = self.problems.get((part, field.name))
            return self.whole(field, part) if typed is None else typed[0]

        def words(part: int) -> str:
            refused = (part, field.name) in self.problems
            return text(part) if refused else field.short(self._value(field, part))

        return Column(
            title=field.label,
            words=words,
            key=partial(self._sort_key, field),
            tip=text,
            numeric=field.numeric,
            share=float(field.name == "name"),
            most=WIDEST,
            text=text,
            spoken=lambda part: f"{self.place(field, part)}: {text(part) or tr('empty')}",
            help=field.help,
            field=field,
        )

    def problem(self, part: int, column: Column) -> str:
        """Return why what was typed into a cell is not used."""
        return self.problems.get((part, column.field.name), ("", ""))[1]

    def show_values(self, values: tuple[Value, ...]) -> None:
        """Show VALUES; what was typed is kept if there are as many as before."""
        if len(values) != len(self.values):
            self.problems = {}
            self._pending = {}
        self.values = values

    def forget_problems(self) -> None:
        """Show the decision in every cell, instead of texts that were refused."""
        if self.problems:
            self.problems = {}
            self.changed.emit()
            self.refused.emit("")

    def used(self, field: sheets.Column) -> bool:
        """Return whether some table answers FIELD."""
        return any(getattr(value, field.name) != field.default for value in self.values)

    def whole(self, field: sheets.Column, part: int) -> str:
        """Return a cell with all its digits, as it can be typed."""
        return field.written(self._value(field, part))

    def _value(self, field: sheets.Column, part: int) -> Any:
        return self._pending.get((part, field.name), getattr(self.values[part], field.name))

    def place(self, field: sheets.Column, part: int) -> str:
        """Return the name of a cell for use in a sentence."""
        return tr("Row {number}, {column}", number=part + 1, column=field.label)

    def _sort_key(self, field: sheets.Column, part: int) -> Any:
        value = getattr(self.values[part], field.name)
        if value in (None, ()):
            return None
        return exactly(value) if field.numeric else field.written(value).casefold()

    # ------------------------------------------------------------------------------------- editing

    def enter(self, field: sheets.Column, part: int, typed: str) -> None:
        """Take what was TYPED into a cell, or leave it there, marked, with the reason."""
        text = typed.strip()
        if text == self.whole(field, part):
            self._clear_problem((part, field.name))
            return
        try:
            raw = field.read(text)
        except DPWizardError as problem:
            self._mark_refused(field, part, text, problem)
            return
        self._clear_problem((part, field.name))
        if len(self.values) < MANY_TABLES:
            self._put_cell(field, part, raw, text)
            return
        self._pending[part, field.name] = raw
        self._put_timer.start()
        self.changed.emit()

    def put_pending(self) -> None:
        """Put what was typed into the decision."""
        waiting, self._pending = self._pending, {}
        for (part, name), raw in waiting.items():
            field = sheets.column(name)
            self._put_cell(field, part, raw, field.written(raw))

    def _put_cell(self, field: sheets.Column, part: int, raw: Any, text: str) -> None:
        try:
            decision = edits.put_cells(self.session.decision, {(part, field.name): raw})
        except DPWizardError as problem:
            self._mark_refused(field, part, text, problem)
            return
        self.session.edit(tr("Set {field}", field=within(field.label)), decision)

    def put(self, name: str, cells: Mapping[tuple[int, str], Any]) -> None:
        """Put CELLS, by position in the file and field, as one edit called NAME; emit the reason if it is refused."""
        self.put_pending()
        try:
            decision = edits.put_cells(self.session.decision, cells)
        except DPWizardError as problem:
            self.refused.emit(tr("Nothing was changed: {message}. {hint}", message=problem.text, hint=problem.remedy))
            return
        self.problems = {key: typed for key, typed in self.problems.items() if key not in cells}
        self.refused.emit("")
        self.session.edit(name, decision)

    def _clear_problem(self, key: tuple[int, str]) -> None:
        if self.problems.pop(key, None) is not None:
            self.changed.emit()
        if not self.problems:
            self.refused.emit("")

    def _mark_refused(self, field: sheets.Column, part: int, text: str, problem: DPWizardError) -> None:
        """Leave TEXT in its cell, marked, and say why it is not used and which value is."""
        value = self.whole(field, part)
        not_used = (
            tr("Not used. The value is still {value}.", value=value)
            if value
            else tr("Not used: this is not answered yet.")
        )
        words = f"{self.place(field, part)}: {problem.text}. {problem.remedy} {not_used}"
        self.problems[part, field.name] = (text, words)
        self.changed.emit()
        self.refused.emit(words)
