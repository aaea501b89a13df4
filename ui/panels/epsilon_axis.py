"""The epsilon axis: the limits of all requirements, the allowed range and the budget chosen."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGraphicsItem

from dpwizard.charts import Figure, Picture, axis_chart
from dpwizard.decision import Decision
from dpwizard.wording import range_of, window
from ui.panels.chart_panel import ChartPanel
from ui.plots import ChartPlot, Handles
from ui.widgets import theme

ROW, REST = 30, 75  # pixels for each requirement, and for the axis


class EpsilonAxisPanel(ChartPanel):
    """All requirements on one axis; in the decision step the chosen epsilon is moved with the mouse or arrow keys."""

    titled = ("chart", "axis_title")
    chosen = Signal(float, bool)  # the epsilon dragged to, and whether the drag goes on

    def __init__(self, colours: theme.Colours, *, on_card: bool = False, zoomed: bool = False) -> None:
        self.handles: Handles | None = None
        self._zoomed = zoomed
        if zoomed:
            self.titled = ("chart", "axis_close")
        self._dragged_to, self._decimals = 0.0, 0  # the epsilon, and the decimals of the allowed range
        super().__init__(colours, on_card=on_card)
        self.heading.setVisible(not on_card)

    def drafted(self, picture: Picture) -> bool:
        answers = picture.assessment.answers
        return all(answers[index].status != "unanswered" for index in picture.assessment.pending)

    def nothing(self, decision: Decision, picture: Picture) -> str:
        return window(picture.assessment)

    def plot_added(self, plot: ChartPlot) -> None:
        # the names are not kept as a picture: it would show as many as there were before the figure grew
        plot.left.setCacheMode(QGraphicsItem.CacheMode.NoCache)
        if not self.on_card:
            return
        self.handles = plot.offer_handles()
        self.handles.moved.connect(lambda _, epsilon, __: self._choose_dragged(epsilon))
        self.handles.settled.connect(lambda: self.chosen.emit(self._dragged_to, False))

    def figure_of(self, decision: Decision, picture: Picture) -> Figure | None:
        height = ROW * max(len(axis_chart.rows_of(picture.assessment)), 1) + REST
        self.height_of_plot = height
        for plot in self.plots:
            if plot.height() != height:
                plot.setFixedHeight(height)
        # on the card, a sentence beside the axis says where the choice is
        return axis_chart.figure(picture.assessment, self.on_card, decision, zoomed=self._zoomed)

    def whole(self, figure: Figure) -> Figure:
        shown = self.shown
        return figure if shown is None else axis_chart.tabled(figure, shown.picture.assessment, shown.decision)

    def show_figure(self, figure: Figure) -> None:
        super().show_figure(figure)
        if self._zoomed:  # beside the sentences that say it
            self.sentence.hide()

    def painted(self, decision: Decision, picture: Picture) -> None:
        self._decimals = range_of(picture.assessment).places
        if self.handles is not None:
            self.handles.show(axis_chart.handle(picture.assessment))

    def _choose_dragged(self, epsilon: float) -> None:
        decimals = max(3 if epsilon < 1 else 2, self._decimals)  # a narrow range has more
        self._dragged_to = round(max(epsilon, 0.0), decimals)
        self.chosen.emit(self._dragged_to, True)
