"""What several releases lose together."""

__all__ = ["composition"]
