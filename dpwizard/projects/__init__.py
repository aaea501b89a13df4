"""Project files: reading, saving, the journal, newer versions, comparing decisions, beginning the next release."""

__all__ = ["comparison", "journal", "newer", "next_release", "project"]
