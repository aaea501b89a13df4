"""The screen before the questions: who answers, what is at stake, which requirement; answers already given."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import ElicitationSession as Log
from dpwizard.elicitation import interview as elicitation
from dpwizard.wording import persons, word
from ui.controls import Line, Prose, labelled
from ui.elicitation.interviewer import Interviewer
from ui.elicitation.screen import Screen
from ui.forms import in_words
from ui.widgets import Card, Problem, added, button_for, drop, in_a_row, theme, tr


class BeginScreen(Screen):
    """Begins a log, or goes on with one."""

    begin = Signal()
    resume = Signal(int)  # the place of the log among the decision's
    several = Signal()

    def __init__(self, colours: theme.Colours, interviewer: Interviewer) -> None:
        super().__init__(colours, tr("Questions instead of a number"))
        self.interviewer = interviewer
        about = tr(
            "You will compare releases, or say whether you would sign one: about ten questions. No answer is "
            "wrong, and you can take one back. Every question and answer is saved in this decision."
        )
        self.intro = added(self.column, Prose(about, "quiet"))
        card = Card(tr("Before you begin"))
        self.about = added(card.column, Prose())
        self.who = Line()
        self.who.setMaxLength(200)
        card.column.addWidget(labelled(tr("Your name"), self.who))
        self.benefit = Line()
        self.benefit.setMaxLength(200)
        help = tr("In a few words that questions will use: “the regional plan”.")
        self.benefit_holder = added(
            card.column, labelled(tr("What is lost if nothing is released"), self.benefit, help)
        )
        self.figure = Line()
        self.figure.setMaxLength(200)
        help = tr("In a few words: “the number of deaths”.")
        self.figure_holder = added(card.column, labelled(tr("What is published"), self.figure, help))
        self.problem = added(card.column, Problem())
        self.begin_button = button_for(tr("Begin the questions"), self.begin, "primary")
        card.column.addWidget(in_a_row(self.begin_button))
        self.column.addWidget(card)
        self.earlier = Card(tr("Answers that are there already"))
        self._rows = QGridLayout()
        self._rows.setHorizontalSpacing(theme.GROUP)
        self._rows.setVerticalSpacing(theme.NEAR)
        self._rows.setColumnStretch(0, 1)
        self._parts: list[QWidget] = []  # of the rows
        self.earlier.column.addLayout(self._rows)
        self.column.addWidget(self.earlier)
        self.several_button = button_for(tr("Bring several people’s answers together"), self.several)
        self.column.addWidget(in_a_row(self.several_button))
        self.column.addStretch(1)
        for line in (self.who, self.benefit, self.figure):
            line.returnPressed.connect(self.begin)

    def enter(self) -> None:
        super().enter()
        requirement = self.interviewer.requirement
        kind = word("kind", requirement.kind)
        name = requirement.name or kind
        about = tr("About “{name}”: {kind}.", name=name, kind=kind)
        about = about if requirement.name else tr("About: {kind}.", kind=kind)
        unit = persons.about_unit(self.interviewer.session.decision.release)
        self.about.say(f"{about} {unit}".strip(), (name,))
        try:
            topic: str = self.interviewer.setup().topic
            self.problem.say("")
        except DPWizardError as problem:
            topic = ""
            self.problem.say(in_words(problem))
        self.begin_button.setEnabled(bool(topic))
        self.benefit_holder.setVisible(topic != "accuracy")  # each is asked for where questions name it
        self.figure_holder.setVisible(topic == "accuracy")
        self._show_logs()
        self.who.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_logs(self) -> None:
        drop(self._rows, self._parts)
        self._parts = []
        logs = [(place, log) for place, log in self.interviewer.logs() if log.agreed is None]
        for row, (place, log) in enumerate(logs):
            words = log_words(log)
            go = button_for(tr("Continue"), lambda _=False, place=place: self.resume.emit(place), "small")
            go.setAccessibleName(tr("Continue: {log}", log=words))
            for column, part in enumerate((Prose(words), go)):
                self._rows.addWidget(part, row, column)
                self._parts.append(part)
        self.earlier.setVisible(bool(logs))


def log_words(log: Log) -> str:
    """Return whose log it is, how long, and since when."""
    who = log.assessor or word("elicitation", "nobody")
    count = elicitation.questions_answered(log)
    when = next((reply.time for reply in log.replies if reply.time), "")
    if not count:
        return tr("{who}: no answer yet", who=who)
    if not when:
        return tr("{who}: {n} answer", "{who}: {n} answers", who=who, n=count)
    return tr("{who}: {n} answer, begun {when}", "{who}: {n} answers, begun {when}", who=who, n=count, when=when[:10])
