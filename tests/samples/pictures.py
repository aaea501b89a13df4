"""PNG pictures, sound and hostile, made byte by byte."""

from __future__ import annotations

import struct
import zlib

from dpwizard.base import png


def piece(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def picture(
    width: int = 5,
    height: int = 3,
    depth: int = 8,
    colour: int = 2,
    *,
    rows: bytes | None = None,
    ways: bytes = b"\0\0\0",
    between: bytes = b"",
) -> bytes:
    """Return a PNG; ROWS, if given, are its pixels as they are packed; BETWEEN stands before them."""
    row = (width * png.SAMPLES.get(colour, 1) * depth + 7) // 8
    pixels = bytes((row + 1) * height) if rows is None else rows
    header = struct.pack(">IIBB", width, height, depth, colour) + ways
    return (
        png.SIGNATURE + piece(b"IHDR", header) + between + piece(b"IDAT", zlib.compress(pixels)) + piece(b"IEND", b"")
    )
