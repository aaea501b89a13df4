"""The table of the figures computed behind the window: what each reads, and the function of the model that makes it.

A new figure is a line here, and its name on the page where it stands.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dpwizard.charts import (
    Figure,
    Picture,
    at_risk_chart,
    comparison,
    composition_chart,
    cost_chart,
    guessing_chart,
    influence_chart,
    looked_at,
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
TWICE = 150  # the same before the requirements are solved a second time


def figure_panel(name: str, colours: theme.Colours, *, on_card: bool = False) -> FigurePanel:
    """Return the panel that shows figure NAME of the table."""
    return FigurePanel(colours, FIGURES[name], on_card=on_card)


def _at_risk(subject: Subject) -> at_risk_chart.AtRiskInputs | None:
    return at_risk_chart.inputs(subject.decision, looked_at(subject.assessment), subject.view)


def _at_risk_followed(subject: Subject) -> at_risk_chart.AtRiskInputs | None:
    return _at_risk(subject) if at_risk_chart.speaks_of(subject.decision, subject.index) else None


def _composition(subject: Subject) -> composition_chart.CompositionInputs | None:
    return composition_chart.inputs(subject.decision, looked_at(subject.assessment), subject.view)


def _cost(subject: Subject) -> cost_chart.CostInputs | None:
    return cost_chart.inputs(subject.decision, looked_at(subject.assessment), subject.view)


def _comparison(subject: Subject) -> comparison.ComparisonInputs | None:
    return comparison.inputs(subject.decision, subject.index)


def _guessing(subject: Subject) -> guessing_chart.GuessingInputs | None:
    decision, followed = subject.decision, subject.followed
    if followed is None:
        return None
    return guessing_chart.inputs(*followed, decision.release, decision.chosen, subject.view)


def _losses(subject: Subject) -> losses_chart.LossesInputs | None:
    return losses_chart.inputs(subject.decision, subject.assessment)


def _persuasion(subject: Subject) -> persuasion_chart.PersuasionInputs | None:
    decision, followed = subject.decision, subject.followed
    return None if followed is None else persuasion_chart.inputs(*followed, decision.release, decision.chosen)


def _spending(subject: Subject) -> spending_chart.SpendingInputs | None:
    return spending_chart.inputs(subject.decision, subject.assessment, looked_at(subject.assessment))


def _surface(subject: Subject) -> surfaces.SurfaceInputs | None:
    followed = subject.followed
    return None if followed is None else surfaces.inputs(*followed, subject.decision.release, subject.view == "log")


def _tolerated(subject: Subject) -> tolerated_chart.ToleratedInputs | None:
    followed = subject.followed
    if followed is None:
        return None
    return tolerated_chart.inputs(*followed, subject.decision.release, looked_at(subject.assessment), subject.view)


@dataclass(frozen=True, kw_only=True)
class Unchosen:
    """A decision without what no solver reads, with its answers; equal where the decision is."""

    decision: Decision
    picture: Picture = field(compare=False)


def _tornado(subject: Subject) -> Unchosen | None:
    window = subject.assessment.window
    if window.binds_lower is None and window.binds_upper is None:
        return None
    return Unchosen(decision=influence_chart.unchosen(subject.decision), picture=subject.picture)


def _tornado_figure(read: Unchosen) -> Figure:
    return influence_chart.tornado(read.decision, read.picture.assessment)


def _comparison_figure(read: comparison.ComparisonInputs) -> Figure:
    return comparison.figure(comparison.rows(read))


def _which_noise(subject: Subject) -> Any:
    return which_noise_chart.inputs(subject.decision)


FIGURES: dict[str, FigureSpec] = {
    # Dandekar, Basu & Bressan 2021: Figures 1 to 3, 6 and 7
    "at_risk": FigureSpec(
        title=("chart", "at_risk_title"), read=_at_risk, figure=at_risk_chart.figure, views=at_risk_chart.VIEWS
    ),
    # the same, where the requirement followed is one of privacy at risk
    "at_risk_followed": FigureSpec(
        title=("chart", "at_risk_title"), read=_at_risk_followed, figure=at_risk_chart.figure, views=at_risk_chart.VIEWS
    ),
    # Kazan & Reiter 2024: Figure 2 for the officer's own numbers, any shape
    "comparison": FigureSpec(
        title=("chart", "comparison_title"), read=_comparison, figure=_comparison_figure, height=180, compares=True
    ),
    # Dandekar et al. 2021: Figure 4, as published and audited
    "compensation": FigureSpec(
        title=("chart", "cost_title"),
        read=_cost,
        figure=cost_chart.figure,
        views=cost_chart.VIEWS,
        view_words="view_cost_",
    ),
    # Dandekar et al. 2021: Figure 5 and Table 1
    "composition": FigureSpec(
        title=("chart", "composition_title"),
        read=_composition,
        figure=composition_chart.figure,
        views=composition_chart.VIEWS,
    ),
    # Pankova & Laud 2022
    "guessing": FigureSpec(
        title=("chart", "guessing_title"), read=_guessing, figure=guessing_chart.figure, views=guessing_chart.VIEWS
    ),
    "losses": FigureSpec(title=("losses", "title"), read=_losses, figure=losses_chart.figure, height=260),
    "persuasion": FigureSpec(
        title=("chart", "persuasion_title"), read=_persuasion, figure=persuasion_chart.figure, height=200
    ),
    "spending": FigureSpec(title=("spending", "title"), read=_spending, figure=spending_chart.figure, height=108),
    # Kazan & Reiter 2024: Figure 5
    "surface": FigureSpec(
        title=("chart", "map_title"), read=_surface, figure=surfaces.figure, views=("log", "linear"), height=260
    ),
    "tolerated": FigureSpec(
        title=("tolerated", "title"), read=_tolerated, figure=tolerated_chart.figure, views=tolerated_chart.VIEWS
    ),
    "tornado": FigureSpec(
        title=("chart", "tornado_title"), read=_tornado, figure=_tornado_figure, pause=WITHOUT_EDIT, gives_up=True
    ),
    "which_noise": FigureSpec(
        title=("which_noise", "title"), read=_which_noise, figure=which_noise_chart.figure, pause=TWICE
    ),
}
