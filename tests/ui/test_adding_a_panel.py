"""What every panel of figures owes; a panel that lacks one fails here with a sentence that names the step."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from dpwizard.language import LANGUAGES, speaking
from tests.samples.panels import SAMPLES
from tests.ui.panel_hands import example, show
from ui import panels
from ui.panels import FigurePanel, two_decisions
from ui.widgets import theme

for module in pkgutil.iter_modules(panels.__path__, f"{panels.__name__}."):
    importlib.import_module(module.name)
every_panel = pytest.mark.parametrize("kind", FigurePanel.__subclasses__(), ids=lambda kind: kind.__name__)


@every_panel
def test_every_panel_is_offered_by_its_package_and_has_a_sample(kind: type[FigurePanel]) -> None:
    module = kind.__module__.rsplit(".", 1)[1]
    assert module in panels.__all__, f"name {module} in ui/panels/__init__.py"
    assert kind.__name__ in SAMPLES, f"name an example that {kind.__name__} draws in tests/samples/panels.py"


@every_panel
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_panel_draws_its_sample_and_says_it_in_every_language(
    qtbot: QtBot, place: Callable[..., FigurePanel], kind: type[FigurePanel], language: str
) -> None:
    first, *other = SAMPLES[kind.__name__]
    with speaking(language):
        panel = place(kind, theme.LIGHT)
        if isinstance(panel, two_decisions.TwoDecisionsPanel):
            panel.compare(example(other[0]), ("", ""))
        show(qtbot, panel, example(first))
        assert panel.figure is not None, f"{kind.__name__} draws nothing of {first}: mend its `read` or `compute`"
        assert panel.figure.plots, f"{kind.__name__} draws nothing of {first}"
        for what in ("title", "sentence"):
            said = getattr(panel.figure, what)
            assert said, f"say the {what} of the figure of {kind.__name__}"
            assert "{" not in said
        assert panel.title
        assert panel.accessibleDescription(), f"say what {kind.__name__} shows to those who cannot see it"
