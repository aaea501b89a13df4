"""What every panel of figures owes; a panel that lacks one fails here with a sentence that names the step."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from dpwizard.base.language import LANGUAGES, speaking
from tests.samples.panels import SAMPLES
from tests.samples.source_tree import nodes, sources
from tests.ui.panel_hands import example, show
from ui import panels
from ui.panels import FigurePanel, two_decisions
from ui.widgets import theme

for module in pkgutil.iter_modules(panels.__path__, f"{panels.__name__}."):
    importlib.import_module(module.name)
every_panel = pytest.mark.parametrize("kind", FigurePanel.__subclasses__(), ids=lambda kind: kind.__name__)


def sample(kind: type[FigurePanel]) -> tuple[str, ...]:
    """Return the examples that a panel draws."""
    assert kind.__name__ in SAMPLES, f"name an example that {kind.__name__} draws in tests/samples/panels.py"
    return SAMPLES[kind.__name__]


@every_panel
def test_every_panel_is_offered_by_its_package_and_stands_on_a_page(kind: type[FigurePanel]) -> None:
    module = kind.__module__.rsplit(".", 1)[1]
    assert module in panels.__all__, f"name {module} in ui/panels/__init__.py"
    pages = [path for path in sources("ui") if path.parent.name == "pages"]
    used = {node.attr for path in pages for node in nodes(path) if isinstance(node, ast.Attribute)}
    assert kind.__name__ in used, f"place {kind.__name__} on a page in ui/pages/"


@pytest.mark.slow
@every_panel
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_panel_draws_its_sample_and_says_it_in_every_language(
    qtbot: QtBot,
    place: Callable[..., FigurePanel],
    caplog: pytest.LogCaptureFixture,
    kind: type[FigurePanel],
    language: str,
) -> None:
    first, *other = sample(kind)
    with speaking(language):
        try:
            panel = place(kind, theme.LIGHT)
        except LookupError as problem:
            pytest.fail(f"{problem}: say it in resources/locale/{language}/, then make messages")
        if isinstance(panel, two_decisions.TwoDecisionsPanel):
            panel.compare(example(other[0]), ("", ""))
        show(qtbot, panel, example(first))
        nothing = f"{kind.__name__} draws nothing of {first}: mend its `read` or `compute`, or say its words"
        failed = [str(record.exc_info[1]) for record in caplog.records if record.exc_info]
        assert panel.figure is not None, f"{nothing} ({failed or panel.sentence.words})"
        assert panel.figure.plots, nothing
        for what in ("title", "sentence"):
            said = getattr(panel.figure, what)
            assert said, f"say the {what} of the figure of {kind.__name__}"
            assert "{" not in said
        assert panel.title
        assert panel.accessibleDescription(), f"say what {kind.__name__} shows to those who cannot see it"
