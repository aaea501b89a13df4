"""Colours, by computation: seen by eyes of every kind, in both themes, and never the only thing that tells two curves
apart."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QPlainTextEdit, QPushButton

from dpwizard.charts import Chart, chart_scene
from tests.ui.hands import Hands
from tests.ui.test_access import THEMES, contrast, luminance
from ui.panels.chart_panel import ChartPanel
from ui.plots import colour_of
from ui.plots.zoom import in_words
from ui.widgets import theme

pytestmark = pytest.mark.one_window

DATA = ("privacy", "accuracy", "window", "refuted", "chosen")
SEEN_APART = 10.0  # of CIE 1976: well above what is just seen, 2.3
# Machado, Oliveira and Fernandes 2009, severity 1, on linear light.
EYES = {
    "ordinary": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.9505, 1.0, 1.089)


def as_seen(colour: str, eyes: str) -> np.ndarray:
    """Return a colour as L*, a*, b*, as EYES see it."""
    parts = np.array(QColor(colour).getRgbF()[:3])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(EYES[eyes]) @ linear, 0.0, 1.0)
    share = np.array(XYZ) @ seen / np.array(WHITE)
    root = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


@THEMES
@pytest.mark.parametrize("eyes", EYES)
def test_any_two_data_colours_are_seen_apart_by_eyes_of_every_kind(colours: theme.Colours, eyes: str) -> None:
    for one, other in combinations(DATA, 2):
        apart = float(np.linalg.norm(as_seen(getattr(colours, one), eyes) - as_seen(getattr(colours, other), eyes)))
        assert apart >= SEEN_APART, (one, other, apart)


def test_the_simulated_eyes_are_what_is_published() -> None:
    """Pure red and green, far apart for most, come close for protanopes and deuteranopes; grey stays grey for all."""
    for eyes in EYES:
        assert abs(as_seen("#808080", eyes)[1:]).max() < 1.5, eyes

    def apart(eyes: str) -> float:
        return float(np.linalg.norm((as_seen("#FF0000", eyes) - as_seen("#00A000", eyes))[1:]))

    assert apart("deuteranopia") < 0.5 * apart("ordinary")
    assert apart("protanopia") < 0.5 * apart("ordinary")


def test_heat_maps_grow_lighter_evenly_so_that_they_are_read_without_colour() -> None:
    shades = [luminance(QColor(*chart_scene.colour_at(i / 20)).name()) for i in range(21)]
    assert all(after > before for before, after in pairwise(shades))
    assert contrast(QColor(*chart_scene.colour_at(0)).name(), QColor(*chart_scene.colour_at(1)).name()) > 7


MORE = ("dandekar_figure_5", "dandekar_health_centre", "pankova_laud_cafeteria")


@pytest.mark.soak
@pytest.mark.parametrize("example", ["durham", *(pytest.param(name, marks=pytest.mark.slow) for name in MORE)])
def test_no_two_curves_are_told_apart_by_colour_alone(make_hands: Callable[..., Hands], example: str) -> None:
    hands = make_hands(example)
    pairs = 0
    for key in hands.wizard.pages:
        hands.go(key)
        hands.settle()
        for panel in hands.page.findChildren(ChartPanel):
            for plot in panel.figure.plots if panel.figure is not None else ():
                if not isinstance(plot, Chart) or in_words(plot.y):
                    continue  # where rows are named at the axis, their places tell them apart
                for one, other in combinations(plot.lines, 2):
                    if colour_of(theme.LIGHT, one.role) != colour_of(theme.LIGHT, other.role):
                        pairs += 1
                        named = one.label != other.label  # words at the end of the curve
                        drawn = (one.dash, one.width, bool(one.struck)) != (other.dash, other.width, bool(other.struck))
                        assert named or drawn, panel.title
    assert pairs or example != "durham"


# --------------------------------------------------------------------------------------- as painted


def painted(image: QImage, frame: int = 0) -> tuple[str, str]:
    """Return the ground of a picture (its commonest colour) and the colour that stands out most from it; a FRAME is not
    looked at."""
    small = image.convertToFormat(QImage.Format.Format_RGB32)
    across, down = range(frame, small.width() - frame), range(frame, small.height() - frame)
    points = [small.pixelColor(x, y).name() for x in across for y in down]
    ground = max(set(points), key=points.count)
    return ground, max(set(points), key=lambda colour: contrast(colour, ground))


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_words_as_painted_stand_out_from_their_ground(make_hands: Callable[..., Hands], dark: bool) -> None:
    hands = make_hands("durham", dark=dark)
    measured = 0
    for key in ("release", "decision"):
        hands.go(key)
        hands.settle()
        for kind, most in ((QLabel, 12), (QPushButton, 6)):
            shown = [
                one
                for one in hands.window.findChildren(kind)
                if one.isVisible() and one.isEnabled() and one.text().strip()
            ]
            for widget in shown[:most]:
                ground, ink = painted(widget.grab().toImage())
                assert contrast(ground, ink) >= 4.5, (key, widget.text(), ground, ink)
                measured += 1
    assert measured >= 20


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_what_is_asked_chosen_wrong_or_switched_off_stands_out_as_painted(
    make_hands: Callable[..., Hands], dark: bool
) -> None:
    hands = make_hands("durham", dark=dark)
    hands.go("release")
    notes = [
        one
        for one in hands.page.findChildren(QPlainTextEdit)
        if one.isVisible() and one.placeholderText() and not one.toPlainText()
    ]
    asked = notes[0]
    hands.go("release")
    line = hands.editor("$.title").controls()[0]
    assert isinstance(line, QLineEdit)
    off = QPushButton("Sign", hands.window)
    off.setEnabled(False)
    placed = QLineEdit(hands.window)
    placed.setPlaceholderText("2026-11-21")
    problem = QLabel("Must be above zero.", hands.window)
    problem.setObjectName("problem")
    lists = QListWidget(hands.window)
    lists.addItems(["Words that are chosen"])
    lists.setCurrentRow(0)
    lists.setFixedSize(200, 60)
    for widget in (off, placed, problem, lists):
        widget.show()
    line.selectAll()
    line.clearFocus()
    seen = {
        "asked": asked,
        "placed": placed,
        "off": off,
        "problem": problem,
        "chosen": lists.viewport(),
        "selected": line,
    }
    weak = {}
    for name, widget in seen.items():
        ground, ink = painted(widget.grab().toImage(), frame=4)
        if contrast(ground, ink) < 4.5:
            weak[name] = (ground, ink, round(contrast(ground, ink), 2))
    assert weak == {}
