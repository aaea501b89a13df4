"""The window on a magnified screen (QT_SCALE_FACTOR): numbers, lists and tables that hide some of what they hold.

`python -m tests.ui.whole LANGUAGE`: a program of its own, as Qt reads its scale but once. It writes JSON.
"""

from __future__ import annotations

import sys
from typing import Any

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QTableView

from tests.ui.scaled import TURN, opened, tell, until
from ui.controls import NumberLine
from ui.forms.numbers import written

HOSTILE = (41.666666667, 0.0000833333, 123456789012345.0, 1e299 / 3)


def look(window: Any) -> dict[str, Any]:
    """Return how many fields and lists were looked at, and each that hides something."""
    wizard = window.wizard
    found: dict[str, Any] = {"fields": 0, "lists": 0, "cut": []}
    for key in wizard.pages:
        wizard.go(key)
        until(lambda: not wizard.solver.behind)
        for line in wizard.page.findChildren(NumberLine):
            if not line.isVisible():
                continue
            kept = line.text()
            for number in HOSTILE:
                found["fields"] += 1
                line.setText(written(number))
                if line.fontMetrics().horizontalAdvance(line.painted_text()) > line._room().width():
                    found["cut"].append([key, line.accessibleName(), line.text(), line.width()])
            line.setText(kept)
        for box in wizard.page.findChildren(QComboBox):
            if box.isVisible() and box.count():
                found["lists"] += 1
                wizard.page.ensureWidgetVisible(box)
                box.setFocus()  # its edge is wider then
                box.showPopup()
                QTest.qWait(TURN)
                last = box.view().visualRect(box.view().model().index(box.count() - 1, 0))
                if last.bottom() >= box.view().viewport().height() or last.top() < 0:
                    found["cut"].append([key, box.accessibleName(), box.itemText(box.count() - 1)])
                box.hidePopup()
        for table in wizard.page.findChildren(QTableView):
            heights = [table.rowHeight(row) for row in range(table.model().rowCount())]
            if table.isVisible() and heights and table.viewport().height() < sum(heights[:5]):
                found["cut"].append([key, table.accessibleName(), heights, table.viewport().height()])
    return found


def main() -> None:
    """Look, and write what was found."""
    window = opened(1366, 768, sys.argv[1])
    found = look(window)
    tell(window, found)


if __name__ == "__main__":
    main()
