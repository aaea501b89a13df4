"""The program: without arguments the wizard's window, with a subcommand the command line."""

from __future__ import annotations

import sys


def main(arguments: list[str]) -> int:
    """Run the command line, or open the window where no subcommand is given; return the exit status."""
    from dpwizard import cli

    return cli.main(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
