"""One side of the crash run: a scripted officer at the real window, who types, drags, saves and signs until killed.

Run by tests.soak.crashes, which reads one JSON line for each state of the decision: the time it was reached and the
SHA-256 of it as a file. First it opens what the session before left, with any dialog answered, and says what came back.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from dpwizard.base import json_text
from dpwizard.decision import Decision, to_json
from ui.app import application as ui_app
from ui.app.differences import RecoveryDialog
from ui.app.window import MainWindow
from ui.forms import Editor
from ui.host import keep_technical_details_open
from ui.workers import Worker

PASSPHRASE = "a passphrase for crashes"
LEFT = Qt.MouseButton.LeftButton


def tell(**said: Any) -> None:
    """Write one JSON line at once."""
    os.write(1, (json.dumps({"at": time.monotonic(), **said}) + "\n").encode())


def state(decision: Decision) -> str:
    """Return the SHA-256 of DECISION as it would lie in a file."""
    return hashlib.sha256(json_text.document(to_json(decision))).hexdigest()


def opened(folder: Path) -> MainWindow:
    """Return the window with the project in FOLDER open, or begun, any recovery accepted by a click."""
    app = ui_app.application([])
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    keep_technical_details_open(settings, True)
    window = ui_app.make_window(app, dark=False, settings=settings, state=folder / "state")
    window.show()
    window.prepare()
    watch = QTimer(window)
    watch.setInterval(5)

    def answer() -> None:
        shown = QApplication.activeModalWidget()
        if isinstance(shown, RecoveryDialog):
            tell(offered=len(shown.table.rows()))
            QTest.mouseClick(shown.recover_button, LEFT)

    watch.timeout.connect(answer)
    watch.start()
    window.open_path(folder / "project.json")
    watch.stop()
    return window


class Officer:
    """Does one thing after another at the window, at random."""

    def __init__(self, window: MainWindow, folder: Path, seed: int) -> None:
        self.window, self.folder, self.dice = window, folder, random.Random(seed)
        self.signed = 0
        self.worker: Worker | None = None  # the thread that signs

    def work(self) -> None:
        """Go on for ever."""
        acts = ((self.type, 5), (self.drag, 4), (self.undo, 1), (self.save, 3), (self.sign, 1))
        while True:
            act = self.dice.choices([act for act, _ in acts], [weight for _, weight in acts])[0]
            tell(does=act.__name__)
            act()
            self.pause(self.dice.uniform(0, 120))

    def pause(self, milliseconds: float) -> None:
        QTest.qWait(int(milliseconds))

    def editor(self, step: str, where: str) -> Editor | None:
        wizard = self.window.wizard
        wizard.go(step)
        QApplication.processEvents()
        return next(
            (one for one in wizard.page.findChildren(Editor) if one.objectName() == where and one.isVisible()), None
        )

    def type(self) -> None:
        found = self.editor("release", "$.title")
        if found is not None:
            line: QWidget = found.controls()[0]
            line.setFocus()
            QTest.keyClick(line, Qt.Key.Key_End)
            if len(self.window.session.decision.title or "") > 200:
                QTest.keyClick(line, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
            for letter in self.dice.choices("abcdefgh ", k=self.dice.randint(1, 12)):
                QTest.keyClick(line, letter)
                self.pause(self.dice.uniform(0, 60))
            QTest.keyClick(line, Qt.Key.Key_Tab)

    def drag(self) -> None:
        found = self.editor("profile", "$.requirements[0].profile.ratio")
        slider = getattr(found, "slider", None)
        if slider is None:
            return
        middle = slider.height() // 2
        QTest.mousePress(slider, LEFT, pos=QPoint(slider.width() // 2, middle))
        for _ in range(self.dice.randint(3, 25)):
            QTest.mouseMove(slider, QPoint(self.dice.randrange(slider.width()), middle))
            self.pause(16)
        QTest.mouseRelease(slider, LEFT, pos=QPoint(self.dice.randrange(slider.width()), middle))

    def undo(self) -> None:
        self.window.undo()

    def save(self) -> None:
        self.window.documents.save()

    def sign(self) -> None:
        """Sign what is shown, to a new name, on the thread that signs, and go on typing meanwhile."""
        from datetime import UTC, datetime

        from dpwizard.records import AssertedTime
        from dpwizard.signing import RecordFiles, signing
        from dpwizard.signing.identity import open_identity

        decision, name = self.window.session.decision, f"record-{os.getpid()}-{self.signed}"
        self.signed += 1
        target = RecordFiles.beside(self.folder / f"{name}.json")
        identity = self.folder / "identity.p12"

        def job(_: object) -> None:
            opened = open_identity(pkcs12=identity.read_bytes(), passphrase=PASSPHRASE)
            stated = AssertedTime(time=datetime.now(UTC).replace(microsecond=0), source="computer")
            signature = signing.SigningRequest(
                identity=opened, role="proposes", verdict="approve", comment="", stated=stated
            )
            signing.sign_new(decision, target, signature)

        if self.worker is None:
            self.worker = Worker(self.window)
            self.worker.failed.connect(lambda problem: tell(unsigned=type(problem).__name__))
            self.worker.done.connect(lambda _: tell(signed=True))
        self.worker.start(job)
        self.type()


def session(folder: Path, seed: int) -> None:
    """Say what came back from the session before, save it, and work until killed."""
    window = opened(folder)
    current = window.session
    tell(recovered=state(current.decision), saved=window.documents.save())
    current.changed.connect(lambda: tell(state=state(current.decision)))
    tell(state=state(current.decision), ready=True)
    Officer(window, folder, seed).work()


if __name__ == "__main__":
    session(Path(sys.argv[1]), int(sys.argv[2]))
