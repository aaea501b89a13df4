"""The main window: start screen or wizard, files opened and saved, records verified, and nothing lost on closing."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtWidgets import QFileDialog, QMainWindow, QMessageBox, QStackedWidget

from dpwizard.errors import DPWizardError, FileProblem
from ui import theme
from ui.mnemonics import unmnemonic
from ui.start import StartScreen

if TYPE_CHECKING:
    from ui.session import Session
    from ui.wizard import Wizard

MOST_RECENT = 8
FILES = "Decisions and records (*.json)"


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
        self.start = StartScreen(self.recent())
        self.stack.addWidget(self.start)
        self.start.new.connect(self.new)
        self.start.open.connect(self.open)
        self.start.back.connect(self.back_to_decision)
        self.start.verify.connect(self.verify)
        self.start.open_path.connect(lambda path: self.open_path(Path(path)))
        self.start.example.connect(lambda path: self.open_path(Path(path), example=True))
        self._menus()
        self.start.painted.connect(lambda: QTimer.singleShot(0, self.prepare))

    def _menus(self) -> None:
        keys = QKeySequence.StandardKey
        file = (
            ("New decision", keys.New, self.new),
            ("Open …", keys.Open, self.open),
            ("Save", keys.Save, self.save),
            ("Save as …", keys.SaveAs, self.save_as),
            ("Start screen", QKeySequence("Ctrl+H"), self.show_start),
            ("Verify a record …", QKeySequence("Ctrl+R"), self.verify),
            ("Quit", keys.Quit, self.close),
        )
        edit = (("Undo", keys.Undo, self.undo), ("Redo", keys.Redo, self.redo))
        self.actions_by_name: dict[str, QAction] = {}
        for title, entries in (("File", file), ("Edit", edit)):
            menu = self.menuBar().addMenu(title)
            for words, shortcut, act in entries:
                action = QAction(words, self)
                action.setShortcut(shortcut)
                action.triggered.connect(lambda _=False, act=act: act())
                menu.addAction(action)
                self.actions_by_name[words] = action
        self._retitle()

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
        name = "" if session is None else session.path.name if session.path else session.decision.title or "unsaved decision"
        unsaved = session is not None and session.unsaved
        said = (session is not None, name, unsaved, undo, redo)
        if said == self._said:
            return
        self._said = said
        for entry in ("Save", "Save as …"):
            self.actions_by_name[entry].setEnabled(session is not None)
        for verb, step in (("Undo", undo), ("Redo", redo)):
            self.actions_by_name[verb].setEnabled(step is not None)
            self.actions_by_name[verb].setText(unmnemonic(f"{verb} “{step}”") if step else verb)
        self.setWindowTitle(f"{name}[*] – dpwizard" if session is not None else "dpwizard")
        self.setWindowModified(unsaved)

    def _show_wizard(self) -> None:
        assert self.wizard is not None
        self.stack.setCurrentWidget(self.wizard)
        self.wizard.forget_problems()
        self.wizard.go("release")
        self._retitle()

    def show_start(self) -> None:
        """Go back to the start screen; the decision stays open until another one is chosen."""
        self.start.show_recent(self.recent())
        self.start.offer_return(self.session is not None and self.wizard is not None and self.stack.currentWidget() is self.wizard)
        self.stack.setCurrentWidget(self.start)
        self._retitle()

    def back_to_decision(self) -> None:
        """Leave the start screen for the decision that is open."""
        if self.wizard is not None:
            self.stack.setCurrentWidget(self.wizard)
            self._retitle()

    # -------------------------------------------------------------------------------- files

    def recent(self) -> tuple[str, ...]:
        """Return the files opened last that are still there, the newest first."""
        found = self.settings.value("recent", [])
        names = [found] if isinstance(found, str) else list(found or [])
        return tuple(name for name in names if isinstance(name, str) and Path(name).is_file())[:MOST_RECENT]

    def _remember(self, path: Path) -> None:
        kept = [str(path.resolve()), *(name for name in self.recent() if name != str(path.resolve()))]
        self.settings.setValue("recent", kept[:MOST_RECENT])

    def new(self) -> None:
        """Begin an empty decision."""
        from dpwizard.decision import new_decision

        if self._may_leave():
            self.prepare()
            assert self.session is not None
            self.session.start(new_decision())
            self._show_wizard()

    def open(self) -> None:
        """Ask for a file and open it."""
        path, _ = QFileDialog.getOpenFileName(self, "Open a decision", "", FILES)
        if path:
            self.open_path(Path(path))

    def open_path(self, path: Path, *, example: bool = False) -> None:
        """Open the decision (or the decision of the record) at PATH; an example is opened as a decision without a file."""
        from dpwizard.project import open_project

        if not self._may_leave():
            return
        try:
            decision = open_project(path)
        except DPWizardError as problem:
            self.complain("This file cannot be opened", problem)
            return
        self.prepare()
        assert self.session is not None
        signed = path.with_name(path.name + ".jws").exists()  # a signed record stays as it is: its decision is opened as a new one
        self.session.start(decision, None if example or signed else path, path if signed else None)
        if not example:
            self._remember(path)
        self._show_wizard()

    def save(self) -> bool:
        """Save to the decision's file, or ask for one; return whether it was saved."""
        if self.session is None:
            return True
        return self.save_to(self.session.path) if self.session.path is not None else self.save_as()

    def save_as(self) -> bool:
        """Ask for a file and save to it; return whether it was saved."""
        path, _ = QFileDialog.getSaveFileName(self, "Save the decision", "decision.json", FILES)
        return bool(path) and self.save_to(Path(path) if Path(path).suffix else Path(path).with_suffix(".json"))

    def save_to(self, path: Path) -> bool:
        """Save to PATH, atomically; return whether it was saved."""
        from dpwizard.project import save_project

        assert self.session is not None
        try:
            if path.with_name(path.name + ".jws").exists():
                raise FileProblem("is a signed record", str(path), "Choose another name; a record stays as it was signed.")
            save_project(path, self.session.decision)
        except DPWizardError as problem:
            self.complain("The decision could not be saved", problem)
            return False
        self.session.saved(path)
        self._remember(path)
        return True

    def _may_leave(self) -> bool:
        """Ask what to do with unsaved changes; return whether the decision may be left."""
        if self.session is None or not self.session.unsaved:
            return True
        buttons = QMessageBox.StandardButton
        asked = QMessageBox(QMessageBox.Icon.Question, "Unsaved changes", "This decision has changes that are not saved.", parent=self)
        asked.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        answer = asked.exec()
        return self.save() if answer == buttons.Save else answer == buttons.Discard

    # ------------------------------------------------------------------------------ records

    def verify(self) -> None:
        """Ask for a record and say what its signatures are worth."""
        path, _ = QFileDialog.getOpenFileName(self, "Verify a record", "", "Records (*.json *.pdf *.jws)")
        if path:
            self.verify_path(Path(path))

    def verify_path(self, path: Path) -> None:
        """Judge the record that PATH belongs to and show the verdict."""
        from dpwizard import record_files

        try:
            found = record_files.verify(record_files.RecordFiles.beside(path), (), datetime.now(UTC))
        except DPWizardError as problem:
            self.complain("This record cannot be judged", problem)
            return
        from ui.verdict import VerdictDialog

        self.verdict = VerdictDialog(found, path, self)
        self.verdict.open()

    def complain(self, heading: str, problem: DPWizardError) -> None:
        """Say in words what went wrong."""
        box = QMessageBox(QMessageBox.Icon.Warning, heading, f"{heading}.", parent=self)
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
        if not self._may_leave():
            event.ignore()
            return
        if self.wizard is not None:
            self.wizard.close()
        event.accept()
