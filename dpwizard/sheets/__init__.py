"""Many tables at once: read from a spreadsheet or a CSV file, written for one, or filled as a grid."""

from dpwizard.sheets.cells import Column, Mark, as_written, column, columns, problem_in_words
from dpwizard.sheets.copies import duplicated
from dpwizard.sheets.grid import Query, attributes_of, grid, with_grid
from dpwizard.sheets.reading import (
    CellProblem,
    Layout,
    Reading,
    decimal_mark,
    guessed,
    read_tables,
    with_tables,
)
from dpwizard.sheets.text import SEPARATORS, Rows, Separator, as_csv, as_text, decoded, rows_of, separator

__all__ = [
    "SEPARATORS",
    "CellProblem",
    "Column",
    "Layout",
    "Mark",
    "Query",
    "Reading",
    "Rows",
    "Separator",
    "as_csv",
    "as_text",
    "as_written",
    "attributes_of",
    "column",
    "columns",
    "decimal_mark",
    "decoded",
    "duplicated",
    "grid",
    "guessed",
    "problem_in_words",
    "read_tables",
    "rows_of",
    "separator",
    "with_grid",
    "with_tables",
]
