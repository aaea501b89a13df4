"""Shortening tables of many rows: equal columns are printed once, above the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dpwizard.questions import names_in_short
from dpwizard.report.blocks import Block, Pairs, Paragraph, Table
from dpwizard.report.content import Content
from dpwizard.report.values import cut_printed
from dpwizard.wording import listed, whole

NARROWEST = 0.35  # width of the narrowest column, in widest ones
FEW_NAMES = 2  # tables named in full
MOST_ROWS = 100  # printed; the JSON file has all


def are_many(rows: Sequence[object]) -> bool:
    """Return whether ROWS are so many that their table is shortened."""
    return len(rows) > names_in_short.MANY


def common_and_differing(
    columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...], numbers: tuple[int, ...]
) -> Iterator[Block]:
    """Yield columns with equal cells as pairs, without empty ones, and the table of the others and the first column."""
    common = [at for at in range(1, len(columns)) if len({row[at] for row in rows}) == 1]
    if pairs := tuple((columns[at], rows[0][at]) for at in common if rows[0][at] not in ("", "–")):
        yield Pairs(rows=pairs)
    kept = [at for at in range(len(columns)) if at not in common]
    headings = tuple(columns[at] for at in kept)
    cells = tuple(tuple(row[at] for at in kept) for row in rows)
    yield Table(
        columns=headings,
        rows=cells,
        widths=widths(headings, cells, str.splitlines),
        numbers=tuple(kept.index(at) for at in numbers if at in kept),
    )


def widths(
    headings: tuple[str, ...], rows: tuple[tuple[str, ...], ...], unbroken: Callable[[str], list[str]] = str.split
) -> tuple[float, ...]:
    """Return shares of the width, by the longest line of each column and the longest UNBROKEN part of its heading."""
    columns = zip(headings, zip(*rows, strict=True), strict=True)
    pieces = (
        [*unbroken(heading), *(line for cell in cells for line in cell.split("\n"))] for heading, cells in columns
    )
    longest = [max(map(len, texts)) for texts in pieces]
    return tuple(max(NARROWEST, size / max(longest)) for size in longest)


def names_briefly(names: Sequence[str], report: Content, longest: int | None = None) -> str:
    """Return the NAMES of tables as a short list: two, or the first and the number of the others.

    Names are cut to LONGEST characters.
    """
    called = report.names.of_all(names)
    called = called if longest is None else tuple(cut_printed(name, longest) for name in called)
    if len(called) <= FEW_NAMES:
        return listed(called)
    return report.words("noise_sheet", "and_more", names=called[0], count=whole(len(called) - 1))


def and_more(in_all: int, report: Content, printed: int = MOST_ROWS) -> Iterator[Block]:
    """Yield the number of rows IN ALL that are not PRINTED, if there are any."""
    if (count := in_all - printed) > 0:
        yield Paragraph(text=report.words("results", "and_more", count=whole(count)), style="quiet")
