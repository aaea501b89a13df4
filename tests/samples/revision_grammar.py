"""Revisions of a PDF as a grammar writes them: objects, tables, trailers, comments and orders; genuinely signed.

Whoever holds a key can sign any bytes. Each revision here carries a valid signature over all of its bytes, so only
its form can tell that it is not the one this program writes.
"""

from __future__ import annotations

import dataclasses
import hashlib
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dpwizard.signing.pdf_container import signed_digest
from tests.samples.signed_record import Identity

CONTENTS, RANGE = re.compile(rb"/Contents\s+<([0-9A-F]+)>"), re.compile(rb"/ByteRange[^\]]*\] *")


@dataclass(frozen=True, kw_only=True)
class Written:
    """One object as it is written: its number, generation, what stands before it, and its body."""

    number: int
    body: bytes
    generation: int = 0
    before: bytes = b""
    end: bytes = b"\nendobj\n"


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """One revision before it is signed: everything its bytes are made of but offsets and the signature."""

    objects: tuple[Written, ...]
    entries: tuple[tuple[int, int, bytes], ...]  # (object number, which of `objects`, or -1: free, kind)
    trailer: tuple[bytes, ...]
    shifts: dict[int, int] = field(default_factory=dict)  # by entry: how far its offset points beside the object
    generations: dict[int, int] = field(default_factory=dict)  # by entry
    eol: bytes = b" \n"  # of an entry
    between: bytes = b""  # objects and table
    after_table: bytes = b""
    after_trailer: bytes = b""
    start: int = 0  # how far startxref points beside the table
    tail: bytes = b""
    first: bytes = b""  # before the first object


def honest(pdf: bytes, start: int) -> Drawn:
    """Return the revision of PDF that begins at START and ends with it, taken apart."""
    text = pdf[start:]
    heads = list(re.finditer(rb"(?:\A|(?<=\nendobj\n))(\d+) 0 obj\n", text))
    objects = []
    for head in heads:
        end = text.index(b"\nendobj\n", head.end())
        objects.append(Written(number=int(head[1]), body=text[head.end() : end]))
    trailer = text[text.rindex(b"trailer\n<<\n") + 11 : text.rindex(b"\n>>\nstartxref")].split(b"\n")
    listed = [(0, -1, b"f"), *((one.number, index, b"n") for index, one in enumerate(objects))]
    return Drawn(objects=tuple(objects), entries=tuple(listed), trailer=tuple(trailer))


def signed(before: bytes, drawn: Drawn, who: Identity) -> bytes:
    """Return BEFORE with the revision DRAWN, signed by WHO over every byte but the signature's own."""
    out, places = before + drawn.first, []
    for one in drawn.objects:
        out += one.before
        places.append(len(out))
        out += b"%d %d obj\n" % (one.number, one.generation) + one.body + one.end
    out += drawn.between
    table = len(out)
    out += b"xref\n"
    at = 0
    while at < len(drawn.entries):
        stop = at + 1
        while stop < len(drawn.entries) and drawn.entries[stop][0] == drawn.entries[stop - 1][0] + 1:
            stop += 1
        out += b"%d %d\n" % (drawn.entries[at][0], stop - at)
        for index in range(at, stop):
            _, which, kind = drawn.entries[index]
            place = 0 if which < 0 else places[which] + drawn.shifts.get(index, 0)
            generation = drawn.generations.get(index, 65535 if kind == b"f" else 0)
            out += b"%010d %05d %s" % (place, generation, kind) + drawn.eol
        at = stop
    out += drawn.after_table + b"trailer\n<<\n" + b"\n".join(drawn.trailer) + b"\n>>\n" + drawn.after_trailer
    out += b"startxref\n%d\n%%%%EOF\n" % (table + drawn.start) + drawn.tail
    return _sealed(out, len(before), who)


def _sealed(out: bytes, start: int, who: Identity) -> bytes:
    hole = CONTENTS.search(out, start)
    written = RANGE.search(out, start)
    assert hole
    assert written
    opened, closed = hole.start(1) - 1, hole.end(1) + 1
    said = b"/ByteRange [0 %d %d %d]" % (opened, closed, len(out) - closed)
    out = out[: written.start()] + said.ljust(written.end() - written.start()) + out[written.end() :]
    der = signed_digest(who, hashlib.sha256(out[:opened] + out[closed:]).digest()).dump()
    digits = der.hex().upper().encode().ljust(closed - opened - 2, b"0")
    return out[: opened + 1] + digits + out[closed - 1 :]


