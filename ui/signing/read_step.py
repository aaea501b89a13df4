"""The second step of signing: the pages as they will be printed, what speaks for waiting, and the verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.records import AssertedTime
from dpwizard.signing import signing
from ui.controls import Choice, Line, LongText, Prose, mark_wrong
from ui.forms import in_words
from ui.signing import verdict_words
from ui.signing.parts import labelled
from ui.signing.preview import Make, Pages
from ui.widgets import Card, FoldingCard, Link, added, drop, plain, scrolled, theme, tr

PAUSE = 400  # milliseconds after which pages are set: whoever signs at once waits for none
MOST = 12  # things listed
ASIDE = 280  # pixels beside the pages, at least


@dataclass(frozen=True)
class Remark:
    """One thing to know before signing, and the path of the field where it is mended, if there is one."""

    words: str
    where: str = ""


class ReadStep(QWidget):
    """Shows what is about to be signed, and takes the signer's verdict on it."""

    asked = Signal(str)  # the path of the field to be led to

    def __init__(self, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._now = now
        row = plain(QHBoxLayout(self), theme.EDGE)
        self.pages = Pages()
        row.addWidget(self.pages, 3)
        aside = QWidget()
        self._column = plain(QVBoxLayout(aside), theme.GROUP)
        self._column.setContentsMargins(0, 0, theme.NEAR, 0)
        area = scrolled(aside, tr("Before you sign"))
        area.setMinimumWidth(ASIDE)
        row.addWidget(area, 2)
        self.who = added(self._column, Prose())
        self.where = added(self._column, Prose("", "caption"))
        self.card = added(self._column, Card(tr("Before you sign")))
        self.remarks = added(self.card.column, Prose(hides=True))
        self._rows = plain(QVBoxLayout(), 0)
        self.card.column.addLayout(self._rows)
        self.links: list[Link] = []
        self._verdict()
        self._column.addStretch(1)
        self._soon = QTimer(self, singleShot=True, interval=PAUSE)
        self._soon.timeout.connect(self._set)
        self._make: Make | None = None
        self._words = ""

    def _verdict(self) -> None:
        self.verdict = Choice()
        self.verdict.addItem(tr("As decided"), None)
        for key in ("approve", "approve_with_conditions", "reject", "refer"):
            self.verdict.addItem(verdict_words.outcome(key), key)
        self._column.addLayout(labelled(tr("Your verdict"), self.verdict))
        self.comment, self.conditions = LongText(48), LongText(48)
        self.time = Line()
        self.time.setPlaceholderText("2026-11-21T14:30:00+01:00")
        self.time.editingFinished.connect(self.check_time)
        self.time_problem = Prose("", "problem", hides=True)
        self.more = added(self._column, FoldingCard(tr("Comment, conditions, time"), self._further_words))
        self.more.open()  # its fields are there from the beginning
        self.more.head.setChecked(False)

    def _further_words(self, column: QVBoxLayout) -> None:
        column.addLayout(labelled(tr("Comment"), self.comment))
        column.addLayout(labelled(tr("Your conditions, one a line"), self.conditions))
        column.addLayout(labelled(tr("Time to state (empty: this computer’s clock)"), self.time))
        column.addWidget(self.time_problem)

    def leave(self) -> None:
        """Forget what was typed and shown."""
        self.rest()
        for control in (self.comment, self.conditions, self.time):
            control.clear()
        self.verdict.setCurrentIndex(0)
        self.more.head.setChecked(False)
        self.check_time()
        for prose in (self.who, self.where, self.remarks):
            prose.say("")
        self._list(())
        self._make = None
        self.pages.clear()

    def show_pages(self, make: Make, words: str) -> None:
        """Have the pages that MAKE gives shown in a moment, with WORDS about them."""
        self._make, self._words = make, words
        self.pages.clear()
        self._soon.start()

    def rest(self) -> None:
        """Begin no typesetting any more."""
        self._soon.stop()

    def _set(self) -> None:
        if self._make is not None:
            self.pages.set_pages(self._make, self._words)

    def show_remarks(self, remarks: tuple[Remark, ...]) -> None:
        """Say each of REMARKS; those that can be mended lead to their place."""
        plainly = [remark.words for remark in remarks if not remark.where]
        mended = tuple(remark for remark in remarks if remark.where)
        if len(mended) > MOST:
            plainly.append(tr("and {n} more", "and {n} more", n=len(mended) - MOST))
        self.remarks.say("\n".join(plainly) or ("" if mended else tr("Everything is complete. You can sign.")))
        self._list(mended[:MOST])

    def _list(self, remarks: tuple[Remark, ...]) -> None:
        drop(self._rows, self.links)
        self.links = []
        for remark in remarks:
            link = Link(remark.words)
            link.clicked.connect(lambda _, where=remark.where: self.asked.emit(where))
            self._rows.addWidget(link)
            self.links.append(link)

    def stated(self) -> AssertedTime:
        """Return the time to state and whose word it is; raises InvalidInput for one that cannot be."""
        typed = self.time.text().strip()
        if typed:
            return AssertedTime(time=signing.parse_time(typed, tr("Time to state")), source="signer")
        return AssertedTime(time=self._now().replace(microsecond=0), source="computer")

    def check_time(self) -> None:
        """Show a time that cannot be stated in red, with the reason, once typed: nothing is signed with it."""
        text = ""
        try:
            self.stated()
        except DPWizardError as problem:
            text = in_words(problem)
        mark_wrong(self.time, bool(text))
        self.time_problem.say(text)

    def typed_conditions(self) -> tuple[str, ...]:
        """Return the signer's conditions, one a line."""
        return tuple(line.strip() for line in self.conditions.toPlainText().splitlines() if line.strip())

    def first_field(self) -> QWidget:
        """Return where the keyboard goes: to the pages, where Enter signs nothing."""
        return self.pages.area
