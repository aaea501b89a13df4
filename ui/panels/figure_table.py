"""The table of the figures computed in the background: what each reads, and the function of the model that draws it.

A new figure is a line here, and its name on the page where it stands.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dpwizard.charts import (
    Picture,
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
from dpwizard.decision import Decision
from ui.panels.figure_panel import FigurePanel, FigureSpec, Subject
from ui.widgets import theme

WITHOUT_EDIT = 300  # milliseconds without an edit before every answer is changed in turn
TWICE = 150  # milliseconds without an edit before the requirements are solved a second time


def figure_panel(name: str, colours: theme.Colours, *, on_card: bool = False) -> FigurePanel:
    """Return the panel that shows figure NAME of the table."""
    return FigurePanel(colours, FIGURES[name], on_card=on_card)


@dataclass(frozen=True, kw_only=True)
class Unchosen:
    """A decision without the fields that no solver reads, with its answers; equal if the decisions are."""

    decision: Decision
    picture: Picture = field(compare=False)


def _tornado_inputs(subject: Subject) -> Unchosen | None:
    window = subject.assessment.window
    if window.binds_lower is None and window.binds_upper is None:
        return None
    return Unchosen(decision=influence_chart.unchosen(subject.decision), picture=subject.picture)


FIGURES: dict[str, FigureSpec] = {
    # Dandekar, Basu & Bressan 2021: Figures 1 to 3, 6 and 7
    "at_risk": FigureSpec(
        title=("chart", "at_risk_title"),
        read=lambda of: at_risk_chart.inputs(of.decision, of.budget, of.view),
        figure=at_risk_chart.figure,
        views=at_risk_chart.VIEWS,
    ),
    # the same, where the requirement followed is one of privacy at risk
    "at_risk_followed": FigureSpec(
        title=("chart", "at_risk_title"),
        read=lambda of: (
            at_risk_chart.inputs(of.decision, of.budget, of.view)
            if at_risk_chart.is_at_risk(of.decision, of.index)
            else None
        ),
        figure=at_risk_chart.figure,
        views=at_risk_chart.VIEWS,
    ),
    # Kazan & Reiter 2024: Figure 2 for the officer's own numbers, any shape
    "comparison": FigureSpec(
        title=("chart", "comparison_title"),
        read=lambda of: comparison.inputs(of.decision, of.index),
        figure=lambda read: comparison.figure(comparison.rows(read)),
        height=180,
        compares=True,
    ),
    # Dandekar et al. 2021: Figure 4, as published and audited
    "compensation": FigureSpec(
        title=("chart", "cost_title"),
        read=lambda of: cost_chart.inputs(of.decision, of.budget, of.view),
        figure=cost_chart.figure,
        views=cost_chart.VIEWS,
        view_words="view_cost_",
    ),
    # Dandekar et al. 2021: Figure 5 and Table 1
    "composition": FigureSpec(
        title=("chart", "composition_title"),
        read=lambda of: composition_chart.inputs(of.decision, of.budget, of.view),
        figure=composition_chart.figure,
        views=composition_chart.VIEWS,
    ),
    # Pankova & Laud 2022
    "guessing": FigureSpec(
        title=("chart", "guessing_title"),
        read=lambda of: of.followed(guessing_chart.inputs, of.decision.chosen, of.view),
        figure=guessing_chart.figure,
        views=guessing_chart.VIEWS,
    ),
    "losses": FigureSpec(
        title=("losses", "title"),
        read=lambda of: losses_chart.inputs(of.decision, of.assessment),
        figure=losses_chart.figure,
        height=260,
    ),
    "persuasion": FigureSpec(
        title=("chart", "persuasion_title"),
        read=lambda of: of.followed(persuasion_chart.inputs, of.decision.chosen),
        figure=persuasion_chart.figure,
        height=200,
    ),
    "spending": FigureSpec(
        title=("spending", "title"),
        read=lambda of: spending_chart.inputs(of.decision, of.assessment, of.budget),
        figure=spending_chart.figure,
        height=108,
    ),
    # Kazan & Reiter 2024: Figure 5
    "surface": FigureSpec(
        title=("chart", "map_title"),
        read=lambda of: of.followed(surfaces.inputs, of.view == "log"),
        figure=surfaces.figure,
        views=("log", "linear"),
        height=260,
    ),
    "tolerated": FigureSpec(
        title=("tolerated", "title"),
        read=lambda of: of.followed(tolerated_chart.inputs, of.budget, of.view),
        figure=tolerated_chart.figure,
        views=tolerated_chart.VIEWS,
    ),
    "tornado": FigureSpec(
        title=("chart", "tornado_title"),
        read=_tornado_inputs,
        figure=lambda read: influence_chart.tornado(read.decision, read.picture.assessment),
        pause=WITHOUT_EDIT,
        gives_up=True,
    ),
    "which_noise": FigureSpec(
        title=("which_noise", "title"),
        read=lambda of: which_noise_chart.inputs(of.decision),
        figure=which_noise_chart.figure,
        pause=TWICE,
    ),
}
