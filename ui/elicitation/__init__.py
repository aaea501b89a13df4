"""The questions in a window of their own."""

from ui.elicitation.entry import ASKED, BetsEntry

__all__ = [
    "ASKED",
    "BetsEntry",
]
