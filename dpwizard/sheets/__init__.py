"""Many tables at once: read from or written to a spreadsheet or CSV file, or generated as a grid."""

from dpwizard.sheets.cells import Column, Mark, as_written, column, columns, problem_in_words
from dpwizard.sheets.copies import duplicated, rolled_forward
from dpwizard.sheets.grid import Query, attributes_of, by_needs, grid, with_grid
from dpwizard.sheets.reading import Layout, Reading, decimal_mark, guessed, read_tables, with_tables
