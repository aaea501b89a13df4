"""The second opinion in a window: a file or a short claim by hand, and each of its statements with its arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from dpwizard.base import files
from dpwizard.base.errors import DPWizardError
from dpwizard.examination import ClaimVerdict, Examination, examine, examine_claim, words
from ui.controls import Choice, Prose, RowsTable, ask_file, ask_place, labelled
from ui.help import guide
from ui.signing.claim_form import ClaimForm
from ui.signing.parts import FileRow, row_on
from ui.task_dialog import TaskDialog
from ui.widgets import added, button_for, reading_text, theme, tr, within_reach

SIZE = (1_060, 760)
SHOWN = ("verdict", "statement", "stated", "follows", "person")  # the rest of a row stands below the table
SHARES = (0.12, 0.25, 0.16, 0.23, 0.24)
TABLE, ARITHMETIC = 110, 76  # pixels of the table, at least, and of what stands below it
FILE, HAND = "file", "hand"
OFFERED = "second-opinion.csv"  # the name of a file to save


class SecondOpinionDialog(TaskDialog):
    """Reads a file behind the window, or a claim that was typed, and says what agrees and what does not."""

    def __init__(self, colours: theme.Colours, show_guide: Callable[[str], object], parent: QWidget | None = None):
        super().__init__(parent, tr("Check a published claim"), SIZE)
        self.found: Examination | None = None
        self.findings: list[ClaimVerdict] = []  # as they are shown
        column = self.column
        self.about = added(column, Prose("", "caption"))
        of_file = tr("A file: a claim, a registry entry, a decision or a record")
        self.of = Choice(((FILE, of_file), (HAND, tr("A short claim, entered here"))))
        self.of.currentIndexChanged.connect(lambda _: self._choose_kind())
        column.addWidget(labelled(tr("What to check"), self.of))
        endings = tr("Claims, entries and records ({endings})", endings="*.yaml *.yml *.json")
        ask = partial(ask_file, self, tr("File to check"), endings)
        self.file = added(column, FileRow(tr("File (YAML or JSON)"), ask))
        self.file.chosen.connect(self.start)
        self.file.line.returnPressed.connect(lambda: self.start())
        self.form = added(column, ClaimForm())
        self.form.asked.connect(lambda: self.start())
        row = row_on(column)
        self.start_button = button_for(tr("Check"), lambda: self.start(), "primary")
        self.resting = (self.start_button, self.of)  # the answer is to what is shown
        row.addWidget(self.start_button, alignment=Qt.AlignmentFlag.AlignLeft)
        row.addWidget(self.says, 100, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        self.table = RowsTable(tr("Statements and results"), most=None, wraps=True)
        self.table.setMinimumHeight(TABLE)
        self.table.chosen.connect(self._say_row)
        column.addWidget(self.table, 1)
        self.arithmetic = added(column, reading_text(tr("How it was computed")))
        self.arithmetic.setFixedHeight(ARITHMETIC)
        self.save_button = button_for(tr("Save as CSV …"), lambda: self.save())
        self.guide_button = button_for(tr("Guide"), lambda: show_guide(guide.SECOND_OPINION))
        copy = self.copying(self.as_csv, tr("Copy as CSV"))
        self.foot(copy, self.save_button, self.guide_button, right=(self.closing(),))
        self._choose_kind()

    # ------------------------------------------------------------------------------------ what is examined

    @property
    def by_hand(self) -> bool:
        """Return whether the claim is typed here."""
        return bool(self.of.currentData() == HAND)

    def _choose_kind(self) -> None:
        about = tr(
            "Compares what was published about a privacy loss with its own figures: sums, conversions, "
            "sampling, and the total loss of one person. It needs no data, and takes no figure on trust."
        )
        typed = tr("Enter each figure as printed: 17.10 is more exact than 17.1. Leave empty what is not stated.")
        self.about.say(typed if self.by_hand else about)
        self.file.setVisible(not self.by_hand)
        self.form.setVisible(self.by_hand)
        self._show(None)
        self.says.say("" if self.by_hand else tr("Choose the file to check."))
        if self.isVisible():
            within_reach(self)  # the form is higher than the line for a file

    def start(self) -> None:
        """Examine the file named, or the claim typed."""
        if self.busy:
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
            self.says.say(tr("Choose the file to check."))
            return
        self._examine(lambda: examine(files.read_bytes(Path(typed))))

    def _examine(self, job: Callable[[], Examination]) -> None:
        """Have JOB done behind the window."""
        self.says.say(tr("Checking …"))
        self.work(lambda progress: job(), self._take)

    # -------------------------------------------------------------------------------------------- showing

    def _take(self, examination: Examination) -> None:
        self._show(examination)
        title = f"{examination.title}. " if examination.title else ""
        self.says.say(title + words.summary(examination))
        if examination.findings:
            self.table.choose(0)

    def _show(self, examination: Examination | None) -> None:
        """Show the findings of an EXAMINATION, what differs first."""
        self.found = examination
        findings = () if examination is None else examination.findings
        self.findings = sorted(findings, key=lambda finding: finding.verdict != "differs")
        rows = [words.row(finding) for finding in self.findings]
        heads = dict(zip(words.COLUMNS, words.heads(), strict=True))
        cells = [[getattr(row, name) for name in SHOWN] for row in rows]
        differing = [at for at, finding in enumerate(self.findings) if finding.verdict == "differs"]
        self.table.fill([heads[name] for name in SHOWN], cells, bold=differing, shares=SHARES)
        self.copy_button.setEnabled(bool(rows))
        self.save_button.setEnabled(bool(rows))
        self.arithmetic.setVisible(bool(rows))
        self._say_row(-1)

    def _say_row(self, at: int) -> None:
        """Say how the row chosen was computed, and what would explain a difference."""
        row = words.row(self.findings[at]) if 0 <= at < len(self.findings) else None
        sentences = (row.why, row.arithmetic) if row is not None else ()
        self.arithmetic.setPlainText("\n".join(text for text in sentences if text))

    def as_csv(self) -> str:
        """Return every finding as CSV, with its arithmetic."""
        return "" if self.found is None else words.as_csv(self.found)

    def save(self) -> None:
        """Save the findings as a CSV file."""
        path = ask_place(self, tr("Save as CSV"), tr("Tables ({endings})", endings="*.csv"), OFFERED)
        if not path:
            return
        place, data = Path(path), self.as_csv().encode("utf-8-sig")
        self.work(
            lambda progress: files.write_atomically(place, data, overwrite=True),  # the chooser has asked
            lambda _: self.says.say(tr("Written to {file}.", file=str(place))),
        )
