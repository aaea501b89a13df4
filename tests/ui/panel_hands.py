"""A panel of figures in a window of its own, for the tests of panels."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpwizard.charts import picture
from dpwizard.decision import Decision
from dpwizard.projects.project import open_project
from tests.ui.fixtures import EXAMPLES
from tests.ui.hands import PATIENCE
from ui.panels import FigurePanel, fresh
from ui.panels.figure_table import FIGURES, figure_panel
from ui.plots import ChartPlot
from ui.widgets import theme
from ui.workers import close_all


def example(name: str) -> Decision:
    return open_project(EXAMPLES / f"{name}.json")


@pytest.fixture
def place(qtbot: QtBot, qapp: QApplication) -> Callable[..., FigurePanel]:
    """Return a maker of panels, each shown in a window of its own and ended with the test."""
    theme.apply(qapp, theme.LIGHT, theme.load_fonts())

    hosts: list[QWidget] = []

    def make(kind: str | type, colours: theme.Colours = theme.LIGHT) -> FigurePanel:
        host = QWidget()
        hosts.append(host)
        panel = figure_panel(kind, colours) if isinstance(kind, str) else kind(colours)
        QVBoxLayout(host).addWidget(panel)
        qtbot.addWidget(host, before_close_func=close_all)
        host.resize(700, 760)
        host.show()
        return panel

    return make


def show(qtbot: QtBot, panel: FigurePanel, decision: Decision) -> None:
    panel.show_state(fresh(decision, picture(decision)))
    qtbot.waitUntil(lambda: not panel.background.busy, timeout=PATIENCE)
    for _ in range(3):
        QApplication.processEvents()  # until every plot has its place


def name_of(panel: QWidget) -> str:
    """Return the name of PANEL in the table of figures; of another panel that of its class."""
    if isinstance(panel, FigurePanel):
        return next((name for name, spec in FIGURES.items() if spec is panel.spec), type(panel).__name__)
    return type(panel).__name__


def plot_of(panel: FigurePanel, index: int = 0) -> ChartPlot:
    return panel.plots[index]


def spot(plot: ChartPlot, x: float, y: float) -> QPoint:
    """Return where on the widget the place X, Y lies."""
    return plot.mapFromScene(plot.box.mapViewToScene(QPointF(x, y)))
