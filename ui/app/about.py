"""The About box: version, licences, where the log lies, and that nothing leaves this computer."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from dpwizard.resource_files import FOLDER
from dpwizard.version import __version__
from ui.widgets import named, theme, tr

LICENCES = ("licences/README.md", "fonts/OFL.txt", "licences/LGPL-3.txt", "licences/GPL-3.txt")


class AboutDialog(QDialog):
    """Says what the program is and where its log lies."""

    def __init__(self, log_file: Path | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("About dpwizard"))
        self.resize(640, 480)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.EDGE, theme.EDGE, theme.EDGE, theme.GROUP)
        column.setSpacing(theme.NEAR)
        self.version = _selectable(f"dpwizard {__version__}", "question")
        logged = tr("No log is written.") if log_file is None else tr("Log file: {place}", place=str(log_file))
        self.place = _selectable(logged)
        column.addWidget(self.version)
        about = tr("Choose, justify and sign the privacy budget of a release. Nothing leaves this computer.")
        column.addWidget(_selectable(about))
        column.addWidget(self.place)
        column.addWidget(_selectable(tr("The log holds no content of decisions."), "caption"))
        title = named(QLabel(tr("Licences")), "title")
        column.addSpacing(theme.NEAR)
        column.addWidget(title)
        licences = "\n\n".join(_text(FOLDER / name) for name in LICENCES)
        self.licences = QPlainTextEdit(licences, readOnly=True, tabChangesFocus=True)
        self.licences.setAccessibleName(title.text())
        column.addWidget(self.licences, 1)
        buttons = QDialogButtonBox()
        self.close_button = buttons.addButton(tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)


def _selectable(words: str, name: str = "") -> QLabel:
    label = QLabel(words, textFormat=Qt.TextFormat.PlainText, wordWrap=True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    if name:
        label.setObjectName(name)
    return label


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return path.name
