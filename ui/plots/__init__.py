"""Figures painted with pyqtgraph, and what takes hold of them."""

from ui.plots.chart_plot import ChartPlot
from ui.plots.handles import Handles
from ui.plots.painted import paint_items, small
from ui.plots.plot_tools import FigureTools

__all__ = ["ChartPlot", "FigureTools", "Handles", "paint_items", "small"]
