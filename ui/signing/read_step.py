"""Reading and signing, beside the pages: who signs in which role, with which key, and what the signature means."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QListView, QVBoxLayout, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.signing import certificates, signature
from ui.controls import Choice, Line, LongText, Prose, ask_place, labelled
from ui.signing import verdict_words
from ui.signing.key_card import KeyCard
from ui.signing.parts import FileRow, row_on
from ui.widgets import Card, Fold, InlineLink, Status, added, button_for, named, plain, theme, tr

VERDICTS = ("approve", "approve_with_conditions", "reject", "refer", "withdraw")


class ReadStep(QWidget):
    """Says as whom one signs and what one says by it, and takes what there is to say."""

    changed = Signal()  # who signs, in which role, with which verdict
    place_asked = Signal()  # the record is to lie elsewhere

    def __init__(self) -> None:
        super().__init__()
        self.names: Mapping[str, tuple[str, str]] = {}  # of who is to sign and their office, by role
        column = plain(QVBoxLayout(self), theme.NEAR + theme.TIGHT)
        column.setContentsMargins(0, 0, theme.NEAR, 0)
        head = plain(QVBoxLayout(), theme.TIGHT)
        column.addLayout(head)
        self.who = added(head, named(Status(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "question"))
        self.effect = added(head, Prose(hides=True))
        self.change = added(head, InlineLink(tr("Change name or role")))
        self.change.clicked.connect(lambda: self.fields.setVisible(self.fields.isHidden()))
        head.addWidget(self._who_fields())
        self.replaced = added(head, Prose("", "caption", hides=True))
        self.apart_link = added(head, InlineLink(tr("Do not replace it")))
        self.before = added(column, Card(tr("Before you sign")))
        self.remarks = added(self.before.column, Prose())
        self.key = added(column, KeyCard())
        card = added(column, Card(tr("By signing you say")))
        self.statement = added(card.column, Prose())
        self.against = added(card.column, InlineLink(tr("Send it back instead")))
        self.against.clicked.connect(self._send_back)
        self.more = added(column, Fold(tr("Comment, conditions, time, place of the files")))
        self._further(self.more.column)  # its fields are there from the beginning
        column.addStretch(1)
        self.role.currentIndexChanged.connect(lambda _: self._choose_role())
        for changed in (self.name.textChanged, self.verdict.currentIndexChanged, self.what.currentIndexChanged):
            changed.connect(lambda _: self.changed.emit())
        self.key.changed.connect(self.changed)
        self.leave()

    def _who_fields(self) -> QWidget:
        self.fields = QWidget()
        column = plain(QVBoxLayout(self.fields), theme.NEAR)
        self.role, self.name, self.organisation = Choice(), Line(), Line()
        column.addWidget(labelled(tr("Your role"), self.role))
        self.fixed = added(column, Prose(tr("Another name needs another signature."), "caption"))
        self.name_fields = added(column, QWidget())
        row = row_on(plain(QVBoxLayout(self.name_fields), 0))
        row.addWidget(labelled(tr("Your name"), self.name), 1)
        row.addWidget(labelled(tr("Your position and institution"), self.organisation), 1)
        return self.fields

    def _further(self, column: QVBoxLayout) -> None:
        self.verdict = Choice(((None, tr("As decided")), *((key, verdict_words.outcome(key)) for key in VERDICTS)))
        public = tr("Its public version, without the marked items")
        self.what = Choice(((False, tr("The record, complete")), (True, public)))
        self.comment, self.conditions, self.time = LongText(48), LongText(48), Line()
        self.time.setPlaceholderText("2026-11-21T14:30:00+01:00")
        for title, control in (
            (tr("Your verdict"), self.verdict),
            (tr("Comment"), self.comment),
            (tr("Your conditions, one a line"), self.conditions),
            (tr("Time to state (empty: this computer’s clock)"), self.time),
            (tr("What you sign"), self.what),
        ):
            column.addWidget(labelled(title, control))
        self.where = added(column, Prose("", "caption"))
        self.place_button = button_for(tr("Save the record elsewhere …"), self.place_asked.emit)
        column.addWidget(self.place_button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.key_row = FileRow(tr("Save the signature file to (empty: your own folder)"), self._ask_key_place)
        column.addWidget(self.key_row)

    def _ask_key_place(self, typed: str) -> str:
        endings = tr("Signature files ({endings})", endings="*.p12 *.pfx")
        # one that is there is left alone, and refused
        return ask_place(self, tr("Save the signature file to"), endings, typed, added_to=True)

    def begin(self) -> None:
        """Show no role until one is proposed."""
        with QSignalBlocker(self.role):
            self.role.setCurrentIndex(-1)

    def leave(self) -> None:
        """Forget what was typed and shown."""
        self.names = {}
        self.key.leave()
        for control in (self.name, self.organisation, self.key_row.line, self.comment, self.conditions, self.time):
            control.clear()
        for choice in (self.what, self.verdict):
            choice.setCurrentIndex(0)
        self.fields.hide()
        self.more.fold()
        self.begin()
        self.show_who("", "", "", "", [])

    def takes(self, problem: DPWizardError) -> bool:
        """Say a PROBLEM of the signature or its passphrase at its field; return whether it is one."""
        if problem.where == "name":
            self.fields.show()
        return self.key.takes(problem)

    # ------------------------------------------------------------------------------------- name and role

    def offer(self, roles: tuple[str, ...], proposed: str, names: Mapping[str, tuple[str, str]]) -> None:
        """Offer ROLES and those of every record, each once, first the one PROPOSED; NAMES says who is to sign in which,
        and for which office."""
        self.names = names
        offered = dict.fromkeys((*roles, *verdict_words.ROLES, signature.VOUCHES))
        self.role.offer((key, verdict_words.role(key)) for key in offered)
        self.role.show_key(proposed)

    @property
    def named(self) -> str:
        """Return who is to sign in the role chosen, if the decision says so."""
        return self.names.get(self.role.currentData(), ("", ""))[0]

    def _choose_role(self) -> None:
        """Fill in who is named for the role, unless another name was typed."""
        if self.name.text() in ("", *(name for name, _ in self.names.values())):
            name, office = self.names.get(self.role.currentData(), ("", ""))
            self.name.setText(name)
            self.organisation.setText(office if len(office) <= certificates.LONGEST_NAME else "")
            self.organisation.setCursorPosition(0)
        self.changed.emit()

    # --------------------------------------------------------------------------------------------- said

    def show_who(self, who: str, effect: str, statement: str, replaced: str, remarks: list[str]) -> None:
        """Say as WHO one signs, to what EFFECT and with what STATEMENT, which record is REPLACED, and what is to be
        known before."""
        self.who.setText(who)
        self.effect.say(effect)
        self.statement.say(statement)
        self.replaced.say(replaced)
        self.apart_link.setVisible(bool(replaced))
        self.remarks.say("\n".join(remarks))
        self.before.setVisible(bool(remarks))
        for part in (self.name_fields, self.key_row):
            part.setVisible(self.key.makes)
        self.fixed.setVisible(not self.key.makes)

    def _send_back(self) -> None:
        """Sign against it, and say why."""
        self.verdict.show_key("refer")
        self.more.open()
        self.comment.setFocus()

    def offer_withdrawal(self, signed: bool) -> None:
        """Offer to withdraw where somebody SIGNED in the role chosen."""
        at, model = self.verdict.findData("withdraw"), self.verdict.model()
        assert isinstance(model, QStandardItemModel)
        model.item(at).setEnabled(signed)
        view = self.verdict.view()
        assert isinstance(view, QListView)
        view.setRowHidden(at, not signed)

    def typed_conditions(self) -> tuple[str, ...]:
        """Return the signer's conditions, one a line."""
        return tuple(line.strip() for line in self.conditions.toPlainText().splitlines() if line.strip())
