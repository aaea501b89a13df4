"""Text that was copied from a spreadsheet or stands in a CSV file, as rows of cells."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import Quantity, message
from dpwizard.base.one_line import is_seen, on_one_line

Separator = Literal["\t", ";", ",", "|"]
SEPARATORS: tuple[Separator, ...] = ("\t", ";", ",", "|")  # those that are rarer in a name come first
Rows = tuple[tuple[str, ...], ...]

MOST_ROWS, MOST_COLUMNS = 100_000, 200  # a public list may name all municipalities of a country
LONGEST = 20_000_000  # characters of the whole
LONGEST_CELL = 100_000
REMEDY = "Divide it, and read one part at a time."
LOOKED_AT = 200  # rows by which a separator is guessed
# the last four are full-width forms of the first
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
NUMBER = re.compile(r"[-+]?[0-9][0-9,]*(\.[0-9]+)?(e[-+]?[0-9]+)?")  # may begin with a sign and is no formula
NAMED = "sep="  # how a spreadsheet names its separator, in the first line


def decoded(data: bytes) -> str:
    """Return the text of a file: UTF-16 where it begins so, else UTF-8, else as older spreadsheets write."""
    ways = ("utf-16",) if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else ("utf-8-sig", "cp1252")
    for way in ways:
        try:
            return data.decode(way)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")  # every byte is a letter there: nothing is lost, and what is wrong is seen


def separator(text: str) -> Separator:
    """Return what separates the cells of TEXT: the mark that gives most of its rows the same number of cells.

    A first line such as ``sep=;`` says it. A text of one column has a tab, which stands nowhere in it.
    """
    begun = text.removeprefix("\ufeff")
    for each in SEPARATORS:
        if begun.startswith((f"{NAMED}{each}\r", f"{NAMED}{each}\n")):
            return each
    return max(SEPARATORS, key=lambda each: _evenness(begun, each))


def _evenness(text: str, each: Separator) -> float:
    """Return the share of the first rows that have as many cells as most of them, if these are several."""
    widths = Counter(len(row) for row, _ in zip(_split(text[:LONGEST_CELL], each), range(LOOKED_AT), strict=False))
    width, rows = max(widths.items(), key=lambda counted: (counted[1], counted[0]), default=(0, 0))
    return rows / widths.total() if width > 1 else 0.0


def rows_of(text: str, separated: Separator | None = None, *, blanks: bool = False) -> Rows:
    """Return the cells of TEXT, row by row, all rows equally long; empty rows, and empty columns at the end, are gone.

    Arguments: text, with line ends of any kind, perhaps a byte-order mark, cells in quotes where they hold what
    separates cells; separated, by what, guessed if it is None; blanks, whether empty rows and columns stay. Spaces
    around a cell, and line breaks in it, are not part of it. Nothing else is changed or left out: a quotation mark that
    is never closed stands for itself.
    Raises InvalidInput for more than 100,000 rows, 200 columns or 20 million characters, or a cell longer than a text
    may be.
    """
    if len(text) > LONGEST:
        most = message("has more than {most} characters", most=Quantity(LONGEST))
        raise InvalidInput(most, "text", REMEDY)
    each = separated or separator(text)
    text = text.removeprefix("\ufeff")
    if text.startswith((f"{NAMED}{each}\r", f"{NAMED}{each}\n")):
        text = text[len(NAMED) + 1 :].lstrip("\r\n")
    rows, width = [], 0
    for row in _split(text, each):
        cells = [" ".join(cell.split()) for cell in row] or [""] * blanks
        while cells and not cells[-1] and not blanks:
            cells.pop()
        if not cells and not blanks:
            continue
        rows.append(cells)
        width = max(width, len(cells))
        if len(rows) > MOST_ROWS or width > MOST_COLUMNS:
            most = message("has more than {rows} rows or {columns} columns", rows=MOST_ROWS, columns=MOST_COLUMNS)
            raise InvalidInput(most, "text", REMEDY)
    return tuple((*cells, *("",) * (width - len(cells))) for cells in rows)


def _split(text: str, each: Separator) -> Iterator[list[str]]:
    """Yield the cells of each row; where a quotation mark is not closed, or followed by more, marks are letters."""
    quoted = '"' in text and _is_quoted(text, each)
    try:
        yield from csv.reader(
            io.StringIO(text, newline=""),
            delimiter=each,
            strict=True,
            quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        )
    except csv.Error:  # the only complaint that is left: a cell of more characters than the reader takes
        long = message("has a cell of more than {most} characters", most=LONGEST_CELL)
        raise InvalidInput(long, "text", "Shorten the text.") from None


def _is_quoted(text: str, each: Separator) -> bool:
    """Return whether the quotation marks of TEXT enclose cells, all of them."""
    try:
        for _ in csv.reader(io.StringIO(text, newline=""), delimiter=each, strict=True):
            pass
    except csv.Error:
        return False
    return True


def as_text(rows: Rows) -> str:
    """Return ROWS as a spreadsheet takes them from the clipboard: tabs between cells, quotes where they are needed."""
    written = io.StringIO()
    csv.writer(written, delimiter="\t", lineterminator="\n").writerows(rows)
    return written.getvalue()


def as_csv(rows: Iterable[Sequence[Any]]) -> str:
    """Return ROWS as CSV; text that a spreadsheet would run as a formula is quoted as text."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([[_cell(value) for value in row] for row in rows])
    return written.getvalue()


def _cell(value: Any) -> Any:
    """Return VALUE as a cell: on one line, and marked as text where it begins as a formula, blanks aside."""
    if not isinstance(value, str) or NUMBER.fullmatch(value):
        return value
    blanks = "".join(char for char in value if char.isspace() or not is_seen(char))
    formula = value.startswith(FORMULA) or value.lstrip(blanks).startswith(FORMULA)
    return f"'{on_one_line(value)}" if formula else on_one_line(value)
