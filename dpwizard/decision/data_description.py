"""The public lists from which the tables of a release are built: nothing here is read from the data."""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from fractions import Fraction
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema, model_validator

from dpwizard.base.csv_text import rows_of
from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.nearest import nearest
from dpwizard.base.numerics import decimal
from dpwizard.base.values import Number, ShortText, Value, field, pairs
from dpwizard.decision.tables import Table

MOST_CLASSES = 100_000
MOST_COLUMNS = 200
REMEDY = "Correct the public list."

Edge = Annotated[int, Field(strict=True, ge=-(10**15), le=10**15)]
Classes = Annotated[tuple[ShortText, ...], Field(min_length=1, max_length=MOST_CLASSES)]
ClassOf = Annotated[  # {value of another attribute, or in the file: class}
    tuple[tuple[ShortText, ShortText], ...],
    BeforeValidator(pairs),
    PlainSerializer(dict, when_used="json"),
    Field(min_length=1, max_length=MOST_CLASSES),
    WithJsonSchema({"type": "object", "additionalProperties": {"type": "string"}, "minProperties": 1}),
]


class Column(Value):
    """How an attribute's value is found in a row of the file, in one of four forms."""

    model_config = ConfigDict(serialize_by_alias=True)

    classes: Classes | None = field("Classes", "All values that the attribute can have, from a public list.")
    of: ShortText | None = field("Derived from", "The heading, or the other attribute, that it is derived from.")
    map: ClassOf | None = field("Class of each value", "The class of each value of that attribute.")
    edges: Annotated[tuple[Edge, ...] | None, Field(alias="from", min_length=1, max_length=MOST_CLASSES)] = field(
        "Least number of each class", "For a whole number in the file, for instance 0, 18, 65."
    )
    low: Number | None = field("Least value", "For a number that is added up. Smaller ones count as this.")
    high: Number | None = field("Largest value", "For a number that is added up. Larger ones count as this.")

    @model_validator(mode="after")
    def _has_one_form(self) -> Column:
        stated = [name for name in ("map", "edges", "low") if getattr(self, name) is not None]
        fits = {
            (): self.classes is not None and self.of is None,
            ("map",): self.of is not None and self.classes is None,
            ("edges",): self.of is not None,
            ("low",): self.high is not None and self.classes is None,
        }
        if not fits.get(tuple(stated), False) or (self.high is not None and stated != ["low"]):
            raise InvalidInput(
                "must state classes; or of and map; or of and from; or low and high",
                "",
                "Keep one of these forms.",
            )
        self._check_values()
        return self

    def _check_values(self) -> None:
        for name, texts in (("classes", self.classes or ()), ("map", [value for value, _ in self.map or ()])):
            _require_different(texts, name)
        if any(not same(name) for _, name in self.map or ()):
            raise InvalidInput("must not be empty", "map", REMEDY)
        if self.edges is not None and sorted(set(self.edges)) != list(self.edges):
            raise InvalidInput("must rise from each number to the next", "from", REMEDY)
        if self.edges is not None and self.classes is not None and len(self.edges) != len(self.classes):
            problem = message("must have {count} entries, one for each edge", count=len(self.edges))
            raise InvalidInput(problem, "classes", REMEDY)
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise InvalidInput("must be below high", "low", REMEDY)

    @property
    def labels(self) -> tuple[str, ...] | None:
        """Return all classes in order; None for a number that is summed."""
        if self.map is not None:
            return tuple(dict.fromkeys(same(name) for _, name in self.map))
        if self.edges is not None and self.classes is None:
            return _interval_names(self.edges)
        return None if self.classes is None else tuple(same(name) for name in self.classes)

    def planned(self) -> dict[str, Any]:
        """Return the column as the release script uses it: with its classes, and bounds as exact fractions."""
        stated: dict[str, Any] = {} if self.of is None else {"of": self.of}
        if self.low is not None and self.high is not None:
            return stated | {"low": str(decimal(self.low)), "high": str(decimal(self.high))}
        stated |= {"classes": list(self.labels or ())}
        stated |= {} if self.map is None else {"map": dict(self.map)}
        return stated if self.edges is None else stated | {"from": list(self.edges)}


def same(text: str) -> str:
    """Return TEXT normalised for comparison: composed (NFC), without surrounding spaces."""
    return unicodedata.normalize("NFC", text).strip()


def _require_different(texts: Iterable[str], where: str) -> None:
    counts = Counter(same(text) for text in texts)
    for name, count in counts.items():
        if not name:
            raise InvalidInput("must not be empty", where, REMEDY)
        if count > 1:
            raise InvalidInput(message('names "{name}" twice', name=name), where, REMEDY)


