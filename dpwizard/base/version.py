"""Which version of the program this is: records name it."""

__version__ = "0.7.0"
