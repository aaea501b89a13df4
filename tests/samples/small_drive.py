"""A drive that is really too small: a program of its own that may write files of a few bytes only."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BEGIN = (
    "import resource, signal, sys; from pathlib import Path; from dpwizard.base.errors import FileProblem; path = "
    "Path(sys.argv[1])\n"
    "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); most = int(sys.argv[2]); resource.setrlimit(resource.RLIMIT_FSIZE, "
    "(most, most))\n"
)


def refused(imports: str, attempt: str, path: Path, most: int) -> str:
    """Return what is said of the ATTEMPT (source that uses `path`) to write files larger than so many bytes; nothing
    where it succeeds."""
    code = f"{imports}\n{BEGIN}try:\n    {attempt}\nexcept FileProblem as problem:\n    print(problem.message)"
    return subprocess.run(
        [sys.executable, "-c", code, str(path), str(most)], capture_output=True, text=True, check=True
    ).stdout
