"""Step 7: the outcome, what is still missing, the record as it will be, and signing it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout

from dpwizard import explain
from dpwizard.decision import Decision, Details
from dpwizard.drawings.picture import Picture
from dpwizard.steps import Problem
from ui import theme
from ui.controls import Prose
from ui.forms import Form
from ui.mnemonics import unmnemonic
from ui.pages.page import Card, Page
from ui.sign_form import SignForm
from ui.work import Worker

DETAILS = (
    "controller",
    "product",
    "record_number",
    "necessity",
    "alternatives",
    "residual_risks",
    "advice",
    "conditions",
    "review_date",
    "authority",
)


class Missing(Card):
    """What stands between the decision and an approval; each line leads to its place."""

    asked = Signal(str, str)  # where, step

    def __init__(self) -> None:
        super().__init__("Still missing")
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        self.column.addLayout(self._rows)
        self.buttons: list[QPushButton] = []
        self._shown: tuple[Problem, ...] | None = None

    def show_problems(self, problems: tuple[Problem, ...]) -> None:
        """List PROBLEMS, each as a button."""
        if problems == self._shown:
            return
        self._shown = problems
        for button in self.buttons:
            self._rows.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        for problem in problems:
            line = words(problem)
            button = QPushButton(unmnemonic(line if len(line) <= LETTERS else f"{line[: LETTERS - 1]}…"))
            button.setToolTip(line)
            button.setAccessibleName(line)
            button.setObjectName("link")
            button.clicked.connect(lambda _, problem=problem: self.asked.emit(problem.where, problem.step))
            self._rows.addWidget(button)
            self.buttons.append(button)
        self.title.setText("Nothing is missing" if not problems else f"Still missing: {len(problems)}")


LETTERS = 58  # of a line of what is missing


def words(problem: Problem) -> str:
    """Return a problem in a line: which step, which field, what is to be done."""
    step = explain.word("step", problem.step)
    if problem.key != "unanswered":
        return f"{step}: {explain.say('problem', problem.key, problem.figures)}"
    field = problem.where.rpartition(".")[2].replace("_", " ")
    return f"{step}: {field}"


class ReviewPage(Page):
    """Is this the record you want to sign?"""

    key = "review"

    def build(self) -> None:
        self.worker = Worker(self)
        self.missing = Missing()
        self.missing.asked.connect(self.lead)
        self.fields.addWidget(self.missing)
        outcome = Card("Outcome")
        self.add_form(outcome, Form(self.session, "$", Decision, ("outcome",)))
        self.fields.addWidget(outcome)
        details = Card("Further particulars")
        self.add_form(details, Form(self.session, "$.details", Details, DETAILS))
        self.fields.addWidget(details)
        self.summary = Card("The record")
        self.summary_title = Prose("", "title")
        self.summary_epsilon = QLabel("–")
        self.summary_epsilon.setObjectName("number")
        self.summary_words = Prose()
        for widget in (self.summary_title, self.summary_epsilon, self.summary_words):
            self.summary.column.addWidget(widget)
        self.summary.column.addSpacing(theme.TIGHT)
        self.beside.addWidget(self.summary)
        self.sign_form = SignForm(self.session, self.worker)
        self.sign_form.lead.connect(lambda where: self.lead.emit(where, ""))
        self.beside.addWidget(self.sign_form)

    def enter(self) -> None:
        super().enter()
        self.sign_form.refresh()

    def show_picture(self, decision: Decision, picture: Picture) -> None:
        super().show_picture(decision, picture)
        assessment = picture.assessment
        self.missing.show_problems(assessment.problems)
        self.summary_title.say(decision.title or "No title yet")
        self.summary_epsilon.setText("–" if decision.epsilon is None else f"epsilon {explain.number(decision.epsilon)}")
        lines = [explain.window(assessment), explain.position(assessment), *explain.broken(decision, assessment)]
        if decision.epsilon is not None:
            lines += explain.meaning(decision, decision.epsilon * decision.release.repetitions)
        self.summary_words.say("\n".join(line for line in lines if line))

    def close_down(self) -> None:
        self.worker.close()
