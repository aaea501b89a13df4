"""The window as a whole: its parts, its files, its start."""

__all__ = ["application", "error_report", "examples", "places", "program_log", "self_test"]
