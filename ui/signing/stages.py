"""Work in stages, shown: which stage it is at, and a button that stops it before the next one begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from dpwizard.base.errors import DPWizardError
from ui.controls import Prose
from ui.widgets import added, button_for, plain, theme, tr
from ui.workers import Worker

Progress = Callable[[str], None]


class Stopped(DPWizardError):
    """Somebody stopped the work between two stages."""


class Stages(QWidget):
    """A bar, a line of words and Stop, for one worker.

    A job tells each stage before it begins; once Stop was clicked, the next telling raises Stopped on the job's own
    thread, so that no stage is left half done. After the stage LAST nothing is stopped any more.
    """

    ended = Signal()  # done, failed or stopped

    def __init__(
        self, worker: Worker, words: Callable[[str], str], *, keys: tuple[str, ...] = (), last: str = ""
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

    def start(self, job: Callable[[Progress], Any]) -> None:
        """Run JOB, which is given what to tell its stages with."""
        if self.worker.busy:
            return
        self._asked = False
        self.bar.setRange(0, len(self._keys) + 1)
        self.bar.setValue(0)
        self.says.say("")
        self.stop_button.setEnabled(True)
        self.show()

        def told(progress: Progress) -> Any:
            def tell(key: str) -> None:
                if self._asked and key != self._last:
                    raise Stopped("was stopped", "", "Nothing was written.")
                progress(key)

            return job(tell)

        self.worker.start(told)

    def stop(self) -> None:
        """Ask the job to end before its next stage."""
        self._asked = True
        self.stop_button.setEnabled(False)
        self.says.say(tr("Stopping …"))

    def set_count(self, done: int, of: int) -> None:
        """Show how many are done, for work that is not in named stages."""
        self.bar.setRange(0, max(of, 1))
        self.bar.setValue(done)

    def _progressed(self, key: str) -> None:
        if key in self._keys:
            self.bar.setValue(self._keys.index(key) + 1)
        if key == self._last:
            self.stop_button.setEnabled(False)
        if not self._asked or key == self._last:
            self.says.say(self._words(key))

    def _end(self) -> None:
        self.hide()
        self.ended.emit()
