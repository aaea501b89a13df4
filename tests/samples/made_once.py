"""Making once the pages that the tests of a process make again."""

from __future__ import annotations

import functools
from contextvars import ContextVar
from typing import Any

from dpwizard.report import typesetter
from dpwizard.report.typesetter import Job

KEPT = 200  # pages; most are read again by the next few tests


def typeset_once(job: Job) -> tuple[bytes, ...]:
    """Return what JOB asks for: what an equal job gave before, or made in this process."""
    return _made(**{**vars(job), "inputs": tuple(job.inputs.items())})


@functools.lru_cache(maxsize=KEPT)
def _made(*, inputs: tuple[tuple[str, str], ...], **others: Any) -> tuple[bytes, ...]:
    return typesetter.typeset_here(Job(inputs=dict(inputs), **others))


BY_ALL_THREADS = ContextVar("typesetter", default=typeset_once)
