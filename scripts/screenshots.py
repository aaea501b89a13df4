"""Draw every page of the window into docs/images/: `python scripts/screenshots.py`.

The story told by keyboard alone is drawn in German. One decision is drawn light and dark, at 1366 x 768 and at twice
that, as it is seen on a screen. Every bundled example is drawn step by step into docs/images/examples/, light, each
page in its whole length with all that its panels show.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtGui import QImage

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "images"
EXAMPLE = ROOT / "resources" / "examples" / "durham.json"
WIDTH, HEIGHT = 1366, 768  # logical pixels
THEMES, SCALES = ("light", "dark"), (1, 2)
RATIO = 6.0  # a looser promise than the example's, so that there is a window to be seen
CHOSEN = 2.3
MOST, FREQUENT = 256, 160  # colours of a picture, and how many of them by frequency alone
FEWER = 40  # colours of the many pictures of examples
LONGEST = 3_000  # pixels of a page
BUSY = 8_000  # milliseconds that a figure may take


def main() -> int:
    """Draw everything, each theme and scale in a process of its own, as Qt reads its scale but once."""
    TARGET.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(ROOT))
    if len(sys.argv) == 3:
        draw(sys.argv[1], int(sys.argv[2]))
        return 0
    if sys.argv[1:] == ["questions"]:
        from question_pictures import draw_questions

        draw_questions()
        return 0
    if sys.argv[1:] == ["tour"]:
        from tour_pictures import draw_tour

        draw_tour()
        return 0
    if len(sys.argv) == 2:
        tell_in_german() if sys.argv[1] == "german" else draw_examples()
        return 0
    tell_in_german()
    for asked in [(theme, str(scale)) for theme in THEMES for scale in SCALES] + [
        ("examples",),
        ("questions",),
        ("tour",),
    ]:
        environment = {
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "QT_SCALE_FACTOR": asked[1] if len(asked) == 2 else "1",
        }
        subprocess.run([sys.executable, __file__, *asked], check=True, env=environment, cwd=ROOT)
    return 0


class Camera:
    """A window of its own, with settings of its own, and what it takes to have it hold still."""

    def __init__(self, *, dark: bool) -> None:
        from PySide6.QtCore import QSettings

        from ui.app import application as ui_app

        self.app = ui_app.application(["screenshots"])
        own = Path(tempfile.mkdtemp())  # settings and journals of nobody: what others left is not in the picture
        settings = QSettings(str(own / "settings.ini"), QSettings.Format.IniFormat)
        self.window = ui_app.make_window(self.app, dark=dark, settings=settings, state=own, language="en")
        self.window.resize(WIDTH, HEIGHT)
        self.window.show()

    def settle(self, milliseconds: int = 400) -> None:
        """Wait until the window has been still for a moment, and no figure is being computed."""
        from PySide6.QtCore import QDeadlineTimer, QEventLoop, QTimer

        from ui.panels.figure_panel import FigurePanel

        patience = QDeadlineTimer(BUSY)
        while True:
            loop = QEventLoop()
            QTimer.singleShot(milliseconds, loop.quit)
            loop.exec()
            panels = self.window.wizard.page.findChildren(FigurePanel) if self.window.wizard is not None else []
            if patience.hasExpired() or not any(panel.background.busy for panel in panels):
                return

    def save(self, name: str, most: int = MOST, of: Any = None) -> None:
        """Save what the window (or another one, OF) shows, no field in use."""
        from PySide6.QtWidgets import QWidget

        focused: Any = self.app.focusWidget()
        if isinstance(focused, QWidget):
            focused.clearFocus()
        self.settle()
        indexed((of or self.window).grab().toImage(), most).save(
            str(TARGET / f"{name}.png"), "PNG", 0
        )  # 0: as small as it gets

    def lengthen(self) -> None:
        """Make the window as high as the page it shows."""
        self.window.resize(WIDTH, HEIGHT)
        self.settle()
        page = self.window.wizard.page
        content = page.widget()
        needed = (
            content.heightForWidth(page.viewport().width())
            if content.hasHeightForWidth()
            else content.sizeHint().height()
        )
        above = self.window.height() - page.viewport().height()
        self.window.resize(WIDTH, min(LONGEST, max(HEIGHT, needed + above, content.height() + above)))


def draw(theme: str, scale: int) -> None:
    """Draw the start screen and every page in one theme at one scale."""
    camera = Camera(dark=theme == "dark")
    window = camera.window
    camera.settle()
    camera.save(f"start-{theme}-{scale}x")
    window.prepare()
    window.open_path(EXAMPLE, example=True)
    assert window.session is not None
    assert window.wizard is not None
    window.session.put("Set largest ratio", "$.requirements[0].profile.ratio", RATIO)
    window.session.put("Set posterior cap", "$.requirements[0].profile.posterior", RATIO / 10)
    window.session.put("Choose epsilon", "$.epsilon", CHOSEN)
    for key in window.wizard.pages:
        window.wizard.go(key)
        camera.save(f"{key}-{theme}-{scale}x")
    window.session.start(window.session.decision)
    window.close()


def tell_in_german() -> None:
    """Draw every step of the story that is told by keyboard alone, in German, dark, magnified twice."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": "2"}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.end_to_end.german_story", folder]
        subprocess.run(command, check=True, env={**environment, "XDG_CONFIG_HOME": folder}, cwd=ROOT)
        for path in sorted(Path(folder).glob("de-*.png")):
            indexed(QImage(str(path))).save(str(TARGET / path.name), "PNG", 0)


