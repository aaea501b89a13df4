"""The About box: version, licences, where the log lies, and that nothing leaves this computer."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget

from dpwizard.base import office_folder
from dpwizard.base.resource_files import FOLDER
from dpwizard.base.version import __version__
from dpwizard.records import office_settings
from dpwizard.wording import word
from ui.task_dialog import TaskDialog
from ui.widgets import named, theme, tr

LICENCES = ("licences/README.md", "fonts/OFL.txt", "licences/LGPL-3.txt", "licences/GPL-3.txt")


class AboutDialog(TaskDialog):
    """Says what the program is and where its log lies."""

    def __init__(self, log_file: Path | None, parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("About dpwizard"), (640, 480))
        column = self.column
        column.setSpacing(theme.NEAR)
        self.version = _selectable(f"dpwizard {__version__}", "question")
        logged = tr("No log is written.") if log_file is None else tr("Log file: {place}", place=str(log_file))
        self.place = _selectable(logged)
        column.addWidget(self.version)
        about = tr("Choose, justify and sign the privacy budget of a release. Nothing leaves this computer.")
        column.addWidget(_selectable(about))
        column.addWidget(self.place)
        column.addWidget(_selectable(tr("The log holds no content of decisions."), "caption"))
        self.office = _selectable(_of_office())
        column.addWidget(self.office)
        title = named(QLabel(tr("Licences")), "title")
        column.addSpacing(theme.NEAR)
        column.addWidget(title)
        licences = "\n\n".join(_text(FOLDER / name) for name in LICENCES)
        self.licences = QPlainTextEdit(licences, readOnly=True, tabChangesFocus=True)
        self.licences.setAccessibleName(title.text())
        column.addWidget(self.licences, 1)
        self.foot(right=(self.closing(),))


def _of_office() -> str:
    """Return what the office set on this computer, or why that is not used."""
    found = office_settings.placed(office_folder.OFFICE)
    if found.problem is not None:
        return tr("What your office set is not used. {why}", why=str(found.problem))
    if found.settings is None:
        return tr("Your office has set nothing on this computer.")
    return tr(
        "Set by {office}, in {place}: {what}.", office=found.settings.name, place=str(found.path), what=_set(found)
    )


def _set(found: office_settings.Placed) -> str:
    """Return each thing that the office set, in words."""
    settings = found.settings
    assert settings is not None
    sentences = []
    if settings.language is not None:
        sentences.append(tr("language {language}", language=word("language", "itself", settings.language)))
    if settings.paper is not None:
        sentences.append(tr("paper of new decisions {paper}", paper=word("paper", settings.paper)))
    if settings.records is not None:
        sentences.append(tr("folder of records {folder}", folder=settings.records))
    if settings.letterhead is not None:
        sentences.append(tr("letterhead of {office}", office=settings.letterhead.name))
    return ", ".join(sentences) or tr("nothing but its name")


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
