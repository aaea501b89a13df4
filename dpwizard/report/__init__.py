"""The record as a document."""

__all__ = ["document", "figures", "phrases", "reading", "typesetter", "values", "versions"]
