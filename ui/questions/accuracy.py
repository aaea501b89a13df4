"""The plain questions about accuracy: what is required of numbers, whether totals are printed, and small counts."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal

from dpwizard.charts import cells_scene, sums_view
from dpwizard.decision import Decision, TableSum, asked_at, edits, readers_add_up, sums_read, with_need
from dpwizard.decision.requirements import SpuriousRate
from dpwizard.questions import sums
from dpwizard.wording import format_text, plain_sentences, word
from ui.controls import NumberLine, Prose
from ui.forms import parsed
from ui.panels import State
from ui.plots import ChartPlot
from ui.questions.assumption_card import PRINTED, answered, with_totals_printed
from ui.questions.cells_view import CellsView, MadeUpTable
from ui.questions.cost_of_accuracy import CostOfAccuracy, TwoColumns
from ui.questions.options import Options
from ui.questions.sentence import Sentence
from ui.questions.sum_rows import RowContent, SumRows
from ui.questions.tables_card import TablesCard
from ui.session import DocumentSession
from ui.widgets import Card, Problem, Words, added, button_for, fill, in_a_row, theme, tr
from ui.workers import Background

CHART = 176  # pixels
FIELD = 48  # pixels
WHERE = "$.requirements"
TOTALS = "$.release.totals_printed"


class SumsCard(Card):
    """Counts and totals to tick, a field for another sum, and a button for all other needs."""

    other_needs = Signal()
    followed = Signal(object)
    left = Signal()  # another decision is about to be shown; ends with this card, where the session goes on

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.session = session
        session.left.connect(self.left)
        self.column.setSpacing(theme.TIGHT)
        self.rows = added(self.column, SumRows(session))
        self.rows.followed.connect(self.followed)
        self.rows.ticked.connect(self._tick)
        self.another = button_for(tr("Add another sum …"), self._ask_cells, "small")
        self.others = button_for(tr("Other needs …"), self.other_needs.emit, "small")
        about = Words(tr("typical error, thresholds, percentages"), "caption")
        self.column.addWidget(in_a_row(self.another, self.others, about))
        self.cells = NumberLine()
        self.cells.setFixedWidth(FIELD)
        self.cells.setAccessibleName(tr("How many numbers are added"))
        self.cells.returnPressed.connect(self._add)
        self.add = button_for(tr("Add this sum"), self._add, "small")
        row = in_a_row(Words(tr("A sum of")), self.cells, Words(tr("of the numbers")), self.add)
        self._new_sum = added(self.column, row)
        self._new_sum.hide()
        self.problem = added(self.column, Problem())

    def _ask_cells(self) -> None:
        self._new_sum.show()
        self.cells.setFocus(Qt.FocusReason.OtherFocusReason)

    def _add(self) -> None:
        """Add a need of a sum of as many numbers as typed, or show why that is refused."""
        numbers = self.session.decision.release.tables[0].dimension
        typed = parsed(self.cells.text())
        wrong = typed is None or not typed.is_integer() or not 1 < typed <= numbers
        self.problem.say(tr("Enter a whole number from 2 to {most}.", most=numbers) if wrong else "")
        if typed is None or wrong:
            return
        self.cells.clear()
        self._new_sum.hide()
        self._tick(TableSum(which="other", cells=int(typed), sums=1))

    def _tick(self, table_sum: TableSum) -> None:
        """Add the need of TABLE_SUM; the keyboard goes to its first field."""
        name = plain_sentences.sum_name(table_sum, plain_sentences.unit_of(self.session.decision.release))
        decision = with_need(self.session.decision, table_sum)
        if readers_add_up(decision.release) and decision.release.totals_printed is None:
            decision = answered(edits.put(decision, TOTALS, True), PRINTED)  # as the page says
        self.session.edit(tr("Require: {what}", what=name), with_totals_printed(decision))
        self.followed.emit(table_sum)
        self.rows.reach(table_sum)

    def show_decision(self, decision: Decision) -> None:
        """Show the needs of DECISION."""
        unit = plain_sentences.unit_of(decision.release)
        contents = []
        for table_sum in sums_read(decision):
            name, note = (plain_sentences.sum_name(table_sum, unit, suffix) for suffix in ("", "_note"))
            contents.append(RowContent(kind=table_sum, name=name, note=note, at=asked_at(decision, table_sum)))
        averages = decision.release.each_number == "average"  # their sums have no meaning
        self.another.setVisible(decision.release.tables[0].dimension > 1 and not averages)
        small_counts = frozenset(at for at, need in enumerate(decision.requirements) if isinstance(need, SpuriousRate))
        self.rows.show_contents(decision, contents, small_counts)


class TotalsCard(Card):
    """Whether totals are printed, added up before counts below 0 become 0; and how much readers' own totals differ."""

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.session = session
        self.text = added(self.column, Prose())
        self._too_high = ""
        answers = {"yes": tr("They are printed"), "no": tr("Not possible here …")}
        self.options = added(self.column, Options(tr("All totals are printed in the table"), answers))
        self.options.chosen.connect(self._choose)
        self.refused = added(self.column, Prose(tr(
            "Then no limit applies to totals: what is ticked above holds before noisy numbers below 0 become " "0."
        ), "caption"))  # fmt: skip

    def _choose(self, key: str) -> None:
        printed = key == "yes"
        decision = edits.put(self.session.decision, TOTALS, printed)
        decision = answered(decision, PRINTED, state=None if printed else "refused")
        self.session.edit(tr("Totals are printed") if printed else tr("Totals are not printed"), decision)

    def show_decision(self, decision: Decision) -> None:
        """Show whether totals are printed; nothing if readers' own totals are right."""
        self.setVisible(readers_add_up(decision.release))
        printed = decision.release.totals_printed
        self.options.show_key("no" if printed is False else "yes")
        self.refused.setVisible(printed is False)
        self.say(self._too_high)

    def say(self, too_high: str) -> None:
        """Show TOO_HIGH, how much readers' own totals are too high."""
        self._too_high, units = too_high, word("sum", f"{plain_sentences.unit_of(self.session.decision.release)}s")
        text = tr("All totals are printed in the table, added up before {units} below 0 become 0.", units=units)
        self.text.say(f"{text} {too_high}".strip(), strong=(tr("All totals are printed in the table"),))


