"""What the monkey of benchmarks.monkey does, one thing at a time, wherever it finds itself: in a window, a dialog or a
menu."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from random import Random
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QDesktopServices, QGuiApplication, QInputMethodEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QWidget,
)

from benchmarks.monkey_eyes import within_sight
from benchmarks.monkey_keys import REFUSED, Links
from benchmarks.monkey_notes import REST, Notes, Planted, Stretch, Watch
from dpwizard.resource_files import FOLDER
from ui.app.footer import MiniAxis
from ui.app.window import MainWindow
from ui.plots import ChartPlot, FigureTools

Way = Generator[None, None, None]
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
PLAIN = Qt.KeyboardModifier.NoModifier
Key = Qt.Key
STEPS = ("release", "adversary", "profile", "budget", "accuracy", "decision", "review")
DIALOGS = (
    *(
        "AboutDialog",
        "ArchiveDialog",
        "TrustDialog",
        "ExportDialog",
        "HistoryPanel",
        "VerdictDialog",
        "PreviewDialog",
        "BetsWindow",
    ),
    *("TableDialog", "RecoveryDialog", "ErrorDialog", "QMessageBox", "QFileDialog", "HelpWindow"),
)
VISITS = 50  # of every page and dialog, in the whole run
PLACES = ("start", *STEPS, *DIALOGS)
USED = (QAbstractButton, QAbstractSlider, QComboBox, QLineEdit, QPlainTextEdit, QAbstractItemView, ChartPlot, MiniAxis)
SIZES = ((900, 600), (1024, 700), (1366, 768), (1366, 768), (1600, 900), (1920, 1080), (700, 480))
KEYS = (
    *(
        (Key.Key_Tab, PLAIN),
        (Key.Key_Tab, PLAIN),
        (Key.Key_Backtab, SHIFT),
        (Key.Key_Space, PLAIN),
        (Key.Key_Return, PLAIN),
    ),
    *(
        (Key.Key_Up, PLAIN),
        (Key.Key_Down, PLAIN),
        (Key.Key_Left, PLAIN),
        (Key.Key_Right, PLAIN),
        (Key.Key_Home, PLAIN),
        (Key.Key_End, PLAIN),
    ),
    *(
        (Key.Key_PageUp, PLAIN),
        (Key.Key_PageDown, PLAIN),
        (Key.Key_Escape, PLAIN),
        (Key.Key_Delete, PLAIN),
        (Key.Key_Backspace, PLAIN),
    ),
    *((Key.Key_Plus, PLAIN), (Key.Key_Minus, PLAIN), (Key.Key_0, PLAIN), (Key.Key_F1, PLAIN), (Key.Key_Insert, PLAIN)),
    *(
        (Key.Key_Left, ALT),
        (Key.Key_Right, ALT),
        (Key.Key_A, CONTROL),
        (Key.Key_X, CONTROL),
        (Key.Key_V, CONTROL),
        (Key.Key_C, CONTROL),
    ),
)
HOSTILE = (
    *(
        "",
        " ",
        "0",
        "-1",
        "0,25",
        "0.25",
        "1e999",
        "-1e-320",
        "NaN",
        "inf",
        "1/0",
        "1 000",
        "1.234.567,89",
        "5",
        "3",
        "50",
        "1",
        "100",
    ),
    *(
        "<b>bold</b><img src=x>",
        "&amp;&",
        "%s %n {0} {title}",
        "'; DROP TABLE--",
        "..",
        "../x.json",
        "/proc/none/x.json",
        "C:\\x",
        "\\\\host\\share",
    ),
    *(
        "line\nline\r\n\ttab",
        "a\x00b",
        "\u202edlrow olleh",
        "ﷺ مرحبا",
        "数据 データ",
        "👩‍👩‍👧‍👦",
        "Z\u0301\u0302\u0303algo",
        "ß ſ İ ı",
        "0.1 0.2 0.7",
        "a 0.5\nb 0.5",
    ),
    *("x" * 10_000, "9" * 400, "0." + "0" * 300 + "1", "word " * 400),
)


def prepare(folder: Path) -> None:
    """Put into FOLDER what the monkey opens: decisions, one record, what is none."""
    for example in sorted((FOLDER / "examples").glob("*.json")):
        shutil.copy(example, folder / example.name)
    for name, content in REFUSED.items():
        (folder / name).write_bytes(content)
    (folder / "record.jws").write_text("eyJ.e30.x\n", "utf-8")
    (folder / "bars.csv").write_text("low,high,share\n0,1,0.4\n1,2,0.6\n", "utf-8")


class Monkey:
    """Hands without a mind. Each turn it does one thing to whatever is in front: a menu, a dialog, the window."""

    def __init__(self, window: MainWindow, folder: Path, notes: Notes, watch: Watch, dice: Random) -> None:
        self.window, self.folder, self.notes, self.watch, self.dice = window, folder, notes, watch, dice
        self.app = QApplication.instance()
        self.done = 0
        self.way: Way | None = None  # what is being done in several turns
        self.seen: set[int] = set()
        self.page = ""
        self.until: float | None = None
        self.events = 0
        self.talk = False
        self.asked_files = 0
        self.began = time.monotonic()
        self.aside = False  # whether this turn is for the dialog beside the window, if there is one
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
        self.ways = self._ways()

    # ------------------------------------------------------------------------------ turns

    def work(self, events: int, until: float | None, talk: bool) -> None:
        """Do so many things, or go on UNTIL a time; each turn is an event of its own, so that dialogs that wait are
        answered, too."""
        self.events, self.until, self.talk = events, until, talk
        QTimer.singleShot(0, self.turn)
        assert isinstance(self.app, QApplication)
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
            assert isinstance(self.app, QApplication)
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

    def front(self) -> QWidget:
        """Return what takes events now: a menu, a dialog, or the window."""
        inner = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        return inner or (self.beside() if self.aside else None) or self.window

    def beside(self) -> QWidget | None:
        """Return the dialog that stands beside the window and holds nothing up, such as the guide."""
        return next(
            (one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()), None
        )

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
        panel = window.history_panel
        if panel is not None and panel.isVisible():
            there[id(panel)] = "HistoryPanel"
        for key, name in there.items():
            if key not in self.seen:
                self.notes.visits[name] += 1
        self.seen = set(there)

    def rest(self) -> None:
        """Look at the memory, always in the same state: an example just opened, every page seen, one size, an empty
        clipboard."""
        session = self.window.session
        assert session is not None
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

    def note(self, act: str, on: QWidget | None = None) -> None:
        """Keep what is done, to be told with an error."""
        text = getattr(on, "text", None)
        what = (
            ""
            if on is None
            else f"{type(on).__name__} {on.accessibleName() or on.objectName() or (text() if callable(text) else '')}"[
                :60
            ]
        )
        self.notes.acts[act.split()[0]] += 1
        self.notes.recent.append(f"{self.page}: {act} {what}".strip())

    # -------------------------------------------------------------------------- what hands do

    def found(self) -> QWidget | None:
        """Return one of the controls in front, at random."""
        shown = within_sight(self.front(), USED)
        return self.dice.choice(shown) if shown else None

    def click(self) -> None:
        """Click a control, or choose in a menu."""
        front = self.front()
        if isinstance(front, QMenu):
            offered = [
                one
                for one in front.actions()
                if one.isEnabled() and one.isVisible() and not one.isSeparator() and self.harmless(one)
            ]
            if offered and self.dice.random() < 0.6:
                chosen = self.dice.choice(offered)
                self.note(f"menu {chosen.text()}"[:40])
                QTest.mouseClick(front, LEFT, PLAIN, front.actionGeometry(chosen).center())
            else:
                self.note("menu closed")
                QTest.keyClick(front, Key.Key_Escape)
            return
        control = self.found()
        if control is not None:
            self.note("click", control)
            inside = QPoint(self.dice.randrange(max(control.width(), 1)), self.dice.randrange(max(control.height(), 1)))
            act = QTest.mouseDClick if self.dice.random() < 0.1 else QTest.mouseClick
            act(self.inner(control), LEFT, PLAIN, inside)

    def harmless(self, action: Any) -> bool:
        """Return whether ACTION does not end the run: all but Quit."""
        return action is not self.window.menus.actions["quit"]

    @staticmethod
    def inner(control: QWidget) -> QWidget:
        viewport = getattr(control, "viewport", None)
        return viewport() if callable(viewport) and not isinstance(control, ChartPlot) else control

    def point(self) -> None:
        """Click anywhere at all."""
        front = self.front()
        if isinstance(front, QMenu):
            return self.click()
        at = QPoint(self.dice.randrange(max(front.width(), 1)), self.dice.randrange(max(front.height(), 1)))
        under = front.childAt(at) or front
        button = Qt.MouseButton.RightButton if self.dice.random() < 0.1 else LEFT
        self.note("point", under)
        QTest.mouseClick(under, button, PLAIN, under.mapFrom(front, at) if under is not front else at)
        return None

    def target(self) -> QWidget:
        """Return what has the keyboard."""
        return QApplication.activePopupWidget() or QApplication.focusWidget() or self.front()

    def key(self) -> None:
        """Press a key, or a few."""
        key, modifiers = self.dice.choice(KEYS)
        target = self.target()
        if isinstance(target, QMenu) and key in (Key.Key_Return, Key.Key_Space):
            active = target.activeAction()
            if active is not None and not self.harmless(active):
                return
        self.note(f"key {key.name}", target)
        for _ in range(self.dice.choice((1, 1, 1, 5))):
            QTest.keyClick(target, key, modifiers)
            target = self.target()

    def type(self) -> None:
        """Type something into a field, by keys, by an input method or from the clipboard."""
        fields = within_sight(self.front(), (QLineEdit, QPlainTextEdit))
        if not fields:
            return self.key()
        field: Any = self.dice.choice(fields)
        words = self.dice.choice(HOSTILE)
        self.note(f"type {words[:12]!r}", field)
        field.setFocus()
        if self.dice.random() < 0.7:
            QTest.keyClick(field, Key.Key_A, CONTROL)
        if len(words) > 40 or self.dice.random() < 0.2:
            QGuiApplication.clipboard().setText(words)
            QTest.keyClick(field, Key.Key_V, CONTROL)
        elif words.isascii() and words.isprintable():
            for letter in words:
                QTest.keyClick(field, letter)
        else:
            event = QInputMethodEvent()
            event.setCommitString(words)
            QApplication.sendEvent(field, event)
        if self.dice.random() < 0.5:
            QTest.keyClick(field, Key.Key_Tab)
        return None

    def drag(self) -> None:
        """Press on a slider or a plot, move about, and let go."""
        found = within_sight(self.front(), (QAbstractSlider, ChartPlot))
        if not found:
            return self.point()
        control = self.dice.choice(found)
        on: QWidget = control.viewport() if isinstance(control, ChartPlot) else control
        self.note("drag", control)
        handles = getattr(control, "handles", None)
        at = QPointF(self.dice.randrange(max(on.width(), 1)), self.dice.randrange(max(on.height(), 1)))
        if handles is not None and handles.shown:
            at = handles._pixel(self.dice.choice(handles.shown))  # at a knot: elsewhere there is little to hold
        self.mouse(on, QEvent.Type.MouseButtonPress, at, LEFT, LEFT)
        for _ in range(self.dice.randint(2, 12)):
            at = QPointF(at.x() + self.dice.uniform(-60, 60), at.y() + self.dice.uniform(-30, 30))
            self.mouse(on, QEvent.Type.MouseMove, at, NONE, LEFT)
        self.mouse(on, QEvent.Type.MouseButtonRelease, at, LEFT, NONE)
        return None

    @staticmethod
    def mouse(on: QWidget, kind: QEvent.Type, at: QPointF, button: Qt.MouseButton, held: Qt.MouseButton) -> None:
        QApplication.sendEvent(on, QMouseEvent(kind, at, QPointF(on.mapToGlobal(at.toPoint())), button, held, PLAIN))

    def wheel(self) -> None:
        """Turn the wheel anywhere."""
        front = self.front()
        at = QPoint(self.dice.randrange(max(front.width(), 1)), self.dice.randrange(max(front.height(), 1)))
        under = front.childAt(at) or front
        self.note("wheel", under)
        place = QPointF(under.mapFrom(front, at)) if under is not front else QPointF(at)
        by = QPoint(0, self.dice.choice((-480, -120, 120, 480)))
        turned = QWheelEvent(
            place,
            QPointF(front.mapToGlobal(at)),
            QPoint(),
            by,
            NONE,
            self.dice.choice((PLAIN, PLAIN, CONTROL)),
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(under, turned)

    def undo(self) -> None:
        """Ctrl+Z, some times."""
        self.note("undo")
        for _ in range(self.dice.choice((1, 1, 3))):
            QTest.keyClick(self.target(), Key.Key_Z, CONTROL)

    def redo(self) -> None:
        """Ctrl+Shift+Z."""
        self.note("redo")
        QTest.keyClick(self.target(), Key.Key_Z, CONTROL | SHIFT)

    def size(self) -> None:
        """Give the window another size."""
        self.note("size")
        self.window.resize(*self.dice.choice(SIZES))

    def answer_file_dialog(self, dialog: QFileDialog) -> None:
        """Name a file of the folder, or one that is not there, and press Return; nothing outside the folder is
        named."""
        self.asked_files += 1
        line = dialog.findChild(QLineEdit, "fileNameEdit")
        if line is None or self.asked_files % 4 == 0 or self.dice.random() < 0.2:
            self.note("file dialog left", dialog)
            QTest.keyClick(dialog, Key.Key_Escape)
            return
        names = sorted(one for one in self.folder.iterdir() if one.is_file())
        chosen = self.dice.choice(
            (self.dice.choice(names), self.folder / f"new{self.dice.randrange(9)}.json", self.folder)
        )
        self.note(f"file {chosen.name}")
        line.setText(str(chosen))
        QTest.keyClick(line, Key.Key_Return)

    # ------------------------------------------------------------------------------- ways

    def visit(self) -> None:
        """Go where the monkey has been least, in several turns."""
        behind = {name: self.notes.visits[name] for name in PLACES if self.notes.visits[name] <= self.pace()}
        if behind and self.dice.random() < 0.85:
            name = min(behind, key=lambda name: (behind[name], self.dice.random()))
        else:
            name = self.dice.choice(tuple(self.ways))
        self.note(f"visit {name}")
        self.way = self.ways[name]()

    def pace(self) -> float:
        """Return how often every page and dialog should have been seen by now, to be seen often enough in the end."""
        if self.until is not None:
            return VISITS
        return 1.1 * VISITS * self.done / self.events

    def _ways(self) -> dict[str, Callable[[], Way]]:
        """Return how each page and dialog is reached, and a few things that a hand alone would seldom do."""
        steps = {step: lambda step=step: self.at_step(step) for step in STEPS}
        menus = {
            "AboutDialog": "about",
            "ArchiveDialog": "archive",
            "TrustDialog": "trust",
            "ExportDialog": "export",
            "HistoryPanel": "history",
        }
        more = {
            "HelpWindow": "guide",
            "glossary": "glossary",
            "start": "start",
            "compare": "compare",
            "theme_dark": "theme_dark",
            "theme_light": "theme_light",
            "theme_system": "theme_system",
        }
        languages = {
            "language_de": "language_de",
            "language_en": "language_en",
            "VerdictDialog": "verify",
            "QFileDialog": "save_as",
            "new": "new",
        }
        chosen = {name: lambda key=key: self.by_menu(key) for name, key in (menus | more | languages).items()}
        return {
            **steps,
            **chosen,
            "PreviewDialog": self.preview,
            "VerdictDialog": self.verdict,
            "BetsWindow": self.bets,
            "TableDialog": self.table,
            "RecoveryDialog": self.recovery,
            "ErrorDialog": self.error,
            "QMessageBox": self.refused,
            "example": self.example,
        }

    def button(self, button: QAbstractButton | None) -> bool:
        """Click BUTTON, if it can be."""
        if button is None or not button.isVisible() or not button.isEnabled():
            return False
        QTest.mouseClick(button, LEFT, PLAIN, button.rect().center())
        return True

    def at_step(self, step: str) -> Way:
        """Click a step in the list, having come back from the start screen."""
        window = self.window
        if window.stack.currentWidget() is window.start:
            if not self.button(window.start.back_button):
                yield from self.example()
            yield
        if window.wizard is not None:
            self.button(window.wizard.steps.buttons[step])
        yield

    def by_menu(self, key: str) -> Way:
        """Open a menu with the mouse, and click the entry."""
        bar, wanted = self.window.menuBar(), self.window.menus.actions.get(key)
        for top in bar.actions():
            menu = top.menu()
            if wanted is not None and isinstance(menu, QMenu) and wanted in menu.actions():
                place = bar.actionGeometry(top)
                if place.isEmpty() or not wanted.isEnabled():
                    return
                QTest.mouseClick(bar, LEFT, PLAIN, place.center())
                yield
                if menu.isVisible():
                    QTest.mouseClick(menu, LEFT, PLAIN, menu.actionGeometry(wanted).center())
                yield
                return

    def preview(self) -> Way:
        """See the report as it will be printed."""
        yield from self.at_step("review")
        self.button(getattr(self.window.wizard.page, "preview_button", None))
        yield

    def bets(self) -> Way:
        """Have questions asked."""
        from ui.elicitation.entry import BetsEntry

        yield from self.example("durham")
        yield from self.at_step("profile")
        entries = within_sight(self.window.wizard.page, (BetsEntry,))
        if entries:
            self.button(entries[0].ask_button)
        yield

    def table(self) -> Way:
        """Show the data of a figure as a table."""
        yield from self.at_step(self.dice.choice(("profile", "decision", "accuracy")))
        tools = within_sight(self.window.wizard.page, (FigureTools,))
        if tools:
            chosen = self.dice.choice(tools)
            self.button(chosen.button)
            yield
            menu, action = chosen.button.menu(), chosen.actions_by_name["table"]
            if menu.isVisible():
                QTest.mouseClick(menu, LEFT, PLAIN, menu.actionGeometry(action).center())
        yield

    def example(self, name: str = "") -> Way:
        """Open an example from the start screen."""
        QTest.keyClick(self.target(), Key.Key_H, CONTROL)
        yield
        buttons = self.window.start.example_buttons
        self.button(buttons[name or self.dice.choice(tuple(buttons))])
        yield

    def recovery(self) -> Way:
        """Open a file beside which a program that was killed left its journal."""
        from dpwizard.decision.decision import read_decision
        from dpwizard.projects.journal import Journal, beside

        path = self.folder / f"left{self.dice.randrange(3)}.json"
        shutil.copy(FOLDER / "examples" / "durham.json", path)
        raw = json.loads(path.read_text("utf-8"))
        Journal(beside(path), path, None).write(
            read_decision({**raw, "title": "Not saved"}), ("Set title",), "2026-11-21T09:00:00+00:00"
        )
        self.window.drop(path)  # as a file let fall on the window
        yield

    def error(self) -> Way:
        """Have something inside the program go wrong."""

        def fail() -> None:
            raise Planted("made on purpose")

        QTimer.singleShot(0, fail)
        yield

    def verdict(self) -> Way:
        """Let a record fall on the window that is none."""
        self.window.drop(self.folder / "record.jws")
        yield

    def refused(self) -> Way:
        """Open what is no decision."""
        self.window.drop(self.folder / self.dice.choice(tuple(REFUSED)))
        yield
