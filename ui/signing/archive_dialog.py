"""An archive of records, each recalculated: a table of which match, are signed, and are due for review."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from dpwizard.base import files
from dpwizard.base.worker import run_in_worker
from dpwizard.signing import replaying
from ui.controls import TextRow, ask_folder
from ui.signing.parts import FileRow, RecordsTable
from ui.task_dialog import Counted, Progress, TaskDialog
from ui.widgets import added, button_for, tr

SIZE = (900, 600)


class ArchiveDialog(TaskDialog):
    """Recalculates every record in a folder and below, with progress; a row leads to the record's verdict."""

    verify = Signal(str)  # the record of a row that was chosen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("Recalculate a folder of records"), SIZE)
        self.rows: tuple[replaying.Replayed, ...] = ()
        name = tr("Folder with the records")
        self.folder = added(self.column, FileRow(name, partial(ask_folder, self, name)))
        self.start_button = button_for(tr("Recalculate every record"), lambda: self.start(), "primary")
        self.resting = (self.start_button,)
        self.column.addWidget(self.start_button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(self.stages)
        self.column.addWidget(self.says)
        heads = (
            *(tr("Record"), tr("Numbers"), tr("Signatures"), tr("PDF")),
            *(tr("Review by"), tr("Differences"), tr("Cause")),
        )
        self.table = added(self.column, RecordsTable(tr("Records in the folder"), heads))
        self.column.setStretchFactor(self.table, 1)
        self.table.picked.connect(lambda row: self.verify.emit(row.record))
        self.foot(self.copying(self.as_text), right=(self.closing(),))
        self.copy_button.setEnabled(False)

    def start(self) -> None:
        """Recalculate every record under the folder."""
        typed = self.folder.line.text().strip()
        if not typed or not files.is_folder(Path(typed)):
            self.says.say(tr("Choose the folder that holds the records."))
            return
        folder, moment = Path(typed), self.now()
        self.says.say("")
        self.work(lambda progress: _recalculated(folder, moment, progress), self._show)

    def _show(self, replayed: Any) -> None:
        self.rows = tuple(sorted(replayed, key=lambda row: (not row.due, row.record)))  # what is due comes first
        self.copy_button.setEnabled(True)
        self.says.say("\n".join(self.summary()))
        self.table.show_rows([TextRow(of=row, cells=_cells(row), keys=_keys(row)) for row in self.rows])

    def summary(self) -> list[str]:
        """Return how many match, and how many are due for review."""
        verdicts = [row.verdict for row in self.rows]
        counts = {verdict: verdicts.count(verdict) for verdict in ("same", "differs", "unreadable")}
        counted = tr(
            "{n} record. Its numbers match: {same}. They differ: {differs}. It cannot be read: {unreadable}.",
            "{n} records. The numbers match: {same}. They differ: {differs}. Cannot be read: {unreadable}.",
            n=len(verdicts),
            **counts,
        )
        due = sum(row.due for row in self.rows)
        waiting = tr("{n} is due for review and listed first.", "{n} are due for review and listed first.", n=due)
        return [counted, waiting] if due else [counted]

    def as_text(self) -> str:
        """Return the table as text, its cells apart by tabs, each record with its folder."""
        lines = ["\t".join(self.table.columns())]
        lines += ["\t".join((row.of.record, *row.cells[1:])) for row in self.table.rows_model.rows]
        return "\n".join([*self.summary(), "", *lines]) + "\n"


def _recalculated(folder: Path, now: datetime, progress: Progress) -> Any:
    def report(state: tuple[int, int, Path]) -> None:
        done, of, path = state
        progress(Counted(tr("{done} of {of}: {name}", done=done + 1, of=of, name=path.name), done, of))

    return run_in_worker(replaying.all_replayed, folder, now, progress=report)


def _cells(row: replaying.Replayed) -> tuple[str, ...]:
    verdict = {
        "same": tr("match"),
        "differs": tr("differ"),
        "unreadable": tr("cannot be read"),
    }[row.verdict]
    signatures = {
        "trusted": tr("unchanged, every signer trusted here"),
        "unchanged": tr("unchanged, a signer not trusted here"),
        "refused": tr("not accepted"),
        "changed": tr("changed, or not genuinely signed"),
        "unsigned": tr("not signed yet"),
        "incomplete": tr("files are missing"),
        "unreadable": tr("cannot be read"),
    }.get(row.signature, row.signature)
    pdf = {"same": tr("same"), "other": tr("other"), "none": tr("none")}[row.pdf]
    review = tr("{date}, due", date=row.review) if row.due else row.review
    return Path(row.record).name, verdict, signatures, pdf, review, str(len(row.differences)), row.why.text()


def _keys(row: replaying.Replayed) -> tuple[Any, ...]:
    """Return by what each cell is sorted."""
    _, *words, _, why = _cells(row)
    return (Path(row.record).name.casefold(), *words[:3], row.review, len(row.differences), why)
