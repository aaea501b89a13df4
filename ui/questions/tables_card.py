"""How far off the numbers of several tables may be: one sentence for all districts, one for all regions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal

from dpwizard.base.csv_text import decoded
from dpwizard.base.errors import DPWizardError
from dpwizard.base.files import read_bytes
from dpwizard.charts import sums_view
from dpwizard.decision import AccuracyRequirement, Assessment, Decision, published_setting, with_needs
from dpwizard.questions import table_kinds
from dpwizard.sheets import by_needs
from ui.controls import Prose, ask_file
from ui.questions.sum_rows import Numbers, SumRows
from ui.session import DocumentSession
from ui.widgets import Card, Words, added, button_for, in_a_row, theme, tr
from ui.workers import Background, refusal

MOST_OTHERS = 8  # needs of other numbers that stand below the kinds of tables


class TablesCard(Card):
    """The tables by what they have in common, each kind to tick, and the way to all other needs."""

    other_needs = Signal()
    lead = Signal(str)  # somebody is to be led to a table, in step 1

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.session = session
        self.column.setSpacing(theme.TIGHT)
        self.none = added(
            self.column, Prose(tr("Name the tables, or say their levels, in step 1: needs speak of them."))
        )
        self.rows = added(self.column, SumRows(session))
        self.rows.ticked.connect(self._tick)
        self.rows.lead.connect(self.lead)
        self.besides = added(self.column, Prose("", "caption"))
        self.others = button_for(tr("Other needs …"), self.other_needs.emit, "small")
        about = Words(tr("single tables, sums, typical error, thresholds, percentages"), "caption")
        self.file_button = button_for(tr("Needs from a CSV file …"), self._ask_file, "small")
        self.column.addWidget(in_a_row(self.file_button, self.others, about))
        self.problem = added(self.column, Prose("", "problem"))
        self._say("")
        self.reader = Background(lambda path, stop: decoded(read_bytes(path)), words=refusal, parent=self)
        self.reader.done.connect(lambda _, text: self._add(text))
        self.reader.failed.connect(lambda _, words: self._say(words))
        self.background = Background(lambda read, stop: table_kinds.half_widths(*read), parent=self)
        self.background.done.connect(lambda _, widths: self.rows.say_gets(widths))
        self._asked: Any = None  # the noise of each kind of tables, and the budget looked at

    def show_decision(self, decision: Decision) -> None:
        """Show the kinds of tables of DECISION, with the need of each."""
        kinds = table_kinds.table_kinds(decision)
        self.none.setVisible(not kinds)
        numbers = tuple(
            Numbers(
                of=one,
                name=one.words,
                note=table_kinds.note(one),
                at=table_kinds.asked_at(decision, one),
                covers=one.tables,
            )
            for one in kinds
        )
        others = [
            at
            for at, one in enumerate(decision.requirements)
            if isinstance(one, AccuracyRequirement) and one.enabled and at not in {shown.at for shown in numbers}
        ]
        kept = others if len(others) <= MOST_OTHERS else []
        self.rows.show_numbers(decision, numbers, frozenset(others) - frozenset(kept))
        count = len(others) - len(kept)
        text = tr(
            "{n} other need stands under “Technical details”.",
            "{n} other needs stand under “Technical details”.",
            n=count,
        )
        self.besides.say(text if count else "")
        self.besides.setVisible(bool(count))

    def show_answers(self, decision: Decision, assessment: Assessment) -> None:
        """Say the budget that each need takes by ASSESSMENT, and what one gets without one."""
        self.rows.say_answers(assessment)
        release, looked_at = decision.planned.release, sums_view.budget_drawn(assessment)
        budget = None if looked_at is None else looked_at.value
        kinds = table_kinds.table_kinds(decision)
        read = ([[published_setting(release, name) for name in one.tables] for one in kinds], budget)
        if budget and read != self._asked:
            self.background.request(read)
        self._asked = read

    def _ask_file(self) -> None:
        """Ask for a file with a row for each need, and add them."""
        self._say("")
        endings = f"{tr('Needs as text')} (*.csv *.txt);;{tr('All files')} (*)"
        if path := ask_file(self, tr("Needs from a CSV file"), endings):
            self.reader.request(Path(path))

    def _add(self, text: str) -> None:
        try:
            decision = with_needs(self.session.decision, text)
        except DPWizardError as problem:
            self._say(tr("{where}: {message}. {hint}", where=problem.where, message=problem.text, hint=problem.remedy))
            return
        self.session.edit(tr("Needs from a CSV file"), by_needs(decision))

    def _say(self, words: str) -> None:
        self.problem.say(words)
        self.problem.setVisible(bool(words))

    def _tick(self, kind: table_kinds.TableKind) -> None:
        """Add the need of the tables of a KIND; the keyboard goes to how far off they may be."""
        name = tr("Must keep: {what}", what=kind.words)
        self.session.edit(name, by_needs(table_kinds.with_need(self.session.decision, kind)))
        self.rows.reach(kind)
