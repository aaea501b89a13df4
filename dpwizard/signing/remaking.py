"""A record made again from its JSON and its lines: the pages, each signature in the PDF, and every number.

It is done in a process of its own, with limits, because the JSON is untrusted. The PDF beside the record is not read
here: the caller compares it with the one that is made. If there is only a PDF, it is not parsed either. Each attached
record is typeset, and the PDF was made from it only if it begins with exactly those pages.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator
from pathlib import Path

from dpwizard import records
from dpwizard.base import files
from dpwizard.base.errors import DPWizardError, FileProblem, SigningProblem
from dpwizard.base.messages import NO_MESSAGE
from dpwizard.base.values import ReplayDifference, Sentence, Value
from dpwizard.report import document
from dpwizard.signing import store
from dpwizard.signing.bounded import Bounded, within
from dpwizard.signing.increment import GrowingPdf
from dpwizard.signing.signature import is_genuine, read_signature, sha256_of
from dpwizard.signing.store import RecordFiles


class InPdf(Value):
    """What is found of one signature when its increment is made again."""

    genuine: bool  # the key of the signer's certificate made the value that stands in the PDF
    stated: bool  # hash and length of the PDF are those that the line states


class Remade(Value):
    """A record made again: its PDF without and with signatures, what is found of each, and where numbers differ."""

    pdf: bytes = b""
    pages: int = 0  # bytes of the PDF before the first signature
    language: str = ""  # that its pages speak
    signatures: tuple[InPdf, ...] = ()
    differences: tuple[ReplayDifference, ...] = ()
    refused: Sentence = NO_MESSAGE  # why no pages follow from this JSON


def remake_here(json_bytes: bytes, lines: tuple[str, ...]) -> Remade:
    """Return the record of JSON_BYTES and LINES made again in this process; what is wrong stands in the result."""
    return with_signatures(remade_pages(json_bytes), lines)


def remade_pages(json_bytes: bytes) -> Remade:
    """Return the pages of the record of JSON_BYTES, not signed yet, and where numbers differ."""
    try:
        record = records.read(json_bytes)
        pages = document.typeset(record)
        differences = records.recompute(record)
    except DPWizardError as problem:
        return Remade(refused=problem.whole)
    return Remade(pdf=pages, pages=len(pages), language=record.decision.language, differences=differences)


def with_signatures(pages: Remade, lines: tuple[str, ...]) -> Remade:
    """Return the record whose PAGES were made again, with the increment of each of its LINES."""
    if pages.refused:
        return pages
    try:
        pdf = GrowingPdf(pages.pdf, pages.language)
        signatures = []
        for text in lines:
            signature = read_signature(text)
            signed = pdf.add(signature)
            stated = (signature.line.pdf_bytes, signature.line.pdf_sha256)
            signatures.append(
                InPdf(
                    genuine=is_genuine(signature.in_pdf, signed, signature.chain[0]),
                    stated=(len(pdf.content), sha256_of(pdf.content)) == stated,
                )
            )
    except DPWizardError as problem:
        return Remade(refused=problem.whole)
    return pages.model_copy(update={"pdf": pdf.content, "signatures": tuple(signatures)})


def remake_in_process(json_bytes: bytes, lines: tuple[str, ...], process: Bounded | None = None) -> Remade:
    """Return the same, made in PROCESS; raises OutOfBounds where it takes more time or memory than it may."""
    with within(process) as bounded:
        return bounded.do(Remade, "dpwizard.signing.remaking:remake_here", json_bytes, lines)


# -------------------------------------------------------------------------- a record of which only the PDF is at hand


BEGINS, ENDS = b">>\nstream\n", b"\nendstream"  # as the typesetter writes a stream
LARGEST_JSON = store.LARGEST[".json"]
MOST_UNPACKED = 200_000_000  # bytes of all streams together: a bomb ends here
MOST_RECORDS = 3  # that are typeset


def json_of(pdf: bytes) -> bytes:
    """Return the JSON of the record whose pages, signed or not, the bytes PDF are.

    At most MOST_UNPACKED bytes are unpacked and MOST_RECORDS records typeset, in a process of their own. Raises
    SigningProblem where no record in PDF has those pages.
    """
    for data in itertools.islice(_records_in(pdf), MOST_RECORDS):
        remade = remake_in_process(data, ())
        if not remade.refused and pdf.startswith(remade.pdf[: remade.pages]):
            return data
    raise SigningProblem("contains no record that these pages belong to", "pdf", "Ask for all files of the record.")


def take_json_out(path: Path) -> RecordFiles:
    """Write the JSON of the record whose PDF is PATH beside it, under the record's name; return where its files lie.

    Raises FileProblem where a file is missing, exists already or cannot be written, SigningProblem as `json_of`.
    """
    if path.suffix != ".pdf":
        raise FileProblem("is not the PDF of a record", files.printable(path), "Name its .json or .pdf file.")
    data = json_of(store.require(path))
    place = RecordFiles(folder=path.parent, name=records.read(data).name)
    files.write_new(place.json, data)
    return place


def _records_in(pdf: bytes) -> Iterator[bytes]:
    """Yield the bytes of each stream in PDF that may be the JSON of a record."""
    left, at = MOST_UNPACKED, 0
    while (begin := pdf.find(BEGINS, at)) >= 0 and (at := pdf.find(ENDS, begin)) >= 0:
        packed = pdf[begin + len(BEGINS) : at]
        try:
            data = zlib.decompressobj().decompress(packed, min(left, LARGEST_JSON + 1))
        except zlib.error:
            continue
        left -= len(data)
        if left <= 0:
            return
        if data.startswith(b"{") and len(data) <= LARGEST_JSON and store.SAYS_SO in data:
            yield data
