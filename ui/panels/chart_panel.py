"""The base of the panels that paint a figure of the model: plots below one another, crosshair, tools.

A `ChartPanel` paints at once what comes with the answers; a `FigurePanel` (a file of its own) computes its figure in
the background.
"""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget

from dpwizard.charts import Picture, Scene, chart_scene, charts
from dpwizard.decision import Decision
from dpwizard.wording import word
from ui.controls import Prose
from ui.panels.panel import Panel
from ui.plots import ChartPlot, FigureTools
from ui.widgets import added, named, theme

HEIGHT = 236  # pixels of a plot that stands alone


class ChartPanel(Panel):
    """Shows a figure that a subclass makes from a decision and its answers, in the frame in which they come."""

    height_of_plot = HEIGHT

    def __init__(self, colours: theme.Colours, *, on_card: bool = False) -> None:
        self.on_card = on_card
        super().__init__(colours)

    def build(self) -> None:
        self.plots: list[ChartPlot] = []
        self._captions: list[QLabel] = []
        self.figure: charts.Figure | None = None
        self.before_plots()
        self._after_plots = self.column.count()
        self.aside = added(self.column, Prose("", "caption", hides=True))
        self.tools = added(self.column, FigureTools(self, self.title, self.drawn, brief=self.on_card))
        self.clear()

    def say_less(self) -> None:
        self.tools.say_less()

    @property
    def plot(self) -> ChartPlot:
        """Return the first plot."""
        return self.plots[0]

    # --------------------------------------------------------------------- what a subclass says

    def before_plots(self) -> None:
        """Add widgets above the plots; most panels have none."""

    def figure_of(self, decision: Decision, picture: Picture) -> charts.Figure | None:
        """Return the figure of DECISION, None for nothing. The model or background work has computed it already."""
        return self.figure

    def nothing(self, decision: Decision, picture: Picture) -> str:
        """Return the sentence to show when there is no figure."""
        return word("chart", "nothing")

    def painted(self, decision: Decision, picture: Picture) -> None:
        """Called after the figure, or nothing, was painted."""

    def whole(self, figure: charts.Figure) -> charts.Figure:
        """Return FIGURE with its table; a subclass whose table takes time makes it here, on demand."""
        return figure

    def more_asides(self) -> tuple[str, ...]:
        """Return further small sentences under the figure."""
        return ()

    # ---------------------------------------------------------------------------------- showing

    def draw(self, decision: Decision, picture: Picture) -> str:
        figure = self.figure_of(decision, picture)
        if figure is None:
            self.clear()
            self.painted(decision, picture)
            return self.nothing(decision, picture)
        self.show_figure(figure)
        self.painted(decision, picture)
        return figure.sentence

    def show_figure(self, figure: charts.Figure) -> None:
        """Paint FIGURE and say what it shows."""
        self.figure = figure
        while len(self.plots) < len(figure.plots):
            self._add_plot()
        for index, plot in enumerate(self.plots):
            caption = self._captions[index]
            shown = index < len(figure.plots)
            plot.setVisible(shown)
            if shown:
                data = figure.plots[index]
                axis = "" if self.on_card and not data.title else data.y.title
                words = " · ".join(text for text in (data.title, axis) if text)
                caption.setText(words)
                caption.setVisible(bool(words))
                before, plot.level = plot.level, tuple(each_plot.y for each_plot in figure.plots)
                if (plot.shown is not data and plot.shown != data) or plot.level != before:
                    plot.show_plot(data)
            else:
                caption.hide()
        self.sentence.say(figure.sentence)
        sentences = tuple(dict.fromkeys((*figure.asides, *self.more_asides())))
        self.aside.say("\n".join(sentences))
        self.tools.setVisible(bool(figure.plots))
        title = figure.title or self.title
        if self.heading.text() != title:
            self.heading.setText(title)
            self.setAccessibleName(title)
        self.tools.title = title
        self.setAccessibleDescription(" ".join((figure.sentence, *sentences)))

    def _add_plot(self) -> None:
        caption = named(QLabel(wordWrap=True), "caption")
        caption.setContentsMargins(0, theme.TIGHT, 0, 0)
        plot = ChartPlot(self.colours, height=self.height_of_plot, on_card=self.on_card)
        self.column.insertWidget(self._after_plots + 2 * len(self.plots), caption)
        self.column.insertWidget(self._after_plots + 2 * len(self.plots) + 1, plot)
        self._captions.append(caption)
        self.plots.append(plot)
        self.tools.follow((plot,))
        self.plot_added(plot)

    def plot_added(self, plot: ChartPlot) -> None:
        """Called with each new PLOT."""

    def clear(self) -> None:
        """Show no figure."""
        self.figure = None
        self.aside.say("")
        hidden: tuple[QWidget, ...] = (*self.plots, *self._captions, self.tools)
        for widget in hidden:
            widget.hide()

    def drawn(self) -> Scene | None:
        """Return the figure as a scene to save or copy; None if there is none."""
        return chart_scene.scene(self.whole(self.figure)) if self.figure is not None and self.figure.plots else None
