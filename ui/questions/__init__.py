"""The plain questions of the pages: sentences to fill in, answers to choose from, and what they come to."""

from ui.questions.options import Option, Options

__all__ = ["Option", "Options"]
