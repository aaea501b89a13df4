"""The plain questions of accuracy: which numbers must be how exact, whether totals are printed, and small counts."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel

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
from ui.questions.for_less import ForLess, TwoColumns
from ui.questions.options import Options
from ui.questions.sentence import Sentence
from ui.questions.sum_rows import Numbers, SumRows
from ui.questions.tables_card import TablesCard
from ui.session import DocumentSession
from ui.widgets import Card, Words, added, button_for, fill, in_a_row, named, theme, tr
from ui.workers import Background

CHART = 176  # pixels
FIELD = 48  # pixels
WHERE = "$.requirements"
TOTALS = "$.release.totals_printed"


class SumsCard(Card):
    """Counts and totals to tick, a field for another sum, and the way to all other needs."""

    other_needs = Signal()
    followed = Signal(object)

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.session = session
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
        asked = in_a_row(Words(tr("A sum of")), self.cells, Words(tr("of the numbers")), self.add)
        self._asks = added(self.column, asked)
        self._asks.hide()
        self.problem = added(self.column, named(QLabel(wordWrap=True), "problem"))
        self.problem.hide()

    def _ask_cells(self) -> None:
        self._asks.show()
        self.cells.setFocus(Qt.FocusReason.OtherFocusReason)

    def _add(self) -> None:
        """Add a need of a sum of so many numbers as were typed; say what is wrong where that is no number of them."""
        numbers = self.session.decision.release.tables[0].dimension
        typed = parsed(self.cells.text())
        wrong = typed is None or not typed.is_integer() or not 1 < typed <= numbers
        self.problem.setText(tr("Enter a whole number from 2 to {most}.", most=numbers) if wrong else "")
        self.problem.setVisible(wrong)
        if typed is None or wrong:
            return
        made = TableSum(which="other", cells=int(typed), sums=1)
        self.cells.clear()
        self._asks.hide()
        self._tick(made)

    def _tick(self, numbers: TableSum) -> None:
        """Add the need of NUMBERS; the keyboard goes to how far off they may be."""
        called = plain_sentences.sum_name(numbers, plain_sentences.unit_of(self.session.decision.release))
        decision = with_need(self.session.decision, numbers)
        if readers_add_up(decision.release) and decision.release.totals_printed is None:
            decision = answered(edits.put(decision, TOTALS, True), PRINTED)  # as the page says
        self.session.edit(tr("Must keep: {what}", what=called), with_totals_printed(decision))
        self.followed.emit(numbers)
        self.rows.reach(numbers)

    def show_decision(self, decision: Decision) -> None:
        """Show what DECISION asks of each kind of numbers."""
        unit = plain_sentences.unit_of(decision.release)
        numbers = []
        for one in sums_read(decision):
            name, note = (plain_sentences.sum_name(one, unit, part) for part in ("", "_note"))
            numbers.append(Numbers(of=one, name=name, note=note, at=asked_at(decision, one)))
        averages = decision.release.each_number == "average"  # whose sums say nothing
        self.another.setVisible(decision.release.tables[0].dimension > 1 and not averages)
        small = frozenset(at for at, one in enumerate(decision.requirements) if isinstance(one, SpuriousRate))
        self.rows.show_numbers(decision, tuple(numbers), small)


class TotalsCard(Card):
    """Whether totals are printed, added up before counts below 0 become 0; and what readers get who add up."""

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.session = session
        self.says = added(self.column, Prose())
        self._too_high = ""
        answers = {"yes": tr("They are printed"), "no": tr("Not possible here …")}
        self.options = added(self.column, Options(tr("All totals are printed in the table"), answers))
        self.options.chosen.connect(self._choose)
        self.refused = added(self.column, Prose(tr(
            "Then nothing is promised for totals: what is ticked above holds before noisy numbers below 0 become 0."
        ), "caption"))  # fmt: skip

    def _choose(self, key: str) -> None:
        printed = key == "yes"
        decision = edits.put(self.session.decision, TOTALS, printed)
        made = answered(decision, PRINTED, state=None if printed else "refused")
        self.session.edit(tr("Totals are printed") if printed else tr("Totals are not printed"), made)

    def show_decision(self, decision: Decision) -> None:
        """Show what DECISION says of its totals; nothing where readers' own totals are right."""
        self.setVisible(readers_add_up(decision.release))
        printed = decision.release.totals_printed
        self.options.show_key("no" if printed is False else "yes")
        self.refused.setVisible(printed is False)
        self.say(self._too_high)

    def say(self, too_high: str) -> None:
        """Say TOO_HIGH, by how much readers' own totals are."""
        self._too_high, units = too_high, word("sum", f"{plain_sentences.unit_of(self.session.decision.release)}s")
        text = tr("All totals are printed in the table, added up before {units} below 0 become 0.", units=units)
        self.says.say(f"{text} {too_high}".strip(), strong=(tr("All totals are printed in the table"),))


