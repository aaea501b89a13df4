"""Writes the journal while one works: on a thread of its own, newest wins, at most a second behind."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEventLoop, QObject, Qt, Signal

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Decision, History
from dpwizard.projects import journal
from ui.session import DocumentSession

# seconds between two writes: the edits of a drag are written no more often than this
WRITE_INTERVAL = 0.2

log = logging.getLogger(__name__)


class Writer:
    """Writes the journal of one decision from the first edit on, in its own thread, however busy the window is."""

    def __init__(
        self, places: tuple[Path, ...], file: Path | None, base: str | None, moved: Callable[[str], None]
    ) -> None:
        self.places, self.file, self.moved = places, file, moved
        self.journal = journal.Journal(places[0], file, base)
        self.used = False
        self._waiting: History | None = None
        self._queued = False
        self._last_write = float("-inf")
        self._guard = threading.Lock()
        self.hurry = threading.Event()

    def want(self, history: History) -> bool:
        """Store HISTORY to be written, instead of one that waits; return whether `write` must be called."""
        with self._guard:
            self._waiting, queued, self._queued, self.used = history, self._queued, True, True
            return not queued

    def forget(self) -> None:
        """Drop what waits to be written."""
        with self._guard:
            self._waiting = None
        self.hurry.set()

    def write(self) -> None:
        """Write what waits, WRITE_INTERVAL after the last write."""
        self.hurry.wait(max(0.0, WRITE_INTERVAL - (time.monotonic() - self._last_write)))
        self.hurry.clear()
        with self._guard:
            history, self._waiting, self._queued = self._waiting, None, False
        if history is not None:
            self.write_state(history, history.decision)
            self._last_write = time.monotonic()

    def write_state(self, history: History, decision: Decision) -> None:
        """Write DECISION to the first place that can be written, and report it if that is not the first of all."""
        steps = (*(change.name for change in history.past[1:]), history.present.name)
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        self.used = True
        for place in (self.journal.path, *(other for other in self.places if other != self.journal.path)):
            self.journal.path = place
            try:
                self.journal.write(decision, steps, now)
            except DPWizardError:
                log.warning("a journal could not be written", exc_info=True)
                self.journal.restart()
                continue
            if self.file is not None and place != self.places[0]:
                self.moved(str(place))
            return
        self.journal.path = self.places[0]
        self.moved("")


class JournalKeeper(QObject):
    """Keeps the journal of the decision in a session: it exists while something is not saved."""

    moved = Signal(str)  # where the journal is written if not beside the file; "" if nowhere
    _ended = Signal()

    def __init__(self, session: DocumentSession, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.folder = folder
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self._recovered: tuple[Path, ...] = ()  # journals whose content was recovered: deleted once it is saved
        self._make_writer: Callable[[], Writer] | None = None
        self._writer: Writer | None = None
        self._closed = False
        session.changed.connect(self._follow_session)
        self.begin(None, None)

    def begin(self, file: Path | None, base: str | None, recovered: Path | None = None, *, own: bool = True) -> None:
        """Follow the decision of FILE, whose bytes had the SHA-256 BASE; OWN: its journal may lie beside it.

        RECOVERED is the journal its content came from, which stays until that is saved.
        """
        self._end_journal()
        self._recovered = () if recovered is None else (recovered,)
        places_of_file: tuple[Path, ...] = self._recovered
        if file is not None and own:
            places_of_file = (journal.beside(file), journal.elsewhere(file, self.folder))
        places = (*places_of_file, journal.without_file(self.folder))
        self._make_writer = lambda: Writer(places, file, base, self.moved.emit)
        if not self._closed:  # a file dialog may be answered as the window closes
            self._follow_session()

    def run(self, work: Callable[[], Any]) -> Any:
        """Return the result of WORK on the journal's thread, after pending writes; the window is painted meanwhile."""
        if self._writer is not None:
            self._writer.hurry.set()
        try:
            future = self._executor.submit(work)
        except RuntimeError:  # the window has closed meanwhile: what is asked for is still done
            return work()
        loop = QEventLoop(self)
        self._ended.connect(loop.quit, Qt.ConnectionType.QueuedConnection)
        future.add_done_callback(lambda _: self._ended.emit())
        while not future.done():
            loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        loop.deleteLater()
        return future.result()

    def write_now(self, decision: Decision) -> None:
        """Write DECISION to the journal before it is saved, so that a journal never holds less than the file."""
        if (writer := self._writer) is not None:
            history = self.session.history
            self.run(lambda: writer.write_state(history, decision))

    def saved(self, file: Path, base: str) -> None:
        """Delete the journal after saving to FILE, and write the next one beside FILE."""
        self.discard()
        self.begin(file, base)

    def discard(self) -> None:
        """Delete the journal and the recovered one: all is saved, or the officer discards it."""
        recovered, self._recovered = self._recovered, ()
        self._end_journal()
        for place in recovered:
            self._submit(journal.Journal(place, None, None).remove)

    def close(self) -> None:
        """Finish pending writes, and delete the journal unless recovered work is not saved."""
        self.session.changed.disconnect(self._follow_session)
        self._closed = True
        self._end_journal()
        self._recovered = ()
        self._executor.shutdown(wait=True)

    def flush(self) -> None:
        """Wait until everything up to now is on disk."""
        self.run(lambda: None)

    def _follow_session(self) -> None:
        if self.session.unsaved:
            if self._writer is None and self._make_writer is not None:
                self._writer = self._make_writer()
            if self._writer is not None and self._writer.want(self.session.history):
                self._submit(self._writer.write)
        elif not self._recovered:
            self._end_journal()

    def _end_journal(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.forget()
            self._submit(writer.journal.leave if writer.journal.path in self._recovered else writer.journal.remove)

    def _submit(self, job: Callable[[], object]) -> None:
        self._executor.submit(job).add_done_callback(_log_failure)


def _log_failure(future: Future[object]) -> None:
    problem = future.exception()
    if problem is not None:
        log.error("the journal's thread failed", exc_info=problem)
