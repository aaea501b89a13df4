"""The record as a document."""

__all__ = [
    "document",
    "figures",
    "noise_sheet",
    "notice",
    "pdf_objects",
    "phrases",
    "signature_places",
    "typesetter",
    "values",
    "versions",
]
