"""The characters of the report's typeface, their widths, and code points in place of those it lacks.

Typed text is never lost in print and never hides anything: a control character, an invisible one, one that turns
the reading direction, or one that the bundled fonts lack is printed as its code point, ‹U+0000›. NAME.json keeps
the text as it was typed.
"""

from __future__ import annotations

import bisect
import functools
import re
import struct
import unicodedata

from dpwizard.base.resource_files import resource

REGULAR, SEMIBOLD = "Inter-Regular.ttf", "Inter-SemiBold.ttf"
BREAK = "\ue000"  # marks where a long word may be broken; private use, so no typed text can hold it after `visible`
LONG_WORD = 24  # characters; longer words may be broken
EVERY = 6  # characters between two such breaks
JOINERS = "\u200c\u200d\u200e\u200f"  # invisible, but scripts need them to be written right
UNSHOWN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}  # control, format, unassigned, private, half characters
# Characters that the typesetter's own fonts add to Inter: Armenian, Hebrew, Arabic, Georgian, arrows, operators, boxes.
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
    data = resource("fonts", file).read_bytes()
    tables = {}
    for index in range(struct.unpack_from(">H", data, 4)[0]):
        tag, _, offset, _ = struct.unpack_from(">4sIII", data, 12 + 16 * index)
        tables[tag] = offset
    units = struct.unpack_from(">H", data, tables[b"head"] + 18)[0]
    count = struct.unpack_from(">H", data, tables[b"hhea"] + 34)[0]
    advances = struct.unpack_from(f">{2 * count}H", data, tables[b"hmtx"])[::2]
    return units, _read_cmap(data, tables[b"cmap"]), advances


def _read_cmap(data: bytes, cmap: int) -> dict[int, int]:
    """Return glyph by character, from the segments of a cmap of format 12 (all of Unicode) or 4 (its first plane)."""
    subtables = []
    for index in range(struct.unpack_from(">H", data, cmap + 2)[0]):
        offset = cmap + struct.unpack_from(">HHI", data, cmap + 4 + 8 * index)[2]
        subtables.append((struct.unpack_from(">H", data, offset)[0], offset))
    subtable = {kind: offset for kind, offset in subtables if kind in (4, 12)}
    glyphs: dict[int, int] = {}
    if 12 in subtable:
        offset = subtable[12]
        for index in range(struct.unpack_from(">I", data, offset + 12)[0]):
            first, last, glyph = struct.unpack_from(">III", data, offset + 16 + 12 * index)
            glyphs.update({first + step: glyph + step for step in range(last - first + 1)})
        return glyphs
    offset = subtable[4]
    pairs = struct.unpack_from(">H", data, offset + 6)[0] // 2
    ends, starts, deltas, places = (
        struct.unpack_from(f">{pairs}H", data, offset + 14 + 2 * pairs * i + (2 if i else 0)) for i in range(4)
    )
    start = offset + 16 + 6 * pairs
    for index in range(pairs):
        for character in range(starts[index], min(ends[index], 0xFFFE) + 1):
            glyph = character + deltas[index]
            if places[index]:
                glyph = struct.unpack_from(
                    ">H", data, start + 2 * index + places[index] + 2 * (character - starts[index])
                )[0]
                glyph += deltas[index] if glyph else 0
            if glyph & 0xFFFF:
                glyphs[character] = glyph & 0xFFFF
    return glyphs


def characters() -> dict[int, int]:
    """Return the number of the glyph of each character of Inter, by code point."""
    return _read_font(REGULAR)[1]


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of TEXT in Inter at SIZE, in the unit of SIZE; other typefaces come close."""
    units, glyphs, advances = _read_font(SEMIBOLD if bold else REGULAR)
    last = len(advances) - 1
    return sum(advances[min(glyphs.get(ord(char), 0), last)] for char in text) * size / units


def _code_points(match: re.Match[str]) -> str:
    return "‹" + " ".join(f"U+{ord(char):04X}" for char in match.group()) + "›"


def _escape_characters(text: str, unshown: set[str]) -> str:
    if not unshown:
        return text
    return re.sub(f"[{re.escape(''.join(sorted(unshown)))}]+", _code_points, text)


def visible(text: str) -> str:
    """Return TEXT with control and invisible characters as code points; line breaks stay, tabs become spaces."""
    text = re.sub("\r\n?|[\x85\u2028\u2029]", "\n", text).replace("\t", "    ")
    return _escape_characters(
        text, {char for char in set(text) if char not in "\n" + JOINERS and unicodedata.category(char) in UNSHOWN}
    )


def printable(text: str, *, everything: bool = True) -> str:
    """Return TEXT with every character that the report's fonts lack as its code point.

    With EVERYTHING, characters of the typesetter's own fonts are kept, too; without, only those of Inter.
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
    """Return TEXT with marks around and inside words that may be too long for a column.

    A piece between two marks has no space. Words that are read from the right get invisible spaces instead, which do
    not change their order.
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
