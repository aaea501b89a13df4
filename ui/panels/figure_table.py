"""The table of the figures computed in the background: what is drawn of each, if anything.

A new figure is a line here, and its name on the page where it stands.
"""

from __future__ import annotations

from dpwizard.charts import (
    at_risk_chart,
    comparison,
    composition_chart,
    cost_chart,
    guessing_chart,
    influence_chart,
    losses_chart,
    persuasion_chart,
    spending_chart,
    surfaces,
    tolerated_chart,
    which_noise_chart,
)
from ui.panels.figure_panel import FigurePanel, FigureSpec
from ui.widgets import theme

WITHOUT_EDIT = 300  # milliseconds without an edit before every answer is changed in turn
TWICE = 150  # milliseconds without an edit before the requirements are solved a second time


def figure_panel(name: str, colours: theme.Colours, *, on_card: bool = False) -> FigurePanel:
    """Return the panel that shows figure NAME of the table."""
    return FigurePanel(colours, FIGURES[name], on_card=on_card)


FIGURES: dict[str, FigureSpec] = {
    # Dandekar, Basu & Bressan 2021: Figures 1 to 3, 6 and 7
    "at_risk": FigureSpec(
        title=("chart", "at_risk_title"),
        drawing=lambda of: at_risk_chart.drawing(of.decision, of.budget, of.view),
        views=at_risk_chart.VIEWS,
    ),
    # the same, where the requirement followed is one of privacy at risk
    "at_risk_followed": FigureSpec(
        title=("chart", "at_risk_title"),
        drawing=lambda of: (
            at_risk_chart.drawing(of.decision, of.budget, of.view)
            if at_risk_chart.is_at_risk(of.decision, of.index)
            else None
        ),
        views=at_risk_chart.VIEWS,
    ),
    # Kazan & Reiter 2024: Figure 2 for the officer's own numbers, any shape
    "comparison": FigureSpec(
        title=("chart", "comparison_title"),
        drawing=lambda of: comparison.drawing(of.decision, of.index),
        height=180,
        compares=True,
    ),
    # Dandekar et al. 2021: Figure 4, as published and audited
    "compensation": FigureSpec(
        title=("chart", "cost_title"),
        drawing=lambda of: cost_chart.drawing(of.decision, of.budget, of.view),
        views=cost_chart.VIEWS,
        view_words="view_cost_",
    ),
    # Dandekar et al. 2021: Figure 5 and Table 1
    "composition": FigureSpec(
        title=("chart", "composition_title"),
        drawing=lambda of: composition_chart.drawing(of.decision, of.budget, of.view),
        views=composition_chart.VIEWS,
    ),
    # Pankova & Laud 2022
    "guessing": FigureSpec(
        title=("chart", "guessing_title"),
        drawing=lambda of: of.followed(guessing_chart.drawing, of.decision.chosen, of.view),
        views=guessing_chart.VIEWS,
    ),
    "losses": FigureSpec(
        title=("losses", "title"),
        drawing=lambda of: losses_chart.drawing(of.decision, of.assessment),
        height=260,
    ),
    "persuasion": FigureSpec(
        title=("chart", "persuasion_title"),
        drawing=lambda of: of.followed(persuasion_chart.drawing, of.decision.chosen),
        height=200,
    ),
    "spending": FigureSpec(
        title=("spending", "title"),
        drawing=lambda of: spending_chart.drawing(of.decision, of.assessment, of.budget),
        height=108,
    ),
    # Kazan & Reiter 2024: Figure 5
    "surface": FigureSpec(
        title=("chart", "map_title"),
        drawing=lambda of: of.followed(surfaces.drawing, of.view == "log"),
        views=("log", "linear"),
        height=260,
    ),
    "tolerated": FigureSpec(
        title=("tolerated", "title"),
        drawing=lambda of: of.followed(tolerated_chart.drawing, of.budget, of.view),
        views=tolerated_chart.VIEWS,
    ),
    "tornado": FigureSpec(
        title=("chart", "tornado_title"),
        drawing=lambda of: influence_chart.drawing(of.decision, of.assessment.window),
        pause=WITHOUT_EDIT,
        gives_up=True,
    ),
    "which_noise": FigureSpec(
        title=("which_noise", "title"),
        drawing=lambda of: which_noise_chart.drawing(of.decision),
        pause=TWICE,
    ),
}
