"""The questions, asked in the page of a requirement."""

from ui.elicitation.dots import Dots
from ui.elicitation.entry import AskingPage, BetsEntry, asking_page

__all__ = ["AskingPage", "BetsEntry", "Dots", "asking_page"]
