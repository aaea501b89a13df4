"""The figures beside the pages, redrawn with each edit: each module is imported with the page that shows it."""

from ui.panels.figure_panel import FigurePanel
from ui.panels.panel import Freshness, Panel, SolvedDecision, State, Veil, fresh

__all__ = [
    "FigurePanel",
    "Freshness",
    "Panel",
    "SolvedDecision",
    "State",
    "Veil",
    "beside",
    "conflicts",
    "epsilon_axis",
    "every_table",
    "figure_table",
    "fresh",
    "implied",
    "risk_profile",
    "usefulness",
    "what_if",
]
