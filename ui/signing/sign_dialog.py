"""Signing on one page: what is signed at the left, who signs at the right, and one button. Then it is done."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QStackedWidget, QWidget

from dpwizard.base.errors import DPWizardError
from ui.controls import Prose
from ui.forms import in_words
from ui.signing import jobs, sign_words
from ui.signing.done_step import DoneStep
from ui.signing.preview import Make, Pages
from ui.signing.read_step import ReadStep
from ui.task_dialog import Stages, TaskDialog
from ui.widgets import SideBySide, added, button_for, fill, plain, scrolled, theme, tr, within_reach
from ui.workers import Worker

SIZE = (980, 680)
ASIDE = 280  # pixels beside the pages, at least
READ, DONE = range(2)


class SignDialog(TaskDialog):
    """Leads one person through a signature. What was typed stays until the decision is left; what is secret goes with
    its use, and a signature file is open only while it signs."""

    confirmed = Signal()  # the signature is to be made
    lead = Signal(str)  # the path of the field that stands in the way

    def __init__(self, worker: Worker, parent: QWidget) -> None:
        super().__init__(parent, tr("Sign the record"), SIZE)
        self.worker = worker  # it goes on where the decision is left
        self.stages = Stages(worker, sign_words.doing, keys=jobs.PROGRESS, last="verify")
        self.place = ""  # of the field that stands in the way
        self.shown: tuple[Any, ...] = ()  # what the pages show
        self.steps, self.pages = Prose(), Pages()
        fill(added(self.column, SideBySide()).box, self.steps, self.pages.tools)
        row = plain(QHBoxLayout(), theme.EDGE)
        self.column.addLayout(row, 1)
        self.stack = QStackedWidget()
        for part in (self.pages, self.stack):
            row.addWidget(part, 1)
        self.read, self.done_step = ReadStep(), DoneStep()
        for step, name in ((self.read, tr("Read and sign")), (self.done_step, tr("Done"))):
            area = scrolled(step, name)
            area.setMinimumWidth(ASIDE)
            self.stack.addWidget(area)
        self.says.setObjectName("problem")
        fill(self.column, self.says, self.stages)
        self.place_button = button_for(tr("Go to this field"), lambda: self._lead_to())
        self.cancel_button = button_for(tr("Cancel"), lambda: self.reject())
        self.sign_button = button_for(tr("Sign"), lambda: self.confirmed.emit(), "primary")
        self.folder_button = button_for(tr("Show the folder"), lambda: self.done_step.show_folder(), "primary")
        right = (self.cancel_button, self.sign_button, self.closing(), self.folder_button)
        self.foot(self.place_button, right=right)
        self.resting = (self.stack, self.sign_button, self.close_button, self.folder_button)
        self.read.key.entered.connect(self._enter)
        self.done_step.copied.connect(self._copy)
        within_reach(self)
        self._show(READ)

    # ------------------------------------------------------------------------------------- steps

    def begin(self) -> None:
        """Open where one reads and signs."""
        self.read.begin()
        self.sign_button.setEnabled(False)  # until it is known what lies there
        self._show(READ)
        self.open()
        self.read.key.first_field().setFocus()

    def _show(self, step: int) -> None:
        self.step = step
        names = (tr("1  Read and sign"), tr("2  Done"))
        self.steps.say("    ›    ".join(names), strong=(names[step],))
        self.stack.setCurrentIndex(step)
        self._say("")
        for button, of in (
            *((self.cancel_button, READ), (self.sign_button, READ)),
            *((self.close_button, DONE), (self.folder_button, DONE)),
        ):
            button.setVisible(step == of)

    def show_pages(self, make: Make | None, words: str, of: tuple[Any, ...]) -> None:
        """Show the pages that MAKE gives, if any, with WORDS about them, unless they are OF the same."""
        if of != self.shown:
            self.shown = of
            self.pages.set_pages(make, words) if make is not None else self.pages.clear()

    def show_done(self) -> None:
        """Show what was signed; what was typed to sign it goes."""
        self.read.leave()
        self._show(DONE)
        self.close_button.setFocus()

    def leave(self) -> None:
        """Forget all of the decision shown until now, and close."""
        self.read.leave()
        self.done_step.leave()
        self.shown = ()
        self.pages.clear()
        self._show(READ)
        QDialog.done(self, 0)

    def _enter(self) -> None:
        """Enter in a passphrase signs nothing, however often it is pressed."""
        self.read.key.note.say(tr("Enter does not sign. Press “{button}”.", button=self.sign_button.text()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)

    # -------------------------------------------------------------------------------------- work

    def complain(self, problem: DPWizardError) -> None:
        """Say what stands in the way: at its field, or below with a button that leads there."""
        self._say("")
        if self.step == READ and self.read.takes(problem):
            return
        where = problem.where if problem.where.startswith("$") else ""
        self._say(in_words(problem, leads=bool(where)), where)
        if self.step == READ:
            self.read.key.first_field().setFocus()

    def _say(self, words: str, where: str = "") -> None:
        self.place = where
        self.place_button.setVisible(bool(where))
        self.says.say(words)

    def _copy(self, folder: str) -> None:
        def copied(names: tuple[str, ...]) -> None:
            self.done_step.says.say(tr("Copied to {folder}: {names}.", folder=folder, names=", ".join(names)))

        self.work(partial(jobs.copy, path=self.done_step.path, folder=Path(folder)), copied)

    def _lead_to(self) -> None:
        where = self.place
        self.reject()
        self.lead.emit(where)

    def done(self, result: int) -> None:
        """Close without signing; while something runs, ask it to stop first: it then says what was written."""
        if self.busy:
            self.stages.stop()
            return
        self.read.key.forget_secrets()
        QDialog.done(self, result)
