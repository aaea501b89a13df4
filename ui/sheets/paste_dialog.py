"""Rows of a spreadsheet on their way into the release: which column goes where, how they are read, what cannot be."""

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
from ui.sheets.tables_dialog import TablesDialog
from ui.sheets.text_table import TextModel
from ui.widgets import added, button_for, named, plain, theme, tr
from ui.workers import Background

SIZE = (960, 640)
TOLD = 4  # cells that cannot be read are said in sentences, the others counted
LONGEST_HEADING = 18  # letters of a heading that are quoted above its column


@dataclass(frozen=True, kw_only=True)
class Understood:
    """What rows are read as, and how each cell that is understood is shown."""

    reading: sheets.Reading
    shown: Mapping[tuple[int, int], str]


def understood(rows: Rows, layout: sheets.Layout) -> Understood:
    """Return what ROWS are read as where their columns go as LAYOUT says."""
    reading = sheets.read_tables(rows, layout)
    used = {name: at for at, name in enumerate(layout.names) if name}
    shown = {
        (row, used[name]): sheets.column(name).written(value)
        for row, fields in zip(reading.rows, reading.tables, strict=True)
        for name, value in ((name, sheets.column(name).checked(raw)) for name, raw in fields.items())
    }
    return Understood(reading=reading, shown=shown)


