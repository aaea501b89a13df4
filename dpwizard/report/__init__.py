"""The record as a document."""

from dpwizard.report.phrases import words
from dpwizard.report.reading import content
from dpwizard.report.typesetter import Job, answered, asked, lost, typeset_here
from dpwizard.report.values import label, profile_promise

__all__ = [
    "Job",
    "answered",
    "asked",
    "content",
    "document",
    "figures",
    "label",
    "lost",
    "profile_promise",
    "typeset_here",
    "typesetter",
    "words",
]
