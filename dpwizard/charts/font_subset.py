"""Font subsets: fonts with only the glyphs of one text, for text that this program writes to a PDF itself."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from dpwizard.charts import glyphs

KEPT = (b"cvt ", b"fpgm", b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp", b"prep")
WORDS, MORE, SCALED, TWICE_SCALED, FOUR_SCALED = 1, 0x20, 8, 0x40, 0x80  # flags of a part of a composite glyph
WHOLE = 0xB1B0AFBA  # required checksum of a whole font


@dataclass(frozen=True, kw_only=True)
class Subset:
    """A TrueType font with the glyphs of a text; lengths are in thousandths of the font size."""

    data: bytes
    codes: dict[str, int]
    widths: tuple[int, ...]  # by code
    box: tuple[int, int, int, int]
    ascent: int
    descent: int


def subset(text: str) -> Subset:
    """Return the font of TEXT, whose characters Inter must have (`glyphs.printable`): equal texts, equal bytes."""
    tables = glyphs.font_tables(glyphs.REGULAR)
    by_character = glyphs.characters()
    characters = list(dict.fromkeys(text))
    chosen = list(dict.fromkeys([0, *(by_character[ord(character)] for character in characters)]))
    for glyph in chosen:  # grows meanwhile: parts of composite glyphs have parts themselves
        chosen += [part for _, part in _composite_parts(_glyph_outline(tables, glyph)) if part not in chosen]
    subset_tables = {tag: table for tag, table in tables.items() if tag in KEPT}
    _write_glyph_tables(subset_tables, tables, chosen)
    units: int = struct.unpack_from(">H", tables[b"head"], 18)[0]

    def thousandth(value: int) -> int:
        return round(value * 1000 / units)

    box = struct.unpack_from(">4h", tables[b"head"], 36)
    ascent, descent = struct.unpack_from(">2h", tables[b"hhea"], 4)
    return Subset(
        data=_build_font(subset_tables),
        codes={character: chosen.index(by_character[ord(character)]) for character in characters},
        widths=tuple(thousandth(_glyph_metrics(tables, glyph)[0]) for glyph in chosen),
        box=(thousandth(box[0]), thousandth(box[1]), thousandth(box[2]), thousandth(box[3])),
        ascent=thousandth(ascent),
        descent=thousandth(descent),
    )


def _glyph_outline(tables: dict[bytes, bytes], glyph: int) -> bytes:
    """Return the outline of GLYPH; empty for a blank. The bundled font has long offsets."""
    start, end = struct.unpack_from(">2I", tables[b"loca"], 4 * glyph)
    return tables[b"glyf"][start:end]


def _composite_parts(outline: bytes) -> list[tuple[int, int]]:
    """Return the parts of a composite glyph: the position of each in OUTLINE, and its glyph."""
    if not outline or struct.unpack_from(">h", outline)[0] >= 0:
        return []
    parts, position, flags = [], 10, MORE
    while flags & MORE:
        flags, part = struct.unpack_from(">2H", outline, position)
        parts.append((position + 2, part))
        scales = 2 if flags & SCALED else 4 if flags & TWICE_SCALED else 8 if flags & FOUR_SCALED else 0
        position += 4 + (4 if flags & WORDS else 2) + scales
    return parts


def _glyph_metrics(tables: dict[bytes, bytes], glyph: int) -> tuple[int, int]:
    """Return the advance and the left bearing of GLYPH."""
    count = struct.unpack_from(">H", tables[b"hhea"], 34)[0]
    advance = struct.unpack_from(">H", tables[b"hmtx"], 4 * min(glyph, count - 1))[0]
    place = 4 * glyph + 2 if glyph < count else 4 * count + 2 * (glyph - count)
    return advance, struct.unpack_from(">h", tables[b"hmtx"], place)[0]


def _write_glyph_tables(subset_tables: dict[bytes, bytes], tables: dict[bytes, bytes], chosen: list[int]) -> None:
    """Write the glyphs CHOSEN, numbered in that order, to SUBSET_TABLES."""
    outlines, places = b"", [0]
    for glyph in chosen:
        outline = bytearray(_glyph_outline(tables, glyph))
        for position, part in _composite_parts(bytes(outline)):
            struct.pack_into(">H", outline, position, chosen.index(part))
        outlines += bytes(outline) + bytes(-len(outline) % 4)
        places.append(len(outlines))
    subset_tables[b"glyf"] = outlines
    subset_tables[b"loca"] = struct.pack(f">{len(places)}I", *places)
    subset_tables[b"hmtx"] = b"".join(struct.pack(">Hh", *_glyph_metrics(tables, glyph)) for glyph in chosen)
    subset_tables[b"head"] = tables[b"head"][:8] + bytes(4) + tables[b"head"][12:50] + struct.pack(">2h", 1, 0)
    subset_tables[b"hhea"] = tables[b"hhea"][:34] + struct.pack(">H", len(chosen))
    subset_tables[b"maxp"] = tables[b"maxp"][:4] + struct.pack(">H", len(chosen)) + tables[b"maxp"][6:]


def _build_font(tables: dict[bytes, bytes]) -> bytes:
    count = len(tables)
    power = count.bit_length() - 1
    head = struct.pack(">I4H", 0x00010000, count, 16 << power, power, 16 * count - (16 << power))
    body, position = b"", len(head) + 16 * count
    adjusted = 0
    for tag, table in sorted(tables.items()):
        head += struct.pack(">4s3I", tag, _checksum(table), position + len(body), len(table))
        adjusted = position + len(body) + 8 if tag == b"head" else adjusted
        body += table + bytes(-len(table) % 4)
    whole = bytearray(head + body)
    struct.pack_into(">I", whole, adjusted, (WHOLE - _checksum(bytes(whole))) & 0xFFFFFFFF)
    return bytes(whole)


def _checksum(table: bytes) -> int:
    padded = table + bytes(-len(table) % 4)
    total: int = sum(struct.unpack(f">{len(padded) // 4}I", padded))
    return total & 0xFFFFFFFF
