"""Whose computer this is: the certificate that signed last here, kept in the settings."""

from __future__ import annotations

from PySide6.QtCore import QSettings

_KEPT = "signing/own"


def own_fingerprint(settings: QSettings) -> str:
    """Return the fingerprint of the certificate that signed last here; nothing where none has."""
    return str(settings.value(_KEPT, "") or "")


def keep_own(settings: QSettings, fingerprint: str) -> None:
    """Note that the certificate with FINGERPRINT signed last here."""
    settings.setValue(_KEPT, fingerprint)
