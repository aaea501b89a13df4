"""What counts, and totals of them, come to at one budget: half-widths, the figure of one of them, small counts.

It takes milliseconds for each row: the window has it computed behind.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from dpwizard.base.numerics import decimal
from dpwizard.charts.charts import Axis, Band, Bars, Chart, Line, shares
from dpwizard.charts.curves import BARS
from dpwizard.charts.noise_chart import BAR, centred
from dpwizard.decision import (
    AccuracyInputs,
    Assessment,
    Decision,
    TableSum,
    asked_at,
    chance_of_one,
    published_setting,
    sums_read,
)
from dpwizard.decision.requirements import AllWithin, NoiseInterval
from dpwizard.privacy.accuracy import NumberNoise, SumNoise, bias_of_clamped_zero, published_as, to_tenths
from dpwizard.questions import sums
from dpwizard.wording import End, format_text, range_of

TRUTHS, LAST = (0, 1, 2, 3, 5), 6  # of small counts: true ones, and from where on published ones are one column
WATCHED = 3  # published as so many or more, a true 0 may make somebody act
ROOM = 1.4  # of the highest bar: for the words above it
POINTS = 81  # of a density


@dataclass(frozen=True, kw_only=True)
class SumsInputs:
    """What is read of a decision: its noise, the budget looked at, and the numbers followed."""

    setting: AccuracyInputs
    budget: float
    budget_printed: str
    rows: tuple[TableSum, ...]
    followed: TableSum
    level: float  # of the numbers followed
    half_width: float | None  # that is asked for; None: what the level comes to
    unit: str  # the key of what one number is called
    need: NoiseInterval | AllWithin | None = None  # the need of the numbers followed, with its own setting
    need_inputs: AccuracyInputs | None = None


@dataclass(frozen=True, kw_only=True)
class SmallCounts:
    """As what small true counts are published, in tenths of 1 in 100; and how often a true 0 is so many or more."""

    rows: tuple[tuple[int, tuple[int, ...]], ...]
    reaches: float  # the chance that a true 0 is published as WATCHED or more
    one_reaches: float  # the chance that one of all counts does, if all were 0


@dataclass(frozen=True, kw_only=True)
class SumsView:
    """What the noise at one budget comes to; half_widths in the order of the rows."""

    inputs: SumsInputs
    half_widths: tuple[float, ...]
    chart: Chart
    small: SmallCounts | None
    total: TableSum  # the first total there is
    too_high: float  # how much too high readers' own total is on average, where all its counts are 0


def budget_drawn(assessment: Assessment) -> End | None:
    """Return the budget to look at: the one chosen; else the safe end of the allowed range, as it is printed.

    The least that the needs allow is the safest; without needs it is the largest that the promises allow.
    """
    shown = range_of(assessment)
    found = shown.chosen or shown.lower or shown.upper
    return found if found is not None and found.value else None


def inputs(decision: Decision, assessment: Assessment, followed: TableSum | None = None) -> SumsInputs | None:
    """Return what is read of DECISION, about the numbers FOLLOWED; None where no noise or budget is known yet."""
    release = decision.planned.release
    setting, looked_at = published_setting(release, release.tables[0].name), budget_drawn(assessment)
    if isinstance(setting, tuple) or setting.noise is None or setting.in_steps:
        return None
    if looked_at is None or release.tables[1:]:
        return None
    if setting.added_up is not None:
        return None  # its sums do not have the noise of sums of independent numbers
    rows = sums_read(decision)
    chosen = (
        followed if followed in rows else next((one for one in rows if asked_at(decision, one) is not None), rows[0])
    )
    at = asked_at(decision, chosen)
    asked = None if at is None else decision.requirements[at]
    asked = asked if isinstance(asked, NoiseInterval | AllWithin) and not asked.missing() else None
    need_inputs = None if asked is None else asked.setting(release)
    return SumsInputs(
        setting=setting,
        budget=looked_at.value,
        budget_printed=looked_at.text,
        rows=rows,
        followed=chosen,
        level=getattr(asked, "level", None) or sums.LEVEL,
        half_width=getattr(asked, "half_width", None),
        unit=sums.unit_of(release),
        need=asked,
        need_inputs=need_inputs if isinstance(need_inputs, AccuracyInputs) else None,
    )


def view(read: SumsInputs) -> SumsView:
    """Return what the noise comes to of what was READ."""
    noise = read.setting.noise_at(read.budget)
    assert noise is not None
    widths = tuple(
        _half_width(_of_sum(noise, one.cells), one.sums if one.at_once else 1, sums.LEVEL) for one in read.rows
    )
    whole = noise.noise.integer_valued
    total = next((one for one in read.rows if one.cells > 1), read.rows[0])
    return SumsView(
        inputs=read,
        half_widths=widths,
        chart=_chart(noise, read),
        small=_small(noise, read.rows[0].sums) if whole and read.unit == "count" else None,
        total=total,
        too_high=total.cells * bias_of_clamped_zero(noise),
    )


def _of_sum(noise: NumberNoise, cells: int) -> NumberNoise:
    """Return the noise on a sum of so many CELLS, each with this NOISE."""
    if cells == 1:
        return noise
    return SumNoise(
        noise=noise.noise, scale=noise.scale, budget=noise.budget, sensitivity=noise.sensitivity, cells=cells
    )


def _half_width(noise: NumberNoise, at_once: int, level: float) -> float:
    """Return the least half-width that holds so many numbers AT_ONCE with the chance LEVEL; they share no count."""
    return noise.interval(level if at_once == 1 else math.exp(math.log(level) / at_once)).half_width


def for_less(read: SumsInputs) -> tuple[tuple[float, float], ...]:
    """Return the half-width that is asked for and wider ones, each with the budget that it needs; none without one."""
    return tuple(_for_less(read))


def _for_less(read: SumsInputs) -> Iterator[tuple[float, float]]:
    if read.need is None or read.need_inputs is None or not read.half_width:
        return
    first = read.half_width
    steps = (
        (0.0, 1.0, 2.0, 3.0) if read.need_inputs.noise and read.need_inputs.noise.integer_valued else (0.0, 0.2, 0.5)
    )
    wider = (first + step if first.is_integer() else first * (1.0 + step) for step in steps)
    for half_width in (*wider, 2.0 * first):
        found = read.need.model_copy(update={"half_width": half_width}).limit(read.need_inputs)
        if found.epsilon is not None:
            yield half_width, read.need_inputs.need(found.epsilon)


def _small(noise: NumberNoise, numbers: int) -> SmallCounts:
    reaches = noise.reaching(Fraction(WATCHED))
    rows = tuple((truth, to_tenths(published_as(noise, truth, LAST))) for truth in TRUTHS)
    return SmallCounts(rows=rows, reaches=reaches, one_reaches=chance_of_one(reaches, numbers))


def _chart(noise: NumberNoise, read: SumsInputs) -> Chart:
    """Return how far off the numbers followed are: bars of whole noise, else a density; what is kept stands out."""
    one = read.followed
    noise, at_once = _of_sum(noise, one.cells), one.sums if one.at_once else 1
    half = _half_width(noise, at_once, read.level) if read.half_width is None else read.half_width
    missed = noise.beyond(decimal(half))
    kept = math.exp(at_once * math.log1p(-missed)) if missed < 1.0 else 0.0
    spread = 4.0 * noise.sd
    whole = noise.noise.integer_valued
    words = format_text("sum", "kept", {"half": half, "chance": kept})
    if whole and math.ceil(max(spread, 1.5 * half)) <= BARS:
        reach = max(2, math.ceil(max(spread, 1.5 * half)))
        places = tuple(float(at) for at in range(-reach, reach + 1))
        heights = tuple(_mass(noise, abs(int(at))) for at in places)
        edge, band = 0.6, half + 0.5
    else:
        end = max(spread, 1.2 * half)
        step = 2.0 * end / (POINTS - 1)
        places = tuple(-end + step * at for at in range(POINTS))
        heights = tuple(_near(noise, abs(at), step) for at in places)
        edge, band = 0.0, half
    x = Axis(
        title=sums.axis_title(one, read.unit),
        low=places[0] - edge,
        high=places[-1] + edge,
        ticks=centred(places[-1], 5),
    )
    top = max(heights) * ROOM
    bands = (Band(low=-band, high=band, words=words, role="accuracy"),)
    if edge == 0.0:
        y = Axis(title=sums.outcomes(), low=0.0, high=top, ticks=())  # a density is read in no number
        return Chart(x=x, y=y, lines=(Line(name="", x=places, y=heights, role="accuracy", filled=True),), bands=bands)
    y = shares(sums.outcomes(), top)
    sides = [
        tuple(zip(*(p for p in zip(places, heights, strict=True) if (abs(p[0]) <= half) is side), strict=True))
        for side in (True, False)
    ]
    bars = tuple(
        Bars(name=y.title, x=found[0], y=found[1], width=BAR, opacity=opacity)
        for found, opacity in zip(sides, (1.0, 0.4), strict=True)
        if found
    )
    return Chart(x=x, y=y, bars=bars, bands=bands)


def _mass(noise: NumberNoise, distance: int) -> float:
    """Return P(noise = DISTANCE), DISTANCE >= 0: the difference of two tails."""
    return noise.reaching(Fraction(distance)) - noise.reaching(Fraction(distance + 1))


def _near(noise: NumberNoise, distance: float, step: float) -> float:
    """Return the mean density of the noise within half a STEP of DISTANCE."""
    low, high = max(0.0, distance - step / 2.0), distance + step / 2.0
    return (noise.reaching(decimal(low)) - noise.reaching(decimal(high))) / (high - low)
