"""The record as a document."""
