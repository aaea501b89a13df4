"""The sentences that requirements rest on, on the step that brings them in: each ticked, and when that was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QDateTime, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpwizard.base.language import spoken
from dpwizard.decision import Acknowledgement, Decision, assumptions, derived_fields, edits
from dpwizard.wording import word
from ui.controls import Prose, Statement
from ui.session import DocumentSession
from ui.widgets import Card, Link, added, drop, moment, plain, theme, tr

# what follows where an assumption is not true, by its key: what is done in words, and the edit
EXITS: dict[str, tuple[Callable[[], str], Callable[[Decision], Decision]]] = {
    "own_year": (lambda: tr("Not true here: add up all years"), edits.add_up_years)
}


class Assumptions(Card):
    """The sentences that the requirements rest on, each to be acknowledged, and then kept word for word."""

    def __init__(self, session: DocumentSession, step: str | None = None) -> None:
        super().__init__(tr("Are these assumptions true for your data?"))
        self.session = session
        self.step = step  # whose requirements it speaks of; None: those of every step
        self.boxes: dict[str, Statement] = {}
        self.times: dict[str, Prose] = {}  # when each was acknowledged
        self.exits: dict[str, Link] = {}  # what to choose where it is not true
        self._rows = plain(QVBoxLayout(), theme.NEAR)
        self.column.addLayout(self._rows)
        self._lines: list[QWidget] = []

    def refresh(self) -> None:
        """Show one box for each assumption of the enabled requirements."""
        decision = self.session.decision
        keys = assumptions(decision, self.step)
        if tuple(self.boxes) != keys:
            drop(self._rows, self._lines)
            self.boxes, self.times, self.exits, self._lines = {}, {}, {}, []
            for key in keys:
                self._add(key)
        known = {acknowledgement.assumption: acknowledgement for acknowledgement in decision.acknowledged}
        for key, box in self.boxes.items():
            box.setChecked(key in decision.accepted)
            words = tr("Not accepted yet.")  # as long as what stands there later, so that nothing moves
            if key in decision.accepted:
                time = known[key].time
                words = tr("Accepted.") if time is None else tr("Accepted {time}.", time=moment(time))
            self.times[key].say(words)
        self.setVisible(bool(keys))

    def _add(self, key: str) -> None:
        line = QWidget()
        row = plain(QHBoxLayout(line), 0)
        box = Statement()
        box.setAccessibleName(tr("I accept: {sentence}", sentence=word("assumption", key)))
        box.clicked.connect(lambda checked: self._acknowledge(key, checked))
        row.addWidget(box, alignment=Qt.AlignmentFlag.AlignTop)
        column = plain(QVBoxLayout(), 0)
        column.addWidget(Prose(word("assumption", key)))
        time = added(column, Prose("", "caption"))
        if key in EXITS:
            words, act = EXITS[key]
            refuse = self.exits[key] = Link(words())
            refuse.clicked.connect(lambda: self.session.edit(words(), act(self.session.decision)))
            column.addWidget(refuse, alignment=Qt.AlignmentFlag.AlignLeft)
        row.addLayout(column, 1)
        row.addStretch(0)  # takes what the longest line leaves
        self._rows.addWidget(line)
        self.boxes[key], self.times[key] = box, time
        self._lines.append(line)

    def reach(self) -> bool:
        """Give the keyboard to the first box that is not checked."""
        for box in self.boxes.values():
            if not box.isChecked():
                box.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
        return False

    def _acknowledge(self, key: str, checked: bool) -> None:
        name = tr("Accept an assumption") if checked else tr("Withdraw an assumption")
        answer = acknowledgement(key, word("assumption", key)) if checked else None
        self.session.edit(name, derived_fields.with_answer(self.session.decision, answer, key))


def acknowledgement(key: str, text: str, **answer: Any) -> Acknowledgement:
    """Return ANSWER to the assumption KEY, shown as TEXT, given now."""
    now = QDateTime.currentDateTimeUtc().toString(Qt.DateFormat.ISODate)
    return Acknowledgement(assumption=key, text=text, language=spoken(), time=now, **answer)
