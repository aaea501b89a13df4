"""A signed record for other places: registry entry, release code, web summary, table of answers, report page."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import new_decision
from dpwizard.records import label
from dpwizard.signing import exports, findings
from ui.controls import Choice, Prose, ask_file, ask_place
from ui.signing import jobs, verdict_words
from ui.signing.parts import FileRow
from ui.task_dialog import TaskDialog
from ui.widgets import SideBySide, added, button_for, reading_text, theme, tr

SIZE = (760, 640)


def kinds() -> tuple[tuple[str, str, str], ...]:
    """Return what a record is exported to: key, name, and what it is for."""
    return (
        (
            "registry",
            tr("Registry entry (YAML)"),
            tr("For the public Differential Privacy Deployments Registry. Checked against its fields."),
        ),
        (
            "opendp",
            tr("Code for the release (Python, OpenDP)"),
            tr("Adds exactly the noise decided; OpenDP certifies at most this {budget}."),
        ),
        (
            "script",
            tr("Script that makes the release (Python alone)"),
            tr("Makes the tables from the microdata, once; its plan is written beside it. Needs a data description."),
        ),
        (
            "script_opendp",
            tr("Script that makes the release (Python, OpenDP)"),
            tr("The same with the noise of OpenDP, which also certifies what each table spends."),
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
            tr("How far off figures can be, alone and combined, with lines of Python and R to simulate it."),
        ),
        (
            "reviewers",
            tr("What reviewers ask (HTML)"),
            tr("Every question of four public documents, and where the record answers it."),
        ),
        ("web", tr("Summary for a web page (HTML)"), tr("A section to paste into a web page of the office.")),
        ("csv", tr("All answers as a table (CSV)"), tr("One line for each requirement, for a spreadsheet.")),
    )


class ExportDialog(TaskDialog):
    """Shows what will be written before it is written; what the registry still lacks leads to its field."""

    lead = Signal(str)

    def __init__(self, path: Path | None, parent: QWidget | None = None, *, own: str = "", to: str = "") -> None:
        super().__init__(parent, tr("Export a record"), SIZE)
        self.made = ""
        self.where = ""
        self.own = own  # the fingerprint of the reader's own certificate, if it is known
        self.found: findings.Verification | None = None
        self._verified = ""  # the place that FOUND speaks of
        column = self.column
        ask = partial(ask_file, self, tr("A signed record"), tr("Records ({endings})", endings="*.json"))
        self.source = added(column, FileRow(tr("The signed record (its .json file)"), ask))
        self.source.line.setText(str(path or ""))
        self.standing = added(column, Prose())
        self.kind = Choice(((key, words) for key, words, _ in kinds()), tr("Export to"))
        self.kind.setCurrentIndex(max(0, self.kind.findData(to)))
        tiers = ((number, tr("Tier {number}", number=number)) for number in (3, 2, 1))
        self.tier = Choice(tiers, tr("Tier of the registry"))
        row = SideBySide(theme.NEAR)
        row.box.addWidget(self.kind, 1)
        row.box.addWidget(self.tier)
        column.addWidget(row)
        self.about = added(column, Prose("", "caption"))
        self.text = reading_text(tr("What will be written"))
        column.addWidget(self.text, 1)
        column.addWidget(self.says)
        self.place_button = button_for(tr("Go to this field"), lambda: self._lead())
        self.save_button = button_for(tr("Save as …"), lambda: self.save(), "primary")
        copy = self.copying(lambda: self.made, tr("Copy"))
        self.foot(self.place_button, right=(copy, self.save_button, self.closing()))
        self.source.line.textChanged.connect(lambda _: self.refresh())
        self.kind.currentIndexChanged.connect(lambda _: self.refresh())
        self.tier.currentIndexChanged.connect(lambda _: self.refresh())
        self.refresh()

    def refresh(self) -> None:
        """Have the record verified once, and then show what the export would say now, or what it lacks."""
        to = self.kind.currentData()
        self.about.say(next(words for key, _, words in kinds() if key == to))
        self.tier.setVisible(to == "registry")
        typed = self.source.line.text().strip()
        if typed != self._verified:
            self.found, self._verified = None, typed
        self._show("", "" if typed else tr("Sign the record first, or choose one that is signed."))
        if not typed:
            return
        self.says.say(tr("Verifying {name} …", name=Path(typed).name))
        path, tier, now, verification = Path(typed), self.tier.currentData(), self.now(), self.found
        self.work(lambda progress: jobs.export(progress, path, to, tier, now, verification), self._exported)

    def _exported(self, came: jobs.Exported) -> None:
        self.found = came.verification
        problem = came.problem
        if problem is not None:
            self.where = problem.where if problem.where.startswith("$") else ""
            self._verified = self._verified if self.where else ""  # its files may have changed: verified anew
        text = "" if problem is None else self._in_words(problem)
        if not came.verification.ok:
            text = tr("This record is not exported, because it did not pass the checks.")
        self._show(came.text, text)

    def _show(self, text: str, problem: str) -> None:
        """Show the TEXT of the export, who signed the record, and the PROBLEM, if there is one."""
        self.made = text
        self.text.setPlainText(text)
        self.standing.say("" if self.found is None else verdict_words.result(self.found, self.own))
        self.says.say(problem)
        if text or not problem:
            self.where = ""
        self.place_button.setVisible(bool(self.where))
        for button in (self.copy_button, self.save_button):
            button.setEnabled(bool(text))

    def _in_words(self, problem: DPWizardError) -> str:
        if not self.where:
            return str(problem)
        try:
            field = label(new_decision(), self.where)
        except IndexError:
            field = self.where
        return tr(
            "{field}: {what}. A signed record is never changed. Answer this, and sign a record that replaces it.",
            field=field,
            what=problem.text,
        )

    def _lead(self) -> None:
        self.accept()
        self.lead.emit(self.where)

    def save(self) -> None:
        """Ask for a new file and write the export there."""
        ending = exports.ENDINGS[self.kind.currentData()]
        source = Path(self.source.line.text().strip())
        offered = str(source.with_name(f"{source.name.split('.')[0]}-{self.kind.currentData()}{ending}"))
        endings = f"*{ending} *.pdf" if self.kind.currentData() == "notice" else f"*{ending}"
        if path := ask_place(self, tr("Export a record"), endings, offered):
            self.write(Path(path) if Path(path).suffix else Path(path).with_suffix(ending))

    def write(self, path: Path) -> None:
        """Write what is shown to PATH: the notice as a PDF if that is asked for, a script with its plan beside it."""
        text, to, now = self.made, self.kind.currentData(), self.now()
        source = Path(self.source.line.text().strip())
        self.work(
            lambda progress: jobs.write_export(progress, path, text, to, source, now),
            lambda written: self.says.say(tr("Written to {file}.", file=str(written))),
        )
