"""Working parts of `project.py`: versions of the format, the journal, the lock, and what differs between two decisions."""
