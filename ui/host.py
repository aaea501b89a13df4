"""What a page and its cards may ask of their window, and whose computer it is on."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QSettings

from ui.widgets import theme

_KEPT = "signing/own"  # in the settings: the certificate that signed last here
_TECHNICAL = "technical_details_stay_open"  # in the settings: whether they are open on every page


class Host(Protocol):
    """The window around a page."""

    settings: QSettings

    @property
    def colours(self) -> theme.Colours:
        """Return the colours shown."""

    def show_guide(self, page: str, heading: str = "") -> None:
        """Show PAGE of the guide, at HEADING."""


def last_fingerprint(settings: QSettings) -> str:
    """Return the fingerprint of the certificate that signed last here; nothing where none has."""
    return str(settings.value(_KEPT, "") or "")


def keep_fingerprint(settings: QSettings, fingerprint: str) -> None:
    """Note that the certificate with FINGERPRINT signed last here."""
    settings.setValue(_KEPT, fingerprint)


def technical_details_stay_open(settings: QSettings) -> bool:
    """Return whether the technical details of every page are to be open."""
    return settings.value(_TECHNICAL, False, type=bool) is True


def keep_technical_details_open(settings: QSettings, open: bool) -> None:
    """Note whether the technical details of every page are to be open."""
    settings.setValue(_TECHNICAL, open)
