"""The questions, asked in the page of a requirement."""

from ui.elicitation.dots import CountedDots, Dots
from ui.elicitation.entry import AskingPage, QuestionButtons, asking_page

__all__ = ["AskingPage", "CountedDots", "Dots", "QuestionButtons", "asking_page"]
