"""Suggestions for unknown names."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the KNOWN name most similar to NAME, ignoring case; None if none is similar."""
    folded = {each.casefold(): each for each in known}
    close = get_close_matches(name.casefold(), folded, n=1)
    return folded[close[0]] if close else None
