"""What differs between two decisions, field by field, in a table."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from dpwizard.base.language import phrase
from dpwizard.base.values import Value, hints
from dpwizard.decision import Acknowledgement
from dpwizard.projects import comparison
from dpwizard.wording import listed, number, word
from ui.forms import choices
from ui.widgets import tr

LONGEST = 300  # characters of a value that are shown; the rest is in the tool tip
MOST_ROWS = 500


def difference_table(rows: tuple[comparison.Difference, ...], before: str, after: str) -> QTableWidget:
    """Return a table of ROWS: each field, its value BEFORE and AFTER, as those columns are called."""
    table = QTableWidget(min(len(rows), MOST_ROWS), 3)
    table.setHorizontalHeaderLabels([tr("Field"), before, after])
    table.setAccessibleName(tr("What differs"))
    table.verticalHeader().hide()
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setTabKeyNavigation(False)
    table.setWordWrap(True)
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    for column in range(3):
        table.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
    for line, row in enumerate(rows[:MOST_ROWS]):
        texts = (row.said, in_words(row.kind, row.name, row.before), in_words(row.kind, row.name, row.after))
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
            item.setToolTip(text[:2_000])
            table.setItem(line, column, item)
    table.resizeRowsToContents()
    return table


def in_words(kind: type[Value], name: str, value: Any) -> str:
    """Return the VALUE of field NAME as it is shown in a table."""
    if value is None or value == ():
        return tr("not answered")
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, int | float):
        return number(value)
    if hints(kind, name).editor == "picture":
        return tr("a picture")
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
    if isinstance(value, Acknowledgement):
        return value.text  # as it was shown; its key is for programs
    said = []
    for name, field in type(value).model_fields.items():
        item = getattr(value, name)
        if item not in (None, ()):
            said.append(f"{phrase('label', field.title or name)}: {in_words(type(value), name, item)}")
    return listed(said)
