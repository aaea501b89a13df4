"""Working parts of `project.py`: the journal, newer versions, what differs between two decisions."""

__all__ = ["comparison", "journal", "newer", "project"]