def _require_all_classes(name: str, mapped: list[str], source: str, classes: tuple[str, ...]) -> None:
    for value in mapped:
        if value not in classes:
            near = nearest(value, classes)
            raise InvalidInput(
                message('"{value}" is not a class of {source}', value=value, source=source)
                if near is None
                else message(
                    '"{value}" is not a class of {source}; did you mean "{near}"?',
                    value=value,
                    source=source,
                    near=near,
                ),
                f"columns.{name}.map",
                REMEDY,
            )
    missing = [value for value in classes if value not in mapped]
    if missing:
        raise InvalidInput(
            message('has no class for "{value}" of {source}', value=missing[0], source=source),
            f"columns.{name}.map",
            REMEDY,
        )


def _interval_names(edges: tuple[int, ...]) -> tuple[str, ...]:
    ends = [later - 1 for later in edges[1:]]
    named = [str(low) if low == high else f"{low}-{high}" for low, high in zip(edges, ends, strict=False)]
    return (*named, f"{edges[-1]}+")


class _ColumnsByName:  # builds its schema on request, as that is slow
    def __get_pydantic_json_schema__(self, *_: Any) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": Column.model_json_schema(), "minProperties": 1}


Columns = Annotated[  # {attribute: column}, kept in the order given
    tuple[tuple[ShortText, Column], ...],
    BeforeValidator(pairs),
    PlainSerializer(
        lambda columns: {name: column.model_dump(mode="json", exclude_none=True) for name, column in columns},
        when_used="json",
    ),
    Field(min_length=1, max_length=MOST_COLUMNS),
    _ColumnsByName(),
]