def draw_examples() -> None:
    """Draw every step of every bundled example, each page in its whole length."""
    (TARGET / "examples").mkdir(exist_ok=True)
    camera = Camera(dark=False)
    window = camera.window
    camera.settle()
    window.prepare()
    assert window.session is not None
    assert window.wizard is not None
    for path in sorted(EXAMPLE.parent.glob("*.json")):
        window.open_path(path, example=True)
        for number, key in enumerate(window.wizard.pages, 1):
            window.wizard.go(key)
            camera.lengthen()
            camera.save(f"examples/{path.stem}-{number}-{key}", FEWER)
    window.close()


def indexed(picture: QImage, most: int = MOST) -> QImage:
    """Return PICTURE with MOST of its colours, each other one replaced by the nearest of them: half the size, or
    less."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(plain.constBits(), dtype=np.uint32).reshape(plain.height(), plain.bytesPerLine() // 4)[
        :, : plain.width()
    ]
    colours, where, counts = np.unique(pixels & 0xFFFFFF, return_inverse=True, return_counts=True)

    def parts(colour: np.ndarray) -> np.ndarray:
        return np.stack([(colour >> shift) & 0xFF for shift in (16, 8, 0)], axis=-1).astype(np.int64)

    kept = np.argsort(counts)[::-1][: min(FREQUENT, most * 5 // 8)]
    distance = ((parts(colours)[:, None, :] - parts(colours[kept])[None, :, :]) ** 2).sum(axis=-1)
    while len(kept) < min(most, len(colours)):  # the colour served worst so far: a thin orange line is rare and matters
        worst = int(distance.min(axis=1).argmax())
        own = ((parts(colours) - parts(colours[worst])) ** 2).sum(axis=-1)
        kept, distance = np.append(kept, worst), np.column_stack((distance, own))
    found = distance.argmin(axis=1).astype(np.uint8)[where].reshape(pixels.shape)
    rows = np.zeros((found.shape[0], (found.shape[1] + 3) // 4 * 4), dtype=np.uint8)
    rows[:, : found.shape[1]] = found
    made = QImage(rows.tobytes(), found.shape[1], found.shape[0], rows.shape[1], QImage.Format.Format_Indexed8).copy()
    made.setColorTable([0xFF000000 | int(colour) for colour in colours[kept]])
    return made


if __name__ == "__main__":
    sys.exit(main())