class SmallCountsCard(Card):
    """As what small true counts are published, and whether anybody acts on a 3."""

    def __init__(self, session: DocumentSession, colours: theme.Colours) -> None:
        super().__init__(tr("Small counts"))
        self.session = session
        self.says = added(self.column, Prose())
        self.table = added(self.column, CellsView(colours))
        question = tr("Does anybody act on a {count}?", count=sums_view.WATCHED)
        self.options = Options(question, {"no": tr("No"), "yes": tr("Yes: then a true 0 must not …")})
        self.options.chosen.connect(self._choose)
        self.column.addWidget(in_a_row(Words(question), self.options, spacing=theme.GROUP))
        self.sentence: Sentence | None = None

    def show_decision(self, decision: Decision) -> None:
        """Show whether DECISION keeps a true 0 from being published as so many."""
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
        """Show what the noise makes of small counts; nothing where the table holds no counts."""
        small = view.small
        self.setVisible(small is not None)
        if small is None:
            return
        self.call(format_text("sum", "small_title", {"value": view.inputs.budget_printed}))
        self.says.say(*sums.small(small.reaches, small.one_reaches, view.inputs.rows[0].sums, sums_view.WATCHED))
        self.table.show_cells(cells_scene.chances(small.rows, sums_view.WATCHED, decision))

    def _small_count_need(self, decision: Decision) -> int | None:
        asked = enumerate(decision.requirements)
        return next((at for at, one in asked if isinstance(one, SpuriousRate) and one.enabled), None)

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
    """All plain questions of accuracy, and what they come to, computed behind the window."""

    def __init__(self, session: DocumentSession, colours: theme.Colours) -> None:
        self.session = session
        self.numbers = SumsCard(session)
        self.totals = TotalsCard(session)
        self.chart = Card()
        self.chart.column.setSpacing(theme.TIGHT)
        self.views = Options(tr("Shown"), {"bars": tr("How far off"), "made_up": tr("A made-up table")})
        self.views.chosen.connect(self._turn)
        self.plot = ChartPlot(colours, height=CHART, on_card=True)
        self.made_up = MadeUpTable(colours)
        fill(self.chart.column, self.views, self.plot, self.made_up)
        self._turn("bars")
        self.small = SmallCountsCard(session, colours)
        self.several = TablesCard(session)
        self.less = ForLess(colours)
        self.meant = TwoColumns()
        fill(self.meant.first, self.chart, self.small)
        self.meant.first.addStretch(1)
        fill(self.meant.more, self.less.axis_card, self.less.means, self.less.table)
        self.meant.more.addStretch(1)
        self.numbers.followed.connect(self._follow)
        self.background = Background(lambda read, stop: sums_view.view(read), parent=self.numbers)
        self.background.done.connect(self._show)
        self.chart.hide()
        self.small.hide()
        self._followed: TableSum | None = None
        self._asked: sums_view.SumsInputs | None = None
        self._state: State | None = None

    def show_decision(self, decision: Decision) -> None:
        """Show what DECISION asks, once all has its place on the page; of several tables the details ask."""
        several = len(decision.release.tables) > 1
        self.several.setVisible(several)
        self.numbers.setVisible(not several)
        if several:
            self.totals.hide()
            self.several.show_decision(decision)
            return
        self.numbers.show_decision(decision)
        self.totals.show_decision(decision)
        self.small.show_decision(decision)

    def _turn(self, key: str) -> None:
        self.views.show_key(key)
        self.plot.setVisible(key == "bars")
        self.made_up.setVisible(key == "made_up")
        self.made_up.draw()

    def _follow(self, numbers: TableSum | None) -> None:
        """Draw NUMBERS from now on."""
        if numbers is not None:
            self._followed = numbers
            if self._state is not None:
                self._ask(self._state)

    def show_state(self, state: State) -> None:
        """Show what the decision asks; ask behind for what the noise at the budget looked at comes to."""
        before, self._state = self._state, state
        if before is None or before.decision is not state.decision:
            self.show_decision(state.decision)
        self.less.show_state(state)
        self._ask(state)

    def _ask(self, state: State) -> None:
        found, asked = state.solved or state.draft, state.decision.planned
        if found is None or found.decision.release is not asked.release:
            return
        if found.decision is asked and len(state.decision.release.tables) > 1:
            self.several.show_answers(state.decision, found.assessment)
        elif found.decision is asked:
            self.numbers.rows.say_answers(found.assessment)
        read = sums_view.inputs(state.decision, found.assessment, self._followed)
        if read is None:
            self.chart.hide()
            self.small.hide()
        if read is None or read == self._asked:
            self._asked = read
            return
        self._asked = read
        self.background.request(read)

    def _show(self, read: sums_view.SumsInputs, view: sums_view.SumsView) -> None:
        if self._state is None or self._asked is None:
            return
        decision = self._state.decision
        self.numbers.rows.say_gets(view.half_widths)
        self.chart.call(sums.chart_title(read.followed, read.unit, read.budget_printed))
        self.chart.title.show()
        self.chart.show()
        self.plot.show_plot(view.chart)
        self.made_up.show_view(decision, read)
        self.views.setVisible(view.small is not None)
        if view.small is None:
            self._turn("bars")
        self.small.show_view(view, decision)
        self.less.show_view(decision, view)
        self.totals.say(sums.too_high(view.total, view.inputs.unit, view.too_high))

    def close_down(self) -> None:
        """End what runs behind the questions; the window is closing."""
        self.background.close()
        self.several.background.close()
        self.several.reader.close()
        self.less.background.close()

    def forget_problems(self) -> None:
        """Show the decision as it is in every field."""
        for sentence in self._sentences():
            sentence.forget_problems()

    def reach(self, where: str) -> bool:
        """Give the keyboard to the field of the path WHERE, if it is among the plain questions."""
        if where == TOTALS and not self.totals.isHidden():
            self.totals.options.reach()
            return True
        return any(sentence.reach(where) for sentence in self._sentences() if not sentence.isHidden())

    def _sentences(self) -> tuple[Sentence, ...]:
        rows = (*self.numbers.rows.rows, *self.several.rows.rows)
        return tuple(one for one in (*(row.sentence for row in rows), self.small.sentence) if one is not None)
