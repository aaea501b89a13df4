"""The typesetter in a process of its own: what it needs is given back when it ends, and what kills it leaves the window
alive."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

from dpwizard.messages import message
from dpwizard.program_folder import PROGRAM
from dpwizard.report import typesetter

TYPESET = "--typeset"  # main.py answers it
LONGEST = 300  # seconds; the longest record known takes two
HIDDEN = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows, no console flashes up

log = logging.getLogger(__name__)


def command(what: str = TYPESET) -> list[str]:
    """Return how this program is started without a window, for WHAT main.py answers."""
    if getattr(sys, "frozen", False):
        beside = Path(sys.executable).with_name("dpwizard-cli" + Path(sys.executable).suffix)
        return [str(beside if beside.exists() else sys.executable), what]
    return [sys.executable, str(PROGRAM / "main.py"), what]


def typeset_apart(job: typesetter.Job) -> tuple[bytes, ...]:
    """Return what JOB asks for, made in a process of its own, or in this one where none can be started or one is ended
    before it begins.

    Raises FileProblem where the job is refused; DPWizardError where that process died of it or took more than five
    minutes.
    """
    try:
        child = subprocess.run(
            command(),
            input=typesetter.asked(job),
            capture_output=True,
            check=False,
            timeout=LONGEST,
            creationflags=HIDDEN,
        )
    except subprocess.TimeoutExpired:
        raise typesetter.lost(
            message("the typesetter gave no answer within {seconds} seconds", seconds=LONGEST)
        ) from None
    except OSError as problem:  # an office may forbid it
        log.warning("no process for typesetting: %s", problem)
        return typesetter.typeset_here(job)
    if child.returncode:
        log.error("typesetting ended with %s: %s", child.returncode, os.fsdecode(child.stderr[-2_000:]))
    made = typesetter.answered(child.stdout, child.returncode)
    return (
        typesetter.typeset_here(job) if made is None else made
    )  # none: what guards this computer let it start, and no more
