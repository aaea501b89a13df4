"""The next release begun from the record of the last: what was carried over, what begins anew, before it is shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QWidget

from dpwizard.projects import next_release
from ui.app.differences import difference_table
from ui.widgets import SideBySide, column_of, theme, tr, within_reach


class NextReleaseDialog(QDialog):
    """Says what the record is worth and shows each field that begins anew; accepted, the next decision is shown."""

    def __init__(self, begun: next_release.Begun, name: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("The next release after {name}", name=name))
        self.resize(820, 560)
        column = column_of(self, tr("What was carried over, what begins anew"))
        self.says = QLabel(_words(begun), wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        column.addWidget(self.says)
        self.table = difference_table(begun.changed, tr("In the last decision"), tr("In the next"))
        column.addWidget(self.table, 1)
        row = SideBySide(theme.NEAR)
        self.cancel_button = QPushButton(tr("Cancel"), autoDefault=False)
        self.cancel_button.clicked.connect(self.reject)
        self.begin_button = QPushButton(tr("Begin the next release"))
        self.begin_button.setObjectName("primary")
        self.begin_button.setDefault(True)
        self.begin_button.clicked.connect(self.accept)
        row.box.addStretch(1)
        row.box.addWidget(self.cancel_button)
        row.box.addWidget(self.begin_button)
        column.addWidget(row)
        within_reach(self)
        self.begin_button.setFocus()


def _words(begun: next_release.Begun) -> str:
    count = len(begun.decision.requirements)
    lines = [begun.judged.said(), *(f"!  {caution.said()}" for caution in begun.cautions)]
    carried = tr(
        "Carried over: the description of the release with its tables, {n} requirement, and every particular that is "
        "not named below.",
        "Carried over: the description of the release with its tables, {n} requirements, and every particular that is "
        "not named below.",
        n=count,
    )
    counted = tr("The last release counts among the earlier ones. It is not replaced.")
    return "\n".join(line for line in (*lines, carried, counted) if line)
