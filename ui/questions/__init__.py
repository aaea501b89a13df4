"""The plain questions of the pages: sentences to complete, answers to choose from, and what follows from them.

The questions of a page are imported with it.
"""

from ui.questions.options import Options
from ui.questions.release_questions import ReleaseQuestions, question_title
from ui.questions.release_recap import ReleaseRecap
from ui.questions.review_questions import ReviewQuestions, with_defaults
from ui.questions.sentence import Sentence
from ui.questions.tolerance import AnswersRangeCard, AnswersRangeWorker, ToleranceQuestions, answered_logs

__all__ = [
    "AnswersRangeCard",
    "AnswersRangeWorker",
    "Options",
    "ReleaseQuestions",
    "ReleaseRecap",
    "ReviewQuestions",
    "Sentence",
    "ToleranceQuestions",
    "accuracy",
    "adversary",
    "answered_logs",
    "further_look",
    "protection",
    "question_title",
    "with_defaults",
]
