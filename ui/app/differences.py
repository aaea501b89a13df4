"""What differs between two decisions, field by field; and the dialogs that show it before one of them is taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QPushButton, QWidget

from dpwizard.base.language import phrase
from dpwizard.base.values import Value, hints
from dpwizard.decision import Acknowledgement, Decision
from dpwizard.projects import comparison, next_release
from dpwizard.wording import listed, number, word
from ui.controls import Column, RowsTable
from ui.forms import choices
from ui.task_dialog import TaskDialog
from ui.widgets import button_for, moment, tr, within_reach

LONGEST = 300  # characters of a value that are shown; the rest is in the tool tip
MOST_ROWS = 500
RECOVER, DISCARD = 1, 2


def difference_table(rows: tuple[comparison.FieldDifference, ...], before: str, after: str) -> RowsTable:
    """Return a table of ROWS with the columns field, BEFORE and AFTER."""

    def column(title: str, words: Callable[[comparison.FieldDifference], str]) -> Column:
        def short(row: comparison.FieldDifference) -> str:
            text = words(row)
            return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"

        return Column(title=title, words=short, tip=words, share=1.0)

    columns = (
        column(tr("Field"), lambda row: row.text),
        column(before, lambda row: in_words(row.kind, row.name, row.before)),
        column(after, lambda row: in_words(row.kind, row.name, row.after)),
    )
    table = RowsTable(tr("What differs"), columns, most=None, wraps=True)
    table.show_rows(rows[:MOST_ROWS])
    return table


def in_words(kind: type[Value], name: str, value: Any) -> str:
    """Return the VALUE of field NAME of KIND in words."""
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
        return _value_words(value)
    return str(value)


def _value_words(value: Value) -> str:
    kind = getattr(value, "kind", None)
    if isinstance(kind, str):
        return word("kind", kind)
    if isinstance(value, Acknowledgement) and value.state in (None, "accepted"):
        return value.text  # as it was shown; its key is for programs
    sentences = []
    for name, field in type(value).model_fields.items():
        item = getattr(value, name)
        if item not in (None, ()):
            sentences.append(f"{phrase('label', field.title or name)}: {in_words(type(value), name, item)}")
    return listed(sentences)


class DifferencesDialog(TaskDialog):
    """Shows each field in which two decisions differ, and asks what to do."""

    def __init__(
        self,
        parent: QWidget | None,
        title: str,
        heading: str,
        words: str,
        rows: tuple[comparison.FieldDifference, ...],
        columns: tuple[str, str],
    ) -> None:
        super().__init__(parent, title, (820, 560), heading)
        self.says.say(words)
        self.column.addWidget(self.says)
        self.table = difference_table(rows, *columns)
        self.column.addWidget(self.table, 1)

    def end(self, *left: QPushButton, right: tuple[QPushButton, QPushButton]) -> None:
        """Add the buttons of the foot; the last one at the right is the default."""
        self.foot(*left, right=right, default=right[-1])
        within_reach(self)
        right[-1].setFocus()


class NextReleaseDialog(DifferencesDialog):
    """Shows the verdict on the record and each field that changes; accepted, the next decision begins."""

    def __init__(self, begun: next_release.Begun, name: str, parent: QWidget | None) -> None:
        title, heading = (
            tr("The next release after {name}", name=name),
            tr("What was carried over, what is still open"),
        )
        columns = tr("In the last decision"), tr("In the next one")
        super().__init__(parent, title, heading, _next_release_words(begun), begun.changed, columns)
        self.begin_button = button_for(tr("Begin the next release"), lambda: self.accept(), "primary")
        self.cancel_button = self.closing(tr("Cancel"))
        self.end(right=(self.cancel_button, self.begin_button))


def _next_release_words(begun: next_release.Begun) -> str:
    count = len(begun.decision.requirements)
    lines = [begun.judged.text(), *(f"!  {caution.text()}" for caution in begun.cautions)]
    carried = tr(
        "Carried over: the description of the release with its tables, {n} requirement, and all details "
        "not named below.",
        "Carried over: the description of the release with its tables, {n} requirements, and all details "
        "not named below.",
        n=count,
    )
    counted = tr("The last release counts among the earlier ones. It is not replaced.")
    return "\n".join(line for line in (*lines, carried, counted) if line)


class RecoveryDialog(DifferencesDialog):
    """Shows the changes that were not saved before a crash, and asks whether to recover them."""

    def __init__(
        self, saved: Decision, recovered: Decision, name: str, time: str, *, changed_since: bool, parent: QWidget | None
    ) -> None:
        heading, words = tr("There are changes that were not saved"), _recovery_words(name, time, changed_since)
        columns = (tr("In the file") if name else tr("Before"), tr("Recovered"))
        rows = comparison.differences(saved, recovered)
        super().__init__(parent, tr("Recover unsaved changes"), heading, words, rows, columns)
        self.choice = 0
        self.discard_button = self._choice_button(tr("Delete these changes"), DISCARD)
        self.later_button = self.closing(tr("Decide later"))
        self.recover_button = self._choice_button(tr("Recover them"), RECOVER, "primary")
        self.end(self.discard_button, right=(self.later_button, self.recover_button))

    def _choice_button(self, words: str, choice: int, name: str = "") -> QPushButton:
        def chosen() -> None:
            self.choice = choice
            self.accept()

        return button_for(words, chosen, name)


def _recovery_words(name: str, time: str, changed_since: bool) -> str:
    when = moment(time)
    if not name:
        text = tr("The program stopped before this decision had a file. The last change was at {time}.", time=when)
    else:
        text = tr("The program stopped before “{name}” was saved. The last change was at {time}.", name=name, time=when)
    if changed_since:
        text += "\n" + tr("Another program has changed the file since: compare carefully.")
    return text + "\n" + tr("Recovering does not save. Until you save the decision, these changes stay available here.")
