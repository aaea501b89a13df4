"""The screen that settles two contradictory answers, side by side; both stay in the log."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, SignalInstance

from dpwizard.decision import ElicitationSession as Log
from dpwizard.elicitation import interview as elicitation
from dpwizard.wording import texts, whole
from ui.controls import Line, Prose, labelled
from ui.elicitation.screen import Screen
from ui.widgets import Card, SideBySide, added, button_for, fill, in_a_row, theme, tr


class AnswerCard(Card):
    """One answer with its question, as it was given."""

    def __init__(self, keep: Callable[[], object]) -> None:
        """KEEP is called where this answer is to stand."""
        super().__init__(" ")
        self.question = Prose()
        self.answer = Prose("", "title")
        fill(self.column, self.question, self.answer)
        self.column.addStretch(1)
        self.keep = button_for("", keep)
        self.column.addWidget(in_a_row(self.keep))

    def show_answer(self, log: Log, number: int) -> None:
        """Show answer NUMBER of LOG."""
        reply = log.replies[number - 1]
        figures = {} if reply.corrected is None else {"after": reply.corrected.after, "out_of": reply.corrected.out_of}
        answer = texts.format_text("given", reply.answer, figures)
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
        super().__init__(colours, tr("Two answers that contradict each other"))
        self.conflict: elicitation.Inconsistency | None = None
        self.says = added(self.column, Prose("", "quiet"))
        row = added(self.column, SideBySide())
        self.cards = (AnswerCard(lambda: self._settle("first")), AnswerCard(lambda: self._settle("second")))
        for card in self.cards:
            row.box.addWidget(card, 1)
        self.reason = Line()
        self.reason.setMaxLength(2_000)
        self.column.addWidget(labelled(tr("Why (if you wish)"), self.reason))
        self.again = button_for(tr("Ask me both again"), lambda: self._pass(self.ask_again))
        self.both = button_for(tr("Keep both"), lambda: self._settle("both"))
        self.neither = button_for(tr("Undo this answer"), lambda: self._settle("neither"))
        self.not_now = button_for(tr("Later"), lambda: self._pass(self.later))
        self.column.addWidget(in_a_row(self.again, self.both, self.neither, self.not_now))
        self.column.addWidget(Prose(tr("Whatever you choose, both answers stay in the log."), "caption"))
        self.column.addStretch(1)

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
