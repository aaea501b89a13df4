"""The record as a document."""

__all__ = [
    "answered",
    "appearance",
    "blocks",
    "checking",
    "document",
    "figures",
    "noise_sheet",
    "notice",
    "pdf_objects",
    "phrases",
    "signature_places",
    "typesetter",
    "typesetting",
    "values",
]