class SmallCountsCard(Card):
    """What small true counts become, and whether anyone acts on a 3."""

    def __init__(self, session: DocumentSession, colours: theme.Colours) -> None:
        super().__init__(tr("Small counts"))
        self.session = session
        self.text = added(self.column, Prose())
        self.table = added(self.column, CellsView(colours))
        question = tr("Does anybody act on a {count}?", count=sums_view.WATCHED)
        self.options = Options(question, {"no": tr("No"), "yes": tr("Yes: then a true 0 must not …")})
        self.options.chosen.connect(self._choose)
        self.column.addWidget(in_a_row(Words(question), self.options, spacing=theme.GROUP))
        self.sentence: Sentence | None = None

    def show_decision(self, decision: Decision) -> None:
        """Show whether DECISION has a need of small counts."""
        at = self._small_count_need(decision)
        self.options.show_key("no" if at is None else "yes")
        if at is not None:
            where = f"{WHERE}[{at}]"
            if self.sentence is None:
                words = tr(
                    "be published as {threshold} or more in more than {at_most} of 100 cases",
                    threshold="{threshold}",
                    at_most="{at_most}",
                )
                widths = {"threshold": FIELD, "at_most": FIELD}
                self.sentence = added(self.column, Sentence(self.session, where, SpuriousRate, words, widths))
            self.sentence.move_to(where)
            self.sentence.refresh()
        if self.sentence is not None:
            self.sentence.setVisible(at is not None)

    def show_view(self, view: sums_view.SumsView, decision: Decision) -> None:
        """Show what small counts become; nothing if the table has no counts."""
        small = view.small
        self.setVisible(small is not None)
        if small is None:
            return
        self.call(format_text("sum", "small_title", {"value": view.inputs.budget_printed}))
        self.text.say(*sums.small(small.reaches, small.one_reaches, view.inputs.rows[0].sums, sums_view.WATCHED))
        self.table.show_cells(cells_scene.chances(small.rows, sums_view.WATCHED, decision))

    def _small_count_need(self, decision: Decision) -> int | None:
        requirements = enumerate(decision.requirements)
        return next((at for at, need in requirements if isinstance(need, SpuriousRate) and need.enabled), None)

    def _choose(self, key: str) -> None:
        decision, at = self.session.decision, self._small_count_need(self.session.decision)
        if key == "no" and at is not None:
            self.session.edit(tr("Nobody acts on small counts"), edits.remove(decision, WHERE, at))
        elif key == "yes" and at is None:
            need: dict[str, Any] = {"kind": "spurious_rate", "threshold": sums_view.WATCHED, **SpuriousRate.begins}
            self.session.edit(tr("Someone acts on small counts"), edits.add(decision, WHERE, need))
            if self.sentence is not None:
                self.sentence.editors["at_most"].reach()


