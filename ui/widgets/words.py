"""What the window says: English in the source, marked with `tr`, and said in the language the officer chose."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from PySide6.QtCore import QDateTime, QLocale

from dpwizard.base.language import ENGLISH, phrase, spoken

MOST_LETTERS = 40  # of a time that is none
ORDINARY = re.compile(r"[A-Z][a-z-]*[,:]?")  # the first word of a label; "SHA-256" and "L1" are names
SURNAMES = ("Dandekar", "Gaussian", "Laplace")  # with which labels begin


def tr(text: str, plural: str | None = None, /, **figures: Any) -> str:
    """Return TEXT in the language spoken, with FIGURES in their places; PLURAL instead where the figure n is not 1.

    Both texts are written out in the source, never put together: a test reads them there and asks for their
    translations.
    """
    sentence = phrase("window", text, plural or "", figures["n"] if plural else 1)
    return sentence.format(**figures) if figures else sentence


def moment(time: str) -> str:
    """Return the TIME of a file by the reader's clock, the month by its name: nobody takes the day for the month.

    What is no time is said as it is.
    """
    try:
        time_of_file = QDateTime.fromSecsSinceEpoch(int(datetime.fromisoformat(time).timestamp()))
    except (ValueError, OverflowError, OSError):
        return time[:MOST_LETTERS] or tr("an unknown time")
    return QLocale(spoken()).toString(time_of_file, tr("d MMMM yyyy, HH:mm"))


def within(label: str) -> str:
    """Return LABEL as it stands within a sentence: an English one begins with a small letter, unless with a name."""
    first = label.split(" ", 1)[0]
    is_name = first in SURNAMES or ORDINARY.fullmatch(first) is None
    return label if is_name or spoken() != ENGLISH else label[:1].lower() + label[1:]
