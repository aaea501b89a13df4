"""The privacy losses of a release, of the tables that use each attribute, and of those finer than each level."""

from __future__ import annotations

from collections.abc import Sequence

from dpwizard.charts.axis_chart import strokes
from dpwizard.charts.charts import Chart, Drawing, Figure, Role, even, listing
from dpwizard.decision import Accounting, Assessment, Decision
from dpwizard.wording import format_text, number, word

THICK = 10.0  # of a bar, in points
MOST = 12  # bars drawn; the table has all


def drawing(decision: Decision, assessment: Assessment) -> Drawing | None:
    """Return what to draw of DECISION; None without named attributes or levels, or without a chosen budget."""
    accounting = assessment.accounting
    whole = _total_loss(accounting)
    if whole is None or not (accounting.by_attribute or accounting.within_level):
        return None
    rows = [
        tuple((name, size) for name, accounted in group if (size := _total_loss(accounted)) is not None)
        for group in (accounting.by_attribute, accounting.within_level)
    ]
    return Drawing.of(
        figure,
        whole=whole,
        attributes=tuple(sorted(rows[0], key=lambda row: -row[1])),
        levels=rows[1],
        replaced=decision.release.neighbours == "replace",
        in_rho=accounting.epsilon is None,
    )


def _total_loss(accounting: Accounting) -> float | None:
    return accounting.rho if accounting.epsilon is None else accounting.epsilon


def figure(
    whole: float,
    attributes: Sequence[tuple[str, float]],
    levels: Sequence[tuple[str, float]],
    replaced: bool,
    in_rho: bool,
) -> Figure:
    """Return a bar for the whole release, one for each attribute, and one for a move within each level."""
    named = [("whole", word("losses", "whole"), whole)]
    named += [("attribute", format_text("losses", "attribute", {"name": name}), size) for name, size in attributes]
    named += [("level", format_text("losses", "level", {"name": name}), size) for name, size in levels if size > 0.0]
    drawn = named[:MOST]
    axis = word("losses", "rho" if in_rho else "epsilon")
    x = even(axis, 1.04 * max(whole, 1e-9), way="need")
    roles: dict[str, Role] = {"whole": "privacy", "attribute": "accuracy", "level": "quiet"}
    lines = tuple(
        strokes((0.0, size), (-float(at),) * 2, roles[kind], THICK, name=name)
        for at, (kind, name, size) in enumerate(drawn)
    )
    y = listing([f"{name}: {number(size)}" for _, name, size in drawn])
    asides = [word("losses", "replaced" if replaced else "added")]
    asides += [format_text("losses", "more", {"count": len(named) - MOST})] if len(named) > MOST else []
    most = max(attributes, key=lambda row: row[1], default=None)
    figures = {"name": most[0], "size": most[1], "whole": whole} if most else {"whole": whole}
    return Figure(
        title=word("losses", "title"),
        sentence=format_text("losses", "most" if most else "levels_only", figures),
        plots=(Chart(x=x, y=y, lines=lines),),
        asides=tuple(asides),
        columns=(word("losses", "of"), axis),
        rows=tuple((name, number(size)) for _, name, size in named),
    )
