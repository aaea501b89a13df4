"""Builds and runs the application with its window, log and catcher of errors."""

from __future__ import annotations

import logging
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QSettings, Qt, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from dpwizard.base import office_folder
from dpwizard.base.language import named_language, spoken, system_language
from dpwizard.base.office_folder import language_set
from ui.app import program_log
from ui.app.appearance import Appearance
from ui.app.error_dialog import Catcher
from ui.app.language_choice import LanguageChoice
from ui.app.window import MainWindow
from ui.widgets import theme

SAFE_MODE = "--safe-mode"

log = logging.getLogger(__name__)


class Application(QApplication):
    """The application; it signals files that macOS asks it to open (other systems pass them as arguments)."""

    file_asked = Signal(str)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_asked.emit(event.file())
            return True
        return super().event(event)


def application(arguments: list[str]) -> QApplication:
    """Return the application, the running one if there is one."""
    existing = QCoreApplication.instance()
    if isinstance(existing, QApplication):
        app = existing
    else:  # the style is named here, for setStyle() would have PySide build QStyle and its 600 enumerated values: 15 ms
        app = Application([*arguments, "-style", theme.STYLE])
        app.setProperty(theme.STYLED, True)
    app.setApplicationName("dpwizard")
    app.setOrganizationName("dpwizard")
    return app


def make_window(
    app: QApplication,
    *,
    dark: bool | None = None,
    settings: QSettings | None = None,
    state: Path | None = None,
    system: str | None = None,
    language: str | None = None,
) -> MainWindow:
    """Return the main window, DARK or light (None: as chosen, else as the system), with its files in STATE.

    Its language is LANGUAGE, else the one chosen, else the office's, else that of the SYSTEM (None: the current one).
    """
    kept_settings = settings or QSettings()
    choice = LanguageChoice(app, kept_settings, system or spoken(), language, language_set(office_folder.OFFICE))
    return MainWindow(Appearance(app, kept_settings, dark), choice, kept_settings, state or program_log.state_folder())


def without_settings() -> QSettings:
    """Return the settings of safe mode: empty, and deleted at the end."""
    import tempfile

    return QSettings(str(Path(tempfile.mkdtemp(prefix="dpwizard-")) / "none.ini"), QSettings.Format.IniFormat)


def run(arguments: list[str]) -> int:
    """Open the window, with a file if one is named; return the exit status."""
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontShowIconsInMenus)
    app = application(arguments)
    state = program_log.state_folder()
    log_file = program_log.begin(state)
    language, others = named_language(arguments)
    safe = SAFE_MODE in others
    log.info("started in safe mode" if safe else "started")
    settings = without_settings() if safe else QSettings()
    window = make_window(app, settings=settings, state=state, system=system_language(), language=language)
    window.log_file = log_file
    catcher = Catcher(window, log_file)
    catcher.install()
    window.ready.connect(program_log.keep_short)
    window.appear()
    files = [Path(name) for name in others[1:] if name != SAFE_MODE]
    if files:
        window.ready.connect(lambda: window.drop(files[0]))
    if isinstance(app, Application):
        app.file_asked.connect(lambda name: window.drop(Path(name)))
    try:
        return app.exec()
    finally:
        catcher.remove()
        log.info("ended")
        program_log.end()
        if safe:
            import shutil

            shutil.rmtree(Path(settings.fileName()).parent, ignore_errors=True)
