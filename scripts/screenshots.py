"""Draw every page of the window into docs/images/, light and dark, at 1366 x 768 and at twice that: `python scripts/screenshots.py`."""

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


def main() -> int:
    """Draw everything, each theme and scale in a process of its own, as Qt reads its scale but once."""
    TARGET.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(ROOT))
    if len(sys.argv) == 3:
        draw(sys.argv[1], int(sys.argv[2]))
        return 0
    for theme in THEMES:
        for scale in SCALES:
            environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": str(scale)}
            subprocess.run([sys.executable, __file__, theme, str(scale)], check=True, env=environment, cwd=ROOT)
    return 0


def draw(theme: str, scale: int) -> None:
    """Draw the start screen and every page in one theme at one scale."""
    from PySide6.QtCore import QEventLoop, QSettings, QTimer
    from PySide6.QtWidgets import QWidget

    from ui import app as ui_app

    app = ui_app.application(["screenshots"])
    settings = QSettings(str(Path(tempfile.mkdtemp()) / "settings.ini"), QSettings.Format.IniFormat)
    window = ui_app.make_window(app, dark=theme == "dark", settings=settings)
    window.resize(WIDTH, HEIGHT)
    window.show()

    def settle() -> None:
        loop = QEventLoop()
        QTimer.singleShot(400, loop.quit)
        loop.exec()

    def save(name: str) -> None:
        focused: Any = app.focusWidget()
        if isinstance(focused, QWidget):
            focused.clearFocus()
        settle()
        indexed(window.grab().toImage()).save(str(TARGET / f"{name}-{theme}-{scale}x.png"), "PNG", 0)  # 0: as small as it gets

    settle()
    save("start")
    window.prepare()
    window.open_path(EXAMPLE, example=True)
    assert window.session is not None
    assert window.wizard is not None
    window.session.put("Set largest ratio", "$.requirements[0].profile.ratio", RATIO)
    window.session.put("Set posterior cap", "$.requirements[0].profile.posterior", RATIO / 10)
    window.session.put("Choose epsilon", "$.epsilon", CHOSEN)
    for key in window.wizard.pages:
        window.wizard.go(key)
        save(key)
    window.session.start(window.session.decision)
    window.close()


def indexed(picture: QImage) -> QImage:
    """Return PICTURE with 256 of its colours, each other one replaced by the nearest of them: half the size."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(plain.constBits(), dtype=np.uint32).reshape(plain.height(), plain.bytesPerLine() // 4)[:, : plain.width()]
    colours, where, counts = np.unique(pixels & 0xFFFFFF, return_inverse=True, return_counts=True)

    def parts(colour: np.ndarray) -> np.ndarray:
        return np.stack([(colour >> shift) & 0xFF for shift in (16, 8, 0)], axis=-1).astype(np.int64)

    kept = np.argsort(counts)[::-1][:FREQUENT]
    distance = ((parts(colours)[:, None, :] - parts(colours[kept])[None, :, :]) ** 2).sum(axis=-1)
    while len(kept) < min(MOST, len(colours)):  # the colour served worst so far: a thin orange line is rare and matters
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
