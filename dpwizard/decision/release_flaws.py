"""The assumptions of every privacy requirement on a release, and the flaws that invalidate all of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from dpwizard.base.numerics import decimal, up
from dpwizard.decision.reasons import Check, Reason
from dpwizard.decision.release import Release
from dpwizard.decision.tables import Table
from dpwizard.privacy.mechanisms import mechanisms_named

NOT_ONE_CURATOR = "not_one_curator"  # with this flaw no requirement applies, of privacy or of accuracy
SLACK = 1e-12  # relative: sensitivities that differ by less are equal


def flaws(release: Release) -> tuple[Reason, ...]:
    """Return the flaws with which no privacy requirement on RELEASE can hold, such as contradicting sensitivities."""
    local_noise = Reason(key=NOT_ONE_CURATOR, where="$.release.trust_model", check="tables")
    return release.cached(
        "flaws",
        lambda: (
            *(() if is_central_model(release) else (local_noise,)),
            *_fractions_under_whole_noise(release),
            *_histograms_below_contributions(release),
            *_parts_above_release(release),
            *_replacing_below_leaving(release),
        ),
    )


def is_central_model(release: Release) -> bool:
    """Return whether noise is added to the figures, by one curator or several, not to each record on its device."""
    return release.trust_model not in ("local", "shuffle")


def assumed(release: Release) -> tuple[str, ...]:
    """Return the keys of the assumptions of every privacy requirement on RELEASE."""
    return release.cached("assumed", lambda: _find_assumed(release))


def _find_assumed(release: Release) -> tuple[str, ...]:
    tables, rows = release.tables, release.rows
    bins = [table for table in tables if table.statistic == "histogram"]
    # under replace all rows of a unit may change cells: c rows are removed from cells, c rows added to others
    stay = any(table.dimension > 1 and table.replace_below(2 * table.contributions) for table in bins)
    holds_for = {
        "whole_numbers": any(table.noise.integer_valued and table.statistic == "vector" for table in tables),
        "counts_units_once": bool(counts_below_contributions(release)),
        "contributions_over_tables": any(
            not (table.has_own_contributions or table.only) and table.below(rows) for table in bins
        ),
        "stays_in_its_cells": stay,
        "exact_figures_elsewhere": bool((release.published_elsewhere or "").strip()),
        "several_keep_apart": release.trust_model == "several",
        "own_year": release.at_most_years is not None and len(release.histories.years) > release.at_most_years,
    }
    return tuple(key for key, holds in holds_for.items() if holds)


def counts_below_contributions(release: Release) -> tuple[tuple[str, float, int], ...]:
    """Return path, sensitivity and rows of each count whose sensitivity is below a unit's rows: it counts units."""
    low = (t for t in release.tables if t.statistic == "count" and t.least() < t.contributions)
    return tuple((f"{table.place}.sensitivity", table.least(), table.contributions) for table in low)


def below_steps(release: Release) -> Iterator[Reason]:
    """Yield a flaw for each sensitivity below the smallest possible change of its table."""
    for table in release.tables:
        grain = table.grain()
        if grain is not None and any(decimal(figure) < decimal(grain) for figure in table.figures()):
            yield _flaw(table, "sensitivity", "sensitivity_below_step", sensitivity=table.least(), step=grain)


def amplified(release: Release, epsilon: float) -> float | None:
    """Return EPSILON amplified by sampling, rounded up; None if sampling does not strengthen it.

    Holds if each unit is drawn independently (add_remove), or a fixed number without replacement (replace), and if the
    sample stays secret: log(1 + fraction (e^epsilon - 1)). No limit relies on it. Source: Balle, Barthe & Gaboardi
    2018, Theorems 8 and 9.
    """
    if not release.sample_secret or not release.sampling_fraction or release.counted_in == "rho":
        return None
    if release.noise.absent or release.exact or flaws(release):
        return None  # no privacy requirement holds
    if epsilon > 700.0:
        return epsilon
    return up(min(epsilon, math.log1p(release.sampling_fraction * math.expm1(epsilon))), 4)


def _flaw(table: Table, field: str, key: str, *, check: Check = "tables", **figures: Any) -> Reason:
    where = f"{table.place}.{field}"
    values = {**figures, "tables": (table.name,) if table.name else (), "field": where}
    return Reason(key=key, values=values, where=where, check=check)


def _fractions_under_whole_noise(release: Release) -> Iterator[Reason]:
    """Yield the tables that may hold fractions under integer-valued noise, which does not hide fractions."""
    for table in release.tables:
        whole = table.step is not None and table.step.is_integer()
        if table.noise.integer_valued and (table.statistic == "mean" or (table.statistic == "sum" and not whole)):
            field = "mechanism" if table.statistic == "mean" else "step"
            yield _flaw(table, field, "whole_numbers", check="whole_numbers")


def _histograms_below_contributions(release: Release) -> Iterator[Reason]:
    """Yield the sensitivities of histograms that contradict a unit's contributions.

    A table's own contributions are all in it. Those of the release may be in any table: they contradict the
    sensitivities if all tables are histograms with bounded noise, and the sensitivities have a smaller sum.
    """
    tables, rows = release.tables, release.rows
    bins = [table for table in tables if table.statistic == "histogram"]
    added_up = all(not table.noise.uses_l2 and table.figures() for table in tables)
    together = added_up and len(bins) == len(tables) and sum(decimal(table.least()) for table in tables) < rows
    for table in bins:
        if (table.has_own_contributions or table.only or together) and table.below(table.contributions):
            least, most = table.least(), table.contributions
            yield _flaw(table, "sensitivity", "histogram_below_contributions", sensitivity=least, contributions=most)


def _parts_above_release(release: Release) -> Iterator[Reason]:
    """Yield the sensitivities above that of the whole release, in one norm: L2 under Gaussian noise, else L1.

    If the norm of the release is unknown, because tables have noise of either kind, a table's L1 sensitivity is at most
    sqrt(dimension) times that of the release.
    """
    tables = release.tables
    one_distance = not mechanisms_named((release.mechanism, *(table.mechanism for table in tables))).uses_l2
    for name in ("sensitivity", "sensitivity_other"):
        whole = getattr(release, name)
        for table in tables if whole is not None else ():
            stated = getattr(table, name)
            norm_ratio = 1.0 if one_distance or table.noise.uses_l2 else math.sqrt(table.dimension)
            if stated is not None and stated > whole * norm_ratio * (1 + SLACK):
                yield _flaw(table, name, "part_above_release", sensitivity=stated, whole=whole)


def _replacing_below_leaving(release: Release) -> Iterator[Reason]:
    """Yield the sensitivities under replace that are below the change when a unit leaves the table.

    A replaced unit may leave a table for a disjoint one, or be in the table's year in one dataset only. Either changes
    the table like a removal.
    """
    if release.neighbours != "replace":
        return
    for table, ways in ((table, part.ways) for part in release.histories.components for table in part.tables):
        moves = table.moves or (table.moves is None and "leaves" in ways)
        replaced, added = table.sensitivity, table.sensitivity_other
        if replaced is None or added is None or not (moves or "absent" in ways):
            continue
        if replaced < added * (1 - SLACK):
            yield _flaw(table, "sensitivity", "sensitivity_below_leaving", sensitivity=replaced, other=added)
