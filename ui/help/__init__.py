"""The guide in the program."""

from ui.help.guide import GuideLink, step_section

__all__ = ["GuideLink", "guide", "step_section"]
