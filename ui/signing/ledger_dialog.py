"""The office's ledger in a window: a folder of records as a table and a picture, and what the decision shown adds."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QWidget

from dpwizard.base import files
from dpwizard.base.apart import done_apart
from dpwizard.base.errors import DPWizardError
from dpwizard.charts import Figure, Scene, chart_scene
from dpwizard.decision import Decision
from dpwizard.records import Ceiling, Entry, Ledger, Row, Total, ledger_words, planned
from dpwizard.wording import word
from ui.controls import Choice, NumberLine, Prose, Statement, ask_folder, mark_wrong
from ui.forms import not_a_number, parsed
from ui.plots import ChartPlot, FigureTools
from ui.signing.file_row import FileRow
from ui.signing.labelled import labelled, row_on
from ui.signing.ledger_table import LedgerTable
from ui.signing.stages import Stages
from ui.widgets import added, button_for, column_of, plain, theme, tr, within_reach
from ui.workers import Worker

if TYPE_CHECKING:
    from dpwizard.signing.ledger_reading import Look

WIDTH, HEIGHT = 1_060, 760
PICTURE = 200  # pixels
TABLE = 150  # pixels of the table, at least
Rule = Literal["epsilon", "rho"]


class LedgerDialog(QDialog):
    """Reads the records of a folder, shows them at once and judges them behind the window."""

    verify = Signal(str)  # the record of a row that was chosen

    def __init__(self, decision: Decision | None, colours: theme.Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("The office's ledger"))
        self.resize(WIDTH, HEIGHT)
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC)
        self.decision = decision
        self.look: Look | None = None
        self.figure: Figure | None = None
        self._newest: list[Look] = []  # what the thread that reads has come to
        self._folder = Path()
        self._rule_chosen = False
        self.worker = Worker(self)
        self.worker.done.connect(self._done)
        self.worker.failed.connect(self._failed)
        self.worker.progressed.connect(self._progressed)
        column = column_of(self)
        self.folder = added(column, FileRow(tr("Folder with the records"), self._choose))
        self.folder.line.returnPressed.connect(lambda: self.start())
        self.start_button = button_for(tr("Read the records"), lambda: self.start(), "primary")
        self.says = Prose(tr("Choose the folder that holds the records."), "")
        row = row_on(column)
        row.addWidget(self.start_button, alignment=Qt.AlignmentFlag.AlignLeft)
        row.addWidget(self.says, 100, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        self.stages = added(column, Stages(self.worker, self._stage))
        self._build_choices(column)
        self.total = added(column, Prose("", ""))
        self.plot = added(column, ChartPlot(colours, height=PICTURE))
        self.aside = added(column, Prose("", "caption"))
        self.tools = added(column, FigureTools(self.plot, word("ledger", "title"), self._scene))
        self.tools.follow((self.plot,))
        self.table = LedgerTable(colours)
        self.table.setMinimumHeight(TABLE)
        self.table.chosen.connect(self._open)
        column.addWidget(self.table, 1)
        self.rest = QWidget()  # what is above stands together while there is no table
        column.addWidget(self.rest, 1)
        column.addLayout(self._buttons())
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Enter in a line reads the folder, or sets the ceiling
        self._show_parts()

    def _build_choices(self, column: Any) -> None:
        self.choices = QWidget()
        box = plain(QHBoxLayout(self.choices), 0)
        row = row_on(box)
        self.of, self.rule, self.ceiling = Choice(), Choice(), NumberLine()
        for rule in ("epsilon", "rho"):
            self.rule.addItem(word("ledger", rule), rule)
        row.addLayout(labelled(tr("Of whom"), self.of), 2)
        row.addLayout(labelled(tr("Counted in"), self.rule), 1)
        row.addLayout(labelled(tr("Ceiling"), self.ceiling), 1)
        self.of.activated.connect(lambda _: self._show())
        self.rule.activated.connect(lambda _: self._choose_rule())
        self.ceiling.editingFinished.connect(lambda: self._show())
        column.addWidget(self.choices)
        self.with_decision = added(column, Statement(tr("With the decision that is open")))
        self.with_decision.setChecked(self.decision is not None)
        self.with_decision.toggled.connect(lambda _: self._show())

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

    # ------------------------------------------------------------------------------------- reading

    def _choose(self) -> None:
        path = ask_folder(self, tr("Folder with the records"), self.folder.line.text())
        if path:
            self.folder.line.setText(path)
            self.start()

    def start(self) -> None:
        """Read the records of the folder, then judge them."""
        typed = self.folder.line.text().strip()
        if not typed or not files.is_folder(Path(typed)):
            self.says.say(tr("Choose the folder that holds the records."))
            return
        self._folder = Path(typed)
        self._newest = []
        self.start_button.setEnabled(False)
        self.says.say("")
        more = None if self.decision is None else planned(self.decision)
        self.stages.start(_reading(self._folder, self.now(), more, self._newest))

    def _stage(self, key: str) -> str:
        doing, done, of, name = key.split("/", 3)
        count = min(int(done) + 1, int(of))
        if doing == "read":
            return tr("Reading {done} of {of}: {name}", done=count, of=of, name=name)
        return tr("Judging {done} of {of}: {name}", done=count, of=of, name=name)

    def _progressed(self, key: str) -> None:
        _, done, of, _ = key.split("/", 3)
        self.stages.set_count(int(done), int(of))
        if self._newest and self._newest[-1] is not self.look:
            self._take(self._newest[-1])

    def _failed(self, problem: object) -> None:
        assert isinstance(problem, DPWizardError)
        self.start_button.setEnabled(True)
        self.says.say(str(problem))

    def _done(self, look: Any) -> None:
        self.start_button.setEnabled(True)
        self._take(look)

    # ------------------------------------------------------------------------------------- showing

    def _take(self, look: Look) -> None:
        self.look = look
        whom = self.of.currentData()
        known = [(total.population, total.unit) for total in self._shown(look).totals]
        if known != [self.of.itemData(at) for at in range(self.of.count())]:
            self.of.clear()
            for total, key in zip(self._shown(look).totals, known, strict=True):
                self.of.addItem(ledger_words.whose(total), key)
            self.of.setCurrentIndex(known.index(whom) if whom in known else 0 if known else -1)
        self._show()

    def _shown(self, look: Look) -> Ledger:
        return look.after if look.after is not None and self.with_decision.isChecked() else look.found

    def _show(self) -> None:
        """Show what was read so far, as it was chosen to be seen."""
        if self.look is None:
            return
        shown = self._shown(self.look)
        self.says.say(ledger_words.summary(self.look.found) if self.look.found.rows else self._nothing())
        self.table.show_rows(shown.rows)
        self.copy_button.setEnabled(bool(shown.rows))
        total = self._total(shown)
        if total is not None and not self._rule_chosen:  # in rho, where epsilon cannot be added up and rho can
            in_rho = total.epsilon.total is None and total.rho.total is not None
            self.rule.setCurrentIndex(self.rule.findData("rho" if in_rho else "epsilon"))
        ceiling = self._ceiling()
        self.total.say("" if total is None else " ".join(ledger_words.lines(total, ceiling, converted=self.look.read)))
        self.figure = None if total is None else ledger_words.picture(shown, total, self._rule(), ceiling)
        if self.figure is not None:
            self.plot.show_plot(self.figure.plots[0])
            self.aside.say(" ".join(self.figure.asides))
        self._show_parts()

    def _nothing(self) -> str:
        return "" if self.worker.busy else tr("There is no record in this folder or below it.")

    def _show_parts(self) -> None:
        read = self.look is not None and bool(self._shown(self.look).rows)
        for part in (self.choices, self.total, self.plot, self.aside, self.tools):
            part.setVisible(self.figure is not None)
        self.with_decision.setVisible(self.decision is not None and read)
        self.table.setVisible(read)
        self.rest.setVisible(not read)
        if self.isVisible():
            within_reach(self)  # the table and the picture are higher than the screen may be

    def _total(self, shown: Ledger) -> Total | None:
        key = self.of.currentData()
        return next((total for total in shown.totals if (total.population, total.unit) == key), None)

    def _choose_rule(self) -> None:
        self._rule_chosen = True
        self._show()

    def _rule(self) -> Rule:
        return "rho" if self.rule.currentData() == "rho" else "epsilon"

    def _ceiling(self) -> Ceiling:
        """Return the ceiling that was typed, and say what is wrong with it."""
        text = self.ceiling.text().strip()
        number = parsed(text)
        wrong = bool(text) and (number is None or number < 0.0)
        mark_wrong(self.ceiling, wrong)
        self.ceiling.setToolTip(not_a_number(text) if wrong else "")
        if not text or wrong or number is None:
            return Ceiling()
        return Ceiling(rho=number) if self._rule() == "rho" else Ceiling(epsilon=number)

    def _scene(self) -> Scene | None:
        return None if self.figure is None else chart_scene.scene(self.figure)

    def _open(self, row: Row) -> None:
        if row.entry.place:
            self.verify.emit(str(self._folder / row.entry.place))

    def as_text(self) -> str:
        """Return what is shown as text, the cells of its table apart by tabs."""
        said = [self.says.words, self.total.words, "", *self.table.lines()]
        return "\n".join(said) + "\n"

    def done(self, result: int) -> None:
        self.stages.stop()
        self.worker.leave()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.done(0)
        super().closeEvent(event)


def _reading(folder: Path, now: datetime, more: Entry | None, newest: list[Look]) -> Callable[..., Look]:
    """Return the job that reads and judges the records of FOLDER, with one MORE, and puts what it has come to at the
    end of NEWEST."""

    def job(progress: Callable[[str], None]) -> Look:
        from dpwizard.signing import ledger_reading, office

        def tell(told: ledger_reading.Told) -> None:
            if told.look is not None:
                newest[:] = [told.look]
            progress(f"{told.doing}/{told.done}/{told.of}/{told.name}")

        places = office.trust_places()
        last: Look = done_apart(ledger_reading.read_ledger, folder, now, places, more, tell=tell)
        newest[:] = [last]
        return last

    return job
