"""A record made again from its JSON and its lines: the pages, each signature in the PDF, and every number.

It is done in a process of its own, with bounds, as the JSON may be anybody's. Nothing of the PDF that lies beside the
record is read here: the caller compares it with the one that is made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dpwizard import records
from dpwizard.base.errors import DPWizardError
from dpwizard.base.messages import NO_MESSAGE, Message
from dpwizard.report import document
from dpwizard.signing.bounded import Bounded, OutOfBounds
from dpwizard.signing.findings import Difference
from dpwizard.signing.increment import GrowingPdf
from dpwizard.signing.signature import is_genuine, read_signature, sha256_of


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
    language: str = ""  # that its pages speak
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
    return with_signatures(remade_pages(json_bytes), lines)


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
    return Remade(pdf=pages, pages=len(pages), language=record.decision.language, differences=differences)


def with_signatures(pages: Remade, lines: tuple[str, ...]) -> Remade:
    """Return the record whose PAGES were made again, with the increment of each of its LINES."""
    if not pages.made:
        return pages
    try:
        pdf = GrowingPdf(pages.pdf, pages.language)
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
    try:
        with Bounded() as process:
            made: Remade = process.do(remake_here, json_bytes, lines)
            return made
    except OutOfBounds as problem:
        return Remade(undetermined=problem.whole)


def _shown(value: Any) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
