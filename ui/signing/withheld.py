"""What the public version leaves out: each thing that may be left out as a box to tick, in words."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpwizard.decision import edits
from dpwizard.records import Redactable, label, markable
from dpwizard.report import values
from ui.controls import Prose, Statement
from ui.session import DocumentSession
from ui.widgets import clear, named, plain, theme, tr

MOST_REQUIREMENTS = 40  # offered by box; the others are marked in the decision file
LONGEST = 40  # letters of a requirement's name


class Withheld(QWidget):
    """Boxes in step with the decision's marks; a tick is an edit with a name."""

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.session = session
        self._rows = plain(QVBoxLayout(self), theme.TIGHT)
        self.boxes: dict[str, Statement] = {}
        self._shown: tuple[tuple[str, str], ...] = ()
        self.refresh()

    def refresh(self) -> None:
        """Offer what the decision holds, and tick what it marks."""
        decision = self.session.decision
        offered = [m for m in markable(decision) if m.requirement is None or m.requirement < MOST_REQUIREMENTS]
        shown = tuple((mark.where, f"{self._group(mark)}\n{self._words(mark)}") for mark in offered)
        if shown != self._shown:
            self._shown = shown
            self._make(offered)
        for where, box in self.boxes.items():
            box.setChecked(where in decision.withheld)

    def _words(self, mark: Redactable) -> str:
        if mark.requirement is None:
            return label(self.session.decision, mark.where)
        name = str(edits.steps(mark.where)[2]) if len(edits.steps(mark.where)) > 2 else ""
        return values.label(self.session.decision.requirements[mark.requirement], name) if name else tr("All of it")

    def _make(self, offered: list[Redactable]) -> None:
        clear(self._rows)
        self.boxes = {}
        about = tr(
            "What you tick is left out of the public version, which names what it leaves out. If you mark a "
            "requirement, its numbers, its answer and the questions that led to it are left out. Release, "
            "noise, epsilon and outcome are always included."
        )
        self._rows.addWidget(Prose(about, "caption"))
        group = ""
        for mark in offered:
            heading = self._group(mark)
            if heading != group:
                group = heading
                above = named(QLabel(heading, textFormat=Qt.TextFormat.PlainText), "caption")
                above.setContentsMargins(0, theme.NEAR, 0, 0)
                self._rows.addWidget(above)
            box = Statement(self._words(mark))
            box.setAccessibleName(tr("{group}: {what}", group=heading, what=self._words(mark)))
            box.setObjectName(f"withheld:{mark.where}")
            box.clicked.connect(lambda checked, where=mark.where: self._mark(where, checked))
            self._rows.addWidget(box)
            self.boxes[mark.where] = box

    def _group(self, mark: Redactable) -> str:
        if mark.requirement is not None:
            name = self.session.decision.requirements[mark.requirement].name or ""
            shown = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
            number = mark.requirement + 1
            if not shown:
                return tr("Requirement {number}", number=number)
            return tr("Requirement {number}: {name}", number=number, name=shown)
        if mark.where.startswith("$.release"):
            return tr("The release")
        return tr("Details") if mark.where.startswith("$.details") else tr("The decision")

    def _mark(self, where: str, checked: bool) -> None:
        marked = [path for path in self.session.decision.withheld if path != where]
        marked += [where] if checked else []
        self.session.put(tr("Mark for the public version"), "$.withheld", tuple(marked))
