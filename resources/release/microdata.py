"""The microdata of a release, read and checked: the rows of each unit, and what it contributes to each table."""

import csv
import hashlib
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from signed_plan import Plan, RefusedError, Table, Total, heading_of, same, source_of, written

Row = tuple[Any, ...]  # the value of each attribute, in the order of the plan's columns; then its months
PERIOD = re.compile(r"(\d{4})(?:-(?:Q([1-4])|(0[1-9]|1[0-2])))?")  # a year, a quarter or a month


def sha256(data: bytes) -> str:
    """Return the SHA-256 of DATA."""
    return hashlib.sha256(data).hexdigest()


def rows_of(data: bytes) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each line of the CSV file DATA, and its fields; raises RefusedError naming the line."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data[: problem.start].count(b"\n") + 1
        raise RefusedError(f"line {line}: is not UTF-8 text. Save the file as UTF-8, not as Latin-1.") from None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if row:
                yield reader.line_num, [same(field) for field in row]
    except csv.Error as problem:
        raise RefusedError(f"line {reader.line_num}: {problem}") from None


def require_headings(plan: Plan, headings: list[str]) -> None:
    """Raise RefusedError where a heading is given twice or missing."""
    twice = [name for name, count in Counter(headings).items() if count > 1]
    if twice:
        raise RefusedError(f"line 1: the heading {twice[0]!r} is given twice")
    needed = [plan.unit_column, *(heading_of(name, plan.columns) for name in plan.columns)]
    needed += [] if plan.period_column is None else [plan.period_column]
    for name in needed:
        if name not in headings:
            raise RefusedError(f"line 1: there is no heading {name!r}. Are the fields separated by commas?")


def unit_of(plan: Plan, text: str) -> str:
    """Return the identifier of a row's unit; raises RefusedError where there is none, or it may be another's."""
    if not text:
        raise RefusedError(f"no {plan.unit_column}")
    if text[0] == "0" and len(text) > 1 and text.isdigit() and not plan.leading_zeros:
        raise RefusedError(f"{plan.unit_column} {text!r} begins with a zero; the plan does not say that such exist")
    return text


def value_of(plan: Plan, name: str, row: dict[str, str]) -> Any:
    """Return the class of attribute NAME in ROW, or its number clamped to its bounds."""
    column = plan.columns[name]
    heading = heading_of(name, plan.columns)
    if column.classes is None:
        return min(max(number_in(name, row[heading]), column.low), column.high)
    found: str | None = row[heading]
    if column.edges is not None:
        number = number_in(name, row[heading])
        at = sum(number >= edge for edge in column.edges) - 1
        found = column.classes[at] if at >= 0 else None
    elif column.mapped is not None:
        source = source_of(name, plan.columns)
        found = column.mapped.get(row[heading] if source is None else value_of(plan, source, row))
    if found not in column.classes:
        raise RefusedError(f"{name}: {row[heading]!r} is none of the classes of the plan")
    return found


def months_of(plan: Plan, row: dict[str, str]) -> tuple[int, int] | None:
    """Return the first and the last month, counted from year 0, of the period of ROW; None where none is read.

    Raises RefusedError where it is no period, or lies in a table's period in part.
    """
    if plan.period_column is None:
        return None
    text = row[plan.period_column]
    found = PERIOD.fullmatch(text)
    if found is None:
        raise RefusedError(f"{plan.period_column}: {text!r} is no period such as 2025, 2025-Q1 or 2025-03")
    year, quarter, month = (int(group or 0) for group in found.groups())
    first = 12 * year + (3 * (quarter - 1) if quarter else max(month - 1, 0))
    last = first + (2 if quarter else 0 if month else 11)
    for table in plan.tables:
        if table.months is not None and not inside(table, (first, last)):
            low, high = table.months
            if first <= high and last >= low:
                raise RefusedError(f"{plan.period_column}: {text!r} lies in the period of {table.name!r} in part")
    return first, last


def inside(table: Table | Total, months: tuple[int, int] | None) -> bool:
    """Return whether TABLE counts rows of these MONTHS."""
    return table.months is None or (
        months is not None and table.months[0] <= months[0] and months[1] <= table.months[1]
    )


def number_in(name: str, text: str) -> Fraction:
    """Return the number written as TEXT, a decimal; raises RefusedError where it is none."""
    if re.fullmatch(r"[-+]?[0-9]{1,30}(\.[0-9]{1,30})?", text) is None:
        raise RefusedError(f"{name}: {text!r} is no number written as 12 or 12.5")
    return Fraction(text)


