"""The ledger in words: how each record stands, and what each total says, line by line; in the language spoken."""

from __future__ import annotations

from collections.abc import Iterator

from dpwizard.records.ledger import Ceiling, Ledger, Row, Sum, Total
from dpwizard.wording import need, say, word

NONE = "–"


def standing(row: Row) -> str:
    """Return how a record stands, in a word or two."""
    return word("ledger", f"standing_{row.standing}")


def lost(figure: float | None) -> str:
    """Return a loss as it stands in a table: rounded up, a dash where it is not said."""
    return NONE if figure is None else need(figure)


def whose(total: Total) -> str:
    """Return of which population and unit TOTAL speaks."""
    unit = total.unit or word("ledger", "unit_unsaid")
    if not total.population:
        return say("ledger", "of_everybody", {"unit": unit})
    return say("ledger", "of_population", {"population": total.population, "unit": unit})


def lines(total: Total, ceiling: Ceiling | None = None) -> Iterator[str]:
    """Yield what TOTAL says, and whether it keeps the CEILING, if one is set."""
    yield _added(total.epsilon, "epsilon_delta" if total.delta else "epsilon", total.delta)
    yield _added(total.rho, "rho", 0.0)
    for one in total.conversions[:1]:
        if total.epsilon.total is not None and total.epsilon.total <= one.epsilon:
            continue  # what was added up says more
        yield say("ledger", "converted", {"epsilon": one.epsilon, "delta": total.at_delta})
    if total.person is not None:
        epsilon, rho = (lost(one.total) for one in total.person)
        yield say("ledger", "person", {"epsilon": epsilon, "rho": rho})
    yield say("ledger", f"counted_{total.neighbours}", {"count": len(total.rows)})
    if total.doubtful:
        yield say("ledger", "doubtful", {"count": len(total.doubtful)})
    if ceiling is not None and ceiling != Ceiling():
        yield word("ledger", {True: "within", False: "over", None: "within_unknown"}[total.within(ceiling)])


def _added(found: Sum, key: str, delta: float) -> str:
    if found.total is None:
        return say("ledger", f"{key}_known", {"known": found.known, "count": len(found.unsaid), "delta": delta})
    return say("ledger", key, {"total": found.total, "delta": delta})


def summary(found: Ledger) -> str:
    """Return how many records there are, and how many stand in each way."""
    counts = [f"{word('ledger', f'standing_{name}')} {count}" for name, count in found.standings.most_common()]
    records = say("ledger", "records", {"count": len(found.rows)})
    return f"{records}: {', '.join(counts)}." if counts else f"{records}."
