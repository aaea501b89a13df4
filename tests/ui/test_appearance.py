"""Light, dark and strong: as the system asks, at once when it changes its mind, or as the officer chose. And nothing
moves."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QGuiApplication, QPalette, QWheelEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QStyle, QWidget
from pytestqt.qtbot import QtBot

from tests.samples.source_tree import nodes, sources
from tests.ui import signing_hands
from tests.ui.hands import Hands
from tests.ui.test_access import contrast
from ui.app import application as ui_app
from ui.panels.chart_panel import ChartPanel
from ui.widgets import theme

STRONG = Qt.ContrastPreference.HighContrast
USUAL = Qt.ContrastPreference.NoPreference
MOVING = ("Animation", "TimeLine", "EasingCurve", "QMovie", "QScroller")


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


@pytest.mark.slow
def test_what_is_chosen_holds_though_the_settings_cannot_be_kept(durham: Hands, tmp_path: Path) -> None:
    (tmp_path / "no folder").write_text("", "utf-8")
    lost = QSettings(str(tmp_path / "no folder" / "settings.ini"), QSettings.Format.IniFormat)
    durham.window.appearance.settings = durham.window.language.settings = durham.window.documents.settings = lost
    durham.window.menus.actions["theme_dark"].trigger()
    durham.window.menus.actions["language_de"].trigger()
    lost.sync()
    assert lost.status() == QSettings.Status.AccessError
    assert durham.window.colours is theme.DARK
    assert durham.window.language.language == "de"
    durham.window.menus.actions["language_en"].trigger()
    assert durham.window.save_to(tmp_path / "x.json")
    assert durham.window.documents.recent() == (str(tmp_path / "x.json"),)


@pytest.mark.slow
def test_a_window_larger_than_its_screen_opens_as_large_as_the_screen(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    room = qapp.primaryScreen().availableSize()
    for width, maximized in ((room.width() + 100, True), (room.width() - 100, False)):
        window = ui_app.make_window(qapp, dark=False, settings=settings, state=tmp_path / "state")
        qtbot.addWidget(window)
        window.resize(width, room.height() - 100)
        window.appear()
        assert window.isMaximized() is maximized
        assert window.width() <= room.width()


# --------------------------------------------------------------------------------------- motion


def moving(source: Iterable[ast.AST]) -> list[str]:
    """Return what SOURCE names of that with which Qt moves things."""
    names = []
    for node in source:
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        names += [node.attr] if isinstance(node, ast.Attribute) else []
    return [name for name in names if any(kind in name for kind in MOVING)]


def test_no_view_has_an_animation_of_its_own() -> None:
    assert moving(ast.walk(ast.parse("from PySide6.QtCore import QPropertyAnimation"))) == ["QPropertyAnimation"]
    assert {path.name: found for path in sources("ui") if (found := moving(nodes(path)))} == {}


@pytest.mark.slow
def test_nothing_in_the_window_moves_by_itself(durham: Hands) -> None:
    durham.go("review")
    menu = next(action.menu() for action in durham.window.menuBar().actions())
    for widget in (
        durham.wizard.footer.next_button,
        durham.page.verticalScrollBar(),
        signing_hands.begin(durham).stages.bar,
        menu,
    ):
        duration = widget.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, widget)
        assert duration == 0, type(widget).__name__
    for effect in Qt.UIEffect:
        if effect != Qt.UIEffect.UI_General:
            assert not QApplication.isEffectEnabled(effect), effect


@pytest.mark.slow
def test_a_dock_and_a_page_are_where_they_go_at_once(durham: Hands) -> None:
    assert not durham.window.isAnimated()
    assert not durham.window.dockOptions() & QMainWindow.DockOption.AnimatedDocks
    durham.go("release")
    bar = durham.page.verticalScrollBar()
    at = QPointF(20.0, 20.0)
    turn = QWheelEvent(
        at,
        durham.page.mapToGlobal(at),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(durham.page.viewport(), turn)
    moved = bar.value()
    assert moved > 0
    durham.bot.wait(50)
    assert bar.value() == moved, "it does not glide on"


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
