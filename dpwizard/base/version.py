"""The version of the program, which records name."""

__version__ = "0.7.0"
