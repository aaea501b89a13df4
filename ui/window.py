"""The main window: start screen or wizard, records verified, what is dropped on it, and nothing lost on closing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QMainWindow, QMessageBox, QStackedWidget

from dpwizard.errors import DPWizardError
from ui import theme
from ui.documents import Documents
from ui.menus import Menus
from ui.start import StartScreen
from ui.words import tr

if TYPE_CHECKING:
    from ui.session import Session
    from ui.wizard import Wizard


class MainWindow(QMainWindow):
    """The program's window. The wizard and all it imports are made after the first paint."""

    ready = Signal()  # the wizard is there and can be used

    def __init__(self, colours: theme.Colours, settings: QSettings) -> None:
        super().__init__()
        self.colours = colours
        self.settings = settings
        self.session: Session | None = None
        self.wizard: Wizard | None = None
        self._said: tuple[object, ...] = ()
        self.setWindowTitle("dpwizard")
        self.resize(1366, 768)
        self.setAcceptDrops(True)
        self.stack = QStackedWidget()
        self.setCentralWidget(self.stack)
        self.documents = Documents(self, settings)
        self.start = StartScreen(self.documents.recent())
        self.stack.addWidget(self.start)
        self.start.new.connect(self.documents.new)
        self.start.open.connect(self.documents.open)
        self.start.back.connect(self.back_to_decision)
        self.start.verify.connect(self.verify)
        self.start.open_path.connect(lambda path: self.open_path(Path(path)))
        self.start.example.connect(lambda path: self.open_path(Path(path), example=True))
        self.menus = Menus(self)
        self._retitle()
        self.start.painted.connect(lambda: QTimer.singleShot(0, self.prepare))

    def undo(self) -> None:
        """Take the last edit back."""
        if self.wizard is not None:
            self.wizard.undo()

    def redo(self) -> None:
        """Bring back the edit last taken back."""
        if self.wizard is not None:
            self.wizard.redo()

    # ------------------------------------------------------------------------------- wizard

    def prepare(self) -> None:
        """Make the wizard: imports the model, once."""
        if self.wizard is not None:
            return
        from ui.live import LiveSolver
        from ui.session import Session
        from ui.wizard import Wizard

        self.session = Session(self)
        self.wizard = Wizard(self.session, LiveSolver(self), self.colours)
        self.session.changed.connect(self._retitle)
        self.stack.addWidget(self.wizard)
        self._retitle()
        self.ready.emit()

    def _retitle(self) -> None:
        """Say which decision is shown, whether it is saved, and what can be done with it."""
        session = self.session if self.session is not None and self.stack.currentWidget() is self.wizard else None
        undo, redo = (session.history.undo_name, session.history.redo_name) if session is not None else (None, None)
        name = "" if session is None else session.path.name if session.path else session.decision.title or tr("unsaved decision")
        unsaved = session is not None and session.unsaved
        said = (session is not None, name, unsaved, undo, redo)
        if said == self._said:
            return
        self._said = said
        self.menus.follow(session)
        self.setWindowTitle(f"{name}[*] – dpwizard" if session is not None else "dpwizard")
        self.setWindowModified(unsaved)

    def show_wizard(self) -> None:
        """Show the wizard at its first step, with the decision just opened."""
        assert self.wizard is not None
        self.stack.setCurrentWidget(self.wizard)
        self.wizard.forget_problems()
        self.wizard.go("release")
        self._retitle()

    def show_start(self) -> None:
        """Go back to the start screen; the decision stays open until another one is chosen."""
        self.start.show_recent(self.documents.recent())
        self.start.offer_return(self.session is not None and self.wizard is not None and self.stack.currentWidget() is self.wizard)
        self.stack.setCurrentWidget(self.start)
        self._retitle()

    def back_to_decision(self) -> None:
        """Leave the start screen for the decision that is open."""
        if self.wizard is not None:
            self.stack.setCurrentWidget(self.wizard)
            self._retitle()

    # -------------------------------------------------------------------------------- files

    def new(self) -> None:
        """Begin an empty decision."""
        self.documents.new()

    def open_path(self, path: Path, *, example: bool = False) -> None:
        """Open the decision (or the decision of the record) at PATH."""
        self.documents.open_path(path, example=example)

    def save_to(self, path: Path) -> bool:
        """Save to PATH; return whether it was saved."""
        return self.documents.save_to(path)

    # ------------------------------------------------------------------------------ records

    def verify(self) -> None:
        """Ask for a record and say what its signatures are worth."""
        path, _ = QFileDialog.getOpenFileName(self, tr("Verify a record"), "", tr("Records (*.json *.pdf *.jws)"))
        if path:
            self.verify_path(Path(path))

    def verify_path(self, path: Path) -> None:
        """Judge the record that PATH belongs to, behind the window, and show the verdict."""
        from ui.verdict import VerdictDialog

        self.verdict = VerdictDialog(path, self)
        self.verdict.open()

    def show_archive(self) -> None:
        """Replay an archive of records."""
        from ui.records.archive_dialog import ArchiveDialog

        self.archive = ArchiveDialog(self)
        self.archive.verify.connect(lambda name: self.verify_path(Path(name)))
        self.archive.open()

    def show_trust(self) -> None:
        """Show whose certificates are trusted here."""
        from ui.records.trust_dialog import TrustDialog

        self.trust = TrustDialog(parent=self)
        self.trust.open()

    def export(self) -> None:
        """Export a signed record: the one this decision was opened from or signed as, or another."""
        from ui.records.export_dialog import ExportDialog

        self.exports = ExportDialog(self.session.record if self.session is not None else None, self)
        self.exports.lead.connect(lambda where: self.wizard.reach(where, "") if self.wizard is not None else None)
        self.exports.open()

    def complain(self, heading: str, problem: DPWizardError) -> None:
        """Say in words what went wrong."""
        box = QMessageBox(QMessageBox.Icon.Warning, heading.rstrip("."), heading, parent=self)
        box.setInformativeText(str(problem))
        self.complaint = box
        box.open()

    # ------------------------------------------------------------------------------- events

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        urls = event.mimeData().urls()
        if urls:
            self.drop(Path(urls[0].toLocalFile()))

    def drop(self, path: Path) -> None:
        """Verify a record that was dropped, or open a decision."""
        from dpwizard.record_files import RecordFiles

        is_record = path.suffix in (".pdf", ".jws") or RecordFiles.beside(path).jws.exists()
        self.verify_path(path) if is_record else self.open_path(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.documents.may_leave():
            event.ignore()
            return
        if self.wizard is not None:
            self.wizard.close()
        event.accept()
