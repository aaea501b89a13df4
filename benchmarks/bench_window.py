"""How long the window makes somebody wait: from a slider to its panels, and from the start to the first page.

Run it as `xvfb-run -a -s "-screen 0 1366x768x24" python -m benchmarks.bench_window`, or on a display of your own.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "resources" / "examples" / "durham.json"
SINGLE, DRAGGED, EVERY = 300, 600, 0.008  # edits one by one; edits of a drag, a mouse's 125 a second
STARTS = 7


def main() -> int:
    """Print every figure, and return 1 if one is above what is promised."""
    figures = {**start_up(), **latency()}
    promised = {
        "slider_to_painted_median_ms": 16.0,
        "slider_to_painted_p95_ms": 33.0,
        "longest_block_ms": 33.0,
        "first_page_painted_ms": 200.0,
        "usable_with_panels_ms": 1000.0,
    }
    for name, value in figures.items():
        most = promised.get(name)
        print(f"{name:36} {value:9.1f}" + (f"   promised {most:.0f}" if most is not None else ""))
    print(f"{'last_drawn_is_last_edit':36} {'yes' if figures['last_drawn_is_last_edit'] else 'NO'}")
    kept = all(figures[name] <= most for name, most in promised.items()) and bool(figures["last_drawn_is_last_edit"])
    return 0 if kept else 1


# ------------------------------------------------------------------------------------ slider to painted


def latency() -> dict[str, float]:
    """Return how long panels take to follow the ratio slider of the Durham example, one edit at a time and in a drag."""
    window, settle = opened()
    from PySide6.QtWidgets import QApplication

    app = QApplication.instance()
    assert app is not None
    wizard = window.wizard
    wizard.go("profile")
    page = wizard.page
    slider = page.cards.cards[0].form.nested["profile"].form.editors["ratio"].slider
    painted = watch_paint(page)
    settle()

    waits = []
    for turn in range(SINGLE):
        painted.clear()
        value = 150 + (turn * 37) % 700
        began = time.perf_counter()
        slider.setValue(value)
        while not (wizard.answered is window.session.decision and {"profile", "implied"} <= painted.keys()):
            app.processEvents()
            if time.perf_counter() - began > 2:
                break
        waits.append((max(painted.values()) - began) * 1000)
        settle(0.02)
    waits.sort()

    blocks = Heartbeat(app)
    began, drawn, lags = time.perf_counter(), 0, []
    for turn in range(DRAGGED):
        due = began + turn * EVERY
        while time.perf_counter() < due:
            blocks.step()
        edited = time.perf_counter()
        slider.setValue(150 + abs(350 - turn % 700) * 2)
        blocks.note(time.perf_counter() - edited)
        drawn += blocks.step()
        lags.append(edited)
    settle(0.3)
    shown = page.curve_panels[0].shown
    last = shown is not None and shown[0] is window.session.decision and not page.curve_panels[0].stale
    found = {
        "slider_to_painted_median_ms": statistics.median(waits),
        "slider_to_painted_p95_ms": waits[int(len(waits) * 0.95)],
        "slider_to_painted_max_ms": waits[-1],
        "longest_block_ms": blocks.longest * 1000,
        "block_p99_ms": sorted(blocks.all)[int(len(blocks.all) * 0.99)] * 1000,
        "last_drawn_is_last_edit": float(last),
    }
    window.session.start(window.session.decision)
    window.close()
    return found


class Heartbeat:
    """Turns the event loop by hand and notes how long it was away."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.longest = 0.0
        self.all: list[float] = []

    def note(self, seconds: float) -> None:
        """Note a stretch in which no event could be answered."""
        self.longest = max(self.longest, seconds)
        self.all.append(seconds)

    def step(self) -> int:
        """Answer the events that wait."""
        began = time.perf_counter()
        self.app.processEvents()
        self.note(time.perf_counter() - began)
        return 1


def watch_paint(page: Any) -> dict[str, float]:
    """Return a table in which every paint of the two curve panels leaves its time."""
    import pyqtgraph as pg

    painted: dict[str, float] = {}
    names = dict(zip((panel.plot for panel in page.curve_panels), ("profile", "implied"), strict=True))
    original = pg.PlotWidget.paintEvent

    def paint(self: Any, event: Any) -> None:
        original(self, event)
        if self in names:
            painted[names[self]] = time.perf_counter()

    pg.PlotWidget.paintEvent = paint
    return painted


def opened() -> tuple[Any, Callable[..., None]]:
    """Return the window with the Durham example open, and a function that lets it settle."""
    from PySide6.QtCore import QSettings

    from ui import app as ui_app

    app = ui_app.application(["bench"])
    settings = QSettings(str(Path(tempfile.mkdtemp()) / "settings.ini"), QSettings.Format.IniFormat)
    window = ui_app.make_window(app, dark=False, settings=settings)
    window.show()
    window.prepare()
    window.open_path(EXAMPLE, example=True)

    def settle(seconds: float = 0.5) -> None:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            app.processEvents()
            time.sleep(0.001)

    settle()
    return window, settle


# ------------------------------------------------------------------------------------------- start

START = """
import json, sys, time
began = float(sys.argv[1])
from PySide6.QtCore import QSettings, QTimer
from ui import app as ui_app
app = ui_app.application(["bench"])
window = ui_app.make_window(app, dark=False, settings=QSettings(sys.argv[2], QSettings.Format.IniFormat))
times = {}
from PySide6.QtWidgets import QWidget
class Last(QWidget):  # lies over everything, and so is painted last
    def paintEvent(self, event):
        if "first" not in times:
            times["first"] = time.time() - began
            self.hide()
last = Last(window)
last.resize(window.size())
last.raise_()
def opened():
    window.new()
    window.wizard.go("profile")
    window.wizard.solver.solved.connect(lambda *_: QTimer.singleShot(0, finished))
def finished():
    times.setdefault("usable", time.time() - began)
    times["scipy"] = "scipy" in sys.modules
    print(json.dumps(times), flush=True)
    app.quit()
window.ready.connect(opened)
window.show()
app.exec()
"""


def start_up() -> dict[str, float]:
    """Return how long it takes from the start of the process, interpreter included, to the first page and to live panels, warm."""
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(STARTS + 1):
            arguments = [sys.executable, "-c", START, str(time.time()), str(Path(folder) / "settings.ini")]
            finished = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=True, env={**os.environ})
            found.append(json.loads(finished.stdout.strip().splitlines()[-1]))
    warm = found[1:]
    return {
        "first_page_painted_ms": 1000 * statistics.median(one["first"] for one in warm),
        "usable_with_panels_ms": 1000 * statistics.median(one["usable"] for one in warm),
        "scipy_loaded_at_start": float(any(one["scipy"] for one in warm)),
    }


if __name__ == "__main__":
    sys.exit(main())
