"""The figures beside the pages, redrawn with each edit: each module is imported with the page that shows it."""

from ui.panels.figure_panel import FigurePanel
from ui.panels.panel import Panel

__all__ = [
    "FigurePanel",
    "Panel",
    "at_risk",
    "comparison",
    "compensation",
    "composition",
    "conflicts",
    "epsilon_axis",
    "every_table",
    "guessing",
    "implied",
    "losses",
    "noise",
    "persuasion",
    "precedents",
    "risk_profile",
    "spending",
    "surface",
    "tolerated",
    "tornado",
    "two_decisions",
    "usability",
    "what_if",
    "which_noise",
]
