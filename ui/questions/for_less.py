"""What stands at the right of a wide accuracy page: the axis, what the budget means, and what one gets for less."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGraphicsItem, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpwizard.charts import sums_view
from dpwizard.decision import Decision
from dpwizard.questions import promises
from dpwizard.wording import format_min, plain_sentences, written
from ui.controls import Prose
from ui.panels import State, epsilon_axis
from ui.plots import ChartPlot
from ui.questions.adversary import BeforeAndAfter, people
from ui.widgets import Card, added, drop, named, plain, theme, tr
from ui.workers import Background

WIDE = 1_000  # pixels from which there is room for two columns


class TwoColumns(QWidget):
    """A column, and beside it another one that is there only where there is room for both."""

    def __init__(self) -> None:
        super().__init__()
        row = plain(QHBoxLayout(self), theme.EDGE)
        self.first, self.second = plain(QVBoxLayout(), theme.NEAR), QWidget()
        self.more = plain(QVBoxLayout(self.second), theme.NEAR)
        row.addLayout(self.first, 1)
        row.addWidget(self.second, 1)
        self.second.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.second.setVisible(event.size().width() >= WIDE)


class StillAxis(epsilon_axis.EpsilonAxisPanel):
    """The axis of all requirements, on which nothing is dragged: epsilon is chosen on the next page."""

    def plot_added(self, plot: ChartPlot) -> None:
        plot.left.setCacheMode(QGraphicsItem.CacheMode.NoCache)


class ForLess:
    """The cards of the second column; what wider needs take is computed behind, and only where it is seen."""

    def __init__(self, colours: theme.Colours) -> None:
        self.axis_card = Card(tr("Every requirement on one axis"))
        self.axis = added(self.axis_card.column, StillAxis(colours, on_card=True))
        self.means = Card(" ")
        self.says = added(self.means.column, named(Prose(), "title"))
        self.dots = added(self.means.column, BeforeAndAfter(colours))
        self.table = Card(tr("If you ask for less"))
        self.grid = plain(QGridLayout(), theme.NEAR)
        self.table.column.addLayout(self.grid)
        self._labels: list[QLabel] = []
        self._decision: Decision | None = None
        self.background = Background(lambda read, stop: sums_view.for_less(read), parent=self.table)
        self.background.done.connect(self._fill)
        for card in (self.means, self.table):
            card.hide()

    def show_state(self, state: State) -> None:
        """Show every requirement on the axis."""
        self.axis.show_state(state)

    def show_view(self, decision: Decision, view: sums_view.SumsView) -> None:
        """Say what the budget of VIEW means for one person, and what wider needs would take."""
        budget = view.inputs.budget
        at = next((at for at in people(decision) if decision.requirements[at].enabled), None)
        asked = None if at is None else decision.requirements[at]
        right = None if asked is None else promises.right_at(decision, asked, budget)
        self.means.setVisible(right is not None)
        if asked is not None and right is not None:
            person = promises.words_of(decision)["a_person"]
            self.means.call(tr("What {epsilon} means for {person}", epsilon=view.inputs.budget_printed, person=person))
            text, strong = promises.promise(decision, asked, right)
            self.says.say(text, strong)
            self.dots.show_right(right)
        self._decision = decision
        if asked is None or view.inputs.need is None:
            self.table.hide()
        elif self.axis_card.isVisible():
            self.background.request(view.inputs)

    def _fill(self, read: sums_view.SumsInputs, found: tuple[tuple[float, float], ...]) -> None:
        """Show what wider needs would take, and how often a guess is right then."""
        decision = self._decision
        drop(self.grid, self._labels)
        self._labels = []
        self.table.setVisible(bool(found) and decision is not None and bool(people(decision)))
        if decision is None or self.table.isHidden():
            return
        name = plain_sentences.sum_name(read.followed, read.unit)
        self._row(
            0, (tr("{numbers} within", numbers=name), tr("needs"), tr("right about one person, at most")), "caption"
        )
        asked = decision.requirements[people(decision)[0]]
        for row, (half_width, budget) in enumerate(found, start=1):
            right = promises.right_at(decision, asked, budget)
            text = "–" if right is None else tr("{count} of 100", count=right)
            self._row(row, (written(half_width, "number"), format_min(budget), text), "")

    def _row(self, row: int, cells: tuple[str, ...], kind: str) -> None:
        for at, words in enumerate(cells):
            label = named(QLabel(words), kind)
            self.grid.addWidget(label, row, at, alignment=Qt.AlignmentFlag.AlignLeft)
            self._labels.append(label)
