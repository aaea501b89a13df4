"""Signing: what, who, in which role, with which identity; the policy checked, in stages to stop, verified at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel

from dpwizard.errors import DPWizardError, InvalidInput
from dpwizard.messages import verbatim
from ui.controls import Choice, Line, LongText, Prose, ask_file, ask_place, mark_wrong
from ui.forms import in_words
from ui.session import Session
from ui.signing import jobs, sign_words, verdict_words
from ui.signing.file_row import FileRow
from ui.signing.labelled import labelled, row_on, secret_line
from ui.signing.new_identity import NewIdentity
from ui.signing.policy_card import PolicyCard
from ui.signing.stages import Stages
from ui.signing.standing import Standing, Watch
from ui.signing.verdict import VerdictDialog
from ui.widgets import Card, added, button_for, fill, open_once, theme, tr
from ui.workers import Worker


class SignForm(Card):
    """Signs the decision as it stands. Passphrases are cleared once used, and nothing is kept of a key."""

    lead = Signal(str)  # the path of the field that stands in the way of signing
    written = Signal(str)  # a record was signed: its .json file

    def __init__(self, session: Session, worker: Worker, policy: PolicyCard) -> None:
        super().__init__(tr("Sign and export"))
        self.session, self.worker, self.policy = session, worker, policy
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC).astimezone()
        self.signed: jobs.Outcome | None = None
        self.where = ""
        self._offered = ""
        self._watch, self._public_watch = Watch(), Watch()
        self._proposed_role = ""
        self._started_at = 0
        self._decisions = 0  # how many were left; a job that began before that is another one's
        self._build()
        worker.done.connect(self._done)
        worker.failed.connect(self._failed)
        session.changed.connect(self.refresh)
        session.trusted.connect(self.verify_again)
        policy.changed.connect(self.refresh)
        self.target.textChanged.connect(lambda _: self.refresh())
        self.public_target.textChanged.connect(lambda _: self.refresh())
        self.what.currentIndexChanged.connect(lambda _: self.refresh())
        self.refresh()

    # ------------------------------------------------------------------------------- fields

    def _build(self) -> None:
        self.what = Choice()
        self.what.addItem(tr("The record, complete"), "internal")
        self.what.addItem(tr("Its public edition, without what is marked"), "public")
        self.column.addLayout(labelled(tr("What you sign"), self.what))
        self.target_row = FileRow(tr("Where the record is to lie"), self._choose_target)
        self.target, self.target_button = self.target_row.line, self.target_row.button
        self.public_row = FileRow(tr("Where the public edition is to lie"), self._choose_public)
        self.public_target = self.public_row.line
        self.target_note = Prose("", "caption")
        self.awaited = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.identity_row = FileRow(tr("Your identity (a .p12 file)"), self._choose_identity)
        self.identity, self.identity_button = self.identity_row.line, self.identity_row.button
        self.readable = Prose("", "problem")
        self.readable.hide()
        self.identity.textChanged.connect(lambda _: self._check_key())
        rows = (self.target_row, self.public_row, self.target_note, self.awaited, self.identity_row, self.readable)
        fill(self.column, *rows)
        row = row_on(self.column)
        self.passphrase = secret_line()
        row.addLayout(labelled(tr("Passphrase"), self.passphrase), 1)
        self.role, self.verdict = Choice(), Choice()
        self._fill_roles(("proposes", "approves", "data_protection_officer"))
        row.addLayout(labelled(tr("Your role"), self.role), 1)
        row = row_on(self.column)
        self.verdict.addItem(tr("As decided"), None)
        for key in ("approve", "approve_with_conditions", "reject", "refer"):
            self.verdict.addItem(verdict_words.outcome(key), key)
        row.addLayout(labelled(tr("Your verdict"), self.verdict), 1)
        self.time = Line()
        self.time.setPlaceholderText("2026-11-21T14:30:00+01:00")
        row.addLayout(labelled(tr("Time to state (empty: this computer's clock)"), self.time), 1)
        self.time.editingFinished.connect(self._check_time)
        self.time_problem = Prose("", "problem")
        self.time_problem.hide()
        self.column.addWidget(self.time_problem)
        self.comment, self.conditions = LongText(48), LongText(48)
        row = row_on(self.column)
        row.addLayout(labelled(tr("Comment"), self.comment), 1)
        row.addLayout(labelled(tr("Your conditions, one a line"), self.conditions), 1)
        self._actions()
        self.new_identity = NewIdentity(self.passphrase, self.identity)
        self.new_identity.ordered.connect(self._make)
        self.new_identity.refused.connect(self._refuse)
        self.column.addSpacing(theme.NEAR)
        self.column.addWidget(self.new_identity)

    def _fill_roles(self, roles: tuple[str, ...]) -> None:
        """Offer ROLES and the three of every record, each once."""
        offered = tuple(dict.fromkeys((*roles, "proposes", "approves", "data_protection_officer")))
        if offered == tuple(self.role.itemData(index) for index in range(self.role.count())):
            return
        chosen = self.role.currentData()
        self.role.clear()
        for key in offered:
            self.role.addItem(verdict_words.role(key), key)
        self.role.setCurrentIndex(max(0, self.role.findData(chosen)))

    def _actions(self) -> None:
        row = row_on(self.column)
        self.sign_button = button_for(tr("Sign and export"), lambda: self.sign(), "primary")
        self.check_button = button_for(tr("Show every check"), lambda: self.show_checks())
        self.place_button = button_for(tr("Lead me there"), lambda: self.lead.emit(self.where))
        fill(row, self.sign_button, self.check_button, self.place_button)
        row.addStretch(1)
        self.check_button.hide()
        self.place_button.hide()
        self.stages = added(self.column, Stages(self.worker, sign_words.doing, keys=jobs.PROGRESS, last="verify"))
        self.says = added(self.column, Prose())

    # -------------------------------------------------------------------------------- files

    def _choose_identity(self) -> None:
        endings = tr("Identities ({endings})", endings="*.p12 *.pfx")
        path = ask_file(self, tr("Your identity"), endings, self.identity.text())
        if path:
            self.identity.setText(path)

    def _choose_target(self) -> None:
        self._choose_place(tr("Where the record is to lie"), self.target)

    def _choose_public(self) -> None:
        self._choose_place(tr("Where the public edition is to lie"), self.public_target)

    def _choose_place(self, title: str, line: Line) -> None:
        endings = tr("Records ({endings})", endings="*.json")
        path = ask_place(self, title, endings, line.text(), added_to=True)  # a record that is there is signed further
        if path:
            line.setText(path)

    @property
    def public(self) -> bool:
        """Return whether the public edition is to be signed."""
        return bool(self.what.currentData() == "public")

    def standing(self) -> Standing:
        """Return what lies where the record is to lie."""
        return self._watch.look(self.target.text().strip(), self.session.decision)

    def _public_place(self) -> str:
        """Return where the public edition goes: as typed, else beside the record."""
        typed, beside = self.public_target.text().strip(), self.target.text().strip()
        return typed or (f"{beside.removesuffix('.json')}-public" if beside else "")

    def _public_standing(self, standing: Standing) -> Standing:
        """Return what lies where the public edition of the record that STANDING speaks of is to lie."""
        of = standing.lying.sha256 if standing.lying is not None else ""
        return self._public_watch.look(self._public_place(), self.session.decision, public_of=of)

    def leave(self) -> None:
        """Forget all of the decision shown until now: its places, what was said of it, what was typed to sign it."""
        self._decisions += 1
        self.signed, self.where, self._offered, self._proposed_role = None, "", "", ""
        self._watch, self._public_watch = Watch(), Watch()
        typed = (self.target, self.public_target, self.comment, self.conditions, self.time)
        for control in (*typed, self.what):
            control.blockSignals(True)  # what lies at a place is looked at once the next decision is there
        for line in (*typed, self.passphrase, self.new_identity.again):
            line.clear()
        for box in (self.what, self.verdict, self.role):
            box.setCurrentIndex(0)
        for control in (*typed, self.what):
            control.blockSignals(False)
        self.awaited.clear()
        self._check_time()
        for said in (self.says, self.target_note):
            said.say("")
        for button in (self.check_button, self.place_button):
            button.hide()

    def refresh(self) -> None:
        """Say what signing would do, who has signed and who is awaited."""
        record = str(self.session.record or "")
        if record != self._offered:
            self._offered = record
            self.target.setText(record)
            return  # comes here again
        if not self.isVisible():
            return  # said when the page is shown
        standing = self.standing()
        shown = self._public_standing(standing) if self.public else standing
        self.public_row.setVisible(self.public)
        self.public_target.setPlaceholderText(self._public_place())
        opened_from_it = bool(record) and self.target.text().strip() == record
        note = (
            sign_words.public_note(self.session.decision, standing, shown)
            if self.public
            else sign_words.note(standing, self.policy.policy, changed_since=opened_from_it)
        )
        self.target_note.say(note)
        self.target_note.setVisible(bool(note))
        self._fill_roles(shown.roles(self.policy.policy))
        self._show_awaited(shown)
        first = tr("Make and sign the public edition") if self.public else tr("Sign and export")
        self.sign_button.setText(tr("Add your signature") if shown.kind == "further" else first)

    def _show_awaited(self, standing: Standing) -> None:
        """List the roles in order: who signed, who is awaited; and propose the next one."""
        lines = sign_words.awaited(standing, self.policy.policy, exception=bool(self.session.decision.exception_reason))
        self.awaited.setText("\n".join(lines))
        self.awaited.setVisible(bool(lines))
        proposed = standing.next_role(self.policy.policy)
        if proposed != self._proposed_role:
            self._proposed_role = proposed
            self.role.setCurrentIndex(max(0, self.role.findData(proposed)))

    def _stated(self) -> Any:
        from dpwizard.records.record import Stated
        from dpwizard.signing.record_files import parse_time

        typed = self.time.text().strip()
        if typed:
            return Stated(time=parse_time(typed, tr("Time to state")), source="signer")
        return Stated(time=self.now().replace(microsecond=0), source="computer")

    def _check_key(self) -> None:
        """Say where others can read the key file: whoever has it needs only the passphrase to sign in this name."""
        from dpwizard import files

        typed = self.identity.text().strip()
        open_to_others = bool(typed) and files.is_file(Path(typed)) and files.others_may_read(Path(typed))
        said = tr("Others on this computer can read this file. Allow it to yourself alone.") if open_to_others else ""
        self.readable.say(said)
        self.readable.setVisible(open_to_others)

    def _check_time(self) -> None:
        """Show a time that cannot be stated in red, with the reason, once typed: nothing is signed with it."""
        said = ""
        try:
            self._stated()
        except DPWizardError as problem:
            said = in_words(problem)
        mark_wrong(self.time, bool(said))
        self.time_problem.say(said)
        self.time_problem.setVisible(bool(said))

    # --------------------------------------------------------------------------------- jobs

    def _make(self, place: Path, name: str, organisation: str) -> None:
        """Make a new identity at PLACE, protected by the passphrase."""
        self.identity.setText(str(place))
        self._start(
            jobs.make_identity(
                place, name=name, organisation=organisation, passphrase=self.passphrase.text(), now=self.now()
            )
        )

    def sign(self) -> None:
        """Sign what was chosen: a new record, a further signature, or the public edition; verify it at once."""
        identity, target, passphrase = self.identity.text().strip(), self.target.text().strip(), self.passphrase.text()
        if not identity or not target:
            self._refuse(
                InvalidInput("signing needs your identity and a place for the record", "", "Fill in both fields.")
            )
            return
        if self.policy.missing:
            self._refuse(
                InvalidInput("the policy named cannot be read", "", "Choose another file, or empty the field.")
            )
            return
        if not self.policy.read_again():
            self._refuse(
                InvalidInput(
                    "the policy's file has changed since it was shown",
                    "",
                    "Read what it asks for now, then sign.",
                )
            )
            return
        try:
            stated = self._stated()
        except DPWizardError as problem:
            self._refuse(problem)
            return
        standing, public = self.standing(), self._public_place() if self.public else ""
        if public and not sign_words.is_of(self.session.decision, standing):
            self._refuse(
                InvalidInput(
                    "the record named is not one of this decision",
                    "",
                    verbatim(sign_words.public_note(self.session.decision, standing, standing)),
                )
            )
            return
        shown = self._public_standing(standing) if public else standing
        further = shown.kind == "further"
        lying = shown.lying if further else standing.lying
        policy, policy_path = self.policy.policy, self.policy.path
        if further and policy is not None and str(policy_path) == self.policy.offered and lying is not None:
            policy = policy if lying.policy_sha256 == policy.sha256 else None  # nobody chose it for this record

        order = jobs.Order(
            decision=self.session.decision,
            record=Path(target),
            public=Path(public) if public else None,
            lying=lying.sha256 if lying is not None else None,
            further=further,
            policy=policy,
            policy_path=policy_path,
            identity=Path(identity),
            passphrase=passphrase,
            role=self.role.currentData(),
            verdict=self.verdict.currentData() or self.session.decision.outcome or "none",
            comment=self.comment.toPlainText(),
            conditions=tuple(line.strip() for line in self.conditions.toPlainText().splitlines() if line.strip()),
            stated=stated,
            now=self.now(),
        )
        self.passphrase.clear()  # the job has it, and forgets it with its end
        self._start(jobs.sign(order))

    def show_checks(self) -> None:
        """Show every check of the verification that followed the signature."""
        if self.signed is not None and self.signed.found is not None:
            policy, place = self.policy.policy, self.policy.path
            self.verdict_dialog = VerdictDialog(
                self.signed.path, self, found=self.signed.found, policy=policy, policy_path=place
            )
            self.verdict_dialog.trusted.connect(self.session.trusted)
            open_once(self.verdict_dialog)

    def verify_again(self) -> None:
        """Verify what was signed here once more: somebody was just trusted."""
        if self.signed is None or self.signed.found is None or self.worker.busy:
            return
        policy, policy_path = self.policy.policy, self.policy.path
        self._start(jobs.verify(self.signed.done, self.signed.path, policy, policy_path, self.now()))

    def _start(self, job: jobs.Job) -> None:
        self._started_at = self._decisions
        for button in (self.sign_button, self.new_identity.make_button):
            button.setEnabled(False)
        self.check_button.hide()
        self.place_button.hide()
        self.says.say("")
        self.stages.start(job)

    def _ended(self, words: str) -> None:
        self.sign_button.setEnabled(True)
        self.new_identity.make_button.setEnabled(True)
        self.says.say(words)
        self.refresh()

    def _done(self, ended: object) -> None:
        assert isinstance(ended, jobs.Outcome)
        self.new_identity.again.clear()
        self.check_button.setVisible(ended.found is not None)
        if ended.found is None:
            said = tr(
                "The identity of {name} lies in {file}. Keep a copy in a safe place; "
                "nobody can restore its passphrase.",
                name=ended.name,
                file=str(ended.path),
            )
            certificate = tr(
                "Its certificate, for others to trust, lies in {file}.", file=ended.path.with_suffix(".crt").name
            )
            self._ended(f"{said}\n{certificate}")
            return
        if self._started_at != self._decisions:
            self._ended(tr("The decision that was open before is signed: {json}.", json=str(ended.path)))
            self.check_button.hide()
            return
        self.signed = ended
        files = {"json": str(ended.path), "pdf": ended.path.with_suffix(".pdf").name, "jws": f"{ended.path.name}.jws"}
        said = (
            tr("Your signature was added to {json}, {pdf} and {jws}.", **files)
            if ended.done == "further"
            else tr("Signed and exported to {json}, {pdf} and {jws}.", **files)
        )
        self._ended(f"{said}\n{ended.found.sentence.said()}")
        self.written.emit(str(ended.path))

    def _refuse(self, problem: DPWizardError) -> None:
        """Say what stands in the way before any work began."""
        self._started_at = self._decisions
        self._failed(problem)

    def _failed(self, problem: object) -> None:
        assert isinstance(problem, DPWizardError)
        if self._started_at != self._decisions:
            self._ended(tr("The decision that was open before was not signed. {why}", why=in_words(problem)))
            return
        self.where = problem.where if problem.where.startswith("$") else ""
        self.place_button.setVisible(bool(self.where))
        self._ended(in_words(problem, leads=bool(self.where)))
