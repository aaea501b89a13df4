"""Very many requirements of one step as a table for reading: one card is made, that of the row chosen in it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QVBoxLayout, QWidget

from dpwizard.decision import Answer, BaseRequirement
from dpwizard.wording import explain, word
from ui.widgets import plain, theme, tr

SHOWN, ROW = 10, 28  # rows seen at once, and pixels of each
Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
PART, ALLOWS = 1, 2  # columns; the first is what the requirement is called


class RequirementsModel(QAbstractTableModel):
    """What each requirement is called, the part it speaks of, and what it allows or needs."""

    def __init__(self) -> None:
        super().__init__()
        self.requirements: tuple[BaseRequirement, ...] = ()
        self.answers: tuple[Answer | None, ...] = ()

    def show_requirements(self, requirements: tuple[BaseRequirement, ...]) -> None:
        """Show REQUIREMENTS; where there are as many as before, each stays in its place."""
        if len(requirements) != len(self.requirements):
            self.beginResetModel()
            self.requirements, self.answers = requirements, (None,) * len(requirements)
            self.endResetModel()
        elif requirements != self.requirements:
            self.requirements = requirements
            self._changed()

    def show_answers(self, answers: tuple[Answer | None, ...]) -> None:
        """Show what each requirement allows, None while that is not known."""
        if len(answers) == len(self.requirements) and answers != self.answers:
            self.answers = answers
            self._changed()

    def _changed(self) -> None:
        if self.requirements:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.requirements) - 1, ALLOWS))

    def rowCount(self, parent: Index = ROOT) -> int:
        return len(self.requirements)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return (tr("Requirement"), tr("Part"), tr("Limit"))[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        requirement = self.requirements[index.row()]
        if index.column() == PART:
            return getattr(requirement, "part", None) or ""
        if index.column() == ALLOWS:
            answer = self.answers[index.row()]
            return "" if answer is None else explain.bound(answer)
        return requirement.name or word("kind", getattr(requirement, "kind", ""))


class RequirementList(QWidget):
    """The table; the requirement chosen in it, by its row, is shown below by somebody else."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        column = plain(QVBoxLayout(self), 0)
        self.model = RequirementsModel()
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(tr("All requirements of this step"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names of tables begin alike
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.verticalHeader().setDefaultSectionSize(ROW)
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.setFixedHeight(SHOWN * ROW + self.table.horizontalHeader().sizeHint().height() + 4)
        theme.tabular(self.table)
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self.chosen.emit(now.row()))
        column.addWidget(self.table)

    def show_requirements(self, requirements: tuple[BaseRequirement, ...], row: int) -> None:
        """Show REQUIREMENTS, with ROW chosen; nobody is told of that."""
        with QSignalBlocker(self.table.selectionModel()):
            self.model.show_requirements(requirements)
            at = self.model.index(row, 0)
            self.table.setCurrentIndex(at)
            self.table.scrollTo(at)

    def show_answers(self, answers: tuple[Answer | None, ...]) -> None:
        """Show what each requirement allows, None while that is not known."""
        self.model.show_answers(answers)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give each column a good third of the width."""
        super().resizeEvent(event)
        width = self.table.viewport().width()
        for column, share in enumerate((0.36, 0.34, 0.3)):
            self.table.setColumnWidth(column, int(share * width))