class PasteDialog(TablesDialog):
    """Shows the rows as they will be read."""

    def __init__(
        self, session: DocumentSession, colours: theme.Colours, text: str, parent: QWidget | None = None
    ) -> None:
        cells, title = TextModel((), colours), tr("Tables from a spreadsheet")
        super().__init__(session, cells, parent, title, SIZE, tr("Which column goes where?"))
        self.text = text
        self.layout_now = sheets.Layout(headed=False, names=(), mark="either")
        self.reading: sheets.Reading | None = None  # of the rows as they stand; None while they are read
        self.reader = Background(lambda asked, stop: understood(*asked), parent=self)
        self.reader.done.connect(lambda asked, found: self._take(found) if not self.reader.busy else None)
        # the column that is being given its place, and where all went before: arrow keys pass by what others have
        self._before: tuple[int, tuple[str, ...]] = (-1, ())
        self.column.addWidget(self.says)
        self.column.addLayout(self._choices())
        self.column.addLayout(self._one_column())
        self.next_problem = button_for(tr("Next marked cell"), self._go_on)
        self.end(tr("Rows as they will be read"), (self.problem, self.instead), self.next_problem)
        self.table.horizontalHeader().sectionClicked.connect(lambda at: self.table.choose(0, at))
        self.reader.failed.connect(lambda asked, said: self.problem.say(said))
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
        for words, mark in ((tr("as each number shows"), "either"), ("0.5", "."), ("0,5", ",")):
            self.mark.addItem(words, mark)
        self.mark.activated.connect(lambda _: self._arrange(replace(self.layout_now, mark=self.mark.currentData())))
        self.headed = Statement(tr("The first row has headings"))
        self.headed.clicked.connect(lambda checked: self._arrange(replace(self.layout_now, headed=checked)))
        row.addStretch(1)
        return row

    def _one_column(self) -> QHBoxLayout:
        row = plain(QHBoxLayout(), theme.NEAR)
        self.which = added(row, named(QLabel(), "caption"))
        self.field = added(row, Choice())
        self.field.addItem(tr("Not used"), "")
        for each in sheets.columns():
            self.field.addItem(each.label, each.name)
            self.field.setItemData(self.field.count() - 1, each.help, Qt.ItemDataRole.ToolTipRole)
        self.field.activated.connect(lambda _: self._use())
        row.addStretch(1)
        row.addWidget(self.headed)
        return row

    # ------------------------------------------------------------------------------------- reading

    @property
    def chosen_column(self) -> int:
        """Return the column that is being given its place."""
        return max(0, self.table.currentIndex().column())

    def _split(self) -> None:
        try:
            rows: Rows = rows_of(self.text, SEPARATORS[self.split_by.currentIndex()])
        except DPWizardError as problem:
            self.problem.say(tr("The text {message}. {hint}", message=problem.text, hint=problem.remedy))
            rows = ()
        self.cells.show_rows(rows)
        self._before = (-1, ())
        self._arrange(sheets.guessed(rows))
        if rows:
            self.table.resizeColumnsToContents()
            self.table.choose(0, 0)

    def _use(self) -> None:
        """Let the column chosen go to the field chosen; no other column goes there."""
        name = self.field.currentData()
        names = ["" if each == name else each for each in self._before[1]]
        names[self.chosen_column] = name
        rows = self.cells.as_rows()[self.layout_now.headed :]
        mark = self.layout_now.mark
        mark = sheets.decimal_mark(rows, names) if mark == "either" else mark
        self._arrange(replace(self.layout_now, names=tuple(names), mark=mark))

    def _arrange(self, layout: sheets.Layout) -> None:
        self.layout_now = layout
        self.headed.setChecked(layout.headed)
        self.mark.setCurrentIndex(self.mark.findData(layout.mark))
        self._read()
        self._show_field()

    def _show_field(self) -> None:
        names = self.layout_now.names
        if self._before[0] != self.chosen_column:
            self._before = (self.chosen_column, names)
        if self.chosen_column < len(names):
            self.which.setText(tr("Column {number} goes to", number=self.chosen_column + 1))
            self.field.setAccessibleName(self.which.text())
            self.field.setCurrentIndex(self.field.findData(names[self.chosen_column]))
        self.field.setEnabled(self.chosen_column < len(names))

    def _read(self) -> None:
        """Have the rows read behind the window; nothing is added meanwhile."""
        layout = self.layout_now
        self.reading = None
        self.add_button.setEnabled(False)
        self.cells.headings = tuple(sheets.column(name).label if name else tr("Not used") for name in layout.names)
        self.cells.quiet = frozenset(at for at, name in enumerate(layout.names) if not name)
        self.cells.quiet_row = 0 if layout.headed else -1
        self.reader.request((self.cells.as_rows(), layout))

    def _take(self, found: Understood) -> None:
        self.reading = found.reading
        self.cells.shown = found.shown
        self.cells.marks = {(each.row, each.column): each.words for each in found.reading.problems}
        self.cells.redraw()
        self._tell(found.reading, self.layout_now)

    def _tell(self, reading: sheets.Reading, layout: sheets.Layout) -> None:
        tables, wrong = len(reading.tables), len(reading.problems)
        sentences = [tr("{n} table is read.", "{n} tables are read.", n=tables)]
        needs = columns_of_needs(self.cells.as_rows())
        sentences += [tr("Two more columns are read as accuracy requirements.")] if needs else []
        unused = [str(at + 1) for at, name in enumerate(layout.names) if not name and at not in needs]
        if unused:
            listed = ", ".join(unused)
            sentences.append(
                tr("Column {columns} is not used.", "Columns {columns} are not used.", n=len(unused), columns=listed)
            )
        self.says.say(" ".join(sentences))
        problems = [each.words for each in reading.problems[:TOLD]]
        if wrong > TOLD:
            problems.append(tr("{n} more cell cannot be read.", "{n} more cells cannot be read.", n=wrong - TOLD))
        self.problem.say("\n".join(problems))
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

    def add(self) -> None:
        if self.reading is None:
            return
        decision, reading, instead = self.session.decision, self.reading, self.instead.isChecked()
        rows = self.cells.as_rows()
        names = {row: each["name"] for row, each in zip(reading.rows, reading.tables, strict=True) if "name" in each}

        def made() -> Decision:
            found = sheets.with_tables(decision, reading.tables, instead=instead)
            return sheets.by_needs(with_needs_of_tables(found, rows, names)) if columns_of_needs(rows) else found

        self.add_tables(tr("Add tables from a spreadsheet"), made, len(reading.tables))

    def done(self, result: int) -> None:
        self.reader.leave()
        super().done(result)
