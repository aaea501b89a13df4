"""The record as a document."""

__all__ = [
    "blocks",
    "checking",
    "document",
    "figures",
    "noise_sheet",
    "notice",
    "pdf_objects",
    "phrases",
    "reviewers_section",
    "signature_places",
    "typesetter",
    "values",
    "versions",
]
