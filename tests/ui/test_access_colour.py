"""Colours, by computation: seen by eyes of every kind, in both themes, and never the only thing that tells two curves
apart."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QPlainTextEdit, QPushButton, QWidget

from dpwizard.charts import chart_scene
from tests.ui.contrast import EVERY, STRONG, contrast, luminance, painted, pixels
from tests.ui.hands import Hands
from tests.ui.scaled import cut_off
from tests.ui.test_access_keyboard import stops
from ui.widgets import theme

pytestmark = pytest.mark.one_window

DATA = ("privacy", "accuracy", "window", "refuted")
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


@pytest.mark.parametrize("colours", EVERY.values(), ids=EVERY)
def test_text_lines_and_data_are_seen_on_every_ground_and_apart(colours: theme.Colours) -> None:
    strong = colours in STRONG
    for text in ("text", "quiet", "accent", "problem", "agreed"):
        for ground in ("ground", "card", "selected"):
            found = contrast(getattr(colours, text), getattr(colours, ground))
            assert found >= (7.0 if strong else 4.5), (text, ground)
    for line in (*DATA, "accent", "field_line", "problem"):
        for ground in ("ground", "card"):
            found = contrast(getattr(colours, line), getattr(colours, ground))
            assert found >= (4.5 if strong else 3.0), (line, ground)
    assert contrast(colours.on_accent, colours.accent) >= 4.5
    assert contrast(colours.on_accent, colours.accent_strong) >= 4.5
    assert contrast(colours.quiet, colours.shade) >= 4.5  # words in the region without a bound
    for eyes in EYES:
        for one, other in combinations(DATA, 2):
            apart = np.linalg.norm(as_seen(getattr(colours, one), eyes) - as_seen(getattr(colours, other), eyes))
            assert apart >= SEEN_APART, (eyes, one, other)


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


# --------------------------------------------------------------------------------------- as painted


def weak_words(hands: Hands) -> list[str]:
    """Return each of the first labels and buttons that are shown whose words, as painted, hardly stand out."""
    found = []
    for kind, most in ((QLabel, 12), (QPushButton, 6)):
        every = [one for one in hands.window.findChildren(kind) if one.isVisible() and one.isEnabled()]
        shown = [one for one in every if one.text().strip()][:most]
        assert len(shown) > most // 3
        for widget in shown:
            ground, ink = painted(widget.grab().toImage())
            if contrast(ground, ink) < 4.5:
                found.append(f"{widget.text()}: {ink} on {ground}")
    return found


def states(hands: Hands) -> dict[str, QWidget]:
    """Return what is asked for, chosen, wrong, switched off or selected, each shown at the release step."""
    hands.go("release")
    notes = [one for one in hands.page.findChildren(QPlainTextEdit) if one.isVisible() and one.placeholderText()]
    line = hands.editor("$.title").controls()[0]
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
    return {
        "asked": next(one for one in notes if not one.toPlainText()),
        "placed": placed,
        "off": off,
        "problem": problem,
        "chosen": lists.viewport(),
        "selected": line,
    }


LEAST = 12  # pixels that change, for a ring to be seen
RINGED = {"QPushButton", "Line", "Slider", "Choice", "ChartPlot", "MiniAxis", "MenuButton", "StepButton"}


def on_its_ground(widget: QWidget) -> QImage:
    """Return WIDGET as it is seen, with what shows through it."""
    window = widget.window()
    return window.grab(QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())).toImage()


def ring(widget: QWidget, other: QWidget) -> tuple[int, float]:
    """Return how many pixels change when WIDGET takes the keyboard from OTHER, and the best contrast of after with
    before."""
    other.setFocus(Qt.FocusReason.TabFocusReason)
    before = on_its_ground(widget)
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    after = on_its_ground(widget)
    if before.size() != after.size():
        return LEAST, 21.0
    was, now = pixels(before), pixels(after)
    changed = np.unique(np.stack((was[was != now], now[was != now])), axis=1).T
    found = (contrast(f"#{one:06x}", f"#{other:06x}") for one, other in changed)
    return int((was != now).sum()), max(found, default=1.0)


def weak_rings(hands: Hands, key: str) -> tuple[set[str], list[str]]:
    """Return the kinds of controls of a step, and those of which one hardly sees that they have the keyboard."""
    weak: list[str] = []
    often: dict[tuple[str, str], int] = {}
    step = hands.wizard.steps.buttons[key]
    for widget in (*stops(hands.page), *stops(hands.wizard.footer), *stops(hands.wizard.steps)):
        style = (type(widget).__name__, widget.objectName() if not widget.objectName().startswith("$") else "")
        often[style] = often.get(style, 0) + 1
        if often[style] > 2:  # two of a kind are enough
            continue
        if hands.page.isAncestorOf(widget):
            hands.page.ensureWidgetVisible(widget)
        changed, found = ring(widget, hands.wizard.footer.axis if widget is step else step)
        if changed < LEAST or found < 3.0:
            weak.append(f"{key}: {style} {widget.accessibleName()[:40]}: {changed} pixels, {found:.2f} : 1")
    return {name for name, _ in often}, weak


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark, then more contrast"])
def test_words_states_and_the_keyboard_stand_out_as_painted(make_hands: Callable[..., Hands], dark: bool) -> None:
    hands = make_hands("durham", dark=dark, own=True)
    weak = {}
    for name, widget in states(hands).items():
        ground, ink = painted(widget.grab().toImage(), frame=4)
        if contrast(ground, ink) < 4.5:
            weak[name] = (ground, ink, round(contrast(ground, ink), 2))
    assert weak == {}
    for key in ("release", "decision"):
        hands.go(key).settle()
        assert weak_words(hands) == []
    if dark:
        hands.go("release")
        hands.window.appearance.asked.contrastPreferenceChanged.emit(Qt.ContrastPreference.HighContrast)
    kinds: set[str] = set()
    for key in ("release", "profile", "decision", "review"):
        hands.go(key).settle()
        hands.wait(lambda: cut_off(hands.page) == [])  # judged at rest
        found, dim = weak_rings(hands, key)
        kinds |= found
        assert dim == []
    assert kinds >= RINGED
