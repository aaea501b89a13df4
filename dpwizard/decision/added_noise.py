"""Each noise that a release adds, its tables, and the error that it causes in small groups."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from dpwizard.base.numerics import decimal, up
from dpwizard.decision.adding_up import published_setting, sums_of
from dpwizard.decision.release import Release
from dpwizard.decision.release_flaws import is_central_model
from dpwizard.decision.settings import AccuracyInputs
from dpwizard.privacy.accuracy import NumberNoise
from dpwizard.privacy.mechanisms import Noise

LEVEL = 0.95  # the level of the interval of a small group
COUNTS = ("count", "histogram")


@dataclass(frozen=True, kw_only=True)
class AddedNoise:
    """A noise, and the names of the tables that have it; None: the only table."""

    noise: Noise
    scale: float  # in steps
    step: float
    sensitivity: float  # in steps
    budget: float  # the epsilon or rho of one table
    tables: tuple[str | None, ...] = ()

    @property
    def sd(self) -> float:
        """Return the standard deviation, in the unit of the figures."""
        return self.step * self.noise.sd(self.scale)

    @property
    def on_one(self) -> NumberNoise:
        """Return the noise on one figure, in steps."""
        return NumberNoise(noise=self.noise, scale=self.scale, budget=self.budget, sensitivity=self.sensitivity)

    def half_width(self, level: float) -> float:
        """Return the half-width of the interval of LEVEL, in the unit of the figures."""
        return self.step * self.on_one.interval(level).half_width


@dataclass(frozen=True, kw_only=True)
class SmallGroup:
    """The error of published figures for a true count, in the named tables (None: the only one); all rounded up.

    half_width: for a level of 95 %; off_by_tenth, off_by_half: the probability of a relative error above that; gone: of
    a figure of 0 or less.
    """

    tables: tuple[str | None, ...]
    count: int
    half_width: float
    off_by_tenth: float
    off_by_half: float
    gone: float


def added_noises(release: Release, budget: float | None) -> tuple[AddedNoise, ...]:
    """Return each noise that RELEASE, its shares allotted, adds at its BUDGET, in the order of the tables.

    Without tables whose noise is absent, unknown or infinite, and empty if each device adds noise: the noise of a
    figure is then unknown. The scale is rounded up, as in a record.
    """
    gathered: dict[tuple[str, float, float], AddedNoise] = {}  # by kind, scale and step
    known = budget is not None and budget > 0.0 and is_central_model(release)
    for table in release.tables if known else ():
        setting = release.number_setting(table.name)
        if not isinstance(setting, AccuracyInputs) or setting.noise is None or budget is None:
            continue
        step, scale = table.noise_step(), up(setting.scale(budget), 2)
        if not 0.0 < scale < math.inf:
            continue
        added = AddedNoise(
            noise=setting.noise,
            scale=scale / step,
            step=step,
            sensitivity=setting.sensitivity / step,
            budget=setting.epsilon_of_number(budget),
        )
        drawn = (setting.noise.name, scale, step)
        alike = gathered.get(drawn, added)
        gathered[drawn] = replace(alike, tables=(*alike.tables, table.name))
    return tuple(gathered.values())


def widths_of_tables(release: Release, budget: float | None) -> dict[float, tuple[str | None, ...]]:
    """Return the half-widths of published numbers at a level of 95 %, and the tables of each.

    Arguments: release, its shares allotted; budget, chosen (None: nothing is known). **Safe side: never below the true
    half-width.** Source: docs/methods/accuracy.md.
    """
    tables_of: dict[float, tuple[str | None, ...]] = {}
    for added in added_noises(release, budget):
        for tables, noise, step in _published_noises(release, added, budget or 0.0):
            width = step * noise.interval(LEVEL).half_width
            tables_of[width] = (*tables_of.get(width, ()), *tables)
    return tables_of


def small_groups(release: Release, budget: float | None, counts: tuple[int, ...]) -> tuple[SmallGroup, ...]:
    """Return the error of small groups with these COUNTS, for each noise on counts, and in which tables.

    Arguments: release, its shares allotted; budget, chosen (None: nothing is known); counts >= 1, true numbers in a
    group. **Safe side: never below the true error.** Source: docs/methods/accuracy.md.
    """
    counted = {table.name for table in release.tables if table.statistic in COUNTS}
    tables_of: dict[tuple[SmallGroup, ...], list[str | None]] = {}
    for added in added_noises(release, budget):
        names = tuple(name for name in added.tables if name in counted)
        for tables, noise, step in _published_noises(release, replace(added, tables=names), budget or 0.0):
            groups = tuple(_small_group(noise, step, count) for count in sorted(set(counts)))
            tables_of.setdefault(groups, []).extend(tables)
    return tuple(replace(added, tables=tuple(tables)) for groups, tables in tables_of.items() for added in groups)


def _published_noises(
    release: Release, added: AddedNoise, budget: float
) -> Iterator[tuple[tuple[str | None, ...], NumberNoise, float]]:
    """Yield the tables of ADDED, the noise of their published numbers and its step; added-up tables one by one."""
    sums = sums_of(release)
    linked = [name for name in added.tables if name in sums.of]
    separate = () if sums.flaws else tuple(name for name in added.tables if name not in linked)
    if separate:
        yield separate, added.on_one, added.step
    for name in linked:
        setting = published_setting(release, name)
        noise = setting.noise_at(budget) if isinstance(setting, AccuracyInputs) else None
        if noise is not None:
            yield (name,), noise, 1.0


def _small_group(noise: NumberNoise, step: float, count: int) -> SmallGroup:
    size = Fraction(count) / decimal(step)
    return SmallGroup(
        tables=(),
        count=count,
        half_width=step * noise.interval(LEVEL).half_width,
        off_by_tenth=up(noise.beyond(size / 10), 4),
        off_by_half=up(noise.beyond(size / 2), 4),
        gone=up(noise.reaching(size), 4),
    )
