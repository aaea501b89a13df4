"""An archive of records, each solved again: a table of which are as signed, met again, and due for review."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from dpwizard.base import files
from dpwizard.base.apart import done_apart
from dpwizard.base.errors import DPWizardError
from ui.controls import Prose, ask_folder
from ui.signing.file_row import FileRow
from ui.signing.stages import Stages
from ui.widgets import added, button_for, column_of, plain, theme, tr
from ui.workers import Worker

if TYPE_CHECKING:
    from dpwizard.signing.replaying import Replayed

WIDTH, HEIGHT = 900, 600
COLUMNS = 7


class ArchiveDialog(QDialog):
    """Replays every record in a folder and below, with progress; a row leads to the record's verdict."""

    verify = Signal(str)  # the record of a row that was chosen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("An archive of records"))
        self.resize(WIDTH, HEIGHT)
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC)
        self.rows: tuple[Replayed, ...] = ()
        self.worker = Worker(self)
        self.worker.done.connect(self._done)
        self.worker.failed.connect(self._failed)
        self.worker.progressed.connect(self._progressed)
        column = column_of(self)
        self.folder = added(column, FileRow(tr("Folder with the records"), self._choose))
        self.start_button = button_for(tr("Replay every record"), lambda: self.start(), "primary")
        column.addWidget(self.start_button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.stages = added(column, Stages(self.worker, self._stage))
        self.says = added(column, Prose("", ""))
        self.table = QTableWidget(0, COLUMNS)
        self.table.setHorizontalHeaderLabels(
            [tr("Record"), tr("Replay"), tr("Signatures"), tr("PDF"), tr("Review by"), tr("Differences"), tr("Cause")]
        )
        self.table.setAccessibleName(tr("Records of the archive"))
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.setShowGrid(False)
        self.table.resizeColumnsToContents()
        self.table.cellActivated.connect(lambda row, _: self.verify.emit(self.rows[row].record))
        column.addWidget(self.table, 1)
        column.addLayout(self._buttons())

    def _buttons(self) -> QHBoxLayout:
        row = plain(QHBoxLayout(), theme.NEAR)
        self.copy_button, self.close_button = QPushButton(tr("Copy as text")), QPushButton(tr("Close"))
        self.copy_button.setEnabled(False)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.as_text()))
        self.close_button.clicked.connect(self.reject)
        row.addWidget(self.copy_button)
        row.addStretch(1)
        row.addWidget(self.close_button)
        return row

    def _choose(self) -> None:
        path = ask_folder(self, tr("Folder with the records"), self.folder.line.text())
        if path:
            self.folder.line.setText(path)

    def start(self) -> None:
        """Replay every record under the folder."""
        typed = self.folder.line.text().strip()
        if not typed or not files.is_folder(Path(typed)):
            self.says.say(tr("Choose the folder that holds the records."))
            return
        folder, moment = Path(typed), self.now()

        def job(progress: Callable[[str], None]) -> Any:
            from dpwizard.signing import verify_tasks

            return done_apart(
                verify_tasks.archive_replayed, folder, moment, tell=lambda told: progress("/".join(map(str, told)))
            )

        self.start_button.setEnabled(False)
        self.says.say("")
        self.stages.start(job)

    def _stage(self, key: str) -> str:
        done, of, name = key.split("/", 2)
        return tr("{done} of {of}: {name}", done=int(done) + 1, of=of, name=name)

    def _progressed(self, key: str) -> None:
        done, of, _ = key.split("/", 2)
        self.stages.set_count(int(done), int(of))

    def _failed(self, problem: object) -> None:
        assert isinstance(problem, DPWizardError)
        self.start_button.setEnabled(True)
        self.says.say(str(problem))

    def _done(self, found: Any) -> None:
        self.rows = tuple(sorted(found, key=lambda row: (not row.due, row.record)))  # what is due comes first
        self.start_button.setEnabled(True)
        self.copy_button.setEnabled(True)
        self.says.say("\n".join(self.summary()))
        self.table.setRowCount(len(self.rows))
        for number, row in enumerate(self.rows):
            for place, text in enumerate(self._cells(row)):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                self.table.setItem(number, place, item)
        self.table.resizeColumnsToContents()
        for place in range(COLUMNS - 1):
            self.table.setColumnWidth(place, self.table.columnWidth(place) + theme.GROUP)

    def summary(self) -> list[str]:
        """Return how many are met again, and which are due for review."""
        verdicts = [row.verdict for row in self.rows]
        counts = {verdict: verdicts.count(verdict) for verdict in ("same", "differs", "unreadable")}
        found = tr(
            "{n} record: {same} met again, {differs} that differ, {unreadable} that cannot be read.",
            "{n} records: {same} met again, {differs} that differ, {unreadable} that cannot be read.",
            n=len(verdicts),
            **counts,
        )
        due = sum(row.due for row in self.rows)
        waiting = tr("{n} is due for review; it stands first.", "{n} are due for review; they stand first.", n=due)
        return [found, waiting] if due else [found]

    def _cells(self, row: Replayed) -> tuple[str, ...]:
        verdict = {
            "same": tr("met again"),
            "differs": tr("differs"),
            "unreadable": tr("cannot be read"),
        }[row.verdict]
        signatures = {
            "trusted": tr("trusted"),
            "unchanged": tr("unchanged"),
            "refused": tr("refused"),
            "changed": tr("changed"),
            "unsigned": tr("not signed"),
            "incomplete": tr("incomplete"),
            "unreadable": tr("cannot be read"),
        }.get(row.signature, row.signature)
        pdf = {"same": tr("same"), "other": tr("other"), "none": tr("none")}[row.pdf]
        review = tr("{date}, due", date=row.review) if row.due else row.review
        cause = row.why.said()
        return Path(row.record).name, verdict, signatures, pdf, review, str(len(row.differences)), cause

    def as_text(self) -> str:
        """Return the table as text, its cells apart by tabs."""
        heads = [self.table.horizontalHeaderItem(place) for place in range(self.table.columnCount())]
        lines = ["\t".join(head.text() for head in heads if head is not None)]
        lines += ["\t".join((row.record, *self._cells(row)[1:])) for row in self.rows]
        return "\n".join([*self.summary(), "", *lines]) + "\n"

    def done(self, result: int) -> None:
        self.stages.stop()
        self.worker.leave()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.done(0)
        super().closeEvent(event)
