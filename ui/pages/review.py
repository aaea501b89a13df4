"""Step 7: the outcome, what is still missing, the record as it will be, and signing it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from dpwizard import explain
from dpwizard.decision import Decision, Details
from dpwizard.errors import DPWizardError, InvalidInput
from dpwizard.picture import Picture
from dpwizard.steps import Problem
from ui import theme
from ui.forms import Form
from ui.pages.page import Card, Page
from ui.session import Session
from ui.work import Worker

PROGRESS = ("identity", "solve", "typeset", "sign", "write", "verify")
DOING = {
    "identity": "Opening your identity …",
    "solve": "Solving every requirement once more …",
    "typeset": "Typesetting the record …",
    "sign": "Signing …",
    "write": "Writing the files …",
    "verify": "Verifying what was written …",
}
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
        self._rows.setSpacing(theme.TIGHT)
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
            button.deleteLater()
        self.buttons = []
        for problem in problems:
            button = QPushButton(words(problem))
            button.setObjectName("step")
            button.clicked.connect(lambda _, problem=problem: self.asked.emit(problem.where, problem.step))
            self._rows.addWidget(button)
            self.buttons.append(button)
        self.title.setText("Nothing is missing" if not problems else f"Still missing: {len(problems)}")


def words(problem: Problem) -> str:
    """Return a problem in a line: which step, which field, what is to be done."""
    step = explain.word("step", problem.step)
    field = problem.where.removeprefix("$.").replace("_", " ").replace(".", ", ")
    return f"{step}, {field}: {explain.say('problem', problem.key, problem.figures)}"


class SignForm(Card):
    """Who signs, in which role, with which identity, and where the record is to lie."""

    def __init__(self, session: Session, worker: Worker) -> None:
        super().__init__("Sign")
        self.session = session
        self.worker = worker
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC).astimezone()
        self.identity = self._file_row("Your identity (a .p12 file)", "Choose …", self._choose_identity)
        self.make_button = QPushButton("Make a new identity …")
        self.column.addWidget(self.make_button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.make_button.clicked.connect(self._make)
        self.name = self._line("Your name, for a new identity")
        self.name.parentWidget()
        self.passphrase = self._line("Passphrase")
        self.passphrase.setEchoMode(QLineEdit.EchoMode.Password)
        self.role = QComboBox()
        for key, text in (("proposes", "proposes"), ("approves", "approves"), ("data_protection_officer", "data protection officer")):
            self.role.addItem(text, key)
        self._labelled("Your role", self.role)
        self.comment = QPlainTextEdit()
        self.comment.setTabChangesFocus(True)
        self.comment.setFixedHeight(56)
        self._labelled("Comment", self.comment)
        self.time = self._line("Time to state (empty: this computer's clock)")
        self.time.setPlaceholderText("2026-11-21T14:30:00+01:00")
        self.target = self._file_row("Where the record is to lie", "Choose …", self._choose_target)
        self.sign_button = QPushButton("Sign and export")
        self.sign_button.setObjectName("primary")
        self.sign_button.clicked.connect(self.sign)
        self.column.addWidget(self.sign_button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.progress = QProgressBar()
        self.progress.setRange(0, len(PROGRESS))
        self.progress.setTextVisible(False)
        self.progress.hide()
        self.column.addWidget(self.progress)
        self.says = QLabel()
        self.says.setWordWrap(True)
        self.says.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.column.addWidget(self.says)
        worker.progressed.connect(self._progress)
        worker.done.connect(self._done)
        worker.failed.connect(self._failed)

    def _labelled(self, label: str, control: QWidget) -> None:
        caption = QLabel(label)
        caption.setObjectName("caption")
        caption.setBuddy(control)
        control.setAccessibleName(label)
        self.column.addWidget(caption)
        self.column.addWidget(control)

    def _line(self, label: str) -> QLineEdit:
        line = QLineEdit()
        self._labelled(label, line)
        return line

    def _file_row(self, label: str, button_words: str, choose: Callable[[], None]) -> QLineEdit:
        line = QLineEdit()
        line.setAccessibleName(label)
        caption = QLabel(label)
        caption.setObjectName("caption")
        caption.setBuddy(line)
        button = QPushButton(button_words)
        button.setAccessibleName(f"Choose: {label}")
        button.clicked.connect(choose)
        row = QHBoxLayout()
        row.addWidget(line, 1)
        row.addWidget(button)
        self.column.addWidget(caption)
        self.column.addLayout(row)
        return line

    def _choose_identity(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Your identity", self.identity.text(), "Identities (*.p12 *.pfx)")
        if path:
            self.identity.setText(path)

    def _choose_target(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, "Where the record is to lie", self.target.text(), "Records (*.json)")
        if path:
            self.target.setText(path)

    def _stated(self):  # type: ignore[no-untyped-def]
        from dpwizard.record import Stated
        from dpwizard.record_files import parse_time

        typed = self.time.text().strip()
        if typed:
            return Stated(time=parse_time(typed, "Time to state"), source="signer")
        return Stated(time=self.now().replace(microsecond=0), source="computer")

    def _make(self) -> None:
        path, name, passphrase = self.identity.text().strip(), self.name.text().strip(), self.passphrase.text()
        if not path or not name or not passphrase:
            self._failed(InvalidInput("a new identity needs a file, your name and a passphrase", "", "Fill in these three fields first."))
            return

        def job(progress: Callable[[str], None]) -> str:
            from dpwizard import files, signing

            progress("identity")
            made = signing.create_identity(name=name, organisation="", passphrase=passphrase, valid_years=3, now=self.now())
            files.write_private(Path(path), made)
            return f"The identity of {name} lies in {path}. Keep a copy in a safe place; nobody can restore its passphrase."

        self._start(job)

    def sign(self) -> None:
        """Sign the decision as it stands, write the record's three files and verify them at once."""
        identity, target, passphrase = self.identity.text().strip(), self.target.text().strip(), self.passphrase.text()
        if not identity or not target:
            self._failed(InvalidInput("signing needs your identity and a place for the record", "", "Fill in both fields."))
            return
        try:
            stated = self._stated()
        except DPWizardError as problem:
            self._failed(problem)
            return
        decision, role, comment = self.session.decision, self.role.currentData(), self.comment.toPlainText()

        def job(progress: Callable[[str], None]) -> str:
            from dpwizard import files, record_files, signing

            progress("identity")
            opened = signing.open_identity(pkcs12=files.read_bytes(Path(identity)), passphrase=passphrase)
            signature = record_files.Signature(
                identity=opened, role=role, verdict=decision.outcome or "none", comment=comment, stated=stated
            )
            place = record_files.RecordFiles.beside(Path(target))
            record_files.sign_new(decision, place, signature, progress)
            progress("verify")
            found = record_files.verify(place, (), stated.time)
            return f"Signed and exported to {place.json}, {place.pdf.name} and {place.jws.name}.\nVerified at once: {found.sentence}"

        self._start(job)

    def _start(self, job: Callable[[Callable[[str], None]], str]) -> None:
        self.sign_button.setEnabled(False)
        self.make_button.setEnabled(False)
        self.progress.setValue(0)
        self.progress.show()
        self.worker.start(job)

    def _progress(self, key: str) -> None:
        self.progress.setValue(PROGRESS.index(key) + 1)
        self.says.setText(DOING[key])

    def _ended(self, words: str) -> None:
        self.progress.hide()
        self.sign_button.setEnabled(True)
        self.make_button.setEnabled(True)
        self.says.setText(words)
        self.says.setAccessibleName(words)

    def _done(self, words: object) -> None:
        self.passphrase.clear()
        self._ended(str(words))

    def _failed(self, problem: object) -> None:
        self._ended(str(problem))


