"""A small button that opens the guide where it speaks of what stands beside it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import QPushButton

from dpwizard.decision import STEPS
from dpwizard.language import spoken
from ui.help import guide
from ui.widgets import tr


@runtime_checkable
class ShowsGuide(Protocol):
    """A window that can show a page of the guide."""

    def show_guide(self, page: str, heading: str = "") -> None:
        """Show PAGE at HEADING."""


class GuideLink(QPushButton):
    """Opens one page of the guide; on the page of the steps, at the STEP named."""

    def __init__(self, page: str, about: str, step: str | None = None) -> None:
        super().__init__(tr("Guide"))
        self.setObjectName("small")
        self.page, self.step = page, step
        self.setAccessibleName(tr("Guide: {what}", what=about))
        self.setToolTip(self.accessibleName())
        self.clicked.connect(self._open)

    def _open(self) -> None:
        window = self.window()
        if isinstance(window, ShowsGuide):
            window.show_guide(self.page, step_section(self.step) if self.step is not None else "")


def step_section(key: str) -> str:
    """Return the heading that speaks of the step KEY, in the language spoken."""
    return guide.step_heading([step.key for step in STEPS].index(key), spoken())
