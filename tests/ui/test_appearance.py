"""Light, dark and strong: as the system asks, at once when it changes its mind, or as the officer chose. And nothing
moves."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from tests.ui.contrast import contrast
from tests.ui.hands import Hands
from ui.help import guide
from ui.panels.chart_panel import ChartPanel
from ui.widgets import theme

STRONG = Qt.ContrastPreference.HighContrast
USUAL = Qt.ContrastPreference.NoPreference


def ground(window: QWidget) -> str:
    """Return the colour that WINDOW is painted on."""
    return window.palette().color(QPalette.ColorRole.Window).name().upper()


def faint() -> list[str]:
    """Return what hardly stands out of what Qt paints by the palette: text, placeholders, links, selections, tips."""
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
    return [
        f"{state.name}: {ink.name} on {paper.name}"
        for state in (group.Active, group.Inactive, group.Disabled)
        for ink, paper in pairs
        if contrast(palette.color(state, ink).name(), palette.color(state, paper).name()) < 4.5
    ]


@pytest.mark.slow
def test_the_theme_is_chosen_and_follows_the_system_live(durham: Hands) -> None:
    hands, actions = durham, durham.window.menus.actions
    asked, hints = hands.window.appearance.asked, QGuiApplication.styleHints()
    hands.fill("$.title", "Stays")
    hands.window.show_guide(guide.GLOSSARY)
    hands.window.activateWindow()
    hands.go("profile")
    assert faint() == []
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert hands.window.colours is theme.DARK
    assert ground(hands.window) == theme.DARK.ground
    assert faint() == []
    assert hands.page.key == "profile"
    assert hands.session.decision.title == "Stays"
    shown = hands.window.guide
    assert (shown.page.colours, shown.page.page) == (theme.DARK, guide.GLOSSARY)
    hands.settle()
    plots = [plot for panel in hands.page.findChildren(ChartPanel) for plot in panel.plots]
    assert {plot.colours for plot in plots} == {theme.DARK}, "plots are drawn anew, too"
    actions["theme_light"].trigger()
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert hands.window.colours is theme.LIGHT  # chosen by the officer
    assert ground(hands.window) == theme.LIGHT.ground
    assert actions["theme_light"].isChecked()
    asked.contrastPreferenceChanged.emit(STRONG)
    assert hands.window.colours is theme.LIGHT_STRONG
    actions["theme_system"].trigger()
    assert hands.window.colours is theme.DARK_STRONG
    hands.go("decision").settle()
    for label in hands.page.findChildren(QWidget):
        if label.isVisible() and label.objectName() in ("quiet", "caption", "problem", "title", "number"):
            ink = label.palette().color(label.foregroundRole()).name()
            assert contrast(ink, theme.DARK_STRONG.card) >= 7.0, (label.objectName(), ink)
    asked.contrastPreferenceChanged.emit(USUAL)
    assert hands.window.colours is theme.DARK
    hands.window.undo()
    assert hands.session.decision.title != "Stays"
    assert actions is hands.window.menus.actions
