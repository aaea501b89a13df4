"""A small button that opens the guide where it speaks of what stands beside it."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton

from dpwizard.base.language import spoken
from dpwizard.decision import STEPS
from ui.help import guide
from ui.host import Host
from ui.widgets import tr


class GuideLink(QPushButton):
    """Opens one page of the guide; on the page of the steps, at the STEP named."""

    def __init__(self, host: Host, page: str, about: str, step: str | None = None) -> None:
        super().__init__(tr("Guide"))
        self.setObjectName("small")
        self.page, self.step = page, step
        self.setAccessibleName(tr("Guide: {what}", what=about))
        self.setToolTip(self.accessibleName())
        heading = step_section(step) if step is not None else ""
        self.clicked.connect(lambda: host.show_guide(page, heading))


def step_section(key: str) -> str:
    """Return the heading that speaks of the step KEY, in the language spoken."""
    return guide.step_heading([step.key for step in STEPS].index(key), spoken())
