"""The same release with noise of the other kind: Gaussian noise for noise with a largest loss, or the other way round.

The two kinds read a table's sensitivity in different norms. What the other norm may be is taken on the safe side from
what is stated: |x|_2 <= |x|_1 <= sqrt(n) |x|_2 for a change x of n numbers, and a unit with k rows changes a histogram
by at most k in either norm, or, replaced, by 2 k in L1 and sqrt(2) k in L2.
"""

from __future__ import annotations

import math
from typing import Any

from dpwizard.base.numerics import up
from dpwizard.decision.release import Release
from dpwizard.decision.tables import WHOLE, NeighbouringRelation, Table
from dpwizard.privacy.mechanisms import MechanismName


def with_other_noise(release: Release) -> Release | None:
    """Return RELEASE with the noise of each table exchanged for the other kind; None where no table has noise.

    Its sensitivities are never below the true ones. A Gaussian release that comes of it states no delta.
    """
    changed = {table.place: _changed(table) for table in release.tables if table.noise.one is not None}
    if not any(changed.values()):
        return None
    parts = tuple(
        part.model_copy(update=changed.get(f"{WHOLE}.parts[{index}]", {})) for index, part in enumerate(release.parts)
    )
    return release.model_copy(update={**changed.get(WHOLE, {}), "parts": parts, "delta": None})


def _changed(table: Table) -> dict[str, Any]:
    noise = table.noise.one.noise if table.noise.one is not None else None
    if noise is None or table.neighbours is None:
        return {}
    other: NeighbouringRelation = "add_remove" if table.neighbours == "replace" else "replace"
    mechanism: MechanismName = noise.rival
    return {
        "mechanism": mechanism,
        "sensitivity": _in_other_norm(table, table.sensitivity, table.neighbours),
        "sensitivity_other": _in_other_norm(table, table.sensitivity_other, other),
        "effects": None,  # they are stated in the norm of the noise, too
    }


def _in_other_norm(table: Table, stated: float | None, relation: NeighbouringRelation) -> float | None:
    """Return an upper bound on how far a unit moves TABLE in the other norm, from the bound STATED in its own."""
    if stated is None or table.dimension == 1:
        return stated
    rows = float(table.contributions)
    replaced = relation == "replace"
    most = 2.0 * rows if replaced else rows  # in L1, of a histogram
    counted = table.statistic == "histogram"
    if table.noise.uses_l2:
        wide = up(math.sqrt(table.dimension) * stated, 2)
        return min(wide, most) if counted and stated <= most else wide
    # the rows that leave their cells and those that come to others lie at right angles, or closer
    return up(math.sqrt(2.0) * rows, 1) if counted and replaced and stated == most else stated
