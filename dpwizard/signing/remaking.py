"""A record made again from its JSON and its lines: the pages, each signature in the PDF, and every number.

It is done in a process of its own, with bounds, as the JSON may be anybody's. Nothing of the PDF that lies beside the
record is read here: the caller compares it with the one that is made.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any, BinaryIO

from dpwizard import records
from dpwizard.base.errors import DPWizardError
from dpwizard.base.messages import NO_MESSAGE, Message, message
from dpwizard.base.starting import HIDDEN, command
from dpwizard.report import document
from dpwizard.signing.findings import Difference
from dpwizard.signing.increment import GrowingPdf
from dpwizard.signing.signature import is_genuine, read_signature, sha256_of

REMAKE = "--remake"  # main.py answers it
SECONDS = 30  # of the processor, where the system can bound them: how busy the computer is says nothing of a record
LONGEST_WAIT = 300  # seconds by the clock, on every system
MEMORY = 1_500_000_000  # bytes of the process, where the system can bound them
LONGEST_ERROR = 400  # characters of an error that are passed on
# one thread: each of many would reserve memory of its own
ENVIRONMENT: Mapping[str, str] = MappingProxyType({"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"})

OUT_OF_TIME = getattr(signal, "SIGXCPU", None)  # what ends a process whose seconds are over; Windows has none


@dataclass(frozen=True, kw_only=True)
class InPdf:
    """What is found of one signature when its increment is made again."""

    genuine: bool  # the key of the signer's certificate made the value that stands in the PDF
    stated: bool  # hash and length of the PDF are those that the line states


@dataclass(frozen=True, kw_only=True)
class Remade:
    """A record made again: its PDF without and with signatures, what is found of each, and where numbers differ."""

    pdf: bytes = b""
    pages: int = 0  # bytes of the PDF before the first signature
    signatures: tuple[InPdf, ...] = ()
    differences: tuple[Difference, ...] = ()
    refused: Message = NO_MESSAGE  # why no pages follow from this JSON
    undetermined: Message = NO_MESSAGE  # why it cannot be said here

    @property
    def made(self) -> bool:
        """Return whether the pages could be made."""
        return not (self.refused or self.undetermined)


def remake_here(json_bytes: bytes, lines: tuple[str, ...]) -> Remade:
    """Return the record of JSON_BYTES and LINES made again in this process; what is wrong stands in the result."""
    return with_signatures(remade_pages(json_bytes), json_bytes, lines)


def remade_pages(json_bytes: bytes) -> Remade:
    """Return the pages of the record of JSON_BYTES, not signed yet, and where numbers differ."""
    try:
        record = records.read(json_bytes)
        pages = document.typeset(record)
        differences = tuple(
            Difference(where=one.where, recorded=_shown(one.recorded), now=_shown(one.replayed))
            for one in records.recompute(record)
        )
    except DPWizardError as problem:
        return Remade(refused=problem.whole)
    return Remade(pdf=pages, pages=len(pages), differences=differences)


def with_signatures(pages: Remade, json_bytes: bytes, lines: tuple[str, ...]) -> Remade:
    """Return the record whose PAGES were made again from JSON_BYTES with the increment of each of its LINES."""
    if not pages.made:
        return pages
    try:
        pdf = GrowingPdf(pages.pdf, records.read(json_bytes).decision.language)
        found = []
        for text in lines:
            signature = read_signature(text)
            signed = pdf.add(signature)
            stated = (signature.line.pdf_bytes, signature.line.pdf_sha256)
            found.append(
                InPdf(
                    genuine=is_genuine(signature.in_pdf, signed, signature.chain[0]),
                    stated=(len(pdf.content), sha256_of(pdf.content)) == stated,
                )
            )
    except DPWizardError as problem:
        return Remade(refused=problem.whole)
    return replace(pages, pdf=pdf.content, signatures=tuple(found))


def remake_apart(json_bytes: bytes, lines: tuple[str, ...]) -> Remade:
    """Return the same, made in a process of its own with bounded time and memory."""
    asked = json.dumps({"json": json_bytes.decode("utf-8"), "lines": lines}).encode("ascii")
    try:
        child = subprocess.run(
            command(REMAKE),
            input=asked,
            capture_output=True,
            check=False,
            timeout=LONGEST_WAIT,
            env={**os.environ, **ENVIRONMENT},
            creationflags=HIDDEN,
        )
    except subprocess.TimeoutExpired:
        return Remade(undetermined=message("making it again takes more than {seconds} seconds", seconds=LONGEST_WAIT))
    except OSError as problem:
        return Remade(undetermined=message("no process can be started here: {reason}", reason=str(problem)))
    if OUT_OF_TIME is not None and child.returncode == -OUT_OF_TIME:
        why = message("making it again takes more than {seconds} seconds of the processor", seconds=SECONDS)
        return Remade(undetermined=why)
    head, _, pdf = child.stdout.partition(b"\n")
    try:
        said = json.loads(head)
    except ValueError:
        why = message("the process that makes it again ended with status {status}", status=child.returncode)
        return Remade(undetermined=why)
    return Remade(
        pdf=pdf,
        pages=said["pages"],
        signatures=tuple(InPdf(**one) for one in said["signatures"]),
        differences=tuple(Difference(**one) for one in said["differences"]),
        refused=_message(said["refused"]),
        undetermined=_message(said["undetermined"]),
    )


def serve(source: BinaryIO, target: BinaryIO) -> None:
    """Make the record again that SOURCE asks for, within bounds, and write the answer to TARGET."""
    _bound_this_process()
    asked = json.loads(source.read())
    try:
        made = remake_here(asked["json"].encode("utf-8"), tuple(asked["lines"]))
    except (MemoryError, RecursionError):
        made = Remade(undetermined=message("making it again takes more memory than it may"))
    said = {
        "pages": made.pages,
        "signatures": [asdict(one) for one in made.signatures],
        "differences": [one.model_dump() for one in made.differences],
        "refused": _parts(made.refused),
        "undetermined": _parts(made.undetermined),
    }
    target.write(json.dumps(said).encode("ascii") + b"\n" + made.pdf)


def _bound_this_process() -> None:
    if sys.platform == "win32":
        return  # there the time alone is bounded
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the end of its time is no crash to look into
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    if sys.platform == "linux":  # macOS refuses it
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _parts(said: Message) -> dict[str, Any]:
    figures = {name: _parts(one) if isinstance(one, Message) else str(one) for name, one in said.figures.items()}
    return {"english": str(said)[:LONGEST_ERROR], "template": said.template, "figures": figures}


def _message(said: Mapping[str, Any]) -> Message:
    figures = {name: _message(one) if isinstance(one, dict) else one for name, one in said["figures"].items()}
    return Message(said["english"], said["template"], figures=figures)


def _shown(value: Any) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
