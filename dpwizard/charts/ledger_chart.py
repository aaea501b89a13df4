"""The chart of the office's ledger: the privacy loss of each record on top of earlier ones, by date."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from dpwizard.charts.charts import Axis, Bars, Chart, Figure, Line, Role, even, flat
from dpwizard.wording import format_min, format_text, word

Rule = Literal["epsilon", "rho"]
State = Literal["sure", "doubtful", "planned"]
ROLES: dict[State, Role] = {"sure": "privacy", "doubtful": "refuted", "planned": "accuracy"}
WIDTH = 0.8  # of a bar; the next one is 1 further
ROOM = 1.08  # above the highest bar
FAINT = 0.25  # opacity of the bars of earlier records
FEWEST = 6  # least length of the axis, in bars
MOST_BARS = 80  # more are as thin as lines
MOST_YEARS = 12  # named under the bars
UNDATED = "–"


@dataclass(frozen=True, kw_only=True)
class Taken:
    """One record: its name, date (year-month-day, or empty), epsilon or rho, and whether it is verified."""

    name: str
    date: str
    figure: float
    state: State


def figure(
    whose: str, rule: Rule, records: Iterable[Taken], not_counted: int = 0, ceiling: float | None = None
) -> Figure:
    """Return a bar for each of the RECORDS, from the total before it to the total with it; planned ones are last.

    Arguments: whose loss; rule, its unit; the number of records not counted; the ceiling, if there is one.
    """
    taken = sorted(records, key=lambda record: (record.state == "planned", record.date or "9999", record.name))
    ends = list(itertools.accumulate((record.figure for record in taken), initial=0.0))
    name = word("ledger", rule)
    states = [state for state in ROLES if any(record.state == state for record in taken)]
    asides = [word("ledger", f"drawn_{state}") for state in states]
    asides += [format_text("ledger", "unsaid", {"count": not_counted})] if not_counted else []
    return Figure(
        title=word("ledger", "title"),
        sentence=_sentence(whose, rule, taken, ends),
        plots=(_ledger_plot(rule, ceiling, taken, ends, states),),
        asides=tuple(asides),
        columns=(word("ledger", "date"), word("ledger", "record"), name, word("ledger", "together")),
        rows=tuple(
            (record.date or UNDATED, record.name, format_min(record.figure), format_min(end))
            for record, end in zip(taken, ends[1:], strict=True)
        ),
    )


def _sentence(whose: str, rule: Rule, taken: list[Taken], ends: list[float]) -> str:
    count = sum(record.state != "planned" for record in taken)
    figures = {"count": count, "name": word("ledger", rule), "total": ends[count], "whose": whose, "all": ends[-1]}
    text = format_text("ledger", "picture", figures)
    return text if count == len(taken) else f"{text} {format_text('ledger', 'picture_planned', figures)}"


def _ledger_plot(
    rule: Rule, ceiling: float | None, taken: list[Taken], ends: list[float], states: list[State]
) -> Chart:
    xs = tuple(map(float, range(len(taken))))
    end = max(len(taken), FEWEST) - 0.5
    bars = [_state_bars(state, taken, ends) for state in states]
    label = word("ledger", "ceiling")
    lines = [] if ceiling is None else [flat(ceiling, end, label, low=-0.5, name=label)]
    earlier, before = word("ledger", "bar_before"), tuple(ends[:-1])  # the total before each record
    if len(taken) > MOST_BARS:  # bars as thin as lines
        lines.append(Line(name=earlier, x=xs, y=before, role="quiet", width=1.0, column=False, filled=True))
    else:
        bars.insert(0, Bars(name=earlier, x=xs, y=before, width=WIDTH, role="quiet", opacity=FAINT))
    spots = (
        {"name": record.name, "date": record.date or UNDATED, "figure": record.figure, "all": total}
        for record, total in zip(taken, ends[1:], strict=True)
    )
    texts = (format_text("ledger", "spot", spot) for spot in spots)
    return Chart(
        x=Axis(title=word("ledger", "axis"), low=-0.5, high=end, ticks=_year_ticks(taken)),
        y=even(word("ledger", rule), max(ends[-1], ceiling or 0.0, 1e-9) * ROOM, way="need"),
        bars=tuple(bars),
        lines=tuple(lines),
        spots=tuple(zip(xs, texts, strict=True)),
    )


def _state_bars(state: State, taken: list[Taken], ends: list[float]) -> Bars:
    """Return the bars of records in one STATE, from the total before each to the total with it."""
    places = [at for at, record in enumerate(taken) if record.state == state]
    return Bars(
        name=word("ledger", f"bar_{state}"),
        x=tuple(map(float, places)),
        y=tuple(ends[at + 1] for at in places),
        begins=tuple(ends[at] for at in places),
        width=WIDTH,
        role=ROLES[state],
    )


def _year_ticks(taken: list[Taken]) -> tuple[tuple[float, str], ...]:
    """Return the place of the first bar of each year, with the year; at most MOST_YEARS."""
    first: dict[str, float] = {}
    for at, record in enumerate(taken):
        if record.date and record.state != "planned":
            first.setdefault(record.date[:4], float(at))
    years = [(at, year) for year, at in first.items()]
    return tuple(years[:: max(1, -(-len(years) // MOST_YEARS))])
