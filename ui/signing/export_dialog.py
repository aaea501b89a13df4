"""A signed record for other places: registry entry, release code, web summary, table of answers, report page."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QDialog, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from dpwizard.apart import done_apart
from dpwizard.errors import DPWizardError
from ui.controls import Choice, Prose, ask_file, ask_place
from ui.signing.file_row import FileRow
from ui.widgets import SideBySide, added, column_of, fill, theme, tr
from ui.workers import Worker

WIDTH, HEIGHT = 760, 640
PAUSE = 300  # milliseconds without a further key after which the record named is verified


def kinds() -> tuple[tuple[str, str, str], ...]:
    """Return what a record is exported to: key, name, and what it is for."""
    return (
        (
            "registry",
            tr("Registry entry (YAML)"),
            tr("For the public Differential Privacy Deployments Registry; checked against its fields."),
        ),
        (
            "opendp",
            tr("Code for the release (Python, OpenDP)"),
            tr("Adds exactly the noise decided; OpenDP certifies at most this {budget}."),
        ),
        (
            "html",
            tr("The whole record as a page (HTML)"),
            tr("The same content as the PDF, for screen readers and browsers."),
        ),
        (
            "notice",
            tr("Public notice (HTML or PDF)"),
            tr("One page for the people in the data: how they are protected, and what remains possible."),
        ),
        (
            "noise",
            tr("Noise sheet for those who use the figures (HTML)"),
            tr("How far off figures may be, alone and put together, and lines of Python and R that simulate it."),
        ),
        ("web", tr("Summary for a web page (HTML)"), tr("A piece to paste into a page of the office.")),
        ("csv", tr("All answers as a table (CSV)"), tr("One line for each requirement, for a spreadsheet.")),
    )


class ExportDialog(QDialog):
    """Shows what will be written before it is written; what the registry still lacks leads to its field."""

    lead = Signal(str)

    def __init__(self, path: Path | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Export a record"))
        self.resize(WIDTH, HEIGHT)
        self.made = ""
        self.where = ""
        self._asked: tuple[Path, str, int] | None = None  # what the worker exports
        self._writes: Path | None = None  # where it writes the notice as a PDF
        self.worker = Worker(self)
        self.worker.done.connect(self._done)
        self.worker.failed.connect(self._failed)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._ask)
        column = column_of(self)
        self.source = FileRow(tr("The signed record (its .json file)"), self._choose)
        self.source.line.setText(str(path or ""))
        column.addWidget(self.source)
        self.kind = Choice()
        self.kind.setAccessibleName(tr("Export to"))
        for key, words, _ in kinds():
            self.kind.addItem(words, key)
        self.tier = Choice()
        self.tier.setAccessibleName(tr("Tier of the registry"))
        for number in (3, 2, 1):
            self.tier.addItem(tr("Tier {number}", number=number), number)
        row = SideBySide(theme.NEAR)
        row.box.addWidget(self.kind, 1)
        row.box.addWidget(self.tier)
        column.addWidget(row)
        self.about = added(column, Prose("", "caption"))
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setAccessibleName(tr("What will be written"))
        self.text.setTabChangesFocus(True)
        column.addWidget(self.text, 1)
        self.says = added(column, QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText))
        self._buttons(column)
        self.source.line.textChanged.connect(lambda _: self.refresh())
        self.kind.currentIndexChanged.connect(lambda _: self.refresh())
        self.tier.currentIndexChanged.connect(lambda _: self.refresh())
        self.refresh()

    def _buttons(self, column: QVBoxLayout) -> None:
        row = SideBySide(theme.NEAR)
        self.place_button, self.copy_button = QPushButton(tr("Lead me there")), QPushButton(tr("Copy"))
        self.save_button, self.close_button = QPushButton(tr("Save as …")), QPushButton(tr("Close"))
        self.save_button.setObjectName("primary")
        self.place_button.clicked.connect(lambda: self._lead())
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.made))
        self.save_button.clicked.connect(lambda: self.save())
        self.close_button.clicked.connect(self.reject)
        row.box.addWidget(self.place_button)
        row.box.addStretch(1)
        fill(row.box, self.copy_button, self.save_button, self.close_button)
        column.addWidget(row)

    def _choose(self) -> None:
        endings = tr("Records ({endings})", endings="*.json")
        path = ask_file(self, tr("A signed record"), endings, self.source.line.text())
        if path:
            self.source.line.setText(path)

    def refresh(self) -> None:
        """Show nothing until the export asked for now is made, behind the window."""
        to = self.kind.currentData()
        self.about.say(next(words for key, _, words in kinds() if key == to))
        self.tier.setVisible(to == "registry")
        named = self._wanted() is not None
        self._show(
            "", tr("Verifying the record …") if named else tr("Sign the record first, or choose one that is signed.")
        )
        self._pause.start() if named else self._pause.stop()

    def _wanted(self) -> tuple[Path, str, int] | None:
        """Return the record named, and to what it is to be exported; None while none is named."""
        typed = self.source.line.text().strip()
        return (Path(typed), self.kind.currentData(), self.tier.currentData()) if typed else None

    def _ask(self) -> None:
        asked = self._wanted()
        if asked is None or self.worker.busy:
            return  # what is under way is followed by what is wanted then
        self._asked = asked
        path, to, tier = asked

        def job(_: Callable[[str], None]) -> Any:
            from dpwizard.signing import exports

            return done_apart(exports.exported, path, to, datetime.now(UTC), tier)

        self.worker.start(job)

    def _done(self, made: object) -> None:
        if self._written(tr("Written to {file}.", file=str(self._writes))):
            return
        if self._asked == self._wanted():
            self._show(str(made), "")
        else:
            self._ask()

    def _failed(self, problem: object) -> None:
        assert isinstance(problem, DPWizardError)
        if self._written(str(problem)):
            return
        if self._asked == self._wanted():
            where = problem.where if problem.where.startswith("$") else ""
            self._show("", self._in_words(problem, where), where)
        else:
            self._ask()

    def _show(self, made: str, words: str, where: str = "") -> None:
        self.made, self.where = made, where
        self.text.setPlainText(made)
        self._say(words)
        self.place_button.setVisible(bool(where))
        for button in (self.copy_button, self.save_button):
            button.setEnabled(bool(made))

    def _say(self, words: str) -> None:
        self.says.setText(words)
        self.says.setVisible(bool(words))

    def _in_words(self, problem: DPWizardError, where: str) -> str:
        from dpwizard.decision.decision import new_decision
        from dpwizard.records import editions

        if not where:
            return str(problem)
        try:
            field = editions.label(new_decision(), where)
        except (DPWizardError, IndexError):
            field = where
        return tr(
            "{field}: {what}. A signed record stays as it is; answer it and sign a record that supersedes it.",
            field=field,
            what=problem.said,
        )

    def _lead(self) -> None:
        self.accept()
        self.lead.emit(self.where)

    def save(self) -> None:
        """Ask for a new file and write the export there."""
        from dpwizard.signing.exports import ENDINGS

        ending = ENDINGS[self.kind.currentData()]
        source = Path(self.source.line.text().strip())
        offered = str(source.with_name(f"{source.name.split('.')[0]}-{self.kind.currentData()}{ending}"))
        endings = f"*{ending} *.pdf" if self.kind.currentData() == "notice" else f"*{ending}"
        path = ask_place(self, tr("Export a record"), endings, offered)
        if path:
            self.write(Path(path) if Path(path).suffix else Path(path).with_suffix(ending))

    def write(self, path: Path) -> None:
        """Write what is shown to PATH, atomically; the notice is typeset where its PDF is asked for."""
        from dpwizard import files

        if self.kind.currentData() == "notice" and path.suffix.lower() == ".pdf":
            self._write_notice(path)
            return
        try:
            files.write_atomically(path, self.made.encode("utf-8"), overwrite=True)  # the chooser has asked
            self._say(tr("Written to {file}.", file=str(path)))
        except DPWizardError as problem:
            self._say(str(problem))

    def _write_notice(self, path: Path) -> None:
        source = Path(self.source.line.text().strip())

        def job(_: Callable[[str], None]) -> None:
            from dpwizard import files
            from dpwizard.signing import RecordFiles, exports

            data = exports.notice_pdf(RecordFiles.beside(source), datetime.now(UTC))
            files.write_atomically(path, data, overwrite=True)

        self._writes = path
        self._say(tr("Verifying the record …"))
        self.worker.start(job)

    def _written(self, words: str) -> bool:
        """Say WORDS of the PDF that was being written; return whether one was."""
        if self._writes is None:
            return False
        self._writes = None
        self._say(words)
        if self._asked != self._wanted():
            self.refresh()
        return True

    def done(self, result: int) -> None:
        self._pause.stop()
        self.worker.leave()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.done(0)
        super().closeEvent(event)
