"""The spreadsheet of tables with its menus of rows and columns, and the form of the chosen table below it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QMenu, QTableView, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.base.values import Value
from dpwizard.decision import Decision, edits
from dpwizard.sheets import duplicated
from ui.controls import Prose
from ui.forms import Overview
from ui.session import DocumentSession
from ui.sheets.tables_cells import TablesCells
from ui.sheets.tables_sheet import BASIC, TablesSheet
from ui.widgets import MenuButton, Problem, added, plain, theme, tr, unmnemonic

PARTS = "$.release.parts"
KEYS = {
    "duplicate": "Ctrl+Shift+D",
    "up": "Ctrl+Shift+Up",
    "down": "Ctrl+Shift+Down",
    "delete": "Ctrl+Shift+Del",
    "copy": "Ctrl+C",
    "paste": "Ctrl+V",
    "fill": "Ctrl+D",
}
PAUSE = 150  # milliseconds on a row before its form is made


class TablesOverview(Overview):
    """All tables as rows."""

    table: TablesSheet

    def __init__(
        self, session: DocumentSession, colours: theme.Colours, title: str, make: Callable[[int], QWidget]
    ) -> None:
        self.session, self._colours = session, colours
        self._pause: QTimer | None = None
        super().__init__(Value, (), title, make)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(lambda: self.show_row(self.table.currentIndex().row()))

    def build(self, kind: type[Value], names: tuple[str, ...], title: str) -> QTableView:
        head = plain(QHBoxLayout(), theme.NEAR)
        self.count = added(head, Prose("", "caption", most=theme.WIDEST))
        head.setStretch(0, 1)
        self.rows_button = added(head, MenuButton(tr("Rows")))
        self.columns_button = added(head, MenuButton(tr("Columns")))
        for button in (self.rows_button, self.columns_button):
            button.setObjectName("small")
        self.column.addLayout(head)
        self.cells = TablesCells(self.session)
        table = added(self.column, TablesSheet(self.cells, self._colours, title))
        self.model = table.rows_model
        self.problem = added(self.column, Problem())
        self.cells.refused.connect(self.problem.say)
        table.headings.sortIndicatorChanged.connect(lambda *_: self._say_count())
        table.selectionModel().currentRowChanged.connect(lambda *_: self._start_pause())
        self._fill_row_menu(table.menu, table)
        self.rows_button.setMenu(table.menu)
        table.menu.aboutToShow.connect(self._enable_actions)
        columns = QMenu(self)
        columns.aboutToShow.connect(lambda: self._fill_column_menu(columns))
        self.columns_button.setMenu(columns)
        return table

    def _fill_row_menu(self, menu: QMenu, table: TablesSheet) -> None:
        """Fill MENU; TABLE handles its keys while it has the focus."""
        self.acts: dict[str, QAction] = {}
        for name, words, act in (
            ("duplicate", tr("Duplicate"), self._duplicate_rows),
            ("up", tr("Move up"), lambda: self._move_rows(-1)),
            ("down", tr("Move down"), lambda: self._move_rows(1)),
            ("delete", tr("Delete rows"), self._delete_rows),
            ("copy", tr("Copy"), table.copy),
            ("paste", tr("Paste"), table.paste),
            ("fill", tr("Fill down"), table.fill_down),
            ("keep", tr("Put the tables in this order"), self._keep_order),
            ("unsort", tr("Show the order of the file"), table.unsort),
        ):
            keys = QKeySequence(KEYS.get(name, ""))
            action = menu.addAction(
                f"{unmnemonic(words)}\t{keys.toString(QKeySequence.SequenceFormat.NativeText)}", act
            )
            action.setObjectName(name)
            self.acts[name] = action
            if name in KEYS:
                table.keys[keys.toString()] = act
            if name in ("delete", "fill"):
                menu.addSeparator()

    def _enable_actions(self) -> None:
        sorted_now = self.model.order is not None
        for name in ("up", "down"):
            self.acts[name].setEnabled(not sorted_now)
        for name in ("keep", "unsort"):
            self.acts[name].setEnabled(sorted_now)

    def _fill_column_menu(self, menu: QMenu) -> None:
        menu.clear()
        for at, column in enumerate(self.model.columns):
            action = menu.addAction(column.title)
            action.setObjectName(column.field.name)
            action.setCheckable(True)
            action.setChecked(not self.table.isColumnHidden(at))
            action.setEnabled(column.field.name not in BASIC and not self.cells.used(column.field))
            action.setToolTip(column.help)
            action.toggled.connect(lambda shown, at=at: self._show_column(at, shown))

    def _show_column(self, at: int, shown: bool) -> None:
        (self.table.shown.add if shown else self.table.shown.discard)(at)
        self.table.show_columns()
        self.table.fit()

    def _say_count(self) -> None:
        text = tr("{n} table", "{n} tables", n=len(self.cells.values))
        if self.model.order is not None:
            label = self.model.columns[self.model.order[0]].title
            text = tr("{tables}, sorted by “{column}”; the file keeps its order", tables=text, column=label)
        self.count.say(text)

    # ------------------------------------------------------------------------------------- the form below

    def show_values(self, values: tuple[Value, ...]) -> None:
        resized = len(values) != len(self.cells.values)
        part = max(0, min(self.row, len(values) - 1))
        self.cells.show_values(values)
        self.table.show_values()
        self._say_count()
        if self.table.currentIndex().row() < 0 or resized:
            self.choose(part)

    def choose(self, row: int) -> None:
        at = self.model.rows.index(row)
        self.table.choose(at, max(0, self.table.currentIndex().column()))
        self.show_row(at)

    def show_row(self, row: int) -> None:
        if row >= 0:
            super().show_row(self.model.rows[row])

    def stop(self) -> None:
        if self._pause is not None:
            self._pause.stop()

    def _start_pause(self) -> None:
        if self._pause is not None:
            self._pause.start()

    def forget_problems(self) -> None:
        """Show the decision in every cell, instead of texts that were refused."""
        self.cells.forget_problems()
        self.problem.say("")

    # ------------------------------------------------------------------------------------- rows

    def _edit(self, name: str, change: Callable[[Decision], Decision]) -> bool:
        """Change the decision as one edit called NAME; say the reason if it is refused."""
        self.cells.put_pending()
        try:
            decision = change(self.session.decision)
        except DPWizardError as problem:
            self.problem.say(tr("Nothing was changed: {message}. {hint}", message=problem.text, hint=problem.remedy))
            return False
        self.forget_problems()  # a refused text would appear in another row
        self.session.edit(name, decision)
        return True

    def _duplicate_rows(self) -> None:
        parts = self.table.chosen_parts()
        if parts and self._edit(tr("Duplicate tables"), lambda decision: duplicated(decision, parts)):
            self.table.choose_parts(tuple(range(max(parts) + 1, max(parts) + 1 + len(parts))))

    def _move_rows(self, by: int) -> None:
        chosen = self.table.chosen_parts()
        order = order_after_move(len(self.cells.values), chosen, by)
        if self.model.order is None and order is not None and self._reorder(tr("Move tables"), order):
            self.table.choose_parts(tuple(part + by for part in chosen))

    def _delete_rows(self) -> None:
        deleted = set(self.table.chosen_parts())
        self._reorder(tr("Delete tables"), [at for at in range(len(self.cells.values)) if at not in deleted])

    def _keep_order(self) -> None:
        order = list(self.model.rows)
        self.table.unsort()
        self._reorder(tr("Sort tables"), order)

    def _reorder(self, name: str, order: Sequence[int]) -> bool:
        return self._edit(name, lambda decision: edits.arrange(decision, PARTS, order))


def order_after_move(count: int, chosen: Sequence[int], by: int) -> list[int] | None:
    """Return the order of COUNT rows after CHOSEN move BY -1 (up) or 1 (down); None if they cannot."""
    if not chosen or min(chosen) + by < 0 or max(chosen) + by >= count:
        return None
    order = list(range(count))
    for row in sorted(chosen, reverse=by > 0):
        order[row], order[row + by] = order[row + by], order[row]
    return order