class DataDescription(Value):
    """The file of microdata: whose rows it holds, and how each attribute of a table is found."""

    unit_column: ShortText | None = field(
        "Heading of the person or thing", "The heading of the column that names the person or thing of each row."
    )
    leading_zeros: bool | None = field(
        "Identifiers begin with zeros",
        "Whether 07 and 7 are different people or things. If empty: such identifiers are refused.",
    )
    period_column: ShortText | None = field(
        "Heading of the period",
        "The heading of the column that gives the period of each row, for instance 2025-Q1 or 2025-03.",
    )
    columns: Columns | None = field("Attributes", "How the value of each attribute is found in a row.")

    @model_validator(mode="after")
    def _is_consistent(self) -> DataDescription:
        _require_different([name for name, _ in self.columns or ()], "columns")
        for name, column in self.columns or ():
            self._require_usable_source(name, column)
        return self

    def _require_usable_source(self, name: str, column: Column) -> None:
        source = self.source(name)
        if source is None:
            return
        other = self.column(source)
        assert other is not None
        at, seen = source, {name}
        while (after := self.source(at)) is not None and at not in seen:
            seen.add(at)
            at = after
        if at in seen:
            raise InvalidInput("is derived from itself", f"columns.{name}.of", "Name a heading of the file.")
        if column.map is None and (column.edges is None or other.labels is not None):
            raise InvalidInput(
                message("cannot be derived from the classes of {source}", source=source),
                f"columns.{name}.of",
                "Name a heading of the file.",
            )
        if column.map is not None:
            _require_all_classes(name, [same(value) for value, _ in column.map], source, other.labels or ())

    def column(self, attribute: str) -> Column | None:
        """Return how ATTRIBUTE is found; None if that is not described."""
        return next((column for name, column in self.columns or () if same(name) == same(attribute)), None)

    def planned(self, attributes: Set[str]) -> dict[str, Any]:
        """Return ATTRIBUTES and their sources as the release script reads them."""
        needed = {same(name) for name in attributes}
        needed |= {source for name in needed if (source := self.source(name)) is not None}
        if len(needed) > len(attributes):
            return self.planned(needed)
        return {name: column.planned() for name, column in self.columns or () if same(name) in needed}

    def cells(self, reads: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the cells of a table that READS these attributes, by the public lists, the last attribute fastest."""
        columns = [self.column(name) for name in reads]
        return list(itertools.product(*(column.labels or () if column is not None else () for column in columns)))

    def above(self, reads: Sequence[str], others: Sequence[str]) -> tuple[int, ...] | None:
        """Return for each cell of READS the cell of OTHERS that contains it; None if no list gives it."""
        sources: list[tuple[int, list[dict[str, str]]]] = []  # the source attribute of each, and its maps
        for name in others:
            at, maps = same(name), list[dict[str, str]]()
            while at not in map(same, reads):
                column, source = self.column(at), self.source(at)
                if column is None or column.map is None or source is None:
                    return None
                at, maps = source, [dict(column.map), *maps]
            sources.append((list(map(same, reads)).index(at), maps))
        places = {cell: at for at, cell in enumerate(self.cells(others))}
        cells_above = []
        for cell in self.cells(reads):
            classes = []
            for place, maps in sources:
                label = cell[place]
                for class_of in maps:
                    label = class_of[label]
                classes.append(label)
            cells_above.append(places[tuple(classes)])
        return tuple(cells_above)

    def source(self, attribute: str) -> str | None:
        """Return the source attribute of ATTRIBUTE; None if it comes from a column heading."""
        column = self.column(attribute)
        if column is None or column.of is None or same(column.of) == same(attribute):
            return None
        return same(column.of) if self.column(column.of) is not None else None


def breakdown(table: Table, described: DataDescription) -> tuple[tuple[str, ...], str | None, Fraction]:
    """Return the attributes that TABLE is broken down by, the one that it sums (None: it counts), and its step.

    Raises InvalidInput if the public lists of DESCRIBED do not give this table.
    """
    where = f"{table.place}.reads"
    if table.reads is None:
        raise InvalidInput("is missing", where, "Name the attributes that the table is broken down by, or none.")
    columns: dict[str, Column] = {}
    for name in table.reads:
        column = described.column(name)
        if column is None:
            problem = message('there is no public list of "{name}"', name=name)
            raise InvalidInput(problem, where, "Add it to the data description.")
        columns[name] = column
    summed = [name for name, column in columns.items() if column.labels is None]
    if len(summed) != (table.statistic == "sum"):
        raise InvalidInput(
            message("a sum adds up one attribute that has limits; found {count}", count=len(summed))
            if table.statistic == "sum"
            else message("a count is broken down by classes; {name} has limits alone", name=summed[0]),
            where,
            "Correct what the table reads, or the data description.",
        )
    numbers = math.prod(len(column.labels or ()) for name, column in columns.items() if name not in summed)
    if table.dimension not in (1, numbers):
        problem = message("the public lists give {count} numbers; found {found}", count=numbers, found=table.dimension)
        raise InvalidInput(problem, f"{table.place}.dimension", "Correct the lists, or the numbers published.")
    classed = tuple(name for name in columns if name not in summed)
    if not summed:
        return classed, None, Fraction(1)
    return classed, summed[0], _noise_step(table, summed[0], columns[summed[0]])


def _noise_step(table: Table, name: str, column: Column) -> Fraction:
    if table.step is None:
        missing = "is missing: noise in whole steps hides no fraction"
        raise InvalidInput(missing, f"{table.place}.step", "State it, for instance 1.")
    step = decimal(table.step)
    for end, bound in (("low", column.low), ("high", column.high)):
        if bound is not None and (decimal(bound) / step).denominator != 1:
            problem = message("must be a multiple of the table’s step {step}", step=table.step)
            raise InvalidInput(problem, f"$.release.data.columns.{name}.{end}", "Correct the limit, or the step.")
    return step


HINT = "Put one class in each row, and the attributes in the first row."


def with_code_list(described: DataDescription | None, text: str) -> dict[str, Any]:
    """Return the fields of DESCRIBED, as in a decision file, with the attributes of TEXT, a code list in CSV.

    The first row names attributes. The first column holds every class of the first; each further column holds the class
    of its own attribute that it belongs to, as an area to its region. An attribute that was described before is
    replaced. Raises InvalidInput with the row of an empty cell, or of an attribute or class that is named twice.
    """
    rows = rows_of(text)
    if len(rows) < 2:
        raise InvalidInput("lists no class", "row 1", HINT)
    first, *others = rows[0]
    classes = [row[0] for row in rows[1:]]
    for at, row in enumerate(rows, start=1):
        if not all(row):
            raise InvalidInput(message("has an empty cell in row {row}", row=at), f"row {at}", HINT)
    _require_different_rows((1, name) for name in rows[0])
    _require_different_rows(enumerate(classes, start=2))
    stated = {} if described is None else described.model_dump(mode="json", exclude_none=True)
    listed: dict[str, Any] = {first: {"classes": classes}}
    for at, name in enumerate(others, start=1):
        listed[name] = {"of": first, "map": {row[0]: row[at] for row in rows[1:]}}
    return {**stated, "columns": {**stated.get("columns", {}), **listed}}


def _require_different_rows(names: Iterable[tuple[int, str]]) -> None:
    seen: set[str] = set()
    for at, name in names:
        if name in seen:
            raise InvalidInput(message('names "{name}" twice', name=name), f"row {at}", HINT)
        seen.add(name)
