"""The JSON of a record of which only the PDF is at hand.

The PDF is not taken apart to see what it shows: whatever it carries that is a record is typeset, and only where the PDF
begins with those very pages was it made of that record.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from dpwizard import records
from dpwizard.base import files
from dpwizard.base.errors import DPWizardError, FileProblem, SigningProblem
from dpwizard.signing import remaking, store
from dpwizard.signing.store import RecordFiles

BEGINS, ENDS = b">>\nstream\n", b"\nendstream"  # as the typesetter writes a stream
LARGEST_JSON = store.LARGEST[".json"]
MOST_UNPACKED = 200_000_000  # bytes of all streams together: a bomb ends here
MOST_RECORDS = 3  # that are typeset


def json_of(pdf: bytes) -> bytes:
    """Return the JSON of the record whose pages, signed or not, the bytes PDF are.

    At most MOST_UNPACKED bytes are unpacked and MOST_RECORDS records typeset, in a process of their own. Raises
    SigningProblem where no record in PDF has those pages.
    """
    for count, data in enumerate(_records_in(pdf)):
        if count == MOST_RECORDS:
            break
        remade = remaking.remake_apart(data, ())
        if remade.made and pdf.startswith(remade.pdf[: remade.pages]):
            return data
    raise SigningProblem("holds no record whose pages these are", "pdf", "Ask for all files of the record.")


def take_json_out(path: Path) -> RecordFiles:
    """Write the JSON of the record whose PDF is PATH beside it, under the record's name; return where its files lie.

    Raises FileProblem where a file is missing, exists already or cannot be written, SigningProblem as `json_of`.
    """
    pdf = store.read(path)
    if pdf is None:
        raise FileProblem(
            "does not exist", files.printable(path), "Check the name and the folder; is the drive connected?"
        )
    data = json_of(pdf)
    place = RecordFiles(folder=path.parent, name=records.read(data).name)
    if not store.create(place.json, data):
        raise FileProblem("exists already", files.printable(place.json), "Move it away; no record is overwritten.")
    return place


def _records_in(pdf: bytes) -> Iterator[bytes]:
    """Yield the bytes of each stream in PDF that is the JSON of a record."""
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
        if data.startswith(b"{") and len(data) <= LARGEST_JSON and _is_record(data):
            yield data


def _is_record(data: bytes) -> bool:
    try:
        records.read(data)
    except DPWizardError:
        return False
    return True
