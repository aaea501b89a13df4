"""The questions, asked in the page of a requirement."""

from ui.elicitation.dots import CountedDots, Dots
from ui.elicitation.entry import AskingPage, BetsEntry, asking_page

__all__ = ["AskingPage", "BetsEntry", "CountedDots", "Dots", "asking_page"]
