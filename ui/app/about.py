"""The About box: version, licences, place of the log, and that nothing leaves this computer."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QLabel, QWidget

from dpwizard.base import office_folder
from dpwizard.base.resource_files import FOLDER
from dpwizard.base.version import __version__
from dpwizard.records import office_settings
from dpwizard.wording import word
from ui.task_dialog import TaskDialog
from ui.widgets import copyable, named, reading_text, theme, tr

LICENCES = ("licences/README.md", "fonts/OFL.txt", "licences/LGPL-3.txt", "licences/GPL-3.txt")


class AboutDialog(TaskDialog):
    """Shows the version, the place of the log, the settings of the office and the licences."""

    def __init__(self, log_file: Path | None, parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("About dpwizard"), (640, 480))
        column = self.column
        column.setSpacing(theme.NEAR)
        self.version = copyable(f"dpwizard {__version__}", "question")
        logged = tr("No log is written.") if log_file is None else tr("Log file: {place}", place=str(log_file))
        self.place = copyable(logged)
        column.addWidget(self.version)
        about = tr("Choose the privacy budget of a release, give your reasons, and sign. Nothing leaves this computer.")
        column.addWidget(copyable(about))
        column.addWidget(self.place)
        column.addWidget(copyable(tr("The log holds no content of decisions."), "caption"))
        self.office = copyable(_office_words())
        column.addWidget(self.office)
        title = named(QLabel(tr("Licences")), "title")
        column.addSpacing(theme.NEAR)
        column.addWidget(title)
        licences = "\n\n".join(_read_licence(FOLDER / name) for name in LICENCES)
        self.licences = reading_text(title.text(), licences)
        column.addWidget(self.licences, 1)
        self.foot(right=(self.closing(),))


def _office_words() -> str:
    """Return the settings of the office in words, or why they are not used."""
    office = office_settings.placed(office_folder.OFFICE)
    if office.problem is not None:
        return tr("The settings of your office are not used. {why}", why=str(office.problem))
    if office.settings is None:
        return tr("Your office has set nothing on this computer.")
    return tr(
        "Set by {office}, in {place}: {what}.",
        office=office.settings.name,
        place=str(office.path),
        what=_settings_words(office),
    )


def _settings_words(office: office_settings.Placed) -> str:
    settings = office.settings
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


def _read_licence(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return path.name
