"""Draw resources/icons/dpwizard.png, .ico and .icns, and the desktop's icons in packaging/linux/icons, anew from
dpwizard.svg. Run it after a change to the drawing."""

from __future__ import annotations

import os
import struct
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ICONS = Path(__file__).resolve().parent.parent / "resources" / "icons"
SIZES = (16, 32, 48, 64, 256)
DESKTOP = Path(__file__).resolve().parent.parent / "packaging" / "linux" / "icons"
OF_MACOS = {64: b"ic12", 128: b"ic07", 256: b"ic08", 512: b"ic09"}  # what an .icns calls a PNG of each size
OF_DESKTOP = (16, 22, 24, 32, 48, 64, 128, 256, 512)  # sizes that desktops look for


def png(drawing: QSvgRenderer, size: int) -> bytes:
    """Return DRAWING as a PNG picture of SIZE by SIZE pixels."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    drawing.render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """Return a Windows icon that holds PICTURES, given by their size."""
    head = struct.pack("<HHH", 0, 1, len(pictures))
    place = len(head) + 16 * len(pictures)
    entries, body = b"", b""
    for size, picture in pictures.items():
        entries += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), place + len(body))
        body += picture
    return head + entries + body


def icns(pictures: dict[int, bytes]) -> bytes:
    """Return a macOS icon that holds PICTURES, given by their size."""
    body = b"".join(OF_MACOS[size] + struct.pack(">I", 8 + len(pictures[size])) + pictures[size] for size in OF_MACOS)
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication([])
    drawing = QSvgRenderer(str(ICONS / "dpwizard.svg"))
    (ICONS / "dpwizard.png").write_bytes(png(drawing, max(SIZES)))
    DESKTOP.mkdir(exist_ok=True)
    for size in OF_DESKTOP:
        (DESKTOP / f"{size}.png").write_bytes(png(drawing, size))
    (ICONS / "dpwizard.icns").write_bytes(icns({size: png(drawing, size) for size in OF_MACOS}))
    (ICONS / "dpwizard.ico").write_bytes(ico({size: png(drawing, size) for size in SIZES}))
