"""A window that holds still for its picture, and pictures with few colours."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtGui import QImage

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
TARGET = ROOT / "docs" / "images"
EXAMPLE = ROOT / "resources" / "examples" / "durham.json"
WIDTH, HEIGHT = 1366, 768  # logical pixels
COLOURS, FREQUENT = 256, 160  # colours of a picture, and how many of them are chosen by frequency alone
PATIENCE = 8_000  # milliseconds that a figure may take


class Camera:
    """A window with settings and journals of its own."""

    def __init__(self, *, dark: bool) -> None:
        from PySide6.QtCore import QSettings

        from ui.app import application as ui_app

        self.app = ui_app.application(["screenshots"])
        folder = Path(tempfile.mkdtemp())
        settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.window = ui_app.make_window(self.app, dark=dark, settings=settings, state=folder, language="en")
        self.window.resize(WIDTH, HEIGHT)
        self.window.show()
        self.settle()

    def open_example(self) -> Any:
        """Open the Durham example and return the session."""
        self.window.prepare()
        self.window.open_path(EXAMPLE, example=True)
        return self.window.session

    def close(self) -> None:
        """Close the window without a question about unsaved changes."""
        self.window.session.start(self.window.session.decision)
        self.window.close()

    def settle(self, milliseconds: int = 400) -> None:
        """Wait until the window has been still for a moment and no figure is being computed."""
        from PySide6.QtCore import QDeadlineTimer, QEventLoop, QTimer

        from ui.panels.figure_panel import FigurePanel

        deadline = QDeadlineTimer(PATIENCE)
        while True:
            loop = QEventLoop()
            QTimer.singleShot(milliseconds, loop.quit)
            loop.exec()
            panels = self.window.wizard.page.findChildren(FigurePanel) if self.window.wizard is not None else []
            if deadline.hasExpired() or not any(panel.background.busy for panel in panels):
                return

    def save(self, name: str, of: Any = None) -> None:
        """Save what the window, or another widget, shows. No field has the focus."""
        from PySide6.QtWidgets import QWidget

        focused: Any = self.app.focusWidget()
        if isinstance(focused, QWidget):
            focused.clearFocus()
        self.settle()
        save_picture((of or self.window).grab().toImage(), name)


def save_picture(picture: QImage, name: str) -> None:
    """Save a picture as docs/images/NAME.png, as small as it gets."""
    indexed(picture).save(str(TARGET / f"{name}.png"), "PNG", 0)


def indexed(picture: QImage) -> QImage:
    """Return the picture with 256 of its colours, each other one replaced by the nearest: half the size, or less."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(plain.constBits(), dtype=np.uint32).reshape(plain.height(), plain.bytesPerLine() // 4)[
        :, : plain.width()
    ]
    colours, where, counts = np.unique(pixels & 0xFFFFFF, return_inverse=True, return_counts=True)

    def channels(colour: np.ndarray) -> np.ndarray:
        return np.stack([(colour >> shift) & 0xFF for shift in (16, 8, 0)], axis=-1).astype(np.int64)

    kept = np.argsort(counts)[::-1][:FREQUENT]
    distance = ((channels(colours)[:, None, :] - channels(colours[kept])[None, :, :]) ** 2).sum(axis=-1)
    while len(kept) < min(COLOURS, len(colours)):
        # add the colour that is served worst so far: a thin orange line is rare, and it matters
        worst = int(distance.min(axis=1).argmax())
        to_worst = ((channels(colours) - channels(colours[worst])) ** 2).sum(axis=-1)
        kept, distance = np.append(kept, worst), np.column_stack((distance, to_worst))
    index = distance.argmin(axis=1).astype(np.uint8)[where].reshape(pixels.shape)
    rows = np.zeros((index.shape[0], (index.shape[1] + 3) // 4 * 4), dtype=np.uint8)
    rows[:, : index.shape[1]] = index
    image = QImage(rows.tobytes(), index.shape[1], index.shape[0], rows.shape[1], QImage.Format.Format_Indexed8).copy()
    image.setColorTable([0xFF000000 | int(colour) for colour in colours[kept]])
    return image
