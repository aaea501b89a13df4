"""Tables of shaded cells as scenes: chances of small counts, and made-up counts as they could be published."""

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

ROW, HEAD, GAP = 24.0, 72.0, 1.0  # height of a row, width of the first column, space between cells
HEAD_SHARE = 0.2  # largest share of the width for the first column
SIZE = 12.0  # of the font
DROP = 4.5  # from the middle of a row to its baseline
DEEP = 0.8  # darker cells have words in the colour of the background
RARE = 10  # tenths of 1 in 100; smaller chances are grey
DEEPEST = 707  # tenths of 1 in 100 at which a cell has its full colour
MOST_ROWS, MOST_COLUMNS = 4, 4  # of the table with made-up counts
MADE_UP = (3, 0, 7, 1, 12, 2, 5, 0, 9, 4, 1, 6, 0, 2, 15, 8, 3, 1, 0, 5, 11, 2, 4, 7)


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One cell; the words of a quiet one are grey."""

    words: str
    shade: float  # in [0, 1]
    quiet: bool = False
    framed: bool = False


@dataclass(frozen=True, kw_only=True)
class Cells:
    """A table of cells; widths are relative, without the first column."""

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
        """Return the height of the table in points."""
        return ROW * (len(self.rows) + 2)

    @property
    def alternative(self) -> str:
        """Return the alternative text: all cells."""
        rows = zip(self.heads, self.rows, strict=True)
        return "; ".join(f"{head}: {', '.join(cell.words for cell in row)}" for head, row in rows)


def chances(rows: Sequence[tuple[int, Sequence[int]]], watched: int, decision: Decision) -> Cells:
    """Return a table of the chances of published counts, by true count.

    ROWS: true counts, each with its chances in tenths of 1 in 100; the last is that of this count or more. WATCHED: the
    cells of the first row are framed from this count on.
    """
    last = len(rows[0][1]) - 1
    least = "0" if "clamping" in decision.release.post_processing else word("cells", "least")
    cells = [
        tuple(
            Cell(
                words=digits(f"{chance / 10:.1f}"),
                shade=min(1.0, chance / DEEPEST) ** 0.6,
                quiet=chance < RARE,
                framed=index == 0 and count >= watched,
            )
            for count, chance in enumerate(tenths)
        )
        for index, (_, tenths) in enumerate(rows)
    ]
    return Cells(
        title=word("cells", "chances"),
        above=word("cells", "published_as"),
        corner=word("cells", "truth"),
        columns=(least, *map(str, range(1, last)), format_text("cells", "or_more", {"count": str(last)})),
        widths=(1.0,) * last + (1.8,),
        heads=tuple(str(truth) for truth, _ in rows),
        rows=tuple(cells),
    )


def noisy_counts(decision: Decision, read: SumsInputs, counts: Sequence[int], seed: int) -> Cells:
    """Return made-up COUNTS as they could be published, with noise drawn from SEED: equal seeds give equal noise.

    COUNTS repeat if the table has more cells. Real counts must not be used here: the noise is not secret.
    """
    noise = read.setting.noise_at(read.budget)
    assert noise is not None
    down, across, names = _table_shape(decision)
    clamped = "clamping" in decision.release.post_processing
    half_width = noise.interval(sums.LEVEL).half_width
    cells = []
    for at in range(down * across):
        truth, (chance, sign) = counts[at % len(counts)], _seeded_uniform(seed, at)
        noisy = truth + sign * noise.interval(chance).half_width  # chance is random, and so is the error
        published = max(0.0, noisy) if clamped else noisy
        distance = abs(published - truth)
        words = format_text("cells", "published_and_true", {"published": published, "truth": truth})
        shade = min(1.0, distance / (2.0 * half_width)) if half_width else 0.0
        cells.append(Cell(words=words, shade=shade, framed=distance > half_width))
    within = sum(not cell.framed for cell in cells)
    values = {"within": str(within), "count": str(len(cells)), "half": half_width}
    return Cells(
        title=word("cells", "made_up"),
        above=word("cells", "published_true"),
        corner=names[0],
        columns=tuple(f"{names[1]} {column + 1}".strip() for column in range(across)),
        widths=(1.0,) * across,
        heads=tuple(str(row + 1) for row in range(down)),
        rows=tuple(tuple(cells[at : at + across]) for at in range(0, len(cells), across)),
        sentence=format_text("cells", "this_draw", values),
    )


def _table_shape(decision: Decision) -> tuple[int, int, tuple[str, str]]:
    """Return the numbers of rows and columns to draw, and their names."""
    divisions = [division for division in decision.release.divisions if division.parts and division.parts > 1]
    count = decision.release.tables[0].dimension
    if len(divisions) < 2:
        return min(count, MOST_ROWS), 1, (divisions[0].name or "" if divisions else "", "")
    rows, columns = divisions[:2]
    names = (rows.name or "", columns.name or "")
    return min(rows.parts or 1, MOST_ROWS), min(columns.parts or 1, MOST_COLUMNS), names


def _seeded_uniform(seed: int, at: int) -> tuple[float, float]:
    """Return a number in (0, 1) and a sign for cell AT; equal seeds give equal results on every computer."""
    digest = hashlib.sha256(f"{seed}:{at}".encode()).digest()
    return (int.from_bytes(digest[:6], "big") + 0.5) / 2.0**48, 1.0 if digest[6] % 2 else -1.0


def scene(cells: Cells, look: PlotStyle) -> Scene:
    """Return CELLS drawn as wide as LOOK says."""
    items = tuple(_table_items(cells, look))
    return Scene(width=look.width, height=cells.height, items=items, title=cells.title, alternative=cells.alternative)


def _table_items(cells: Cells, look: PlotStyle) -> Iterator[Item]:
    first = min(HEAD, HEAD_SHARE * look.width)
    unit = (look.width - first) / sum(cells.widths)
    places = [first + unit * sum(cells.widths[:at]) for at in range(len(cells.widths))]
    style = look.style
    yield _row_text(cells.above, first, 0, look.width - first, style.quiet, "start")
    yield _row_text(cells.corner, 0.0, 1, first, style.quiet, "start")
    for words, left, share in zip(cells.columns, places, cells.widths, strict=True):
        yield _row_text(words, left, 1, unit * share, style.quiet, "middle")
    for index, (head, row) in enumerate(zip(cells.heads, cells.rows, strict=True), 2):
        yield _row_text(head, 0.0, index, first, style.ink, "start")
        for cell, left, share in zip(row, places, cells.widths, strict=True):
            yield from _cell_items(cell, left, index, unit * share, look)


def _cell_items(cell: Cell, left: float, index: int, width: float, look: PlotStyle) -> Iterator[Item]:
    style = look.style
    x, y, right, bottom = left + GAP, ROW * index + GAP, left + width - GAP, ROW * (index + 1) - GAP
    opacity = 0.04 + 0.8 * cell.shade
    yield Rectangle(x=x, y=y, width=right - x, height=bottom - y, fill=style.accuracy, opacity=opacity)
    if cell.framed:
        yield Path(points=((x, y), (right, y), (right, bottom), (x, bottom), (x, y)), stroke=style.privacy, width=1.5)
    ink = style.ground if cell.shade > DEEP else style.quiet if cell.quiet else style.ink
    yield _row_text(cell.words, left, index, width, ink, "middle")


def _row_text(words: str, left: float, index: int, width: float, fill: str, anchor: Anchor) -> Text:
    x = left + width / 2 if anchor == "middle" else left
    y = ROW * (index + 0.5) + DROP
    return Text(x=x, y=y, text=fitted(words, width, SIZE), size=SIZE, fill=fill, anchor=anchor)
