"""The plan of a signed release, read and checked: its columns, its tables, and what they may spend together."""

import hashlib
import json
import math
import re
import unicodedata
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from typing import Any, NamedTuple

FORMAT = "dpwizard.release/1"
MOST_CELLS = 10_000_000
MOST_DIGITS = 1_000  # of a number, above and below the line of a fraction


class WrongPlanError(Exception):
    """The plan contradicts itself, or is none."""


class RefusedError(Exception):
    """The data do not keep what the plan promises, or the release was made before."""


class Column(NamedTuple):
    """How the value of an attribute is found in a row: its classes, or the bounds that its number is clamped to."""

    of: str  # the heading, or another attribute
    classes: tuple[str, ...] | None
    mapped: dict[str, str] | None
    edges: tuple[int, ...] | None
    low: Fraction
    high: Fraction


class Table(NamedTuple):
    """A table to be published: what it is broken down by, what it sums (None: it counts), and its noise."""

    name: str
    file: str
    reads: tuple[str, ...]
    sums: str | None
    step: Fraction
    noise: str
    budget: Fraction  # rho of discrete Gaussian noise, epsilon of geometric noise
    distance: Fraction  # how far one unit may move it, in steps: squared in L2, or in L1
    months: tuple[int, int] | None  # of the rows that it counts, the first and the last; None: all rows


class Total(NamedTuple):
    """Numbers without noise of their own: what they are broken down by, what they sum (None: they count)."""

    name: str
    file: str
    reads: tuple[str, ...]
    sums: str | None
    step: Fraction
    months: tuple[int, int] | None


class Plan(NamedTuple):
    """What was signed, as far as it says how the tables are made."""

    raw: dict[str, Any]
    unit_column: str
    leading_zeros: bool
    most_rows: int | None  # of one unit that are kept; None: all
    replaced: bool  # whether neighbouring data differ by a unit replaced, and not by one added
    clamped: bool  # whether published numbers that cannot be below 0 become 0 there
    columns: dict[str, Column]
    limits: dict[str, Fraction]  # by the kind of noise: what all tables together may spend
    tables: tuple[Table, ...]
    totals: tuple[Total, ...]  # published as sums alone
    exact: tuple[Total, ...]  # published as they are, as was signed, so that others add up to them
    sums: dict[str, tuple[str, ...]]  # the names of what each table or total adds up to
    period_column: str | None  # the heading of the period of a row

    @property
    def read(self) -> list[Table | Total]:
        """Return all that is counted in the microdata: the tables, the exact numbers."""
        return [*self.tables, *self.exact]

    @property
    def every(self) -> list[Table | Total]:
        """Return all that is published: the tables, the totals, the exact numbers."""
        return [*self.tables, *self.totals, *self.exact]


def same(text: str) -> str:
    """Return TEXT as it is compared: composed (NFC), without spaces around it."""
    return unicodedata.normalize("NFC", text).strip()


def number(raw: Any) -> Fraction:
    """Return the number RAW; raises WrongPlanError where it is not written as 12, 12.5 or 25/2, or has many digits."""
    digits = f"[0-9]{{1,{MOST_DIGITS}}}"
    if re.fullmatch(rf"-?{digits}([./]{digits})?", str(raw)) is None:
        raise WrongPlanError(f"{str(raw)[:40]!r} is no number as 12, 12.5 or 25/2 of at most {MOST_DIGITS:,} digits")
    return Fraction(str(raw))


def written(loss: Fraction) -> str:
    """Return LOSS, or in digits a little more where it has more than can be written."""
    if max(loss.numerator, loss.denominator) < 10**MOST_DIGITS:
        return str(loss)
    with localcontext() as context:
        context.prec, context.rounding = 40, ROUND_CEILING
        return str(Decimal(loss.numerator) / Decimal(loss.denominator))


