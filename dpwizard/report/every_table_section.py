"""The section on every table of a release of several: its share, its noise, its needs, and whether they are kept."""

from __future__ import annotations

from collections.abc import Iterator

from dpwizard.charts import every_table
from dpwizard.report import versions
from dpwizard.report.blocks import Block, Paragraph, Table
from dpwizard.report.reading import Content
from dpwizard.report.release_sections import head

SHOWN = ("table", "share", "noise", "interval", "need", "gives", "kept")
WIDTHS = (1.9, 0.8, 0.8, 0.9, 2.4, 0.9, 1.1)


def every_table_section(found: Content) -> Iterator[Block]:
    """Yield a line for each need of each table, the tightest first; nothing where there is one table.

    A need that this edition leaves out is not in it, and it says so.
    """
    release = found.decision.release
    if len(release.tables) < 2 or not versions.prints("every_table"):
        return
    known = [pair for pair in zip(found.decision.requirements, found.answers, strict=True) if not pair[1].withheld]
    rows = every_table.rows(release, found.epsilon, known)
    yield head(found, "every_table")
    yield Paragraph(text=every_table.summary(rows, found.epsilon))
    if len(known) < len(found.answers):
        yield Paragraph(text=found.words("edition", "some_needs"), style="quiet")
    places = [every_table.COLUMNS.index(key) for key in SHOWN]
    headings = dict(zip(every_table.COLUMNS, every_table.headings(), strict=True))
    headings["noise"] = found.words("accuracy", "noise")  # the caption says what of it
    yield Table(
        columns=tuple(headings[key] for key in SHOWN),
        rows=tuple(tuple(line[at] for at in places) for line in every_table.lines(rows)),
        widths=WIDTHS,
        numbers=tuple(at for at, key in enumerate(SHOWN) if key in every_table.NUMBERS),
        caption=found.words("accuracy", "every_table"),
    )
