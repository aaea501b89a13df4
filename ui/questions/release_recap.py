"""Beside the questions about the release: the shape of the table, the answers in sentences, what is not protected."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from dpwizard.decision import Decision, derived_fields
from ui.controls import Prose
from ui.help import guide, step_section
from ui.host import Host
from ui.questions import release_summary
from ui.questions.blanks import Blank, Refusal
from ui.questions.linked_sentences import LinkedSentences
from ui.questions.table_shape import TableShape
from ui.session import DocumentSession
from ui.widgets import Card, InlineLink, WarningBox, Words, added, button_for, fill, in_a_row, plain, theme, tr


class ReleaseRecap(QWidget):
    """The cards beside the questions about the release."""

    question_chosen = Signal(str)  # the question of the clause that was chosen

    def __init__(self, session: DocumentSession, host: Host) -> None:
        super().__init__()
        self.session, self.host = session, host
        column = plain(QVBoxLayout(self), theme.NEAR)
        self.table = TableShape(host.colours)
        self.table_card, self.not_hidden_card = self._table_card(), self._not_hidden_card()
        fill(column, self.table_card, self._sentences_card(), self.not_hidden_card, self._unknown_warning())

    def _table_card(self) -> Card:
        card = Card()
        head = _add_title(card, tr("Your table"))
        head.addWidget(Words(tr("no data needed: this is only its shape"), "caption"))
        card.column.addWidget(self.table)
        return card

    def _sentences_card(self) -> Card:
        card = Card(tr("Is this right?"))
        self.answers = added(card.column, LinkedSentences(self.host.colours, tr("What your answers mean")))
        self.answers.question_chosen.connect(self.question_chosen)
        self.noise = added(card.column, Prose("", "small", hides=True))
        hint = tr("A sentence is wrong? Click it: its question opens. “Next” says that all are right.")
        self.hint = added(card.column, _prose(hint, "caption"))
        return card

    def _not_hidden_card(self) -> Card:
        card = Card()
        head = _add_title(card, tr("What no noise hides"))
        more = InlineLink(tr("Read more"))
        more.setAccessibleName(tr("Read more about what no noise hides"))
        more.clicked.connect(lambda: self.host.show_guide(guide.STEPS, step_section("release")))
        head.addWidget(more)
        self.not_hidden = added(card.column, _prose("", "small"))
        return card

    def _unknown_warning(self) -> WarningBox:
        """Return the warning for when it is not known what is public, with a field for the name of a voucher."""
        self.warning = WarningBox()
        self.warning.hide()
        self.someone_else = button_for(tr("Someone else vouches …"), self._ask_name)
        self.why = button_for(tr("Why it matters"), lambda: self.reason.setVisible(self.reason.isHidden()))
        self.warning.lead(self.someone_else, self.why)
        self.reason = _prose(
            tr(
                "The noise hides one person only while nothing exact about the same people is known. If an exact "
                "total is public as well, the difference can reveal how much noise was added."
            ),
            "caption",
        )
        title = tr("Who vouches that nothing else is public")
        self.voucher = Blank(self.session, "plain.vouched_by", title, 0, _voucher, self._set_voucher)
        self.voucher.setPlaceholderText(title)
        for part in (self.voucher, self.reason):
            part.hide()
            self.warning.column.addWidget(part)
        return self.warning

    def _ask_name(self) -> None:
        self.voucher.show()
        self.voucher.reach()

    def _set_voucher(self, words: str) -> Refusal:
        decision = self.session.decision
        answer = decision.answer_to(derived_fields.NOTHING_ELSE)
        if answer is not None:
            vouched = answer.model_copy(update={"vouched_by": words.strip() or None})
            decision = derived_fields.with_answer(decision, vouched, derived_fields.NOTHING_ELSE)
            self.session.edit(tr("Name who vouches"), decision, "plain.vouched_by")
        return ""

    # ------------------------------------------------------------------------------------- showing

    def show_decision(self, decision: Decision, refused: Mapping[int, str]) -> None:
        """Show the answers of DECISION; REFUSED: typed numbers of groups that are not used."""
        self.table_card.setVisible(len(decision.release.tables) == 1)  # several are listed below
        self.table.show_shape(*release_summary.shape(decision))
        self.answers.say(release_summary.clauses(decision, refused))
        self.noise.say(release_summary.noise_words(decision))
        self.not_hidden.say("\n".join(release_summary.not_hidden(decision)))
        self._show_warning(decision)
        QTimer.singleShot(0, self, self._update_height)

    def _update_height(self) -> None:
        layout = self.layout()
        assert layout is not None
        layout.invalidate()
        layout.activate()
        self.updateGeometry()

    def _show_warning(self, decision: Decision) -> None:
        name = _voucher(decision)
        unknown = derived_fields.public(decision) == "unknown"
        for part in (self.not_hidden_card, self.hint):
            part.setVisible(not unknown)
        if not unknown:
            self.warning.hide()
            return
        if name:
            more = tr("Page 2 will name {name}, who has to vouch for it before anyone can approve.", name=name)
        else:
            more = tr(
                "You can go on. Page 2 will say “nobody yet”, and nobody can approve before a person is named "
                "who vouches for it. If an exact total is published elsewhere, the limit does not hold."
            )
        self.warning.say(tr("Ask who knows what is public already"), more)
        self.voucher.refresh()
        self.voucher.setVisible(bool(name) or self.voucher.hasFocus())
        self.warning.show()


def _voucher(decision: Decision) -> str:
    """Return who vouches that nothing else is public, if someone is named."""
    answer = decision.answer_to(derived_fields.NOTHING_ELSE)
    return "" if answer is None else answer.vouched_by or ""


def _prose(words: str, kind: str) -> Prose:
    """Return WORDS as prose that may be lower than its first size hint."""
    prose = Prose(words, kind)
    policy = prose.sizePolicy()
    policy.setVerticalPolicy(QSizePolicy.Policy.Preferred)
    prose.setSizePolicy(policy)
    return prose


def _add_title(card: Card, title: str) -> QBoxLayout:
    """Add a TITLE to CARD, and return its row, to which more can be added."""
    card.setAccessibleName(title)
    return added(card.column, in_a_row(Words(title, "title"))).box
