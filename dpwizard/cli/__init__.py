"""The command line: a command for each thing that can be done without the window.

JSON goes to standard output, words to standard error. Exit status: 0 solved or valid; 1 solved, but the
window is empty, something is infeasible, epsilon lies outside, or a record is not what it should be; 2 the
input is wrong; 3 whether a record is what it should be cannot be determined here. Never a traceback.
"""

from dpwizard.cli.arguments import main

__all__ = ["main"]
