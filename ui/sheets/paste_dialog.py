"""Rows of a spreadsheet on their way into the release: which column goes where, how they are read, what cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Decision
from dpwizard.sheets import (
    SEPARATORS,
    Layout,
    Mark,
    Reading,
    Rows,
    column,
    columns,
    decimal_mark,
    guessed,
    read_tables,
    rows_of,
    separator,
    with_tables,
)
from ui.controls import Choice, Prose, Statement
from ui.session import Session
from ui.sheets.text_table import TextModel, TextTable
from ui.widgets import added, button_for, column_of, named, plain, theme, tr
from ui.workers import Background, Worker

WIDTH, HEIGHT = 960, 640
TOLD = 4  # cells that cannot be read are said in sentences, the others counted
LONGEST_HEADING = 18  # letters of a heading that are quoted above its column


@dataclass(frozen=True, kw_only=True)
class Understood:
    """What rows are read as, and how each cell that is understood is shown."""

    reading: Reading
    shown: Mapping[tuple[int, int], str]


def understood(rows: Rows, layout: Layout) -> Understood:
    """Return what ROWS are read as where their columns go as LAYOUT says."""
    reading = read_tables(rows, layout)
    used = {name: at for at, name in enumerate(layout.names) if name}
    shown = {
        (row, used[name]): column(name).written(value)
        for row, fields in zip(reading.rows, reading.tables, strict=True)
        for name, value in ((name, column(name).checked(raw)) for name, raw in fields.items())
    }
    return Understood(reading=reading, shown=shown)


class PasteDialog(QDialog):
    """Shows the rows as they will be read; nothing changes before they are added, as one edit."""

    put = Signal(int)  # so many tables were added

    def __init__(self, session: Session, colours: theme.Colours, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.text = session, text
        self.setWindowTitle(tr("Tables from a spreadsheet"))
        self.resize(WIDTH, HEIGHT)
        shown = column_of(self, tr("Which column goes where?"))
        shown.setSpacing(theme.NEAR)
        self.layout_now = Layout(headed=False, names=(), mark="either")
        self.reading: Reading | None = None  # of the rows as they stand; None while they are read
        self.reader = Background(lambda asked, stop: understood(*asked), parent=self)
        self.reader.done.connect(lambda asked, found: self._take(found) if not self.reader.busy else None)
        self.adder = Worker(self)
        self.adder.done.connect(self._added)
        self.adder.failed.connect(self._not_added)
        # the column that is being given its place, and where all went before: arrow keys pass by what others have
        self._before: tuple[int, tuple[str, ...]] = (-1, ())
        self.cells = TextModel((), colours)
        self.says = Prose("", "")
        shown.addWidget(self.says)
        shown.addLayout(self._choices())
        shown.addLayout(self._one_column())
        self.table = TextTable(self.cells, tr("Rows as they will be read"))
        self.table.horizontalHeader().sectionClicked.connect(lambda at: self.table.choose(0, at))
        shown.addWidget(self.table, 1)
        self.problem = added(shown, Prose("", "problem"))
        self.reader.failed.connect(lambda asked, said: self.problem.say(said))
        shown.addLayout(self._buttons())
        self.cells.edited.connect(self._read)
        self.table.selectionModel().currentColumnChanged.connect(lambda *_: self._show_field())
        self.cells.modelReset.connect(self._show_field)
        self.split_by.setCurrentIndex(SEPARATORS.index(separator(text)))
        self._split()

    # ------------------------------------------------------------------------------------- its parts

    def _labelled(self, row: QHBoxLayout, words: str, box: Choice) -> Choice:
        label = named(QLabel(words), "caption")
        label.setBuddy(box)
        box.setAccessibleName(words)
        row.addWidget(label)
        row.addWidget(box)
        return box

    def _choices(self) -> QHBoxLayout:
        row = plain(QHBoxLayout(), theme.NEAR)
        self.split_by = self._labelled(row, tr("Cells are separated by"), Choice())
        for words in (tr("tabs"), tr("semicolons"), tr("commas"), tr("bars")):
            self.split_by.addItem(words)
        self.split_by.activated.connect(lambda _: self._split())
        self.mark = self._labelled(row, tr("Decimal sign"), Choice())
        marks: tuple[tuple[str, Mark], ...] = ((tr("as each number shows"), "either"), ("0.5", "."), ("0,5", ","))
        for words, mark in marks:
            self.mark.addItem(words, mark)
        self.mark.activated.connect(lambda _: self._arrange(replace(self.layout_now, mark=self.mark.currentData())))
        self.headed = Statement(tr("The first row has headings"))
        self.headed.clicked.connect(lambda checked: self._arrange(replace(self.layout_now, headed=checked)))
        row.addWidget(self.headed)
        row.addStretch(1)
        return row

    def _one_column(self) -> QHBoxLayout:
        row = plain(QHBoxLayout(), theme.NEAR)
        self.which = added(row, named(QLabel(), "caption"))
        self.field = added(row, Choice())
        self.field.addItem(tr("Not used"), "")
        for each in columns():
            self.field.addItem(each.label, each.name)
            self.field.setItemData(self.field.count() - 1, each.help, Qt.ItemDataRole.ToolTipRole)
        self.field.activated.connect(lambda _: self._use())
        row.addStretch(1)
        return row

    def _buttons(self) -> QVBoxLayout:
        both = plain(QVBoxLayout(), theme.NEAR)
        self.instead = Statement(tr("In place of the tables there are"))
        self.instead.setVisible(not self.session.decision.release.tables[0].whole)
        both.addWidget(self.instead)
        row = plain(QHBoxLayout(), theme.NEAR)
        self.next_problem = button_for(tr("Next marked cell"), self._go_on)
        row.addWidget(self.next_problem)
        row.addStretch(1)
        row.addWidget(button_for(tr("Cancel"), self.reject))
        self.add_button = button_for(tr("Add {n} table", "Add {n} tables", n=0), self._add, "primary")
        self.add_button.setDefault(True)
        row.addWidget(self.add_button)
        both.addLayout(row)
        return both

    # ------------------------------------------------------------------------------------- reading

    @property
    def column(self) -> int:
        """Return the column that is being given its place."""
        return max(0, self.table.currentIndex().column())

    def _split(self) -> None:
        try:
            rows: Rows = rows_of(self.text, SEPARATORS[self.split_by.currentIndex()])
        except DPWizardError as problem:
            self.problem.say(tr("The text {message}. {hint}", message=problem.said, hint=problem.remedy))
            rows = ()
        self.cells.show_rows(rows)
        self._before = (-1, ())
        self._arrange(guessed(rows))
        if rows:
            self.table.resizeColumnsToContents()
            self.table.choose(0, 0)

    def _use(self) -> None:
        """Let the column chosen go to the field chosen; no other column goes there."""
        name = self.field.currentData()
        names = ["" if each == name else each for each in self._before[1]]
        names[self.column] = name
        rows = self.cells.as_rows()[self.layout_now.headed :]
        mark = self.layout_now.mark
        mark = decimal_mark(rows, names) if mark == "either" else mark
        self._arrange(replace(self.layout_now, names=tuple(names), mark=mark))

    def _arrange(self, layout: Layout) -> None:
        self.layout_now = layout
        self.headed.setChecked(layout.headed)
        self.mark.setCurrentIndex(self.mark.findData(layout.mark))
        self._read()
        self._show_field()

    def _show_field(self) -> None:
        names = self.layout_now.names
        if self._before[0] != self.column:
            self._before = (self.column, names)
        if self.column < len(names):
            self.which.setText(tr("Column {number} goes to", number=self.column + 1))
            self.field.setAccessibleName(self.which.text())
            self.field.setCurrentIndex(self.field.findData(names[self.column]))
        self.field.setEnabled(self.column < len(names))

    def _read(self) -> None:
        """Have the rows read behind the window; nothing is added meanwhile."""
        layout = self.layout_now
        self.reading = None
        self.add_button.setEnabled(False)
        self.cells.headings = tuple(column(name).label if name else tr("Not used") for name in layout.names)
        self.cells.quiet = frozenset(at for at, name in enumerate(layout.names) if not name)
        self.cells.quiet_row = 0 if layout.headed else -1
        self.reader.request((self.cells.as_rows(), layout))

    def _take(self, found: Understood) -> None:
        self.reading = found.reading
        self.cells.shown = found.shown
        self.cells.marks = {(each.row, each.column): each.words for each in found.reading.problems}
        self.cells.redraw()
        self._tell(found.reading, self.layout_now)

    def _tell(self, reading: Reading, layout: Layout) -> None:
        tables, wrong = len(reading.tables), len(reading.problems)
        said = [tr("{n} table is read.", "{n} tables are read.", n=tables)]
        unused = [str(at + 1) for at, name in enumerate(layout.names) if not name]
        if unused:
            listed = ", ".join(unused)
            said.append(
                tr("Column {columns} is not used.", "Columns {columns} are not used.", n=len(unused), columns=listed)
            )
        self.says.say(" ".join(said))
        told = [each.words for each in reading.problems[:TOLD]]
        if wrong > TOLD:
            told.append(tr("{n} more cell cannot be read.", "{n} more cells cannot be read.", n=wrong - TOLD))
        self.problem.say("\n".join(told))
        self.problem.setVisible(bool(told))
        self.next_problem.setVisible(bool(wrong))
        words = tr("Add {n} table", "Add {n} tables", n=tables)
        if wrong:
            words = tr("{add}, {n} cell left empty", "{add}, {n} cells left empty", n=wrong, add=words)
        self.add_button.setText(words)
        self.add_button.setEnabled(bool(tables) and any(layout.names))

    def _go_on(self) -> None:
        """Choose the next cell that cannot be read, behind the one chosen."""
        places = sorted(self.cells.marks)
        now = (self.table.currentIndex().row(), self.table.currentIndex().column())
        self.table.choose(*next((place for place in places if place > now), places[0]))
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _add(self) -> None:
        if self.reading is None:
            return
        decision, tables, instead = self.session.decision, self.reading.tables, self.instead.isChecked()
        self.setEnabled(False)  # what is being added stays as it is
        self.adder.start(lambda progress: (with_tables(decision, tables, instead=instead), len(tables)))

    def _added(self, found: tuple[Decision, int]) -> None:
        decision, count = found
        self.session.edit(tr("Add tables from a spreadsheet"), decision)
        self.put.emit(count)
        self.accept()

    def _not_added(self, problem: DPWizardError) -> None:
        self.setEnabled(True)
        self.add_button.setFocus()
        self.problem.say(tr("Not added: {message}. {hint}", message=problem.said, hint=problem.remedy))
        self.problem.show()

    def done(self, result: int) -> None:
        self.reader.leave()
        self.adder.leave()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.done(0)
        super().closeEvent(event)
