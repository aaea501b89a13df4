"""Tables of shaded cells: chances of small counts, and made-up counts published again and again."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QRegularExpressionValidator, QShowEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QVBoxLayout, QWidget

from dpwizard.charts import cells_scene, sums_view
from dpwizard.decision import Decision
from ui.controls import Line, Prose
from ui.plots import paint_items, small
from ui.widgets import Words, button_for, fill, in_a_row, plain, theme, tr

LEAST, TYPED = 316, 270  # pixels: the width, and that of the typed counts
SECOND = 1_000  # milliseconds from draw to draw
COUNTS = r"(\d{0,4}[,; ]+)*\d{0,4}"  # what can be typed: counts of up to four digits


class CellsView(QWidget):
    """A table of cells, painted as the scene that print would show."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__()
        self.colours = colours
        self.cells: cells_scene.Cells | None = None
        self.setSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Fixed)

    def show_cells(self, cells: cells_scene.Cells) -> None:
        """Show CELLS, with a description for screen readers."""
        self.cells = cells
        self.setAccessibleName(cells.title)
        self.setAccessibleDescription(cells.alternative)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(LEAST, 0 if self.cells is None else round(self.cells.height))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.cells is not None:
            look = small(self.colours, self.width(), self.height())
            with QPainter(self) as painter:
                paint_items(painter, cells_scene.scene(self.cells, look).items)


class MadeUpTable(QWidget):
    """Made-up counts as they would be published, drawn again each second or on a click; others can be typed."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__()
        self.table, self.text, about = CellsView(colours), Prose(), tr("Made-up counts. Never type real ones")
        self.again = button_for(tr("Draw again"), self.draw, "small")
        self.each_second = QCheckBox(tr("One draw a second"))
        self.each_second.setChecked(True)
        self.counts = Line(", ".join(map(str, cells_scene.MADE_UP)))
        self.counts.setAccessibleName(about)
        self.counts.setMinimumWidth(TYPED)
        drawn = self.table, self.text, in_a_row(self.again, self.each_second)
        fill(plain(QVBoxLayout(self), 0), *drawn, in_a_row(Words(about, "caption"), self.counts))
        self.counts.setValidator(QRegularExpressionValidator(COUNTS, self.counts))
        self.counts.textEdited.connect(self._draw_same)
        self._seed = 0
        self._shown: tuple[Decision, sums_view.SumsInputs] | None = None
        self._clock = QTimer(self, interval=SECOND)
        self._clock.timeout.connect(lambda: self.draw() if self.each_second.isChecked() else None)

    def showEvent(self, event: QShowEvent) -> None:
        self._clock.start()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._clock.stop()
        super().hideEvent(event)

    def show_view(self, decision: Decision, inputs: sums_view.SumsInputs) -> None:
        """Show the last draw with the noise of INPUTS."""
        self._shown = decision, inputs
        self._draw_same()

    def draw(self) -> None:
        """Publish the made-up counts once more."""
        self._seed += 1
        self._draw_same()

    def _draw_same(self) -> None:
        typed = tuple(int(count) for count in re.findall(r"\d{1,4}", self.counts.text()))
        if self._shown is not None and not self.isHidden():
            cells = cells_scene.noisy_counts(*self._shown, typed or cells_scene.MADE_UP, self._seed)
            self.table.show_cells(cells)
            self.text.say(cells.sentence)
