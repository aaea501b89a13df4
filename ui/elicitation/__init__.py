"""The questions in a window of their own."""

from ui.elicitation.entry import BetsEntry

__all__ = ["BetsEntry"]
