"""Comparison of both kinds of noise: the error of each table for the same privacy requirements."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, replace

from dpwizard.charts.axis_chart import strokes
from dpwizard.charts.charts import Axis, Chart, Drawing, Figure, Role, even
from dpwizard.decision import AccuracyInputs, Decision, Release, assess, published_setting, with_other_noise
from dpwizard.decision.requirements import RelativeRisk
from dpwizard.privacy.mechanisms import mechanism_named
from dpwizard.wording import format_text, number, word

DRAWN = 12  # tables drawn; the table below has all
MOST_TABLES = 10_000  # largest number of tables for which `begins` compares the two kinds of noise


@dataclass(frozen=True, kw_only=True)
class NoiseRow:
    """One table: the standard deviation of the chosen noise, and of the other kind."""

    name: str
    chosen_sd: float
    other: float


def inputs(decision: Decision) -> Decision | None:
    """Return the release of DECISION with its privacy requirements alone; None unless they all have a tolerance.

    Gaussian noise may fail to meet a requirement with the probability of the tolerance, so it cannot meet one without.
    """
    promises = tuple(r for r in decision.requirements if isinstance(r, RelativeRisk) and r.enabled and not r.missing())
    if not promises or not all(promise.tolerance is not None for promise in promises):
        return None
    release = decision.release.model_copy(update={"description": None, "spent": (), "delta": None})
    mechanism = release.noisy[0].noise.one
    if mechanism is None or mechanism.noise is None or any(table.noise.one != mechanism for table in release.noisy):
        return None
    return Decision(format=decision.format, release=release, requirements=promises)


def rows(read: Decision) -> tuple[NoiseRow, ...]:
    """Return a row for each table with noise; empty if either kind cannot meet the privacy requirements."""
    other = with_other_noise(read.release)
    if other is None:
        return ()
    chosen, swapped = _standard_deviations(read), _standard_deviations(read.model_copy(update={"release": other}))
    if chosen is None or swapped is None:
        return ()
    names = [table.name or word("which_noise", "table") for table in read.release.noisy]
    return tuple(NoiseRow(name=n, chosen_sd=a, other=b) for n, a, b in zip(names, chosen, swapped, strict=True))


def _standard_deviations(decision: Decision) -> tuple[float, ...] | None:
    """Return the standard deviation of the noise on one number of each table at the upper limit of the budget."""
    budget = assess(decision).window.upper
    if not budget:
        return None
    deviations = []
    for table in decision.release.noisy:
        setting = published_setting(decision.release, table.name)
        if isinstance(setting, tuple):
            return None
        noise = setting.noise_at(budget)
        if noise is None or not 0.0 < noise.scale < math.inf:
            return None
        deviations.append(setting.step * replace(noise, scale=noise.scale / setting.step).sd)
    return tuple(deviations)


def begins(read: Decision) -> int | None:
    """Return the number of tables like the first from which Gaussian noise has the smaller error.

    None if it is above MOST_TABLES. Errors of noise of bounded loss are proportional to the number of tables, those of
    Gaussian noise to its root.
    """
    first = read.release.noisy[0]
    changed: dict[str, object] = {"parts": (), "sensitivity": first.sensitivity, "mechanism": first.mechanism}
    changed |= {"sensitivity_other": first.sensitivity_other, "statistic": first.statistic, "step": first.step}
    changed |= {"dimension": first.dimension, "contributions": first.contributions}
    alone = read.release.model_copy(update=changed)
    other = with_other_noise(alone)
    if other is None:
        return None
    pair = (alone, other) if first.noise.pure else (other, alone)
    pure, normal = (_single_table(read, release) for release in pair)
    if pure is None or normal is None:
        return None

    def better(tables: int) -> bool:
        return normal.error(tables) < pure.error(tables)

    worse = bisect_left(range(1, MOST_TABLES + 1), True, key=better)  # the largest number for which it is not better
    return worse + 1 if worse < MOST_TABLES else None


@dataclass(frozen=True, kw_only=True)
class _SingleTable:
    """One table that is published alone, with the upper limit of its budget."""

    setting: AccuracyInputs
    budget: float

    def error(self, tables: int) -> float:
        """Return the standard deviation if TABLES tables like it share the budget evenly."""
        noise = self.setting.noise
        assert noise is not None
        return self.setting.step * noise.sd(self.setting.scale(self.budget / tables) / self.setting.step)


def _single_table(decision: Decision, release: Release) -> _SingleTable | None:
    budget = assess(decision.model_copy(update={"release": release})).window.upper
    setting = release.number_setting()
    if not budget or not isinstance(setting, AccuracyInputs) or setting.noise is None:
        return None
    return _SingleTable(setting=setting, budget=budget)


def drawing(decision: Decision) -> Drawing | None:
    """Return what to draw of DECISION; None without inputs."""
    read = inputs(decision)
    return None if read is None else Drawing.of(figure, read=read)


def figure(read: Decision) -> Figure:
    """Return the error of each table under both kinds of noise, with a sentence on which is smaller."""
    title, table_rows = word("which_noise", "title"), rows(read)
    if not table_rows:
        return Figure(title=title, sentence=word("which_noise", "neither"))
    noise = mechanism_named(read.release.noisy[0].mechanism or "exact").noise
    assert noise is not None
    names = tuple(word("mechanism", name) for name in (noise.name, noise.rival))
    chosen_smaller = sum(row.chosen_sd <= row.other for row in table_rows)
    figures = {"own": names[0], "other": names[1], "count": chosen_smaller, "of": len(table_rows)}
    figures |= {"own_sd": table_rows[0].chosen_sd, "other_sd": table_rows[0].other}
    key = {0: "other_all", len(table_rows): "own_all"}.get(chosen_smaller, "some")
    if len(table_rows) == 1:
        key = "one"
    drawn = table_rows[:DRAWN]
    end = max(max(row.chosen_sd, row.other) for row in drawn)
    ticks = tuple((-float(at), row.name[:24]) for at, row in enumerate(drawn))
    y = Axis(title="", low=0.5 - len(drawn), high=0.5, ticks=ticks)
    kinds: tuple[tuple[str, Role, float], ...] = (("chosen_sd", "privacy", 0.18), ("other", "accuracy", -0.18))
    lines = []
    for name, (kind, role, above) in zip(names, kinds, strict=True):
        ends = tuple(end for row in drawn for end in (0.0, getattr(row, kind)))
        places = tuple(above - at for at in range(len(drawn)) for _ in ("from", "to"))
        lines.append(replace(strokes(ends, places, role, 7.0, name=name), label=name))
    asides = [word("which_noise", "safe_side")] if any(t.dimension > 1 for t in read.release.noisy) else []
    from_tables = begins(read)
    if from_tables is not None:
        asides.insert(0, format_text("which_noise", "begins", {"tables": from_tables}))
    asides.insert(0, word("which_noise", "certainty"))
    return Figure(
        title=title,
        sentence=format_text("which_noise", key, figures),
        plots=(Chart(x=even(word("which_noise", "axis"), 1.05 * end), y=y, lines=tuple(lines)),),
        asides=tuple(asides),
        columns=(word("which_noise", "table"), *names),
        rows=tuple((row.name, number(row.chosen_sd), number(row.other)) for row in table_rows),
    )
