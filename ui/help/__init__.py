"""The guide in the program."""

from ui.help.guide_link import GuideLink

__all__ = ["GuideLink", "guide"]
