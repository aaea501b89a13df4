"""The picture of the office's ledger: what each record took, on top of those before it, in the order of their days."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Literal

from dpwizard.charts.charts import Axis, Bars, Chart, Figure, Line, Role, even, flat
from dpwizard.wording import format_min, format_text, word

State = Literal["sure", "doubtful", "planned"]
ROLES: dict[State, Role] = {"sure": "privacy", "doubtful": "refuted", "planned": "accuracy"}
WIDTH = 0.8  # of a bar; the next one stands 1 further
ROOM = 1.08  # above the highest bar
FAINT = 0.25  # of what was taken before
FEWEST = 6  # bars that there is room for
MOST_BARS = 80  # that are wider than a line
MOST_YEARS = 12  # that are named under the bars
UNDATED = "–"


@dataclass(frozen=True, kw_only=True)
class Taken:
    """What one record took: its name, its day (year-month-day, or none), how much, and whether that is sure."""

    name: str
    date: str
    figure: float
    state: State


@dataclass(frozen=True, kw_only=True)
class LedgerInputs:
    """What the figure reads: what was taken of whom, in what, how many records do not say it, and the ceiling."""

    whose: str
    rule: Literal["epsilon", "rho"]
    taken: tuple[Taken, ...]
    not_counted: int = 0
    ceiling: float | None = None


def figure(read: LedgerInputs) -> Figure:
    """Return a bar for each record, from what was taken before it to what was taken with it; planned ones come last."""
    taken = sorted(read.taken, key=lambda one: (one.state == "planned", one.date or "9999", one.name))
    ends = list(itertools.accumulate((one.figure for one in taken), initial=0.0))
    name = word("ledger", read.rule)
    states = [state for state in ROLES if any(one.state == state for one in taken)]
    asides = [word("ledger", f"drawn_{state}") for state in states]
    asides += [format_text("ledger", "unsaid", {"count": read.not_counted})] if read.not_counted else []
    return Figure(
        title=word("ledger", "title"),
        sentence=_sentence(read, taken, ends),
        plots=(_plot(read, taken, ends, states),),
        asides=tuple(asides),
        columns=(word("ledger", "date"), word("ledger", "record"), name, word("ledger", "together")),
        rows=tuple(
            (one.date or UNDATED, one.name, format_min(one.figure), format_min(end))
            for one, end in zip(taken, ends[1:], strict=True)
        ),
    )


def _sentence(read: LedgerInputs, taken: list[Taken], ends: list[float]) -> str:
    count = sum(one.state != "planned" for one in taken)
    name = word("ledger", read.rule)
    figures = {"count": count, "name": name, "total": ends[count], "whose": read.whose, "all": ends[-1]}
    text = format_text("ledger", "picture", figures)
    return text if count == len(taken) else f"{text} {format_text('ledger', 'picture_planned', figures)}"


def _plot(read: LedgerInputs, taken: list[Taken], ends: list[float], states: list[State]) -> Chart:
    xs = tuple(map(float, range(len(taken))))
    end = max(len(taken), FEWEST) - 0.5
    bars = [_bars(state, taken, ends) for state in states]
    label = word("ledger", "ceiling")
    lines = [] if read.ceiling is None else [flat(read.ceiling, end, label, low=-0.5, name=label)]
    if len(taken) > MOST_BARS:
        lines.append(_below(xs, ends))
    else:
        bars.insert(0, _before(xs, ends))
    spots = (
        format_text(
            "ledger", "spot", {"name": one.name, "date": one.date or UNDATED, "figure": one.figure, "all": with_it}
        )
        for one, with_it in zip(taken, ends[1:], strict=True)
    )
    return Chart(
        x=Axis(title=word("ledger", "axis"), low=-0.5, high=end, ticks=_years(taken)),
        y=even(word("ledger", read.rule), max(ends[-1], read.ceiling or 0.0, 1e-9) * ROOM, way="need"),
        bars=tuple(bars),
        lines=tuple(lines),
        spots=tuple(zip(xs, spots, strict=True)),
    )


def _before(xs: tuple[float, ...], ends: list[float]) -> Bars:
    """Return faint bars below those of each record: what was taken before it."""
    name = word("ledger", "bar_before")
    return Bars(name=name, x=xs, y=tuple(ends[:-1]), width=WIDTH, role="quiet", opacity=FAINT)


def _below(xs: tuple[float, ...], ends: list[float]) -> Line:
    """Return the same as an area, for bars that are as thin as a line."""
    return Line(
        name=word("ledger", "bar_before"), x=xs, y=tuple(ends[:-1]), role="quiet", width=1.0, column=False, filled=True
    )


def _bars(state: State, taken: list[Taken], ends: list[float]) -> Bars:
    """Return the bars of those in one STATE: from what was taken before each to what was taken with it."""
    places = [at for at, one in enumerate(taken) if one.state == state]
    return Bars(
        name=word("ledger", f"bar_{state}"),
        x=tuple(map(float, places)),
        y=tuple(ends[at + 1] for at in places),
        begins=tuple(ends[at] for at in places),
        width=WIDTH,
        role=ROLES[state],
    )


def _years(taken: list[Taken]) -> tuple[tuple[float, str], ...]:
    """Return the first bar of each year with its name; of many years some."""
    first: dict[str, float] = {}
    for at, one in enumerate(taken):
        if one.date and one.state != "planned":
            first.setdefault(one.date[:4], float(at))
    named = [(at, year) for year, at in first.items()]
    return tuple(named[:: max(1, -(-len(named) // MOST_YEARS))])
