"""Which version of the program this is: records name it."""

__version__ = "0.6.0"
