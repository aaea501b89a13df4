"""The typesetter itself: Typst, given a job, here or in a process of its own.

The window keeps it apart: with its fonts it takes 50 MB that only go when its process ends, and it is native code
that a damaged record must not let take the window with it. `using` says who typesets; the job and its answer are JSON.
"""

from __future__ import annotations

import base64
import contextlib
import json
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from dpwizard.base.errors import DPWizardError, FileProblem
from dpwizard.base.messages import Message, message
from dpwizard.base.resource_files import resource

BEGUN = b"typesetting\n"  # what another process says first
AGES = 11  # compilations after which the typesetter lets go of what none of them used


@dataclass(frozen=True, kw_only=True)
class Job:
    """What is to be typeset: the inputs of the template, as what, at which stated time (seconds since 1970)."""

    form: Literal["pdf", "png"]
    inputs: dict[str, str]
    seconds: int
    template: str  # the path of the template, in a folder of its own
    dots_per_inch: float


Typesetter = Callable[[Job], tuple[bytes, ...]]


def typeset_here(job: Job) -> tuple[bytes, ...]:
    """Return the one PDF, or the page pictures, that JOB asks for, made in this process.

    Raises FileProblem where Typst refuses what it was given.
    """
    import typst  # 15 ms, and only a report needs it

    template = Path(job.template)
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[str(resource("fonts"))])
    try:
        compiler = typst.Compiler(
            template.read_bytes(), root=str(template.parent), font_paths=fonts, ignore_system_fonts=True
        )
        made: bytes | list[bytes] | None = compiler.compile(
            format=job.form,
            sys_inputs=job.inputs,
            timestamp=job.seconds,
            pdf_standards=["a-3a", "ua-1"] if job.form == "pdf" else [],
            ppi=job.dots_per_inch,
        )
        for _ in range(AGES):  # an empty page takes under a millisecond; ten records kept in memory took 150 MB
            compiler.compile(b"", format="png", ppi=1.0)
    except RuntimeError as problem:
        raise _refused(str(problem)) from None
    return tuple(made) if isinstance(made, list) else (made or b"",)


_CURRENT: ContextVar[Typesetter] = ContextVar("typesetter", default=typeset_here)


def typeset(job: Job) -> tuple[bytes, ...]:
    """Return what JOB asks for, made by whoever typesets here; raises FileProblem where it is refused."""
    return _CURRENT.get()(job)


@contextlib.contextmanager
def using(typesetter: Typesetter) -> Iterator[None]:
    """Have TYPESETTER do all jobs inside the block."""
    token = _CURRENT.set(typesetter)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def _refused(why: str) -> FileProblem:
    """Return the error that says WHY a report cannot be typeset."""
    return FileProblem(*_words(why[:300]))


def lost(why: Message) -> DPWizardError:
    """Return the error that says WHY a typesetter gave no answer: to ask again, in plainer characters, is no use."""
    return DPWizardError(*_words(why))


def _words(why: str) -> tuple[str, str, str]:
    return message("cannot be typeset: {reason}", reason=why), "report", "Please report it."


# --------------------------------------------------------------------------- between two processes


def asked(job: Job) -> bytes:
    """Return JOB as it is sent to another process."""
    return json.dumps(asdict(job)).encode("ascii")


def serve(source: BinaryIO, target: BinaryIO) -> None:
    """Do the job that another process sends by SOURCE, and write to TARGET the answer that it reads with `answered`."""
    sent = source.read()
    target.write(BEGUN)
    target.flush()  # what comes after it is of the job
    target.write(_answer(sent))


def _answer(sent: bytes) -> bytes:
    try:
        pages = typeset_here(Job(**json.loads(sent)))
    except FileProblem as problem:
        why = problem.message
        refused = {"english": why, "template": why.template, "figures": dict(why.figures)}
        return json.dumps({"refused": refused}).encode("ascii")
    return json.dumps({"pages": [base64.b64encode(page).decode("ascii") for page in pages]}).encode("ascii")


def answered(received: bytes, status: int) -> tuple[bytes, ...] | None:
    """Return what another process made, from the bytes RECEIVED and the STATUS it ended with; None if it never began.

    Raises FileProblem where it refused the job, DPWizardError where it died of it.
    """
    if not received.startswith(BEGUN):
        return None
    try:
        said = json.loads(received.removeprefix(BEGUN))
    except ValueError:
        raise lost(message("the typesetter ended with status {status}", status=status)) from None
    if "refused" in said:
        raise FileProblem(Message(**said["refused"]), "report", "Please report it.")
    return tuple(base64.b64decode(page) for page in said["pages"])
