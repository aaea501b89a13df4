""""""

from ui.pages.page import Page

__all__ = [
    "Page",
]
