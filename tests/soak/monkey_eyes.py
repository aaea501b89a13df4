"""What the monkey of tests.soak.monkey sees in front of it."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget


def within_sight(front: QWidget, kinds: tuple[type[Any], ...]) -> list[Any]:
    """Return what of these KINDS is seen in FRONT and can be used.

    Not by findChildren(): PySide keeps each object it found as a child of FRONT, and a window that stays would keep
    some 100 bytes of every scroll bar that ever was in it.
    """
    found = []
    for child in front.children():
        if isinstance(child, QWidget) and child.isVisible():
            if isinstance(child, kinds) and child.isEnabled():
                found.append(child)
            found += within_sight(child, kinds)
    return found
