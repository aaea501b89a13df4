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
    "conflicts",
    "epsilon_axis",
    "every_table",
    "figure_table",
    "fresh",
    "implied",
    "noise",
    "precedents",
    "risk_profile",
    "two_decisions",
    "usability",
    "what_if",
]
