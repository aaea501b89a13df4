"""Recovery after a crash or a power cut: what was not saved, field by field, and the choice."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QDialog,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from dpwizard.decision import Decision
from dpwizard.language import phrase
from dpwizard.projects import comparison
from dpwizard.values import Value
from dpwizard.wording import listed, number, word
from ui.forms import choices
from ui.widgets import SideBySide, column_of, moment, theme, tr, within_reach

LONGEST = 300  # characters of a value that are shown; the rest is in the tool tip
MOST_ROWS = 500
RECOVER, DISCARD = 1, 2


class RecoveryDialog(QDialog):
    """Shows what differs between what lies in the file and what was written last, and asks what to do."""

    def __init__(
        self, saved: Decision, found: Decision, name: str, time: str, *, changed_since: bool, parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        self.choice = 0
        self.setWindowTitle(tr("Recover unsaved changes"))
        self.resize(820, 520)
        column = column_of(self, tr("There are changes that were not saved"))
        self.says = QLabel(self._words(name, time, changed_since), wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        column.addWidget(self.says)
        self.table = self._table(comparison.differences(saved, found), bool(name))
        column.addWidget(self.table, 1)
        row = SideBySide(theme.NEAR)
        self.discard_button = self._button(row.box, tr("Delete these changes"), DISCARD)
        row.box.addStretch(1)
        self.later_button = self._button(row.box, tr("Decide later"), 0)
        self.recover_button = self._button(row.box, tr("Recover them"), RECOVER)
        self.recover_button.setObjectName("primary")
        self.recover_button.setDefault(True)
        column.addWidget(row)
        within_reach(self)
        self.recover_button.setFocus()

    def _words(self, name: str, time: str, changed_since: bool) -> str:
        when = moment(time)
        if not name:
            said = tr(
                "The program ended before this decision had a file. The last change was kept at {time}.", time=when
            )
        else:
            said = tr(
                "The program ended before “{name}” was saved. The last change was kept at {time}.", name=name, time=when
            )
        if changed_since:
            said += "\n" + tr("The file was changed since by another program: compare carefully.")
        return said + "\n" + tr("What you recover is not saved by that; until you save it, it is kept as it was found.")

    def _table(self, rows: tuple[comparison.Difference, ...], has_file: bool) -> QTableWidget:
        table = QTableWidget(min(len(rows), MOST_ROWS), 3)
        table.setHorizontalHeaderLabels([tr("Field"), tr("In the file") if has_file else tr("Before"), tr("Recovered")])
        table.setAccessibleName(tr("What differs"))
        table.verticalHeader().hide()
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setTabKeyNavigation(False)
        table.setWordWrap(True)
        for column in range(3):
            table.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        for line, row in enumerate(rows[:MOST_ROWS]):
            texts = (
                row.said,
                in_words(row.kind, row.name, row.before),
                in_words(row.kind, row.name, row.after),
            )
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
                item.setToolTip(text[:2_000])
                table.setItem(line, column, item)
        table.resizeRowsToContents()
        return table

    def _button(self, row: QBoxLayout, words: str, choice: int) -> QPushButton:
        button = QPushButton(words, autoDefault=False)
        button.clicked.connect(lambda: self._chosen(choice))
        row.addWidget(button)
        return button

    def _chosen(self, choice: int) -> None:
        self.choice = choice
        self.accept() if choice else self.reject()


def in_words(kind: type[Value], name: str, value: Any) -> str:
    """Return the VALUE of field NAME as it is shown in a table."""
    if value is None or value == ():
        return tr("not answered")
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, int | float):
        return number(value)
    if isinstance(value, str):
        return dict(choices(kind, name)).get(value, value)
    if isinstance(value, tuple):
        return listed([in_words(kind, name, item) for item in value])
    if isinstance(value, Value):
        return _of_value(value)
    return str(value)


def _of_value(value: Value) -> str:
    kind = getattr(value, "kind", None)
    if isinstance(kind, str):
        return word("kind", kind)
    said = []
    for name, field in type(value).model_fields.items():
        item = getattr(value, name)
        if item not in (None, ()):
            said.append(f"{phrase('label', field.title or name)}: {in_words(type(value), name, item)}")
    return listed(said)
