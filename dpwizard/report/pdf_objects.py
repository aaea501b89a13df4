"""How this program spells PDF: objects, their table and trailer, each value in one way only, so that bytes compare."""

from __future__ import annotations

import io
import logging
from collections.abc import Mapping
from itertools import groupby
from typing import Any

LARGEST_DECODED = 64_000_000  # bytes that the streams read may unfold to


def reader(content: bytes) -> Any:
    """Return the objects of a PDF, read strictly; pyHanko raises its own errors for what it cannot read."""
    from pyhanko.pdf_utils.decode_limits import DecodeLimits, DocumentDecodeBudget, StreamDecodeLimits
    from pyhanko.pdf_utils.reader import PdfFileReader

    heard = logging.getLogger("pyhanko")  # it logs what it finds wrong in a file; here that is a finding, not an event
    heard.propagate = False
    if not heard.handlers:
        heard.addHandler(logging.NullHandler())
    limits = DecodeLimits(
        per_stream=StreamDecodeLimits(max_output_size=LARGEST_DECODED),
        document_budget=DocumentDecodeBudget(base_allowance=LARGEST_DECODED, max_ratio=1),
    )
    return PdfFileReader(io.BytesIO(content), strict=True, decode_limits=limits)


def page_count(content: bytes) -> int:
    """Return of how many pages a PDF is that this program made."""
    return int(reader(content).root["/Pages"]["/Count"])


def written(value: Any) -> bytes:
    """Return VALUE as PDF spells it, references unresolved: equal bytes are equal values."""
    out = io.BytesIO()
    value.write_to_stream(out, None)
    return out.getvalue().strip()


def text(words: str) -> bytes:
    """Return WORDS as a string of PDF."""
    from pyhanko.pdf_utils.generic import pdf_string

    return written(pdf_string(words))


def reference(number: int) -> bytes:
    """Return a reference to the object NUMBER."""
    return b"%d 0 R" % number


def listed(items: Any) -> bytes:
    """Return ITEMS, each as it is spelled, as an array."""
    return b"[ " + b" ".join(items) + b" ]"


def items_of(array: Any) -> list[bytes]:
    """Return what ARRAY holds, each as it is spelled."""
    return [written(array.raw_get(index)) for index in range(len(array))]


def held(thing: Any, key: str, otherwise: Any) -> Any:
    """Return what THING holds under KEY, itself and no reference to it; OTHERWISE where there is none."""
    if key not in thing:
        return otherwise
    return thing[key]


def dictionary(**values: bytes) -> bytes:
    """Return a dictionary of VALUES, in their order."""
    return b"<<\n" + b"".join(b"/%s %s\n" % (name.encode(), value) for name, value in values.items()) + b">>"


def changed(thing: Any, **values: bytes) -> bytes:
    """Return the dictionary THING with VALUES: each in its place if its key stands there, else behind the others."""
    new = {b"/" + name.encode(): value for name, value in values.items()}
    found = {written(name): written(thing.raw_get(name)) for name in thing} | new
    return b"<<\n" + b"".join(b"%s %s\n" % pair for pair in found.items()) + b">>"


def stream(content: bytes, **values: bytes) -> bytes:
    """Return CONTENT as a stream whose dictionary holds VALUES. Nothing is packed: packers differ between machines."""
    return dictionary(**values, Length=b"%d" % len(content)) + b"\nstream\n" + content + b"\nendstream"


def section(objects: Mapping[int, bytes], length: int, **trailer: bytes) -> tuple[bytes, int]:
    """Return OBJECTS by their numbers with table and TRAILER, as they follow LENGTH bytes, and where the table is."""
    out = bytearray()
    places: dict[int, int] = {}
    for number in sorted(objects):
        places[number] = length + len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    table = length + len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for _, run in groupby(enumerate(places), key=lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in run]
        out += b"%d %d\n" % (numbers[0], len(numbers))
        out += b"".join(b"%010d 00000 n \n" % places[number] for number in numbers)
    out += b"trailer\n%s\nstartxref\n%d\n%%%%EOF\n" % (dictionary(**trailer), table)
    return bytes(out), table
