""""""

from ui.elicitation.entry import ASKED, BetsEntry

__all__ = [
    "ASKED",
    "BetsEntry",
]
