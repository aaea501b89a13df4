"""One revision of a PDF, written: the only one that is accepted where its signature is found.

What a revision says is stated by few values (:class:`Stated`); everything else follows from the bytes before it. So
a revision that is found is taken down to those values, written again, and compared byte by byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from dpwizard.signing.pdf_document import Document, written

ROOM = 4_096  # hexadecimal digits for the signature beside the certificates and the names copied from them
RANGE_ROOM = 62  # characters kept free for the byte range, which is known last
SUBFILTER = b"/ETSI.CAdES.detached"
Objects = Mapping[int, bytes]


@dataclass(frozen=True, kw_only=True)
class Stated:
    """What a revision states that does not follow from the bytes before it."""

    name: str  # of the signer
    reason: str  # role and verdict
    time: datetime  # in UTC
    identifier: bytes  # 16 bytes: the second half of the file's identifier
    chain: tuple[bytes, ...]  # the certificates carried, which tell how much room the signature is given


@dataclass(frozen=True, kw_only=True)
class State:
    """What a revision builds on: how far the objects are numbered, where the last table stands, the fields so far."""

    size: int
    table: int
    fields: tuple[int, ...] = ()
    form: int = 0  # 0: none yet


@dataclass(frozen=True, kw_only=True)
class Revision:
    """A revision as written, its signature still zeros between OPENED and CLOSED, counted in the whole file."""

    content: bytes
    opened: int
    closed: int
    after: State


def first_state(document: Document) -> State:
    """Return what the first signature of DOCUMENT builds on."""
    start = document.typeset.rindex(b"startxref\n") + len(b"startxref\n")
    return State(size=document.size, table=int(document.typeset[start:].split(b"\n")[0]))


def field_name(number: int) -> str:
    """Return the name of the field of signature NUMBER, counted from 1."""
    return f"Signature{number}"


def field_title(number: int) -> str:
    """Return the words by which a reader names that field (PDF/UA wants a description)."""
    return f"Signature {number}"


def room_for(chain: tuple[bytes, ...]) -> int:
    """Return how many hexadecimal digits a signature that carries CHAIN is given."""
    return ROOM + 2 * sum(map(len, chain)) + 4 * len(chain[0])


def revision(document: Document, before: State, length: int, number: int, stated: Stated) -> Revision:
    """Return the revision that adds signature NUMBER (from 1) as STATED to the LENGTH bytes of DOCUMENT so far."""
    form = before.form or before.size + 1
    field = before.size + (1 if before.form else 2)
    value = field + 1
    fields = (*before.fields, field)
    objects = {
        form: _dictionary(Fields=_references(fields), SigFlags=b"3"),
        field: _dictionary(
            FT=b"/Sig",
            T=_text(field_name(number)),
            Type=b"/Annot",
            Subtype=b"/Widget",
            F=b"132",
            Rect=b"[ 0 0 0 0 ]",
            P=_reference(document.page),
            TU=_text(field_title(number)),
            V=_reference(value),
        ),
        value: _value(stated),
        **_linked(document, fields),
    }
    if not before.form:
        objects[document.root] = _with(document.catalogue, b"/AcroForm", _reference(form))
    return _laid(document, before, length, stated, objects, State(size=value + 1, table=0, fields=fields, form=form))


def _linked(document: Document, fields: tuple[int, ...]) -> dict[int, bytes]:
    """Return page one, or the list of its annotations where that stands apart, with FIELDS behind what was there."""
    page = document.at(document.page)
    there = page.get("/Annots", ())
    items = [*(written(there.raw_get(index)) for index in range(len(there))), *map(_reference, fields)]
    listed = b"[ " + b" ".join(items) + b" ]"
    if document.annotations is not None:
        return {document.annotations: listed}
    return {document.page: _with(page, b"/Annots", listed)}


def _value(stated: Stated) -> bytes:
    """Return the dictionary of the signature, its digits zeros and its byte range still open."""
    return _dictionary(
        Contents=b"<" + b"0" * room_for(stated.chain) + b">",
        ByteRange=b"[]".ljust(RANGE_ROOM),
        Type=b"/Sig",
        Filter=b"/Adobe.PPKLite",
        SubFilter=SUBFILTER,
        M=_text(stated.time.strftime("D:%Y%m%d%H%M%SZ")),
        Name=_text(stated.name),
        Reason=_text(stated.reason),
    )


def _laid(document: Document, before: State, length: int, stated: Stated, objects: Objects, after: State) -> Revision:
    """Return OBJECTS with their table and trailer, in order, and the byte range filled in."""
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
    identifiers = b"[ <%s> <%s> ]" % (document.identifier.hex().encode(), stated.identifier.hex().encode())
    named = {} if document.info is None else {"Info": _reference(document.info)}
    trailer = _dictionary(
        Size=b"%d" % after.size, Root=_reference(document.root), **named, ID=identifiers, Prev=b"%d" % before.table
    )
    out += b"trailer\n%s\nstartxref\n%d\n%%%%EOF\n" % (trailer, table)
    digits = b"/Contents <" + b"0" * room_for(stated.chain) + b">"
    opened = out.index(digits) + len(b"/Contents ")
    closed = opened + len(digits) - len(b"/Contents ")
    said = b"[0 %d %d %d]" % (length + opened, length + closed, len(out) - closed)
    at = out.index(b"[]", closed)
    out[at : at + len(said)] = said
    return Revision(
        content=bytes(out), opened=length + opened, closed=length + closed, after=replace(after, table=table)
    )


# ------------------------------------------------------------------------------- how PDF spells it


def _dictionary(**values: bytes) -> bytes:
    return b"<<\n" + b"".join(b"/%s %s\n" % (name.encode(), value) for name, value in values.items()) + b">>"


def _with(thing: Any, key: bytes, value: bytes) -> bytes:
    """Return the dictionary THING with KEY, in its place if it stands there and else as the last one, as VALUE."""
    values = {written(name): written(thing.raw_get(name)) for name in thing} | {key: value}
    return b"<<\n" + b"".join(b"%s %s\n" % pair for pair in values.items()) + b">>"


def _reference(number: int) -> bytes:
    return b"%d 0 R" % number


def _references(numbers: tuple[int, ...]) -> bytes:
    return b"[ " + b" ".join(map(_reference, numbers)) + b" ]"


def _text(words: str) -> bytes:
    from pyhanko.pdf_utils.generic import pdf_string

    return written(pdf_string(words))
