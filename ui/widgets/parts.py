"""What nearly every widget is put together from: a named part, a button for one thing, a layout without margins."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from PySide6.QtWidgets import QLayout, QPushButton, QWidget

Part = TypeVar("Part", bound=QWidget)
Layout = TypeVar("Layout", bound=QLayout)


def named(part: Part, name: str) -> Part:
    """Return PART with the NAME by which the style sheet knows its like, such as "caption"."""
    part.setObjectName(name)
    return part


def button_for(words: str, pressed: Callable[..., object], name: str = "") -> QPushButton:
    """Return a button that says WORDS and calls PRESSED; NAME is its kind in the style sheet."""
    button = named(QPushButton(words), name)
    button.clicked.connect(pressed)
    return button


def plain(layout: Layout, spacing: int) -> Layout:
    """Return LAYOUT without margins, and with SPACING pixels between its parts."""
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(spacing)
    return layout


def fill(layout: Layout, *parts: QWidget) -> Layout:
    """Return LAYOUT with PARTS at its end, in their order."""
    for part in parts:
        layout.addWidget(part)
    return layout


def drop(layout: QLayout, parts: Iterable[QWidget]) -> None:
    """Take PARTS out of LAYOUT: gone at once, and deleted when the event that asked for it is over."""
    for part in parts:
        layout.removeWidget(part)
        part.hide()
        part.deleteLater()


def added(layout: QLayout, part: Part) -> Part:
    """Return PART, which is now at the end of LAYOUT."""
    layout.addWidget(part)
    return part
