"""What the first two pages of a record print of one table, computed once, when the record is made.

Every number has six digits, rounded to the careful side: what may happen, and how far off numbers are, upwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import ROUND_CEILING
from fractions import Fraction

from dpwizard.base.numerics import significant
from dpwizard.decision import AddedNoise, Assessment, Decision, TableSum, added_noises, sums_of, table_sums
from dpwizard.decision.requirements import NoiseInterval
from dpwizard.privacy.accuracy import SumNoise
from dpwizard.records.drawn import Front, SumWidth, Weighed
from dpwizard.wording import general_promise, plain_sentences

DIGITS = 6
LEVEL = 0.95  # of what one gets where nobody asked
SHOWN_AS = 3  # or more: as which a true 0 is looked at
MOST_CELLS = 100_000  # of a sum that is added up


def front(decision: Decision, assessment: Assessment) -> Front | None:
    """Return what the first pages say of DECISION, its shares allotted; None without a budget, or of several tables."""
    release, chosen = decision.release, decision.chosen
    if chosen is None or len(release.tables) > 1:
        return None
    measured, level = _measured(decision, assessment)
    noise = _noise(decision, chosen)
    return Front(
        sums=tuple(_sums(decision, noise)) if noise is not None else (),
        zero=_zero(decision, noise),
        weighed=tuple(_weighed(decision, assessment, measured, level)),
        measured=_read_alone(decision).index(measured),
    )


def _noise(decision: Decision, budget: float) -> AddedNoise | None:
    """Return the noise on each number at BUDGET; None where there is none, or where it changes as numbers add up."""
    release = decision.release
    if release.tables[0].name in sums_of(release).of:
        return None
    return next(iter(added_noises(release, budget)), None)


def _up(value: float) -> float:
    return value if math.isinf(value) else float(significant(value, DIGITS, ROUND_CEILING))


def _sums(decision: Decision, noise: AddedNoise) -> Iterator[SumWidth]:
    """Yield how far off each count is, and each total that readers read one by one."""
    for one in _read_alone(decision):
        half_width = _half_width(noise, one, LEVEL)
        yield SumWidth(which=one.which, division=one.division, cells=one.cells, sums=one.sums, half_width=half_width)


def _read_alone(decision: Decision) -> tuple[TableSum, ...]:
    """Return the counts that readers read one by one, and the totals where they have the noise of sums."""
    release, done = decision.release, decision.release.post_processing
    summed = "consistency" not in done and ("clamping" not in done or release.totals_printed)
    return tuple(one for one in table_sums(release) if not one.at_once and (summed or one.cells == 1))


def _half_width(noise: AddedNoise, one: TableSum, level: float) -> float | None:
    """Return the least half-width that holds LEVEL of the noise of ONE, in the unit of the figures."""
    if one.cells > MOST_CELLS:
        return None
    each = noise.on_one
    total = SumNoise(**vars(each), cells=one.cells)
    found = (each if one.cells == 1 else total).interval(level).half_width
    return None if math.isinf(found) else _up(noise.step * found)


def _zero(decision: Decision, noise: AddedNoise | None) -> float | None:
    """Return the chance that a true 0 is published as SHOWN_AS or more; None where no counts are published."""
    if noise is None or not noise.noise.on_lattice or noise.step != 1.0:
        return None
    if decision.release.tables[0].statistic not in ("count", "histogram"):
        return None
    return _up(noise.on_one.reaching(Fraction(SHOWN_AS)))


def _weighed(decision: Decision, assessment: Assessment, one: TableSum, level: float) -> Iterator[Weighed]:
    """Yield the ends of the allowed range and the choice, the smallest first, with how far off ONE is at LEVEL."""
    window, chosen = assessment.window, assessment.epsilon
    ends = {"lower": window.lower if window.binds_lower is not None else None, "chosen": chosen}
    ends["upper"] = window.upper if window.binds_upper is not None else None
    for option, epsilon in sorted(ends.items(), key=lambda item: item[1] or 0.0):
        if not epsilon or (option != "chosen" and math.isclose(epsilon, chosen or 0.0, rel_tol=1e-9)):
            continue
        other = decision.model_copy(update={"epsilon": epsilon, "rho": None})
        loss = plain_sentences.loss_given_others(other)
        guesses = None if loss is None else general_promise.two_worlds(loss)
        noise = _noise(decision, epsilon)
        yield Weighed(
            option=option,
            epsilon=epsilon,
            seen=None if guesses is None else guesses.seen,
            out_of=None if guesses is None else guesses.out_of,
            half_width=None if noise is None else _half_width(noise, one, level),
        )


def _measured(decision: Decision, assessment: Assessment) -> tuple[TableSum, float]:
    """Return the numbers whose need sets the lower end, else each number, and how often their half-width holds."""
    lower = assessment.window.binds_lower
    need = None if lower is None else decision.requirements[lower]
    known = _read_alone(decision)
    if isinstance(need, NoiseInterval) and need.level is not None:
        asked = next((one for one in known if one.is_asked_by(need)), None)
        if asked is not None:
            return asked, need.level
    return known[0], LEVEL
