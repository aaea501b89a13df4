"""Everything by keyboard: what has it is seen in every theme, Tab follows the page and leads out of it again, plots are
read."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from dpwizard.decision import STEPS
from tests.ui.dialogs import DIALOGS, opened
from tests.ui.hands import Hands
from tests.ui.test_access import contrast
from ui.app.footer import MiniAxis
from ui.plots import ChartPlot

pytestmark = pytest.mark.one_window

MOST = 400  # presses of Tab on one page
LEAST = 8  # pixels of height from which something is there to be seen
RING = 12  # pixels that change at least, for a ring to be seen
KINDS = (QPushButton, QAbstractSlider, QComboBox, QLineEdit, QPlainTextEdit, ChartPlot, MiniAxis, QAbstractButton)


def walked(hands: Hands, start: QWidget, key: Qt.Key = Qt.Key.Key_Tab) -> list[QWidget]:
    """Return what has the keyboard in turn, from START until it is there again."""
    start.setFocus(Qt.FocusReason.TabFocusReason)
    path: list[QWidget] = []
    for _ in range(MOST):
        now = QApplication.focusWidget()
        assert now is not None
        if path and now is start:
            return path
        if not path or path[-1] is not now:
            path.append(now)
        hands.bot.keyClick(now, key)
    raise AssertionError(f"Tab never comes back to {start}: it turns among {[type(one).__name__ for one in path[-6:]]}")


def stops(top: QWidget) -> list[QWidget]:
    """Return what Tab should lead to in TOP."""
    found = [one for kind in KINDS for one in top.findChildren(kind)]
    return [
        one
        for one in dict.fromkeys(found)
        if one.isVisible() and one.isEnabled() and one.focusPolicy() & Qt.FocusPolicy.TabFocus and not _mechanics(one)
    ]


def _mechanics(widget: QWidget) -> bool:
    """Return whether WIDGET is a part of another that Qt makes and passes the keyboard on for."""
    return (
        widget.objectName().startswith("qt_")
        or isinstance(widget.parent(), QComboBox)
        or widget.focusProxy() is not None
    )


@pytest.mark.slow
@pytest.mark.parametrize("key", [step.key for step in STEPS])
def test_tab_leads_to_everything_on_a_page_from_the_top_down_and_out_of_it_again(durham: Hands, key: str) -> None:
    durham.go(key)
    durham.settle()
    start = durham.wizard.steps.buttons[key]
    onward = walked(durham, start)
    wanted = stops(durham.page)
    radio = {one for one in wanted if isinstance(one, QAbstractButton) and one.autoExclusive()}  # one stop for them all
    assert [one.accessibleName() for one in wanted if one not in onward and one not in radio] == []
    assert [one.accessibleName() for one in stops(durham.wizard.footer) if one not in onward] == []
    assert set(walked(durham, start, Qt.Key.Key_Backtab)) == set(onward)
    page, content = durham.page, durham.page.widget()
    path = [one for one in onward if page.isAncestorOf(one)]
    holder = page._fields_holder
    for beside in (False, True):
        mine = [one for one in path if holder.isAncestorOf(one) != beside and one.height() >= LEAST]
        above = [
            f"{after.accessibleName()} after {before.accessibleName()}"
            for before, after in pairwise(mine)
            if after.mapTo(content, QPoint(0, after.height())).y() <= before.mapTo(content, QPoint(0, 0)).y()
            and after.mapTo(content, QPoint(0, 0)).x() < before.mapTo(content, QPoint(before.width(), 0)).x()
            and not before.isAncestorOf(after)
        ]  # to the right of it the next column begins
        assert above == []
    fields = [holder.isAncestorOf(one) for one in path]
    assert fields == sorted(fields, reverse=True), "first the fields, then what stands beside them"


@pytest.mark.soak
@pytest.mark.own_window
@pytest.mark.parametrize("name", DIALOGS)
def test_tab_leads_to_everything_in_a_dialog_and_round(durham: Hands, name: str) -> None:
    dialog = opened(name, durham.window, durham.wait)
    dialog.activateWindow()
    durham.bot.waitUntil(lambda: QApplication.activeWindow() is dialog)
    wanted = stops(dialog)
    assert wanted
    path = walked(durham, wanted[0])
    radio = {one for one in wanted if isinstance(one, QAbstractButton) and one.autoExclusive()}
    assert [one.accessibleName() or type(one).__name__ for one in wanted if one not in path and one not in radio] == []
    durham.bot.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Escape)
    durham.bot.waitUntil(lambda: dialog not in [one for one in QApplication.topLevelWidgets() if one.isVisible()])


# --------------------------------------------------------------------------------------- the ring


def on_its_ground(widget: QWidget) -> QImage:
    """Return WIDGET as it is seen, with what shows through it."""
    window = widget.window()
    return (
        window.grab(QRect(widget.mapTo(window, QPoint(0, 0)), widget.size()))
        .toImage()
        .convertToFormat(QImage.Format.Format_RGB32)
    )


def ring(widget: QWidget, other: QWidget) -> tuple[int, float]:
    """Return how many pixels change when WIDGET takes the keyboard from OTHER, and the best contrast of after with
    before."""
    other.setFocus(Qt.FocusReason.TabFocusReason)
    before = on_its_ground(widget)
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    after = on_its_ground(widget)
    if before.size() != after.size():
        return RING, 21.0
    changed = [
        (before.pixelColor(x, y).name(), after.pixelColor(x, y).name())
        for x in range(before.width())
        for y in range(before.height())
        if before.pixel(x, y) != after.pixel(x, y)
    ]
    pairs = set(changed)
    return len(changed), max((contrast(was, now) for was, now in pairs), default=1.0)


@pytest.mark.own_window
@pytest.mark.slow
@pytest.mark.parametrize(("dark", "strong"), [(False, False), (True, True)], ids=["light", "dark, more contrast"])
def test_what_has_the_keyboard_is_seen_in_every_theme(
    make_hands: Callable[..., Hands], dark: bool, strong: bool
) -> None:
    hands = make_hands("durham", dark=dark)
    if strong:
        hands.window.appearance.asked.contrastPreferenceChanged.emit(Qt.ContrastPreference.HighContrast)
    weak: list[str] = []
    kinds: set[str] = set()
    for key in ("release", "profile", "decision", "review"):
        hands.go(key)
        hands.settle()
        of_kind: dict[tuple[str, str], int] = {}
        step = hands.wizard.steps.buttons[key]
        for widget in (*stops(hands.page), *stops(hands.wizard.footer), *stops(hands.wizard.steps)):
            style = (type(widget).__name__, widget.objectName() if not widget.objectName().startswith("$") else "")
            of_kind[style] = of_kind.get(style, 0) + 1
            if of_kind[style] > 2:  # two of a kind are enough
                continue
            kinds.add(style[0])
            hands.page.ensureWidgetVisible(widget) if hands.page.isAncestorOf(widget) else None
            pixels, found = ring(widget, hands.wizard.footer.axis if widget is step else step)
            if pixels < RING or found < 3.0:
                weak.append(f"{key}: {style} {widget.accessibleName()[:40]}: {pixels} pixels, {found:.2f} : 1")
    assert weak == []
    assert kinds >= {"QPushButton", "Line", "Slider", "Choice", "ChartPlot", "MiniAxis", "MenuButton", "StepButton"}


@pytest.mark.slow
def test_a_plot_is_read_by_keyboard(durham: Hands) -> None:
    durham.go("profile")
    durham.settle()
    plot = durham.page.panels[0].plots[0]
    plot.setFocus(Qt.FocusReason.TabFocusReason)
    quiet = plot.accessibleDescription()
    durham.bot.keyClick(plot, Qt.Key.Key_Escape)
    durham.bot.keyClick(plot, Qt.Key.Key_End)
    assert plot.accessibleDescription() not in ("", quiet)
    assert plot.crosshair.visible
