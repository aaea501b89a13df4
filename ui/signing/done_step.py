"""After signing: whether the record is valid, what to do next, and how to withdraw the signature."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from dpwizard.signing import RecordFiles
from ui.controls import Prose, ask_folder
from ui.signing import sign_words, verdict_words
from ui.signing.jobs import Signed
from ui.widgets import (
    Card,
    Fold,
    InlineLink,
    Status,
    added,
    button_for,
    copyable,
    fill,
    in_a_row,
    named,
    plain,
    theme,
    tr,
)


class DoneStep(QWidget):
    """Says what was written and verified, opens it, and lets it be sent on."""

    copied = Signal(str)  # the record is to be copied into this folder
    further = Signal(str)  # it is signed once more: by somebody else, or with this verdict
    next_asked = Signal(str)  # the next release is to be begun from the record of this path

    def __init__(self) -> None:
        super().__init__()
        self.path = Path()
        column = plain(QVBoxLayout(self), theme.NEAR + theme.TIGHT)
        column.setContentsMargins(0, 0, theme.NEAR, 0)
        head = plain(QVBoxLayout(), theme.TIGHT)
        column.addLayout(head)
        self.heading = added(head, named(Status(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "question"))
        self.sentence = added(head, Prose())
        self.next_card = added(column, Card(tr("Next")))
        self.steps = added(self.next_card.column, Prose())
        self.number = added(self.next_card.column, copyable("", "promise"))
        self.known = added(self.next_card.column, Prose(tr("After that, their computer knows you."), "caption"))
        self.mind = added(column, Card(tr("Changed your mind?")))
        mind = tr(
            "Change anything and sign again. The new record says that it replaces this one; this one stays as it is. "
            "Until it is approved, you can also withdraw it."
        )
        self.mind.column.addWidget(Prose(mind))
        self.withdraw_link = InlineLink(tr("Withdraw it …"))
        self.mind.column.insertWidget(0, in_a_row(self.mind.title, self.withdraw_link, spacing=theme.GROUP))
        self.withdraw_link.clicked.connect(lambda: self.further.emit("withdraw"))
        self.open_button = button_for(tr("Open the PDF"), lambda: self._open(RecordFiles.beside(self.path).pdf))
        self.notice_button = QPushButton(tr("Save the public notice …"))
        column.addWidget(in_a_row(self.open_button, self.notice_button))
        self.says = added(column, Prose("", "caption", hides=True))
        self.more = added(column, Fold(tr("Copy, checks, next signature, next release")))
        self._more(self.more.column)
        column.addStretch(1)

    def _more(self, column: QVBoxLayout) -> None:
        self.files = added(column, copyable(""))
        self.path_button = button_for(tr("Copy the path"), lambda: self._copy_path())
        self.copy_button = button_for(tr("Save a copy …"), lambda: self._save_copy())
        self.check_button = QPushButton(tr("Show every check"))
        self.further_button = button_for(tr("Someone else signs now …"), lambda: self.further.emit(""))
        self.next_button = button_for(tr("Begin the next release …"), lambda: self.next_asked.emit(str(self.path)))
        self.script_button = QPushButton(tr("Script that makes the release …"))
        fill(
            column,
            in_a_row(self.path_button, self.copy_button, self.check_button),
            in_a_row(self.further_button, self.next_button),
            in_a_row(self.script_button),
        )

    def show_signed(self, ended: Signed, sentence: str, who: str, proposer: str, *, proposed: bool) -> None:
        """Say what was signed, the SENTENCE of its verification, and what to do for WHO is next, if anybody; PROPOSER
        is who proposed what somebody else approves; what is PROPOSED can be withdrawn."""
        place, number = RecordFiles.beside(ended.path), verdict_words.number(ended.signer.fingerprint)
        self.path = ended.path
        self.heading.setText(sign_words.done(ended))
        self.sentence.say(sentence)
        self.next_card.call(tr("Next: {name}", name=who) if who else tr("Next"))
        self.steps.say(sign_words.steps(ended, len(place.there), bool(who), proposer))
        self.number.setText(number)
        self.number.setAccessibleName(tr("Your signature number: {number}", number=number))
        self.mind.setVisible(proposed and ended.verdict != "withdraw")
        self.files.setText(sign_words.written(place))
        for button in (self.check_button, self.next_button):
            button.setVisible(ended.verification is not None)
        self.says.say("")

    def leave(self) -> None:
        """Forget the record."""
        self.path = Path()
        for label in (self.heading, self.files, self.number):
            label.clear()
        for prose in (self.sentence, self.steps, self.says):
            prose.say("")
        self.more.fold()

    def show_folder(self) -> None:
        """Open the folder of the record in the system's own window."""
        self._open(self.path.parent)

    def _open(self, place: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(place))):
            self.says.say(tr("This computer cannot open the file. It is in {place}", place=str(place)))

    def _copy_path(self) -> None:
        QGuiApplication.clipboard().setText(str(RecordFiles.beside(self.path).pdf))
        self.says.say(
            tr(
                "The path of the PDF is in the clipboard. "
                "Send all files of the record together: all are needed to verify it."
            )
        )

    def _save_copy(self) -> None:
        if folder := ask_folder(self, tr("Save a copy to")):
            self.copied.emit(folder)