# ------------------------------------------------------------------------------- what is drawn

Change = Callable[[Drawn, random.Random], Drawn]
COMMENT = b"%% a comment\n"


def _with_object(drawn: Drawn, index: int, **changes: Any) -> Drawn:
    objects = list(drawn.objects)
    objects[index] = dataclasses.replace(objects[index], **changes)
    return dataclasses.replace(drawn, objects=tuple(objects))


def entry_twice(drawn: Drawn, draw: random.Random) -> Drawn:
    """List an object twice: once where a comment hides another one, once where it is."""
    index = draw.randrange(len(drawn.objects))
    other = draw.randrange(len(drawn.objects))
    hidden = b"%% %d 0 obj <</Type/Page/MediaBox[0 0 9 9]>> endobj\n" % drawn.objects[index].number
    drawn = _with_object(drawn, other, body=hidden + drawn.objects[other].body)
    place = next(i for i, (_, which, _) in enumerate(drawn.entries) if which == index)
    twin = (drawn.objects[index].number, other, b"n")
    at = draw.choice((place, len(drawn.entries)))
    entries = (*drawn.entries[:at], twin, *drawn.entries[at:])
    head = len(b"%d 0 obj\n" % drawn.objects[other].number) + 2
    return dataclasses.replace(drawn, entries=entries, shifts={at: head})


def entry_twice_alike(drawn: Drawn, draw: random.Random) -> Drawn:
    at = draw.randrange(1, len(drawn.entries))
    return dataclasses.replace(drawn, entries=(*drawn.entries[: at + 1], *drawn.entries[at:]))


def entries_descending(drawn: Drawn, draw: random.Random) -> Drawn:
    return dataclasses.replace(drawn, entries=(drawn.entries[0], *reversed(drawn.entries[1:])))


def entries_shuffled(drawn: Drawn, draw: random.Random) -> Drawn:
    rest = list(drawn.entries[1:])
    while tuple(rest) == drawn.entries[1:]:
        draw.shuffle(rest)
    return dataclasses.replace(drawn, entries=(drawn.entries[0], *rest))


def entry_left_out(drawn: Drawn, draw: random.Random) -> Drawn:
    at = draw.randrange(len(drawn.entries))
    return dataclasses.replace(drawn, entries=(*drawn.entries[:at], *drawn.entries[at + 1 :]))


def entry_freed(drawn: Drawn, draw: random.Random) -> Drawn:
    at = draw.randrange(1, len(drawn.entries))
    number = draw.choice((drawn.entries[at][0], draw.randrange(1, drawn.entries[1][0] + 1)))
    entries = [*drawn.entries, (number, -1, b"f")]
    return dataclasses.replace(drawn, entries=tuple(entries), generations={len(entries) - 1: draw.choice((0, 1))})


def entry_of_an_earlier_object(drawn: Drawn, draw: random.Random) -> Drawn:
    """Show one of the objects of this revision in place of one of the document."""
    number = draw.randrange(1, drawn.entries[1][0])
    return dataclasses.replace(drawn, entries=(*drawn.entries, (number, draw.randrange(len(drawn.objects)), b"n")))


def entry_of_another_generation(drawn: Drawn, draw: random.Random) -> Drawn:
    at = draw.randrange(len(drawn.entries))
    found = 0 if at == 0 else draw.choice((1, 7, 65535))
    return dataclasses.replace(drawn, generations={at: found})


def entry_beside_its_object(drawn: Drawn, draw: random.Random) -> Drawn:
    return dataclasses.replace(drawn, shifts={draw.randrange(1, len(drawn.entries)): draw.choice((-1, 1, 3, 9))})


def entries_with_another_end(drawn: Drawn, draw: random.Random) -> Drawn:
    return dataclasses.replace(drawn, eol=draw.choice((b"\r\n", b" \r", b"\n", b"  \n", b" %\n")))


def objects_in_another_order(drawn: Drawn, draw: random.Random) -> Drawn:
    order = list(range(len(drawn.objects)))
    while order == sorted(order):
        draw.shuffle(order)
    where = {which: place for place, which in enumerate(order)}
    entries = tuple((number, which if which < 0 else where[which], kind) for number, which, kind in drawn.entries)
    return dataclasses.replace(drawn, objects=tuple(drawn.objects[which] for which in order), entries=entries)


