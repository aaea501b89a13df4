"""Helpers to build widgets and layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtWidgets import QLabel, QLayout, QPlainTextEdit, QPushButton, QWidget

Part = TypeVar("Part", bound=QWidget)
Layout = TypeVar("Layout", bound=QLayout)


def named(part: Part, name: str) -> Part:
    """Return PART with NAME, its kind in the style sheet, such as "caption"."""
    part.setObjectName(name)
    return part


def unmnemonic(words: str) -> str:
    """Return WORDS for a button or menu, where a single & would be taken as a mnemonic."""
    return words.replace("&", "&&")


def button_for(words: str, pressed: Callable[..., object] | SignalInstance, name: str = "") -> QPushButton:
    """Return a button that says WORDS and calls PRESSED, or sends that signal; NAME is its kind in the style sheet."""
    button = named(QPushButton(unmnemonic(words)), name)
    button.clicked.connect(pressed)
    return button


def plain(layout: Layout, spacing: int) -> Layout:
    """Return LAYOUT without margins and with SPACING pixels between its parts."""
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(spacing)
    return layout


def fill(layout: Layout, *parts: QWidget) -> Layout:
    """Add PARTS to LAYOUT and return it."""
    for part in parts:
        layout.addWidget(part)
    return layout


def drop(layout: QLayout, parts: Iterable[QWidget]) -> None:
    """Remove PARTS from LAYOUT: hidden at once, and deleted after the current event."""
    for part in parts:
        layout.removeWidget(part)
        part.hide()
        part.deleteLater()


def clear(layout: QLayout) -> None:
    """Remove every widget from LAYOUT."""
    drop(layout, [part for part in laid_out(layout) if isinstance(part, QWidget)])


def laid_out(layout: QLayout) -> list[QWidget | QLayout]:
    """Return the widgets and layouts in LAYOUT, in their order.

    `itemAt` is not used: PySide keeps its item even after Qt has deleted it with its widget, and then mistakes the next
    object at that address for it, which crashes the program.
    """
    owner = layout.parentWidget()
    if owner is None:  # it is in no widget yet
        return []
    parts: list[QWidget | QLayout] = [child for child in owner.children() if isinstance(child, QWidget)]
    parts += [child for child in layout.children() if isinstance(child, QLayout)]
    places = {layout.indexOf(part): part for part in parts}
    return [places[at] for at in sorted(places) if at >= 0]


def copyable(words: str, name: str = "") -> QLabel:
    """Return WORDS as a label to read, select and copy; what somebody typed is shown as it is, never as markup."""
    label = named(QLabel(words, textFormat=Qt.TextFormat.PlainText, wordWrap=True), name)
    flags = Qt.TextInteractionFlag
    label.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
    return label


def reading_text(name: str, words: str = "") -> QPlainTextEdit:
    """Return a box with long text to read and copy; NAME is for screen readers."""
    box = QPlainTextEdit(words, readOnly=True, tabChangesFocus=True)
    box.setAccessibleName(name)
    return box


def added(layout: QLayout, part: Part) -> Part:
    """Add PART to LAYOUT and return it."""
    layout.addWidget(part)
    return part


def restyle(part: QWidget, name: str, value: bool) -> None:
    """Give PART the property NAME, which its style depends on."""
    if part.property(name) != value:
        part.setProperty(name, value)
        part.style().unpolish(part)
        part.style().polish(part)
