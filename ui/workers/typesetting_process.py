"""The typesetter in a process of its own, which frees its memory when it ends and cannot take the window down."""

from __future__ import annotations

import logging
import threading
from typing import cast

from dpwizard.base import worker
from dpwizard.base.messages import message
from dpwizard.report import typesetter
from ui.workers.worker_process import end, reply_value, start_process, wait_for

TIME_LIMIT = 300  # seconds; the longest record known takes two

log = logging.getLogger(__name__)


def typeset_in_process(job: typesetter.Job) -> tuple[bytes, ...]:
    """Return the result of JOB from a process of its own, or from this one if none can be started or it ends at once.

    Raises FileProblem if the job is refused; DPWizardError if the process died or took more than TIME_LIMIT.
    """
    child = start_process()
    if child is None:
        return typesetter.typeset_here(job)
    late = threading.Event()

    def give_up() -> None:
        late.set()
        child.kill()

    watch = threading.Timer(TIME_LIMIT, give_up)
    watch.start()
    answer = None
    try:
        assert child.stdout is not None
        ready = worker.next_reply(child.stdout) is not None
        if ready:
            answer = wait_for(child, worker.task_message(typesetter.typeset_for, (job,)), lambda _: None)
    finally:
        watch.cancel()
        end(child)
    if late.is_set():
        raise typesetter.lost(message("the typesetter gave no answer within {seconds} seconds", seconds=TIME_LIMIT))
    if not ready:  # a guard of this computer ended it at once
        return typesetter.typeset_here(job)
    if answer is None:
        log.error("typesetting ended with %s", child.returncode)
        raise typesetter.lost(message("the typesetter ended with status {status}", status=child.returncode))
    return cast(tuple[bytes, ...], reply_value(answer))
