"""What a start imports, and how long each of the dearest imports takes: the command line's and the window's."""

from __future__ import annotations

import re
import subprocess
import sys

from benchmarks.timing import ROOT, installed

STARTS = {
    "the command line (import dpwizard.cli)": "import dpwizard.cli",
    "the window, up to its first page (import ui.app.application)": "import ui.app.application",
    "the window, everything else (import ui.app.wizard)": "import ui.app.application, ui.app.wizard, ui.pages.profile, "
    "ui.pages.decision",
}
SHOWN = 12


def imports(code: str) -> list[tuple[int, int, str]]:
    """Return (its own, with what it imports in turn, name) in microseconds for each module CODE imports in a fresh
    process."""
    command = [sys.executable, "-X", "importtime", "-c", code]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, env=installed())
    lines = re.findall(r"import time:\s+(\d+) \|\s+(\d+) \| (\s*\S+)", found.stderr)
    return [(int(own), int(total), name) for own, total, name in lines]


def main() -> int:
    """Print a table for each start, dearest packages first."""
    for what, code in STARTS.items():
        imports(code)  # the first time writes compiled files
        found = imports(code)
        total = sum(own for own, _, _ in found) / 1000
        packages: dict[str, int] = {}
        for own, _, name in found:
            package = name.strip().split(".")[0]
            packages[package] = packages.get(package, 0) + own
        print(f"{what}: {len(found)} modules, {total:.0f} ms")
        for package, own in sorted(packages.items(), key=lambda item: -item[1])[:SHOWN]:
            print(f"    {package:<28}{own / 1000:8.1f} ms")
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
