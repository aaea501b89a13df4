"""What is said of an error that nobody caught: that the work is kept, and what can be reported."""

from __future__ import annotations

import platform
from collections.abc import Callable
from pathlib import Path

from PySide6 import __version__ as pyside
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QLabel, QPlainTextEdit, QPushButton, QWidget

from dpwizard.base.version import __version__
from ui.app import program_log
from ui.widgets import SideBySide, added, button_for, column_of, fill, named, theme, tr, within_reach

MOST_TRAILS = 5  # of errors that came one after another, in one dialog


class ErrorDialog(QDialog):
    """Says that something went wrong inside the program, that the work is kept, and what can be reported."""

    def __init__(self, parent: QWidget, log_file: Path | None, save_as: Callable[[], bool]) -> None:
        super().__init__(parent)
        self.trails: list[str] = []
        self.count = 0
        self.setWindowTitle(tr("Something went wrong"))
        self.resize(640, 420)
        column = column_of(self, tr("Something went wrong inside the program"))
        self.says = added(column, QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText))
        label = added(column, named(QLabel(tr("Details for a report (nothing you entered is in them)")), "title"))
        self.details = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self.details.setAccessibleName(label.text())
        column.addWidget(self.details, 1)
        if log_file is not None:
            place = named(QLabel(tr("The log file is {place}", place=str(log_file)), wordWrap=True), "caption")
            place.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            column.addWidget(place)
        row = SideBySide(theme.NEAR)
        self.copy_button = QPushButton(tr("Copy details"))
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.details.toPlainText()))
        self.save_button = button_for(tr("Save as …"), save_as)
        self.close_button = named(QPushButton(tr("Go on working")), "primary")
        self.close_button.setDefault(True)
        self.close_button.clicked.connect(self.accept)
        row.box.addWidget(self.copy_button)
        row.box.addStretch(1)
        fill(row.box, self.save_button, self.close_button)
        column.addWidget(row)
        within_reach(self)

    def tell(self, problem: BaseException, has_work: bool) -> None:
        """Add PROBLEM to what is said."""
        self.count += 1
        trail = program_log.trail(problem)
        if trail not in self.trails and len(self.trails) < MOST_TRAILS:
            self.trails.append(trail)
        self.save_button.setVisible(has_work)
        self.says.setText(
            tr(
                "Your work is kept and you can go on. "
                "If something looks wrong, save under another name and start the program again."
            )
            if self.count == 1
            else tr("Your work is kept and you can go on. This happened {n} times.", n=self.count)
        )
        versions = f"dpwizard {__version__}, Python {platform.python_version()}, PySide {pyside}, {platform.platform()}"
        self.details.setPlainText("\n".join([versions, *self.trails]))
