"""The total privacy loss of several releases."""

__all__ = ["composition"]
