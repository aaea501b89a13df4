"""Very many requirements of one step as a table: only the chosen row has a card."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpwizard.decision import BaseRequirement, RequirementResult
from dpwizard.wording import PrintedRange, assessments, word
from ui.controls import Column, RowsTable
from ui.widgets import added, plain, tr

VISIBLE_ROWS = 10
Listed = tuple[BaseRequirement, RequirementResult | None, str]  # with its limit in words


def _name(row: Listed) -> str:
    return row[0].name or word("kind", getattr(row[0], "kind", ""))


class RequirementList(QWidget):
    """The table; it signals the row that is chosen."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        columns = (
            Column(title=tr("Requirement"), words=_name, share=0.36, least=140),
            Column(title=tr("Table"), words=lambda row: getattr(row[0], "part", None) or "", share=0.34, least=120),
            Column(title=tr("Limit"), words=lambda row: row[2], share=0.3),
        )
        name = tr("All requirements of this step")
        self.table = added(plain(QVBoxLayout(self), 0), RowsTable(name, columns, most=VISIBLE_ROWS))
        self.table.rows_model.same = lambda row: (_name(row), row[1] is None)
        self.table.chosen.connect(self.chosen)
        self._requirements: tuple[BaseRequirement, ...] = ()
        self._answers: tuple[RequirementResult | None, ...] = ()
        self._limits: tuple[str, ...] = ()

    def show_requirements(self, requirements: tuple[BaseRequirement, ...], row: int) -> None:
        """Show REQUIREMENTS, with ROW chosen; no signal is sent."""
        if len(requirements) != len(self._requirements):
            self._answers, self._limits = (None,) * len(requirements), ("",) * len(requirements)
        self._requirements = requirements
        with QSignalBlocker(self.table):
            self._show()
            if self.table.currentIndex().row() != row:
                self.table.choose(row)

    def show_answers(self, answers: tuple[RequirementResult | None, ...], shown: PrintedRange) -> None:
        """Show the limit of each requirement with the digits of the range SHOWN; an answer is None while unknown."""
        limits = tuple("" if answer is None else assessments.bound(answer, shown) for answer in answers)
        if len(answers) == len(self._requirements) and (answers, limits) != (self._answers, self._limits):
            self._answers, self._limits = answers, limits
            self._show()

    def _show(self) -> None:
        self.table.show_rows(tuple(zip(self._requirements, self._answers, self._limits, strict=True)))