def read_plan(raw: dict[str, Any]) -> Plan:
    """Return the plan RAW; raises WrongPlanError where it contradicts itself."""
    if raw.get("format") != FORMAT:
        raise WrongPlanError(f"its format is not {FORMAT}")
    columns = {name: read_column(name, column) for name, column in raw["columns"].items()}
    for name in columns:
        require_source(name, columns)
    tables = tuple(read_table(table, columns) for table in raw["tables"])
    totals, exact = (tuple(read_total(one) for one in raw[kind]) for kind in ("totals", "exact"))
    if raw["neighbours"] not in ("add_remove", "replace"):
        raise WrongPlanError("neighbours: add_remove or replace")
    every: list[Table | Total] = [*tables, *totals, *exact]
    require_file_names([table.file for table in every])
    sums = {child: tuple(parents) for child, parents in raw["sums"].items()}
    require_sums(sums, {table.name: table for table in every}, columns)
    texts = (*(raw["record"][name] for name in ("name", "sha256")), *raw["published_without_noise"])
    if not isinstance(raw["published_without_noise"], list) or not all(isinstance(text, str) for text in texts):
        raise WrongPlanError("its record, or what is published without noise, has no names")
    limits = {"discrete_gaussian": number(raw["rho"] or 0), "geometric": number(raw["epsilon"] or 0)}
    for noise, limit in limits.items():
        spent = sum((table.budget for table in tables if table.noise == noise), Fraction())
        if spent > limit and not raw["some_share_no_unit"]:
            raise WrongPlanError(f"the tables with {noise} noise spend {written(spent)}, more than the plan's {limit}")
    return Plan(
        raw=raw,
        unit_column=same(raw["unit_column"]),
        leading_zeros=bool(raw["leading_zeros"]),
        most_rows=None if raw["most_rows_of_a_unit"] is None else int(raw["most_rows_of_a_unit"]),
        replaced=raw["neighbours"] == "replace",
        clamped=raw["below_zero"] == "zero",
        columns=columns,
        limits=limits,
        tables=tables,
        totals=totals,
        exact=exact,
        sums=sums,
        period_column=None if raw["period_column"] is None else same(raw["period_column"]),
    )


def read_column(name: str, raw: dict[str, Any]) -> Column:
    """Return the column RAW of the attribute NAME."""
    classes = tuple(map(same, raw["classes"])) if "classes" in raw else None
    mapped = {same(key): same(value) for key, value in raw["map"].items()} if "map" in raw else None
    edges = tuple(map(int, raw["from"])) if "from" in raw else None
    low, high = number(raw.get("low", 0)), number(raw.get("high", 0))
    if classes is not None and len(set(classes)) != len(classes):
        raise WrongPlanError(f"{name}: a class is given twice")
    if mapped is not None and (classes is None or set(mapped.values()) != set(classes)):
        raise WrongPlanError(f"{name}: its map does not lead to its classes")
    if mapped is not None and len(mapped) != len(raw["map"]):
        raise WrongPlanError(f"{name}: its map names a value twice")
    if edges is not None and (classes is None or len(edges) != len(classes) or sorted(set(edges)) != list(edges)):
        raise WrongPlanError(f"{name}: its edges do not rise, or are not as many as its classes")
    if classes is None and not low < high:
        raise WrongPlanError(f"{name}: has neither classes nor bounds")
    return Column(same(raw.get("of", name)), classes, mapped, edges, low, high)


def source_of(name: str, columns: dict[str, Column]) -> str | None:
    """Return the other attribute that NAME is found from; None where it is found from a heading."""
    of = columns[name].of
    return of if of in columns and of != name else None


def heading_of(name: str, columns: dict[str, Column]) -> str:
    """Return the heading that NAME is found from in the end."""
    source = source_of(name, columns)
    return columns[name].of if source is None else heading_of(source, columns)


def require_source(name: str, columns: dict[str, Column]) -> None:
    """Raise WrongPlanError where NAME is found from itself, or its map forgets a class that it is found from."""
    seen, at = {name}, name
    while (source := source_of(at, columns)) is not None:
        mapped, edges = columns[at].mapped, columns[at].edges
        if mapped is not None and set(mapped) != set(columns[source].classes or ()):
            raise WrongPlanError(f"{at}: its map does not name each class of {source} once")
        if mapped is None and (edges is None or columns[source].classes is not None):
            raise WrongPlanError(f"{at}: cannot be found from {source}")
        if source in seen:
            raise WrongPlanError(f"{name}: is found from itself")
        seen.add(source)
        at = source


