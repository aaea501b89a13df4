"""The command for the office's ledger: the total privacy loss of the records in a folder, also with one more."""

from __future__ import annotations

import argparse
import math
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.values import NUMBER_LIMIT
from dpwizard.cli.terminal import FINE, NOT_FINE, print_json, say, show, stated_from, tr

if TYPE_CHECKING:
    from dpwizard.records import Ceiling, Ledger, LedgerEntry, LedgerRow
    from dpwizard.signing.bounded import Bounded

FORMAT = "dpwizard.ledger/1"
UNKNOWN = 3
WIDEST = 40  # characters of a name in the table
DELTA = 1e-6  # default, at which rho is converted to epsilon


def ledger(options: argparse.Namespace) -> int:
    """Verify the records in a folder; print the total privacy loss by population, also with one more decision."""
    from dpwizard.signing.bounded import READING, crew

    with crew(READING) as processes:  # started early, as they take long to load
        return _ledger(options, processes)


def _ledger(options: argparse.Namespace, processes: list[Bounded]) -> int:
    from dpwizard.records import budget_alone, ledger_of
    from dpwizard.signing import office
    from dpwizard.signing.record_folder import survey

    ceiling, today, budget = _ceiling(options), _day(options.at), _budget_to_add(options)
    more = _entry_to_add(options.more)
    if not 0.0 < options.delta < 1.0:
        raise InvalidInput("must be between 0 and 1", "--delta", "A usual one is 0.000001.")
    places = office.trust_places([Path(name) for name in options.trust])
    entries: tuple[LedgerEntry, ...] = ()
    now, judge = stated_from(None).time, not options.unjudged
    for step in survey(Path(options.folder), now, places, judge=judge, processes=processes):
        entries = step.entries
        if step.doing == "judge" and step.name:
            say(tr("{done} of {of}: {path}", done=step.done + 1, of=step.of, path=step.name))
    more = more if budget is None else budget_alone(entries, **budget)
    ledger_now = ledger_of(entries, today=today, delta=options.delta)
    after = None if more is None else ledger_of(entries, today=today, delta=options.delta, more=more)
    releases: list[dict[str, Any]] = [
        {"record": each.place, "times": each.releases} for each in entries if each.releases
    ]
    if options.json:
        print_json(_as_plain(ledger_now, after, ceiling, today) | ({"releases": releases} if releases else {}))
    else:
        show([*_lines(ledger_now, after, ceiling), *_lines_of_releases(releases)])
    return NOT_FINE if any(release["times"] > 1 for release in releases) else _status(ledger_now, after, ceiling)


def _lines_of_releases(releases: list[dict[str, Any]]) -> list[str]:
    again = tr("Released more than once: each release uses the whole budget, but the sums above count it once.")
    lines = [tr("Releases made from {record}, by their public logs: {times}", **release) for release in releases]
    return ["", *lines, *([again] if any(release["times"] > 1 for release in releases) else [])] if releases else []


def _day(at: str | None) -> date:
    if at is None:
        return stated_from(None).time.date()
    try:
        return date.fromisoformat(at[:10])
    except ValueError:
        raise InvalidInput(
            message('must be a day such as 2026-11-21; found "{text}"', text=at[:60]), "--at", "Give year-month-day."
        ) from None


def _ceiling(options: argparse.Namespace) -> Ceiling:
    from dpwizard.records import Ceiling

    for name, value in (("--ceiling", options.ceiling), ("--ceiling-rho", options.ceiling_rho)):
        if value is not None and not (math.isfinite(value) and value >= 0.0):
            raise InvalidInput("must be a number, 0 or more", name, "Enter the most that may be lost.")
    return Ceiling(epsilon=options.ceiling, rho=options.ceiling_rho)


