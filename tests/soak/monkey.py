"""A monkey at the real window: random clicks, keys, drags, wheel, hostile text, undo and redo, sizes, files, pages and
dialogs.

`python -m tests.soak.monkey` does 20,000 things one after another, each a real event or a short run of them, such as a
drag; after each the window answers whatever waits. Whatever page or dialog was seen least is visited next, and files
are confined to a folder of the run. Printed as JSON: errors nobody caught, hangs, visits, and how the memory grew.
`--minutes 60` goes on for an hour instead. Off screen, unless QT_QPA_PLATFORM says otherwise.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import json
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.soak.monkey_notes import Notes
    from ui.app.window import MainWindow

EVENTS, SEED = 20_000, 20_261_121


@contextlib.contextmanager
def confined() -> Iterator[Path]:
    """Yield a folder deep in a temporary one; the program's own files and the current folder lie there as well."""
    with tempfile.TemporaryDirectory(prefix="dpwizard-monkey-") as name:
        folder = Path(name) / "a" / "b" / "c" / "work"
        folder.mkdir(parents=True)
        for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
            os.environ[variable] = str(Path(name) / variable.lower())
        before = Path.cwd()
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def run(events: int, seed: int, *, minutes: float = 0.0, talk: bool = False) -> dict[str, Any]:
    """Let the monkey do so many EVENTS (or go on for so many MINUTES) in a window made for it, and return what was
    found."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QSettings, Qt, qInstallMessageHandler
    from PySide6.QtWidgets import QApplication

    from tests.soak.monkey_notes import Notes, Watch
    from tests.soak.monkey_turns import Monkey, prepare
    from ui.app import application as ui_app
    from ui.app.error_dialog import Catcher

    notes, watch = Notes(), Watch()
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    with confined() as folder:
        prepare(folder)
        app = ui_app.application([])
        settings = QSettings(str(folder.parent / "settings.ini"), QSettings.Format.IniFormat)
        window = ui_app.make_window(app, dark=False, settings=settings, state=folder.parent / "state", language="en")
        catcher = Catcher(window, None)
        catcher.install()
        _listen(notes, sys.excepthook)
        qInstallMessageHandler(lambda kind, where, words: notes.said.update([words.split("0x")[0]]))
        app.setQuitOnLastWindowClosed(False)
        monkey = Monkey(window, folder, notes, watch, random.Random(seed))
        window.show()
        window.prepare()
        watch.start()
        began = time.monotonic()
        monkey.work(events, began + 60 * minutes if minutes else None, talk)
        watch.over = True
        watch.join()
        catcher.remove()
        _leave(window)
        qInstallMessageHandler(None)
        return notes.told(monkey.done, time.monotonic() - began)


def _listen(notes: Notes, shown: Any) -> None:
    """Note what nobody caught, on whatever thread, and have it SHOWN as well."""

    def of_main(kind: Any, problem: BaseException, trace: Any) -> None:
        notes.error(problem)
        shown(kind, problem, trace)

    def of_thread(given: Any) -> None:
        if given.exc_value is not None:
            of_main(given.exc_type, given.exc_value, given.exc_traceback)

    sys.excepthook, threading.excepthook = of_main, of_thread


def _leave(window: MainWindow) -> None:
    """Close the window without a question."""
    if window.session is not None:
        window.session.start(window.session.decision)
    window.close()


def main() -> int:
    """Print what a run found as JSON; return 1 where the window failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--minutes", type=float, default=0.0, help="go on for so long instead")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    faulthandler.enable()  # where it was, should Qt itself fall
    found = run(options.events, options.seed, minutes=options.minutes, talk=True)
    print(json.dumps(found, indent=1, ensure_ascii=False))
    return 1 if found["errors"] or found["hangs"] else 0


if __name__ == "__main__":
    sys.exit(main())
