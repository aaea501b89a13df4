"""Tables of many rows, told shortly: what is the same in every row is said once, above the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpwizard.questions import names_in_short
from dpwizard.report.blocks import Block, Pairs, Paragraph, Table
from dpwizard.report.content import Content
from dpwizard.report.values import cut_printed
from dpwizard.wording import listed, whole

WIDEST = 1.0  # of a column's texts beside the widest, its share of the width at most
LEAST = 0.35
FEW_NAMES = 2  # tables of which the same is true, that are named


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
    yield Table(
        columns=tuple(columns[at] for at in kept),
        rows=tuple(tuple(row[at] for at in kept) for row in rows),
        widths=_widths(columns, rows, kept),
        numbers=tuple(kept.index(at) for at in numbers if at in kept),
    )


def _widths(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...], kept: list[int]) -> tuple[float, ...]:
    """Return shares of the width in proportion to the longest line of each column, within bounds."""
    longest = [
        max(len(line) for text in (columns[at], *(row[at] for row in rows)) for line in text.split("\n")) for at in kept
    ]
    return tuple(max(LEAST, WIDEST * size / max(longest)) for size in longest)


def widths(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> tuple[float, ...]:
    """Return shares of the width for a short table: a heading may stand in several lines, its longest word in one."""
    longest = [
        max(*(len(word) for word in heading.split()), *(len(line) for row in rows for line in row[at].split("\n")))
        for at, heading in enumerate(columns)
    ]
    return tuple(max(LEAST, size / max(longest)) for size in longest)


def names_briefly(names: Sequence[str], found: Content, longest: int | None = None) -> str:
    """Return the NAMES of tables of which the same is true, in short: both, or the first and how many more.

    Each name that is longer than LONGEST characters is cut.
    """
    called = found.names.of_all(names)
    called = called if longest is None else tuple(cut_printed(name, longest) for name in called)
    if len(called) <= FEW_NAMES:
        return listed(called)
    return found.words("noise_sheet", "and_more", names=called[0], count=whole(len(called) - 1))


def and_more(count: int, found: Content) -> Iterator[Block]:
    """Yield that COUNT more are not printed, where there are any."""
    if count > 0:
        yield Paragraph(text=found.words("results", "and_more", count=whole(count)), style="quiet")