def _budget_to_add(options: argparse.Namespace) -> dict[str, float] | None:
    """Return the budget of --with-epsilon or --with-rho by its unit; None without either."""
    given = {"epsilon": options.with_epsilon, "rho": options.with_rho}
    stated = {name: value for name, value in given.items() if value is not None}
    for name, value in stated.items():
        if not (math.isfinite(value) and 0.0 <= value <= NUMBER_LIMIT):
            raise InvalidInput("must be a number, 0 or more", f"--with-{name}", "Give what the release would spend.")
    if len(stated) + (options.more is not None) > 1:
        raise InvalidInput("is more than one file or budget", "--with", "Add a file or one budget at a time.")
    return stated or None


def _entry_to_add(name: str | None) -> LedgerEntry | None:
    """Return the entry of the decision or record NAME; a record keeps its file name, so that it counts once."""
    from dpwizard import records
    from dpwizard.base import files, json_text
    from dpwizard.decision import read_decision

    if name is None:
        return None
    data = files.read_bytes(Path(name))
    raw = json_text.parse(data)
    if records.is_record(raw):
        return records.read_entry(data, Path(name).name)
    return records.planned(read_decision(raw))


def _status(ledger_now: Ledger, after: Ledger | None, ceiling: Ceiling) -> int:
    from dpwizard.records import WRONG

    kept = [total.within(ceiling) for total in (after or ledger_now).totals]
    if False in kept or any(row.standing in WRONG for row in ledger_now.rows):
        return NOT_FINE
    asked = (ceiling.epsilon, ceiling.rho) != (None, None)
    settled = all(row.entry.passes or row.standing == "copy" for row in ledger_now.rows)
    return FINE if settled and not (asked and None in kept) else UNKNOWN


def _as_plain(ledger_now: Ledger, after: Ledger | None, ceiling: Ceiling, today: date) -> dict[str, Any]:
    def totals(of: Ledger) -> list[dict[str, Any]]:
        return [{**total.as_plain(), "within": total.within(ceiling)} for total in of.totals]

    plain = {
        "format": FORMAT,
        "at": today.isoformat(),
        "records": [row.as_plain() for row in ledger_now.rows],
        "totals": totals(ledger_now),
    }
    return plain if after is None else plain | {"with": {"records": _new(ledger_now, after), "totals": totals(after)}}


def _new(ledger_now: Ledger, after: Ledger) -> list[LedgerRow]:
    """Return the rows of AFTER that LEDGER_NOW lacks: the decision added, and the missing records it refers to."""
    before = {id(row.entry) for row in ledger_now.rows}
    return [row for row in after.rows if row.standing == "planned" or (row.entry.place and id(row.entry) not in before)]


def _lines(ledger_now: Ledger, after: Ledger | None, ceiling: Ceiling) -> list[str]:
    from dpwizard.records import ledger_words

    columns = ("record", "date", "population", "protected", "epsilon", "rho", "status", "review by", "note")
    table = [[tr(key) for key in columns], *(_cells(row) for row in (after or ledger_now).rows)]
    widths = [max(len(row[place]) for row in table) for place in range(len(columns))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    lines += ["", ledger_words.summary(ledger_now)]
    for total in ledger_now.totals:
        lines += ["", ledger_words.whose(total)]
        lines += [f"  {line}" for line in ledger_words.lines(total, ceiling)]
    for total in after.totals if after is not None else ():
        lines += ["", tr("With one more: {whose}", whose=ledger_words.whose(total))]
        lines += [f"  {line}" for line in ledger_words.lines(total, ceiling)]
    return lines


def _cells(row: LedgerRow) -> list[str]:
    from dpwizard.base.one_line import on_one_line
    from dpwizard.records import ledger_words

    entry = row.entry
    texts = (entry.called, entry.date, entry.population, entry.unit)
    short = [text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…" for text in map(on_one_line, texts)]
    figures = (ledger_words.lost(entry.lost.epsilon), ledger_words.lost(entry.lost.rho))
    return [*short, *figures, ledger_words.standing(row), on_one_line(entry.review[:10]), row.why.text()]
