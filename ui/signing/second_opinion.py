"""The second opinion in a window: a file or a short claim by hand, and each of its statements with its arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QWidget

from dpwizard.base import files
from dpwizard.base.errors import DPWizardError
from dpwizard.examination import Examination, Finding, examine, examine_claim, words
from ui.controls import Choice, DataTable, Prose, ask_file, ask_place
from ui.help import guide
from ui.signing.claim_form import ClaimForm
from ui.signing.file_row import FileRow
from ui.signing.labelled import labelled, row_on
from ui.widgets import added, button_for, column_of, plain, theme, tr, within_reach
from ui.workers import Worker

WIDTH, HEIGHT = 1_060, 760
SHOWN = ("verdict", "statement", "stated", "follows", "person")  # the rest of a row stands below the table
SHARES = (0.12, 0.25, 0.16, 0.23, 0.24)
TABLE, ARITHMETIC = 110, 76  # pixels of the table, at least, and of what stands below it
FILE, HAND = "file", "hand"
OFFERED = "second-opinion.csv"  # the name of a file to save


class FindingsTable(DataTable):
    """As high as there is room."""

    def fit(self) -> None:
        self._widen()


class SecondOpinionDialog(QDialog):
    """Reads a file behind the window, or a claim that was typed, and says what agrees and what does not."""

    def __init__(self, colours: theme.Colours, show_guide: Callable[[str], object], parent: QWidget | None = None):
        super().__init__(parent)
        self.setWindowTitle(tr("Second opinion"))
        self.resize(WIDTH, HEIGHT)
        self.found: Examination | None = None
        self.findings: list[Finding] = []  # as they are shown
        self.worker = Worker(self)
        self.worker.done.connect(self._take)
        self.worker.failed.connect(self._failed)
        column = column_of(self)
        self.about = added(column, Prose("", "caption"))
        self.of = Choice()
        self.of.addItem(tr("A file: a claim, an entry of the registry, a decision or a record"), FILE)
        self.of.addItem(tr("A short claim, typed here"), HAND)
        self.of.currentIndexChanged.connect(lambda _: self._choose_kind())
        column.addLayout(labelled(tr("What is examined"), self.of))
        self.file = added(column, FileRow(tr("File (YAML or JSON)"), self._choose))
        self.file.line.returnPressed.connect(lambda: self.start())
        self.form = added(column, ClaimForm())
        self.form.asked.connect(lambda: self.start())
        row = row_on(column)
        self.start_button = button_for(tr("Examine"), lambda: self.start(), "primary")
        self.says = Prose("", "")
        row.addWidget(self.start_button, alignment=Qt.AlignmentFlag.AlignLeft)
        row.addWidget(self.says, 100, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        self.table = FindingsTable(colours, tr("Statements and verdicts"), shares=SHARES)
        self.table.setMinimumHeight(TABLE)
        self.table.currentCellChanged.connect(lambda row, *_: self._say_row(row))
        column.addWidget(self.table, 1)
        self.arithmetic = added(column, QPlainTextEdit(readOnly=True))
        self.arithmetic.setAccessibleName(tr("How it was computed"))
        self.arithmetic.setTabChangesFocus(True)
        self.arithmetic.setFixedHeight(ARITHMETIC)
        column.addLayout(self._buttons(show_guide))
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Enter in a line examines
        self._choose_kind()

    def _buttons(self, show_guide: Callable[[str], object]) -> QHBoxLayout:
        row = plain(QHBoxLayout(), theme.NEAR)
        self.copy_button, self.save_button = QPushButton(tr("Copy as CSV")), QPushButton(tr("Save as CSV …"))
        self.guide_button, self.close_button = QPushButton(tr("Guide")), QPushButton(tr("Close"))
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.as_csv()))
        self.save_button.clicked.connect(lambda: self.save())
        self.guide_button.clicked.connect(lambda: show_guide(guide.SECOND_OPINION))
        self.close_button.clicked.connect(self.reject)
        for button in (self.copy_button, self.save_button, self.guide_button):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.close_button)
        return row

    # ------------------------------------------------------------------------------------ what is examined

    @property
    def by_hand(self) -> bool:
        """Return whether the claim is typed here."""
        return bool(self.of.currentData() == HAND)

    def _choose_kind(self) -> None:
        about = tr(
            "Holds what was published of a privacy loss against its own figures: sums, conversions, sampling, and what "
            "one person may lose in all. It needs no data, and believes no figure."
        )
        typed = tr("Type each figure as it was printed: 17.10 says more than 17.1. Leave empty what is not stated.")
        self.about.say(typed if self.by_hand else about)
        self.file.setVisible(not self.by_hand)
        self.form.setVisible(self.by_hand)
        self._show(None)
        self.says.say("" if self.by_hand else tr("Choose the file to be examined."))
        if self.isVisible():
            within_reach(self)  # the form is higher than the line for a file

    def _choose(self) -> None:
        endings = tr("Claims, entries and records ({endings})", endings="*.yaml *.yml *.json")
        path = ask_file(self, tr("File to be examined"), endings, self.file.line.text())
        if path:
            self.file.line.setText(path)
            self.start()

    def start(self) -> None:
        """Examine the file named, or the claim typed."""
        if self.worker.busy:
            return
        self._show(None)
        if self.by_hand:
            try:
                claim = self.form.claim()
            except DPWizardError as problem:
                self.says.say(str(problem))
                return
            self._examine(lambda: Examination(kind="claim", title="", findings=examine_claim(claim)))
            return
        typed = self.file.line.text().strip()
        if not typed:
            self.says.say(tr("Choose the file to be examined."))
            return
        self._examine(lambda: examine(files.read_bytes(Path(typed))))

    def _examine(self, job: Callable[[], Examination]) -> None:
        """Have JOB done behind the window."""
        self.start_button.setEnabled(False)
        self.of.setEnabled(False)  # the answer is to what is shown
        self.says.say(tr("Examining …"))
        self.worker.start(lambda progress: job())

    def _ended(self) -> None:
        for control in (self.start_button, self.of):
            control.setEnabled(True)

    def _failed(self, problem: object) -> None:
        assert isinstance(problem, DPWizardError)
        self._ended()
        self.says.say(str(problem))

    # -------------------------------------------------------------------------------------------- showing

    def _take(self, found: Examination) -> None:
        self._ended()
        self._show(found)
        title = f"{found.title}. " if found.title else ""
        self.says.say(title + words.summary(found))
        if found.findings:
            self.table.setCurrentCell(0, 0)

    def _show(self, found: Examination | None) -> None:
        """Show what was FOUND, what differs first."""
        self.found = found
        self.findings = sorted(found.findings, key=lambda one: one.verdict != "differs") if found is not None else []
        rows = [words.row(one) for one in self.findings]
        heads = dict(zip(words.COLUMNS, words.heads(), strict=True))
        cells = [[getattr(row, name) for name in SHOWN] for row in rows]
        differing = [at for at, one in enumerate(self.findings) if one.verdict == "differs"]
        self.table.fill([heads[name] for name in SHOWN], cells, bold=differing)
        self.copy_button.setEnabled(bool(rows))
        self.save_button.setEnabled(bool(rows))
        self.arithmetic.setVisible(bool(rows))
        self._say_row(-1)

    def _say_row(self, at: int) -> None:
        """Say how the row chosen was computed, and what would explain a difference."""
        row = words.row(self.findings[at]) if 0 <= at < len(self.findings) else None
        said = (row.why, row.arithmetic) if row is not None else ()
        self.arithmetic.setPlainText("\n".join(text for text in said if text))

    def as_csv(self) -> str:
        """Return every finding as CSV, with its arithmetic."""
        return "" if self.found is None else words.as_csv(self.found)

    def save(self) -> None:
        """Save the findings as a CSV file."""
        path = ask_place(self, tr("Save as CSV"), tr("Tables ({endings})", endings="*.csv"), OFFERED)
        if not path:
            return
        try:
            files.write_atomically(Path(path), self.as_csv().encode("utf-8-sig"), overwrite=True)
        except DPWizardError as problem:
            self.says.say(str(problem))

    def done(self, result: int) -> None:
        self.worker.leave()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.done(0)
        super().closeEvent(event)
