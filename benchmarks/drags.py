"""Ten adversaries in the window, one of whom is dragged: how long until the panels answer, for each shape of profile.

Sliders are moved, knots and steps dragged with the mouse, the cell of a grid typed over. Each edit is followed until
the panels painted are those of that edit; several rounds are made and the best one counts, as a busy machine only ever
lengthens one.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from benchmarks import samples

EDITS, ROUNDS = 60, 3
LONGEST = 5.0  # seconds after which an edit counts as lost
SHAPES = ("constant", "cap_or_ratio", "cap", "increase", "odds", "knots", "steps", "knots2d", "guessing")
HANDS = {
    "knots": "knots dragged",
    "steps": "steps dragged",
    "knots2d": "knots2d 8 x 8, a cell typed",
    "guessing": "guessing, advantage slider",
}
BEHIND = ("knots2d", "guessing")  # their figures are computed behind the window
FIELDS = {"constant": "ratio", "cap_or_ratio": "ratio", "cap": "posterior", "increase": "amount", "odds": "factor"}
PROFILES: dict[str, Any] = {
    "constant": {"shape": "constant", "ratio": 3},
    "cap_or_ratio": {"shape": "cap_or_ratio", "posterior": 0.3, "ratio": 4},
    "cap": {"shape": "cap", "posterior": 0.4},
    "increase": {"shape": "increase", "amount": 0.2},
    "odds": {"shape": "odds", "factor": 4},
    "knots": {"shape": "knots", "axis": "p", "points": [[0.001, 90], [0.01, 25], [0.1, 4], [0.5, 1.6], [1, 1]]},
    "steps": {"shape": "steps", "axis": "p", "edges": [0.01, 0.1], "ratios": [20, 6, 2]},
}


def decision(shape: str) -> Any:
    """Return a decision with ten adversaries, the first of the SHAPE that is dragged; every second of the others varies
    in both beliefs."""
    import random

    from dpwizard.base.values import read
    from dpwizard.decision.decision import Decision

    rng = random.Random(11)
    raw = samples.decision(10)
    for index, requirement in enumerate(raw["requirements"]):
        requirement["name"] = f"Adversary {index + 1}"
        if requirement["kind"] == "relative_risk" and index % 2:
            requirement.update({"adversary": "inclusion", "p": [0.001, 1], "q": 1})
    first: dict[str, Any] = {
        "kind": "relative_risk",
        "name": "Dragged",
        "adversary": "inclusion",
        "p": [0.001, 1],
        "q": 1,
    }
    if shape == "guessing":
        first = {**samples.guess(rng, samples.PRIORS[1], 3.0), "name": "Dragged"}
    elif shape == "knots2d":
        first.update({"adversary": "both", "q": [0.001, 1], "profile": samples.surface(8, rng)})
    else:
        first["profile"] = PROFILES[shape]
        if shape == "cap":
            first["p"] = [0.001, 0.2]  # no release caps the chance of someone who is surer than the cap already
    raw["requirements"][0] = first
    return read(Decision, raw, "$")


def watch() -> list[Any]:
    """Let every paint of a plot leave its time, from now on, in the tables put into what is returned: before a plot is
    first painted."""
    from ui.plots.plot import Plot

    notes: list[Any] = []
    original = Plot.paintEvent

    def paint(self: Any, event: Any) -> None:
        original(self, event)
        for names, painted in notes:
            if self in names:
                painted[names[self]] = time.perf_counter()

    Plot.paintEvent = paint
    return notes


def see(page: Any) -> None:
    """Scroll to the panels of PAGE, below the plain questions."""
    for panel in page.curve_panels:
        page.ensureWidgetVisible(panel.plots[0])


def measured(window: Any, settle: Callable[..., None], shape: str, notes: list[Any]) -> dict[str, Any]:
    """Return, in seconds, how long the edits of SHAPE take to the panels painted (median and 95th percentile), and to
    final values."""
    window.session.start(decision(shape))
    window.wizard.go("release")
    settle(0.3)
    window.wizard.go("profile")
    settle(1.0)
    while shape in BEHIND and not _figure_panel(window.wizard.page).plots:
        settle(0.1)
    best: dict[str, Any] = {}
    kept = True
    for _ in range(ROUNDS):
        found = _round(window, settle, shape, notes)
        kept = kept and found.pop("kept")
        best = {name: min(value, best.get(name, value)) for name, value in found.items()}
    return {**best, "kept": kept}


def _round(window: Any, settle: Callable[..., None], shape: str, notes: list[Any]) -> dict[str, Any]:
    from PySide6.QtCore import QEventLoop, QTimer
    from PySide6.QtWidgets import QApplication

    app = QApplication.instance()
    assert app is not None
    wait = QEventLoop.ProcessEventsFlag.WaitForMoreEvents
    guard = QTimer()
    guard.start(50)  # so that a lost edit is noticed
    page = window.wizard.page
    painted, figures, solved = _watch(window, page, shape, notes)
    hand = _hand(page, shape)
    waits, works, finals = [], [], []
    for turn in range(EDITS):
        painted.clear()
        figures.clear()
        solved.clear()
        before = window.session.decision
        began, worked = time.perf_counter(), time.process_time()
        hand(turn)
        if window.session.decision is before:
            continue  # the hand was held: nothing was asked for
        while not _answered(window, painted, figures, solved):
            app.processEvents(wait)  # sleeps until something happens, as the program itself does
            if time.perf_counter() - began > LONGEST:
                raise RuntimeError(f"{shape}: an edit was lost")
        waits.append(max(painted.values()) - began)
        finals.append(max((*painted.values(), *figures)) - began)
        works.append(time.process_time() - worked)
        settle(0.02)
    for release in window.bench_cleanup:
        release()
    shown = page.curve_panels[0].shown
    kept = window.wizard.answered == window.session.decision and (
        shape == "guessing" or shown.decision == window.session.decision
    )
    waits.sort()
    return {
        "median": statistics.median(waits),
        "p95": waits[int(len(waits) * 0.95)],
        "cpu": statistics.median(works),
        "final": statistics.median(finals),
        "longest": max(finals),
        "kept": kept,
    }


def _answered(window: Any, painted: dict[str, float], figures: list[float], solved: list[float]) -> bool:
    """Return whether the panels of the newest decision are painted."""
    if not solved or window.wizard.answered is not window.session.decision:
        return False
    late = [panel for panel in window.wizard.page.figure_panels if not panel.isHidden() and panel.background.busy]
    if late:
        return False
    wanted = window.bench_wanted
    return all(painted.get(name, 0.0) >= solved[-1] for name in wanted)


def _watch(window: Any, page: Any, shape: str, notes: list[Any]) -> tuple[dict[str, float], list[float], list[float]]:
    """Return the times of the newest paints by panel, of figures that came from behind the window, and of answers."""
    painted: dict[str, float] = {}
    figures: list[float] = []
    solved: list[float] = []
    if shape in BEHIND:
        panel = _figure_panel(page)
        page.ensureWidgetVisible(panel.plots[-1])
        names = {panel.plots[-1]: "figure"}
    else:
        see(page)
        names = {panel.plots[0]: str(index) for index, panel in enumerate(page.curve_panels)}
    window.bench_wanted = tuple(names.values())
    notes[:] = [(names, painted)]

    def note(*_: object) -> None:
        solved.append(time.perf_counter())

    def drawn(*_: object) -> None:
        figures.append(time.perf_counter())

    window.wizard.solver.solved.connect(note)
    for panel in page.figure_panels:
        panel.background.done.connect(drawn)

    def clean() -> None:
        notes.clear()
        window.wizard.solver.solved.disconnect(note)
        for panel in page.figure_panels:
            panel.background.done.disconnect(drawn)

    window.bench_cleanup = (clean,)
    return painted, figures, solved


def dragged_budget(window: Any, settle: Callable[..., None], notes: list[Any]) -> dict[str, Any]:
    """Return, in seconds, how long steps of the budget take on the axis of step 6: of the window's thread, and to the
    axis painted. Of several rounds the best counts."""
    from PySide6.QtCore import QEventLoop
    from PySide6.QtWidgets import QApplication

    app = QApplication.instance()
    assert app is not None
    wait = QEventLoop.ProcessEventsFlag.WaitForMoreEvents
    wizard, axis, first = window.wizard, window.wizard.page.zoomed, window.session.decision.chosen
    wizard.page.ensureWidgetVisible(axis.plots[0])
    painted: dict[str, float] = {}
    notes[:] = [({axis.plots[0]: "axis"}, painted)]
    solved: list[float] = []
    wizard.solver.solved.connect(lambda *_: solved.append(time.perf_counter()))
    best: dict[str, Any] = {}
    for _ in range(ROUNDS):
        waits, works, spent = [], [], []
        for turn in range(EDITS):
            painted.clear()
            solved.clear()
            began, worked, process = time.perf_counter(), time.thread_time(), time.process_time()
            axis.chosen.emit(first + 0.001 * abs(EDITS // 2 - turn), True)
            while not (
                solved and wizard.answered is window.session.decision and painted.get("axis", 0.0) >= solved[-1]
            ):
                app.processEvents(wait)
                if time.perf_counter() - began > LONGEST:
                    raise RuntimeError("the axis was not painted")
            waits.append(painted["axis"] - began)
            settle(0.02)  # figures that come from behind the window are shown by its thread, too
            works.append(time.thread_time() - worked)
            spent.append(time.process_time() - process)
        found = {"painted": _middle(waits), "thread": _middle(works), "cpu": statistics.median(spent)}
        if not best or found["thread"]["median"] < best["thread"]["median"]:
            best = found
    shown = axis.shown
    return {**best, "kept": shown is not None and shown.decision == window.session.decision.planned}


def _middle(seconds: list[float]) -> dict[str, float]:
    """Return the median and the 95th percentile of SECONDS."""
    ordered = sorted(seconds)
    return {"median": statistics.median(ordered), "95th percentile": ordered[int(len(ordered) * 0.95)]}


def _figure_panel(page: Any) -> Any:
    """Return the panel whose figure is computed behind the window."""
    return next(panel for panel in page.figure_panels if not panel.isHidden())


def _hand(page: Any, shape: str) -> Callable[[int], None]:
    """Return what one edit of SHAPE is: a slider moved, a handle dragged, a cell typed."""
    card = next(card for card in page.cards.cards if card.index == 0)
    if shape in FIELDS:
        slider = card.form.nested["profile"].form.editors[FIELDS[shape]].slider
        return lambda turn: slider.setValue(260 + abs(40 - turn % 80) * 6)
    if shape == "guessing":
        slider = card.form.editors["advantage"].slider
        return lambda turn: slider.setValue(60 + abs(20 - turn % 40) * 6)
    if shape == "knots2d":
        model = card.form.nested["profile"].form.table.rows_model

        def type_over(turn: int) -> None:
            model.setData(model.index(5, 5), f"{3 + 0.01 * (turn % 40 + 1):.4g}")

        return type_over
    return _drag(page, 2)  # in the middle


def _drag(page: Any, index: int) -> Callable[[int], None]:
    """Return a drag of handle INDEX with the mouse, a step at a time; it is never let go."""
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest

    panel = page.profile_panel
    handles = panel.handles
    port = panel.plots[0].viewport()
    start = handles._pixel_of(handles.shown[index]).toPoint()

    def move(turn: int) -> None:
        if turn == 0:
            QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=start)
        QTest.mouseMove(port, start + QPoint(0, -1 - abs(12 - turn % 24)))

    return move
