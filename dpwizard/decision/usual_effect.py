"""How far one's own value moves the figure, where the release says it: a sum as far as the value, a mean one nth."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpwizard.base.numerics import decimal
from dpwizard.base.numerics import up as larger
from dpwizard.decision.reasons import Reason
from dpwizard.decision.release import Release


@dataclass(frozen=True, kw_only=True)
class UsualEffect:
    """How far the figure moves when one's own value moves by 1, why, and whether the release states all it rests on."""

    effect: float
    why: Reason
    stated: bool


def usual_effect(release: Release) -> UsualEffect | None:
    """Return how far the only number of RELEASE moves at most when the value of one unit moves by 1; None if unknown.

    Arguments: release, of one table with one number. Returns for a count or a sum the rows of one unit, for a mean
    under "replace" these over the number of records, which is the population where all of it is in the data. Where the
    release does not say that all of it is, or that a part is, the effect is only to be offered (`stated` is False):
    of fewer records it would be larger. **Never below the largest move**, the records being as many as said.
    Source: docs/methods/guessing_advantage.md.
    """
    table = release.tables[0]
    if len(release.tables) > 1 or table.dimension != 1 or table.noise.absent:
        return None
    rows = table.contributions
    if table.statistic in ("count", "sum"):
        return UsualEffect(effect=float(rows), why=_why(table.statistic, rows), stated=True)
    if table.statistic != "mean" or release.neighbours != "replace" or not release.population:
        return None
    fraction = release.sampling_fraction
    records = int(release.population * decimal(1.0 if fraction is None else fraction))
    if records < rows:
        return None
    exact = Fraction(rows, records)
    effect = float(exact)
    if decimal(effect) < exact:
        effect = larger(effect, 1)
    return UsualEffect(effect=effect, why=_why("mean", rows, records), stated=fraction == 1.0)


def _why(statistic: str, rows: int, records: int = 0) -> Reason:
    key = f"{statistic}_{'row' if rows == 1 else 'rows'}"
    return Reason(key=key, values={"rows": rows, "records": records})
