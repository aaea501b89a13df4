"""Whoever opens a bundled example finds the published number on the page and the published figure in its panel."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from dpwizard.charts import Chart, Figure
from dpwizard.projects.project import open_project
from tests.samples import published_points as printed
from tests.ui.access_walk import controls, wrong
from tests.ui.fixtures import EXAMPLES
from tests.ui.hands import PATIENCE, Hands, seen_on
from tests.ui.panel_hands import name_of
from ui.app import examples
from ui.controls import RowsTable
from ui.panels import FigurePanel
from ui.panels.chart_panel import ChartPanel
from ui.plots.zoom import in_words

pytestmark = pytest.mark.one_window

Losses = tuple[tuple[str, str], ...]  # of attributes and levels, as they are said


def words_of(page: QWidget) -> str:
    """Return all that can be read on a page: labels, sentences, fields and tables."""
    found = seen_on(page)
    for table in page.findChildren(RowsTable):
        if table.isVisibleTo(page):
            found += [words for cells in table.rows() for words in cells]
    return "\n".join(found)


@dataclass(frozen=True)
class Shown:
    """Where an example shows what: the step, the numbers, the panel (none: the page alone), its view and its losses.

    What the figures of the papers show is held against their points in tests/model/test_charts_examples.py.
    """

    example: str
    step: str
    numbers: tuple[str, ...]
    panel: str = ""
    view: str = ""
    losses: Losses = ()


WHAT_IF = "decision"
PARTS = 4  # windows that share out what is shown
SHOWN = (
    Shown("durham", "accuracy", ("At least about 2.19723", "10 in 100", "0.531"), "comparison"),
    Shown("durham_conflict", "decision", ("No epsilon meets every requirement",)),
    Shown("kazan_reiter_figure_1", "profile", ("At most 1.17",), "RiskProfilePanel"),
    Shown("kazan_reiter_table_1_a", WHAT_IF, ("printed: 0.51", "0.51", "2.74", "25 in 100")),
    Shown("kazan_reiter_table_1_b", WHAT_IF, ("printed: 1.30", "1.29", "1.02", "57")),  # a limit is rounded down
    Shown("kazan_reiter_table_1_c", WHAT_IF, ("printed: 2.04", "2.03", "0.588", "76.9 in 100")),
    Shown(
        "kazan_reiter_figure_3",
        "profile",
        ("printed 0.51", "printed 1.30", "printed 2.04", "At most 0.51", "At most 1.29", "At most 2.03"),
        "RiskProfilePanel",
    ),
    Shown(
        "kazan_reiter_figure_4",
        "profile",
        ("printed 1.09", "printed 1.21", "printed 2.10", "At most 1.08", "At most 1.20", "At most 2.09"),
        "RiskProfilePanel",
    ),
    Shown(
        "kazan_reiter_table_4",
        "profile",
        tuple(f"At most {math.floor(100 * epsilon) / 100:.2f}" for epsilon in printed.table_4()),
    ),
    Shown("kazan_reiter_table_5_a", WHAT_IF, ("printed: 1.09", "1.08", "1.24", "49.")),
    Shown("kazan_reiter_table_5_b", WHAT_IF, ("printed: 1.21", "1.20", "1.1", "54")),
    Shown("kazan_reiter_table_5_c", WHAT_IF, ("printed: 2.10", "2.09", "0.56", "78")),
    Shown("kazan_reiter_figure_5", "profile", ("printed: 0.65", "0.64", "1 in 12"), "surface"),
    Shown("dandekar_health_centre", "budget", ("$74,434.40", "74,435", "37,806", "0.274"), "compensation", "figure"),
    Shown("dandekar_figure_1", "budget", ("0.42", "12.8 in 100"), "at_risk", "noise"),
    Shown("dandekar_figure_5", "budget", ("150.00", "63.99", "63.07"), "composition", "figure_b"),
    Shown("dandekar_figure_6", "budget", ("0.4",)),
    Shown("pankova_laud_cafeteria", "profile", ("18 to 22 minutes: from 25 to at most 30 in 100", "1.02"), "guessing"),
    Shown("bon_persuasion", "profile", ("At most 0.99", "At most 1.19", "At most 6.69"), "persuasion"),
    Shown(
        "redistricting_persons",
        "decision",
        ("17.1436", "race"),
        "losses",
        losses=(("race", "10.0837"), ("voting age", "7.56555"), ("county", "11.7035"), ("state", "13.0541")),
    ),
    Shown(
        "redistricting_units",
        "decision",
        ("11417641/152349649", "2.47468"),
        "losses",
        losses=(("occupied", "2.47467"), ("block group", "0.820616"), ("county", "2.34774")),
    ),
    Shown("household_tables", "decision", ("17.79061", "±3")),
    Shown("page_views", "decision", ("0.015", "0.854606", "1.1 in 100")),
    Shown("mobility_reports", "decision", ("2.64", "1,019", "2,690.16", "12.4 in 100")),
    Shown("symptom_trends", "decision", ("1.68", "5.2 in 100")),
    Shown("broadband_counts", "decision", ("0.2", "1.3 in 100")),
    Shown("energy_study", "release", ("6.8 comes to at most 4.73",)),
    Shown("employment_outcomes", "decision", ("No requirement limits epsilon yet.",)),
    Shown("gaussian_clinic", "profile", ("fewer than 1", "46.5 in 100")),
    Shown("bon_exact_mean", "profile", ("gain at most 4.02",)),  # r1 + log r2 = 4 + log(100/99)
)


def test_every_bundled_example_is_offered_with_a_note_and_is_looked_at_here() -> None:
    bundled = {path.stem for path in EXAMPLES.glob("*.json")}
    papers = examples.from_papers()
    assert set(papers) | set(examples.known()) == bundled
    assert set(papers) & set(examples.known()) == set()
    assert {shown.example for shown in SHOWN} == bundled
    for name, (title, note) in papers.items():
        assert title == json.loads((EXAMPLES / f"{name}.json").read_text("utf-8"))["title"]
        assert "step" in note


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_the_published_number_stands_on_the_page_and_the_published_figure_in_its_panel(
    part: int, make_hands: Callable[..., Hands], qtbot: QtBot
) -> None:
    hands = make_hands()
    for shown in SHOWN[part::PARTS]:
        look_at(hands, qtbot, shown)


def by_colour_alone(figure: Figure) -> list[str]:
    """Return the curves of FIGURE that colour alone tells apart, neither their names nor how they are drawn."""
    found = []
    for plot in figure.plots:
        if not isinstance(plot, Chart) or in_words(plot.y):
            continue  # where rows are named at the axis, their places tell them apart
        for one, other in combinations(plot.lines, 2):
            drawn = (one.dash, one.width, bool(one.struck)) != (other.dash, other.width, bool(other.struck))
            if one.role != other.role and one.label == other.label and not drawn:
                found.append(f"{figure.title}: {one.name}, {other.name}")
    return found


def stated(figure: Figure, name: str, loss: str) -> bool:
    """Return whether the table of FIGURE says that what is called NAME has a LOSS."""
    return any(name in row[0] and row[1] == loss for row in figure.rows)


def look_at(hands: Hands, qtbot: QtBot, shown: Shown) -> None:
    """Open an example from the start screen, go to its step and compare what is there with the paper."""
    hands.window.show_start()
    hands.click(hands.window.start.example_buttons[shown.example])
    hands.settle()
    assert hands.session.decision == open_project(EXAMPLES / f"{shown.example}.json")
    assert hands.session.path is None  # an example is never written over
    assert "&&" not in hands.wizard.steps.about.text()
    hands.go(shown.step)
    assert wrong(list(controls(hands.page))) == [], shown.example  # every control is told apart by its name
    if shown.step == WHAT_IF or shown.panel == "comparison":
        hands.click(hands.page.more_figures.head)
    figures = hands.page.findChildren(FigurePanel)
    qtbot.waitUntil(
        lambda: not any(panel.background.busy for panel in figures), timeout=PATIENCE
    )  # the last example's are gone
    read = []

    def numbers() -> None:
        read.append(words_of(hands.page))
        assert [number for number in shown.numbers if number not in "".join(read)] == [], shown.example

    if not shown.panel:
        qtbot.waitUntil(numbers, timeout=PATIENCE)
        return
    panel = next(panel for panel in hands.page.findChildren(ChartPanel) if name_of(panel) == shown.panel)
    qtbot.waitUntil(lambda: panel.figure is not None and not panel.isHidden(), timeout=PATIENCE)
    if shown.view:
        assert panel.chooser is not None
        read.append(words_of(hands.page))
        before = panel.figure
        hands.choose_in(panel.chooser.box, shown.view)
        qtbot.waitUntil(
            lambda: panel.figure is not None and panel.figure is not before and not panel.background.busy,
            timeout=PATIENCE,
        )
    qtbot.waitUntil(numbers, timeout=PATIENCE)
    assert panel.figure is not None
    assert panel.shown.decision == hands.session.decision.planned
    assert [loss for loss in shown.losses if not stated(panel.figure, *loss)] == []
    assert by_colour_alone(panel.figure) == []
    assert panel.drawn() is not None
    if shown.view:
        hands.choose_in(panel.chooser.box, panel.views[0][0])
