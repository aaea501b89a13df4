"""Builds the application and its window, and catches what nobody else caught: work is kept, the error is said."""

from __future__ import annotations

import gc
import logging
import sys
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QSettings, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from dpwizard.errors import DPWizardError
from dpwizard.resource_files import FOLDER
from ui import theme
from ui.window import MainWindow

log = logging.getLogger(__name__)


def application(arguments: list[str]) -> QApplication:
    """Return the application with its names, font and theme; the one that runs already, if there is one."""
    existing = QCoreApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(arguments)
    app.setApplicationName("dpwizard")
    app.setOrganizationName("dpwizard")
    icon = FOLDER / "icons" / "dpwizard.svg"
    if icon.exists():
        app.setWindowIcon(QIcon(str(icon)))
    return app


def make_window(app: QApplication, *, dark: bool | None = None, settings: QSettings | None = None) -> MainWindow:
    """Return the main window in the light or dark theme (None: as the system asks)."""
    colours = theme.DARK if (theme.system_is_dark() if dark is None else dark) else theme.LIGHT
    theme.apply(app, colours, theme.load_fonts())
    return MainWindow(colours, settings or QSettings())


def spare_the_collector(window: MainWindow) -> None:
    """Collect no garbage while the program is loaded: all of it stays, and looking at it again and again delays the first page."""
    gc.disable()

    def loaded() -> None:
        gc.freeze()  # what is loaded is never looked at again: no hiccup while somebody drags
        gc.enable()

    window.ready.connect(loaded)


def run(arguments: list[str]) -> int:
    """Open the window, with a file if one is named, and return the exit status when it is closed."""
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontShowIconsInMenus)
    app = application(arguments)
    window = make_window(app)
    spare_the_collector(window)

    def caught(kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> None:
        log.error("an error nobody caught", exc_info=(kind, problem, trace))
        window.complain(
            "Something went wrong.", DPWizardError(f"{kind.__name__}: {problem}", "", "Your work is kept; save it and report this.")
        )

    sys.excepthook = caught
    window.show()
    files = [Path(name) for name in arguments[1:] if not name.startswith("-")]
    if files:
        window.ready.connect(lambda: window.open_path(files[0]))
    return app.exec()
