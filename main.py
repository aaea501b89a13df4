"""The program: without arguments (or with a file) the wizard's window, with a subcommand the command line."""

from __future__ import annotations

import sys
from pathlib import Path


def main(arguments: list[str]) -> int:
    """Run the command line, or open the window where no subcommand is given; return the exit status."""
    if not arguments or (len(arguments) == 1 and arguments[0].endswith(".json") and Path(arguments[0]).exists()):
        from ui import app

        return app.run(["dpwizard", *arguments])
    from dpwizard import cli

    return cli.main(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
