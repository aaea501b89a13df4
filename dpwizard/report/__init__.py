"""Records as documents: blocks of text and figures, as PDF, HTML and plain text."""

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
