"""The plain questions of the pages: sentences to fill in, answers to choose from, and what they come to."""

from ui.questions.how_much import AnswersAllow, AnswersSought, HowMuchQuestions, logs_about, promised
from ui.questions.options import Option, Options

__all__ = [
    "AnswersAllow",
    "AnswersSought",
    "HowMuchQuestions",
    "Option",
    "Options",
    "logs_about",
    "promised",
]
