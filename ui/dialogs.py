"""Dialogs that are opened and thrown away: whoever closes one a hundred times keeps none of them."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog


def open_once(dialog: QDialog) -> None:
    """Open DIALOG over its window; once it is closed it goes, with all it holds."""
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
