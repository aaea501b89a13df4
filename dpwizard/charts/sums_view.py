"""The accuracy of counts and their totals at one budget: half-widths, the chart of one of them, small counts.

Each row takes milliseconds, so the window computes them in the background.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
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
from dpwizard.wording import End, format_text, plain_sentences, range_of, word

TRUTHS, LAST = (0, 1, 2, 3, 5), 6  # true small counts; published ones of LAST or more share a column
WATCHED = 3  # a true 0 published as this or more may have consequences
ROOM = 1.4  # height of the plot in highest bars, for words above them
POINTS = 81  # of a density


@dataclass(frozen=True, kw_only=True)
class SumsInputs:
    """Inputs of the view: the noise, the budget shown, and the numbers followed."""

    setting: AccuracyInputs
    budget: float
    budget_printed: str
    rows: tuple[TableSum, ...]
    followed: TableSum
    level: float  # of the numbers followed
    half_width: float | None  # required; None: the one at that level
    unit: str  # the key of the name of one number
    need: NoiseInterval | AllWithin | None = None  # the requirement on the numbers followed
    need_inputs: AccuracyInputs | None = None


@dataclass(frozen=True, kw_only=True)
class SmallCounts:
    """Chances of published counts for small true counts, in tenths of 1 in 100, and of a large count for a true 0."""

    rows: tuple[tuple[int, tuple[int, ...]], ...]
    reaches: float  # the chance that a true 0 is published as WATCHED or more
    one_reaches: float  # the chance that any of all counts is, if all were 0


@dataclass(frozen=True, kw_only=True)
class SumsView:
    """The accuracy at one budget; half_widths are in the order of the rows."""

    inputs: SumsInputs
    half_widths: tuple[float, ...]
    chart: Chart
    small: SmallCounts | None
    total: TableSum  # the first total
    too_high: float  # the mean error of a reader's own total of counts that are all 0


def budget_drawn(assessment: Assessment) -> End | None:
    """Return the budget to show, as printed: the chosen one, else the lower limit, else the upper limit."""
    printed = range_of(assessment)
    budget = printed.chosen or printed.lower or printed.upper
    return budget if budget is not None and budget.value else None


def inputs(decision: Decision, assessment: Assessment, followed: TableSum | None = None) -> SumsInputs | None:
    """Return the inputs for DECISION and the numbers FOLLOWED; None if the noise or budget is unknown."""
    release = decision.planned.release
    setting, looked_at = published_setting(release, release.tables[0].name), budget_drawn(assessment)
    if isinstance(setting, tuple) or setting.noise is None or setting.in_steps:
        return None
    if looked_at is None or release.tables[1:]:
        return None
    if setting.added_up is not None:
        return None  # the noise of its numbers is not independent
    rows = sums_read(decision)
    chosen = (
        followed if followed in rows else next((row for row in rows if asked_at(decision, row) is not None), rows[0])
    )
    index = asked_at(decision, chosen)
    need = None if index is None else decision.requirements[index]
    need = need if isinstance(need, NoiseInterval | AllWithin) and not need.missing() else None
    need_inputs = None if need is None else need.setting(release)
    return SumsInputs(
        setting=setting,
        budget=looked_at.value,
        budget_printed=looked_at.text,
        rows=rows,
        followed=chosen,
        level=getattr(need, "level", None) or sums.LEVEL,
        half_width=getattr(need, "half_width", None),
        unit=plain_sentences.unit_of(release),
        need=need,
        need_inputs=need_inputs if isinstance(need_inputs, AccuracyInputs) else None,
    )


def view(read: SumsInputs) -> SumsView:
    """Return the accuracy of the numbers of READ."""
    noise = read.setting.noise_at(read.budget)
    assert noise is not None
    widths = tuple(
        _joint_half_width(_sum_noise(noise, row.cells), row.sums if row.at_once else 1, sums.LEVEL) for row in read.rows
    )
    whole = noise.noise.integer_valued
    total = next((row for row in read.rows if row.cells > 1), read.rows[0])
    return SumsView(
        inputs=read,
        half_widths=widths,
        chart=_error_chart(noise, read),
        small=_small_counts(noise, read.rows[0].sums) if whole and read.unit == "count" else None,
        total=total,
        too_high=total.cells * bias_of_clamped_zero(noise),
    )


def _sum_noise(noise: NumberNoise, cells: int) -> NumberNoise:
    """Return the noise on a sum of CELLS numbers, each with this NOISE."""
    if cells == 1:
        return noise
    return SumNoise(
        noise=noise.noise, scale=noise.scale, budget=noise.budget, sensitivity=noise.sensitivity, cells=cells
    )


def _joint_half_width(noise: NumberNoise, at_once: int, level: float) -> float:
    """Return the least half-width for AT_ONCE disjoint numbers, all within it with the chance LEVEL."""
    return noise.interval(level if at_once == 1 else math.exp(math.log(level) / at_once)).half_width


def for_less(read: SumsInputs) -> tuple[tuple[float, float], ...]:
    """Return the half-width required and wider ones, each with the budget needed; empty if none is required."""
    if read.need is None or read.need_inputs is None or not read.half_width:
        return ()
    narrowest, noise = read.half_width, read.need_inputs.noise
    if noise and noise.integer_valued and narrowest.is_integer():
        unit = max(1.0, 10.0 ** (math.floor(math.log10(narrowest)) - 1))  # steps of the second digit
        wider = tuple(narrowest + step * unit for step in (0.0, 1.0, 2.0, 3.0))
    else:
        wider = tuple(narrowest * (1.0 + step) for step in (0.0, 0.2, 0.5))
    options = []
    for half_width in (*wider, 2.0 * narrowest):
        limit = read.need.model_copy(update={"half_width": half_width}).limit(read.need_inputs)
        if limit.epsilon is not None:
            options.append((half_width, limit.epsilon))
    return tuple(options)


def _small_counts(noise: NumberNoise, numbers: int) -> SmallCounts:
    reaches = noise.reaching(Fraction(WATCHED))
    rows = tuple((truth, to_tenths(published_as(noise, truth, LAST))) for truth in TRUTHS)
    return SmallCounts(rows=rows, reaches=reaches, one_reaches=chance_of_one(reaches, numbers))


def _error_chart(noise: NumberNoise, read: SumsInputs) -> Chart:
    """Return the errors of the followed numbers: bars for whole noise, else a density, with the interval marked."""
    row = read.followed
    noise, at_once = _sum_noise(noise, row.cells), row.sums if row.at_once else 1
    half = sums.as_read(_joint_half_width(noise, at_once, read.level)) if read.half_width is None else read.half_width
    chance_missed = noise.beyond(decimal(half))
    chance_kept = math.exp(at_once * math.log1p(-chance_missed)) if chance_missed < 1.0 else 0.0
    spread = 4.0 * noise.sd
    words = format_text("sum", "kept", {"half": half, "chance": chance_kept})
    if noise.noise.integer_valued and math.ceil(max(spread, 1.5 * half)) <= BARS:
        reach = max(2, math.ceil(max(spread, 1.5 * half)))
        places = tuple(float(at) for at in range(-reach, reach + 1))
        tails = [noise.reaching(Fraction(distance)) for distance in range(reach + 2)]
        heights = tuple(tails[abs(int(at))] - tails[abs(int(at)) + 1] for at in places)
        edge, band = 0.6, half + 0.5
    else:
        end = max(spread, 1.2 * half)
        step = 2.0 * end / (POINTS - 1)
        places = tuple(-end + step * at for at in range(POINTS))
        heights = tuple(_mean_density(noise, abs(at), step) for at in places)
        edge, band = 0.0, half
    x = Axis(
        title=sums.axis_title(row, read.unit),
        low=places[0] - edge,
        high=places[-1] + edge,
        ticks=centred(places[-1], 5),
    )
    top = max(heights) * ROOM
    bands = (Band(low=-band, high=band, words=words, role="accuracy"),)
    if edge == 0.0:
        y = Axis(title=word("sum", "outcomes"), low=0.0, high=top, ticks=())  # densities have no numbers
        return Chart(x=x, y=y, lines=(Line(name="", x=places, y=heights, role="accuracy", filled=True),), bands=bands)
    y = shares(word("sum", "outcomes"), top)
    y = replace(y, ticks=tuple(tick for tick in y.ticks if tick[0] <= max(heights)))  # no line behind the words above
    sides = [
        tuple(zip(*(p for p in zip(places, heights, strict=True) if (abs(p[0]) <= half) is side), strict=True))
        for side in (True, False)
    ]
    bars = tuple(
        Bars(name=y.title, x=side[0], y=side[1], width=BAR, opacity=opacity)
        for side, opacity in zip(sides, (1.0, 0.4), strict=True)
        if side
    )
    return Chart(x=x, y=y, bars=bars, bands=bands)


def _mean_density(noise: NumberNoise, distance: float, step: float) -> float:
    """Return the mean density of the noise within half a STEP of DISTANCE."""
    low, high = max(0.0, distance - step / 2.0), distance + step / 2.0
    return (noise.reaching(decimal(low)) - noise.reaching(decimal(high))) / (high - low)
