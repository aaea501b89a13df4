"""What verification found, in a window: the verdict in a sentence, who signed, every check."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.base.one_line import on_one_line
from dpwizard.records import PolicyFile
from dpwizard.signing import RecordFiles, findings, required_signatures, signing
from ui.controls import ask_file
from ui.signing import jobs
from ui.signing import verdict_words as words
from ui.signing.trust_dialog import TrustDialog
from ui.task_dialog import TaskDialog
from ui.widgets import (
    Card,
    Fold,
    Status,
    added,
    button_for,
    clear,
    copyable,
    fill,
    in_a_row,
    named,
    open_once,
    plain,
    scrolled,
    theme,
    tr,
)

SIZE = (800, 700)
MOST_DIFFERENCES = 30  # listed
MAKE_PDF = "Make the PDF again."  # what verification says where JSON and signatures hold and the PDF does not


class VerdictDialog(TaskDialog):
    """Judges one record off the window's thread and shows the verdict; others can be dropped on it. Changes none."""

    trusted = Signal()  # a certificate was added to those trusted here
    next_asked = Signal(str)  # the next release is to be begun from the record of this path
    sign_asked = Signal(str)  # the record of this path is to be signed, too

    def __init__(
        self,
        path: Path,
        parent: QWidget | None = None,
        *,
        policy: PolicyFile | None = None,
        policy_path: Path | None = None,
        own: str = "",
    ) -> None:
        super().__init__(parent, tr("Verify: {name}", name=path.name), SIZE)
        self.setAcceptDrops(True)
        self.path, self.policy, self.policy_path = path, policy, policy_path
        self.own = own  # the fingerprint of the reader's own certificate, if it is known
        self.column.addLayout(self._head())
        content = QWidget()
        self._rows = plain(QVBoxLayout(content), theme.GROUP)
        self._rows.setContentsMargins(0, 0, theme.NEAR, 0)
        self.area = scrolled(content, self.windowTitle())
        self.column.addWidget(self.area, 1)
        self.trust_button = button_for(tr("Trusted certificates …"), lambda: self.show_trust())
        self.other_button = button_for(tr("Another record …"), lambda: self.choose())
        self.sign_button = button_for(tr("Sign …"), lambda: self._leave_for(self.sign_asked), "primary")
        right = (self.closing(), self.sign_button)
        self.foot(self.trust_button, self.copying(self._as_text), self.other_button, right=right)
        self.judge(path)

    def _head(self) -> QHBoxLayout:
        self.mark = named(QLabel(alignment=Qt.AlignmentFlag.AlignTop), "number")
        self.heading = named(Status(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "question")
        self.sentence = copyable("")
        beside = plain(QVBoxLayout(), theme.TIGHT)
        fill(beside, self.heading, self.sentence)
        row = plain(QHBoxLayout(), theme.GROUP)
        row.addWidget(self.mark)
        row.addLayout(beside, 1)
        return row

    # -------------------------------------------------------------------------------- judging

    def choose(self) -> None:
        """Ask for another record and judge it."""
        endings = tr("Records ({endings})", endings="*.json *.pdf *.jws")
        if path := ask_file(self, tr("Verify a record"), endings, str(self.path)):
            self.judge(Path(path))

    def judge(self, path: Path) -> None:
        """Judge the record that PATH belongs to, in the background."""
        self.path = path
        self.found: findings.Verification | None = None
        self.setWindowTitle(tr("Verify: {name}", name=path.name))
        self._clear()
        self.mark.setText("…")
        self.heading.setText(tr("Verifying {name} …", name=path.name))
        self.sentence.setText(tr("The PDF is made again and compared, and every signature and number is checked."))
        self.copy_button.setEnabled(False)
        self.sign_button.hide()
        moment, policy, policy_path = self.now(), self.policy, self.policy_path
        self.work(lambda _: jobs.verified(path, policy, policy_path, moment), self._show)

    def complain(self, problem: DPWizardError) -> None:
        self.mark.setText(words.mark(None))
        self.heading.setText(tr("This record cannot be verified"))
        self.sentence.setText(str(problem))

    # -------------------------------------------------------------------------------- showing

    def _clear(self) -> None:
        clear(self._rows)
        self.same_buttons: list[QPushButton] = []
        self.other_buttons: list[QPushButton] = []

    def _show(self, verification: findings.Verification) -> None:
        self.found = verification
        self._clear()
        self.setWindowTitle(tr("Verify: {name}", name=self.path.name))
        passed = {"passed": True, "failed": False, "undetermined": None}[verification.outcome]
        self.mark.setText("!" if verification.ok and verification.awaited else words.mark(passed))
        self.mark.setAccessibleName(words.heading(verification))
        self.heading.setText(words.heading(verification))
        self.sentence.setText(words.summary(verification, self.own))
        self.copy_button.setEnabled(True)
        self.sign_button.setVisible(verification.ok)
        first = Card()
        for line in (
            f"{words.mark(passed)}  {words.outcome_line(verification)}",
            *(f"{words.mark(ok)}  {answer}" for ok, answer in words.key_lines(verification)),
            *(f"!  {tr('Missing: {what}', what=missing.text())}" for missing in verification.awaited),
            *words.open_lines(verification),
            *words.stamp_lines(verification),
            *words.remedy(verification),
        ):
            first.column.addWidget(copyable(line))
        if verification.remedy == MAKE_PDF:
            self.pdf_button = button_for(tr("Make the PDF again"), lambda: self._make_pdf())
            first.column.addWidget(self.pdf_button, alignment=Qt.AlignmentFlag.AlignLeft)
        for line in self._differences(verification):
            first.column.addWidget(copyable(line))
        self._rows.addWidget(first)
        for signer in verification.signers:
            self._rows.addWidget(self._signer(signer))
        if required_signatures.approved_at(verification):
            self._rows.addWidget(self._next_release())
        failed = sum(finding.ok is False for finding in verification.findings if finding.check != "trust")
        checks = Fold(tr("Every check"), lambda column: self._checks(column))
        count = tr("{n} made", "{n} made", n=len(verification.findings))
        checks.say(tr("{n} failed", "{n} failed", n=failed) if failed else count)
        self._rows.addWidget(checks)
        self._rows.addStretch(1)

    def _differences(self, verification: findings.Verification) -> list[str]:
        """Return each number that is another one when the decision is solved again."""
        lines = [
            on_one_line(tr("{where}: recorded {then}, now {now}", where=each.where, then=each.recorded, now=each.now))
            for each in verification.differences[:MOST_DIFFERENCES]
        ]
        more = len(verification.differences) - len(lines)
        return [*lines, tr("and {n} more", "and {n} more", n=more)] if more else lines

    def _signer(self, signer: findings.Signer) -> Card:
        card = Card(tr("Signature {number}: {name}", number=signer.position + 1, name=signer.name))
        if signer.organisation:
            card.column.addWidget(copyable(signer.organisation, "caption"))
        if words.can_be_met(signer) and signer.certificate.fingerprint != self.own:
            self._ask_number(card, signer)
        for line in words.signer_lines(signer):
            card.column.addWidget(copyable(line))
        fingerprint = tr("Certificate: {fingerprint}", fingerprint=words.in_groups(signer.certificate.fingerprint))
        card.column.addWidget(copyable(fingerprint, "caption"))
        return card

    def _ask_number(self, card: Card, signer: findings.Signer) -> None:
        """Ask whether the signer's number is the one that they say on the telephone."""
        question = added(card.column, copyable(words.ask(signer), "title"))
        same = button_for(tr("It is the same"), lambda: self.trust_signer(signer.certificate.fingerprint))
        other = button_for(tr("It is not"), lambda: question.setText(words.not_theirs(signer)))
        same.setAccessibleName(tr("The number of {name} is the same: trust this signature", name=signer.name))
        other.setAccessibleName(tr("The number of {name} is another one", name=signer.name))
        card.column.addWidget(in_a_row(same, other))
        self.same_buttons.append(same)
        self.other_buttons.append(other)

    def _checks(self, column: QVBoxLayout) -> None:
        assert self.found is not None
        for finding in self.found.findings:
            column.addWidget(copyable(words.finding_line(finding)))

    # ---------------------------------------------------------------------------------- trust

    def trust_signer(self, fingerprint: str) -> None:
        """Trust the certificate with FINGERPRINT that signed here from now on, and judge the record again."""
        self.work(
            partial(jobs.trust_signer, path=self.path, fingerprint=fingerprint),
            lambda _: self._trusted(),
            lambda problem: self.sentence.setText(str(problem)),
        )

    def _trusted(self) -> None:
        self.trusted.emit()
        self.judge(self.path)

    def show_trust(self) -> None:
        """Show which folders are read, and let one add a certificate; then judge again."""
        self.trust = TrustDialog(self.policy_path, self)
        self.trust.changed.connect(lambda: self.judge(self.path))
        self.trust.changed.connect(self.trusted)
        open_once(self.trust)

    # ----------------------------------------------------------------------------------- rest

    def _make_pdf(self) -> None:
        """Make the PDF again from JSON and signatures, in the background, then judge the record anew."""
        place = RecordFiles.beside(self.path)
        self.pdf_button.setEnabled(False)
        self.work(lambda _: signing.make_pdf_again(place), lambda _: self.judge(self.path))

    def _next_release(self) -> Card:
        card = Card(tr("The next release"))
        words = tr("Copies the description, counts this release as an earlier one, and leaves the decision open.")
        self.next_button = button_for(tr("Begin the next release …"), lambda: self._leave_for(self.next_asked))
        card.column.addWidget(copyable(words))
        card.column.addWidget(self.next_button, alignment=Qt.AlignmentFlag.AlignLeft)
        return card

    def _leave_for(self, asked: SignalInstance) -> None:
        """Leave the verdict for what is ASKED with this record."""
        record = RecordFiles.beside(self.path).json
        self.reject()
        asked.emit(str(record))

    def _as_text(self) -> str:
        """Return all that was found."""
        return "" if self.found is None else words.as_text(self.found, self.path.name, self.own)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        urls = event.mimeData().urls()
        if urls:
            self.judge(Path(urls[0].toLocalFile()))
