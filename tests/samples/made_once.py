"""Making once what the tests of a process make again: pages, and how the window of a decision moves."""

from __future__ import annotations

import functools
from contextvars import ContextVar
from typing import Any

from dpwizard.base import json_text
from dpwizard.decision import Assessment, Decision, to_json
from dpwizard.records import making
from dpwizard.report import typesetter
from dpwizard.report.typesetter import Job

KEPT = 200  # pages and records; most are read again by the next few tests
MOVES: dict[str, dict[str, Any]] = {}
influence = making.influence  # the program's own


def influence_once(decision: Decision, assessment: Assessment) -> dict[str, Any]:
    """Return what is found for DECISION and ASSESSMENT, or was for equal ones."""
    told = json_text.line(to_json(decision)) + json_text.line(assessment)
    if told not in MOVES:
        MOVES[told] = influence(decision, assessment)
    return MOVES[told]


def typeset_once(job: Job) -> tuple[bytes, ...]:
    """Return what JOB asks for: what an equal job gave before, or made in this process."""
    return _made(**{**vars(job), "inputs": tuple(job.inputs.items())})


@functools.lru_cache(maxsize=KEPT)
def _made(*, inputs: tuple[tuple[str, str], ...], **others: Any) -> tuple[bytes, ...]:
    return typesetter.typeset_here(Job(inputs=dict(inputs), **others))


BY_ALL_THREADS = ContextVar("typesetter", default=typeset_once)
