"""Signing: who signs, in which role, with which identity, where the record lies; with progress, and verified at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QLineEdit, QProgressBar, QPushButton, QVBoxLayout, QWidget

from dpwizard.errors import DPWizardError, FileProblem, InvalidInput
from dpwizard.explain import word
from ui import theme
from ui.controls import Choice, Line, LongText, Prose
from ui.pages.page import Card
from ui.session import Session
from ui.verdict import VerdictDialog
from ui.work import Worker

if TYPE_CHECKING:
    from dpwizard.signatures.verification import Verification

PROGRESS = ("identity", "solve", "typeset", "sign", "write", "verify")
DOING = {
    "identity": "Opening your identity …",
    "solve": "Solving every requirement once more …",
    "typeset": "Typesetting the record …",
    "sign": "Signing …",
    "write": "Writing the files …",
    "verify": "Verifying what was written …",
}
ROLES = (("proposes", "proposes"), ("approves", "approves"), ("data_protection_officer", "data protection officer"))
VALID_YEARS = 3
Progress = Callable[[str], None]


class Signed:
    """What a job has ended with: a sentence, and for a signature the files and what verification found."""

    def __init__(self, words: str, path: Path | None = None, found: Verification | None = None) -> None:
        self.words, self.path, self.found = words, path, found


def in_words(problem: DPWizardError) -> str:
    """Return an error for somebody who does not know paths into a file: what is wrong, and what to do."""
    place = problem.where if problem.where and not problem.where.startswith("$") else ""
    message = f"{place} {problem.message}" if place else f"{problem.message[0].upper()}{problem.message[1:]}"
    return f"{message.rstrip('.')}. {problem.hint}".strip()


class SignForm(Card):
    """Signs the decision as it stands. Passphrases are cleared as soon as they are used, and nothing is kept of a key."""

    lead = Signal(str)  # the path of the field that stands in the way of signing

    def __init__(self, session: Session, worker: Worker) -> None:
        super().__init__("Sign and export")
        self.session = session
        self.worker = worker
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC).astimezone()
        self.signed: Signed | None = None
        self.where = ""
        self._offered = ""
        self.target, self.target_button = self._file_row("Where the record is to lie", self._choose_target)
        self.target_note = Prose("", "caption")
        self.column.addWidget(self.target_note)
        self.identity, self.identity_button = self._file_row("Your identity (a .p12 file)", self._choose_identity)
        row = self._row()
        self.passphrase = self._secret("Passphrase", row)
        self.role = Choice()
        for key, text in ROLES:
            self.role.addItem(text, key)
        self._labelled("Your role", self.role, row)
        self.comment = LongText(48)
        self._labelled("Comment", self.comment, self.column)
        self.time = Line()
        self.time.setPlaceholderText("2026-11-21T14:30:00+01:00")
        self._labelled("Time to state (empty: this computer's clock)", self.time, self.column)
        self._actions()
        self._new_identity()
        worker.progressed.connect(self._progress)
        worker.done.connect(self._done)
        worker.failed.connect(self._failed)
        session.changed.connect(self.refresh)
        self.target.textChanged.connect(lambda _: self.refresh())
        self.refresh()

    # ------------------------------------------------------------------------------- fields

    def _row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.GROUP)
        self.column.addLayout(row)
        return row

    def _labelled(self, label: str, control: QWidget, into: QHBoxLayout | QVBoxLayout) -> None:
        caption = QLabel(label)
        caption.setObjectName("caption")
        caption.setBuddy(control)
        control.setAccessibleName(label)
        column = QVBoxLayout()
        column.setSpacing(theme.TIGHT)
        column.addWidget(caption)
        column.addWidget(control)
        into.addLayout(column)

    def _secret(self, label: str, into: QHBoxLayout) -> Line:
        line = Line()
        line.setEchoMode(QLineEdit.EchoMode.Password)
        self._labelled(label, line, into)
        return line

    def _file_row(self, label: str, choose: Callable[[], None]) -> tuple[Line, QPushButton]:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.NEAR)
        line, button = Line(), QPushButton("Choose …")
        button.setAccessibleName(f"Choose: {label}")
        button.clicked.connect(lambda: choose())
        row.addWidget(line, 1)
        row.addWidget(button)
        self._labelled(label, holder, self.column)
        holder.setFocusProxy(line)
        line.setAccessibleName(label)
        return line, button

    def _actions(self) -> None:
        row = self._row()
        self.sign_button = QPushButton("Sign and export")
        self.sign_button.setObjectName("primary")
        self.sign_button.clicked.connect(lambda: self.sign())
        self.check_button = QPushButton("Show every check")
        self.check_button.clicked.connect(lambda: self.show_checks())
        self.place_button = QPushButton("Lead me there")
        self.place_button.clicked.connect(lambda: self.lead.emit(self.where))
        for button in (self.sign_button, self.check_button, self.place_button):
            row.addWidget(button)
        row.addStretch(1)
        self.check_button.hide()
        self.place_button.hide()
        self.progress = QProgressBar()
        self.progress.setRange(0, len(PROGRESS))
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Progress of signing")
        self.progress.hide()
        self.column.addWidget(self.progress)
        self.says = Prose()
        self.column.addWidget(self.says)

    def _new_identity(self) -> None:
        heading = QLabel("No identity yet?")
        heading.setObjectName("title")
        self.column.addSpacing(theme.NEAR)
        self.column.addWidget(heading)
        self.column.addWidget(
            Prose("Choose above where it is to lie and a passphrase, then say your name and the passphrase once more.", "caption")
        )
        row = self._row()
        self.name = Line()
        self._labelled("Your name", self.name, row)
        self.again = self._secret("The passphrase again", row)
        self.make_button = QPushButton("Make a new identity")
        self.make_button.clicked.connect(lambda: self.make())
        self.column.addWidget(self.make_button, alignment=Qt.AlignmentFlag.AlignLeft)

    # -------------------------------------------------------------------------------- files

    def _choose_identity(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Your identity", self.identity.text(), "Identities (*.p12 *.pfx)")
        if path:
            self.identity.setText(path)

    def _choose_target(self) -> None:
        options = QFileDialog.Option.DontConfirmOverwrite  # nothing is overwritten: a record that is there is signed further
        path, _ = QFileDialog.getSaveFileName(self, "Where the record is to lie", self.target.text(), "Records (*.json)", options=options)
        if path:
            self.target.setText(path)

    def _standing(self) -> str:
        """Return what signing would do at the target: "sign_new", "sign_further" (it holds this decision) or "sign_other"."""
        from dpwizard import files
        from dpwizard.record_files import RecordFiles, read_any

        typed = self.target.text().strip()
        if not typed:
            return ""
        place = RecordFiles.beside(Path(typed))
        try:
            if not any(path.exists() for path in place.all):
                return "sign_new"
            same = place.jws.exists() and read_any(files.read_bytes(place.json)) == self.session.decision
        except (DPWizardError, OSError, ValueError):
            return "sign_other"
        return "sign_further" if same else "sign_other"

    def refresh(self) -> None:
        """Say what signing would do: make a record, or add a signature to the one that is there."""
        record = str(self.session.record or "")
        if record != self._offered:
            self._offered = record
            self.target.setText(record)
            return  # comes here again
        if not self.isVisible():
            return  # said when the page is shown
        standing = self._standing()
        self.target_note.say(word("advice", standing) if standing else "")
        self.target_note.setVisible(bool(standing))
        self.sign_button.setText("Add your signature" if standing == "sign_further" else "Sign and export")

    def _stated(self) -> Any:
        from dpwizard.record import Stated
        from dpwizard.record_files import parse_time

        typed = self.time.text().strip()
        if typed:
            return Stated(time=parse_time(typed, "Time to state"), source="signer")
        return Stated(time=self.now().replace(microsecond=0), source="computer")

    # --------------------------------------------------------------------------------- jobs

    def make(self) -> None:
        """Make a new identity in the file named, protected by the passphrase."""
        path, name, passphrase = self.identity.text().strip(), self.name.text().strip(), self.passphrase.text()
        if not path or not name or not passphrase:
            self._failed(InvalidInput("a new identity needs a file, a passphrase and your name", "", "Fill in these three fields first."))
            return
        if passphrase != self.again.text():
            self._failed(InvalidInput("the two passphrases differ", "", "Type the same passphrase in both fields."))
            return
        place = Path(path) if Path(path).suffix in (".p12", ".pfx") else Path(f"{path}.p12")
        moment = self.now()

        def job(progress: Progress) -> Signed:
            from dpwizard import files, signing

            progress("identity")
            if place.exists():
                raise FileProblem("exists already", str(place), "Choose another name; a key is never overwritten.")
            made = signing.create_identity(name=name, organisation="", passphrase=passphrase, valid_years=VALID_YEARS, now=moment)
            files.write_private(place, made)
            return Signed(f"The identity of {name} lies in {place}. Keep a copy in a safe place; nobody can restore its passphrase.")

        self.identity.setText(str(place))
        self._start(job)

    def sign(self) -> None:
        """Sign the decision as it stands: a new record, or a further signature; verify what was written at once."""
        identity, target, passphrase = self.identity.text().strip(), self.target.text().strip(), self.passphrase.text()
        if not identity or not target:
            self._failed(InvalidInput("signing needs your identity and a place for the record", "", "Fill in both fields."))
            return
        try:
            stated = self._stated()
        except DPWizardError as problem:
            self._failed(problem)
            return
        decision, role, comment, moment = self.session.decision, self.role.currentData(), self.comment.toPlainText(), self.now()
        further = self._standing() == "sign_further"

        def job(progress: Progress) -> Signed:
            from dpwizard import files, record_files, signing

            progress("identity")
            opened = signing.open_identity(pkcs12=files.read_bytes(Path(identity)), passphrase=passphrase)
            signature = record_files.Signature(
                identity=opened, role=role, verdict=decision.outcome or "none", comment=comment, stated=stated
            )
            place = record_files.RecordFiles.beside(Path(target))
            if further:
                record_files.sign_further(place, signature, progress)
            else:
                record_files.sign_new(decision, place, signature, progress)
            progress("verify")
            found = record_files.verify(place, (), moment)
            done = "Your signature was added to" if further else "Signed and exported to"
            return Signed(f"{done} {place.json}, {place.pdf.name} and {place.jws.name}.\n{found.sentence}", place.json, found)

        self._start(job)

    def show_checks(self) -> None:
        """Show every check of the verification that followed the signature."""
        if self.signed is not None and self.signed.found is not None and self.signed.path is not None:
            self.verdict = VerdictDialog(self.signed.found, self.signed.path, self)
            self.verdict.open()

    def _start(self, job: Callable[[Progress], Signed]) -> None:
        for button in (self.sign_button, self.make_button):
            button.setEnabled(False)
        self.check_button.hide()
        self.place_button.hide()
        self.progress.setValue(0)
        self.progress.show()
        self.worker.start(job)

    def _progress(self, key: str) -> None:
        self.progress.setValue(PROGRESS.index(key) + 1)
        self.says.say(DOING[key])

    def _ended(self, words: str) -> None:
        self.progress.hide()
        self.sign_button.setEnabled(True)
        self.make_button.setEnabled(True)
        self.says.say(words)
        self.refresh()

    def _done(self, ended: object) -> None:
        assert isinstance(ended, Signed)
        self.again.clear()
        if ended.found is not None:
            self.passphrase.clear()
            self.signed = ended
        self.check_button.setVisible(ended.found is not None)
        self._ended(ended.words)

    def _failed(self, problem: object) -> None:
        assert isinstance(problem, DPWizardError)
        self.where = problem.where if problem.where.startswith("$") else ""
        self.place_button.setVisible(bool(self.where))
        self._ended(in_words(problem))
