"""The tables of a release on its page: forms for a few, a spreadsheet for many, and ways to add many at once."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from dpwizard.base.csv_text import decoded
from dpwizard.base.errors import DPWizardError
from dpwizard.base.files import read_bytes
from dpwizard.decision import Part
from dpwizard.sheets import rolled_forward
from ui.controls import ask_file
from ui.forms import Form, Overview, Rows
from ui.session import DocumentSession
from ui.sheets.grid_dialog import GridDialog
from ui.sheets.paste_dialog import PasteDialog
from ui.sheets.tables_overview import TablesOverview
from ui.widgets import MenuButton, Problem, added, open_once, theme, tr
from ui.workers import Background, refusal

FEW = 4  # tables that have a form each


class TablesRows(Rows):
    """The parts of the release."""

    most_open = FEW

    def __init__(
        self, session: DocumentSession, colours: theme.Colours, names: tuple[str, ...], more: tuple[str, ...]
    ) -> None:
        self._colours = colours
        super().__init__(
            *(session, "$.release.parts", Part, Form, names),
            title=tr("Table"),
            add_words=tr("Add a table"),
            more=more,
            more_words=tr("More about this table"),
        )
        self.many_button = MenuButton(tr("Add many"))
        menu = QMenu(self)
        for name, words, act in (
            ("paste", tr("Paste from a spreadsheet…"), self.paste),
            ("open", tr("Open a CSV file…"), self.open),
            ("grid", tr("Fill a grid of levels and queries…"), self.fill_grid),
            ("year", tr("Roll forward a year"), self.roll_forward),
        ):
            menu.addAction(words, act).setObjectName(name)
        self.many_button.setMenu(menu)
        self.below.insertWidget(1, self.many_button)
        self.problem = added(self.column, Problem())
        self.reader = Background(lambda path, stop: decoded(read_bytes(path)), words=refusal, parent=self)
        self.reader.done.connect(lambda path, text: self.ask(text) if self.isVisible() else None)
        self.reader.failed.connect(lambda path, reason: self.problem.say(reason))

    def make_overview(self) -> Overview:
        overview = TablesOverview(self.session, self._colours, tr("Tables of the release"), self.make_only_form)
        overview.table.pasted.connect(self.ask)
        return overview

    def forget_problems(self) -> None:
        super().forget_problems()
        if isinstance(self.overview, TablesOverview):
            self.overview.forget_problems()

    def paste(self) -> None:
        """Ask how to read the text in the clipboard."""
        self.ask(QGuiApplication.clipboard().text())

    def open(self) -> None:
        """Ask for a file, and how to read it."""
        endings = f"{tr('Tables as text')} (*.csv *.tsv *.txt);;{tr('All files')} (*)"
        path = ask_file(self, tr("Open a CSV file"), endings)
        if path:
            self.open_file(Path(path))

    def open_file(self, path: Path) -> None:
        """Ask how to read the file at PATH."""
        self.reader.request(path)

    def ask(self, text: str) -> None:
        """Ask how to read TEXT, and add its tables."""
        self.problem.say("")
        if not text.strip():
            self.problem.say(tr("There is no text in the clipboard. Copy rows in a spreadsheet first."))
            return
        open_once(PasteDialog(self.session, self._colours, text, self.window()))

    def fill_grid(self) -> None:
        """Ask for levels and queries, and add their tables."""
        self.problem.say("")
        open_once(GridDialog(self.session, self._colours, self.window()))

    def roll_forward(self) -> None:
        """Copy the tables, and what refers to them, for the next year; say why if there is nothing to copy."""
        self.problem.say("")
        try:
            decision = rolled_forward(self.session.decision)
        except DPWizardError as problem:
            self.problem.say(tr("Nothing was changed: {message}. {hint}", message=problem.text, hint=problem.remedy))
            return
        self.session.edit(tr("Roll forward a year"), decision)
