"""Working parts of `project.py`: the journal, newer versions, what differs between two decisions, the next release."""

__all__ = ["comparison", "journal", "newer", "next_release", "project"]
