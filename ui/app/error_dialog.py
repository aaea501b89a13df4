"""Catches the errors that nothing else caught: each is logged and shown, and the work goes on."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from ui.app.window import MainWindow

if TYPE_CHECKING:
    from ui.app.error_report import ErrorDialog

log = logging.getLogger(__name__)


class Catcher(QObject):
    """Shows uncaught errors of any thread in a dialog of the window."""

    _caught = Signal(object)

    def __init__(self, window: MainWindow, log_file: Path | None) -> None:
        super().__init__(window)
        self.window = window
        self.log_file = log_file
        self.dialog: ErrorDialog | None = None
        self._hooks_before: tuple[Callable[..., object], Callable[..., object]] | None = None
        self._showing = False  # an error meanwhile comes from the dialog itself
        window.ready.connect(self._import_dialog)
        self._caught.connect(self._show_error, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Catch from here on."""
        self._hooks_before = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._catch_in_main
        threading.excepthook = self._catch_in_thread

    def remove(self) -> None:
        """Catch no more."""
        if self._hooks_before is not None:
            sys.excepthook, threading.excepthook = self._hooks_before
            self._hooks_before = None

    def _import_dialog(self) -> None:
        """Import the dialog early: missing or changed program files may be the cause of a later error."""
        import_module("ui.app.error_report")

    def _catch_in_main(self, kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt | SystemExit):
            sys.__excepthook__(kind, problem, trace)
            return
        log.error("an error nobody caught", exc_info=(kind, problem, trace))
        if self._showing:  # shown by the same dialog, it would come again and again
            self._showing = False
            return
        self._caught.emit(problem)

    def _catch_in_thread(self, error: threading.ExceptHookArgs) -> None:
        if error.exc_value is not None and not issubclass(error.exc_type, SystemExit):
            self._catch_in_main(error.exc_type, error.exc_value, error.exc_traceback)

    def _show_error(self, problem: BaseException) -> None:
        self._showing = True  # stays true if one of the next lines fails
        from ui.app.error_report import ErrorDialog

        if self.dialog is None or not self.dialog.isVisible():
            self.dialog = ErrorDialog(self.window, self.log_file, self.window.documents.save_as)
            self.dialog.finished.connect(self._drop_dialog)
        self.dialog.tell(problem, self.window.session is not None)
        self.dialog.open()
        self._showing = False

    def _drop_dialog(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None
