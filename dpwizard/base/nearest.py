"""The known name that looks most like one that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the one of the KNOWN names that looks most like NAME, whatever its capitals; None if none does."""
    folded = {one.casefold(): one for one in known}
    found = get_close_matches(name.casefold(), folded, n=1)
    return folded[found[0]] if found else None
