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

# seconds between two writes: an edit after a pause is written at once, those of a drag no more often than this
LATE = 0.2

log = logging.getLogger(__name__)


class Writer:
    """Writes the journal of one decision from the first edit on, in its own thread: no busy window holds it up."""

    def __init__(
        self, places: tuple[Path, ...], file: Path | None, base: str | None, moved: Callable[[str], None]
    ) -> None:
        self.places, self.file, self.moved = places, file, moved
        self.journal = journal.Journal(places[0], file, base)
        self.used = False
        self._wanted: History | None = None
        self._queued = False
        self._last = float("-inf")
        self._guard = threading.Lock()
        self.hurry = threading.Event()

    def want(self, history: History) -> bool:
        """Note that HISTORY is to be written, instead of any that waits; return whether `write` must be called."""
        with self._guard:
            self._wanted, queued, self._queued, self.used = history, self._queued, True, True
            return not queued

    def forget(self) -> None:
        """Note that nothing is to be written any more."""
        with self._guard:
            self._wanted = None
        self.hurry.set()

    def write(self) -> None:
        """Write what is wanted, a moment after the last time."""
        self.hurry.wait(max(0.0, LATE - (time.monotonic() - self._last)))
        self.hurry.clear()
        with self._guard:
            history, self._wanted, self._queued = self._wanted, None, False
        if history is not None:
            self.write_state(history, history.decision)
            self._last = time.monotonic()

    def write_state(self, history: History, decision: Decision) -> None:
        """Write DECISION to the first place where that can be done, and tell where if that is not the first."""
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
    """Keeps the journal of the decision in a session: there is one while something is not saved, and none else."""

    moved = Signal(str)  # the journal could not be written beside the file; where it is written instead, "" if nowhere
    _ended = Signal()

    def __init__(self, session: DocumentSession, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.folder = folder
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self._left: tuple[Path, ...] = ()  # journals whose content was recovered: deleted once it is saved
        self._start: Callable[[], Writer] | None = None
        self._writer: Writer | None = None
        session.changed.connect(self._follow)
        self.begin(None, None)

    def begin(self, file: Path | None, base: str | None, recovered: Path | None = None, *, own: bool = True) -> None:
        """Follow the decision of FILE, whose bytes had the SHA-256 BASE; OWN: its journal may lie beside it.

        RECOVERED is the journal its content came from, which stays until that is saved.
        """
        self._drop()
        self._left = () if recovered is None else (recovered,)
        beside: tuple[Path, ...] = self._left
        if file is not None and own:
            beside = (journal.beside(file), journal.elsewhere(file, self.folder))
        places = (*beside, journal.without_file(self.folder))
        self._start = lambda: Writer(places, file, base, self.moved.emit)
        self._follow()

    def run(self, work: Callable[[], Any]) -> Any:
        """Return what WORK gives on the journal's thread, after what is being written; the window is painted on."""
        if self._writer is not None:
            self._writer.hurry.set()
        loop = QEventLoop(self)
        self._ended.connect(loop.quit, Qt.ConnectionType.QueuedConnection)
        future = self._threads.submit(work)
        future.add_done_callback(lambda _: self._ended.emit())
        while not future.done():
            loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        loop.deleteLater()
        return future.result()

    def write_now(self, decision: Decision) -> None:
        """Have DECISION in the journal before it is saved: a journal left over never holds less than the file."""
        writer = self._writer
        if writer is not None:
            history = self.session.history
            self.run(lambda: writer.write_state(history, decision))

    def saved(self, file: Path, base: str) -> None:
        """Note that the decision is in FILE now: the journal is deleted, and what follows is journalled beside FILE."""
        self.discard()
        self.begin(file, base)

    def discard(self) -> None:
        """Delete the journal and what was recovered: it is saved, or the officer wants none of it."""
        left, self._left = self._left, ()
        self._drop()
        for place in left:
            self._submit(journal.Journal(place, None, None).remove)

    def close(self) -> None:
        """End: wait for what is being written, and delete the journal unless what was recovered is not saved."""
        self.session.changed.disconnect(self._follow)
        self._drop()
        self._threads.shutdown(wait=True)

    def flush(self) -> None:
        """Return when everything up to now is on disk."""
        self.run(lambda: None)

    def _follow(self) -> None:
        if self.session.unsaved:
            if self._writer is None and self._start is not None:
                self._writer = self._start()
            if self._writer is not None and self._writer.want(self.session.history):
                self._submit(self._writer.write)
        elif not self._left:
            self._drop()

    def _drop(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.forget()
            self._submit(writer.journal.leave if writer.journal.path in self._left else writer.journal.remove)

    def _submit(self, job: Callable[[], object]) -> None:
        self._threads.submit(job).add_done_callback(_log)


def _log(future: Future[object]) -> None:
    problem = future.exception()
    if problem is not None:
        log.error("the journal's thread failed", exc_info=problem)
