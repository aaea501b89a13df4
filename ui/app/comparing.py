"""From the menu to two decisions side by side: the decision step is shown, and a file is asked for there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ui.app.window import MainWindow


def compare(window: MainWindow) -> None:
    """Ask for a file and stand its decision beside the one shown."""
    from ui.pages.decision import DecisionPage

    window.prepare()
    assert window.wizard is not None
    window.stack.setCurrentWidget(window.wizard)
    window.wizard.go("decision")
    page = window.wizard.page
    assert isinstance(page, DecisionPage)
    page.compare_with_file()
