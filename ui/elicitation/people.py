"""The people who have answered: a line for each, with a piece of their curve as the figure below draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from dpwizard.charts import chart_scene, scene, tolerance_chart
from ui.controls import Prose
from ui.elicitation.screen import WIDTH
from ui.plots import paint_items, small
from ui.widgets import Card, drop, theme, tr

SAMPLE, HEIGHT, STROKE = 32, 20, 2.0  # pixels: of a sample, as high as a line of text, and of the line in it


@dataclass(frozen=True)
class ShownPerson:
    """The text about one person, and how their curve is drawn; None if they have none."""

    words: str
    drawn: tolerance_chart.LineStyle | None = None


class LineSample(QWidget):
    """A short piece of a curve."""

    def __init__(self, colours: theme.Colours, drawn: tolerance_chart.LineStyle) -> None:
        super().__init__()
        self._colours, self._drawn = colours, drawn
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(SAMPLE, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            colour = small(self._colours, SAMPLE, HEIGHT).style.of(self._drawn.role)
            dash = chart_scene.DASHES[self._drawn.dash]
            paint_items(painter, (scene.line(0.0, HEIGHT / 2, SAMPLE, HEIGHT / 2, colour, STROKE, dash),))


class PeopleCard(Card):
    """Lists who has answered."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__(tr("Who has answered"))
        self._colours = colours
        self.lines: list[Prose] = []
        self._samples: list[LineSample] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(theme.NEAR)
        self._grid.setVerticalSpacing(theme.TIGHT)
        self._grid.setColumnStretch(1, 1)
        self.column.addLayout(self._grid)

    def show_people(self, people: Sequence[ShownPerson]) -> None:
        """Show PEOPLE instead of those shown before."""
        drop(self._grid, (*self.lines, *self._samples))
        self.lines, self._samples = [], []
        for row, person in enumerate(people):
            prose = Prose(person.words, most=WIDTH)
            if person.drawn is not None:
                sample = LineSample(self._colours, person.drawn)
                self._samples.append(sample)
                self._grid.addWidget(sample, row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(prose, row, 1)
            self.lines.append(prose)
