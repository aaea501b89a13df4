"""Recovery after a crash or a power cut: what was not saved, field by field, and the choice."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QLabel,
    QPushButton,
    QWidget,
)

from dpwizard.decision import Decision
from dpwizard.projects import comparison
from ui.app.differences import difference_table
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
        heads = (tr("In the file") if name else tr("Before"), tr("Recovered"))
        self.table = difference_table(comparison.differences(saved, found), *heads)
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

    def _button(self, row: QBoxLayout, words: str, choice: int) -> QPushButton:
        button = QPushButton(words, autoDefault=False)
        button.clicked.connect(lambda: self._chosen(choice))
        row.addWidget(button)
        return button

    def _chosen(self, choice: int) -> None:
        self.choice = choice
        self.accept() if choice else self.reject()