def object_twice(drawn: Drawn, draw: random.Random) -> Drawn:
    one = draw.choice(drawn.objects)
    return dataclasses.replace(drawn, objects=(*drawn.objects, dataclasses.replace(one)))


def object_more(drawn: Drawn, draw: random.Random) -> Drawn:
    number = max(one.number for one in drawn.objects) + draw.choice((1, 2, 50))
    body = draw.choice((b"<<>>", b"null", b"[ 1 2 3 ]", b"<< /Type /Action /S /JavaScript /JS (1) >>"))
    objects = (*drawn.objects, Written(number=number, body=body))
    entries = (*drawn.entries, (number, len(drawn.objects), b"n"))
    return dataclasses.replace(drawn, objects=objects, entries=entries if draw.random() < 0.8 else drawn.entries)


def object_of_another_generation(drawn: Drawn, draw: random.Random) -> Drawn:
    return _with_object(drawn, draw.randrange(len(drawn.objects)), generation=draw.choice((1, 2, 65535)))


def object_that_ends_otherwise(drawn: Drawn, draw: random.Random) -> Drawn:
    end = draw.choice((b"\n endobj\n", b"\rendobj\n", b"\nendobj \n", b"\nendobj\n\n", b"\n\nendobj\n", b"endobj\n"))
    return _with_object(drawn, draw.randrange(len(drawn.objects)), end=end)


def comment_somewhere(drawn: Drawn, draw: random.Random) -> Drawn:
    index = draw.randrange(len(drawn.objects))
    one = drawn.objects[index]
    lines = one.body.split(b"\n")
    at = draw.randrange(len(lines) + 1)
    within = b"\n".join([*lines[:at], b"% a comment", *lines[at:]])
    return draw.choice(
        (
            lambda: _with_object(drawn, index, body=within),
            lambda: _with_object(drawn, index, before=COMMENT),
            lambda: dataclasses.replace(drawn, between=COMMENT),
            lambda: dataclasses.replace(drawn, after_table=COMMENT),
            lambda: dataclasses.replace(drawn, after_trailer=COMMENT),
            lambda: dataclasses.replace(drawn, tail=COMMENT),
            lambda: dataclasses.replace(drawn, first=COMMENT),
        )
    )()


def binary_somewhere(drawn: Drawn, draw: random.Random) -> Drawn:
    junk = draw.randbytes(draw.randrange(1, 40)).replace(b"\n", b"")
    name = draw.choice(("between", "after_table", "after_trailer", "tail", "first"))
    return dataclasses.replace(drawn, **{name: b"%" + junk + b"\n" if draw.random() < 0.5 else junk + b"\n"})


def blanks_in_an_object(drawn: Drawn, draw: random.Random) -> Drawn:
    index = draw.randrange(len(drawn.objects))
    body = drawn.objects[index].body
    # within a text (of the name, of the reason) a blank is what its signer states
    texts = [found.span() for found in re.finditer(rb"\((?:[^()\\]|\\.)*\)", body, re.DOTALL)]
    places = [found.start() for found in re.finditer(rb"[ \n]", body)]
    places = [at for at in places if not any(begin < at < end for begin, end in texts)]
    at = draw.choice(places)
    return _with_object(drawn, index, body=body[:at] + draw.choice((b" ", b"\n", b"\t", b"\0", b"\r")) + body[at:])


def keys_in_another_order(drawn: Drawn, draw: random.Random) -> Drawn:
    index = draw.randrange(len(drawn.objects))
    lines = drawn.objects[index].body.split(b"\n")
    whole = [at for at, line in enumerate(lines) if line.startswith(b"/") and not line.endswith(b"<<")]
    nested = any(line.endswith(b"<<") and line != b"<<" for line in lines)
    whole = whole[:4] if nested else whole
    if len(whole) < 2:
        return comment_somewhere(drawn, draw)
    one, other = draw.sample(whole, 2)
    lines[one], lines[other] = lines[other], lines[one]
    return _with_object(drawn, index, body=b"\n".join(lines))


def key_more(drawn: Drawn, draw: random.Random) -> Drawn:
    index = draw.randrange(len(drawn.objects))
    body = drawn.objects[index].body
    more = draw.choice(
        (
            b"/AA << /O << /S /JavaScript /JS (1) >> >>\n",
            b"/OpenAction << /S /URI /URI (http://a) >>\n",
            b"/OCProperties << /OCGs [ ] >>\n",
            b"/Note (REJECTED)\n",
            b"/AP << >>\n",
            b"/Rotate 180\n",
            b"/Version /2.0\n",
            b"/Type /Page\n",
            b"/Annots [ ]\n",
            b"/Contents [ ]\n",
        )
    )
    at = draw.choice((body.index(b"<<\n") + 3, body.rindex(b">>")))
    return _with_object(drawn, index, body=body[:at] + more + body[at:])


