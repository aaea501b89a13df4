"""The typesetter itself: Typst, given a job, here or in a process of its own.

The window keeps it apart: with its fonts it takes 50 MB that only go when its process ends, and it is native code
that a damaged record must not let take the window with it. `using` says who typesets.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

from dpwizard.base.errors import DPWizardError, FileProblem
from dpwizard.base.messages import Message, message
from dpwizard.base.resource_files import resource
from dpwizard.base.worker import Progress

AGES = 11  # compilations after which the typesetter lets go of what none of them used


@dataclass(frozen=True, kw_only=True)
class Job:
    """What is to be typeset: the inputs of the template, as what, at which stated time (seconds since 1970)."""

    form: Literal["pdf", "png"]
    inputs: dict[str, str]
    seconds: int
    dots_per_inch: float = 144.0


Typesetter = Callable[[Job], tuple[bytes, ...]]


def typeset_here(job: Job) -> tuple[bytes, ...]:
    """Return the one PDF, or the page pictures, that JOB asks for, made in this process.

    Raises FileProblem where Typst refuses what it was given.
    """
    import typst  # 15 ms, and only a report needs it

    template = resource("report", "report.typ")  # in a folder of its own: nothing else could be read
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[str(resource("fonts"))])
    try:
        compiler = typst.Compiler(
            template.read_bytes(), root=str(template.parent), font_paths=fonts, ignore_system_fonts=True
        )
        compiled: bytes | list[bytes] | None = compiler.compile(
            format=job.form,
            sys_inputs=job.inputs,
            timestamp=job.seconds,
            pdf_standards=["a-3a", "ua-1"] if job.form == "pdf" else [],
            ppi=job.dots_per_inch,
        )
        for _ in range(AGES):  # an empty page takes under a millisecond; ten records kept in memory took 150 MB
            compiler.compile(b"", format="png", ppi=1.0)
    except RuntimeError as problem:
        raise FileProblem(*_words(str(problem)[:300])) from None
    return tuple(compiled) if isinstance(compiled, list) else (compiled or b"",)


def typeset_for(_: Progress, job: Job) -> tuple[bytes, ...]:
    """Return what JOB asks for, as another process has it done here."""
    return typeset_here(job)


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


def lost(why: Message) -> DPWizardError:
    """Return the error that says WHY a typesetter gave no answer: to ask again, in plainer characters, is no use."""
    return DPWizardError(*_words(why))


def _words(why: str) -> tuple[str, str, str]:
    return message("cannot be typeset: {reason}", reason=why), "report", "Please report it."