def units_in(plan: Plan, data: bytes) -> tuple[dict[str, list[Row]], dict[str, Any]]:
    """Return the rows of each unit in the CSV file DATA, those kept, and what was found on the way."""
    lines = rows_of(data)
    _, headings = next(lines, (1, []))
    require_headings(plan, headings)
    units: dict[str, list[Row]] = defaultdict(list)
    rows = dropped = 0
    for line, fields in lines:
        if len(fields) != len(headings):
            raise RefusedError(f"line {line}: has {len(fields)} fields, not {len(headings)}")
        row = dict(zip(headings, fields, strict=True))
        try:
            unit = unit_of(plan, row[plan.unit_column])
            found = (*(value_of(plan, name, row) for name in plan.columns), months_of(plan, row))
        except RefusedError as problem:
            raise RefusedError(f"line {line}: {problem}") from None
        rows += 1
        if plan.most_rows is not None and len(units[unit]) >= plan.most_rows:
            dropped += 1
        else:
            units[unit].append(found)
    if not rows:
        raise RefusedError("the file has no rows")
    return units, {"rows": rows, "units": len(units), "rows_dropped": dropped, "sha256": sha256(data)}


# ---------------------------------------------------------------- what each unit contributes


def of_unit(plan: Plan, table: Table | Total, rows: list[Row]) -> dict[tuple[str, ...], int]:
    """Return what the ROWS of one unit add to each cell of TABLE, in whole steps."""
    places = [list(plan.columns).index(name) for name in table.reads]
    summed = None if table.sums is None else list(plan.columns).index(table.sums)
    cells: dict[tuple[str, ...], int] = defaultdict(int)
    for row in rows:
        if not inside(table, row[-1]):
            continue
        steps = 1 if summed is None else row[summed] / table.step
        if steps != int(steps):
            raise RefusedError(f"table {table.name!r}: {row[summed or 0]} is no multiple of its step {table.step}")
        cells[tuple(row[place] for place in places)] += int(steps)
    return cells


def counted(plan: Plan, units: dict[str, list[Row]]) -> tuple[list[dict[tuple[str, ...], int]], dict[str, Any]]:
    """Return the true numbers of each table, then of what is exact, and the largest contributions of units to tables.

    Raises RefusedError where one is too large. Of data that differ by a unit replaced, both pass this check: a unit
    that moves a table by c when it is added moves it by at most 2 c in L1 when it takes another's place. Counts that
    rise and counts that fall are at right angles or nearer, so that in L2 the squares add up; sums that may be negative
    may move by (2 c)^2.
    """
    totals: list[dict[tuple[str, ...], int]] = [defaultdict(int) for _ in plan.read]
    largest = [0] * len(plan.tables)
    patterns: set[tuple[int, ...]] = set()
    bundles = Counter(tuple(sorted(rows, key=repr)) for rows in units.values())
    for rows, times in bundles.items():
        sizes = []
        added = [of_unit(plan, table, list(rows)) for table in plan.read]
        for total, cells in zip(totals, added, strict=True):
            for cell, steps in cells.items():
                total[cell] += steps * times
        for at, (table, cells) in enumerate(zip(plan.tables, added, strict=False)):
            in_l2 = table.noise == "discrete_gaussian"
            sizes.append(sum(steps**2 if in_l2 else abs(steps) for steps in cells.values()))
            largest[at] = max(largest[at], sizes[at])
        patterns.add(tuple(sizes))
    for table, size in zip(plan.tables, largest, strict=True):
        if size * factor(plan, table) > table.distance:
            squared = "squared " if table.noise == "discrete_gaussian" else ""
            raise RefusedError(
                f"Table {table.name!r}: one unit changes it by a {squared}distance of up to "
                f"{size * factor(plan, table)} steps; the plan was signed for {table.distance}. "
                "Keep fewer rows of a unit by a public rule, or sign a plan that allows more."
            )
    most = {noise: max(loss_of(plan, noise, pattern) for pattern in patterns) for noise in plan.limits}
    for noise, loss in most.items():
        if loss > plan.limits[noise]:
            raise RefusedError(
                f"One unit loses {written(loss)} in all tables together; the plan allows {plan.limits[noise]}. "
                "Keep fewer rows of a unit by a public rule, or sign a plan that allows more."
            )
    sizes_by_name = {table.name: size for table, size in zip(plan.tables, largest, strict=True)}
    return totals, {"largest_contributions": sizes_by_name, "largest_loss": {k: written(v) for k, v in most.items()}}


def factor(plan: Plan, table: Table) -> int:
    """Return how many times a unit's own contribution a neighbouring file may differ by."""
    if not plan.replaced:
        return 1
    negative = table.sums is not None and plan.columns[table.sums].low < 0
    return 4 if negative and table.noise == "discrete_gaussian" else 2


def loss_of(plan: Plan, noise: str, sizes: tuple[int, ...]) -> Fraction:
    """Return what a unit with contributions of these SIZES loses in all tables with this NOISE together."""
    rates = (
        table.budget * factor(plan, table) * size / table.distance
        for table, size in zip(plan.tables, sizes, strict=True)
        if table.noise == noise
    )
    return sum(rates, Fraction())
