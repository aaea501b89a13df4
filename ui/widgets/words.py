"""What the window says: English in the source, marked with `tr`, and said in the language the officer chose."""

from __future__ import annotations

from typing import Any

from dpwizard.language import ENGLISH, phrase, spoken


def tr(text: str, plural: str | None = None, /, **figures: Any) -> str:
    """Return TEXT in the language spoken, with FIGURES in their places; PLURAL instead where the figure n is not 1.

    Both texts are written out in the source, never put together: a test reads them there and asks for their
    translations.
    """
    said = phrase("window", text, plural or "", figures["n"] if plural else 1)
    return said.format(**figures) if figures else said


def within(label: str) -> str:
    """Return LABEL as it stands within a sentence: in small letters where the language writes its nouns so."""
    return label.lower() if spoken() == ENGLISH else label