class ReviewPage(Page):
    """Is this the record you want to sign?"""

    key = "review"
    lead = Signal(str, str)

    def __init__(self, session: Session, colours: theme.Colours) -> None:
        self.worker = Worker()
        super().__init__(session)
        self.worker.setParent(self)

    def build(self) -> None:
        self.missing = Missing()
        self.missing.asked.connect(self.lead)
        self.fields.addWidget(self.missing)
        self.summary = Card("The decision")
        self.summary_words = QLabel()
        self.summary_words.setWordWrap(True)
        self.summary_words.setTextFormat(Qt.TextFormat.PlainText)
        self.summary.column.addWidget(self.summary_words)
        self.fields.addWidget(self.summary)
        outcome = Card("Outcome")
        self.add_form(outcome, Form(self.session, "$", Decision, ("outcome",)))
        self.fields.addWidget(outcome)
        details = Card("Further particulars")
        self.add_form(details, Form(self.session, "$.details", Details, DETAILS))
        self.fields.addWidget(details)
        self.sign_form = SignForm(self.session, self.worker)
        self.fields.addWidget(self.sign_form)

    def show_picture(self, decision: Decision, picture: Picture) -> None:
        super().show_picture(decision, picture)
        assessment = picture.assessment
        self.missing.show_problems(assessment.problems)
        lines = [decision.title or "No title yet", explain.window(assessment), explain.position(assessment)]
        lines += explain.broken(decision, assessment)
        if decision.epsilon is not None:
            lines += explain.meaning(decision, decision.epsilon * decision.release.repetitions)
        self.summary_words.setText("\n".join(line for line in lines if line))
