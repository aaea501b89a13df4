"""A record verified in a bounded process: its files are not parsed here.

Importing this takes no solver, typesetter or cryptography: that process has them.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from dpwizard.base.messages import message
from dpwizard.base.worker import Progress
from dpwizard.signing import findings
from dpwizard.signing.bounded import Bounded, OutOfBounds, within
from dpwizard.signing.findings import Findings, Verification
from dpwizard.signing.store import RecordFiles

VERIFY = "dpwizard.signing.verification:verify_file"


def verify_folder(
    place: RecordFiles,
    trusted: Iterable[Path],
    now: datetime,
    policy: Path | None = None,
    log: Path | None = None,
    process: Bounded | None = None,
) -> Verification:
    """Return what `verification.verify` finds, done in PROCESS, else in one of its own; POLICY is a policy's file.

    Where that takes more time or memory than it may, or dies, nothing is determined, and the outcome says so. Raises
    what `verify` raises, and what `policy_files.read_policy` does.
    """
    try:
        with within(process) as bounded:
            return bounded.do(Verification, VERIFY, place.json, tuple(trusted), now, policy, log)
    except OutOfBounds as problem:
        return not_checked(problem)


def not_checked(problem: OutOfBounds) -> Verification:
    """Return the judgement that nothing could be determined, because of PROBLEM."""
    results = Findings()
    why = message("the record could not be checked here: {reason}", reason=problem.message)
    results.add("pages", None, why, remedy=problem.hint)
    return findings.concluded(results, signed=True)


def verify_folder_quietly(progress: Progress, *given: Any) -> Verification:
    """Return what `verify_folder` finds, without reporting progress."""
    return verify_folder(*given)
