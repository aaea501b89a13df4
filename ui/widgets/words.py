"""What the window says: English in the source, marked with `tr`, and said in the language the officer chose."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from PySide6.QtCore import QDateTime, QLocale

from dpwizard.language import ENGLISH, phrase, spoken

MOST_LETTERS = 40  # of a time that is none


def tr(text: str, plural: str | None = None, /, **figures: Any) -> str:
    """Return TEXT in the language spoken, with FIGURES in their places; PLURAL instead where the figure n is not 1.

    Both texts are written out in the source, never put together: a test reads them there and asks for their
    translations.
    """
    said = phrase("window", text, plural or "", figures["n"] if plural else 1)
    return said.format(**figures) if figures else said


def moment(time: str) -> str:
    """Return the TIME of a file by the reader's clock, the month by its name: nobody takes the day for the month.

    What is no time is said as it is.
    """
    try:
        made = QDateTime.fromSecsSinceEpoch(int(datetime.fromisoformat(time).timestamp()))
    except (ValueError, OverflowError, OSError):
        return time[:MOST_LETTERS] or tr("an unknown time")
    return QLocale(spoken()).toString(made, tr("d MMMM yyyy, HH:mm"))


def within(label: str) -> str:
    """Return LABEL as it stands within a sentence: in small letters where the language writes its nouns so."""
    return label.lower() if spoken() == ENGLISH else label
