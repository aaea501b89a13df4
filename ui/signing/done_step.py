"""The third step of signing: what was written where, whether it holds, and where it goes next."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from dpwizard.signing import RecordFiles
from ui.controls import Prose, ask_folder
from ui.signing import verdict_words
from ui.signing.jobs import Signed
from ui.signing.parts import copyable
from ui.widgets import Card, Status, added, button_for, in_a_row, named, plain, theme, tr


class DoneStep(QWidget):
    """Says what was written and verified, opens it, and lets it be sent on."""

    copied = Signal(str)  # the record is to be copied into this folder
    further = Signal()  # somebody else signs now
    next_asked = Signal(str)  # the next release is to be begun from the record of this path

    def __init__(self) -> None:
        super().__init__()
        self.path = Path()
        column = plain(QVBoxLayout(self), theme.GROUP)
        self.heading = added(column, named(Status(wordWrap=True), "title"))
        self.sentence = added(column, Prose())
        card = added(column, Card(tr("Written")))
        self.files = added(card.column, copyable(""))
        self.number = added(card.column, Prose())
        self.open_button = button_for(tr("Open the PDF"), lambda: self._open(RecordFiles.beside(self.path).pdf))
        self.folder_button = button_for(tr("Show the folder"), lambda: self._open(self.path.parent))
        self.path_button = button_for(tr("Copy the path"), lambda: self._copy_path())
        self.copy_button = button_for(tr("Save a copy …"), lambda: self._save_copy())
        buttons = (self.open_button, self.folder_button, self.path_button, self.copy_button)
        card.column.addWidget(in_a_row(*buttons, spacing=theme.GROUP))
        self.says = added(card.column, Prose("", "caption"))
        self.awaited = added(column, QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True))
        self.check_button = QPushButton(tr("Show every check"))
        self.further_button = button_for(tr("Someone else signs now …"), lambda: self.further.emit())
        self.next_button = button_for(tr("Begin the next release …"), lambda: self.next_asked.emit(str(self.path)))
        self.script_button = QPushButton(tr("Script that makes the release …"))
        buttons = (self.check_button, self.further_button, self.next_button, self.script_button)
        column.addWidget(in_a_row(*buttons, spacing=theme.GROUP))
        column.addStretch(1)

    def show_signed(self, ended: Signed, words: str, found: str, awaited: str, own: str) -> None:
        """Say what was written (WORDS), what verification FOUND, and who is AWAITED; OWN is the signer's
        fingerprint."""
        self.path = ended.path
        self.heading.setText(_heading(ended))
        self.sentence.say(found)
        self.files.setText(words)
        self.number.say(_number(own), strong=(verdict_words.number(own),))
        self.awaited.setText(awaited)
        self.awaited.setVisible(bool(awaited))
        for button in (self.check_button, self.next_button):
            button.setVisible(ended.verification is not None)
        self.says.say("")

    def leave(self) -> None:
        """Forget the record."""
        self.path = Path()
        for label in (self.heading, self.files, self.awaited):
            label.clear()
        for prose in (self.sentence, self.number, self.says):
            prose.say("")

    def _open(self, place: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(place))):
            self.says.say(tr("This computer opens no such file by itself. It lies here: {place}", place=str(place)))

    def _copy_path(self) -> None:
        QGuiApplication.clipboard().setText(str(RecordFiles.beside(self.path).pdf))
        self.says.say(
            tr(
                "The path of the PDF is in the clipboard. "
                "Send all files of the record together: all are needed to verify it."
            )
        )

    def _save_copy(self) -> None:
        folder = ask_folder(self, tr("Save a copy to"))
        if folder:
            self.copied.emit(folder)


def _heading(ended: Signed) -> str:
    """Return what came of signing, in a few words."""
    found = ended.verification
    if found is None:
        return tr("Signed, but not verified yet")
    return (
        tr("✓  Signed by you, {name}", name=found.signers[-1].name)
        if found.ok
        else f"✗  {verdict_words.heading(found)}"
    )


def _number(own: str) -> str:
    """Return what to tell those who receive the record: the number by which they recognise the signature."""
    return tr(
        "1  Send all these files together to those who sign or check next.\n2  They open the record and read two pages."
        "\n3  Tell them your signature number once, by telephone or in person:\n{number}",
        number=verdict_words.number(own),
    )
