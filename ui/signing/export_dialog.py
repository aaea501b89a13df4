"""A signed record for other places: registry entry, release code, web summary, table of answers, report page."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from dpwizard.errors import DPWizardError
from ui.controls import Choice, Prose, ask_file, ask_place
from ui.signing.file_row import FileRow
from ui.widgets import SideBySide, added, column_of, fill, theme, tr

WIDTH, HEIGHT = 760, 640


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
        """Show what the export would say now, or what it lacks."""
        from dpwizard.signing import exports
        from dpwizard.signing.record_files import RecordFiles

        to = self.kind.currentData()
        self.about.say(next(words for key, _, words in kinds() if key == to))
        self.tier.setVisible(to == "registry")
        self.made, self.where, problem = "", "", ""
        typed = self.source.line.text().strip()
        try:
            if typed:
                target, now = RecordFiles.beside(Path(typed)), datetime.now(UTC)
                self.made = exports.export_files(target, to, now, tier=self.tier.currentData())
            else:
                problem = tr("Sign the record first, or choose one that is signed.")
        except DPWizardError as found:
            self.where = found.where if found.where.startswith("$") else ""
            problem = self._in_words(found)
        self.text.setPlainText(self.made)
        self.says.setText(problem)
        self.says.setVisible(bool(problem))
        self.place_button.setVisible(bool(self.where))
        for button in (self.copy_button, self.save_button):
            button.setEnabled(bool(self.made))

    def _in_words(self, problem: DPWizardError) -> str:
        from dpwizard.decision.decision import new_decision
        from dpwizard.records import editions

        if not self.where:
            return str(problem)
        try:
            field = editions.label(new_decision(), self.where)
        except (DPWizardError, IndexError):
            field = self.where
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

    def _content(self, path: Path) -> bytes:
        """Return what is shown; of the notice the page as a PDF, where a file of that kind is asked for."""
        from dpwizard.signing import RecordFiles, exports

        if self.kind.currentData() == "notice" and path.suffix.lower() == ".pdf":
            source = Path(self.source.line.text().strip())
            return exports.notice_pdf(RecordFiles.beside(source), datetime.now(UTC))
        return self.made.encode("utf-8")

    def write(self, path: Path) -> None:
        """Write what is shown to PATH, atomically."""
        from dpwizard import files

        try:
            files.write_atomically(path, self._content(path), overwrite=True)  # the chooser has asked
            words = tr("Written to {file}.", file=str(path))
        except DPWizardError as problem:
            words = str(problem)
        self.says.setText(words)
        self.says.show()
