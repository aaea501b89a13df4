"""Logos in decisions: small PNG pictures of a simple form, checked to the last byte.

A decision file may come from anyone, and its picture is printed on signed pages, so no decoder sees an unchecked one.
`plain` removes metadata (texts, places, profiles, thumbnails) from a picture.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from itertools import groupby

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import Message, message

SIGNATURE = b"\x89PNG\r\n\x1a\n"
LARGEST, WIDEST, HIGHEST = 64 * 1024, 2_000, 1_000  # bytes, pixels, pixels
SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # of a pixel, by colour type
DEPTHS = {0: (1, 2, 4, 8), 2: (8,), 3: (1, 2, 4, 8), 4: (8,), 6: (8,)}  # bits of a sample
GREY, COLOUR, PALETTE = 0, 2, 3
KEPT = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
SAVE = "Save it as a PNG without interlacing, with 8 bits for each colour, and at most 64 kB, 2,000 x 1,000 pixels."


def plain(data: bytes, where: str = "logo") -> bytes:
    """Return the PNG in DATA without metadata, as `require_plain` accepts it.

    Raises InvalidInput if it is not a PNG, is damaged, too large, or of an unsupported kind.
    """
    kept = {kind: b"".join(pieces) for kind, pieces in _pieces(data, where) if kind in KEPT}
    header = kept.get(b"IHDR", b"")
    if len(header) == 13 and b"PLTE" in kept:
        if header[9] == PALETTE:  # extended, so that no pixel can have an undefined colour
            kept[b"PLTE"] = kept[b"PLTE"].ljust(3 << min(header[8], 8), b"\0")
        else:  # a palette for screens with few colours
            del kept[b"PLTE"]
    picture = SIGNATURE + b"".join(_piece(kind, kept[kind]) for kind in KEPT if kind in kept)
    require_plain(picture, where)
    return picture


def require_plain(data: bytes, where: str = "logo") -> None:
    """Raise InvalidInput unless DATA is a small, complete PNG without metadata."""
    chunks = list(_pieces(data, where))
    kept = {kind: b"".join(pieces) for kind, pieces in chunks}
    order = [kind for kind, _ in chunks]
    if order != [kind for kind in KEPT if kind in kept] or not {b"IHDR", b"IDAT", b"IEND"} <= kept.keys():
        raise _refused(message("does not contain exactly one picture"), where)
    header = kept[b"IHDR"]
    if len(header) != 13 or kept[b"IEND"]:
        raise _refused(message("is a damaged PNG"), where)
    width, height = int.from_bytes(header[:4]), int.from_bytes(header[4:8])
    depth, colour, *ways = header[8:]
    if not (1 <= width <= WIDEST and 1 <= height <= HIGHEST):
        raise _refused(message("is {width} x {height} pixels", width=width, height=height), where)
    if depth not in DEPTHS.get(colour, ()) or ways != [0, 0, 0]:
        raise _refused(message("is a PNG of a kind that is not accepted"), where)
    _require_colours(colour, depth, kept, where)
    _require_pixels(kept[b"IDAT"], (width * SAMPLES[colour] * depth + 7) // 8, height, where)


def shape(data: bytes) -> float:
    """Return width divided by height of the picture in DATA, a checked PNG."""
    return int.from_bytes(data[16:20]) / int.from_bytes(data[20:24])


def _pieces(data: bytes, where: str) -> Iterator[tuple[bytes, Iterable[bytes]]]:
    """Yield the chunks of a PNG in order: their kind with the contents of adjacent chunks of this kind."""
    if len(data) > LARGEST:
        raise _refused(message("has more than 64 kB"), where)
    if not data.startswith(SIGNATURE):
        raise _refused(message("is not a PNG picture"), where)
    for kind, same in groupby(_each(data, where), key=lambda piece: piece[0]):
        yield kind, [content for _, content in same]


def _each(data: bytes, where: str) -> Iterator[tuple[bytes, bytes]]:
    place = len(SIGNATURE)
    while place < len(data):
        end = place + 8 + int.from_bytes(data[place : place + 4])
        kind, content, check = data[place + 4 : place + 8], data[place + 8 : end], data[end : end + 4]
        if end + 4 > len(data) or zlib.crc32(kind + content).to_bytes(4) != check:
            raise _refused(message("is a damaged PNG"), where)
        yield kind, content
        place = end + 4


def _piece(kind: bytes, content: bytes) -> bytes:
    return len(content).to_bytes(4) + kind + content + zlib.crc32(kind + content).to_bytes(4)


def _require_colours(colour: int, depth: int, kept: dict[bytes, bytes], where: str) -> None:
    """Raise InvalidInput if palette or transparency do not match the picture."""
    palette, clear = kept.get(b"PLTE"), kept.get(b"tRNS")
    fits = palette is None if colour != PALETTE else palette is not None and len(palette) == 3 << depth
    if clear is not None:
        longest = {GREY: 2, COLOUR: 6, PALETTE: 1 << depth}.get(colour, 0)
        fits = fits and (0 < len(clear) <= longest if colour == PALETTE else len(clear) == longest > 0)
    if not fits:
        raise _refused(message("is a damaged PNG"), where)


def _require_pixels(packed: bytes, row: int, height: int, where: str) -> None:
    """Raise InvalidInput unless PACKED holds HEIGHT rows of ROW bytes and a filter byte; at most one more is read."""
    size = (row + 1) * height
    unpacking = zlib.decompressobj()
    try:
        pixels = unpacking.decompress(packed, size + 1)
    except zlib.error:
        raise _refused(message("is a damaged PNG"), where) from None
    whole = unpacking.eof and not unpacking.unused_data and not unpacking.unconsumed_tail
    if len(pixels) != size or not whole or any(kind > 4 for kind in pixels[:: row + 1]):
        raise _refused(message("is a damaged PNG"), where)


def _refused(why: Message, where: str) -> InvalidInput:
    return InvalidInput(why, where, SAVE)
