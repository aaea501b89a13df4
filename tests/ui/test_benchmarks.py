"""The benchmark of the window sees what it times."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = """
from benchmarks import drags
from ui.app import application as app
from ui.widgets import theme
running = app.application(["bench"])
notes, painted = drags.watch(), {}
from ui.plots.chart_plot import ChartPlot
plot = ChartPlot(theme.LIGHT)
notes.append(({plot: "figure"}, painted))
plot.show()
plot.grab()
print(sorted(painted))
"""


@pytest.mark.slow
def test_the_benchmark_of_the_window_notes_when_a_plot_is_painted() -> (
    None
):  # in a process of its own: it replaces how plots are painted
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    told = subprocess.run(
        [sys.executable, "-c", CODE], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert told.stdout == "['figure']\n", told.stderr
