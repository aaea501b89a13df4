"""The program as `python -m dpwizard`, and as the command `dpwizard` that pip installs: both run main.py."""

from __future__ import annotations

import sys

from dpwizard.base.program_folder import PROGRAM


def main() -> int:
    """Run main.py with the arguments of this process; return the exit status."""
    if str(PROGRAM) not in sys.path:
        sys.path.insert(0, str(PROGRAM))  # as Python does for the folder of a script: main.py imports ui from there
    from main import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
