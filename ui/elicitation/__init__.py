"""The questions in a window of their own."""

from ui.elicitation.dots import Dots
from ui.elicitation.entry import BetsEntry

__all__ = ["BetsEntry", "Dots"]
