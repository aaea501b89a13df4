"""The base of the dialogs that add many tables."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Decision
from ui.controls import Statement
from ui.session import DocumentSession
from ui.sheets.text_table import TextTable
from ui.task_dialog import TaskDialog
from ui.widgets import Problem, button_for, theme, tr


class AddTablesDialog(TaskDialog):
    """Shows cells to type or paste into; one edit adds their tables at the end."""

    put = Signal(int)  # the number of tables added

    def __init__(
        self,
        session: DocumentSession,
        table: TextTable,
        parent: QWidget | None,
        title: str,
        size: tuple[int, int],
        heading: str,
    ) -> None:
        super().__init__(parent, title, size, heading)
        self.session, self.table = session, table
        self.column.setSpacing(theme.NEAR)
        self.problem = Problem()
        self.instead = Statement(tr("Instead of the existing tables"))
        self.instead.setVisible(not session.decision.release.tables[0].whole)
        self.add_button = button_for(tr("Add {n} table", "Add {n} tables", n=0), lambda: self.add(), "primary")

    def end(self, name: str, before: tuple[QWidget, ...], *buttons: QPushButton) -> None:
        """Add the table called NAME, the widgets BEFORE the foot, and the foot with BUTTONS at its left."""
        self.table.setAccessibleName(name)
        self.column.addWidget(self.table, 1)
        for part in before:
            self.column.addWidget(part)
        self.foot(*buttons, right=(self.closing(tr("Cancel")), self.add_button), default=self.add_button)

    def add(self) -> None:
        """Add the tables described in the cells."""
        raise NotImplementedError

    def add_tables(self, name: str, job: Callable[[], Decision], count: int) -> None:
        """Run JOB, which adds COUNT tables, in the background; the edit is called NAME."""
        self.setEnabled(False)  # the cells stay the same while their tables are added
        self.work(lambda progress: job(), lambda decision: self._finish_adding(name, decision, count))

    def _finish_adding(self, name: str, decision: Decision, count: int) -> None:
        self.session.edit(name, decision)
        self.put.emit(count)
        self.accept()

    def complain(self, problem: DPWizardError) -> None:
        self.setEnabled(True)
        self.add_button.setFocus()
        self.problem.say(tr("Not added: {message}. {hint}", message=problem.text, hint=problem.remedy))
