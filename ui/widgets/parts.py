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


def unmnemonic(words: str) -> str:
    """Return WORDS for a button or menu, where a single & would underline the next letter and vanish."""
    return words.replace("&", "&&")


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


def laid_out(layout: QLayout) -> list[QWidget | QLayout]:
    """Return the widgets and layouts in LAYOUT, in their order.

    `itemAt` is not asked: PySide keeps the item that it gives as long as the layout, also when Qt has deleted it with
    its widget, and takes what Qt makes next at that place for it, of which the program dies.
    """
    owner = layout.parentWidget()
    if owner is None:  # it stands nowhere yet
        return []
    parts: list[QWidget | QLayout] = [child for child in owner.children() if isinstance(child, QWidget)]
    parts += [child for child in layout.children() if isinstance(child, QLayout)]
    places = {layout.indexOf(part): part for part in parts}
    return [places[at] for at in sorted(places) if at >= 0]


def added(layout: QLayout, part: Part) -> Part:
    """Return PART, which is now at the end of LAYOUT."""
    layout.addWidget(part)
    return part
