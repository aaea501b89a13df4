"""A record solved again, from beside its verdict: whether every number is met, and if not, why."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from dpwizard.apart import done_apart
from dpwizard.errors import DPWizardError
from ui.signing.stages import Stages
from ui.signing.text_rows import copyable
from ui.widgets import Card, button_for, tr
from ui.workers import Worker

if TYPE_CHECKING:
    from dpwizard.signing.replaying import Replayed

MOST_SHOWN = 30


class ReplayCard(Card):
    """Solves one record again, off the window's thread."""

    def __init__(self, path: Path, now: Callable[[], datetime]) -> None:
        super().__init__(tr("Replay"))
        self.path, self.now = path, now
        self.worker = Worker(self)
        self.worker.done.connect(self._done)
        self.worker.failed.connect(self._failed)
        self.says = copyable(tr("Solves the decision again and compares every number with the recorded one."))
        self.column.addWidget(self.says)
        self.button = button_for(tr("Solve again and compare"), lambda: self.start())
        self.column.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.stages = Stages(self.worker, lambda _: tr("Solving every requirement again …"), keys=("solve",))
        self.column.addWidget(self.stages)
        self.found: Replayed | None = None

    def start(self) -> None:
        """Replay the record, once at a time."""
        from dpwizard.signing.record_files import RecordFiles

        place, moment = RecordFiles.beside(self.path).json, self.now()

        def job(progress: Callable[[str], None]) -> Any:
            from dpwizard.signing import judging

            progress("solve")
            return done_apart(judging.replayed, place, moment)

        self.button.setEnabled(False)
        self.stages.start(job)
        self.stages.stop_button.hide()

    def close_down(self) -> None:
        """Leave what runs to end by itself: nobody is told of it any more."""
        self.worker.leave()

    def _done(self, found: Any) -> None:
        self.found = found
        self.button.setEnabled(True)
        self.says.setText("\n".join(replay_lines(found)))

    def _failed(self, problem: object) -> None:
        assert isinstance(problem, DPWizardError)
        self.button.setEnabled(True)
        self.says.setText(str(problem))


def replay_lines(found: Replayed) -> list[str]:
    """Return what a replay found, line by line."""
    if found.verdict == "unreadable":
        return [tr("It cannot be replayed: {why}", why=found.problem.said())]
    count = len(found.differences)
    lines = [
        tr("✓  Every number is met again.")
        if not count
        else tr(
            "!  Only what this program has corrected since differs from the record: {n} number or word.",
            "!  Only what this program has corrected since differs from the record: {n} numbers or words.",
            n=count,
        )
        if found.verdict == "corrected"
        else tr(
            "✗  {n} number or word differs from the record.", "✗  {n} numbers or words differ from the record.", n=count
        )
    ]
    lines += found.told()
    for difference in found.differences[:MOST_SHOWN]:
        figures = {"where": difference.where, "then": str(difference.recorded), "now": str(difference.replayed)}
        lines.append(tr("{where}: recorded {then}, now {now}", **figures))
    if count > MOST_SHOWN:
        lines.append(tr("and {n} more", "and {n} more", n=count - MOST_SHOWN))
    lines += [tr("Cause: {words}", words=cause.words.said()) for cause in found.causes]
    if found.pdf != "none":
        lines.append(
            tr("✓  The PDF is, byte for byte, what is typeset from the record now.")
            if found.pdf == "same"
            else tr("–  This version typesets the PDF differently; its signatures say whether it was changed.")
        )
    if found.review:
        lines.append(
            tr("!  Due for review since {date}.", date=found.review)
            if found.due
            else tr("To be reviewed by {date}.", date=found.review)
        )
    return lines
