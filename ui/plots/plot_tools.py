"""The tools of every figure: read, zoom, copy, save as PNG, SVG and CSV, and show the data as a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QGuiApplication, QPainter, QPixmap, QRegion, QResizeEvent
from PySide6.QtWidgets import QGraphicsItem, QHBoxLayout, QLabel, QMenu, QMessageBox, QWidget

from dpwizard.base.csv_text import as_csv
from dpwizard.base.errors import DPWizardError
from dpwizard.base.files import write_atomically
from dpwizard.charts import Scene, scene
from dpwizard.wording import word
from ui.controls import DotsButton, Prose, RowsTable, ask_place
from ui.plots.chart_plot import ChartPlot
from ui.plots.zoom import STEP
from ui.task_dialog import TaskDialog
from ui.widgets import complain, open_once, tr

PIXEL_RATIO = 2.0  # of a saved picture


@contextmanager
def _without_caches(plots: Iterable[ChartPlot]) -> Iterator[None]:
    """Draw PLOTS without their caches for the screen, while a picture is taken."""
    items = [item for plot in plots for item in plot.scene().items()]
    cached = [(item, item.cacheMode()) for item in items if item.cacheMode() != QGraphicsItem.CacheMode.NoCache]
    for item, _ in cached:
        item.setCacheMode(QGraphicsItem.CacheMode.NoCache)
    try:
        yield
    finally:
        for item, mode in cached:
            item.setCacheMode(mode)


class FigureTools(QWidget):
    """A line under a figure: what the crosshair reads, and a menu of what can be done with the figure."""

    def __init__(self, panel: QWidget, title: str, drawn: Callable[[], Scene | None], *, brief: bool = False) -> None:
        """Arguments: the PANEL that is pictured; its TITLE; DRAWN, which returns the figure as a scene, or None if
        there is none;

        BRIEF, whether there is room for one line only: the rest of what is read is in the tool tip.
        """
        super().__init__()
        self.panel, self.title, self._make_scene = panel, title, drawn
        self._plots: list[ChartPlot] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self._hint = ""
        self._how_to_read = word("chart", "point_brief" if brief else "point")
        self._says_how_to_read = True  # whether the line says how values are read while none is
        self.readout = QLabel(self._how_to_read)
        self.readout.setToolTip(self.readout.text())
        self.readout.setObjectName("caption")
        self.readout.setTextFormat(Qt.TextFormat.PlainText)
        self.readout.setWordWrap(not brief)
        self.readout.setMinimumWidth(40)
        self._lines = 1 if brief else 2
        self._make_room()
        self.readout.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        row.addWidget(self.readout, 1)
        self.readout.hide()  # until there are plots that can be read
        row.addStretch(0)
        self.button = DotsButton(tr("Chart menu: {title}", title=title))
        menu = QMenu(self.button)
        self.actions_by_name: dict[str, QAction] = {}
        for name, words, act in (
            ("zoom_in", tr("Zoom in"), lambda: self._for_visible_plots(lambda plot: plot.zoom(STEP))),
            ("zoom_out", tr("Zoom out"), lambda: self._for_visible_plots(lambda plot: plot.zoom(1 / STEP))),
            ("reset", tr("Show everything"), lambda: self._for_visible_plots(lambda plot: plot.reset())),
            ("table", tr("Show the data as a table"), self.show_table),
            ("copy", tr("Copy"), self.copy),
            ("png", tr("Save as PNG…"), lambda: self._save("png", self.png)),
            ("svg", tr("Save as SVG…"), lambda: self._save("svg", self.svg)),
            ("csv", tr("Save the data as CSV…"), lambda: self._save("csv", self.csv)),
        ):
            self.actions_by_name[name] = menu.addAction(words, act)
        menu.aboutToShow.connect(self._enable_actions)
        self.button.setMenu(menu)
        row.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignTop)
        self.table: TableDialog | None = None
        self.complaint: QMessageBox | None = None

    def follow(self, plots: Iterable[ChartPlot]) -> None:
        """Read and zoom PLOTS from now on."""
        self.readout.show()
        for plot in plots:
            if plot not in self._plots:
                plot.reading.connect(self._show_reading)
                self._plots.append(plot)

    def _for_visible_plots(self, act: Callable[[ChartPlot], Any]) -> None:
        for plot in self._plots:
            if plot.isVisible():
                act(plot)

    def hint(self, words: str) -> None:
        """Show WORDS as a hint while no value is read."""
        if words != self._hint:
            before, self._hint = self._idle_words(), words
            if self.readout.text() == before:
                self._show_reading("")
            self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._make_room)  # once the words have their width

    def _make_room(self) -> None:
        """Make room for the hint, and for some lines at least, so that nothing moves while values are read."""
        line = self.readout.fontMetrics().height()
        room = QRect(0, 0, max(self.readout.width(), self.readout.minimumWidth()), 100 * line)
        words_height = 0
        if self.readout.wordWrap() and self.readout.isVisible():
            wraps, words = Qt.TextFlag.TextWordWrap, self._idle_words()
            words_height = self.readout.fontMetrics().boundingRect(room, wraps, words).height()
        self.readout.setFixedHeight(max(self._lines * line, words_height) + 2)

    def _idle_words(self) -> str:
        return "\n".join(part for part in (self._how_to_read if self._says_how_to_read else "", self._hint) if part)

    def say_less(self) -> None:
        """Show how to read values only in the tool tip: the figure above says it."""
        self._says_how_to_read = False
        self._show_reading("")
        self._make_room()

    def _show_reading(self, words: str) -> None:
        self.readout.setText(words or self._idle_words())
        self.readout.setToolTip(self.readout.text() or self._how_to_read)

    def _enable_actions(self) -> None:
        scene_now, has_plots = self._make_scene(), bool(self._plots)
        has_rows = scene_now is not None and bool(scene_now.rows)
        for name, action in self.actions_by_name.items():
            if name in ("zoom_in", "zoom_out", "reset"):
                action.setVisible(has_plots)
                action.setEnabled(has_plots)
            else:
                action.setEnabled(has_rows if name in ("csv", "table") else scene_now is not None)

    # ------------------------------------------------------------------------------------ what it gives

    def pixmap(self) -> QPixmap:
        """Return a picture of the panel, twice as sharp as the screen, without this line of tools."""
        self.hide()
        size = self.panel.size()
        picture = QPixmap(QSize(round(size.width() * PIXEL_RATIO), round(size.height() * PIXEL_RATIO)))
        picture.setDevicePixelRatio(PIXEL_RATIO)
        on_card = getattr(self.panel, "on_card", False) and self._plots
        picture.fill(
            self._plots[0].colours.card if on_card else self.panel.palette().color(self.panel.backgroundRole())
        )
        with QPainter(picture) as painter, _without_caches(self._plots):
            self.panel.render(painter, QPoint(0, 0), QRegion(), QWidget.RenderFlag.DrawChildren)  # the ground is there
        self.show()
        return picture

    def png(self) -> bytes:
        """Return the panel as PNG."""
        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        self.pixmap().save(buffer, "PNG")
        return bytes(data.data())

    def svg(self) -> bytes:
        """Return the figure as SVG."""
        scene_now = self._make_scene()
        return scene.svg(scene_now).encode() if scene_now is not None else b""

    def csv(self) -> bytes:
        """Return the data as CSV, with a byte-order mark for spreadsheets."""
        scene_now = self._make_scene()
        return ("\ufeff" + as_csv((scene_now.columns, *scene_now.rows))).encode() if scene_now is not None else b""

    def copy(self) -> None:
        """Copy the picture, and the table as text."""
        scene_now = self._make_scene()
        data = QMimeData()
        data.setImageData(self.pixmap().toImage())
        if scene_now is not None:
            table = "\n".join("\t".join(row) for row in (scene_now.columns, *scene_now.rows)) if scene_now.rows else ""
            data.setText(f"{scene_now.title}\n{scene_now.alternative}\n{table}".rstrip() + "\n")
        QGuiApplication.clipboard().setMimeData(data)

    def show_table(self) -> None:
        """Show the data as a table, which screen readers can read."""
        scene_now = self._make_scene()
        if scene_now is not None and scene_now.rows:
            self.table = TableDialog(scene_now, self.window())
            open_once(self.table)

    def _save(self, kind: str, make_data: Callable[[], bytes]) -> None:
        name = re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-") + f".{kind}"
        path = ask_place(self.window(), tr("Save as {kind}", kind=kind.upper()), f"{kind.upper()} (*.{kind})", name)
        if path:
            self.save(Path(path if path.endswith(f".{kind}") else f"{path}.{kind}"), make_data())

    def save(self, path: Path, data: bytes) -> None:
        """Write DATA to PATH; show the reason if that fails."""
        try:
            write_atomically(path, data, overwrite=True)  # the file dialog has asked
        except DPWizardError as problem:
            self.complaint = complain(self.window(), tr("The chart could not be saved"), str(problem))


class TableDialog(TaskDialog):
    """The data of a figure as a table that can be copied."""

    def __init__(self, figure: Scene, parent: QWidget | None = None) -> None:
        super().__init__(parent, figure.title, (760, 480))
        self.column.addWidget(Prose(figure.alternative))
        self.table = RowsTable(figure.title, most=None)
        self.table.fill(figure.columns, figure.rows)
        self.column.addWidget(self.table, 1)
        copying = self.copying(lambda: as_csv((figure.columns, *figure.rows)), tr("Copy as CSV"))
        self.foot(copying, right=(self.closing(),))
