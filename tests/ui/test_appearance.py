"""Light, dark and strong: as the system asks, at once when it changes its mind, or as the officer chose. And nothing
moves."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from tests.ui.hands import Hands
from tests.ui.test_access import contrast
from ui.panels.chart_panel import ChartPanel
from ui.widgets import theme

STRONG = Qt.ContrastPreference.HighContrast
USUAL = Qt.ContrastPreference.NoPreference


def ground(window: QWidget) -> str:
    """Return the colour that WINDOW is painted on."""
    return window.palette().color(QPalette.ColorRole.Window).name().upper()


@pytest.mark.slow
def test_the_theme_is_chosen_and_follows_the_system_live(durham: Hands) -> None:
    hands, actions = durham, durham.window.menus.actions
    hands.fill("$.title", "Stays")
    hands.go("profile")
    hints = QGuiApplication.styleHints()
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert hands.window.colours is theme.DARK
    assert ground(hands.window) == theme.DARK.ground
    assert hands.page.key == "profile"
    assert hands.window.session.decision.title == "Stays"
    hands.settle()
    plots = [plot for panel in hands.page.findChildren(ChartPanel) for plot in panel.plots]
    assert plots
    assert {plot.colours for plot in plots} == {theme.DARK}, "plots are drawn anew, too"
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert hands.window.colours is theme.LIGHT
    assert ground(hands.window) == theme.LIGHT.ground
    hands.window.menus.actions["theme_light"].trigger()
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert hands.window.colours is theme.LIGHT  # chosen by the officer
    assert hands.window.menus.actions["theme_light"].isChecked()
    hands.window.menus.actions["theme_system"].trigger()
    assert hands.window.colours is theme.DARK
    hands.window.undo()
    assert hands.window.session.decision.title != "Stays"
    assert actions is hands.window.menus.actions


@pytest.mark.slow
def test_a_system_that_asks_for_more_contrast_gets_it_in_either_theme(durham: Hands) -> None:
    asked = durham.window.appearance.asked
    asked.contrastPreferenceChanged.emit(STRONG)
    assert durham.window.colours is theme.LIGHT_STRONG
    assert ground(durham.window) == theme.LIGHT_STRONG.ground
    durham.window.menus.actions["theme_dark"].trigger()  # what the officer chose stays chosen
    assert durham.window.colours is theme.DARK_STRONG
    durham.settle()
    for key in ("profile", "decision"):
        durham.go(key)
        durham.settle()
        for label in durham.page.findChildren(QWidget):
            if label.isVisible() and label.objectName() in ("quiet", "caption", "problem", "title", "number"):
                ink = label.palette().color(label.foregroundRole()).name()
                assert contrast(ink, theme.DARK_STRONG.card) >= 7.0, (key, label.objectName(), ink)
    asked.contrastPreferenceChanged.emit(USUAL)
    assert durham.window.colours is theme.DARK


# --------------------------------------------------------------------------------------- motion


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_role_of_text_is_seen_as_the_palette_has_it(make_hands: Callable[..., Hands], dark: bool) -> None:
    """As Qt paints them: ordinary and disabled text, placeholders, links, selections, tool tips; each on its own
    ground."""
    make_hands(dark=dark)
    palette, role, group = QApplication.palette(), QPalette.ColorRole, QPalette.ColorGroup
    pairs = (
        (role.WindowText, role.Window),
        (role.Text, role.Base),
        (role.Text, role.AlternateBase),
        (role.ButtonText, role.Button),
        (role.PlaceholderText, role.Base),
        (role.HighlightedText, role.Highlight),
        (role.ToolTipText, role.ToolTipBase),
        (role.Link, role.Base),
        (role.Link, role.Window),
        (role.LinkVisited, role.Base),
        (role.LinkVisited, role.Window),
        (role.BrightText, role.Window),
        (role.Accent, role.Base),
    )
    weak = [
        f"{state.name}: {ink.name} on {paper.name}: {found:.2f}"
        for state in (group.Active, group.Inactive, group.Disabled)
        for ink, paper in pairs
        if (found := contrast(palette.color(state, ink).name(), palette.color(state, paper).name())) < 4.5
    ]
    assert weak == []
