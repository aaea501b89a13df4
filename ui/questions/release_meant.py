"""What the answers about the release come to, beside the questions: the table, the sentences, what no noise hides."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from dpwizard.decision import Decision, derived_fields
from ui.controls import Line, Prose
from ui.help import guide, step_section
from ui.host import Host
from ui.questions import release_summary
from ui.questions.recap import SaidBack
from ui.questions.table_shape import TableShape
from ui.session import DocumentSession
from ui.widgets import Card, InlineLink, WarningBox, Words, added, button_for, fill, in_a_row, plain, theme, tr


class ReleaseMeant(QWidget):
    """The cards beside the questions about the release."""

    asked = Signal(str)  # the question that a clause leads to

    def __init__(self, session: DocumentSession, host: Host) -> None:
        super().__init__()
        self.session, self.host = session, host
        column = plain(QVBoxLayout(self), theme.NEAR)
        self.table = TableShape(host.colours)
        self.card_of_table, self.card_not_hidden = self._table_card(), self._not_hidden()
        fill(column, self.card_of_table, self._sentences(), self.card_not_hidden, self._nobody_knows())

    def _table_card(self) -> Card:
        card = Card()
        head = _headed(card, tr("Your table"))
        head.addWidget(Words(tr("no data needed: this is only its shape"), "caption"))
        card.column.addWidget(self.table)
        return card

    def _sentences(self) -> Card:
        card = Card(tr("Is this right?"))
        self.said = added(card.column, SaidBack(self.host.colours, tr("What your answers say")))
        self.said.asked.connect(self.asked)
        self.noise = added(card.column, _sentence("", "small"))
        hint = tr("A sentence is wrong? Click it: its question opens. “Next” says that all are right.")
        self.hint = added(card.column, _sentence(hint, "caption"))
        return card

    def _not_hidden(self) -> Card:
        card = Card()
        head = _headed(card, tr("What no noise hides"))
        more = InlineLink(tr("Read more"))
        more.setAccessibleName(tr("Read more about what no noise hides"))
        more.clicked.connect(self._read_more)
        head.addWidget(more)
        self.not_hidden = added(card.column, _sentence("", "small"))
        return card

    def _read_more(self) -> None:
        self.host.show_guide(guide.STEPS, step_section("release"))

    def _nobody_knows(self) -> WarningBox:
        """Return what is said where nobody knows what is public, with the name of who is to vouch for it."""
        self.warning = WarningBox()
        self.warning.hide()
        self.someone = button_for(tr("Someone else vouches …"), self._ask_name)
        self.why = button_for(tr("Why it matters"), self._explain)
        self.warning.lead(self.someone, self.why)
        self.reason = _sentence(
            tr(
                "The noise hides one person only while nothing exact about the same people is known. If an exact total "
                "is public as well, the difference can tell how much noise was added."
            ),
            "caption",
        )
        self.voucher = Line()
        self.voucher.setPlaceholderText(tr("Who vouches that nothing else is public"))
        self.voucher.setAccessibleName(self.voucher.placeholderText())
        self.voucher.textEdited.connect(self._name)
        self.voucher.editingFinished.connect(self.session.settle)
        for part in (self.voucher, self.reason):
            part.hide()
            self.warning.column.addWidget(part)
        return self.warning

    def _ask_name(self) -> None:
        self.voucher.show()
        self.voucher.setFocus(Qt.FocusReason.OtherFocusReason)

    def _explain(self) -> None:
        self.reason.setVisible(self.reason.isHidden())

    def _name(self, words: str) -> None:
        decision = self.session.decision
        answer = decision.answer_to(derived_fields.NOTHING_ELSE)
        if answer is not None:
            named_one = answer.model_copy(update={"vouched_by": words.strip() or None})
            made = derived_fields.with_answer(decision, named_one, derived_fields.NOTHING_ELSE)
            self.session.edit(tr("Name who vouches"), made, "plain.vouched_by")

    # ------------------------------------------------------------------------------------- shown

    def show_decision(self, decision: Decision, refused: Mapping[int, str]) -> None:
        """Show what the answers of DECISION come to; REFUSED are numbers of groups that are not used."""
        self.card_of_table.setVisible(len(decision.release.tables) == 1)  # several are listed below
        self.table.show_shape(*release_summary.shape(decision))
        self.said.say(release_summary.clauses(decision, refused))
        self.noise.say(release_summary.noise_words(decision))
        self.noise.setVisible(bool(self.noise.words))
        self.not_hidden.say("\n".join(release_summary.not_hidden(decision)))
        self._show_warning(decision)
        QTimer.singleShot(0, self, self._take_room)

    def _take_room(self) -> None:
        """Have the page give this column the height that its table now needs."""
        layout = self.layout()
        assert layout is not None
        layout.invalidate()
        layout.activate()
        self.updateGeometry()

    def _show_warning(self, decision: Decision) -> None:
        answer = decision.answer_to(derived_fields.NOTHING_ELSE)
        name = "" if answer is None else answer.vouched_by or ""
        unknown = derived_fields.public(decision) == "unknown"
        for part in (self.card_not_hidden, self.hint):
            part.setVisible(not unknown)
        if not unknown:
            self.warning.hide()
            return
        if name:
            more = tr("Page 2 will name {name}, who has to vouch for it before anyone can approve.", name=name)
        else:
            more = tr(
                "You can go on. Page 2 will say “nobody yet”, and nobody can approve before a person is named who "
                "vouches for it. An exact total published elsewhere would break the promise."
            )
        self.warning.say(tr("Ask who knows what is public already"), more)
        if self.voucher.text().strip() != name:
            self.voucher.setText(name)
        self.voucher.setVisible(bool(name) or self.voucher.hasFocus())
        self.warning.show()


def _sentence(words: str, kind: str) -> Prose:
    """Return WORDS set as KIND; their height follows from their width alone, not from a first guess at it."""
    made = Prose(words, kind)
    policy = made.sizePolicy()
    policy.setVerticalPolicy(QSizePolicy.Policy.Preferred)
    made.setSizePolicy(policy)
    return made


def _headed(card: Card, title: str) -> QBoxLayout:
    """Add a TITLE to CARD, and return its row, for what stands at the right of it."""
    card.setAccessibleName(title)
    return added(card.column, in_a_row(Words(title, "title"))).box
