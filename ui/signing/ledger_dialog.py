"""The office's ledger in a window: a folder of records as a table and a picture, and what the decision shown adds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from dpwizard.base import files
from dpwizard.base.worker import run_in_worker
from dpwizard.charts import Figure, Scene, chart_scene
from dpwizard.decision import Decision
from dpwizard.records import Ceiling, LedgerRow, ledger_words, planned
from dpwizard.signing import office, record_folder
from dpwizard.wording import word
from ui.controls import Choice, NumberLine, Prose, Statement, TextRow, ask_folder, labelled, mark_wrong
from ui.forms import not_a_number, parsed
from ui.plots import ChartPlot, FigureTools
from ui.signing import verdict_words
from ui.signing.parts import FileRow, RecordsTable, row_on
from ui.task_dialog import Counted, Progress, TaskDialog
from ui.widgets import added, button_for, plain, theme, tr, within_reach
from ui.workers import Background

SIZE = (1_060, 760)
PICTURE = 200  # pixels
TABLE = 280  # pixels of the table, at least: eight rows
LARGEST, LAST = float("inf"), "9999"  # what does not say its loss, or its day, comes after all that do
Rule = Literal["epsilon", "rho"]
Whose = tuple[str, str]  # a population and a unit


@dataclass(frozen=True, kw_only=True)
class LedgerView:
    """What the window says and draws, found behind it."""

    summary: str
    rows: tuple[TextRow, ...]
    totals: tuple[tuple[Whose, str], ...]  # of each population and unit, how it is called
    whose: Whose | None
    rule: Rule
    sentence: str
    figure: Figure | None


def ledger_view(
    look: record_folder.LedgerSnapshot, with_decision: bool, of: Whose | None, chosen: Rule | None, most: float | None
) -> LedgerView:
    """Return the texts and the chart of what was read: by population, by the rule CHOSEN, under the ceiling MOST."""
    ledger = look.after if look.after is not None and with_decision else look.ledger
    totals = {(total.population, total.unit): total for total in ledger.totals}
    whose = of if of in totals else next(iter(totals), None)
    total = None if whose is None else totals[whose]
    # in rho, where epsilon cannot be added up and rho can
    in_rho = total is not None and total.epsilon.total is None and total.rho.total is not None
    rule: Rule = chosen or ("rho" if in_rho else "epsilon")
    ceiling = Ceiling() if most is None else Ceiling(**{rule: most})
    return LedgerView(
        summary=ledger_words.summary(look.ledger) if look.ledger.rows else "",
        rows=tuple(TextRow(of=row, cells=_cells(row), keys=_keys(row)) for row in ledger.rows),
        totals=tuple((key, ledger_words.whose(each)) for key, each in totals.items()),
        whose=whose,
        rule=rule,
        sentence="" if total is None else " ".join(ledger_words.lines(total, ceiling, converted=look.read)),
        figure=None if total is None else ledger_words.picture(ledger, total, rule, ceiling),
    )


class LedgerDialog(TaskDialog):
    """Reads the records of a folder, shows them at once and judges them behind the window."""

    verify = Signal(str)  # the record of a row that was chosen

    def __init__(self, decision: Decision | None, colours: theme.Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("The office’s ledger"), SIZE)
        self.decision = decision
        self.look: record_folder.LedgerSnapshot | None = None
        self.figure: Figure | None = None
        self._folder = Path()
        self._rule: Rule | None = None  # the one chosen
        self.drawer = Background(lambda asked, stop: asked(), frame=0, parent=self)
        self.drawer.done.connect(lambda _, view: self._show(view))
        name = tr("Folder with the records")
        self.folder = added(self.column, FileRow(name, partial(ask_folder, self, name)))
        self.folder.chosen.connect(self.start)
        self.folder.line.returnPressed.connect(lambda: self.start())
        self.start_button = button_for(tr("Read records"), lambda: self.start(), "primary")
        self.resting = (self.start_button,)
        self.says.say(tr("Choose the folder that holds the records."))
        row = row_on(self.column)
        row.addWidget(self.start_button, alignment=Qt.AlignmentFlag.AlignLeft)
        row.addWidget(self.says, 100, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        self.column.addWidget(self.stages)
        self.worker.progressed.connect(lambda come: self._take(come) if not isinstance(come, Counted) else None)
        self._build_choices()
        self.total = added(self.column, Prose("", ""))
        heads = (
            *(tr("Record"), tr("Date"), tr("Status"), tr("Note"), tr("Counts"), tr("Epsilon")),
            *(tr("Rho"), tr("Population"), tr("Protected"), tr("Review by")),
        )
        self.table = RecordsTable(tr("Records of the ledger"), heads, sorted_by=1)
        self.table.setMinimumHeight(TABLE)
        self.table.picked.connect(self._open)
        self.column.addWidget(self.table, 1)
        self.plot = added(self.column, ChartPlot(colours, height=PICTURE))
        self.aside = added(self.column, Prose("", "caption"))
        self.tools = added(self.column, FigureTools(self.plot, word("ledger", "title"), self._scene))
        self.tools.follow((self.plot,))
        self.rest = QWidget()  # what is above stands together while there is no table
        self.column.addWidget(self.rest, 1)
        self.foot(self.copying(self.as_text), right=(self.closing(),))
        self.copy_button.setEnabled(False)
        self._show_parts()

    def _build_choices(self) -> None:
        self.choices = QWidget()
        row = row_on(plain(QHBoxLayout(self.choices), 0))
        self.of, self.ceiling = Choice(), NumberLine()
        self.rule = Choice((rule, word("ledger", rule)) for rule in ("epsilon", "rho"))
        row.addWidget(labelled(tr("About"), self.of), 2)
        row.addWidget(labelled(tr("Unit"), self.rule), 1)
        row.addWidget(labelled(tr("Ceiling"), self.ceiling), 1)
        self.of.activated.connect(lambda _: self._ask())
        self.rule.activated.connect(lambda _: self._choose_rule())
        self.ceiling.editingFinished.connect(lambda: self._ask())
        self.column.addWidget(self.choices)
        self.with_decision = added(self.column, Statement(tr("With the open decision")))
        self.with_decision.setChecked(self.decision is not None)
        self.with_decision.toggled.connect(lambda _: self._ask())

    # ------------------------------------------------------------------------------------- reading

    def start(self) -> None:
        """Read the records of the folder, then judge them."""
        typed = self.folder.line.text().strip()
        if not typed or not files.is_folder(Path(typed)):
            self.says.say(tr("Choose the folder that holds the records."))
            return
        folder, now, decision = Path(typed), self.now(), self.decision
        self._folder = folder
        self.says.say("")
        self.work(lambda progress: _read(folder, now, decision, progress), self._take)

    # ------------------------------------------------------------------------------------- showing

    def _take(self, look: record_folder.LedgerSnapshot) -> None:
        self.look = look
        self._ask()

    def _ask(self) -> None:
        """Have what was read so far shown, as it was chosen to be seen."""
        if self.look is not None:
            chosen = (self.with_decision.isChecked(), self.of.currentData(), self._rule, self._ceiling())
            self.drawer.request(partial(ledger_view, self.look, *chosen))

    def _show(self, view: LedgerView) -> None:
        if not self.busy or view.summary:
            self.says.say(view.summary or tr("There is no record in this folder or below it."))
        self.table.show_rows(view.rows)
        self.copy_button.setEnabled(bool(view.rows))
        if list(view.totals) != self.of.entries:
            self.of.offer(view.totals)
        self.of.setCurrentIndex(next((at for at, (key, _) in enumerate(view.totals) if key == view.whose), -1))
        self.rule.show_key(view.rule)
        self.total.say(view.sentence)
        self.figure = view.figure
        if self.figure is not None:
            self.plot.show_plot(self.figure.plots[0])
            self.aside.say(" ".join(self.figure.asides))
        self._show_parts()

    def _show_parts(self) -> None:
        read = bool(self.table.rows_model.rows)
        for part in (self.choices, self.total, self.plot, self.aside, self.tools):
            part.setVisible(self.figure is not None)
        self.with_decision.setVisible(self.decision is not None and read)
        self.table.setVisible(read)
        self.rest.setVisible(not read)
        if self.isVisible():
            within_reach(self)  # the table and the picture are higher than the screen may be

    def _choose_rule(self) -> None:
        self._rule = "rho" if self.rule.currentData() == "rho" else "epsilon"
        self._ask()

    def _ceiling(self) -> float | None:
        """Return the ceiling that was typed, and say what is wrong with it."""
        text = self.ceiling.text().strip()
        number = parsed(text)
        wrong = bool(text) and (number is None or number < 0.0)
        mark_wrong(self.ceiling, wrong)
        self.ceiling.setToolTip(not_a_number(text) if wrong else "")
        return None if wrong else number

    def _scene(self) -> Scene | None:
        return None if self.figure is None else chart_scene.scene(self.figure)

    def _open(self, row: LedgerRow) -> None:
        if row.entry.place:
            self.verify.emit(str(self._folder / row.entry.place))

    def as_text(self) -> str:
        """Return what is shown as text, the cells of its table apart by tabs."""
        sentences = [self.says.words, self.total.words, "", *self.table.lines()]
        return "\n".join(sentences) + "\n"


def _read(folder: Path, now: datetime, decision: Decision | None, progress: Progress) -> record_folder.LedgerSnapshot:
    """Return the records of FOLDER, read and judged; PROGRESS gets each, and the rows so far."""

    def report(state: tuple[record_folder.FolderScan, record_folder.LedgerSnapshot | None]) -> None:
        step, look = state
        count = {"done": min(step.done + 1, step.of), "of": step.of, "name": step.name}
        reading, judging = tr("Reading {done} of {of}: {name}", **count), tr("Checking {done} of {of}: {name}", **count)
        progress(Counted(reading if step.doing == "read" else judging, step.done, step.of))
        if look is not None:
            progress(look)

    more = None if decision is None else planned(decision)
    snapshot: record_folder.LedgerSnapshot = run_in_worker(
        record_folder.read_ledger, folder, now, office.trust_places(), more, progress=report
    )
    return snapshot


def _cells(row: LedgerRow) -> tuple[str, ...]:
    entry = row.entry
    figures = (ledger_words.lost(entry.lost.epsilon), ledger_words.lost(entry.lost.rho))
    standing = (ledger_words.standing(row), _note(row), tr("yes") if row.counts else tr("no"))
    return (entry.name, entry.date, *standing, *figures, entry.population, entry.unit, entry.review)


def _note(row: LedgerRow) -> str:
    """Return why a record stands as it does; else how its verification ended, in the words of every dialog."""
    signed = row.entry.signed
    if row.why or signed is None:
        return row.why.text()
    return verdict_words.state(signed.verdict, signed.outcome)


def _keys(row: LedgerRow) -> tuple[Any, ...]:
    """Return by what each cell is sorted."""
    entry = row.entry
    first = (entry.name.casefold(), entry.date or LAST, ledger_words.standing(row), _note(row), not row.counts)
    figures = (LARGEST if figure is None else figure for figure in (entry.lost.epsilon, entry.lost.rho))
    return (*first, *figures, entry.population.casefold(), entry.unit.casefold(), entry.review)
