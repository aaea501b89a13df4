"""How far colours stand out from one another, by the formulas of WCAG 2, in the palette and as painted."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QColor, QImage

from ui.widgets import theme

EVERY = {
    "light": theme.LIGHT,
    "dark": theme.DARK,
    "light, strong": theme.LIGHT_STRONG,
    "dark, strong": theme.DARK_STRONG,
}
STRONG = (theme.LIGHT_STRONG, theme.DARK_STRONG)  # where the system asks for more contrast: level AAA of WCAG 2, 7 : 1


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2."""
    parts = QColor(colour).getRgbF()[:3]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def pixels(image: QImage, frame: int = 0) -> np.ndarray:
    """Return the colours of IMAGE, row by row, as numbers 0xRRGGBB; a FRAME of so many pixels is left out."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    found = np.frombuffer(plain.constBits(), np.uint32).reshape(plain.height(), -1)[:, : plain.width()] & 0xFFFFFF
    return found[frame : plain.height() - frame, frame : plain.width() - frame].copy()


def painted(image: QImage, frame: int = 0) -> tuple[str, str]:
    """Return the ground of a picture (its commonest colour) and the colour that stands out most from it."""
    found, often = np.unique(pixels(image, frame), return_counts=True)
    colours = [f"#{number:06x}" for number in found]
    ground = colours[int(often.argmax())]
    return ground, max(colours, key=lambda colour: contrast(colour, ground))
