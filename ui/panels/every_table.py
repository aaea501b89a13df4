"""Every table of a release in one view: noise, share and needs, the tightest first; sorted, searched, copied as CSV."""

from __future__ import annotations

import textwrap
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QTableView

from dpwizard.charts import Picture, charts, every_table
from dpwizard.decision import Decision
from dpwizard.wording import whole, word
from ui.controls import Headings, Line, Prose, Statement
from ui.panels.panel import Panel
from ui.widgets import added, button_for, fill, named, theme

ROW, MOST, FEWEST = 28, 12, 3  # pixels of a row; how many are seen at once, at most and at least
SAMPLE = 80  # rows whose words say how wide a column is
INSIDE, AROUND, ARROW = (
    8,
    28,
    12,
)  # pixels inside a cell beside its words; in all; and of the arrow of the column sorted
LEAST = {"need": 160, "table": 140}  # pixels that these columns keep where there is little room; the others keep all
WIDEST = {"table": 320, "need": 420}
LETTERS = 11  # in a line of a heading, where a word is not longer
FREE = "\u2003"  # beside the words of the column sorted, where its arrow is
SEARCH = 260  # pixels
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


class TablesModel(QAbstractTableModel):
    """The rows that are sought, in the order chosen; the words of a cell are made when it is seen."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__()
        self.colours = colours
        self.all: tuple[every_table.Row, ...] = ()
        self.rows: tuple[every_table.Row, ...] = ()
        self.wanted, self.only_broken = "", False
        self.order = (every_table.LEFT, False)
        self._words: dict[int, tuple[str, ...]] = {}

    def show_rows(self, found: tuple[every_table.Row, ...]) -> None:
        """Show the tables FOUND, as they are sought and in the order chosen."""
        self.all = found
        self._arrange()

    def seek(self, text: str, only_broken: bool) -> None:
        """Show the tables that say TEXT; ONLY those with a need that is not kept, if so."""
        self.wanted, self.only_broken = text, only_broken
        self._arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.order = (column, order == Qt.SortOrder.DescendingOrder)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(every_table.COLUMNS) - 1)
        self._arrange()

    def _arrange(self) -> None:
        """Show what is found now; where the same tables stand in the same places, only their words change."""
        found = every_table.sought(self.all, self.wanted, self.only_broken)
        found = every_table.ordered(found, *self.order)
        self._words = {}
        if [row.name for row in found] != [row.name for row in self.rows]:
            self.beginResetModel()
            self.rows = found
            self.endResetModel()
        elif found != self.rows:
            self.rows = found
            self.dataChanged.emit(self.index(0, 0), self.index(len(found) - 1, len(every_table.COLUMNS) - 1))

    def words(self, row: int) -> tuple[str, ...]:
        """Return the words of ROW under each column."""
        if row not in self._words:
            self._words[row] = every_table.shown(self.rows[row])
        return self._words[row]

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(every_table.COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return broken(every_table.headings()[section]) + (FREE if section == self.order[0] else "")
        if role == Qt.ItemDataRole.TextAlignmentRole and every_table.COLUMNS[section] in every_table.NUMBERS:
            return RIGHT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = every_table.COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.words(index.row())[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column in every_table.NUMBERS else None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(said for said in (row.name, *map(every_table.told, row.needs)) if said)
        if role == Qt.ItemDataRole.ForegroundRole and column == "kept" and row.kept is False:
            return QColor(self.colours.problem)
        return None


def broken(words: str) -> str:
    """Return the words of a heading in short lines."""
    return "\n".join(textwrap.wrap(words, LETTERS, break_long_words=False))


class EveryTablePanel(Panel):
    """A row for each table of a release of several; nothing where there is one."""

    titled = ("tables", "title")

    def build(self) -> None:
        self.model = TablesModel(self.colours)
        self.search = Line()
        self.search.setPlaceholderText(word("tables", "search"))
        self.search.setAccessibleName(word("tables", "search"))
        self.search.setToolTip(word("tables", "search_help"))
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(SEARCH)
        self.only_broken = Statement(word("tables", "only_broken"))
        self.seen = Prose("", "caption")
        self.copy_button = button_for(word("chart", "copy_csv"), self.copy, "small")
        above = QHBoxLayout()
        above.setSpacing(theme.GROUP)
        above.addWidget(self.search, 1)
        above.addWidget(self.only_broken)
        above.addWidget(self.seen, 1)
        above.addWidget(self.copy_button, alignment=Qt.AlignmentFlag.AlignRight)
        self.column.addLayout(above)
        self.table = added(self.column, self._view())
        fill(self.column, named(Prose(word("chart", "what_if_keys"), "caption"), "caption"))
        self.search.textChanged.connect(self._seek)
        self.only_broken.toggled.connect(self._seek)

    def _view(self) -> QTableView:
        table = QTableView()
        self.headings = Headings(self.colours, table)
        self.headings.setSectionsClickable(True)
        self.headings.setAccessibleName(word("tables", "headings"))
        self.headings.setSortIndicator(every_table.LEFT, Qt.SortOrder.AscendingOrder)
        self.headings.setStyleSheet(f"QHeaderView::section {{ padding: 4px {INSIDE}px; }}")
        table.setStyleSheet(f"QTableView::item {{ padding: 0 {INSIDE}px; }}")
        table.setHorizontalHeader(self.headings)
        table.setModel(self.model)
        table.setSortingEnabled(True)
        table.setAccessibleName(self.title)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(ROW)
        theme.tabular(table)
        return table

    # ------------------------------------------------------------------------------------------- what is shown

    def drafted(self, picture: Picture) -> bool:
        return True  # a need that is still being computed says so

    def draw(self, decision: Decision, picture: Picture) -> str:
        several = len(decision.release.tables) > 1
        self.setVisible(several)
        if not several:
            self.model.show_rows(())
            return ""
        chosen, answers = picture.assessment.epsilon, picture.assessment.answers
        found = every_table.rows(decision.release, chosen, zip(decision.requirements, answers, strict=False))
        names = [row.name for row in self.model.all]
        self.model.show_rows(found)
        self._count()
        if names != [row.name for row in found]:
            self.fit()
        return every_table.summary(found, chosen)

    def _seek(self) -> None:
        self.model.seek(self.search.text(), self.only_broken.isChecked())
        self._count()

    def _count(self) -> None:
        seen, known = len(self.model.rows), len(self.model.all)
        self.seen.say(word("tables", "seen").format(seen=whole(seen), all=whole(known)) if seen < known else "")

    def copy(self) -> None:
        """Copy the tables that are seen as CSV, in the order in which they are shown: a line for each need."""
        QGuiApplication.clipboard().setText(charts.csv_text(every_table.headings(), every_table.lines(self.model.rows)))

    # ----------------------------------------------------------------------------------------------- its size

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def fit(self) -> None:
        """Be as high as the rows seen at once, and share the width out: figures keep theirs, words give way."""
        metrics = QFontMetrics(self.table.font())
        sample = [self.model.words(row) for row in range(min(len(self.model.rows), SAMPLE))]
        needed = {}
        for at, (column, heading) in enumerate(zip(every_table.COLUMNS, every_table.headings(), strict=True)):
            said = [*broken(heading).split("\n"), *(words[at] for words in sample)]
            needed[column] = max(map(metrics.horizontalAdvance, said)) + AROUND
            needed[column] += ARROW if at == self.headings.sortIndicatorSection() else 0
        for column, most in WIDEST.items():
            needed[column] = min(needed[column], most)
        bars = (self.table.verticalScrollBar(), self.table.horizontalScrollBar())
        scrolls = len(self.model.all) > MOST
        always, never = Qt.ScrollBarPolicy.ScrollBarAlwaysOn, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.table.setVerticalScrollBarPolicy(always if scrolls else never)
        room = self.width() - 2 * self.table.frameWidth() - scrolls * bars[0].sizeHint().width()
        spare = room - sum(needed.values())
        for column, least in LEAST.items():
            given = min(max(0, -spare), max(0, needed[column] - least))
            needed[column] -= given
            spare += given
        for at, (column, width) in enumerate(needed.items()):
            self.table.setColumnWidth(at, width + (max(0, spare) // len(LEAST) if column in LEAST else 0))
        shown = max(FEWEST, min(len(self.model.all), MOST))
        below = bars[1].sizeHint().height() if spare < 0 else 0
        high = shown * ROW + self.headings.sizeHint().height() + below + 2 * self.table.frameWidth()
        if self.table.height() != high:
            self.table.setFixedHeight(high)