def trailer_otherwise(drawn: Drawn, draw: random.Random) -> Drawn:
    lines = list(drawn.trailer)
    at = draw.randrange(len(lines))
    key = lines[at].split(b" ")[0]
    found = re.search(rb"(\d+)", lines[at])
    numbers = {b"/Size", b"/Root", b"/Info", b"/Prev"}
    what = draw.randrange(6)
    if what == 0:
        lines.insert(at, lines[at])
    elif what == 1:
        del lines[at]
    elif what == 2:
        lines.append(draw.choice((b"/XRefStm 9", b"/Encrypt 1 0 R", b"/Extra null", b"/Note (REJECTED)")))
    elif what == 3:
        lines.append(lines.pop(0))
    elif key in numbers and found:
        moved = int(found[1]) + draw.choice((-1, 1, 2, 10))
        lines[at] = lines[at].replace(found[1], b"%d" % max(moved, 0), 1)
    else:
        at = next(i for i, line in enumerate(lines) if line.startswith(b"/ID"))
        first = lines[at].index(b"<") + 1
        lines[at] = lines[at][:first] + b"00" + lines[at][first + 2 :]
    return dataclasses.replace(drawn, trailer=tuple(lines))


def second_trailer(drawn: Drawn, draw: random.Random) -> Drawn:
    again = b"trailer\n<<\n" + b"\n".join(drawn.trailer) + b"\n>>\n"
    return dataclasses.replace(drawn, **{draw.choice(("after_table", "after_trailer")): again})


def end_mark_twice(drawn: Drawn, draw: random.Random) -> Drawn:
    return dataclasses.replace(
        drawn,
        **{
            draw.choice(("between", "after_trailer", "tail", "first")): draw.choice(
                (b"%%EOF\n", b"startxref\n0\n%%EOF\n")
            )
        },
    )


def table_elsewhere(drawn: Drawn, draw: random.Random) -> Drawn:
    return dataclasses.replace(drawn, start=draw.choice((-2, -1, 1, 2)))


def field_otherwise(drawn: Drawn, draw: random.Random) -> Drawn:
    """Change a value that a signer does not state: name, time, role and verdict are the signer's own to say."""
    pairs = (
        (b"/F 132", b"/F 134"),
        (b"/F 132", b"/F 4"),
        (b"/Subtype /Widget", b"/Subtype /Stamp"),
        (b"/SigFlags 3", b"/SigFlags 1"),
        (b"/FT /Sig", b"/FT /Tx"),
        (b"(Signature", b"(Signatur\\145"),
        (b"/Filter /Adobe.PPKLite", b"/Filter /Adobe.PPKMS"),
        (b"/M (D\\072", b"/M (D:"),
        (b"/Type /Annot", b"/Type /#41nnot"),
        (b"/Rect [ 0 0 0 0 ]", b"/Rect [ 0 0 500 800 ]"),
        (b"/MediaBox [ 0 0 ", b"/MediaBox [ 0 400 "),
        (b"0.106 0.122 0.141 rg", b"1.000 1.000 1.000 rg"),
        (b"/BBox [ 0 0 ", b"/BBox [ 0 9 "),
        (b" Tm <", b" Tm <0001"),
        (b"/StructParent ", b"/StructParent 1"),
    )
    fitting = [(i, old, new) for old, new in pairs for i, one in enumerate(drawn.objects) if old in one.body]
    index, old, new = draw.choice(fitting)
    return _with_object(drawn, index, body=drawn.objects[index].body.replace(old, new, 1))


CHANGES: tuple[Change, ...] = (
    entry_twice,
    entry_twice_alike,
    entries_descending,
    entries_shuffled,
    entry_left_out,
    entry_freed,
    entry_of_an_earlier_object,
    entry_of_another_generation,
    entry_beside_its_object,
    entries_with_another_end,
    objects_in_another_order,
    object_twice,
    object_more,
    object_of_another_generation,
    object_that_ends_otherwise,
    comment_somewhere,
    binary_somewhere,
    blanks_in_an_object,
    keys_in_another_order,
    key_more,
    trailer_otherwise,
    second_trailer,
    end_mark_twice,
    table_elsewhere,
    field_otherwise,
)
