"""What the public edition leaves out: each thing that may be left out as a box to tick, in words."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpwizard.editions import Markable, markable
from ui import theme
from ui.controls import Prose, Statement
from ui.records.text_rows import clear
from ui.session import Session
from ui.words import tr

MOST_REQUIREMENTS = 40  # offered by box; the others are marked in the decision file
LONGEST = 26  # letters of a requirement's name


class Withheld(QWidget):
    """Boxes in step with the decision's marks; a tick is an edit with a name."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(theme.TIGHT)
        self.boxes: dict[str, Statement] = {}
        self._shown: tuple[tuple[str, str], ...] = ()
        self.refresh()

    def refresh(self) -> None:
        """Offer what the decision holds, and tick what it marks."""
        decision = self.session.decision
        offered = [m for m in markable(decision) if m.requirement is None or m.requirement < MOST_REQUIREMENTS]
        shown = tuple((mark.where, self._words(mark)) for mark in offered)
        if shown != self._shown:
            self._shown = shown
            self._make(offered)
        for where, box in self.boxes.items():
            box.setChecked(where in decision.withheld)

    def _words(self, mark: Markable) -> str:
        if mark.requirement is None or "." in mark.where[2:]:
            return mark.label
        name = self._name(mark)
        shown = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
        said = tr("{label}: all of it", label=mark.label)
        return tr("{label}: all of it (“{name}”)", label=mark.label, name=shown) if shown else said

    def _name(self, mark: Markable) -> str:
        return "" if mark.requirement is None else self.session.decision.requirements[mark.requirement].name or ""

    def _make(self, offered: list[Markable]) -> None:
        clear(self._rows)
        self.boxes = {}
        self._rows.addWidget(
            Prose(
                tr(
                    "Ticked is left out of the public edition, which names what it leaves out. Marking a requirement leaves out its "
                    "numbers, its answer and the questions that led to it. Release, noise, epsilon and outcome are always told."
                ),
                "caption",
            )
        )
        group = ""
        for mark in offered:
            heading = self._group(mark)
            if heading != group:
                group = heading
                label = QLabel(heading)
                label.setObjectName("caption")
                label.setContentsMargins(0, theme.NEAR, 0, 0)
                self._rows.addWidget(label)
            box = Statement(self._words(mark))
            box.setToolTip(self._name(mark))
            box.setObjectName(f"withheld:{mark.where}")
            box.clicked.connect(lambda checked, where=mark.where: self._mark(where, checked))
            self._rows.addWidget(box)
            self.boxes[mark.where] = box

    @staticmethod
    def _group(mark: Markable) -> str:
        if mark.requirement is not None:
            return tr("Requirements")
        if mark.where.startswith("$.release"):
            return tr("The release")
        return tr("Particulars") if mark.where.startswith("$.details") else tr("The decision")

    def _mark(self, where: str, checked: bool) -> None:
        marked = [path for path in self.session.decision.withheld if path != where]
        self.session.put(tr("Mark for the public edition"), "$.withheld", (*marked, where) if checked else tuple(marked))
