"""The panel of what the chosen epsilon means: each requirement in a sentence, whether it is met, and anyone else."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from dpwizard.charts import Picture
from dpwizard.decision import Assessment, Decision, RequirementResult
from dpwizard.wording import assessments, persons, range_of, word
from ui.controls import Prose
from ui.panels.panel import Panel
from ui.widgets import later, theme, tr

MOST = 40  # requirements shown here; the review lists every one
FEW = 3  # tables whose needs are shown here
NAME_WIDTH, STATUS_WIDTH, SENTENCE_WIDTH = 300, 140, 840  # pixels at most: no gaps in a wide window
NARROW = 424  # pixels below which the sentence stands below the name


class ImpliedPanel(Panel):
    """A line for each requirement: name, met or not, what the epsilon gives; last, what holds for anyone else."""

    titled = ("implied", "title")

    def build(self) -> None:
        self.sentence.hide()
        holder = QWidget()
        self._grid = QGridLayout(holder)
        self._grid.setContentsMargins(0, theme.TIGHT, 0, 0)
        self._grid.setHorizontalSpacing(theme.GROUP)
        self._grid.setVerticalSpacing(theme.NEAR)
        for column, stretch in enumerate((5, 2, 10, 1)):
            self._grid.setColumnStretch(column, stretch)
        self.column.addWidget(holder)
        self._narrow = False
        self.lines: list[tuple[Prose, Prose, Prose]] = []
        self._requirement_lines: list[tuple[str, str, str]] = []  # of each requirement
        self._everyone_words = ""

    def minimumSizeHint(self) -> QSize:
        return QSize(min(NARROW // 2, super().minimumSizeHint().width()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        if (event.size().width() < NARROW) != self._narrow:
            self._narrow = not self._narrow
            for index, line in enumerate(self.lines):
                self._place_line(index, line)
            later(self)
        super().resizeEvent(event)

    def _place_line(self, index: int, line: tuple[Prose, Prose, Prose]) -> None:
        """Put a line into one row of the grid, or its sentence below the name if there is little room."""
        for column, widget in enumerate(line):
            self._grid.removeWidget(widget)
            if self._narrow and column == len(line) - 1:
                self._grid.addWidget(widget, 2 * index + 1, 0, 1, len(line))
            else:
                self._grid.addWidget(widget, 2 * index, column, Qt.AlignmentFlag.AlignTop)

    def draw(self, decision: Decision, picture: Picture) -> str:
        chosen = picture.assessment.epsilon
        self.setVisible(chosen is not None or decision.release.noise.absent)
        if self.isHidden():
            return word("advice", "no_epsilon")
        answers = [answer for answer in picture.assessment.answers if answer.enabled]
        in_table = len({answer.part for answer in answers if answer.side == "lower"}) > FEW
        if in_table:  # they stand in the table of tables, the tightest first
            answers = [answer for answer in answers if answer.side != "lower"]
        disabled = [answer for answer in picture.assessment.answers if not answer.enabled and answer.at_epsilon]
        self._requirement_lines = [
            (assessments.title(a), _status_words(a), _result_sentence(decision, a, picture.assessment))
            for a in [*answers, *disabled][:MOST]
        ]
        self.say_everyone(self._everyone_words)
        more, rest = len(answers) - MOST, word("tables", "needs_elsewhere") if in_table else ""
        if more > 0:
            rest = tr(
                "{n} more requirement is listed in step 7.", "{n} more requirements are listed in step 7.", n=more
            )
        self.sentence.setVisible(bool(rest))
        return rest

    def say_everyone(self, words: str) -> None:
        """Show WORDS about anyone else as the last line."""
        self._everyone_words = words
        self._show_lines([*self._requirement_lines, (word("implied", "everyone_title"), "", words)])

    def _show_lines(self, rows: list[tuple[str, str, str]]) -> None:
        """Show each row in a line; lines are made once and hidden when there are fewer rows."""
        while len(self.lines) < len(rows):
            line = (Prose(), Prose("", "quiet"), Prose())
            for widget, most in zip(line, (NAME_WIDTH, STATUS_WIDTH, SENTENCE_WIDTH), strict=True):
                widget.setMaximumWidth(most)
            self._place_line(len(self.lines), line)
            self.lines.append(line)
        for index, line in enumerate(self.lines):
            shown = index < len(rows)
            for widget, words in zip(line, rows[index] if shown else ("", "", ""), strict=True):
                widget.say(words)
                widget.setVisible(shown)


def _status_words(answer: RequirementResult) -> str:
    """Return whether the epsilon meets a requirement, with a sign: never by colour alone."""
    if not answer.enabled:
        return word("implied", "off")
    if answer.met is None:
        return word("status", answer.status) if answer.status != "allowed" else ""
    return word("implied", "kept" if answer.met else "broken")


def _result_sentence(decision: Decision, answer: RequirementResult, assessment: Assessment) -> str:
    """Return what the epsilon gives; if that cannot be computed, the limit of the requirement and the reason."""
    bound = assessments.bound(answer, range_of(assessment))
    return (
        persons.at_epsilon(decision.release, answer)
        or f"{bound[:1].upper()}{bound[1:]}. {assessments.why(answer.why, kind=answer.kind)}"
    )
