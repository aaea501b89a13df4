"""How a signature looks on page one: who signed, as what, when, and the number of the certificate.

What it says follows from the signature itself, so that it can be drawn again and compared. Whether the certificate is
trusted is each reader's own to judge, so nothing about trust is printed.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import TYPE_CHECKING

from dpwizard.charts import glyphs, subset
from dpwizard.report import pdf_objects, phrases, signature_places
from dpwizard.signing.certificates import printable

if TYPE_CHECKING:
    from dpwizard.charts import Subset

SIZES = (8.5, 7.0, 7.0, 7.0)  # points, of the four lines
LEADING = 9.6  # points
NARROWEST = 0.7  # of its size: smaller is no line set, but cut
DIGITS = 20  # of the certificate's fingerprint, in groups of four: what people compare aloud
OBJECTS = 6  # what one appearance consists of


def lines(*, name: str, reason: str, time: datetime, chain: tuple[bytes, ...], language: str) -> tuple[str, ...]:
    """Return what a signature says of itself, line by line, in LANGUAGE and in characters that Inter has."""
    words = phrases.words(language)
    role, _, verdict = reason.rpartition(": ")

    def said(key: str) -> str:
        return words("signature", key) if words.has("signature", key) else printable(key).replace("_", " ")

    moment = time.strftime("%Y-%m-%d %H:%M:%S UTC")
    number = hashlib.sha256(chain[0]).hexdigest()[:DIGITS].upper()
    grouped = " ".join(number[at : at + 4] for at in range(0, DIGITS, 4))
    found = (printable(name), f"{said(role)}: {said(verdict)}", moment, grouped)
    return tuple(glyphs.printable(" ".join(line.split()), everything=False) for line in found)


def objects(first: int, texts: tuple[str, ...], width: float) -> dict[int, bytes]:
    """Return the objects of an appearance of TEXTS, WIDTH points wide, numbered from FIRST: the form, then its font."""
    form, font, descendant, descriptor, data, names = range(first, first + OBJECTS)
    fitted = [_fitted(text, size, width) for text, size in zip(texts, SIZES, strict=True)]
    found = subset("".join(text for text, _ in fitted))
    drawn = b"BT\n0.106 0.122 0.141 rg\n"
    for index, (text, size) in enumerate(fitted):
        codes = "".join(f"{found.codes[each]:04X}" for each in text)
        height = signature_places.FIELD - 8.0 - LEADING * index
        drawn += b"/F %.2f Tf 1 0 0 1 0 %.2f Tm <%s> Tj\n" % (size, height, codes.encode())
    tag = hashlib.sha256(found.data).digest()
    called = b"/" + bytes(65 + byte % 26 for byte in tag[:6]) + b"+Inter-Regular"
    ordering = b"<<\n/Registry (Adobe)\n/Ordering (Identity)\n/Supplement 0\n>>"
    return {
        form: pdf_objects.stream(
            drawn + b"ET",
            Type=b"/XObject",
            Subtype=b"/Form",
            BBox=b"[ 0 0 %.2f %.2f ]" % (width, signature_places.FIELD),
            Resources=pdf_objects.dictionary(Font=pdf_objects.dictionary(F=pdf_objects.reference(font))),
        ),
        font: pdf_objects.dictionary(
            Type=b"/Font",
            Subtype=b"/Type0",
            BaseFont=called,
            Encoding=b"/Identity-H",
            DescendantFonts=b"[ %s ]" % pdf_objects.reference(descendant),
            ToUnicode=pdf_objects.reference(names),
        ),
        descendant: pdf_objects.dictionary(
            Type=b"/Font",
            Subtype=b"/CIDFontType2",
            BaseFont=called,
            CIDSystemInfo=ordering,
            FontDescriptor=pdf_objects.reference(descriptor),
            W=b"[ 0 [ %s ] ]" % b" ".join(b"%d" % width for width in found.widths),
            CIDToGIDMap=b"/Identity",
        ),
        descriptor: pdf_objects.dictionary(
            Type=b"/FontDescriptor",
            FontName=called,
            Flags=b"4",
            FontBBox=b"[ %d %d %d %d ]" % found.box,
            ItalicAngle=b"0",
            Ascent=b"%d" % found.ascent,
            Descent=b"%d" % found.descent,
            CapHeight=b"%d" % found.ascent,
            StemV=b"80",
            FontFile2=pdf_objects.reference(data),
        ),
        data: pdf_objects.stream(found.data, Length1=b"%d" % len(found.data)),
        names: pdf_objects.stream(_names(found)),
    }


def _fitted(text: str, size: float, width: float) -> tuple[str, float]:
    """Return TEXT with the size in which it is WIDTH wide at most, cut where it would be too small to read."""
    wide = glyphs.width(text, size)
    if wide <= width:
        return text, size
    smallest = size * NARROWEST
    while len(text) > 1 and glyphs.width(text, smallest) > width:
        text = text[:-2] + "…"
    return text, min(size, max(smallest, size * width / wide))


def _names(found: Subset) -> bytes:
    """Return the table by which a reader finds the characters that the font's codes show."""
    spelled = {code: each.encode("utf-16-be").hex().upper().encode() for each, code in found.codes.items()}
    rows = [b"<%04X> <%s>" % pair for pair in spelled.items()]
    sections = [rows[at : at + 100] for at in range(0, len(rows), 100)]
    body = b"".join(b"%d beginbfchar\n%s\nendbfchar\n" % (len(part), b"\n".join(part)) for part in sections)
    return (
        b"/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo <<\n/Registry (Adobe)\n"
        b"/Ordering (UCS)\n/Supplement 0\n>> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
        b"1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n" + body + b"endcmap\n"
        b"CMapName currentdict /CMap defineresource pop\nend\nend"
    )
