"""The typesetter in a process of its own: what it needs is given back when it ends, and what kills it leaves the window
alive."""

from __future__ import annotations

import logging
import os
import subprocess

from dpwizard.base.messages import message
from dpwizard.base.starting import HIDDEN, command
from dpwizard.report import typesetter

TYPESET = "--typeset"  # main.py answers it
LONGEST = 300  # seconds; the longest record known takes two

log = logging.getLogger(__name__)


def typeset_apart(job: typesetter.Job) -> tuple[bytes, ...]:
    """Return what JOB asks for, made in a process of its own, or in this one where none can be started or one is ended
    before it begins.

    Raises FileProblem where the job is refused; DPWizardError where that process died of it or took more than five
    minutes.
    """
    try:
        child = subprocess.run(
            command(TYPESET),
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
