"""The screen that settles two contradictory answers, side by side; both stay in the log."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, SignalInstance

from dpwizard.decision import ElicitationSession as Log
from dpwizard.elicitation import interview as elicitation
from dpwizard.wording import explain, whole
from ui.controls import Line, Prose
from ui.elicitation.screen import Screen, button, labelled
from ui.widgets import Card, SideBySide, added, fill, in_a_row, theme, tr


class AnswerCard(Card):
    """One answer with its question, as it was given."""

    def __init__(self) -> None:
        super().__init__(" ")
        self.question = Prose()
        self.answer = Prose("", "title")
        fill(self.column, self.question, self.answer)
        self.column.addStretch(1)
        self.keep = button("")
        self.column.addWidget(in_a_row(self.keep))

    def show_answer(self, log: Log, number: int) -> None:
        """Show answer NUMBER of LOG."""
        reply = log.replies[number - 1]
        figures = {} if reply.corrected is None else {"after": reply.corrected.after, "out_of": reply.corrected.out_of}
        answer = explain.format_text("given", reply.answer, figures)
        self.title.setText(tr("Question {number}", number=number))
        self.question.say(reply.question.text)
        preferred = {"a": reply.question.a, "b": reply.question.b}.get(reply.answer)
        if preferred is None:
            self.answer.say(tr("You answered: {answer}", answer=answer))
        else:  # asked the other way round, A is another release: its figures tell them apart
            counts = {name: whole(getattr(preferred, name)) for name in ("before", "after", "out_of")}
            self.answer.say(tr("You answered: {answer}, from {before} to {after} in {out_of}", answer=answer, **counts))
        self.keep.setText(tr("Keep answer {number}", number=number))


class SettleScreen(Screen):
    """Settles one contradiction."""

    settled = Signal(int, int, str, str)  # both answers, what stands, the reason
    ask_again = Signal(int, int)
    later = Signal(int, int)

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__(colours, tr("Two answers that do not fit together"))
        self.conflict: elicitation.Inconsistency | None = None
        self.says = added(self.column, Prose("", "quiet"))
        row = added(self.column, SideBySide())
        self.cards = (AnswerCard(), AnswerCard())
        for card in self.cards:
            row.box.addWidget(card, 1)
        self.reason = Line()
        self.reason.setMaxLength(2_000)
        self.column.addWidget(labelled(tr("Why (if you wish)"), self.reason))
        self.again = button(tr("Ask me both again"))
        self.both = button(tr("Keep both"))
        self.neither = button(tr("Undo this answer"))
        self.not_now = button(tr("Later"))
        self.column.addWidget(in_a_row(self.again, self.both, self.neither, self.not_now))
        self.column.addWidget(Prose(tr("Whatever you choose, both answers stay in the log."), "caption"))
        self.column.addStretch(1)
        self.cards[0].keep.clicked.connect(lambda: self._settle("first"))
        self.cards[1].keep.clicked.connect(lambda: self._settle("second"))
        self.both.clicked.connect(lambda: self._settle("both"))
        self.neither.clicked.connect(lambda: self._settle("neither"))
        self.again.clicked.connect(lambda: self._pass(self.ask_again))
        self.not_now.clicked.connect(lambda: self._pass(self.later))

    def show_conflict(self, log: Log, conflict: elicitation.Inconsistency) -> None:
        """Show CONFLICT of LOG."""
        self.conflict = conflict
        self.says.say(elicitation.contradiction_words(log, conflict))
        alone = conflict.first == conflict.second  # an answer that contradicts itself can only be taken back
        self.cards[0].show_answer(log, conflict.first)
        self.cards[1].show_answer(log, conflict.second)
        self.cards[1].setHidden(alone)
        for choice in (self.cards[0].keep, self.again, self.both):
            choice.setHidden(alone)
        self.neither.setVisible(alone)
        self.reason.clear()

    def enter(self) -> None:
        super().enter()
        first = self.neither if self.cards[1].isHidden() else self.cards[0].keep
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _settle(self, stands: str) -> None:
        if self.conflict is not None:
            self.settled.emit(self.conflict.first, self.conflict.second, stands, self.reason.text())

    def _pass(self, signal: SignalInstance) -> None:
        if self.conflict is not None:
            signal.emit(self.conflict.first, self.conflict.second)
