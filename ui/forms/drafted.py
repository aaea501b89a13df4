"""A justification drafted from the window, by one button, and marked as long as nobody has changed it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpwizard.decision import Assessment, Decision
from dpwizard.wording import justification
from ui.controls import Prose
from ui.session import Session
from ui.widgets import added, button_for, plain, theme, tr

MOST = 3  # lines that no longer hold are quoted


class Drafted(QWidget):
    """Offers a draft of the justification, in the language of the record; what an officer wrote is never replaced."""

    drafted = Signal()  # a draft was written: to be read, and added to

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._seen: tuple[Decision, Assessment] | None = None
        column = plain(QVBoxLayout(self), theme.TIGHT)
        self.button = button_for(tr("Draft the reasons"), lambda: self.draft())
        column.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.says = added(column, Prose("", "caption"))
        self.outdated = added(column, Prose("", "problem"))

    def show_decision(self, decision: Decision, assessment: Assessment) -> None:
        """Say of the justification of DECISION whether it is a draft, and which of its lines no longer hold."""
        self._seen = decision, assessment
        drafted = justification.is_draft(decision, assessment)
        self.button.setEnabled(not drafted and bool(justification.draft(decision, assessment)))
        self.says.say(said_of_draft() if drafted else "")
        self.outdated.say("\n".join(said_of_outdated(decision, assessment)))

    def draft(self) -> None:
        """Write the draft: in place of an older one, else below what is written."""
        if self._seen is None:
            return
        made, written = justification.draft(*self._seen), self.session.decision.justification or ""
        below = written.rstrip() and not justification.is_only_drafted(written)
        text = f"{written.rstrip()}\n\n{made}" if below else made
        self.session.put(tr("Draft the justification"), "$.justification", text)
        self.drafted.emit()


def said_of_draft() -> str:
    """Return what is said of a draft that nobody has changed."""
    return tr("Drafted for you. Check it, then add why you chose these limits and what the figures are for.")


def said_of_outdated(decision: Decision, assessment: Assessment) -> tuple[str, ...]:
    """Return what is said of drafted lines that hold no more: one sentence for each."""
    lines = justification.outdated(decision, assessment)[:MOST]
    return tuple(tr("This no longer fits the decision: “{line}”", line=line) for line in lines)
