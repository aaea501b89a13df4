"""The command line, for use without the window.

JSON goes to standard output, words to standard error. Exit status: 0, solved or valid; 1, solved, but the allowed range
is empty, a requirement is infeasible, epsilon is outside the range, or a record is not valid; 2, invalid input; 3, a
record cannot be verified here. Never a traceback.
"""

from dpwizard.cli.arguments import main

__all__ = ["main"]
