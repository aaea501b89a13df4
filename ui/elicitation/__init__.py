"""The questions, asked in the page of a requirement."""

from ui.elicitation.entry import AskingPage, QuestionButtons, asking_page

__all__ = ["AskingPage", "QuestionButtons", "asking_page"]
