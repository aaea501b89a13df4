"""What nobody caught: it is logged, said once, and the work goes on."""

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
    """Takes what nobody caught, on whatever thread, to the dialog of the window."""

    _caught = Signal(object)

    def __init__(self, window: MainWindow, log_file: Path | None) -> None:
        super().__init__(window)
        self.window = window
        self.log_file = log_file
        self.dialog: ErrorDialog | None = None
        self._before: tuple[Callable[..., object], Callable[..., object]] | None = None
        self._telling = False  # an error that comes now is one of the dialog
        window.ready.connect(self._prepare)
        self._caught.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Catch from here on."""
        self._before = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._of_main
        threading.excepthook = self._of_thread

    def remove(self) -> None:
        """Catch no more."""
        if self._before is not None:
            sys.excepthook, threading.excepthook = self._before
            self._before = None

    def _prepare(self) -> None:
        """Have the dialog at hand: the program's files may be gone, or be another version's, and cause the error."""
        import_module("ui.app.error_report")

    def _of_main(self, kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt | SystemExit):
            sys.__excepthook__(kind, problem, trace)
            return
        log.error("an error nobody caught", exc_info=(kind, problem, trace))
        if self._telling:  # said by the same dialog, it would come again and again
            self._telling = False
            return
        self._caught.emit(problem)

    def _of_thread(self, given: threading.ExceptHookArgs) -> None:
        if given.exc_value is not None and not issubclass(given.exc_type, SystemExit):
            self._of_main(given.exc_type, given.exc_value, given.exc_traceback)

    def _show(self, problem: BaseException) -> None:
        self._telling = True  # and still is where one of the next lines fails
        from ui.app.error_report import ErrorDialog

        if self.dialog is None or not self.dialog.isVisible():
            self.dialog = ErrorDialog(self.window, self.log_file, self.window.documents.save_as)
            self.dialog.finished.connect(self._closed)
        self.dialog.tell(problem, self.window.session is not None)
        self.dialog.open()
        self._telling = False

    def _closed(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None
