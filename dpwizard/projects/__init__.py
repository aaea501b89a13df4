"""Working parts of `project.py`: the journal, newer versions, what differs between two decisions."""

from dpwizard.projects.comparison import Difference, differences
from dpwizard.projects.journal import Journal
from dpwizard.projects.project import open_project

__all__ = ["Difference", "Journal", "differences", "journal", "newer", "open_project", "project"]
