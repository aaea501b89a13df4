"""Lines of text in a signature field with their own font, before and after signing.

The result depends only on the lines, so it can be reproduced and compared.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from dpwizard.charts import glyphs, subset
from dpwizard.report import pdf_objects

if TYPE_CHECKING:
    from dpwizard.charts import Subset

FIELD = 42.0  # points: height of a field
SIZES = (10.0, 8.0, 8.0)  # points, of its lines
LEADING = 12.0  # points
NARROWEST = 0.7  # smallest share of the font size; longer lines are cut
OBJECTS = 6  # PDF objects of an appearance


def objects(first: int, texts: tuple[str, ...], width: float) -> dict[int, bytes]:
    """Return the objects of an appearance of TEXTS, WIDTH points wide, numbered from FIRST: the form, then its font."""
    form, font, descendant, descriptor, data, to_unicode = range(first, first + OBJECTS)
    fitted = [_fitted(text, size, width) for text, size in zip(texts, SIZES[-len(texts) :], strict=True)]
    font_subset = subset("".join(text for text, _ in fitted))
    drawn = b"BT\n0.106 0.122 0.141 rg\n"
    for index, (text, size) in enumerate(fitted):
        codes = "".join(f"{font_subset.codes[character]:04X}" for character in text)
        height = FIELD - 9.0 - LEADING * index
        drawn += b"/F %.2f Tf 1 0 0 1 0 %.2f Tm <%s> Tj\n" % (size, height, codes.encode())
    tag = hashlib.sha256(font_subset.data).digest()
    font_name = b"/" + bytes(65 + byte % 26 for byte in tag[:6]) + b"+Inter-Regular"
    ordering = b"<<\n/Registry (Adobe)\n/Ordering (Identity)\n/Supplement 0\n>>"
    return {
        form: pdf_objects.stream(
            drawn + b"ET",
            Type=b"/XObject",
            Subtype=b"/Form",
            BBox=b"[ 0 0 %.2f %.2f ]" % (width, FIELD),
            Resources=pdf_objects.dictionary(Font=pdf_objects.dictionary(F=pdf_objects.reference(font))),
        ),
        font: pdf_objects.dictionary(
            Type=b"/Font",
            Subtype=b"/Type0",
            BaseFont=font_name,
            Encoding=b"/Identity-H",
            DescendantFonts=b"[ %s ]" % pdf_objects.reference(descendant),
            ToUnicode=pdf_objects.reference(to_unicode),
        ),
        descendant: pdf_objects.dictionary(
            Type=b"/Font",
            Subtype=b"/CIDFontType2",
            BaseFont=font_name,
            CIDSystemInfo=ordering,
            FontDescriptor=pdf_objects.reference(descriptor),
            W=b"[ 0 [ %s ] ]" % b" ".join(b"%d" % width for width in font_subset.widths),
            CIDToGIDMap=b"/Identity",
        ),
        descriptor: pdf_objects.dictionary(
            Type=b"/FontDescriptor",
            FontName=font_name,
            Flags=b"4",
            FontBBox=b"[ %d %d %d %d ]" % font_subset.box,
            ItalicAngle=b"0",
            Ascent=b"%d" % font_subset.ascent,
            Descent=b"%d" % font_subset.descent,
            CapHeight=b"%d" % font_subset.ascent,
            StemV=b"80",
            FontFile2=pdf_objects.reference(data),
        ),
        data: pdf_objects.stream(font_subset.data, Length1=b"%d" % len(font_subset.data)),
        to_unicode: pdf_objects.stream(_names(font_subset)),
    }


def _fitted(text: str, size: float, width: float) -> tuple[str, float]:
    """Return TEXT with the font size at which it fits into WIDTH, cut if that is too small."""
    text_width = glyphs.width(text, size)
    if text_width <= width:
        return text, size
    smallest = size * NARROWEST
    while len(text) > 1 and glyphs.width(text, smallest) > width:
        text = text[:-2] + "…"
    return text, min(size, max(smallest, size * width / text_width))


def _names(font_subset: Subset) -> bytes:
    """Return the ToUnicode map: the characters of the font's codes, for copying text."""
    spelled = {
        code: character.encode("utf-16-be").hex().upper().encode() for character, code in font_subset.codes.items()
    }
    rows = [b"<%04X> <%s>" % pair for pair in spelled.items()]
    sections = [rows[at : at + 100] for at in range(0, len(rows), 100)]
    body = b"".join(b"%d beginbfchar\n%s\nendbfchar\n" % (len(part), b"\n".join(part)) for part in sections)
    return (
        b"/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo <<\n/Registry (Adobe)\n"
        b"/Ordering (UCS)\n/Supplement 0\n>> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
        b"1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n" + body + b"endcmap\n"
        b"CMapName currentdict /CMap defineresource pop\nend\nend"
    )
