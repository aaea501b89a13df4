"""Tables of shaded cells: chances of small counts, and made-up counts as they would be published, as scenes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dpwizard.base.language import digits
from dpwizard.charts.plot_frame import PlotStyle
from dpwizard.charts.scene import Anchor, Item, Path, Rectangle, Scene, Text, fitted
from dpwizard.charts.sums_view import SumsInputs
from dpwizard.decision import Decision
from dpwizard.questions import sums
from dpwizard.wording import format_text, word

ROW, HEAD, GAP = 24.0, 72.0, 1.0  # of the height of a row, the width of the first column, the room between cells
HEAD_SHARE = 0.2  # of the width, which the first column takes at most
SIZE = 12.0  # of the letters
DROP = 4.5  # from the middle of a row to the foot of its letters
DEEP = 0.8  # from so much of the colour on, words are written on it in the colour of the ground
RARE = 10  # tenths of 1 in 100: below, a chance is written quietly
DEEPEST = 707  # tenths at which a cell has all of its colour
MOST_ROWS, MOST_COLUMNS = 4, 4  # of the table with made-up counts
MADE_UP = (3, 0, 7, 1, 12, 2, 5, 0, 9, 4, 1, 6, 0, 2, 15, 8, 3, 1, 0, 5, 11, 2, 4, 7)


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One cell: its words, how much of its colour it has, and whether it steps back or stands out."""

    words: str
    shade: float  # in [0, 1]
    quiet: bool = False
    framed: bool = False


@dataclass(frozen=True, kw_only=True)
class Cells:
    """A table of cells; widths are shares of what the first column leaves."""

    title: str
    above: str  # over all columns
    corner: str
    columns: tuple[str, ...]
    widths: tuple[float, ...]
    heads: tuple[str, ...]  # of the rows
    rows: tuple[tuple[Cell, ...], ...]
    sentence: str = ""

    @property
    def height(self) -> float:
        """Return how high the table is, in points."""
        return ROW * (len(self.rows) + 2)

    @property
    def alternative(self) -> str:
        """Return all cells in words."""
        rows = zip(self.heads, self.rows, strict=True)
        return "; ".join(f"{head}: {', '.join(cell.words for cell in row)}" for head, row in rows)


def chances(rows: Sequence[tuple[int, Sequence[int]]], watched: int, decision: Decision) -> Cells:
    """Return true counts against what is published of them.

    ROWS: true counts, each with its chances in tenths of 1 in 100, of the last column of so many or more; WATCHED:
    from here on what is published of the first row is framed; DECISION says whether counts below 0 become 0.
    """
    last = len(rows[0][1]) - 1
    least = "0" if "clamping" in decision.release.post_processing else word("cells", "least")
    made = (
        tuple(_chance(one, index == 0 and at >= watched) for at, one in enumerate(tenths))
        for index, (_, tenths) in enumerate(rows)
    )
    return Cells(
        title=word("cells", "chances"),
        above=word("cells", "published_as"),
        corner=word("cells", "truth"),
        columns=(least, *map(str, range(1, last)), format_text("cells", "or_more", {"count": str(last)})),
        widths=(1.0,) * last + (1.8,),
        heads=tuple(str(truth) for truth, _ in rows),
        rows=tuple(made),
    )


def _chance(tenths: int, framed: bool) -> Cell:
    shade = min(1.0, tenths / DEEPEST) ** 0.6
    return Cell(words=digits(f"{tenths / 10:.1f}"), shade=shade, quiet=tenths < RARE, framed=framed)


