"""What a page and its cards may ask of the window they stand in: the main window offers this, they know no more."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QSettings

from ui.widgets import theme


class Host(Protocol):
    """The window around a page."""

    settings: QSettings

    @property
    def colours(self) -> theme.Colours:
        """Return the colours shown."""

    def show_guide(self, page: str, heading: str = "") -> None:
        """Show PAGE of the guide, at HEADING."""
