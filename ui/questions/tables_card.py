"""The accuracy of several tables: one sentence for all districts, one for all regions."""

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
from ui.questions.sum_rows import RowContent, SumRows
from ui.session import DocumentSession
from ui.widgets import Card, Problem, Words, added, button_for, in_a_row, theme, tr
from ui.workers import Background, refusal

MOST_OTHERS = 8  # needs of other numbers that are shown below the kinds of tables


class TablesCard(Card):
    """The kinds of tables, each with a box to tick, and a button for all other needs."""

    other_needs = Signal()
    lead = Signal(str)  # go to a table, in step 1

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.session = session
        self.column.setSpacing(theme.TIGHT)
        hint = tr("Name the tables, or enter their levels, in step 1. Accuracy requirements refer to them.")
        self.none = added(self.column, Prose(hint))
        self.rows = added(self.column, SumRows(session))
        self.rows.ticked.connect(self._tick)
        self.rows.lead.connect(self.lead)
        self.hidden_needs = added(self.column, Prose("", "caption", hides=True))
        self.others = button_for(tr("Other needs …"), self.other_needs.emit, "small")
        about = Words(tr("single tables, sums, typical error, thresholds, percentages"), "caption")
        self.file_button = button_for(tr("Accuracy requirements from a CSV file …"), self._ask_file, "small")
        self.column.addWidget(in_a_row(self.file_button, self.others, about))
        self.problem = added(self.column, Problem())
        self.reader = Background(lambda path, stop: decoded(read_bytes(path)), words=refusal, parent=self)
        self.reader.done.connect(lambda _, text: self._add(text))
        self.reader.failed.connect(lambda _, words: self.problem.say(words))
        self.background = Background(lambda inputs, stop: table_kinds.half_widths(*inputs), parent=self)
        self.background.done.connect(lambda _, widths: self.rows.show_accuracy(widths))
        self._inputs: Any = None  # the noise of each kind of tables, and the budget

    def show_decision(self, decision: Decision) -> None:
        """Show the kinds of tables of DECISION, with the need of each."""
        contents = [
            RowContent(
                kind=kind,
                name=kind.words,
                note=table_kinds.note(kind),
                at=table_kinds.asked_at(decision, kind),
                tables=kind.tables,
            )
            for kind in table_kinds.table_kinds(decision)
        ]
        self.none.setVisible(not contents)
        shown = {content.at for content in contents}
        others = frozenset(
            at
            for at, need in enumerate(decision.requirements)
            if isinstance(need, AccuracyRequirement) and need.enabled and at not in shown
        )
        hidden = others if len(others) > MOST_OTHERS else frozenset()
        self.rows.show_contents(decision, contents, hidden)
        text = tr(
            "{n} other accuracy requirement is under “Technical details”.",
            "{n} other accuracy requirements are under “Technical details”.",
            n=len(hidden),
        )
        self.hidden_needs.say(text if hidden else "")

    def show_answers(self, decision: Decision, assessment: Assessment) -> None:
        """Show the budget of each need by ASSESSMENT, and the accuracy of all other tables."""
        self.rows.show_answers(assessment)
        release, drawn = decision.planned.release, sums_view.budget_drawn(assessment)
        budget = None if drawn is None else drawn.value
        kinds = table_kinds.table_kinds(decision)
        inputs = ([[published_setting(release, name) for name in kind.tables] for kind in kinds], budget)
        if budget and inputs != self._inputs:
            self.background.request(inputs)
        self._inputs = inputs

    def _ask_file(self) -> None:
        self.problem.say("")
        endings = f"{tr('Accuracy requirements as text')} (*.csv *.txt);;{tr('All files')} (*)"
        if path := ask_file(self, tr("Accuracy requirements from a CSV file"), endings):
            self.reader.request(Path(path))

    def _add(self, text: str) -> None:
        try:
            decision = with_needs(self.session.decision, text)
        except DPWizardError as problem:
            values = {"where": problem.where, "message": problem.text, "hint": problem.remedy}
            self.problem.say(tr("{where}: {message}. {hint}", **values))
            return
        self.session.edit(tr("Accuracy requirements from a CSV file"), by_needs(decision))

    def _tick(self, kind: table_kinds.TableKind) -> None:
        """Add the need of the tables of KIND; the keyboard goes to its first field."""
        name = tr("Require: {what}", what=kind.words)
        self.session.edit(name, by_needs(table_kinds.with_need(self.session.decision, kind)))
        self.rows.reach(kind)
