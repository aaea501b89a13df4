"""The turns of the monkey: what it does next, how often it has been where, and what it notes of each."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from PySide6.QtCore import QTimer
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMessageBox

from dpwizard.base.resource_files import FOLDER
from tests.soak.monkey_keys import REFUSED, Key, Links
from tests.soak.monkey_notes import REST, Notes, Stretch, Watch
from tests.soak.monkey_ways import STEPS, Way, Ways
from ui.app.window import MainWindow

DIALOGS = (
    *("AboutDialog", "ArchiveDialog", "TrustDialog", "ExportDialog", "HistoryPanel", "VerdictDialog", "PreviewDialog"),
    *("GuidedQuestions", "TableDialog", "RecoveryDialog", "ErrorDialog", "QMessageBox", "QFileDialog", "HelpWindow"),
)
VISITS = 50  # of every page and dialog, in the whole run
PLACES = ("start", *STEPS, *DIALOGS)


def prepare(folder: Path) -> None:
    """Put into FOLDER what the monkey opens: decisions, one record, what is none."""
    for example in sorted((FOLDER / "examples").glob("*.json")):
        shutil.copy(example, folder / example.name)
    for name, content in REFUSED.items():
        (folder / name).write_bytes(content)
    (folder / "record.jws").write_text("eyJ.e30.x\n", "utf-8")
    (folder / "bars.csv").write_text("low,high,share\n0,1,0.4\n1,2,0.6\n", "utf-8")


class Monkey(Ways):
    """Hands and ways without a mind. Each turn it does one thing."""

    def __init__(self, window: MainWindow, folder: Path, notes: Notes, watch: Watch, dice: Random) -> None:
        super().__init__(window, folder, notes, dice)
        self.watch = watch
        self.app = QApplication.instance()
        self.done = 0
        self.way: Way | None = None  # what is being done in several turns
        self.seen: set[int] = set()
        self.until: float | None = None
        self.events = 0
        self.talk = False
        self.began = time.monotonic()
        self.links = Links()
        for scheme in ("file", "https"):
            QDesktopServices.setUrlHandler(scheme, self.links, "take")
        self.stretch = Stretch()
        self.acts: tuple[tuple[Callable[[], object], int], ...] = (
            (self.click, 30),
            (self.point, 10),
            (self.key, 20),
            (self.type, 12),
            (self.drag, 8),
            (self.wheel, 6),
            (self.undo, 5),
            (self.redo, 3),
            (self.size, 1),
            (self.visit, 14),
        )
        self.reached = self.ways()

    def work(self, events: int, until: float | None, talk: bool) -> None:
        """Do so many things, or go on UNTIL a time; each turn is an event of its own, so that dialogs that wait are
        answered, too."""
        self.events, self.until, self.talk = events, until, talk
        QTimer.singleShot(0, self.turn)
        self.app.exec()

    def turn(self) -> None:
        """Do one thing, and have the next one follow when all that waits has been answered."""
        try:
            self.turned()
        except BaseException:  # the monkey itself is wrong: it would wait for ever
            QApplication.exit(1)
            raise

    def turned(self) -> None:
        """Note how long the last thing took, and do the next."""
        self.aside = self.dice.random() < 0.3
        self.notes.gap(self.stretch, self.watch.where)
        self.look()
        over = self.done >= self.events if self.until is None else time.monotonic() >= self.until
        self.aside = self.aside or over
        if over and self.front() is self.window:
            self.rest()
            self.app.quit()
            return
        if self.front() is self.window and self.done >= REST * len(self.notes.memory):
            self.rest()
            if self.talk:
                self.tell()
        self.stretch = Stretch()
        self.watch.beat()
        QTimer.singleShot(0, self.turn)
        self.done += 1
        try:
            self.act(over)
        except (
            RuntimeError
        ) as problem:  # what it looked at has just gone away: C++ objects of widgets that were replaced
            if "already deleted" not in str(problem):
                raise

    def tell(self) -> None:
        """Say on the error stream how far it is."""
        told = self.notes.told(self.done, time.monotonic() - self.began)
        least = min((self.notes.visits[name], name) for name in PLACES)
        said = {
            "errors": len(told["errors"]),
            "hangs": len(told["hangs"]),
            "waits": len(told["waits"]),
            "least seen": least,
        }
        print(
            json.dumps({"memory": told["memory, MB"][-1], "seconds": told["seconds"], **said}),
            file=sys.stderr,
            flush=True,
        )

    def act(self, over: bool) -> None:
        """Do one thing to what is in front."""
        front = self.front()
        if isinstance(front, QFileDialog):
            self.way = None
            self.answer_file_dialog(front)
        elif (
            isinstance(front, QMessageBox)
            and (leave := front.button(QMessageBox.StandardButton.Discard))
            and self.dice.random() < 0.5
        ):
            self.note("discard", front)
            self.button(leave)
        elif over or (isinstance(front, QDialog) and self.dice.random() < 0.12):
            self.note("escape", front)
            QTest.keyClick(front, Key.Key_Escape)
        elif (
            self.way is not None and not self.way.gi_running and not isinstance(front, QDialog)
        ):  # it runs while a dialog waits in it
            way = self.way
            if next(way, self) is self and self.way is way:
                self.way = None
        else:
            self.way = None
            act = self.dice.choices([act for act, _ in self.acts], [weight for _, weight in self.acts])[0]
            act()

    def look(self) -> None:
        """Count the page, and each dialog that has newly come."""
        wizard, window = self.window.wizard, self.window
        shown = (
            "start" if window.stack.currentWidget() is window.start else wizard.page.key if wizard is not None else ""
        )
        if shown != self.page:
            self.page = shown
            self.notes.visits[shown] += 1
        there = {
            id(one): type(one).__name__
            for one in QApplication.topLevelWidgets()
            if isinstance(one, QDialog) and one.isVisible()
        }
        guided = None if wizard is None else wizard.page.guided
        for one, name in ((window.history_panel, "HistoryPanel"), (guided, "GuidedQuestions")):
            there |= {id(one): name} if one is not None and one.isVisible() else {}
        for key, name in there.items():
            if key not in self.seen:
                self.notes.visits[name] += 1
        self.seen = set(there)

    def rest(self) -> None:
        """Look at the memory, always in the same state: an example just opened, every page seen, one size, an empty
        clipboard."""
        session = self.window.session
        steps = len(session.history.past) + len(session.history.future)
        session.start(session.decision)
        self.window.resize(1366, 768)
        self.window.open_path(FOLDER / "examples" / "durham.json", example=True)
        QGuiApplication.clipboard().clear()
        wizard = self.window.wizard
        assert wizard is not None
        for step in (*STEPS, STEPS[0]):
            wizard.go(step)
            for _ in range(100):
                QTest.qWait(50)
                if not wizard.solver.behind:
                    break
        self.notes.rest(self.done, steps, PLACES)

    def visit(self) -> None:
        """Go where the monkey has been least, in several turns."""
        behind = {name: self.notes.visits[name] for name in PLACES if self.notes.visits[name] <= self.pace()}
        if behind and self.dice.random() < 0.85:
            name = min(behind, key=lambda name: (behind[name], self.dice.random()))
        else:
            name = self.dice.choice(tuple(self.reached))
        self.note(f"visit {name}")
        self.way = self.reached[name]()

    def pace(self) -> float:
        """Return how often every page and dialog should have been seen by now, to be seen often enough in the end."""
        if self.until is not None:
            return VISITS
        return 1.1 * VISITS * self.done / self.events
