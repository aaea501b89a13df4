"""Typesetting with Typst, in this process or another.

The window uses another process: Typst keeps 50 MB until its process ends, and as native code it could crash on a
damaged record. `using` sets the typesetter.
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

AGES = 11  # compilations after which Typst frees unused memory


@dataclass(frozen=True, kw_only=True)
class Job:
    """A typesetting job: the output format, the inputs of the template, and the stated time (seconds since 1970)."""

    form: Literal["pdf", "png"]
    inputs: dict[str, str]
    seconds: int
    dots_per_inch: float = 144.0


Typesetter = Callable[[Job], tuple[bytes, ...]]


def typeset_here(job: Job) -> tuple[bytes, ...]:
    """Run JOB in this process; return the PDF alone, or the pictures of the pages.

    Raises FileProblem if Typst reports an error.
    """
    import typst  # 15 ms, and only a report needs it

    template = resource("report", "report.typ")  # in its own folder, so that nothing else can be read
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
    """Run JOB as a task of a worker process."""
    return typeset_here(job)


_CURRENT: ContextVar[Typesetter] = ContextVar("typesetter", default=typeset_here)


def typeset(job: Job) -> tuple[bytes, ...]:
    """Run JOB with the current typesetter; raises FileProblem if it fails."""
    return _CURRENT.get()(job)


@contextlib.contextmanager
def using(typesetter: Typesetter) -> Iterator[None]:
    """Use TYPESETTER for all jobs inside the block."""
    token = _CURRENT.set(typesetter)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def lost(why: Message) -> DPWizardError:
    """Return the error for a typesetter without an answer; not a FileProblem, so that `pdf` does not retry."""
    return DPWizardError(*_words(why))


def _words(why: str) -> tuple[str, str, str]:
    return message("cannot be typeset: {reason}", reason=why), "report", "Please report it."
