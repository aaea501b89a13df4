"""The known name that looks most like one that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the one of the KNOWN names that looks most like NAME, whatever its capitals; None if none does."""
    folded = {each.casefold(): each for each in known}
    close = get_close_matches(name.casefold(), folded, n=1)
    return folded[close[0]] if close else None
