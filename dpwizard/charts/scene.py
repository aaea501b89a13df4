"""A figure as data: lines, areas, marks and texts in points, drawn once and written as SVG wherever it is needed.

The report, the HTML and "save as SVG" in the window all write the same scene. A scene carries its
alternative text and the table of the data behind it, so that nobody needs eyes to read it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from dpwizard.charts import glyphs

Anchor = Literal["start", "middle", "end"]
SMALL = 8.0  # points of most letters of a figure
KEPT = 1_024  # texts whose fit is remembered: most stay the same in a drag
FAMILY = "Inter, Helvetica, Arial, sans-serif"


@dataclass(frozen=True, kw_only=True)
class Style:
    """The colours of a figure: the data colours of Okabe and Ito, and what steps back behind them."""

    privacy: str = "#D55E00"
    accuracy: str = "#0072B2"
    window: str = "#009E73"
    refuted: str = "#7A7A7A"
    ink: str = "#1B1F24"
    quiet: str = "#5A626C"
    line: str = "#D9DCE0"
    unbounded: str = "#F0F1F2"
    ground: str = "#FFFFFF"
    shade: float = 0.15  # how much of its colour a shaded stretch has


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
        """Return where the line begins and ends."""
        wide = glyphs.width(self.text, self.size, bold=self.bold)
        start = self.x - {"start": 0.0, "middle": wide / 2, "end": wide}[self.anchor]
        return start, start + wide


Item = Path | Rectangle | Circle | Text


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A figure: what is drawn, what it says in words, and the table of its data."""

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
    """Return TEXT on one line, cut with an ellipsis where ROOM is too narrow for it."""
    text = " ".join(glyphs.printable(text, everything=False).split())
    if glyphs.width(text, size, bold=bold) <= room:
        return text
    low, high = 0, len(text)
    while low < high:  # the longest beginning that fits with an ellipsis
        middle = (low + high + 1) // 2
        low, high = (middle, high) if glyphs.width(text[:middle] + "…", size, bold=bold) <= room else (low, middle - 1)
    return text[:low].rstrip() + "…"


# ------------------------------------------------------------------------------------- writing


def svg(scene: Scene) -> str:
    """Return SCENE as one SVG document: text stays text, nothing is fetched, equal scenes give equal bytes."""
    width, height = _number(scene.width), _number(scene.height)
    size = f'width="{width}pt" height="{height}pt" viewBox="0 0 {width} {height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{FAMILY}">'
    words = f"<title>{_escaped(scene.title)}</title><desc>{_escaped(scene.alternative)}</desc>"
    return head + words + "".join(_written(scene.items)) + "</svg>\n"


def _written(items: Iterable[Item]) -> Iterable[str]:
    for item in items:
        match item:
            case Path():
                yield _path(item)
            case Rectangle():
                place = (
                    f'x="{_number(item.x)}" y="{_number(item.y)}" width="{_number(item.width)}" '
                    f'height="{_number(item.height)}"'
                )
                yield f'<rect {place} fill="{item.fill}"{_opacity(item.opacity)}/>'
            case Circle():
                edge = f' stroke="{item.stroke}" stroke-width="{_number(item.width)}"' if item.stroke else ""
                yield (
                    f'<circle cx="{_number(item.x)}" cy="{_number(item.y)}" r="{_number(item.radius)}" '
                    f'fill="{item.fill}"{edge}/>'
                )
            case Text():
                weight = ' font-weight="600"' if item.bold else ""
                anchor = f' text-anchor="{item.anchor}"' if item.anchor != "start" else ""
                place = (
                    f'x="{_number(item.x)}" y="{_number(item.y)}" font-size="{_number(item.size)}" fill="{item.fill}"'
                )
                yield f"<text {place}{anchor}{weight}>{_escaped(item.text)}</text>"


def _path(path: Path) -> str:
    points = "L".join(f"{_number(x)} {_number(y)}" for x, y in path.points)
    drawn = f'fill="{path.fill}"{_opacity(path.opacity)}' if path.fill else 'fill="none"'
    if path.stroke:
        dash = f' stroke-dasharray="{" ".join(_number(part) for part in path.dash)}"' if path.dash else ""
        drawn += f' stroke="{path.stroke}" stroke-width="{_number(path.width)}"{dash} stroke-linejoin="round"'
    return f'<path d="M{points}{"Z" if path.fill else ""}" {drawn}/>'


def _opacity(value: float) -> str:
    return f' fill-opacity="{_number(value)}"' if value != 1.0 else ""


def _number(value: float) -> str:
    """Return VALUE with two decimals at most: a hundredth of a point cannot be seen, and files stay small."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return text.replace("-0", "0") if abs(value) < 0.005 else text


def _escaped(text: str) -> str:
    """Return TEXT as XML holds it: nothing in it is markup, and no character is one that XML forbids."""
    text = glyphs.visible(text)
    for char, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(char, written)
    return text
