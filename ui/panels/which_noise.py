"""Which noise serves you better for the same promise: with a largest loss and certainty, or Gaussian and rarely."""

from __future__ import annotations

from typing import Any

from dpwizard.charts import Figure, Picture, which_noise_chart
from dpwizard.decision import Decision
from ui.panels.figure_panel import FigurePanel


class WhichNoisePanel(FigurePanel):
    """The error of each table under either kind of noise."""

    titled = ("which_noise", "title")
    pause = 150  # it solves the promises a second time

    def read(self, decision: Decision, picture: Picture) -> Any:
        return which_noise_chart.inputs(decision)

    def compute(self, read: Any, stop: Any) -> Figure:
        return which_noise_chart.figure(read)
