"""The characters of the report's typeface and their widths; characters it lacks are printed as code points.

So typed text is never lost or hidden in print: control and invisible characters, marks of writing direction, and
characters that the bundled fonts lack are printed as ‹U+0000›. NAME.json keeps the text as typed.
"""

from __future__ import annotations

import bisect
import functools
import re
import struct
import unicodedata

from dpwizard.base.resource_files import resource

REGULAR, SEMIBOLD = "Inter-Regular.ttf", "Inter-SemiBold.ttf"
BREAK = "\ue000"  # a possible break in a long word; private use, so `visible` removes it from typed text
LONG_WORD = 24  # characters; longer words may be broken
EVERY = 6  # characters between two such breaks
JOINERS = "\u200c\u200d\u200e\u200f"  # invisible, but needed to write some languages
UNSHOWN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}  # control, format, unassigned, private, half characters
# Further characters of the typesetter's own fonts: Armenian, Hebrew, Arabic, Georgian, arrows, operators, boxes.
FALLBACK = (
    (0x0531, 0x0556),
    (0x0559, 0x055F),
    (0x0561, 0x0587),
    (0x05B0, 0x05C3),
    (0x05D0, 0x05EA),
    (0x05F0, 0x05F4),
    (0x060C, 0x060C),
    (0x061B, 0x061B),
    (0x061F, 0x061F),
    (0x0621, 0x063A),
    (0x0640, 0x0655),
    (0x0660, 0x066D),
    (0x0679, 0x067B),
    (0x067E, 0x0680),
    (0x0686, 0x0687),
    (0x0691, 0x0691),
    (0x0698, 0x0698),
    (0x06A4, 0x06A4),
    (0x06A9, 0x06A9),
    (0x06AF, 0x06AF),
    (0x06BE, 0x06BE),
    (0x06CC, 0x06CC),
    (0x06F0, 0x06F9),
    (0x10D0, 0x10FC),
    (0x2200, 0x2201),
    (0x2203, 0x2204),
    (0x2207, 0x220D),
    (0x2227, 0x222A),
    (0x2261, 0x2263),
    (0x2282, 0x2285),
    (0x2500, 0x259F),
)


@functools.cache
def _read_font(file: str) -> tuple[int, dict[int, int], tuple[int, ...]]:
    """Return units per em, glyph by character, and advance by glyph of a bundled TrueType font."""
    tables = font_tables(file)
    units = struct.unpack_from(">H", tables[b"head"], 18)[0]
    count = struct.unpack_from(">H", tables[b"hhea"], 34)[0]
    advances = struct.unpack_from(f">{2 * count}H", tables[b"hmtx"])[::2]
    return units, _read_cmap(tables[b"cmap"]), advances


def font_tables(file: str) -> dict[bytes, bytes]:
    """Return the tables of a bundled TrueType font, by tag."""
    data = resource("fonts", file).read_bytes()
    count = struct.unpack_from(">H", data, 4)[0]
    entries = (struct.unpack_from(">4sIII", data, 12 + 16 * index) for index in range(count))
    return {tag: data[offset : offset + length] for tag, _, offset, length in entries}


def _read_cmap(cmap: bytes) -> dict[int, int]:
    """Return glyph by character, from the subtable of format 12, which the bundled fonts have."""
    count = struct.unpack_from(">H", cmap, 2)[0]
    offsets = (struct.unpack_from(">I", cmap, 8 + 8 * index)[0] for index in range(count))
    offset = next(offset for offset in offsets if struct.unpack_from(">H", cmap, offset)[0] == 12)
    glyphs: dict[int, int] = {}
    for index in range(struct.unpack_from(">I", cmap, offset + 12)[0]):
        first, last, glyph = struct.unpack_from(">III", cmap, offset + 16 + 12 * index)
        glyphs.update({first + step: glyph + step for step in range(last - first + 1)})
    return glyphs


def characters() -> dict[int, int]:
    """Return the glyphs of Inter by code point."""
    return _read_font(REGULAR)[1]


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of TEXT in Inter at SIZE, in the unit of SIZE; other typefaces come close."""
    units, glyphs, advances = _read_font(SEMIBOLD if bold else REGULAR)
    last = len(advances) - 1
    return sum(advances[min(glyphs.get(ord(char), 0), last)] for char in text) * size / units


def _escape_characters(text: str, unshown: set[str]) -> str:
    if not unshown:
        return text

    def code_points(match: re.Match[str]) -> str:
        return "‹" + " ".join(f"U+{ord(char):04X}" for char in match.group()) + "›"

    return re.sub(f"[{re.escape(''.join(sorted(unshown)))}]+", code_points, text)


def visible(text: str) -> str:
    """Return TEXT with control and invisible characters as code points; line breaks stay, tabs become spaces."""
    text = re.sub("\r\n?|[\x85\u2028\u2029]", "\n", text).replace("\t", "    ")
    return _escape_characters(
        text, {char for char in set(text) if char not in "\n" + JOINERS and unicodedata.category(char) in UNSHOWN}
    )


def printable(text: str, *, everything: bool = True) -> str:
    """Return TEXT with characters that the report's fonts lack as code points.

    With EVERYTHING, characters of the typesetter's own fonts are kept as well as those of Inter.
    """
    text = visible(text)
    _, glyphs, _ = _read_font(REGULAR)
    shown = set("\n" + JOINERS) if everything else {"\n"}
    lacking = {char for char in set(text) - shown if not glyphs.get(ord(char))}
    return _escape_characters(text, {char for char in lacking if not (everything and _is_in_fallback(ord(char)))})


def _is_in_fallback(character: int) -> bool:
    index = bisect.bisect_right(FALLBACK, (character, 0x10FFFF)) - 1
    return index >= 0 and FALLBACK[index][0] <= character <= FALLBACK[index][1]


def breakable(text: str) -> str:
    """Return TEXT with BREAK around and inside words that may be too long for a column.

    Words written from right to left get zero-width spaces instead, which do not change their order.
    """
    return re.sub(rf"\S{{{LONG_WORD},}}", _mark_breaks, text)


def _mark_breaks(match: re.Match[str]) -> str:
    word, pieces, piece = match.group(), [], ""
    leftwards = any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in word)
    piece_length = LONG_WORD if leftwards else EVERY
    for char in word:
        if len(piece) >= piece_length and not unicodedata.combining(char) and char not in JOINERS:
            pieces.append(piece)
            piece = ""
        piece += char
    return "\u200b".join([*pieces, piece]) if leftwards else BREAK + BREAK.join([*pieces, piece]) + BREAK
