"""Links that the monkey follows, and what is made ready for it."""

from __future__ import annotations

from PySide6.QtCore import QObject, QUrl, Slot

REFUSED = {
    "cut.json": b'{"format": "dpw',
    "deep.json": b"[" * 5_000,
    "bytes.json": b"\xff\xfe\x00",
    "empty.json": b"",
    "wrong.json": b'{"a": 1, "a": 2}',
}


class Links(QObject):
    """Takes what would open another program."""

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        """Open nothing."""
