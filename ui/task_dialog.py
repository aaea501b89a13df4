"""A dialog with work in it: what is done behind the window, its progress, and a row of buttons."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from dpwizard.base.errors import DPWizardError
from ui.controls import Prose
from ui.forms import in_words
from ui.widgets import SideBySide, added, button_for, column_of, fill, plain, theme, tr
from ui.workers import Failed, Then, Worker, close_all

Progress: TypeAlias = Callable[[Any], None]  # tells the key of a stage, or what is Counted
Job: TypeAlias = Callable[[Progress], Any]


class Counted(NamedTuple):
    """Progress of work that is not in named stages: what is done now, how many of how many are done."""

    words: str
    done: int
    of: int


class Stopped(DPWizardError):
    """Somebody stopped the work between two stages."""


class Stages(QWidget):
    """A bar, a line of words and Stop, for one worker.

    A job tells each stage before it begins; once Stop was clicked, the next telling raises Stopped on the job's own
    thread, so that no stage is left half done. After the stage LAST nothing is stopped any more. WORDS names a stage.
    """

    ended = Signal()  # done, failed or stopped

    def __init__(
        self, worker: Worker, words: Callable[[str], str] = str, *, keys: tuple[str, ...] = (), last: str = ""
    ) -> None:
        super().__init__()
        self.worker, self._words, self._keys, self._last = worker, words, keys, last
        self._asked = False
        column = plain(QVBoxLayout(self), theme.NEAR)
        row = plain(QHBoxLayout(), theme.GROUP)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(tr("Progress"))
        self.stop_button = button_for(tr("Stop"), lambda: self.stop(), "small")
        row.addWidget(self.bar, 1)
        row.addWidget(self.stop_button)
        column.addLayout(row)
        self.says = added(column, Prose("", "caption"))
        self.hide()
        worker.progressed.connect(self._progressed)
        worker.done.connect(lambda _: self._end())
        worker.failed.connect(lambda _: self._end())

    def start(self, job: Job, then: Then | None = None, failed: Failed | None = None) -> None:
        """Run JOB, which is given what to tell its stages with; tell THEN or FAILED how it ended."""
        if self.worker.busy:
            return
        self._asked = False
        self.bar.setRange(0, len(self._keys) + 1)
        self.bar.setValue(0)
        self.says.say("")
        self.stop_button.setEnabled(True)
        self.show()

        def told(progress: Progress) -> Any:
            def tell(stage: Any) -> None:
                if self._asked and stage != self._last:
                    raise Stopped("was stopped", "", "Nothing was written.")
                progress(stage)

            return job(tell)

        self.worker.start(told, then, failed)

    def stop(self) -> None:
        """Ask the job to end before its next stage."""
        self._asked = True
        self.stop_button.setEnabled(False)
        self.says.say(tr("Stopping …"))

    def _progressed(self, stage: Any) -> None:
        if isinstance(stage, Counted):
            self.bar.setRange(0, max(stage.of, 1))
            self.bar.setValue(stage.done)
            words = stage.words
        elif stage in self._keys:
            self.bar.setValue(self._keys.index(stage) + 1)
            words = self._words(stage)
        else:
            return
        if stage == self._last:
            self.stop_button.setEnabled(False)
        if not self._asked or stage == self._last:
            self.says.say(words)

    def _end(self) -> None:
        self.hide()
        self.ended.emit()


class TaskDialog(QDialog):
    """A dialog that does one job at a time behind the window, and gives it up when it is closed.

    What is asked for while a job runs is done after it, the newest alone, and of the older one nobody is told.
    """

    def __init__(self, parent: QWidget | None, title: str, size: tuple[int, int], heading: str = "") -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.resize(*size)
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC)
        self.column = column_of(self, heading)
        self.resting: tuple[QWidget, ...] = ()  # controls that cannot be used while a job runs
        self._next: tuple[Job, Then, Failed] | None = None  # what was asked for while a job runs

    # ------------------------------------------------------------------------------------ its work

    @cached_property
    def says(self) -> Prose:
        """Return what says how the work ended; a dialog that works places it."""
        return Prose(hides=True)

    @cached_property
    def worker(self) -> Worker:
        """Return what the jobs run on."""
        return Worker(self)

    @cached_property
    def stages(self) -> Stages:
        """Return the bar that says how far a job is; each dialog places it."""
        return Stages(self.worker)

    @property
    def busy(self) -> bool:
        """Return whether a job runs."""
        return "worker" in self.__dict__ and self.worker.busy

    def work(self, job: Job, then: Then, failed: Failed | None = None) -> None:
        """Do JOB behind the window; tell THEN what came of it, or FAILED (else `says`) why nothing did."""
        failed = failed or self.complain
        if self.busy:
            self._next = (job, then, failed)
            return
        self._rest(True)
        start = self.stages.start if "stages" in self.__dict__ else self.worker.start
        start(job, lambda came: self._ended(lambda: then(came)), lambda why: self._ended(lambda: failed(why)))

    def complain(self, problem: DPWizardError) -> None:
        """Say what went wrong."""
        self.says.say(in_words(problem))

    def _rest(self, resting: bool) -> None:
        for control in self.resting:
            control.setEnabled(not resting)

    def _ended(self, tell: Callable[[], object]) -> None:
        """TELL how it ended, or begin what was asked for since."""
        self._rest(False)
        again, self._next = self._next, None
        if again is not None:
            self.work(*again)
        else:
            tell()

    def done(self, result: int) -> None:
        """Close: what runs is given up."""
        self._next = None
        if "stages" in self.__dict__:
            self.stages.stop()
        close_all(self, wait=False)
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.done(0)
        event.setAccepted(not self.isVisible())

    # ------------------------------------------------------------------------------------- its foot

    def foot(self, *left: QPushButton, right: tuple[QPushButton, ...], default: QPushButton | None = None) -> None:
        """End the column with buttons at the LEFT and at the RIGHT; Enter in a line clicks DEFAULT, or none."""
        row = added(self.column, SideBySide(theme.NEAR))
        fill(row.box, *left)
        row.box.addStretch(1)
        fill(row.box, *right)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
        if default is not None:
            default.setDefault(True)

    def closing(self, words: str = "", name: str = "") -> QPushButton:
        """Return the button that closes it without more ado, called `close_button`."""
        self.close_button = button_for(words or tr("Close"), lambda: self.reject(), name)
        return self.close_button

    def copying(self, text: Callable[[], str], words: str = "") -> QPushButton:
        """Return the button that puts TEXT into the clipboard, called `copy_button`."""
        self.copy_button = button_for(words or tr("Copy as text"), lambda: QGuiApplication.clipboard().setText(text()))
        return self.copy_button
