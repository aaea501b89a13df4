"""Tables of many rows, told shortly: what is the same in every row is said once, above the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dpwizard.questions import names_in_short
from dpwizard.report.blocks import Block, Pairs, Paragraph, Table
from dpwizard.report.content import Content
from dpwizard.report.values import cut_printed
from dpwizard.wording import listed, whole

NARROWEST = 0.35  # of the widest column's share of the width
FEW_NAMES = 2  # tables of which the same is true, that are named
MOST_ROWS = 100  # that are printed; the JSON file holds them all


def are_many(rows: Sequence[object]) -> bool:
    """Return whether ROWS are so many that what they share is said once."""
    return len(rows) > names_in_short.MANY


def common_and_differing(
    columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...], numbers: tuple[int, ...]
) -> Iterator[Block]:
    """Yield what all ROWS have in common as pairs, and the table of what differs; the first column always stands.

    A column that says nothing in every row is left out.
    """
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
    """Return shares of the width: each column's longest line, or the longest piece of its heading that is UNBROKEN."""
    columns = zip(headings, zip(*rows, strict=True), strict=True)
    pieces = (
        [*unbroken(heading), *(line for cell in cells for line in cell.split("\n"))] for heading, cells in columns
    )
    longest = [max(map(len, texts)) for texts in pieces]
    return tuple(max(NARROWEST, size / max(longest)) for size in longest)


def names_briefly(names: Sequence[str], report: Content, longest: int | None = None) -> str:
    """Return the NAMES of tables of which the same is true, in short: both, or the first and how many more.

    Each name that is longer than LONGEST characters is cut.
    """
    called = report.names.of_all(names)
    called = called if longest is None else tuple(cut_printed(name, longest) for name in called)
    if len(called) <= FEW_NAMES:
        return listed(called)
    return report.words("noise_sheet", "and_more", names=called[0], count=whole(len(called) - 1))


def and_more(in_all: int, report: Content, printed: int = MOST_ROWS) -> Iterator[Block]:
    """Yield how many of so many IN ALL are not among those PRINTED, where any are."""
    if (count := in_all - printed) > 0:
        yield Paragraph(text=report.words("results", "and_more", count=whole(count)), style="quiet")
