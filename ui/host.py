"""What a page and its cards may ask of the window they stand in, and whose computer that window is on."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QSettings

from ui.widgets import theme

_KEPT = "signing/own"  # in the settings: the certificate that signed last here


class Host(Protocol):
    """The window around a page."""

    settings: QSettings

    @property
    def colours(self) -> theme.Colours:
        """Return the colours shown."""

    def show_guide(self, page: str, heading: str = "") -> None:
        """Show PAGE of the guide, at HEADING."""


def own_fingerprint(settings: QSettings) -> str:
    """Return the fingerprint of the certificate that signed last here; nothing where none has."""
    return str(settings.value(_KEPT, "") or "")


def keep_own(settings: QSettings, fingerprint: str) -> None:
    """Note that the certificate with FINGERPRINT signed last here."""
    settings.setValue(_KEPT, fingerprint)
