"""What is copied of a figure while somebody drags is what would be drawn anew."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication, QGraphicsItem

from tests.ui.hands import Hands
from ui.plots import ChartPlot


def forget(plot: ChartPlot) -> None:
    """Have everything of PLOT drawn anew."""
    for item in plot.scene().items():
        kept = item.cacheMode()
        item.setCacheMode(QGraphicsItem.CacheMode.NoCache)
        item.setCacheMode(kept)


@pytest.mark.slow
@pytest.mark.parametrize("example", ["dandekar_figure_1", "dandekar_figure_5"])
def test_no_tick_of_a_narrower_axis_stays_on_a_figure(make_hands: Callable[..., Hands], example: str) -> None:
    hands = make_hands(example, size=(1366, 1600))
    hands.go("budget")
    hands.settle()

    def plots() -> list[ChartPlot]:
        return [plot for plot in hands.page.findChildren(ChartPlot) if plot.isVisible()]

    hands.wait(lambda: len(plots()) == 3)
    for width in (1366, 1000, 1366):
        hands.window.resize(width, 1600)
        QApplication.processEvents()
        for plot in plots():
            shown = plot.grab().toImage()
            forget(plot)
            assert plot.grab().toImage() == shown, plot.accessibleName()
