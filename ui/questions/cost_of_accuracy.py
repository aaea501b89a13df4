"""The right column of a wide accuracy page: the axis, what the budget means, and what each requirement costs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGraphicsItem, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpwizard.charts import sums_view
from dpwizard.decision import Decision
from dpwizard.questions import privacy_words
from dpwizard.wording import format_min, plain_sentences, written
from ui.controls import Prose
from ui.panels import epsilon_axis
from ui.plots import ChartPlot
from ui.questions.adversary import BeforeAndAfter
from ui.widgets import Card, added, drop, named, plain, theme, tr
from ui.workers import Background

WIDE = 1_000  # pixels from which there is room for two columns


class TwoColumns(QWidget):
    """A column, and a second one that is visible only if there is room for both."""

    def __init__(self) -> None:
        super().__init__()
        row = plain(QHBoxLayout(self), theme.EDGE)
        self.first, self._second_holder = plain(QVBoxLayout(), theme.NEAR), QWidget()
        self.second = plain(QVBoxLayout(self._second_holder), theme.NEAR)
        row.addLayout(self.first, 1)
        row.addWidget(self._second_holder, 1)
        self._second_holder.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._second_holder.setVisible(event.size().width() >= WIDE)


class StillAxis(epsilon_axis.EpsilonAxisPanel):
    """The axis of all requirements without handles: epsilon is chosen on the next page."""

    def plot_added(self, plot: ChartPlot) -> None:
        plot.left.setCacheMode(QGraphicsItem.CacheMode.NoCache)


class CostOfAccuracy:
    """The cards of the second column; the budgets of wider needs are computed in the background, if it is visible."""

    def __init__(self, colours: theme.Colours) -> None:
        self.axis_card = Card(tr("Every requirement on one axis"))
        self.axis = added(self.axis_card.column, StillAxis(colours, on_card=True))
        self.meaning_card = Card(" ")
        self.meaning = added(self.meaning_card.column, named(Prose(), "title"))
        self.dots = added(self.meaning_card.column, BeforeAndAfter(colours))
        self.table_card = Card(tr("If you ask for less"))
        self.grid = plain(QGridLayout(), theme.NEAR)
        self.table_card.column.addLayout(self.grid)
        self._labels: list[QLabel] = []
        self._decision: Decision | None = None
        self.background = Background(lambda inputs, stop: sums_view.for_less(inputs), parent=self.table_card)
        self.background.done.connect(self._fill)
        for card in (self.meaning_card, self.table_card):
            card.hide()

    def show_view(self, decision: Decision, view: sums_view.SumsView) -> None:
        """Show what the budget of VIEW means for one person, and the budgets of wider needs."""
        requirement = next((requirement for _, requirement in privacy_words.enabled_requirements(decision)), None)
        right = None if requirement is None else privacy_words.right_at(decision, requirement, view.inputs.budget)
        self.meaning_card.setVisible(right is not None)
        if requirement is not None and right is not None:
            values = {"epsilon": view.inputs.budget_printed, "person": privacy_words.words_of(decision)["a_person"]}
            self.meaning_card.call(tr("What {epsilon} means for {person}", **values))
            self.meaning.say(*privacy_words.promise(decision, requirement, right))
            self.dots.show_right(right)
        self._decision = decision
        if requirement is None or view.inputs.need is None:
            self.table_card.hide()
        elif self.axis_card.isVisible():
            self.background.request(view.inputs)

    def _fill(self, inputs: sums_view.SumsInputs, wider: tuple[tuple[float, float], ...]) -> None:
        decision = self._decision
        drop(self.grid, self._labels)
        self._labels = []
        requirements = () if decision is None else privacy_words.adversary_requirements(decision)
        self.table_card.setVisible(bool(wider and requirements))
        if decision is None or self.table_card.isHidden():
            return
        name = plain_sentences.sum_name(inputs.followed, inputs.unit)
        heads = (tr("{numbers} within", numbers=name), tr("needs"), tr("right about one person, at most"))
        self._row(0, heads, "caption")
        for row, (half_width, budget) in enumerate(wider, start=1):
            right = privacy_words.right_at(decision, decision.requirements[requirements[0]], budget)
            text = "–" if right is None else tr("{count} of 100", count=right)
            self._row(row, (written(half_width, "number"), format_min(budget), text), "")

    def _row(self, row: int, cells: tuple[str, ...], kind: str) -> None:
        for at, words in enumerate(cells):
            label = named(QLabel(words), kind)
            self.grid.addWidget(label, row, at, alignment=Qt.AlignmentFlag.AlignLeft)
            self._labels.append(label)
