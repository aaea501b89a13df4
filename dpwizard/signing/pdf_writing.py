"""One revision of a PDF, written: the only one that is accepted where its signature is found.

What a revision says is stated by few values (:class:`Stated`); everything else follows from the bytes before it. So
a revision that is found is taken down to those values, written again, and compared byte by byte.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from dpwizard.report import pdf_objects, versions
from dpwizard.signing import pdf_appearance
from dpwizard.signing.pdf_document import Document, Empty

ROOM = 4_096  # hexadecimal digits for the signature beside the certificates and the names copied from them
RANGE_ROOM = 62  # characters kept free for the byte range, which is known last
SUBFILTER = b"/ETSI.CAdES.detached"


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
    form: int = 0  # 0: none yet
    fields: tuple[int, ...] = ()  # added by signatures that found no place
    filled: tuple[int, ...] = ()  # the places that are taken


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
    return State(size=document.size, table=int(document.typeset[start:].split(b"\n")[0]), form=document.form)


def field_title(number: int) -> str:
    """Return the words by which a reader names the field of signature NUMBER that has no place."""
    return f"Signature {number}"


def room_for(chain: tuple[bytes, ...]) -> int:
    """Return how many hexadecimal digits a signature that carries CHAIN is given."""
    return ROOM + 2 * sum(map(len, chain)) + 4 * len(chain[0])


def revision(document: Document, before: State, length: int, number: int, stated: Stated) -> Revision:
    """Return the revision that adds signature NUMBER (from 1) as STATED to the LENGTH bytes of DOCUMENT so far."""
    place = _place(document, before, stated)
    if place is not None:
        objects, after = _in_its_place(document, before, stated, place)
    else:
        objects, after = _without_place(document, before, number, stated)
    named = {} if document.info is None else {"Info": pdf_objects.reference(document.info)}
    identifiers = [b"<%s>" % part.hex().encode() for part in (document.identifier, stated.identifier)]
    made, table = pdf_objects.section(
        objects,
        length,
        Size=b"%d" % after.size,
        Root=pdf_objects.reference(document.root),
        **named,
        ID=pdf_objects.listed(identifiers),
        Prev=b"%d" % before.table,
    )
    out = bytearray(made)
    digits = b"/Contents <" + b"0" * room_for(stated.chain) + b">"
    opened = out.index(digits) + len(b"/Contents ")
    closed = opened + len(digits) - len(b"/Contents ")
    said = b"[0 %d %d %d]" % (length + opened, length + closed, len(out) - closed)
    at = out.index(b"[]", closed)
    out[at : at + len(said)] = said
    return Revision(
        content=bytes(out), opened=length + opened, closed=length + closed, after=replace(after, table=table)
    )


def _place(document: Document, before: State, stated: Stated) -> Empty | None:
    """Return the first free place of the signer's role, else the first that is free for anybody."""
    role = stated.reason.rpartition(": ")[0].replace(".", "_")
    free = [one for one in document.places if one.number not in before.filled]
    own = [one for one in free if one.place.role == role]
    return next(iter((*own, *(one for one in free if not one.place.role))), None)


def _in_its_place(document: Document, before: State, stated: Stated, place: Empty) -> tuple[dict[int, bytes], State]:
    """Return the objects that fill PLACE: its field, the signature, and how that looks."""
    value, appearance = before.size, before.size + 1
    with versions.typeset_as(document.version):
        said = pdf_appearance.lines(
            name=stated.name, reason=stated.reason, time=stated.time, chain=stated.chain, language=document.language
        )
    looks = pdf_objects.dictionary(N=pdf_objects.reference(appearance))
    objects = {
        place.number: pdf_objects.changed(document.at(place.number), AP=looks, V=pdf_objects.reference(value)),
        value: _value(stated),
        **pdf_appearance.objects(appearance, said, place.place.width),
    }
    after = replace(before, size=appearance + pdf_appearance.OBJECTS, filled=(*before.filled, place.number))
    return objects, after


def _without_place(document: Document, before: State, number: int, stated: Stated) -> tuple[dict[int, bytes], State]:
    """Return the objects of a signature for which page one has no place: its field has no size.

    It is spelled as pyHanko spelled it, who wrote the signatures of records of before there were places.
    """
    form = before.form or before.size + 1
    field = before.size + (1 if before.form else 2)
    value = field + 1
    fields = (*before.fields, field)
    objects = {
        form: pdf_objects.dictionary(
            Fields=_references((*(one.number for one in document.places), *fields)),
            SigFlags=b"3",
        ),
        field: pdf_objects.dictionary(
            FT=b"/Sig",
            T=pdf_objects.text(f"Signature{number}"),
            Type=b"/Annot",
            Subtype=b"/Widget",
            F=b"132",
            Rect=b"[ 0 0 0 0 ]",
            P=pdf_objects.reference(document.page),
            TU=pdf_objects.text(field_title(number)),
            V=pdf_objects.reference(value),
        ),
        value: _value(stated),
        **_linked(document, fields),
    }
    if not before.form:
        objects[document.root] = pdf_objects.changed(document.catalogue, AcroForm=pdf_objects.reference(form))
    return objects, replace(before, size=value + 1, form=form, fields=fields)


def _references(numbers: tuple[int, ...]) -> bytes:
    return pdf_objects.listed(map(pdf_objects.reference, numbers))


def _linked(document: Document, fields: tuple[int, ...]) -> dict[int, bytes]:
    """Return page one, or the list of its annotations where that stands apart, with FIELDS behind what was there."""
    page = document.at(document.page)
    there = pdf_objects.items_of(pdf_objects.held(page, "/Annots", ()))
    items = pdf_objects.listed([*there, *map(pdf_objects.reference, fields)])
    if document.annotations is not None:
        return {document.annotations: items}
    return {document.page: pdf_objects.changed(page, Annots=items)}


def _value(stated: Stated) -> bytes:
    """Return the dictionary of the signature, its digits zeros and its byte range still open."""
    return pdf_objects.dictionary(
        Contents=b"<" + b"0" * room_for(stated.chain) + b">",
        ByteRange=b"[]".ljust(RANGE_ROOM),
        Type=b"/Sig",
        Filter=b"/Adobe.PPKLite",
        SubFilter=SUBFILTER,
        M=pdf_objects.text(stated.time.strftime("D:%Y%m%d%H%M%SZ")),
        Name=pdf_objects.text(stated.name),
        Reason=pdf_objects.text(stated.reason),
    )
