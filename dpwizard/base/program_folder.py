"""The folder of the other parts of the program: main.py, ui/, resources/ and docs/.

It is the root of the source tree and of the frozen program. In a wheel it is dpwizard/program, so that pip adds only
this package to an environment (docs/decisions/0097-installing.md).
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
IN_WHEEL = PACKAGE / "program"  # pyproject.toml puts the files there
PROGRAM = IN_WHEEL if IN_WHEEL.is_dir() else PACKAGE.parent
