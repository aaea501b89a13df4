"""Records of a folder as a table: a thousand rows, sorted by a heading, filled anew without a pause."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import Signal

from ui.controls import Column, RowsTable

WIDEST = 300  # pixels of a column, except the last


class RecordRow(NamedTuple):
    """One row: what it stands for, the words of its cells, and by what each cell is sorted."""

    of: Any
    cells: tuple[str, ...]
    keys: tuple[Any, ...]


def _column(title: str, at: int, *, last: bool) -> Column:
    return Column(
        title=title,
        words=lambda row: row.cells[at],
        key=lambda row: row.keys[at],
        share=float(last),
        least=120 if last else None,
        most=WIDEST,
    )


class RecordsTable(RowsTable):
    """The table; a row that is activated leads to its record."""

    picked = Signal(object)  # what the row that was activated stands for

    def __init__(self, name: str, heads: Sequence[str], sorted_by: int = -1) -> None:
        """SORTED_BY: the column by which rows are sorted at first; -1: they stay as they come until one is chosen."""
        columns = [_column(title, at, last=at == len(heads) - 1) for at, title in enumerate(heads)]
        super().__init__(name, columns, sorts=(sorted_by, False), most=None)
        self.rows_model.same = lambda row: row.cells[0]
        self.opened.connect(lambda at: self.picked.emit(self.rows_model.rows[at].of))

    def lines(self) -> list[str]:
        """Return what is shown, in its order, cells apart by tabs."""
        return ["\t".join(" ".join(cell.split()) for cell in line) for line in (self.columns(), *self.rows())]
