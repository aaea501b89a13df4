"""What every panel of figures owes; a panel that lacks one fails here with a sentence that names the step."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from dpwizard.base.language import LANGUAGES, speaking
from tests.samples.panels import FOLLOWED, SAMPLES
from tests.samples.source_tree import nodes, sources
from tests.ui.panel_hands import example, show
from ui.panels import FigurePanel
from ui.panels.figure_table import FIGURES

every_figure = pytest.mark.parametrize("name", FIGURES)


@every_figure
def test_every_figure_stands_on_a_page(name: str) -> None:
    pages = [path for path in sources("ui") if path.parent.name == "pages"]
    used = {node.value for path in pages for node in nodes(path) if isinstance(node, ast.Constant)}
    assert name in used, f"place {name} on a page in ui/pages/"


@pytest.mark.slow
@every_figure
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_figure_draws_its_sample_and_says_it_in_every_language(
    qtbot: QtBot,
    place: Callable[..., FigurePanel],
    caplog: pytest.LogCaptureFixture,
    name: str,
    language: str,
) -> None:
    assert name in SAMPLES, f"name an example that {name} draws in tests/samples/panels.py"
    with speaking(language):
        try:
            panel = place(name)
        except LookupError as problem:
            pytest.fail(f"{problem}: say it in resources/locale/{language}/, then make messages")
        panel.index = FOLLOWED.get(name, 0)
        show(qtbot, panel, example(SAMPLES[name]))
        nothing = f"{name} draws nothing of {SAMPLES[name]}: mend its `read` or `figure`, or say its words"
        failed = [str(record.exc_info[1]) for record in caplog.records if record.exc_info]
        assert panel.figure is not None, f"{nothing} ({failed or panel.sentence.words})"
        assert panel.figure.plots, nothing
        for what in ("title", "sentence"):
            said = getattr(panel.figure, what)
            assert said, f"say the {what} of the figure {name}"
            assert "{" not in said
        assert panel.title
        assert panel.accessibleDescription(), f"say what {name} shows to those who cannot see it"
