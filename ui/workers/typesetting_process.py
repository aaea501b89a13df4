"""The typesetter in a process of its own: what it needs is given back when it ends, and what kills it leaves the window
alive."""

from __future__ import annotations

import logging
import threading
from typing import cast

from dpwizard.base import worker
from dpwizard.base.messages import message
from dpwizard.report import typesetter
from ui.workers.worker_process import begun, end, reply_value, wait_for

LONGEST = 300  # seconds; the longest record known takes two

log = logging.getLogger(__name__)


def typeset_in_process(job: typesetter.Job) -> tuple[bytes, ...]:
    """Return what JOB asks for, made in a process of its own, or in this one where none can be started or one is ended
    before it begins.

    Raises FileProblem where the job is refused; DPWizardError where that process died of it or took more than five
    minutes.
    """
    child = begun()
    if child is None:
        return typesetter.typeset_here(job)
    late = threading.Event()

    def give_up() -> None:
        late.set()
        child.kill()

    watch = threading.Timer(LONGEST, give_up)
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
        raise typesetter.lost(message("the typesetter gave no answer within {seconds} seconds", seconds=LONGEST))
    if not ready:  # what guards this computer let it start, and no more
        return typesetter.typeset_here(job)
    if answer is None:
        log.error("typesetting ended with %s", child.returncode)
        raise typesetter.lost(message("the typesetter ended with status {status}", status=child.returncode))
    return cast(tuple[bytes, ...], reply_value(answer))
