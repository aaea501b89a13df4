"""Names for screen readers, contrast by computation, and what no view may do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from dpwizard.decision.requirements import kinds
from tests.ui.hands import Hands
from ui.widgets import theme

pytestmark = pytest.mark.one_window

CONTROLS = (QAbstractButton, QAbstractSlider, QComboBox, QLineEdit, QPlainTextEdit)


# ------------------------------------------------------------------------------------------ names


def name_of(control: QWidget) -> str:
    """Return what a screen reader calls CONTROL; "" where it has no name."""
    if control.accessibleName():
        return control.accessibleName()
    interface = QAccessible.queryAccessibleInterface(control)
    return "" if interface is None else interface.text(QAccessible.Text.Name).strip()


@pytest.mark.parametrize("example", ["durham", pytest.param("kazan_reiter_table_1_a", marks=pytest.mark.slow)])
def test_every_control_has_a_name_and_a_role_for_screen_readers(make_hands: Callable[..., Hands], example: str) -> None:
    hands = make_hands(example)
    hands.go("adversary")
    for kind in kinds():
        hands.page.cards.session.edit("Add", _with(hands, kind))
    hands.settle()
    nameless = []
    for key in hands.wizard.pages:
        hands.go(key)
        for control in hands.window.findChildren(QWidget):
            if not isinstance(control, CONTROLS) or control.objectName().startswith("qt_") or not control.isVisible():
                continue
            if isinstance(control.parent(), QComboBox) or control.focusPolicy() == Qt.FocusPolicy.NoFocus:
                continue
            if not name_of(control):
                nameless.append(f"{key}: {type(control).__name__} {control.objectName()}")
    assert nameless == []


def _with(hands: Hands, kind: str) -> object:
    from dpwizard.decision import edits

    return edits.add(hands.window.session.decision, "$.requirements", {"kind": kind})


@pytest.mark.slow
def test_every_panel_says_in_a_sentence_what_it_shows(durham: Hands) -> None:
    hands = durham
    for key in hands.wizard.pages:
        hands.go(key)
        panels = [
            *hands.page.panels,
            *(getattr(hands.page, name) for name in ("axis", "noise") if hasattr(hands.page, name)),
        ]
        for panel in panels:
            if hasattr(panel, "sentence") and panel.isVisible():  # not folded away
                assert panel.accessibleName()
                assert panel.accessibleDescription() == panel.sentence.words != ""


# --------------------------------------------------------------------------------------- contrast


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2."""
    parts = QColor(colour).getRgbF()[:3]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


EVERY = {
    "light": theme.LIGHT,
    "dark": theme.DARK,
    "light, strong": theme.LIGHT_STRONG,
    "dark, strong": theme.DARK_STRONG,
}
STRONG = (theme.LIGHT_STRONG, theme.DARK_STRONG)  # where the system asks for more contrast: level AAA of WCAG 2, 7 : 1
THEMES = pytest.mark.parametrize("colours", EVERY.values(), ids=EVERY)


@THEMES
@pytest.mark.parametrize("text", ["text", "quiet", "accent", "problem"])
@pytest.mark.parametrize("ground", ["ground", "card", "selected"])
def test_text_is_seen_on_every_ground(colours: theme.Colours, text: str, ground: str) -> None:
    assert contrast(getattr(colours, text), getattr(colours, ground)) >= (7.0 if colours in STRONG else 4.5)


@THEMES
def test_words_on_buttons_are_seen(colours: theme.Colours) -> None:
    assert contrast(colours.on_accent, colours.accent) >= 4.5
    assert contrast(colours.on_accent, colours.accent_strong) >= 4.5
    assert contrast(colours.quiet, colours.shade) >= 4.5  # words in the region without a bound


@THEMES
@pytest.mark.parametrize(
    "line", ["privacy", "accuracy", "window", "refuted", "chosen", "accent", "field_line", "problem"]
)
@pytest.mark.parametrize("ground", ["ground", "card"])
def test_lines_and_markers_are_seen_on_either_ground(colours: theme.Colours, line: str, ground: str) -> None:
    assert contrast(getattr(colours, line), getattr(colours, ground)) >= (4.5 if colours in STRONG else 3.0)


# ------------------------------------------------------------------------------------------ files


@pytest.mark.slow
def test_tab_reaches_what_was_added_late_in_its_place(empty: Hands) -> None:
    hands = empty
    hands.go("budget")
    hands.click(hands.page.spent.add_button)
    hands.bot.waitUntil(lambda: hands.page.spent.forms != [] and hands.page.spent.forms[0].isVisible())
    hands.pick(hands.page.cards.add_button, "compensation")
    hands.bot.waitUntil(lambda: hands.page.cards.cards[0].isVisible())
    hands.page.spent.forms[0].editors["date"].reach()
    reached = []
    while len(reached) < 9:
        hands.bot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        reached.append(name_of(QApplication.focusWidget()))
    assert reached[:2] == ["More about this release", "Add an earlier release: earlier release"]
    assert reached[2:4] == ["Choose signed records …", "What beliefs are counted from"]
    assert reached[-3:] == ["More for requirement 1", "Name", "People"]
