"""Signing: what, who, in which role, with which identity; the policy checked, in stages that can be stopped, verified
at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QFileDialog, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from dpwizard.errors import DPWizardError, InvalidInput
from dpwizard.language import retold
from ui.forms import in_words
from ui.session import Session
from ui.signing import verdict_words
from ui.signing.file_row import FileRow
from ui.signing.policy_card import PolicyCard
from ui.signing.stages import Progress, Stages
from ui.signing.standing import Standing, Watch, same_but_for_marks
from ui.signing.verdict import VerdictDialog
from ui.widgets import Card, Choice, Line, LongText, Prose, SideBySide, mark_wrong, open_once, theme, tr
from ui.workers import Worker

if TYPE_CHECKING:
    from dpwizard.signing.findings import Verification
    from dpwizard.signing.record_files import Signature

PROGRESS = ("identity", "solve", "typeset", "sign", "write", "verify")
VALID_YEARS = 3
LETTERS = 14  # of a choice that are seen at least


class Signed:
    """What a job has ended with: what was done, and for a signature the files and what verification found."""

    def __init__(self, done: str, path: Path, found: Verification | None = None, name: str = "") -> None:
        self.done, self.path, self.found, self.name = done, path, found, name


def doing(stage: str) -> str:
    """Return what happens in a stage."""
    return {
        "identity": tr("Opening your identity …"),
        "solve": tr("Solving every requirement once more …"),
        "typeset": tr("Typesetting the record …"),
        "sign": tr("Signing …"),
        "write": tr("Writing the files …"),
        "verify": tr("Verifying what was written …"),
    }[stage]


class SignForm(Card):
    """Signs the decision as it stands. Passphrases are cleared as soon as they are used, and nothing is kept of a
    key."""

    lead = Signal(str)  # the path of the field that stands in the way of signing
    written = Signal(str)  # a record was signed: its .json file

    def __init__(self, session: Session, worker: Worker, policy: PolicyCard) -> None:
        super().__init__(tr("Sign and export"))
        self.session, self.worker, self.policy = session, worker, policy
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC).astimezone()
        self.signed: Signed | None = None
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
        self._labelled(tr("What you sign"), self.what, self.column)
        self.target_row = FileRow(tr("Where the record is to lie"), self._choose_target)
        self.target, self.target_button = self.target_row.line, self.target_row.button
        self.public_row = FileRow(tr("Where the public edition is to lie"), self._choose_public)
        self.public_target = self.public_row.line
        self.target_note = Prose("", "caption")
        self.awaited = QLabel()
        self.awaited.setTextFormat(Qt.TextFormat.PlainText)
        self.awaited.setWordWrap(True)
        self.identity_row = FileRow(tr("Your identity (a .p12 file)"), self._choose_identity)
        self.identity, self.identity_button = self.identity_row.line, self.identity_row.button
        for widget in (self.target_row, self.public_row, self.target_note, self.awaited, self.identity_row):
            self.column.addWidget(widget)
        row = self._row()
        self.passphrase = self._secret(tr("Passphrase"), row)
        self.role, self.verdict = Choice(), Choice()
        self._fill_roles(("proposes", "approves", "data_protection_officer"))
        self._labelled(tr("Your role"), self.role, row)
        row = self._row()
        self.verdict.addItem(tr("As decided"), None)
        for key in ("approve", "approve_with_conditions", "reject", "refer"):
            self.verdict.addItem(verdict_words.outcome(key), key)
        self._labelled(tr("Your verdict"), self.verdict, row)
        self.time = Line()
        self.time.setPlaceholderText("2026-11-21T14:30:00+01:00")
        self._labelled(tr("Time to state (empty: this computer's clock)"), self.time, row)
        self.time.editingFinished.connect(self._check_time)
        self.time_problem = Prose("", "problem")
        self.time_problem.hide()
        self.column.addWidget(self.time_problem)
        self.comment, self.conditions = LongText(48), LongText(48)
        row = self._row()
        self._labelled(tr("Comment"), self.comment, row)
        self._labelled(tr("Your conditions, one a line"), self.conditions, row)
        self._actions()
        self._new_identity()

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

    def _row(self) -> QBoxLayout:
        row = SideBySide()
        self.column.addWidget(row)
        return row.box

    def _labelled(self, label: str, control: QWidget, into: QBoxLayout) -> None:
        caption = QLabel(label)
        caption.setObjectName("caption")
        caption.setWordWrap(True)
        if isinstance(control, Choice):
            control.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            control.setMinimumContentsLength(LETTERS)
        caption.setBuddy(control)
        control.setAccessibleName(label)
        column = QVBoxLayout()
        column.setSpacing(theme.TIGHT)
        column.addWidget(caption)
        column.addWidget(control)
        into.addLayout(column, 0 if into is self.column else 1)

    def _secret(self, label: str, into: QBoxLayout) -> Line:
        line = Line()
        line.setEchoMode(QLineEdit.EchoMode.Password)
        self._labelled(label, line, into)
        return line

    def _actions(self) -> None:
        row = self._row()
        self.sign_button = QPushButton(tr("Sign and export"))
        self.sign_button.setObjectName("primary")
        self.sign_button.clicked.connect(lambda: self.sign())
        self.check_button = QPushButton(tr("Show every check"))
        self.check_button.clicked.connect(lambda: self.show_checks())
        self.place_button = QPushButton(tr("Lead me there"))
        self.place_button.clicked.connect(lambda: self.lead.emit(self.where))
        for button in (self.sign_button, self.check_button, self.place_button):
            row.addWidget(button)
        row.addStretch(1)
        self.check_button.hide()
        self.place_button.hide()
        self.stages = Stages(self.worker, doing, keys=PROGRESS, last="verify")
        self.column.addWidget(self.stages)
        self.says = Prose()
        self.column.addWidget(self.says)

    def _new_identity(self) -> None:
        heading = QLabel(tr("No identity yet?"))
        heading.setObjectName("title")
        self.column.addSpacing(theme.NEAR)
        self.column.addWidget(heading)
        said = tr(
            "Type a passphrase above, then your name and the passphrase once more. You choose where it is to lie when "
            "it is made."
        )
        self.column.addWidget(Prose(said, "caption"))
        row = self._row()
        self.name = Line()
        self._labelled(tr("Your name"), self.name, row)
        self.again = self._secret(tr("The passphrase again"), row)
        row = self._row()
        self.organisation = Line()
        self._labelled(tr("Your office (may be empty)"), self.organisation, row)
        row.addStretch(1)
        self.make_button = QPushButton(tr("Make a new identity"))
        self.make_button.clicked.connect(lambda: self.make())
        self.column.addWidget(self.make_button, alignment=Qt.AlignmentFlag.AlignLeft)

    # -------------------------------------------------------------------------------- files

    def _choose_identity(self) -> None:
        endings = tr("Identities ({endings})", endings="*.p12 *.pfx")
        path, _ = QFileDialog.getOpenFileName(self, tr("Your identity"), self.identity.text(), endings)
        if path:
            self.identity.setText(path)

    def _choose_target(self) -> None:
        self._choose_place(tr("Where the record is to lie"), self.target)

    def _choose_public(self) -> None:
        self._choose_place(tr("Where the public edition is to lie"), self.public_target)

    def _choose_place(self, title: str, line: Line) -> None:
        options = (
            QFileDialog.Option.DontConfirmOverwrite
        )  # nothing is overwritten: a record that is there is signed further
        path, _ = QFileDialog.getSaveFileName(
            self, title, line.text(), tr("Records ({endings})", endings="*.json"), options=options
        )
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

    def _is_of_this_decision(self, standing: Standing) -> bool:
        """Return whether a public edition of the record that lies there is one of this decision: marks count by their
        places in it."""
        return standing.lying is not None and same_but_for_marks(standing.lying.decision, self.session.decision)

    def leave(self) -> None:
        """Forget all that belongs to the decision shown until now: its places, what was said of it, and what was typed
        to sign it."""
        self._decisions += 1
        self.signed, self.where, self._offered, self._proposed_role = None, "", "", ""
        self._watch, self._public_watch = Watch(), Watch()
        for control in (self.target, self.public_target, self.what, self.comment, self.conditions, self.time):
            control.blockSignals(True)  # what lies at a place is looked at once the next decision is there
        for line in (
            self.target,
            self.public_target,
            self.time,
            self.passphrase,
            self.again,
            self.comment,
            self.conditions,
        ):
            line.clear()
        for box in (self.what, self.verdict, self.role):
            box.setCurrentIndex(0)
        for control in (self.target, self.public_target, self.what, self.comment, self.conditions, self.time):
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
        note = self._note(standing, shown)
        self.target_note.say(note)
        self.target_note.setVisible(bool(note))
        roles = shown.roles(self.policy.policy)
        self._fill_roles(roles)
        self._show_awaited(shown, roles)
        adds = shown.kind == "further"
        self.sign_button.setText(
            tr("Add your signature")
            if adds
            else tr("Make and sign the public edition")
            if self.public
            else tr("Sign and export")
        )

    def _note(self, standing: Standing, shown: Standing) -> str:
        if self.public:
            return self._public_note(standing, shown)
        said = {
            "none": "",
            "new": tr("A new record: three files beside each other, for people, for machines, and the signatures."),
            "further": tr("This record exists already and holds this decision: your signature is added to it."),
            "other": tr("Another record lies here. Choose another name: no record is overwritten."),
        }[standing.kind]
        if (
            standing.kind == "other"
            and self.session.record is not None
            and self.target.text().strip() == str(self.session.record)
        ):
            return tr(
                "Another record lies here: this decision as it was signed, and it was changed since. Choose another "
                "name, "
                "and name the old record as the one replaced."
            )
        chosen = self.policy.policy
        if standing.kind == "new" and chosen is not None:
            return "\n".join(
                (
                    said,
                    tr(
                        "It is checked against “{policy}” first, and names it with its hash.", policy=chosen.policy.name
                    ),
                )
            )
        if standing.lying is not None and standing.kind == "further" and standing.lying.policy_name and chosen is None:
            return "\n".join((said, tr("It was made under the policy “{policy}”.", policy=standing.lying.policy_name)))
        return said

    def _public_note(self, standing: Standing, shown: Standing) -> str:
        if not self._is_of_this_decision(standing):
            return tr("Name above the signed record of this decision: its public edition is made from it.")
        if shown.kind == "further":
            return tr("This public edition exists already: your signature is added to it.")
        if shown.kind == "other":
            return tr("Something else lies where the public edition is to lie. Choose another name.")
        count = len(self.session.decision.withheld)
        return tr(
            "Made from the signed record, without {n} thing that is marked.",
            "Made from the signed record, without {n} things that are marked.",
            n=count,
        )

    def _show_awaited(self, standing: Standing, roles: tuple[str, ...]) -> None:
        """List the roles in order: who signed, who is awaited; and propose the next one."""
        chosen = self.policy.policy
        signed, awaited = standing.signers, standing.awaited(self.policy.policy)
        named = bool((chosen and chosen.policy.roles) or (standing.lying and standing.lying.roles))
        lines = []
        for role in dict.fromkeys((*roles, *(one.role for one in signed))):
            so_far = [one for one in signed if one.role == role]
            for one in so_far:
                who = {"role": verdict_words.role(role), "name": one.name, "time": verdict_words.moment(one.time)}
                if standing.counts(one):
                    lines.append(tr("✓  {role}: {name}, {time}", **who))
                else:
                    lines.append(
                        tr("✗  {role}: {name}, {time}: {verdict}", verdict=verdict_words.outcome(one.verdict), **who)
                    )
            if named and role in awaited:
                key, other = verdict_words.role(role), any(standing.counts(one) for one in so_far)
                lines.append(
                    tr("–  {role}: awaited from somebody else", role=key)
                    if other
                    else tr("–  {role}: awaited", role=key)
                )
        if standing.people < 2 and self.session.decision.exception_reason:
            lines.append(tr("!  An exception needs the signatures of two people."))
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

    def _check_time(self) -> None:
        """Show a time that cannot be stated in red, with the reason, as soon as it is typed: nothing is signed with
        it."""
        said = ""
        try:
            self._stated()
        except DPWizardError as problem:
            said = in_words(problem)
        mark_wrong(self.time, bool(said))
        self.time_problem.say(said)
        self.time_problem.setVisible(bool(said))

    # --------------------------------------------------------------------------------- jobs

    def make(self) -> None:
        """Make a new identity, protected by the passphrase, where the officer says; its certificate, for others to
        trust, beside it."""
        name, passphrase = self.name.text().strip(), self.passphrase.text()
        if not name or not passphrase:
            self._refuse(
                InvalidInput(
                    tr("a new identity needs a passphrase and your name"), "", tr("Fill in these fields first.")
                )
            )
            return
        if passphrase != self.again.text():
            self._refuse(
                InvalidInput(tr("the two passphrases differ"), "", tr("Type the same passphrase in both fields."))
            )
            return
        path = self._place_of_new(name)
        if not path:
            return
        place = Path(path) if Path(path).suffix in (".p12", ".pfx") else Path(f"{path}.p12")
        moment, organisation = self.now(), self.organisation.text().strip()

        def job(progress: Progress) -> Signed:
            from dpwizard.signing import record_files

            progress("identity")
            record_files.make_identity(
                place, name=name, organisation=organisation, ask=lambda: passphrase, years=VALID_YEARS, now=moment
            )
            return Signed("made", place, name=name)

        self.identity.setText(str(place))
        self._start(job)

    def _place_of_new(self, name: str) -> str:
        """Return where the new identity is to lie: the free place typed above, else the one chosen now; an empty text
        for none."""
        typed = self.identity.text().strip()
        if typed and not Path(typed).exists():
            return typed
        endings = tr("Identities ({endings})", endings="*.p12 *.pfx")
        called = re.sub(r"[^\w-]+", "-", name).strip("-").lower()
        offered = str((Path(typed).parent if typed else Path.home()) / f"{called}.p12")
        options = QFileDialog.Option.DontConfirmOverwrite  # nothing is overwritten: a key that is there is refused
        path, _ = QFileDialog.getSaveFileName(
            self, tr("Where your new identity is to lie"), offered, endings, options=options
        )
        return path

    def sign(self) -> None:
        """Sign what was chosen: a new record, a further signature, or the public edition; verify what was written at
        once."""
        identity, target, passphrase = self.identity.text().strip(), self.target.text().strip(), self.passphrase.text()
        if not identity or not target:
            self._refuse(
                InvalidInput(
                    tr("signing needs your identity and a place for the record"), "", tr("Fill in both fields.")
                )
            )
            return
        if self.policy.missing:
            self._refuse(
                InvalidInput(tr("the policy named cannot be read"), "", tr("Choose another file, or empty the field."))
            )
            return
        if not self.policy.read_again():
            self._refuse(
                InvalidInput(
                    tr("the policy's file has changed since it was shown"),
                    "",
                    tr("Read what it asks for now, then sign."),
                )
            )
            return
        try:
            stated = self._stated()
        except DPWizardError as problem:
            self._refuse(problem)
            return
        decision, role, comment, moment = (
            self.session.decision,
            self.role.currentData(),
            self.comment.toPlainText(),
            self.now(),
        )
        verdict = self.verdict.currentData() or decision.outcome or "none"
        conditions = tuple(line.strip() for line in self.conditions.toPlainText().splitlines() if line.strip())
        standing, public = self.standing(), self._public_place() if self.public else ""
        if public and not self._is_of_this_decision(standing):
            self._refuse(
                InvalidInput(
                    tr("the record named is not one of this decision"), "", self._public_note(standing, standing)
                )
            )
            return
        shown = self._public_standing(standing) if public else standing
        further = shown.kind == "further"
        lying = shown.lying if further else standing.lying
        seen = lying.sha256 if lying is not None else None  # what lies there when the job runs may be another record
        policy, policy_path = self.policy.policy, self.policy.path
        if further and policy is not None and str(policy_path) == self.policy.offered and lying is not None:
            policy = policy if lying.policy_sha256 == policy.sha256 else None  # nobody chose it for this record

        def job(progress: Progress) -> Signed:
            from dpwizard import files
            from dpwizard.signing import record_files, signing

            progress("identity")
            opened = signing.open_identity(pkcs12=files.read_bytes(Path(identity)), passphrase=passphrase)
            signature: Signature = record_files.Signature(
                identity=opened, role=role, verdict=verdict, comment=comment, stated=stated, conditions=conditions
            )
            internal = record_files.RecordFiles.beside(Path(target))
            place = record_files.RecordFiles.beside(Path(public)) if public else internal
            if further:
                record_files.sign_further(place, signature, progress, None if public else policy, seen)
            elif public:
                record_files.sign_public(internal, place, signature, progress, decision.withheld, seen)
            else:
                record_files.sign_new(decision, place, signature, progress, policy)
            progress("verify")
            found = record_files.verify(place, record_files.trust_places((), policy_path), moment, policy)
            return Signed("further" if further else "new", place.json, found)

        self.passphrase.clear()  # the job has it, and forgets it with its end
        self._start(job)

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
        done, path, policy, policy_path, moment = (
            self.signed.done,
            self.signed.path,
            self.policy.policy,
            self.policy.path,
            self.now(),
        )

        def job(progress: Progress) -> Signed:
            from dpwizard.signing import record_files

            progress("verify")
            place = record_files.RecordFiles.beside(path)
            return Signed(
                done, path, record_files.verify(place, record_files.trust_places((), policy_path), moment, policy)
            )

        self._start(job)

    def _start(self, job: Callable[[Progress], Signed]) -> None:
        self._started_at = self._decisions
        for button in (self.sign_button, self.make_button):
            button.setEnabled(False)
        self.check_button.hide()
        self.place_button.hide()
        self.says.say("")
        self.stages.start(job)

    def _ended(self, words: str) -> None:
        self.sign_button.setEnabled(True)
        self.make_button.setEnabled(True)
        self.says.say(words)
        self.refresh()

    def _done(self, ended: object) -> None:
        assert isinstance(ended, Signed)
        self.again.clear()
        self.check_button.setVisible(ended.found is not None)
        if ended.found is None:
            said = tr(
                "The identity of {name} lies in {file}. Keep a copy in a safe place; nobody can restore its "
                "passphrase.",
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
        self._ended(f"{said}\n{retold(ended.found.sentence)}")
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
