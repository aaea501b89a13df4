"""The files of the window: decisions opened and saved, recent ones remembered, and nothing lost on leaving."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QFileDialog, QMessageBox

from dpwizard.errors import DPWizardError, FileProblem
from ui.words import tr

if TYPE_CHECKING:
    from ui.session import Session
    from ui.window import MainWindow

MOST_RECENT = 8


class Documents(QObject):
    """What the window does with files of decisions."""

    def __init__(self, window: MainWindow, settings: QSettings) -> None:
        super().__init__(window)
        self.window = window
        self.settings = settings

    @property
    def session(self) -> Session | None:
        """Return the session, once the wizard is made."""
        return self.window.session

    # ------------------------------------------------------------------------------- recent

    def recent(self) -> tuple[str, ...]:
        """Return the files opened last that are still there, the newest first."""
        found = self.settings.value("recent", [])
        names = [found] if isinstance(found, str) else list(found or [])
        return tuple(name for name in names if isinstance(name, str) and Path(name).is_file())[:MOST_RECENT]

    def remember(self, path: Path) -> None:
        """Put PATH first among the files opened last."""
        kept = [str(path.resolve()), *(name for name in self.recent() if name != str(path.resolve()))]
        self.settings.setValue("recent", kept[:MOST_RECENT])

    # --------------------------------------------------------------------------------- open

    def new(self) -> None:
        """Begin an empty decision."""
        from dpwizard.decision import new_decision

        if self.may_leave():
            self.window.prepare()
            assert self.session is not None
            self.session.start(new_decision())
            self.window.show_wizard()

    def open(self) -> None:
        """Ask for a file and open it."""
        path, _ = QFileDialog.getOpenFileName(self.window, tr("Open a decision"), "", tr("Decisions and records (*.json)"))
        if path:
            self.open_path(Path(path))

    def open_path(self, path: Path, *, example: bool = False) -> None:
        """Open the decision (or the decision of the record) at PATH; an example is opened as a decision without a file."""
        from dpwizard.project import open_project

        if not self.may_leave():
            return
        try:
            decision = open_project(path)
        except DPWizardError as problem:
            self.window.complain(tr("This file cannot be opened."), problem)
            return
        self.window.prepare()
        assert self.session is not None
        signed = path.with_name(path.name + ".jws").exists()  # a signed record stays as it is: its decision is opened as a new one
        self.session.start(decision, None if example or signed else path, path if signed else None)
        if not example:
            self.remember(path)
        self.window.show_wizard()

    # --------------------------------------------------------------------------------- save

    def save(self) -> bool:
        """Save to the decision's file, or ask for one; return whether it was saved."""
        if self.session is None:
            return True
        return self.save_to(self.session.path) if self.session.path is not None else self.save_as()

    def save_as(self) -> bool:
        """Ask for a file and save to it; return whether it was saved."""
        path, _ = QFileDialog.getSaveFileName(self.window, tr("Save the decision"), "decision.json", tr("Decisions and records (*.json)"))
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
            self.window.complain(tr("The decision could not be saved."), problem)
            return False
        self.session.saved(path)
        self.remember(path)
        return True

    def may_leave(self) -> bool:
        """Ask what to do with unsaved changes; return whether the decision may be left."""
        if self.session is None or not self.session.unsaved:
            return True
        buttons = QMessageBox.StandardButton
        words = tr("This decision has changes that are not saved.")
        asked = QMessageBox(QMessageBox.Icon.Question, tr("Unsaved changes"), words, parent=self.window)
        asked.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        answer = asked.exec()
        return self.save() if answer == buttons.Save else answer == buttons.Discard
