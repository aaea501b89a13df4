"""Very many requirements of one step as a table for reading: one card is made, that of the row chosen in it."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpwizard.decision import BaseRequirement, RequirementResult
from dpwizard.wording import PrintedRange, explain, word
from ui.controls import Column, RowsTable
from ui.widgets import added, plain, tr

SHOWN = 10  # rows seen at once
Listed = tuple[BaseRequirement, RequirementResult | None, str]  # and what it allows, in words


def _called(row: Listed) -> str:
    return row[0].name or word("kind", getattr(row[0], "kind", ""))


def _allows(row: Listed) -> str:
    return row[2]


class RequirementList(QWidget):
    """The table; the requirement chosen in it, by its row, is shown below by somebody else."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        columns = (
            Column(title=tr("Requirement"), words=_called, share=0.36, least=140),
            Column(title=tr("Part"), words=lambda row: getattr(row[0], "part", None) or "", share=0.34, least=120),
            Column(title=tr("Limit"), words=_allows, share=0.3),
        )
        name = tr("All requirements of this step")
        self.table = added(plain(QVBoxLayout(self), 0), RowsTable(name, columns, most=SHOWN))
        self.table.rows_model.same = lambda row: (_called(row), row[1] is None)
        self.table.chosen.connect(self.chosen)
        self._requirements: tuple[BaseRequirement, ...] = ()
        self._answers: tuple[RequirementResult | None, ...] = ()
        self._bounds: tuple[str, ...] = ()

    def show_requirements(self, requirements: tuple[BaseRequirement, ...], row: int) -> None:
        """Show REQUIREMENTS, with ROW chosen; nobody is told of that."""
        if len(requirements) != len(self._requirements):
            self._answers, self._bounds = (None,) * len(requirements), ("",) * len(requirements)
        self._requirements = requirements
        with QSignalBlocker(self.table):
            self._show()
            if self.table.currentIndex().row() != row:
                self.table.choose(row)

    def show_answers(self, answers: tuple[RequirementResult | None, ...], shown: PrintedRange) -> None:
        """Show what each requirement allows beside the range SHOWN, None while that is not known."""
        bounds = tuple("" if answer is None else explain.bound(answer, shown) for answer in answers)
        if len(answers) == len(self._requirements) and (answers, bounds) != (self._answers, self._bounds):
            self._answers, self._bounds = answers, bounds
            self._show()

    def _show(self) -> None:
        self.table.show_rows(tuple(zip(self._requirements, self._answers, self._bounds, strict=True)))
