"""The ledger in words: the status of each record, and each total, line by line; in the chosen language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from dpwizard.charts import Figure, ledger_chart
from dpwizard.records.ledger import Ceiling, Ledger, LedgerRow, Sum, Total
from dpwizard.wording import format_min, format_text, whole, word

NONE = "–"


def standing(row: LedgerRow) -> str:
    """Return how a record stands, in a word or two."""
    return word("ledger", f"standing_{row.standing}")


def lost(figure: float | None) -> str:
    """Return a loss as it stands in a table: rounded up, a dash where it is not said."""
    return NONE if figure is None else format_min(figure)


def whose(total: Total) -> str:
    """Return of which population and unit TOTAL speaks."""
    unit = total.unit or word("ledger", "unit_unsaid")
    if not total.population:
        return format_text("ledger", "of_everybody", {"unit": unit})
    return format_text("ledger", "of_population", {"population": total.population, "unit": unit})


def lines(total: Total, ceiling: Ceiling | None = None, *, converted: bool = True) -> Iterator[str]:
    """Yield what TOTAL says, and whether it keeps the CEILING, if one is set.

    CONVERTED, whether rho is said in epsilon, too, where that says more than what was added up.
    """
    yield _added(total.epsilon, "epsilon_delta" if total.delta else "epsilon_sum", total.delta)
    yield _added(total.rho, "rho_sum", 0.0)
    for conversion in total.conversions[:1] if converted else ():
        if total.epsilon.total is not None and total.epsilon.total <= conversion.epsilon:
            continue  # what was added up says more
        yield format_text("ledger", "converted", {"epsilon": conversion.epsilon, "delta": total.at_delta})
    if total.person is not None:
        epsilon, rho = (lost(total_of.total) for total_of in total.person)
        yield format_text("ledger", "person", {"epsilon": epsilon, "rho": rho})
    yield format_text("ledger", f"counted_{total.neighbours}", {"count": len(total.rows)})
    if total.doubtful:
        yield format_text("ledger", "doubtful", {"count": len(total.doubtful)})
    if ceiling is not None and ceiling != Ceiling():
        yield word("ledger", {True: "within", False: "over", None: "within_unknown"}[total.within(ceiling)])


def _added(added: Sum, key: str, delta: float) -> str:
    if added.total is None:
        return format_text(
            "ledger", f"{key}_known", {"known": added.known, "count": len(added.not_counted), "delta": delta}
        )
    return format_text("ledger", key, {"total": added.total, "delta": delta})


def picture(
    ledger: Ledger, total: Total, rule: Literal["epsilon", "rho"] = "epsilon", ceiling: Ceiling | None = None
) -> Figure:
    """Return the picture of TOTAL in epsilon or in rho, under the CEILING where one is set for that."""
    place = ("epsilon", "rho").index(rule)
    added = [(ledger.rows[at], figures[place]) for at, figures in zip(total.rows, total.each, strict=True)]
    taken = tuple(
        ledger_chart.Taken(name=row.entry.name, date=row.entry.date, figure=figure, state=_state(row))
        for row, figure in added
        if figure is not None
    )
    not_counted = sum(figure is None for _, figure in added)
    most = None if ceiling is None else (ceiling.epsilon, ceiling.rho)[place]
    return ledger_chart.figure(whose(total), rule, taken, not_counted, most)


def _state(row: LedgerRow) -> ledger_chart.State:
    return "planned" if row.standing == "planned" else "doubtful" if row.doubtful else "sure"


def summary(ledger: Ledger) -> str:
    """Return how many records there are, and how many stand in each way."""
    counts = [f"{word('ledger', f'standing_{name}')} {whole(count)}" for name, count in ledger.standings.most_common()]
    records = format_text("ledger", "records", {"count": len(ledger.rows)})
    return f"{records} ({', '.join(counts)})." if counts else f"{records}."
