"""The spreadsheet of tables with what can be done to its rows and columns, and below it the form of the one chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QTableView, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.base.values import Value
from dpwizard.decision import Decision, edits
from dpwizard.sheets import duplicated
from ui.controls import MenuButton, Prose
from ui.forms import Overview
from ui.session import DocumentSession
from ui.sheets.parts_model import PartsModel
from ui.sheets.parts_table import BASIC, PartsTable
from ui.widgets import added, plain, theme, tr, unmnemonic

PARTS = "$.release.parts"
KEYS = {
    name: QKeySequence(keys)
    for name, keys in {
        "duplicate": "Ctrl+Shift+D",
        "up": "Ctrl+Shift+Up",
        "down": "Ctrl+Shift+Down",
        "delete": "Ctrl+Shift+Del",
        "copy": "Ctrl+C",
        "paste": "Ctrl+V",
        "fill": "Ctrl+D",
    }.items()
}
PAUSE = 150  # milliseconds after which the form of the row one has stopped at is made


class PartsOverview(Overview):
    """All tables as rows."""

    table: PartsTable

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
        self.count = added(head, Prose("", "caption"))
        self.count.setMaximumWidth(theme.WIDEST)
        head.setStretch(0, 1)
        self.rows_button = added(head, MenuButton(tr("Rows")))
        self.columns_button = added(head, MenuButton(tr("Columns")))
        for button in (self.rows_button, self.columns_button):
            button.setObjectName("small")
        self.column.addLayout(head)
        self.model = model = PartsModel(self.session, self._colours)
        table = added(self.column, PartsTable(model, title))
        self.problem = added(self.column, Prose("", "problem", hides=True))
        model.refused.connect(self.problem.say)
        model.sorted.connect(lambda: self._say_count())
        table.selectionModel().currentRowChanged.connect(lambda *_: self._rest())
        self._fill_rows(table.menu, table)
        self.rows_button.setMenu(table.menu)
        table.menu.aboutToShow.connect(self._enable)
        columns = QMenu(self)
        columns.aboutToShow.connect(lambda: self._fill_columns(columns))
        self.columns_button.setMenu(columns)
        return table

    def put(self, values: tuple[Value, ...]) -> None:
        self.model.show_values(values)

    def _fill_rows(self, menu: QMenu, table: PartsTable) -> None:
        """Fill the MENU; its keys are heard by the TABLE, when it has the keyboard."""
        self.acts: dict[str, QAction] = {}
        for name, words, act in (
            ("duplicate", tr("Duplicate"), self._duplicate),
            ("up", tr("Move up"), lambda: self._move(-1)),
            ("down", tr("Move down"), lambda: self._move(1)),
            ("delete", tr("Delete rows"), self._delete),
            ("copy", tr("Copy"), table.copy),
            ("paste", tr("Paste"), table.paste),
            ("fill", tr("Fill down"), table.fill_down),
            ("keep", tr("Put the tables into this order"), self._keep_order),
            ("unsort", tr("Show the order of the file"), table.unsort),
        ):
            keys = KEYS[name].toString(QKeySequence.SequenceFormat.NativeText) if name in KEYS else ""
            action = menu.addAction(f"{unmnemonic(words)}\t{keys}", act)
            action.setObjectName(name)
            self.acts[name] = action
            if name in KEYS:
                table.keys[KEYS[name].toString()] = act
            if name in ("delete", "fill"):
                menu.addSeparator()

    def _enable(self) -> None:
        sorted_now = self.model.by is not None
        for name in ("up", "down"):
            self.acts[name].setEnabled(not sorted_now)
        for name in ("keep", "unsort"):
            self.acts[name].setEnabled(sorted_now)

    def _fill_columns(self, menu: QMenu) -> None:
        menu.clear()
        for at, each in enumerate(self.model.columns):
            action = menu.addAction(each.label)
            action.setObjectName(each.name)
            action.setCheckable(True)
            action.setChecked(not self.table.isColumnHidden(at))
            action.setEnabled(each.name not in BASIC and not self.model.used(at))
            action.setToolTip(each.help)
            action.toggled.connect(lambda shown, at=at: self._show_column(at, shown))

    def _show_column(self, at: int, shown: bool) -> None:
        (self.table.shown.add if shown else self.table.shown.discard)(at)
        self.table.show_columns()

    def _say_count(self) -> None:
        text = tr("{n} table", "{n} tables", n=len(self.model.values))
        if self.model.by is not None:
            label = self.model.columns[self.model.by[0]].label
            text = tr("{tables}, sorted by “{column}”; the file keeps its order", tables=text, column=label)
        self.count.say(text)

    # ------------------------------------------------------------------------------------- the form below

    def show_values(self, values: tuple[Value, ...]) -> None:
        fewer = len(values) != len(self.model.values)
        kept = max(0, min(self.row, len(values) - 1))
        self.model.show_values(values)
        self.table.show_columns(anew=fewer)
        self._say_count()
        if self.table.currentIndex().row() < 0 or fewer:
            self.choose(kept)

    def choose(self, row: int) -> None:
        at = self.model.index(self.model.row_of(row), max(0, self.table.currentIndex().column()))
        self.table.setCurrentIndex(at)
        self.table.scrollTo(at)
        self.show_row(at.row())

    def show_row(self, row: int) -> None:
        if row >= 0:
            super().show_row(self.model.part_at(row))

    def stop(self) -> None:
        if self._pause is not None:
            self._pause.stop()

    def _rest(self) -> None:
        if self._pause is not None:
            self._pause.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        QWidget.resizeEvent(self, event)
        self.table.fit()

    def forget_problems(self) -> None:
        """Show what is in force in every cell."""
        self.model.forget_problems()
        self.problem.say("")

    # ------------------------------------------------------------------------------------- rows

    def _edit(self, name: str, change: Callable[[Decision], Decision]) -> bool:
        """Change the decision as one edit called NAME; say why where that is not allowed."""
        self.model.put_pending()
        try:
            decision = change(self.session.decision)
        except DPWizardError as problem:
            self.problem.say(tr("Nothing was changed: {message}. {hint}", message=problem.text, hint=problem.remedy))
            return False
        self.forget_problems()  # what was refused in a row would stand in another one
        self.session.edit(name, decision)
        return True

    def _duplicate(self) -> None:
        parts = self.table.chosen_parts()
        if parts and self._edit(tr("Duplicate tables"), lambda decision: duplicated(decision, parts)):
            self.table.choose_parts(tuple(range(max(parts) + 1, max(parts) + 1 + len(parts))))

    def _move(self, by: int) -> None:
        chosen = self.table.chosen_parts()
        order = moved(len(self.model.values), chosen, by)
        if self.model.by is None and order is not None and self._arrange(tr("Move tables"), order):
            self.table.choose_parts(tuple(part + by for part in chosen))

    def _delete(self) -> None:
        gone = set(self.table.chosen_parts())
        self._arrange(tr("Delete tables"), [at for at in range(len(self.model.values)) if at not in gone])

    def _keep_order(self) -> None:
        order = list(self.model.order)
        self.table.unsort()
        self._arrange(tr("Sort tables"), order)

    def _arrange(self, name: str, order: Sequence[int]) -> bool:
        return self._edit(name, lambda decision: edits.arrange(decision, PARTS, order))


def moved(count: int, chosen: Sequence[int], by: int) -> list[int] | None:
    """Return the order of COUNT rows when those CHOSEN go BY -1 or 1, up or down; None at the end of the list."""
    if not chosen or min(chosen) + by < 0 or max(chosen) + by >= count:
        return None
    order = list(range(count))
    for at in sorted(chosen, reverse=by > 0):
        order[at], order[at + by] = order[at + by], order[at]
    return order