class AccuracyQuestions:
    """All plain questions of accuracy, and the figures about them, computed in the background."""

    def __init__(self, session: DocumentSession, colours: theme.Colours) -> None:
        self.session = session
        self.sums = SumsCard(session)
        self.totals = TotalsCard(session)
        self.chart = Card()
        self.chart.column.setSpacing(theme.TIGHT)
        self.views = Options(tr("Shown"), {"bars": tr("How far off"), "made_up": tr("A made-up table")})
        self.views.chosen.connect(self._show_chart)
        self.plot = ChartPlot(colours, height=CHART, on_card=True)
        self.made_up = MadeUpTable(colours)
        fill(self.chart.column, self.views, self.plot, self.made_up)
        self._show_chart("bars")
        self.small_counts = SmallCountsCard(session, colours)
        self.tables = TablesCard(session)
        self.cost = CostOfAccuracy(colours)
        self.columns = TwoColumns()
        fill(self.columns.first, self.chart, self.small_counts)
        self.columns.first.addStretch(1)
        fill(self.columns.second, self.cost.axis_card, self.cost.meaning_card, self.cost.table_card)
        self.columns.second.addStretch(1)
        self.sums.followed.connect(self._follow)
        self.background = Background(lambda request, stop: sums_view.view(request[1]), parent=self.sums)
        self.background.done.connect(self._show)
        self.sums.left.connect(self._leave)
        self._left = 0  # how many decisions were left
        self.chart.hide()
        self.small_counts.hide()
        self._followed: TableSum | None = None
        self._inputs: sums_view.SumsInputs | None = None
        self._state: State | None = None

    def show_decision(self, decision: Decision) -> None:
        """Show the needs of DECISION, once the cards are on the page."""
        has_several_tables = len(decision.release.tables) > 1
        self.tables.setVisible(has_several_tables)
        self.sums.setVisible(not has_several_tables)
        if has_several_tables:
            self.totals.hide()
            self.tables.show_decision(decision)
            return
        self.sums.show_decision(decision)
        self.totals.show_decision(decision)
        self.small_counts.show_decision(decision)

    def _show_chart(self, key: str) -> None:
        self.views.show_key(key)
        self.plot.setVisible(key == "bars")
        self.made_up.setVisible(key == "made_up")
        self.made_up.draw()

    def _follow(self, table_sum: TableSum | None) -> None:
        if table_sum is not None:
            self._followed = table_sum
            if self._state is not None:
                self._request(self._state)

    def show_state(self, state: State) -> None:
        """Show the decision and its answers, and request the figures on the noise."""
        previous, self._state = self._state, state
        if previous is None or previous.decision is not state.decision:
            self.show_decision(state.decision)
        self.cost.axis.show_state(state)
        self._request(state)

    def _request(self, state: State) -> None:
        solved, planned = state.solved or state.draft, state.decision.planned
        if solved is None or solved.decision.release is not planned.release:
            return
        if solved.decision is planned and len(state.decision.release.tables) > 1:
            self.tables.show_answers(state.decision, solved.assessment)
        elif solved.decision is planned:
            self.sums.rows.show_answers(solved.assessment)
        previous, self._inputs = self._inputs, sums_view.inputs(state.decision, solved.assessment, self._followed)
        if self._inputs is None:
            self.chart.hide()
            self.small_counts.hide()
        elif self._inputs != previous:
            self.background.request((self._left, self._inputs))

    def _leave(self) -> None:
        """Show no figure of the decision that is left."""
        self._left += 1
        self._inputs = None
        self.background.forget()
        self.sums.rows.show_accuracy((None,) * len(self.sums.rows.rows))
        self.totals.say("")
        for card in (self.chart, self.small_counts, self.cost.meaning_card, self.cost.table_card):
            card.hide()

    def _show(self, request: tuple[int, sums_view.SumsInputs], view: sums_view.SumsView) -> None:
        left, inputs = request
        if self._state is None or self._inputs is None or left != self._left:
            return
        decision = self._state.decision
        self.sums.rows.show_accuracy(view.half_widths)
        self.chart.call(sums.chart_title(inputs.followed, inputs.unit, inputs.budget_printed))
        self.chart.title.show()
        self.chart.show()
        self.plot.show_plot(view.chart)
        self.made_up.show_view(decision, inputs)
        self.views.setVisible(view.small is not None)
        if view.small is None:
            self._show_chart("bars")
        self.small_counts.show_view(view, decision)
        self.cost.show_view(decision, view)
        self.totals.say(sums.too_high(view.total, view.inputs.unit, view.too_high))

    def forget_problems(self) -> None:
        """Show the decision in every field."""
        for sentence in self._sentences():
            sentence.forget_problems()

    def reach(self, where: str) -> bool:
        """Give the keyboard to the field of the path WHERE, if a plain question has it."""
        if where == TOTALS and not self.totals.isHidden():
            self.totals.options.reach()
            return True
        return any(sentence.reach(where) for sentence in self._sentences() if not sentence.isHidden())

    def _sentences(self) -> tuple[Sentence, ...]:
        rows = (*self.sums.rows.rows, *self.tables.rows.rows)
        sentences = (*(row.sentence for row in rows), self.small_counts.sentence)
        return tuple(sentence for sentence in sentences if sentence is not None)
