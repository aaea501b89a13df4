"""The Durham decision by keyboard alone, in German, magnified and dark: `QT_SCALE_FACTOR=2 python -m
tests.end_to_end.german_story FOLDER`.

A program of its own, since Qt reads its scale but once. It writes the record and a picture of every step into FOLDER,
and what it found into told.json beside them.
"""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication

from tests.end_to_end.keyboard import CONTROL, SHIFT, Key, Keyboard
from ui.app import application as ui_app
from ui.host import keep_technical_details_open

WIDTH, HEIGHT = 960, 540  # logical pixels: a screen of 1920 x 1080 at 200 %
NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
STATED = "2026-11-21T10:30:00+01:00"
PASSPHRASE = "richtig Pferd Batterie Heftklammer"


class Story:
    """One officer, one keyboard, one decision."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        app = ui_app.application(["german_story"])
        settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        keep_technical_details_open(settings, True)
        self.window = ui_app.make_window(app, dark=True, settings=settings, state=folder / "state", language="de")
        self.window.resize(WIDTH, HEIGHT)
        self.window.show()
        self.window.activateWindow()
        self.keys = Keyboard(app, self.window)
        self.keys.until(lambda: app.activeWindow() is self.window)
        self.widest = 0

    @property
    def page(self) -> Any:
        return self.window.wizard.page

    def show(self, name: str) -> None:
        """Keep a picture of what is seen."""
        self.keys.settle()
        self.keys.rest()
        self.widest = max(self.widest, self.window.width())
        self.window.grab().save(str(self.folder / f"de-{name}.png"))

    def next(self) -> None:
        self.keys.press(Key.Key_Right, Qt.KeyboardModifier.AltModifier)

    def tell(self) -> dict[str, Any]:
        self.begin()
        self.describe_the_release()
        self.name_the_adversary()
        self.draw_the_profile()
        self.budget()
        self.say_what_must_be_usable()
        self.decide()
        self.sign()
        form = self.page.sign_form
        return {
            "record": str(self.folder / "durham.json"),
            "ok": form.signed.verification.ok,
            "said": form.says.words,
            "mouse": self.keys.mouse.seen,
            "unseen": self.keys.unseen,
            "width": self.widest,
            "scale": self.window.devicePixelRatioF(),
            "title": self.window.windowTitle(),
        }

    def begin(self) -> None:
        self.window.grab().save(str(self.folder / "de-0-start.png"))
        self.keys.press(Key.Key_N, CONTROL)
        self.keys.until(
            lambda: self.window.wizard is not None and self.window.stack.currentWidget() is self.window.wizard
        )

    def describe_the_release(self) -> None:
        keys = self.keys
        keys.fill("$.title", "Säuglingssterbefälle im Kreis Durham, 2020")
        keys.fill("$.release.description", "Die Zahl der 2020 gestorbenen Säuglinge unter 4012 Lebendgeborenen.")
        keys.choose(keys.editor("$.release.statistic").controls()[0], "count")
        keys.fill("$.release.unit", "ein Säugling in der Sterbefalldatei")
        keys.choose(keys.editor("$.release.neighbours").controls()[0], "add_remove")
        keys.fill("$.release.sensitivity", "1")
        keys.choose(keys.editor("$.release.mechanism").controls()[0], "geometric")
        keys.fill("$.release.population", "4 012")
        self.show("1-release")

    def name_the_adversary(self) -> None:
        keys = self.keys
        self.next()
        keys.pick(self.page.cards.add_button, "relative_risk")
        keys.fill("$.requirements[0].name", "Nachbarin, die die Familie kennt")
        keys.choose(keys.editor("$.requirements[0].adversary").controls()[0], "inclusion")
        keys.choose(keys.editor("$.requirements[0].p").controls()[0], "any")
        for box in tuple(self.page.assumed.boxes.values()):
            keys.use(box)
        self.show("2-adversary")

    def draw_the_profile(self) -> None:
        keys = self.keys
        self.next()
        keys.choose(keys.editor("$.requirements[0].profile.shape").controls()[0], "cap_or_ratio")
        keys.fill("$.requirements[0].profile.posterior", "50")
        keys.fill("$.requirements[0].profile.ratio", "5,0")
        self.show("3-profile")

    def budget(self) -> None:
        self.next()
        assert self.page.key == "budget"
        self.show("4-budget")

    def say_what_must_be_usable(self) -> None:
        keys = self.keys
        self.next()
        keys.pick(self.page.cards.add_button, "switch_probability")
        for name, typed in (
            ("name", "Ziel „Healthy People“"),
            ("target", "6,0"),
            ("per", "1 000"),
            ("records", "4012"),
            ("deviation", "0,25"),
            ("at_most", "10"),
        ):
            keys.fill(f"$.requirements[1].{name}", typed)
        self.show("5-accuracy")
        keys.pick(self.page.cards.add_button, "rmse")
        keys.fill("$.requirements[2].name", "Typischer Fehler der Zahl")
        keys.fill("$.requirements[2].at_most", "0,6")

    def decide(self) -> None:
        keys = self.keys
        self.next()
        keys.settle()
        keys.use(self.page.take_upper)  # the two ends touch: one epsilon keeps everything
        keys.fill("$.justification", "Das einzige Epsilon, das die Zusage und den Nutzen einhält.")
        keys.press(Key.Key_6, CONTROL)
        self.show("6-decision")

    def sign(self) -> None:
        keys = self.keys
        self.next()
        assert self.page.key == "review", self.page.key
        keys.choose(keys.editor("$.outcome").controls()[0], "approve")
        self.show("7-review")
        form = self.page.sign_form
        form.now = lambda: NOW
        keys.tab_to(form.target)
        keys.type("durham")
        keys.use(form.sign_button)
        dialog = form.dialog
        keys.until(lambda: keys.app.activeWindow() is dialog)
        who, read = dialog.who, dialog.read
        keys.choose(who.kind, "new")
        for line, words in (
            (who.name, "A. Müller"),
            (who.first, PASSPHRASE),
            (who.again, PASSPHRASE),
            (who.place, "amt.p12"),
        ):
            keys.tab_to(line)
            keys.type(words)
        dialog.grab().save(str(self.folder / "de-8a-who.png"))
        keys.press(Key.Key_Return)
        keys.until(lambda: (self.folder / "amt.p12").exists() and not form.worker.busy)
        keys.use(read.more.head)
        keys.tab_to(read.time)
        keys.type(STATED)
        keys.until(lambda: read.pages.pages)
        dialog.grab().save(str(self.folder / "de-8b-read.png"))
        keys.use(dialog.sign_button)
        keys.until(lambda: form.signed is not None and form.signed.verification is not None)
        dialog.grab().save(str(self.folder / "de-8c-done.png"))
        keys.use(dialog.close_button)
        self.window.activateWindow()  # the off-screen platform does not give the keyboard back by itself
        keys.until(lambda: keys.app.activeWindow() is self.window)
        keys.press(Key.Key_Tab, SHIFT)
        self.show("8-signed")


def main(folder: Path) -> int:
    """Tell the story once."""
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    os.chdir(folder)  # files are named without their folder
    story = Story(folder)
    (folder / "told.json").write_text(json.dumps(story.tell(), ensure_ascii=False), "utf-8")
    story.window.session.start(story.window.session.decision)  # nothing is unsaved: it closes without a question
    story.window.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
