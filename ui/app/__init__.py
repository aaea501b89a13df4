""""""

__all__ = [
    "application",
    "error_report",
    "examples",
    "places",
    "program_log",
    "self_test",
]
