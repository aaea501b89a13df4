"""The words of the window: English in the source, marked with `tr`, and translated into the chosen language."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from PySide6.QtCore import QDateTime, QLocale

from dpwizard.base.language import ENGLISH, phrase, spoken

MOST_LETTERS = 40  # of a time that cannot be read
ORDINARY = re.compile(r"[A-Z][a-z-]*[,:]?")  # a first word that is not a name such as "SHA-256" or "L1"
SURNAMES = ("Dandekar", "Gaussian", "Laplace")  # first words of labels


def tr(text: str, plural: str | None = None, /, **figures: Any) -> str:
    """Return TEXT in the current language, filled with FIGURES; PLURAL instead if the figure n is not 1.

    Both texts are written out in the source: a test reads them there and checks that they are translated.
    """
    sentence = phrase("window", text, plural or "", figures["n"] if plural else 1)
    return sentence.format(**figures) if figures else sentence


def moment(time: str) -> str:
    """Return the TIME of a file in the local time zone, with the month by name, so that it is not taken for the day.

    A text that is not a time is returned as it is.
    """
    try:
        time_of_file = QDateTime.fromSecsSinceEpoch(int(datetime.fromisoformat(time).timestamp()))
    except (ValueError, OverflowError, OSError):
        return time[:MOST_LETTERS] or tr("an unknown time")
    return QLocale(spoken()).toString(time_of_file, tr("d MMMM yyyy, HH:mm"))


def within(label: str) -> str:
    """Return LABEL for use inside a sentence: in English with a small first letter, unless it begins with a name."""
    first = label.split(" ", 1)[0]
    is_name = first in SURNAMES or ORDINARY.fullmatch(first) is None
    return label if is_name or spoken() != ENGLISH else label[:1].lower() + label[1:]
