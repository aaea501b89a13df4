"""Signed records that a decision names: those it counts as earlier releases, and the one it replaces.

Each is read behind the window and named in one step of undo.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.worker import run_in_worker
from dpwizard.decision import Decision, edits
from dpwizard.signing import RecordFiles, earlier_records, office
from ui.controls import Prose, ask_file, ask_files
from ui.forms import in_words
from ui.session import DocumentSession
from ui.signing import verdict_words
from ui.signing.standing import Lying, read_lying
from ui.widgets import button_for, plain, theme, tr
from ui.workers import Worker

Progress = Callable[[str], None]


class RecordChoice(QWidget):
    """A button that lets one choose records, and what was read of them; a decision that is left meanwhile is not
    changed."""

    def __init__(self, session: DocumentSession, words: str) -> None:
        super().__init__()
        self.session = session
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC)
        self._decision_left = False
        self.says = Prose("", "caption", hides=True)
        self.worker = Worker(self)
        self.worker.progressed.connect(lambda name: self.says.say(tr("Checking {name}", name=name)))
        session.left.connect(self._leave)
        column = plain(QVBoxLayout(self), theme.TIGHT)
        self.button = button_for(words, lambda: self.choose())
        column.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.says)

    def choose(self) -> None:
        """Ask for records and name them."""
        raise NotImplementedError

    def use(self, chosen: Any) -> None:
        """Put what was CHOSEN into the decision; raises where it is not allowed there."""
        raise NotImplementedError

    def read(self, job: Callable[[Progress], Any]) -> None:
        """Have JOB read the records; ignored while others are read."""
        if self.worker.busy:
            return
        self._decision_left = False
        self.button.setEnabled(False)
        self.worker.start(job, self._ended, self._failed)

    def _leave(self) -> None:
        self._decision_left = True
        self.says.say("")

    def _ended(self, choice: Any) -> None:
        self.button.setEnabled(True)
        if self._decision_left:  # they were chosen for another decision
            return
        try:
            self.use(choice)
        except DPWizardError as problem:
            self.says.say(in_words(problem))

    def _failed(self, problem: DPWizardError) -> None:
        self.button.setEnabled(True)
        self.says.say(in_words(problem))


class EarlierChoice(RecordChoice):
    """Reads signed records, says what it read of each, and counts those that hold."""

    def __init__(self, session: DocumentSession) -> None:
        super().__init__(session, tr("Choose signed records …"))

    def choose(self) -> None:
        endings = tr("Records ({endings})", endings="*.json *.pdf *.jws")
        if paths := ask_files(self, tr("Signed records of earlier releases"), endings):
            self.take([Path(path) for path in paths])

    def take(self, paths: Sequence[Path]) -> None:
        """Read the records that PATHS belong to, and count them."""
        into, moment = self.session.decision, self.now()

        def job(progress: Progress) -> Any:
            return run_in_worker(
                earlier_records.choose_all, tuple(paths), moment, office.trust_places(), into, progress=progress
            )

        self.read(job)

    def use(self, chosen: list[earlier_records.Chosen]) -> None:
        decision = earlier_records.with_chosen(self.session.decision, chosen)
        self.says.say("\n".join(line for record in chosen for line in _lines(record)))
        self.session.edit(tr("Count signed records"), decision)


def _lines(chosen: earlier_records.Chosen) -> list[str]:
    """Return what was read of one record, line by line."""
    if chosen.earlier is None:
        why = chosen.problem.whole.text() if chosen.problem is not None else ""
        return [f"{verdict_words.mark(False)}  {tr('{name} does not count. {why}', name=chosen.file, why=why)}"]
    count = len(chosen.earlier.spent) + len(chosen.earlier.before)
    read = tr("{name} counts with {n} entry.", "{name} counts with {n} entries.", n=count, name=chosen.name)
    lines = [f"{verdict_words.mark(True)}  {read} {chosen.judged.text()}"]
    return lines + [f"!  {caution.text()}" for caution in chosen.cautions]


class Superseded(RecordChoice):
    """Reads the record that this one replaces and fills in both its fields: its number or file, and its SHA-256."""

    def __init__(self, session: DocumentSession) -> None:
        super().__init__(session, tr("Choose the record replaced …"))

    def choose(self) -> None:
        endings = tr("Records ({endings})", endings="*.json *.pdf *.jws")
        if path := ask_file(self, tr("The record replaced"), endings):
            self.take(Path(path))

    def take(self, path: Path) -> None:
        """Name the record that PATH belongs to; say what is wrong if it is none."""
        self.read(lambda progress: _record_at(path))

    def use(self, chosen: tuple[str, Lying]) -> None:
        self.says.say("")
        self.session.edit(tr("Name the record replaced"), replacing(self.session.decision, *chosen))


def replacing(decision: Decision, name: str = "", before: Lying | None = None) -> Decision:
    """Return DECISION as one that replaces the record BEFORE, in the file called NAME; or none."""
    number = before.decision.details.record_number or name if before is not None else None
    decision = edits.put(decision, "$.details.supersedes", number)
    return edits.put(decision, "$.details.superseded_sha256", before.sha256 if before is not None else None)


def _record_at(path: Path) -> tuple[str, Lying]:
    """Return the record that PATH belongs to, with the name of its JSON file."""
    place = RecordFiles.beside(path)
    lying = read_lying(place)
    if lying is None:
        raise InvalidInput("is not a decision record", place.json.name, "Choose the .json of a signed record.")
    return place.json.name, lying
