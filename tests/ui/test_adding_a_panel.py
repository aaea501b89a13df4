"""What every panel of figures owes; a panel that lacks one fails here with a sentence that names the step."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from dpwizard.base.language import speaking
from tests.samples.panels import FOLLOWED, SAMPLES
from tests.samples.source_tree import nodes, sources
from tests.ui.panel_hands import example, show
from ui.panels import FigurePanel
from ui.panels.figure_table import FIGURES


def test_every_figure_stands_on_a_page_and_has_a_sample() -> None:
    pages = [path for path in sources("ui") if path.parent.name == "pages"]
    used = {node.value for path in pages for node in nodes(path) if isinstance(node, ast.Constant)}
    assert set(FIGURES) <= used, "place the figure on a page in ui/pages/"
    assert set(FIGURES) <= set(SAMPLES), "name an example that the figure draws in tests/samples/panels.py"


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_draws_its_sample_and_says_it_in_german(
    qtbot: QtBot, place: Callable[..., FigurePanel], caplog: pytest.LogCaptureFixture, name: str
) -> None:
    with speaking("de"):
        try:
            panel = place(name)
        except LookupError as problem:
            pytest.fail(f"{problem}: say it in resources/locale/de/, then make messages")
        panel.index = FOLLOWED.get(name, 0)
        show(qtbot, panel, example(SAMPLES[name]))
        nothing = f"{name} draws nothing of {SAMPLES[name]}: mend its `drawing`, or say its words"
        failed = [str(record.exc_info[1]) for record in caplog.records if record.exc_info]
        assert panel.figure is not None, f"{nothing} ({failed or panel.sentence.words})"
        assert panel.figure.plots, nothing
        for what in ("title", "sentence"):
            said = getattr(panel.figure, what)
            assert said, f"say the {what} of the figure {name}"
            assert "{" not in said
        assert panel.title
        assert panel.accessibleDescription(), f"say what {name} shows to those who cannot see it"
