"""A page for each step."""

from ui.pages.page import Page

__all__ = ["Page"]
