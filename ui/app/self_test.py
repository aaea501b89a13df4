"""`dpwizard --self-test`: open each example, show each page, typeset a report, and say if the installation works.

It needs no display (QT_QPA_PLATFORM=offscreen) and leaves nothing behind. It prints the time until the first page and
the usable window, from the moment in DPWIZARD_STARTED (seconds since 1970) or else from its own start, and the memory
in use after each example.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QMessageLogContext, QSettings, QTimer, QtMsgType, qInstallMessageHandler

from dpwizard.base.errors import FileProblem
from dpwizard.base.language import ENGLISH
from dpwizard.base.resource_files import FOLDER
from ui.app import application as ui_app
from ui.app.window import MainWindow
from ui.help import guide

HARMLESS = "This plugin does not support"  # a message of the off-screen platform about size hints
PATIENCE = 600_000  # milliseconds for everything, also on a slow machine that is busy


def run(arguments: list[str]) -> int:
    """Show each page of each example; return 0, or 1 with the reason on standard error."""
    began = float(os.environ.get("DPWIZARD_STARTED") or time.time())
    app = ui_app.application(arguments)
    with tempfile.TemporaryDirectory() as folder:
        settings = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
        window = ui_app.make_window(app, dark=False, settings=settings, state=Path(folder))
        problems: list[str] = []

        def note_message(kind: QtMsgType, context: QMessageLogContext, words: str) -> None:
            if kind != QtMsgType.QtDebugMsg and not words.startswith(HARMLESS):
                problems.append(words)

        qInstallMessageHandler(note_message)

        def note_error(kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> None:
            problems.append("".join(traceback.format_exception(kind, problem, trace)))
            app.exit(1)

        sys.excepthook = note_error
        steps = show_everything(window)
        window.start.painted.connect(lambda: print(f"first page painted after {time.time() - began:.3f} s"))
        window.ready.connect(lambda: print(f"window usable after {time.time() - began:.3f} s"))

        def show_next() -> None:
            if next(steps, None) is None:
                app.exit(0)
            else:
                QTimer.singleShot(0, show_next)

        window.ready.connect(lambda: QTimer.singleShot(0, show_next))

        def give_up() -> None:
            problems.append("not finished after ten minutes")
            app.exit(1)

        QTimer.singleShot(PATIENCE, give_up)
        window.show()
        status = app.exec()
        window.close()
    for problem in problems:
        print(problem, file=sys.stderr)
    return status or len(problems)


def memory() -> str:
    """Return the memory of this process in words, or that the system does not say."""
    status = Path("/proc/self/status")
    lines = status.read_text("ascii").splitlines() if status.is_file() else []
    sizes = [line.split()[1] for line in lines if line.startswith("VmRSS:")]
    return f"{int(sizes[0]) // 1024} MB in memory" if sizes else "the system does not say how much memory"


def show_everything(window: MainWindow) -> Iterator[str]:
    """Show each page of each example, each page of the guide and a report; yield until each is complete."""
    for path in sorted((FOLDER / "examples").glob("*.json")):
        window.start.example.emit(str(path))
        assert window.wizard is not None
        for key in window.wizard.pages:
            window.wizard.go(key)
            yield key
            while window.wizard.solver.behind:
                yield key
        print(f"{path.name}: {len(window.wizard.pages)} pages shown, {memory()}")
    pages = [listed.page for listed in guide.contents(ENGLISH) if listed.page]
    for page in pages:
        if not guide.read(page, ENGLISH):
            raise FileProblem("is missing from this installation", page, "Install the program again.")
        window.show_guide(page)
        yield page
    print(f"guide: {len(pages)} pages shown, {memory()}")
    print(printed((FOLDER / "examples" / "durham.json").read_bytes()))
    yield "report"


def printed(example: bytes) -> str:
    """Typeset the record of EXAMPLE as the window does; return its size and the process used, in words."""
    from dpwizard import records
    from dpwizard.report import document as report
    from dpwizard.report import typesetter
    from ui.workers.typesetting_process import typeset_in_process

    stated = records.AssertedTime(time=datetime(2026, 1, 1, tzinfo=UTC), source="signer")
    record = records.make(records.read_any(example), stated, name="record")
    with typesetter.using(typeset_in_process):
        pdf = report.typeset(record)
    where = "this process" if "typst" in sys.modules else "a process of its own"
    return f"report: {len(pdf) // 1000} KB typeset in {where}"
