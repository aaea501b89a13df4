"""The dialog about an unexpected error: the work is still open and can be saved, and the error reported."""

from __future__ import annotations

import platform
from collections.abc import Callable
from pathlib import Path

from PySide6 import __version__ as pyside
from PySide6.QtWidgets import QLabel, QWidget

from dpwizard.base.version import __version__
from ui.app import program_log
from ui.task_dialog import TaskDialog
from ui.widgets import added, button_for, copyable, named, reading_text, tr, within_reach

MOST_TRAILS = 5  # of successive errors in one dialog


class ErrorDialog(TaskDialog):
    """Says that the program made an error and the work is kept, and shows details to report."""

    def __init__(self, parent: QWidget, log_file: Path | None, save_as: Callable[[], bool]) -> None:
        super().__init__(parent, tr("Something went wrong"), (640, 420), tr("The program made an error"))
        self.trails: list[str] = []
        self.count = 0
        column = self.column
        column.addWidget(self.says)
        label = added(column, named(QLabel(tr("Details to report (they contain nothing you entered)")), "title"))
        self.details = reading_text(label.text())
        column.addWidget(self.details, 1)
        if log_file is not None:
            column.addWidget(copyable(tr("The log file is {place}", place=str(log_file)), "caption"))
        self.save_button = button_for(tr("Save as …"), save_as)
        self.foot(
            self.copying(self.details.toPlainText, tr("Copy details")),
            right=(self.save_button, self.closing(tr("Go on working"), "primary")),
            default=self.close_button,
        )
        within_reach(self)

    def tell(self, problem: BaseException, has_work: bool) -> None:
        """Add PROBLEM to the details; HAS_WORK: offer to save."""
        self.count += 1
        trail = program_log.trail(problem)
        if trail not in self.trails and len(self.trails) < MOST_TRAILS:
            self.trails.append(trail)
        self.save_button.setVisible(has_work)
        self.says.say(
            tr("Your work is safe and you can continue. If something looks wrong, save a copy and restart the program.")
            if self.count == 1
            else tr("Your work is safe and you can continue. This happened {n} times.", n=self.count)
        )
        versions = f"dpwizard {__version__}, Python {platform.python_version()}, PySide {pyside}, {platform.platform()}"
        self.details.setPlainText("\n".join([versions, *self.trails]))