def read_table(raw: dict[str, Any], columns: dict[str, Column]) -> Table:
    """Return the table RAW, all whose attributes are among COLUMNS."""
    table = Table(
        name=raw["name"],
        file=raw["file"],
        reads=tuple(raw["reads"]),
        sums=raw["sums"],
        step=number(raw["step"]),
        noise=raw["noise"],
        budget=number(raw["rho" if raw["noise"] == "discrete_gaussian" else "epsilon"]),
        distance=number(raw["squared_distance" if raw["noise"] == "discrete_gaussian" else "distance"]),
        months=read_months(raw),
    )
    if table.noise not in ("discrete_gaussian", "geometric") or min(table.budget, table.distance, table.step) <= 0:
        raise WrongPlanError(f"table {table.name!r}: its noise, budget, distance or step is wrong")
    if any(columns[name].classes is None for name in table.reads) or len(set(table.reads)) != len(table.reads):
        raise WrongPlanError(
            f"table {table.name!r}: it is broken down by an attribute twice, or by one without classes"
        )
    if table.sums is not None and columns[table.sums].classes is not None:
        raise WrongPlanError(f"table {table.name!r}: {table.sums} has no bounds, so it cannot be added up")
    if math.prod(len(columns[name].classes or ()) for name in table.reads) > MOST_CELLS:
        raise WrongPlanError(f"table {table.name!r}: it has more than {MOST_CELLS:,} cells")
    return table


def read_total(raw: dict[str, Any]) -> Total:
    """Return the numbers RAW, which have no noise of their own."""
    return Total(raw["name"], raw["file"], tuple(raw["reads"]), raw["sums"], number(raw["step"]), read_months(raw))


def read_months(raw: dict[str, Any]) -> tuple[int, int] | None:
    """Return the first and the last month of the rows that the table RAW counts; None: all rows."""
    return None if raw["months"] is None else (int(raw["months"][0]), int(raw["months"][1]))


def class_in(columns: dict[str, Column], name: str, known: dict[str, str]) -> str:
    """Return the class of attribute NAME where those KNOWN are given; raises WrongPlanError if they do not say it."""
    if name in known:
        return known[name]
    source, mapped = source_of(name, columns), columns[name].mapped
    if source is None or mapped is None:
        raise WrongPlanError(f"{name}: cannot be found from {', '.join(known) or 'nothing'}")
    return mapped[class_in(columns, source, known)]


def require_sums(
    sums: dict[str, tuple[str, ...]], tables: dict[str, Table | Total], columns: dict[str, Column]
) -> None:
    """Raise WrongPlanError where a table adds up to none that there is, to itself, or to one of another kind."""
    if not all(sums.values()):
        raise WrongPlanError("a table adds up to nothing")
    for child, parent in ((child, parent) for child, parents in sums.items() for parent in parents):
        if child not in tables or parent not in tables:
            raise WrongPlanError(f"{child!r} adds up to {parent!r}: there is no such table")
        one, other = tables[child], tables[parent]
        if (one.sums, one.step, one.months) != (other.sums, other.step, other.months):
            raise WrongPlanError(f"{child!r} adds up to {parent!r}, which holds something else")
        cell = {name: (columns[name].classes or ("",))[0] for name in one.reads}
        for name in other.reads:
            class_in(columns, name, cell)
    for child in sums:
        above, seen = [child], {child}
        for at in above:  # grows while it is read
            if child in sums.get(at, ()):
                raise WrongPlanError(f"{child!r} adds up to itself")
            above += [parent for parent in sums.get(at, ()) if parent not in seen]
            seen |= set(above)


def require_file_names(names: list[str]) -> None:
    """Raise WrongPlanError where two tables have one file, or a name leads out of the folder."""
    seen = {"public_log.json", "confidential_log.json", "rehearsal.json", "made_up.csv"}
    for name in names:
        plain = same(name).casefold()
        if plain in seen:
            raise WrongPlanError(f"the file name {name!r} is given twice")
        if not name.endswith(".csv") or set(name) & set('/\\:*?"<>|') or ".." in name or not name.isprintable():
            raise WrongPlanError(f"{name!r} is no file name")
        seen.add(plain)


def plan_hash(plan: Plan) -> str:
    """Return the SHA-256 of what the plan says, however its file is laid out."""
    return hashlib.sha256(json.dumps(plan.raw, sort_keys=True).encode()).hexdigest()
