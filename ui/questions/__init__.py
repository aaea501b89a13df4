"""The plain questions of the pages: sentences to fill in, answers to choose from, and what they come to.

The questions of a page are imported with it.
"""

from ui.questions.how_much import AnswersAllow, AnswersSought, HowMuchQuestions, logs_about, promised
from ui.questions.options import Options
from ui.questions.release_meant import ReleaseMeant
from ui.questions.release_questions import ReleaseQuestions
from ui.questions.review_questions import ReviewQuestions, with_defaults
from ui.questions.sentence import Sentence

__all__ = [
    "AnswersAllow",
    "AnswersSought",
    "HowMuchQuestions",
    "Options",
    "ReleaseMeant",
    "ReleaseQuestions",
    "ReviewQuestions",
    "Sentence",
    "accuracy",
    "adversary",
    "logs_about",
    "look_above",
    "promised",
    "protection",
    "with_defaults",
]
