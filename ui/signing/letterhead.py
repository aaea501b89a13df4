"""The letterhead of a record: taken from the office, written here, with a logo from a file, or none."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpwizard.base import files, office_folder
from dpwizard.base.errors import DPWizardError
from dpwizard.base.office_folder import LARGEST
from dpwizard.base.stopping import Stop
from dpwizard.decision import Letterhead, edits, letterhead_of
from dpwizard.records import office_settings
from ui.controls import Prose, ask_file
from ui.forms import Form, in_words
from ui.session import DocumentSession
from ui.widgets import Problem, added, button_for, in_a_row, plain, theme, tr
from ui.workers import Background, refusal

WHERE = "$.letterhead"
WIDE, HIGH = 240, 60  # pixels at most of the logo as it is shown here


def _with_logo(asked: tuple[Path, Letterhead], stop: Stop) -> Letterhead:
    """Return a letterhead with the picture at a path as its logo."""
    path, letterhead = asked
    return letterhead_of(letterhead.name, letterhead.lines, files.read_bytes(path, LARGEST))


class LetterheadForm(QWidget):
    """Name, lines and logo in step with the decision; each button is an edit with a name."""

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.session = session
        self.placed = office_settings.placed(office_folder.OFFICE).letterhead
        column = plain(QVBoxLayout(self), theme.NEAR)
        about = tr("Small, above page one of the record and of the public notice. A note says that nobody checked it.")
        column.addWidget(Prose(about, "caption"))
        self.form = added(column, Form(session, WHERE, Letterhead, ("name", "lines")))
        self.logo = added(column, QLabel())
        self.office_button = button_for(tr("Take the office’s letterhead"), lambda: self._put(self.placed), "small")
        self.write_button = button_for(tr("Write a letterhead"), lambda: self.write(), "small")
        self.logo_button = button_for(tr("Choose a logo …"), lambda: self.choose(), "small")
        self.no_logo_button = button_for(tr("Remove the logo"), lambda: self._set_logo(None), "small")
        self.remove_button = button_for(tr("Remove the letterhead"), lambda: self._put(None), "small")
        buttons = (self.office_button, self.write_button, self.logo_button, self.no_logo_button, self.remove_button)
        column.addWidget(in_a_row(*buttons))
        self.says = added(column, Problem())
        self.reader = Background(_with_logo, words=refusal, parent=self)
        self.reader.done.connect(lambda asked, letterhead: self._take(asked[1], letterhead))
        self.reader.failed.connect(
            lambda asked, words: self.says.say(tr("{name}: {what}", name=asked[0].name, what=words))
        )
        self._drawn: str | None = None
        self.refresh()

    def refresh(self) -> None:
        """Show the letterhead of the decision, and what can be done with it."""
        letterhead = self.session.decision.letterhead
        self.form.setVisible(letterhead is not None)
        self.office_button.setVisible(self.placed is not None and letterhead != self.placed)
        self.write_button.setVisible(letterhead is None)
        self.logo_button.setVisible(letterhead is not None)
        self.remove_button.setVisible(letterhead is not None)
        logo = letterhead.logo if letterhead is not None else None
        self.no_logo_button.setVisible(logo is not None)
        self.logo.setVisible(logo is not None)
        if logo != self._drawn:
            self._drawn = logo
            self._draw(letterhead)

    def leave(self) -> None:
        """Forget what was said: another decision is about to be shown."""
        self.says.say("")

    def _draw(self, letterhead: Letterhead | None) -> None:
        shown = QPixmap()
        if letterhead is not None and letterhead.picture is not None:
            shown.loadFromData(letterhead.picture, "PNG")
            ways = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            picture = shown.scaled(WIDE, HIGH, *ways)
            shown = QPixmap(picture.size())
            shown.fill(Qt.GlobalColor.white)  # it is printed on white: black on nothing is to be seen in the dark, too
            with QPainter(shown) as painter:
                painter.drawPixmap(0, 0, picture)
            self.logo.setAccessibleName(tr("Logo of {office}", office=letterhead.name))
        self.logo.setPixmap(shown)

    def write(self) -> None:
        """Begin a letterhead with the name of who is responsible, if that is known."""
        name = " ".join((self.session.decision.details.controller or "").split())[:80]
        self._put({"name": name if name and name.isprintable() else tr("Name of the office")})

    def choose(self) -> None:
        """Ask for the picture of the logo and take it."""
        if path := ask_file(self, tr("The logo"), tr("Pictures ({endings})", endings="*.png")):
            self.take(Path(path))

    def take(self, path: Path) -> None:
        """Take the picture at PATH as the logo; say what is wrong with it if it is none that is taken."""
        letterhead = self.session.decision.letterhead
        assert letterhead is not None
        self.reader.request((path, letterhead))

    def _take(self, asked: Letterhead, letterhead: Letterhead) -> None:
        if self.session.decision.letterhead == asked:  # else it is another one by now
            self._set_logo(letterhead.logo)

    def _set_logo(self, logo: str | None) -> None:
        self._edit(tr("Set {field}", field=tr("Logo")), f"{WHERE}.logo", logo)

    def _put(self, raw: object) -> None:
        self._edit(tr("Set {field}", field=tr("Letterhead")), WHERE, raw)

    def _edit(self, called: str, where: str, raw: object) -> None:
        try:
            self.session.edit(called, edits.put(self.session.decision, where, raw))
        except DPWizardError as problem:
            self.says.say(in_words(problem))
            return
        self.says.say("")
