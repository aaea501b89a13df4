"""What every figure offers: read, zoom, copy, save as PNG, SVG and CSV, and the same data as a table. One line adds it
to a panel."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QGuiApplication, QPainter, QPixmap, QRegion, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGraphicsItem,
    QHBoxLayout,
    QLabel,
    QMenu,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from dpwizard.base.csv_text import as_csv
from dpwizard.base.errors import DPWizardError
from dpwizard.base.files import write_atomically
from dpwizard.charts import Scene, scene
from dpwizard.wording import word
from ui.controls import DotsButton, RowsTable, ask_place
from ui.plots.chart_plot import ChartPlot
from ui.plots.zoom import STEP
from ui.widgets import open_once, theme, tr

SHARP = 2.0  # pixels of a saved picture for each on the screen


@contextmanager
def _drawn_anew(plots: Iterable[ChartPlot]) -> Iterator[None]:
    """While a picture is taken, draw nothing of PLOTS from what is kept of it for the screen."""
    items = [item for plot in plots for item in plot.scene().items()]
    kept = [(item, item.cacheMode()) for item in items if item.cacheMode() != QGraphicsItem.CacheMode.NoCache]
    for item, _ in kept:
        item.setCacheMode(QGraphicsItem.CacheMode.NoCache)
    try:
        yield
    finally:
        for item, mode in kept:
            item.setCacheMode(mode)


class FigureTools(QWidget):
    """A line under a figure: what the crosshair reads, and a menu of what can be done with the figure."""

    def __init__(self, panel: QWidget, title: str, drawn: Callable[[], Scene | None], *, brief: bool = False) -> None:
        """Arguments: the PANEL that is pictured; its TITLE; DRAWN, which returns the figure as a scene, or None if
        there is none;

        BRIEF, whether there is room for one line only: the rest of what is read is in the tool tip.
        """
        super().__init__()
        self.panel, self.title, self._drawn = panel, title, drawn
        self._plots: list[ChartPlot] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self._hint = ""
        self._point = word("chart", "point_brief" if brief else "point")
        self._told = True  # whether the line says how values are read while none is
        self.readout = QLabel(self._point)
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
        self.button = DotsButton(tr("What can be done with the figure: {title}", title=title))
        menu = QMenu(self.button)
        self.actions_by_name: dict[str, QAction] = {}
        for name, words, act in (
            ("zoom_in", tr("Zoom in"), lambda: self._each(lambda plot: plot.zoom(STEP))),
            ("zoom_out", tr("Zoom out"), lambda: self._each(lambda plot: plot.zoom(1 / STEP))),
            ("reset", tr("Show the whole"), lambda: self._each(lambda plot: plot.reset())),
            ("table", tr("Show the data as a table"), self.show_table),
            ("copy", tr("Copy"), self.copy),
            ("png", tr("Save as PNG…"), lambda: self._save("png", self.png)),
            ("svg", tr("Save as SVG…"), lambda: self._save("svg", self.svg)),
            ("csv", tr("Save the data as CSV…"), lambda: self._save("csv", self.csv)),
        ):
            action = QAction(words, menu)
            action.triggered.connect(lambda _=False, act=act: act())
            menu.addAction(action)
            self.actions_by_name[name] = action
        menu.aboutToShow.connect(self._refresh)
        self.button.setMenu(menu)
        row.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignTop)
        self.table: TableDialog | None = None
        self.complaint: QMessageBox | None = None

    def follow(self, plots: Iterable[ChartPlot]) -> None:
        """Read and zoom PLOTS from now on."""
        self.readout.show()
        for plot in plots:
            if plot not in self._plots:
                plot.reading.connect(self._read)
                self._plots.append(plot)

    def _each(self, act: Callable[[ChartPlot], Any]) -> None:
        for plot in self._plots:
            if plot.isVisible():
                act(plot)

    def hint(self, words: str) -> None:
        """Say WORDS, too, while nothing is read: what else a hand can do here."""
        if words != self._hint:
            before, self._hint = self._idle(), words
            if self.readout.text() == before:
                self._read("")
            self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._make_room)  # once the words have their width

    def _make_room(self) -> None:
        """Have room for the hint at the width there is, and for some lines at least: nothing moves while values are
        read."""
        line = self.readout.fontMetrics().height()
        room = QRect(0, 0, max(self.readout.width(), self.readout.minimumWidth()), 100 * line)
        seen = 0
        if self.readout.wordWrap() and self.readout.isVisible():
            seen = self.readout.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, self._idle()).height()
        self.readout.setFixedHeight(max(self._lines * line, seen) + 2)

    def _idle(self) -> str:
        return "\n".join(part for part in (self._point if self._told else "", self._hint) if part)

    def say_less(self) -> None:
        """Leave how values are read to the tool tip: the figure above says it."""
        self._told = False
        self._read("")
        self._make_room()

    def _read(self, words: str) -> None:
        self.readout.setText(words or self._idle())
        self.readout.setToolTip(self.readout.text() or self._point)

    def _refresh(self) -> None:
        found = self._drawn()
        for name, action in self.actions_by_name.items():
            zooms = name in ("zoom_in", "zoom_out", "reset")
            action.setVisible(bool(self._plots) or not zooms)
            action.setEnabled(
                bool(self._plots) if zooms else found is not None and (name not in ("csv", "table") or bool(found.rows))
            )

    # ------------------------------------------------------------------------------------ what it gives

    def pixmap(self) -> QPixmap:
        """Return a picture of the panel, twice as sharp as the screen, without this line of tools."""
        self.hide()
        size = self.panel.size()
        picture = QPixmap(QSize(round(size.width() * SHARP), round(size.height() * SHARP)))
        picture.setDevicePixelRatio(SHARP)
        on_card = getattr(self.panel, "on_card", False) and self._plots
        picture.fill(
            self._plots[0].colours.card if on_card else self.panel.palette().color(self.panel.backgroundRole())
        )
        with QPainter(picture) as painter, _drawn_anew(self._plots):
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
        """Return the figure as SVG, drawn from its data."""
        found = self._drawn()
        return scene.svg(found).encode() if found is not None else b""

    def csv(self) -> bytes:
        """Return the data as CSV; with a byte-order mark, so that spreadsheets read every character."""
        found = self._drawn()
        return ("\ufeff" + as_csv((found.columns, *found.rows))).encode() if found is not None else b""

    def copy(self) -> None:
        """Copy the picture, and the table as text."""
        found = self._drawn()
        data = QMimeData()
        data.setImageData(self.pixmap().toImage())
        if found is not None:
            table = "\n".join("\t".join(row) for row in (found.columns, *found.rows)) if found.rows else ""
            data.setText(f"{found.title}\n{found.alternative}\n{table}".rstrip() + "\n")
        QGuiApplication.clipboard().setMimeData(data)

    def show_table(self) -> None:
        """Show the data in a table that a screen reader can read."""
        found = self._drawn()
        if found is not None and found.rows:
            self.table = TableDialog(found, self.window())
            open_once(self.table)

    def _save(self, kind: str, made: Callable[[], bytes]) -> None:
        name = re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-") + f".{kind}"
        path = ask_place(self.window(), tr("Save as {kind}", kind=kind.upper()), f"{kind.upper()} (*.{kind})", name)
        if path:
            self.save(Path(path if path.endswith(f".{kind}") else f"{path}.{kind}"), made())

    def save(self, path: Path, data: bytes) -> None:
        """Write DATA to PATH; what goes wrong is said in words."""
        try:
            write_atomically(path, data, overwrite=True)  # the file dialog has asked
        except DPWizardError as problem:
            self.complaint = QMessageBox(
                QMessageBox.Icon.Warning, tr("The figure could not be saved"), str(problem), parent=self.window()
            )
            open_once(self.complaint)


class TableDialog(QDialog):
    """The data behind a figure as a table; it can be copied."""

    def __init__(self, found: Scene, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.found = found
        self.setWindowTitle(found.title)
        self.resize(760, 480)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.GROUP, theme.GROUP, theme.GROUP, theme.GROUP)
        column.setSpacing(theme.NEAR)
        label = QLabel(found.alternative, textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        column.addWidget(label)
        self.table = RowsTable(found.title, most=None)
        self.table.fill(found.columns, found.rows)
        column.addWidget(self.table, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy_button = QPushButton(tr("Copy as CSV"))
        buttons.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        self.copy_button.clicked.connect(self.copy)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)

    def copy(self) -> None:
        """Copy the table as CSV."""
        QGuiApplication.clipboard().setText(as_csv((self.found.columns, *self.found.rows)))
