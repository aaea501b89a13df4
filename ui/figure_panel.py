"""The base of the panels whose figure is data of the model: computed behind the window, painted here, greyed while behind."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel

from dpwizard.decision import Decision
from dpwizard.drawings import chart_scene, charts
from dpwizard.drawings.picture import Picture
from dpwizard.drawings.scene import Scene
from dpwizard.explain import say, word
from ui import theme
from ui.background import Background
from ui.chart_plot import ChartPlot
from ui.controls import Prose
from ui.editors import ChoiceEditor
from ui.panels.panel import Panel
from ui.plot_tools import FigureTools

HEIGHT = 236  # pixels of a plot that stands alone
PATIENCE = 60  # milliseconds after which a figure that is being computed is greyed


class FigurePanel(Panel):
    """Shows a figure. What a subclass adds: what is read of a decision, and which function of the model makes the figure of it."""

    height_of_plot = HEIGHT
    pause = 0  # milliseconds without an edit before the figure is computed; 0: at once
    views: tuple[tuple[str, str], ...] = ()  # keys and words of the views that can be chosen

    def __init__(self, colours: theme.Colours, *, on_card: bool = False) -> None:
        self.on_card = on_card
        super().__init__(colours)

    def build(self) -> None:
        self.view = self.views[0][0] if self.views else ""
        self.index = 0  # the requirement spoken of, by position
        self.plots: list[ChartPlot] = []
        self.figure: charts.Figure | None = None
        self._read: Any = None
        self._asked: Any = None
        self._stale_page = self._late = False
        self.chooser: ChoiceEditor | None = None
        if self.views:
            self.chooser = ChoiceEditor("View", "Which figure is drawn.", self.views, optional=False)
            self.chooser.show_value(self.view)
            self.chooser.edited.connect(lambda view, _: self.choose(view))
            self.column.addWidget(self.chooser)
        self._after_plots = self.column.count()
        self.aside = Prose("", "caption")
        self.column.addWidget(self.aside)
        self.tools = FigureTools(self, self.title, self.drawn)
        self.column.addWidget(self.tools)
        self.background = Background(self._work, pause=self.pause, parent=self)
        self.background.done.connect(self._done)
        self.background.failed.connect(self._failed)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PATIENCE)
        self._timer.timeout.connect(lambda: self._grey(True))
        self.clear()

    # --------------------------------------------------------------------- what a subclass says

    def read(self, decision: Decision, picture: Picture) -> Any:
        """Return what the figure reads of DECISION: a frozen value; None if there is nothing to draw."""
        raise NotImplementedError

    def compute(self, read: Any, stop: Any) -> charts.Figure:
        """Return the figure of what was READ; runs behind the window."""
        raise NotImplementedError

    # ---------------------------------------------------------------------------------- showing

    def choose(self, view: str) -> None:
        """Draw another view."""
        self.view = view
        if self.chooser is not None:
            self.chooser.show_value(view)
        if self.shown is not None:
            self.show_picture(*self.shown)

    def follow(self, index: int) -> None:
        """Speak of requirement INDEX from now on."""
        self.index = index
        if self.shown is not None:
            self.show_picture(*self.shown)

    def draw(self, decision: Decision, picture: Picture) -> str:
        read = self.read(decision, picture)
        self.setVisible(read is not None)
        if read is None:
            self._read = self._asked = None
            self.background.forget()
            self._timer.stop()
            self._grey(False)
            self.clear()
            return word("chart", "nothing")
        if read == self._read and not self.background.busy:
            return self.sentence.words
        if read != self._asked:
            self._asked = read
            self.background.request(read)
            if not self._timer.isActive():
                self._timer.start()
        return self.sentence.words if self.figure is not None else word("chart", "working")

    def _work(self, read: Any, stop: Any) -> charts.Figure:
        return self.compute(read, stop)

    def _done(self, read: Any, figure: charts.Figure) -> None:
        if self._asked is None:
            return  # there is nothing to draw any more
        self._read = read
        self.show_figure(figure)
        if not self.background.busy:
            self._timer.stop()
            self._grey(False)

    def _failed(self, read: Any, reason: str) -> None:
        if read != self._asked:
            return
        self._timer.stop()
        self._read = None
        self.clear()
        self.sentence.say(say("chart", "failed", {"reason": reason}))
        self._grey(False)

    def show_figure(self, figure: charts.Figure) -> None:
        """Paint FIGURE and say what it shows."""
        self.figure = figure
        while len(self.plots) < len(figure.plots):
            plot = ChartPlot(self.colours, height=self.height_of_plot, on_card=self.on_card)
            self.column.insertWidget(self._after_plots + 2 * len(self.plots), self._caption())
            self.column.insertWidget(self._after_plots + 2 * len(self.plots) + 1, plot)
            self.plots.append(plot)
            self.tools.follow((plot,))
        for index, plot in enumerate(self.plots):
            caption = self._captions[index]
            shown = index < len(figure.plots)
            plot.setVisible(shown)
            if shown:
                data = figure.plots[index]
                words = " · ".join(text for text in (data.title, data.y.title) if text)
                if caption.text() != words:
                    caption.setText(words)
                caption.setVisible(bool(words))
                if plot.shown is not data and plot.shown != data:
                    plot.show_plot(data)
            else:
                caption.hide()
        self.sentence.say(figure.sentence)
        said = tuple(dict.fromkeys((*figure.asides, *self.more_asides())))
        self.aside.say("\n".join(said))
        self.aside.setVisible(bool(said))
        self.tools.setVisible(bool(figure.plots))
        if self.heading.text() != (figure.title or self.title):
            self.heading.setText(figure.title or self.title)
            self.setAccessibleName(figure.title or self.title)
        self.setAccessibleDescription(" ".join((figure.sentence, *said)))

    def more_asides(self) -> tuple[str, ...]:
        """Return further small sentences under the figure."""
        return ()

    def _caption(self) -> QLabel:
        if not hasattr(self, "_captions"):
            self._captions: list[QLabel] = []
        caption = QLabel()
        caption.setObjectName("caption")
        caption.setContentsMargins(0, theme.TIGHT, 0, 0)
        self._captions.append(caption)
        return caption

    def clear(self) -> None:
        """Show no figure."""
        self.figure = None
        for widget in (*self.plots, *getattr(self, "_captions", ())):
            widget.hide()
        self.aside.hide()
        self.tools.hide()

    def drawn(self) -> Scene | None:
        """Return the figure as a scene, to be saved or copied; None if there is none."""
        return chart_scene.scene(self.figure) if self.figure is not None and self.figure.plots else None

    # ------------------------------------------------------------------------------------ stale

    def set_stale(self, stale: bool) -> None:
        """Grey the panel while the page's answers, or its own figure, are of an older decision."""
        self._stale_page = stale
        super().set_stale(stale or self._late)

    def _grey(self, late: bool) -> None:
        self._late = late and self.background.busy
        super().set_stale(self._late or self._stale_page)

    def close_down(self) -> None:
        """End the work behind the panel; the window is closing."""
        self._timer.stop()
        self.background.close()