def noisy_counts(decision: Decision, read: SumsInputs, counts: Sequence[int], seed: int) -> Cells:
    """Return made-up COUNTS as they would be published once, with noise drawn for the SEED: equal seeds, equal noise.

    COUNTS are used again from the first on where the table has more cells. Never real ones: the noise is not that of
    the release, whose draws nobody can repeat.
    """
    noise = read.setting.noise_at(read.budget)
    assert noise is not None
    down, across, names = _shape(decision)
    clamped = "clamping" in decision.release.post_processing
    half = noise.interval(sums.LEVEL).half_width
    made = []
    for at in range(down * across):
        truth, (chance, sign) = counts[at % len(counts)], _uniform(seed, at)
        noisy = truth + sign * noise.interval(chance).half_width  # the distance that so much of the noise lies within
        published = max(0.0, noisy) if clamped else noisy
        off = abs(published - truth)
        words = format_text("cells", "published_and_true", {"published": published, "truth": truth})
        made.append(Cell(words=words, shade=min(1.0, off / (2.0 * half)) if half else 0.0, framed=off > half))
    within = sum(not cell.framed for cell in made)
    values = {"within": str(within), "count": str(len(made)), "half": half}
    return Cells(
        title=word("cells", "made_up"),
        above=word("cells", "published_true"),
        corner=names[0],
        columns=tuple(f"{names[1]} {column + 1}".strip() for column in range(across)),
        widths=(1.0,) * across,
        heads=tuple(str(row + 1) for row in range(down)),
        rows=tuple(tuple(made[at : at + across]) for at in range(0, len(made), across)),
        sentence=format_text("cells", "this_draw", values),
    )


def _shape(decision: Decision) -> tuple[int, int, tuple[str, str]]:
    """Return how many rows and columns stand for the table, and what they are called."""
    divisions = [one for one in decision.release.divisions if one.parts and one.parts > 1]
    number = decision.release.tables[0].dimension
    if len(divisions) < 2:
        return min(number, MOST_ROWS), 1, (divisions[0].name or "" if divisions else "", "")
    rows, columns = divisions[:2]
    names = (rows.name or "", columns.name or "")
    return min(rows.parts or 1, MOST_ROWS), min(columns.parts or 1, MOST_COLUMNS), names


def _uniform(seed: int, at: int) -> tuple[float, float]:
    """Return a number in (0, 1) and a sign for the cell AT: the same for the same SEED, even on other computers."""
    found = hashlib.sha256(f"{seed}:{at}".encode()).digest()
    return (int.from_bytes(found[:6], "big") + 0.5) / 2.0**48, 1.0 if found[6] % 2 else -1.0


def scene(cells: Cells, look: PlotStyle) -> Scene:
    """Return CELLS drawn as wide as LOOK says."""
    items = tuple(_items(cells, look))
    return Scene(width=look.width, height=cells.height, items=items, title=cells.title, alternative=cells.alternative)


def _items(cells: Cells, look: PlotStyle) -> Iterator[Item]:
    first = min(HEAD, HEAD_SHARE * look.width)
    unit = (look.width - first) / sum(cells.widths)
    places = [first + unit * sum(cells.widths[:at]) for at in range(len(cells.widths))]
    style = look.style
    yield _text(cells.above, first, 0, look.width - first, style.quiet, "start")
    yield _text(cells.corner, 0.0, 1, first, style.quiet, "start")
    for words, left, share in zip(cells.columns, places, cells.widths, strict=True):
        yield _text(words, left, 1, unit * share, style.quiet, "middle")
    for index, (head, row) in enumerate(zip(cells.heads, cells.rows, strict=True), 2):
        yield _text(head, 0.0, index, first, style.ink, "start")
        for cell, left, share in zip(row, places, cells.widths, strict=True):
            yield from _cell(cell, left, index, unit * share, look)


def _cell(cell: Cell, left: float, index: int, wide: float, look: PlotStyle) -> Iterator[Item]:
    """Draw one cell: its words on a shade that says the same; framed where it stands out."""
    style = look.style
    x, y, right, low = left + GAP, ROW * index + GAP, left + wide - GAP, ROW * (index + 1) - GAP
    opacity = 0.04 + 0.8 * cell.shade
    yield Rectangle(x=x, y=y, width=right - x, height=low - y, fill=style.accuracy, opacity=opacity)
    if cell.framed:
        yield Path(points=((x, y), (right, y), (right, low), (x, low), (x, y)), stroke=style.privacy, width=1.5)
    ink = style.ground if cell.shade > DEEP else style.quiet if cell.quiet else style.ink
    yield _text(cell.words, left, index, wide, ink, "middle")


def _text(words: str, left: float, index: int, wide: float, fill: str, anchor: Anchor) -> Text:
    x = left + wide / 2 if anchor == "middle" else left
    y = ROW * (index + 0.5) + DROP
    return Text(x=x, y=y, text=fitted(words, wide, SIZE), size=SIZE, fill=fill, anchor=anchor)
