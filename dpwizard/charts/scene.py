"""Scenes: lines, areas, marks and texts in points, which reports, HTML pages and "save as SVG" write as SVG.

A scene has an alternative text and a table of its data for screen readers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from dpwizard.charts import glyphs

Anchor = Literal["start", "middle", "end"]
SMALL = 8.0  # points; font size of most texts
KEPT = 1_024  # cached texts: most do not change during a drag
COLOURED = ("privacy", "accuracy", "window", "refuted", "quiet")  # roles with a colour of their own
FAMILY = "Inter, Helvetica, Arial, sans-serif"


@dataclass(frozen=True, kw_only=True)
class Style:
    """The colours of a figure: the data colours of Okabe and Ito, and grey ones."""

    privacy: str = "#D55E00"
    accuracy: str = "#0072B2"
    window: str = "#009E73"
    refuted: str = "#7A7A7A"
    ink: str = "#1B1F24"
    quiet: str = "#5A626C"
    line: str = "#D9DCE0"
    unbounded: str = "#F0F1F2"
    ground: str = "#FFFFFF"
    shade: float = 0.15  # opacity of a shaded range

    def of(self, role: str) -> str:
        """Return the colour of what has this ROLE in a figure."""
        colour: str = getattr(self, role) if role in COLOURED else self.ink
        return colour


@dataclass(frozen=True, kw_only=True)
class Path:
    """A line through points; closed and filled it is an area."""

    points: tuple[tuple[float, float], ...]
    stroke: str | None = None
    width: float = 1.0
    dash: tuple[float, ...] = ()
    fill: str | None = None
    opacity: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Rectangle:
    """An upright rectangle from its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    opacity: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Circle:
    """A round mark."""

    x: float
    y: float
    radius: float
    fill: str
    stroke: str | None = None
    width: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Text:
    """One line of text at its baseline."""

    x: float
    y: float
    text: str
    size: float = 8.5
    fill: str = Style.ink
    anchor: Anchor = "start"
    bold: bool = False

    @property
    def extent(self) -> tuple[float, float]:
        """Return the x at which the text starts and ends."""
        width = glyphs.width(self.text, self.size, bold=self.bold)
        start = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        return start, start + width


Item = Path | Rectangle | Circle | Text


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A drawn figure, its alternative text, and the table of its data."""

    width: float
    height: float
    items: tuple[Item, ...]
    title: str
    alternative: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def line(
    x0: float, y0: float, x1: float, y1: float, stroke: str, width: float = 1.0, dash: tuple[float, ...] = ()
) -> Path:
    """Return a stroke between two points."""
    return Path(points=((x0, y0), (x1, y1)), stroke=stroke, width=width, dash=dash)


@lru_cache(maxsize=KEPT)
def fitted(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """Return TEXT on one line, cut with an ellipsis to the width ROOM."""
    text = " ".join(glyphs.printable(text, everything=False).split())
    if glyphs.width(text, size, bold=bold) <= room:
        return text

    def cut_width(length: int) -> float:
        return glyphs.width(text[:length] + "…", size, bold=bold)

    longest = bisect_right(range(1, len(text) + 1), room, key=cut_width)
    return text[:longest].rstrip() + "…"


# ------------------------------------------------------------------------------------- writing


def svg(scene: Scene) -> str:
    """Return SCENE as a self-contained SVG document with text as text; equal scenes give equal bytes."""
    width, height = _round(scene.width), _round(scene.height)
    size = f'width="{width}pt" height="{height}pt" viewBox="0 0 {width} {height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{FAMILY}">'
    words = f"<title>{_escape_xml(scene.title)}</title><desc>{_escape_xml(scene.alternative)}</desc>"
    return head + words + "".join(_svg_elements(scene.items)) + "</svg>\n"


def _svg_elements(items: Iterable[Item]) -> Iterable[str]:
    for item in items:
        match item:
            case Path():
                yield _svg_path(item)
            case Rectangle():
                place = (
                    f'x="{_round(item.x)}" y="{_round(item.y)}" width="{_round(item.width)}" '
                    f'height="{_round(item.height)}"'
                )
                yield f'<rect {place} fill="{item.fill}"{_opacity_attribute(item.opacity)}/>'
            case Circle():
                edge = f' stroke="{item.stroke}" stroke-width="{_round(item.width)}"' if item.stroke else ""
                yield (
                    f'<circle cx="{_round(item.x)}" cy="{_round(item.y)}" r="{_round(item.radius)}" '
                    f'fill="{item.fill}"{edge}/>'
                )
            case Text():
                weight = ' font-weight="600"' if item.bold else ""
                anchor = f' text-anchor="{item.anchor}"' if item.anchor != "start" else ""
                place = f'x="{_round(item.x)}" y="{_round(item.y)}" font-size="{_round(item.size)}" fill="{item.fill}"'
                yield f"<text {place}{anchor}{weight}>{_escape_xml(item.text)}</text>"


def _svg_path(path: Path) -> str:
    points = "L".join(f"{_round(x)} {_round(y)}" for x, y in path.points)
    attributes = f'fill="{path.fill}"{_opacity_attribute(path.opacity)}' if path.fill else 'fill="none"'
    if path.stroke:
        dash = f' stroke-dasharray="{" ".join(_round(part) for part in path.dash)}"' if path.dash else ""
        attributes += f' stroke="{path.stroke}" stroke-width="{_round(path.width)}"{dash} stroke-linejoin="round"'
    return f'<path d="M{points}{"Z" if path.fill else ""}" {attributes}/>'


def _opacity_attribute(value: float) -> str:
    return f' fill-opacity="{_round(value)}"' if value != 1.0 else ""


def _round(value: float) -> str:
    """Return VALUE with at most two decimals, which is invisible and keeps files small."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return text.replace("-0", "0") if abs(value) < 0.005 else text


def _escape_xml(text: str) -> str:
    """Return TEXT with markup escaped, and without characters that XML forbids."""
    text = glyphs.visible(text)
    for char, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(char, written)
    return text
