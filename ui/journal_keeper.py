"""Writes the journal while one works: on a thread of its own, newest wins, at most a second behind."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer, Signal

from dpwizard.decision import Decision
from dpwizard.errors import DPWizardError
from dpwizard.projects import journal
from dpwizard.projects.journal import Journal
from ui.session import Session

LATE = 250  # milliseconds between an edit and the moment it is written; later ones wait no longer for it

log = logging.getLogger(__name__)


class JournalKeeper(QObject):
    """Keeps the journal of the decision in a session: there is one while something is not saved, and none else."""

    moved = Signal(str)  # the journal could not be written beside the file; where it is written instead, "" if nowhere
    _written = Signal(object)
    _ended = Signal()

    def __init__(self, session: Session, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.folder = folder
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self._places: tuple[Path, ...] = ()
        self._journal: Journal | None = None
        self._left: tuple[Path, ...] = ()  # journals whose content was recovered: deleted once it is saved
        self._file: Path | None = None
        self._base: str | None = None
        self._busy = self._dirty = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(LATE)
        self._timer.timeout.connect(self._write)
        self._written.connect(self._done, Qt.ConnectionType.QueuedConnection)
        session.changed.connect(self._follow)
        self.begin(None, None)

    def begin(self, file: Path | None, base: str | None, recovered: Path | None = None, *, own: bool = True) -> None:
        """Follow another decision: that of FILE, whose bytes had the SHA-256 BASE; OWN: its journal may lie beside it.

        RECOVERED is the journal its content came from, which stays until that is saved.
        """
        self._drop()
        self._file, self._base = file, base
        self._left = () if recovered is None else (recovered,)
        beside = (journal.beside(file), journal.elsewhere(file, self.folder)) if file is not None and own else self._left
        self._places = (*beside, journal.without_file(self.folder))
        self._follow()

    def run(self, work: Callable[[], Any]) -> Any:
        """Return what WORK gives on the journal's thread, after what is being written; the window is painted meanwhile."""
        loop = QEventLoop()
        self._ended.connect(loop.quit, Qt.ConnectionType.QueuedConnection)
        future = self._threads.submit(work)
        future.add_done_callback(lambda _: self._ended.emit())
        while not future.done():
            loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        self._ended.disconnect(loop.quit)
        return future.result()

    def write_now(self, decision: Decision) -> None:
        """Have DECISION in the journal before it is saved: then a journal that is left never holds less than the file."""
        if self._journal is not None or self._left:
            self._timer.stop()
            self.run(self._job(decision))

    def saved(self, file: Path, base: str) -> None:
        """Note that the decision is in FILE now: the journal is deleted, and what follows is journalled beside FILE."""
        self.discard()
        self.begin(file, base)

    def discard(self) -> None:
        """Delete the journal and what was recovered: it is saved, or the officer wants none of it."""
        for place in self._left:
            self._threads.submit(Journal(place, None, None).remove)
        self._left = ()
        self._drop()

    def close(self) -> None:
        """End: what is being written is waited for, and the journal deleted; but what was recovered and not saved stays."""
        self._drop()
        self._threads.shutdown(wait=True)

    def flush(self) -> None:
        """Return when everything up to now is on disk."""
        if self.session.unsaved and (self._timer.isActive() or self._dirty):
            self._timer.stop()
            self.write_state()
        self.run(lambda: None)

    # ------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        if self.session.unsaved:
            if not self._timer.isActive():
                self._timer.start()
        elif not self._left:
            self._drop()

    def _drop(self) -> None:
        self._timer.stop()
        self._dirty = False
        if self._journal is not None and self._journal.path not in self._left:
            self._threads.submit(self._journal.remove)
        self._journal = None

    def _write(self) -> None:
        if self._busy:
            self._dirty = True  # newest wins
        elif self.session.unsaved:
            self.write_state()

    def write_state(self) -> None:
        """Begin to write the decision as it stands."""
        self._busy, self._dirty = True, False
        self._threads.submit(self._job(self.session.decision)).add_done_callback(self._written.emit)

    def _job(self, decision: Decision) -> Callable[[], Path | None]:
        """Return what writes DECISION to the first place where that can be done, and tells a change of place."""
        history = self.session.history
        steps = (*(change.name for change in history.past[1:]), history.present.name)
        time = datetime.now().astimezone().isoformat(timespec="seconds")
        made = self._journal or Journal(self._places[0], self._file, self._base)
        self._journal = made

        def work() -> Path | None:
            for place in (made.path, *(other for other in self._places if other != made.path)):
                made.path = place
                try:
                    made.write(decision, steps, time)
                except DPWizardError:
                    log.warning("a journal could not be written", exc_info=True)
                    made.restart()
                    continue
                return place
            made.path = self._places[0]
            return None

        return work

    def _done(self, future: Future[Path | None]) -> None:
        self._busy = False
        place = future.result()
        if place is None or (self._file is not None and place != self._places[0]):
            self.moved.emit("" if place is None else str(place))
        if self._dirty:
            self._write()
