"""The section on every table of a release of several: its share, its noise, its needs, and whether they are kept."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dpwizard.charts import every_table
from dpwizard.records import drawn
from dpwizard.report.blocks import Block, Paragraph, Table
from dpwizard.report.content import Content
from dpwizard.report.release_sections import head
from dpwizard.wording import whole

SHOWN = ("table", "share", "noise", "interval", "need", "gives", "kept")
WIDTHS = (1.9, 0.8, 0.8, 0.9, 2.4, 0.9, 1.1)
FEW = 12  # lines in the body, the tightest; the annex has all of them


def every_table_section(found: Content) -> Iterator[Block]:
    """Yield a line for each need of each table, the tightest first; nothing where there is one table.

    The annex lists many tables.
    """
    lines = _lines(found)
    if not lines:
        return
    words = found.words
    yield head(found, "every_table")
    yield Paragraph(text=every_table.summary(_rows(found), found.epsilon))
    shown = lines[:FEW]
    yield _table(shown, found, caption=words("accuracy", "every_table"))
    if len(shown) < len(lines):
        rest = whole(len(lines) - len(shown))
        yield Paragraph(text=words("accuracy", "more_tables", count=rest), style="quiet")


def every_table_in_full(found: Content) -> Iterator[Block]:
    """Yield all lines of the section, for the annex, where the body shows the tightest alone.

    Where no table has a need, nothing: the section on the noise to add has a line for each table, and what is left.
    """
    lines = _lines(found)
    if len(lines) > FEW and not noise_within(found):
        yield head(found, "every_table")
        yield _table(lines, found)


def noise_within(found: Content) -> dict[str, str]:
    """Return by table, where there are many and none has a need, what holds 95 in 100 of its noise; else nothing."""
    lines = _lines(found)
    table, need, interval = (every_table.COLUMNS.index(key) for key in ("table", "need", "interval"))
    if len(lines) <= FEW or any(line[need] for line in lines):
        return {}
    return {line[table]: line[interval] for line in lines}


def _rows(found: Content) -> tuple[every_table.Row, ...]:
    asked = zip(found.decision.requirements, found.answers, strict=True)
    return every_table.rows_of([_figures(one) for one in found.record.drawn.tables], found.epsilon, asked)


def _figures(one: drawn.TableFigures) -> every_table.Figures:
    exact, known = one.state == "exact", one.state == "known"
    return every_table.Figures(
        name=one.name,
        share=one.share,
        own=math.inf if exact else one.own,
        own_in=one.own_in,
        sd=math.inf if known and one.sd is None else one.sd,
        half_width=math.inf if known and one.half_width is None else one.half_width,
    )


def _lines(found: Content) -> tuple[tuple[str, ...], ...]:
    return every_table.brief_lines(_rows(found)) if found.record.drawn.tables else ()


def _table(lines: tuple[tuple[str, ...], ...], found: Content, caption: str = "") -> Table:
    places = {key: every_table.COLUMNS.index(key) for key in SHOWN}
    headings = dict(zip(every_table.COLUMNS, every_table.headings(), strict=True))
    headings["noise"] = found.words("accuracy", "noise")  # the caption says what of it
    # a column that says nothing takes no room
    kept = [key for key in SHOWN if key == "table" or any(line[places[key]] for line in lines)]
    return Table(
        columns=tuple(headings[key] for key in kept),
        rows=tuple(tuple(line[places[key]] for key in kept) for line in lines),
        widths=tuple(WIDTHS[SHOWN.index(key)] for key in kept),
        numbers=tuple(at for at, key in enumerate(kept) if key in every_table.NUMBERS),
        caption=caption,
    )
