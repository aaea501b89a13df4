"""Rows of cells from text copied from a spreadsheet or read from a CSV file, and back."""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import Quantity, message
from dpwizard.base.one_line import is_seen, on_one_line

Separator = Literal["\t", ";", ",", "|"]
SEPARATORS: tuple[Separator, ...] = ("\t", ";", ",", "|")  # rarest in names first
Rows = tuple[tuple[str, ...], ...]

MOST_ROWS, MOST_COLUMNS = 100_000, 200  # a public list may name all municipalities of a country
LONGEST = 20_000_000  # characters of the whole
LONGEST_CELL = 100_000
REMEDY = "Divide it, and read one part at a time."
GUESS_ROWS = 200  # by which a separator is guessed
# the last four are the full-width forms of the first four
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
NUMBER = re.compile(r"[-+]?[0-9][0-9,]*(\.[0-9]+)?(e[-+]?[0-9]+)?")  # not a formula, even with a sign
NAMED = "sep="  # the first line of some spreadsheets, which names the separator


def decoded(data: bytes) -> str:
    """Decode the text of a file: UTF-16 if it has a byte-order mark, else UTF-8, else Windows-1252, else Latin-1."""
    is_utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if is_utf16 else ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")  # decodes any bytes


def separator(text: str) -> Separator:
    """Return the separator named in a first line such as ``sep=;``, else the one that splits TEXT most evenly.

    For a text of one column this is the tab.
    """
    text = text.removeprefix("\ufeff")
    for each in SEPARATORS:
        if text.startswith((f"{NAMED}{each}\r", f"{NAMED}{each}\n")):
            return each
    return max(SEPARATORS, key=lambda each: _evenness(text, each))


def _evenness(text: str, each: Separator) -> float:
    """Return the share of the first rows that have the most common number of cells; 0 if that number is 1."""
    widths = Counter(len(row) for row in itertools.islice(_split(text[:LONGEST_CELL], each), GUESS_ROWS))
    width, rows = max(widths.items(), key=lambda counted: (counted[1], counted[0]), default=(0, 0))
    return rows / widths.total() if width > 1 else 0.0


def rows_of(text: str, separated: Separator | None = None, *, blanks: bool = False) -> Rows:
    """Return the cells of TEXT, row by row, all rows equally long, without empty rows or trailing empty columns.

    Arguments: text, with any line ends, cells quoted where necessary, perhaps a byte-order mark; separated, the
    separator (None: guessed); blanks, whether to keep empty rows and columns. White space around a cell is removed, and
    line breaks in it become spaces. If a quotation mark is not closed, quotation marks are taken literally.
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
    """Yield the cells of each row; without valid quoting, quotation marks are taken literally."""
    quoted = '"' in text and _is_quoted(text, each)
    try:
        yield from csv.reader(
            io.StringIO(text, newline=""),
            delimiter=each,
            strict=True,
            quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        )
    except csv.Error:  # the only error left: a cell longer than the reader allows
        long = message("has a cell of more than {most} characters", most=LONGEST_CELL)
        raise InvalidInput(long, "text", "Shorten the text.") from None


def _is_quoted(text: str, each: Separator) -> bool:
    """Return whether every quotation mark of TEXT is valid CSV quoting."""
    try:
        for _ in csv.reader(io.StringIO(text, newline=""), delimiter=each, strict=True):
            pass
    except csv.Error:
        return False
    return True


def as_text(rows: Rows) -> str:
    """Return ROWS as tab-separated text for the clipboard."""
    written = io.StringIO()
    csv.writer(written, delimiter="\t", lineterminator="\n").writerows(rows)
    return written.getvalue()


def as_csv(rows: Iterable[Sequence[Any]]) -> str:
    """Return ROWS as CSV; text that a spreadsheet would run as a formula gets a leading apostrophe."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([[_cell(value) for value in row] for row in rows])
    return written.getvalue()


def _cell(value: Any) -> Any:
    """Return VALUE as a cell: on one line, with a leading apostrophe if it begins like a formula."""
    if not isinstance(value, str) or NUMBER.fullmatch(value):
        return value
    blanks = "".join(char for char in value if char.isspace() or not is_seen(char))
    formula = value.startswith(FORMULA) or value.lstrip(blanks).startswith(FORMULA)
    return f"'{on_one_line(value)}" if formula else on_one_line(value)
