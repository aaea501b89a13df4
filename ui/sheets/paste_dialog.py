"""The dialog that adds tables from the rows of a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from dpwizard import sheets
from dpwizard.base.csv_text import SEPARATORS, Rows, rows_of, separator
from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Decision, columns_of_needs, with_needs_of_tables
from ui.controls import Choice, Statement
from ui.session import DocumentSession
from ui.sheets.add_tables_dialog import AddTablesDialog
from ui.sheets.text_table import TextTable
from ui.widgets import added, button_for, fill, named, plain, theme, tr
from ui.workers import Background

SIZE = (960, 640)
PROBLEMS_LISTED = 4  # unreadable cells with a sentence each; the others are counted


@dataclass(frozen=True, kw_only=True)
class Understood:
    """The tables read from rows, and how each cell that was read is shown."""

    reading: sheets.Reading
    shown: Mapping[tuple[int, int], str]


def understood(rows: Rows, layout: sheets.Layout) -> Understood:
    """Return the tables read from ROWS by LAYOUT."""
    reading = sheets.read_tables(rows, layout)
    used = {name: at for at, name in enumerate(layout.names) if name}
    shown = {
        (row, used[name]): sheets.column(name).written(value)
        for row, fields in zip(reading.rows, reading.tables, strict=True)
        for name, value in ((name, sheets.column(name).checked(raw)) for name, raw in fields.items())
    }
    return Understood(reading=reading, shown=shown)


class PasteDialog(AddTablesDialog):
    """Shows the rows as they will be read."""

    def __init__(
        self, session: DocumentSession, colours: theme.Colours, text: str, parent: QWidget | None = None
    ) -> None:
        table, title = TextTable((), colours), tr("Tables from a spreadsheet")
        super().__init__(session, table, parent, title, SIZE, tr("Which column goes where?"))
        self.text = text
        self.layout_now = sheets.Layout(headed=False, names=(), mark="either")
        self.reading: sheets.Reading | None = None  # of the current rows; None while they are read
        self.reader = Background(lambda request, stop: understood(*request), parent=self)
        self.reader.done.connect(lambda _, result: self._show_reading(result) if not self.reader.busy else None)
        # the chosen column, and the fields of all before it was: arrow keys pass fields that others have
        self._names_before: tuple[int, tuple[str, ...]] = (-1, ())
        self.column.addWidget(self.says)
        self.column.addLayout(self._make_choices())
        self.column.addLayout(self._make_column_choice())
        self.next_problem = button_for(tr("Next marked cell"), self._choose_next_problem)
        self.end(tr("Rows as read"), (self.problem, self.instead), self.next_problem)
        self.table.headings.setSectionsClickable(True)
        self.table.headings.sectionClicked.connect(lambda at: self.table.choose(0, at))
        self.reader.failed.connect(lambda _, reason: self.problem.say(reason))
        self.table.edited.connect(self._start_reading)
        self.table.selectionModel().currentColumnChanged.connect(lambda *_: self._show_field())
        self.table.rows_model.modelReset.connect(self._show_field)
        self.split_by.show_key(separator(text))
        self._split_text()

    # ------------------------------------------------------------------------------------- its parts

    def _make_choices(self) -> QHBoxLayout:
        row = plain(QHBoxLayout(), theme.NEAR)
        separators = (tr("tabs"), tr("semicolons"), tr("commas"), tr("bars"))
        self.split_by = Choice(zip(SEPARATORS, separators, strict=True))
        self.mark = Choice((("either", tr("as in each number")), (".", "0.5"), (",", "0,5")))
        for words, box in ((tr("Cells are separated by"), self.split_by), (tr("Decimal sign"), self.mark)):
            label = named(QLabel(words), "caption")
            label.setBuddy(box)
            box.setAccessibleName(words)
            fill(row, label, box)
        self.split_by.activated.connect(lambda _: self._split_text())
        self.mark.activated.connect(lambda _: self._set_layout(replace(self.layout_now, mark=self.mark.currentData())))
        self.headed = Statement(tr("The first row has headings"))
        self.headed.clicked.connect(lambda checked: self._set_layout(replace(self.layout_now, headed=checked)))
        row.addStretch(1)
        return row

    def _make_column_choice(self) -> QHBoxLayout:
        row = plain(QHBoxLayout(), theme.NEAR)
        self.which = added(row, named(QLabel(), "caption"))
        columns = sheets.columns()
        self.field = added(row, Choice((("", tr("Not used")), *((column.name, column.label) for column in columns))))
        for at, column in enumerate(columns, 1):
            self.field.setItemData(at, column.help, Qt.ItemDataRole.ToolTipRole)
        self.field.activated.connect(lambda _: self._assign_field())
        row.addStretch(1)
        row.addWidget(self.headed)
        return row

    # ------------------------------------------------------------------------------------- reading

    @property
    def chosen_column(self) -> int:
        """Return the column whose field is being chosen."""
        return max(0, self.table.currentIndex().column())

    def _split_text(self) -> None:
        try:
            rows: Rows = rows_of(self.text, self.split_by.currentData())
        except DPWizardError as problem:
            self.problem.say(tr("The text {message}. {hint}", message=problem.text, hint=problem.remedy))
            rows = ()
        self.table.texts = [list(row) for row in rows]
        self._names_before = (-1, ())
        self._set_layout(sheets.guessed(rows))
        if rows:
            self.table.choose(0, 0)

    def _assign_field(self) -> None:
        """Assign the chosen field to the chosen column, and take it from any other."""
        name = self.field.currentData()
        names = ["" if other == name else other for other in self._names_before[1]]
        names[self.chosen_column] = name
        rows = self.table.as_rows()[self.layout_now.headed :]
        mark = self.layout_now.mark
        mark = sheets.decimal_mark(rows, names) if mark == "either" else mark
        self._set_layout(replace(self.layout_now, names=tuple(names), mark=mark))

    def _set_layout(self, layout: sheets.Layout) -> None:
        self.layout_now = layout
        self.headed.setChecked(layout.headed)
        self.mark.show_key(layout.mark)
        self._start_reading()
        self._show_field()

    def _show_field(self) -> None:
        names = self.layout_now.names
        if self._names_before[0] != self.chosen_column:
            self._names_before = (self.chosen_column, names)
        if self.chosen_column < len(names):
            self.which.setText(tr("Column {number} goes to", number=self.chosen_column + 1))
            self.field.setAccessibleName(self.which.text())
            self.field.show_key(names[self.chosen_column])
        self.field.setEnabled(self.chosen_column < len(names))

    def _start_reading(self) -> None:
        """Read the rows in the background; tables cannot be added meanwhile."""
        layout = self.layout_now
        self.reading = None
        self.add_button.setEnabled(False)
        self.table.titles = tuple(sheets.column(name).label if name else tr("Not used") for name in layout.names)
        self.table.unused = frozenset(at for at, name in enumerate(layout.names) if not name)
        self.table.row_of_titles = 0 if layout.headed else -1
        self.table.show_texts()
        self.reader.request((self.table.as_rows(), layout))

    def _show_reading(self, understood: Understood) -> None:
        self.reading = understood.reading
        self.table.read_as = understood.shown
        self.table.marks = {(problem.row, problem.column): problem.words for problem in understood.reading.problems}
        self.table.show_texts()
        self._say_reading(understood.reading, self.layout_now)

    def _say_reading(self, reading: sheets.Reading, layout: sheets.Layout) -> None:
        tables, wrong = len(reading.tables), len(reading.problems)
        sentences = [tr("{n} table is read.", "{n} tables are read.", n=tables)]
        needs = columns_of_needs(self.table.as_rows())
        sentences += [tr("Two more columns are read as accuracy requirements.")] if needs else []
        unused = [str(at + 1) for at, name in enumerate(layout.names) if not name and at not in needs]
        if unused:
            listed = ", ".join(unused)
            sentences.append(
                tr("Column {columns} is not used.", "Columns {columns} are not used.", n=len(unused), columns=listed)
            )
        self.says.say(" ".join(sentences))
        problems = [problem.words for problem in reading.problems[:PROBLEMS_LISTED]]
        more = wrong - PROBLEMS_LISTED
        if more > 0:
            problems.append(tr("{n} more cell cannot be read.", "{n} more cells cannot be read.", n=more))
        self.problem.say("\n".join(problems))
        self.next_problem.setVisible(bool(wrong))
        words = tr("Add {n} table", "Add {n} tables", n=tables)
        if wrong:
            words = tr("{add}, {n} cell left empty", "{add}, {n} cells left empty", n=wrong, add=words)
        self.add_button.setText(words)
        self.add_button.setEnabled(bool(tables) and any(layout.names))

    def _choose_next_problem(self) -> None:
        """Choose the next unreadable cell."""
        places = sorted(self.table.marks)
        now = (self.table.currentIndex().row(), self.table.currentIndex().column())
        self.table.choose(*next((place for place in places if place > now), places[0]))
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def add(self) -> None:
        if self.reading is None:
            return
        decision, reading, instead = self.session.decision, self.reading, self.instead.isChecked()
        rows = self.table.as_rows()
        tables = zip(reading.rows, reading.tables, strict=True)
        names = {row: fields["name"] for row, fields in tables if "name" in fields}

        def with_new_tables() -> Decision:
            changed = sheets.with_tables(decision, reading.tables, instead=instead)
            if columns_of_needs(rows):
                return sheets.by_needs(with_needs_of_tables(changed, rows, names))
            return changed

        self.add_tables(tr("Add tables from a spreadsheet"), with_new_tables, len(reading.tables))
