"""Panels that compare the decision: with another decision, and with the budgets others chose."""

from __future__ import annotations

from dpwizard.charts import Figure, Picture, charts, two_decisions
from dpwizard.decision import Decision
from ui.controls import PrecedentsTable, RowsTable
from ui.panels.figure_panel import FigurePanel, FigureSpec, Subject
from ui.panels.panel import Panel
from ui.widgets import theme

SHARES = (0.26, 0.31, 0.31, 0.1)  # of the width
MOST_ROWS = 16  # seen at once; the rest by scrolling
ROW = 30  # pixels of the plot for each requirement
MIN_HEIGHT, MAX_HEIGHT = 120, 420


class TwoDecisionsPanel(FigurePanel):
    """The decision compared with another one, live; hidden until another one is chosen."""

    def __init__(self, colours: theme.Colours, *, on_card: bool = False) -> None:
        self.other: Decision | None = None
        self.names = ("", "")
        spec = FigureSpec(title=("two_decisions", "title"), drawing=self._two_decisions)
        super().__init__(colours, spec, on_card=on_card)

    def build(self) -> None:
        super().build()
        self.table = RowsTable(self.title, most=MOST_ROWS, wraps=True)
        self.column.addWidget(self.table)

    def compare(self, other: Decision | None, names: tuple[str, str]) -> None:
        """Compare the decision shown with OTHER, both under NAMES; None: stop comparing."""
        self.other, self.names = other, names
        self.redraw()

    def _two_decisions(self, subject: Subject) -> charts.Drawing | None:
        if self.other is None:
            return None
        return charts.Drawing.of(two_decisions.figure, first=subject.decision, second=self.other, names=self.names)

    def show_figure(self, figure: Figure) -> None:
        rows = max((len(plot.y.ticks) for plot in figure.plots), default=1)
        self.height_of_plot = min(max(ROW * rows + 56, MIN_HEIGHT), MAX_HEIGHT)
        super().show_figure(figure)
        for plot in self.plots:
            plot.setFixedHeight(self.height_of_plot)
        self.table.show()
        self.table.fill(figure.columns, figure.rows, shares=SHARES)

    def clear(self) -> None:
        super().clear()
        if hasattr(self, "table"):
            self.table.hide()


class PrecedentsPanel(Panel):
    """The officer's decision among the choices of others; hidden before a budget is chosen."""

    titled = ("precedents", "title")

    def build(self) -> None:
        self.table = PrecedentsTable()
        self.column.addWidget(self.table)
        self.sentence.hide()
        self.hide()

    def draw(self, decision: Decision, picture: Picture) -> str:
        self.setVisible(decision.chosen is not None or self.table.fold.is_open)
        self.table.show_decision(decision, picture.assessment)
        return ""
