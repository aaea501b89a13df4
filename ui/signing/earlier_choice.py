"""Signed records chosen as earlier releases: read and judged behind the window, and added in one step of undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpwizard.base.apart import done_apart
from dpwizard.base.errors import DPWizardError
from ui.controls import Prose, ask_files
from ui.forms import in_words
from ui.session import Session
from ui.signing import verdict_words
from ui.widgets import button_for, plain, theme, tr
from ui.workers import Worker

if TYPE_CHECKING:
    from dpwizard.signing.earlier_records import Chosen


class EarlierChoice(QWidget):
    """A button that reads signed records, says what it read of each, and counts those that hold."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC)
        self._decision_left = False
        self.says = Prose("", "caption")
        self.worker = Worker(self)
        self.worker.done.connect(self._read)
        self.worker.failed.connect(self._failed)
        self.worker.progressed.connect(lambda name: self.says.say(tr("Judging {name}", name=name)))
        session.left.connect(self._leave)
        column = plain(QVBoxLayout(self), theme.TIGHT)
        self.button = button_for(tr("Choose signed records …"), lambda: self.choose())
        self.button.setAccessibleName(tr("Choose signed records …"))
        column.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.says)
        self.says.hide()

    def choose(self) -> None:
        """Ask for records and count them."""
        endings = tr("Records ({endings})", endings="*.json *.pdf *.jws")
        paths = ask_files(self, tr("Signed records of earlier releases"), endings)
        if paths:
            self.take([Path(path) for path in paths])

    def take(self, paths: Sequence[Path]) -> None:
        """Read the records that PATHS belong to, in the background, and count them; ignored while others are read."""
        if self.worker.busy:
            return
        into, moment = self.session.decision, self.now()

        def job(progress: Callable[[str], None]) -> Any:
            from dpwizard.signing import office, verify_tasks

            return done_apart(
                verify_tasks.earlier_chosen, tuple(paths), moment, office.trust_places(), into, tell=progress
            )

        self._decision_left = False
        self.button.setEnabled(False)
        self.says.show()
        self.worker.start(job)

    def _leave(self) -> None:
        self._decision_left = True
        self._say("")

    def _say(self, words: str) -> None:
        self.says.say(words)
        self.says.setVisible(bool(words))

    def _read(self, found: list[Chosen]) -> None:
        from dpwizard.signing.earlier_records import with_chosen

        self.button.setEnabled(True)
        if self._decision_left:  # they were chosen for another decision
            return
        try:
            decision = with_chosen(self.session.decision, found)
        except DPWizardError as problem:
            self._say(in_words(problem))
            return
        self._say("\n".join(line for one in found for line in _lines(one)))
        self.session.edit(tr("Count signed records"), decision)

    def _failed(self, problem: object) -> None:
        assert isinstance(problem, DPWizardError)
        self.button.setEnabled(True)
        self._say(in_words(problem))


def _lines(chosen: Chosen) -> list[str]:
    """Return what was read of one record, line by line."""
    if chosen.earlier is None:
        why = chosen.problem.whole.said() if chosen.problem is not None else ""
        return [f"{verdict_words.mark(False)}  {tr('{name} does not count. {why}', name=chosen.path.name, why=why)}"]
    count = len(chosen.earlier.spent) + len(chosen.earlier.before)
    read = tr("{name} counts with {n} entry.", "{name} counts with {n} entries.", n=count, name=chosen.name)
    lines = [f"{verdict_words.mark(True)}  {read} {chosen.judged.said()}"]
    return lines + [f"!  {caution.said()}" for caution in chosen.cautions]
