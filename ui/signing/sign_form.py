"""Signing on the last page: who signed, and where the record is saved; the dialog signs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from PySide6.QtCore import QSettings, QSignalBlocker, QStandardPaths, Qt, Signal
from PySide6.QtWidgets import QLabel

from dpwizard import records
from dpwizard.base import files, office_folder
from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.messages import verbatim
from dpwizard.decision import Assessment, Decision
from dpwizard.records import PolicyFile, office_settings
from dpwizard.signing import RecordFiles, findings, signature, signing
from ui.controls import Prose, ask_place
from ui.forms import in_words
from ui.host import keep_fingerprint, last_fingerprint
from ui.session import DocumentSession
from ui.signing import jobs, preview, sign_words, signature_files, verdict_words
from ui.signing.export_dialog import ExportDialog
from ui.signing.policy_card import PolicyCard
from ui.signing.record_choices import replacing
from ui.signing.sign_dialog import READ, SignDialog
from ui.signing.standing import Known, Lying, Places, look
from ui.signing.verdict import VerdictDialog
from ui.widgets import Card, InlineLink, added, in_a_row, open_once, theme, tr
from ui.workers import Background, Worker

MOST = 12  # things to know before
MOST_CHANGES = 2  # of files while they are verified, after which somebody has to come back
Look: TypeAlias = Callable[[], Places]


class SignForm(Card):
    """Says who signed the record that is shown, and opens the dialog that signs it. Nothing is kept of a key."""

    lead = Signal(str)  # the path of the field that stands in the way of signing
    signed_so = Signal(bool)  # whether a record holds the decision as it stands

    def __init__(self, session: DocumentSession, policy: PolicyCard, settings: QSettings) -> None:
        super().__init__(tr("Signatures"))
        self.session, self.policy, self._settings = session, policy, settings
        self.worker = Worker(self)
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC).astimezone()
        self.missing: tuple[str, ...] = ()
        self.chosen = ""  # the budget in words
        self.assessed: tuple[Decision, Assessment] | None = None  # as it was solved last
        self.signed: jobs.Signed | None = None
        self.dialog: SignDialog | None = None
        self._told = ""  # what came of signing another decision
        self._typed = {False: "", True: ""}  # where the record, and its public version, are to lie, if that was said
        self._apart = False  # it was said that no record is replaced
        self._office = office_settings.placed(office_folder.OFFICE)
        self.places = Places()
        self._known: Known = {}
        self._asked: Look | None = None  # what is looked at now
        self._then: list[Callable[[], object]] = []  # what waits for that
        self.looker = Background(lambda asked, stop: asked(), frame=0, parent=self)
        self.looker.done.connect(self._looked)
        self.judge = Worker(self)
        self._judged: jobs.Judged | None = None  # what lies there, as it was verified last
        self._restless = 0  # how often its files changed while they were verified, since somebody asked
        self._decisions = 0  # how many were left; a job that began before that is another one's
        self.says = added(self.column, Prose(hides=True))
        self.awaited = added(self.column, QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True))
        self.check_link = InlineLink(tr("Show every check"))
        self.column.insertWidget(0, in_a_row(self.title, self.check_link, spacing=theme.GROUP))
        self.check_link.clicked.connect(lambda: self.show_checks())
        self._say()
        session.changed.connect(self.refresh)
        for changed in (session.trusted, policy.changed):
            changed.connect(lambda: self.verify_again())

    # -------------------------------------------------------------------------------- files

    def moment(self) -> datetime:
        """Return the time that pages state before anybody signs."""
        return self.now().replace(microsecond=0)

    @property
    def public(self) -> bool:
        """Return whether the public version is to be signed."""
        return self.dialog is not None and self.dialog.read.what.currentData() is True

    def when_looked(self, act: Callable[[], object]) -> None:
        """Do ACT once it is known what lies where something is to be signed: at once, where that is known."""
        self._then.append(act)
        if not self.looker.busy:
            self._go_on()

    def _go_on(self) -> None:
        acts, self._then = self._then, []
        for act in acts:
            act()

    def _choose_place(self) -> None:
        title = tr("Save the public version to") if self.public else tr("Save the record to")
        endings = tr("Records ({endings})", endings="*.json")
        # a record that is there is signed further
        path = ask_place(self, title, endings, self.places.target, added_to=True)
        if path and self.dialog is not None:
            self._typed[self.public] = path
            self.dialog.read.begin()  # another role may be awaited there
            self.refresh()

    def _offered_place(self) -> Path:
        """Return which place is offered for the record: where it lies, or beside the decision, or with the office's."""
        path, title, record = self.session.path, self.session.decision.title or "", self.session.record
        if record is not None:
            return record.with_suffix("")
        documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        usual = path.parent if path is not None else documents if documents.is_dir() else Path.home()
        folder = self._office.folder_of_records()[0] or usual
        called = re.sub(r"[^\w]+", "-", files.bare_name(path) if path is not None else title).strip("-").lower()[:60]
        return folder / "-".join(part for part in (called, tr("record")) if part)

    def _about_place(self) -> str:
        """Return what is to be said of where it is to lie: what signing does there, and whose folder it is."""
        decision, places, policy = self.session.decision, self.places, self.policy.policy
        note = sign_words.note(places.standing, policy)
        if self.public:
            note = sign_words.public_note(decision, places.standing)
        folder, problem = self._office.folder_of_records()
        office = tr("Your office saves its records in this folder.") if folder is not None else ""
        if problem is not None:
            office = tr("{problem}. The usual folder is offered instead.", problem=problem.text())
        where = tr("It will be saved to {place}", place=self.places.target) if self.places.target else ""
        return "\n".join(part for part in (where, note, "" if self._typed[False] else office) if part)

    def leave(self) -> None:
        """Forget all of the decision shown until now: its places, what was said of it, what was typed to sign it."""
        self._decisions += 1
        self.signed, self.missing, self.chosen, self._told, self._apart = None, (), "", "", False
        self._known, self.places, self._asked, self._then, self._judged = {}, Places(), None, [], None
        self._restless = 0
        self._typed = {False: "", True: ""}
        self.looker.forget()
        if self.dialog is not None:
            self.dialog.leave()
        self._say()

    # ------------------------------------------------------------------------------- shown

    def refresh(self) -> None:
        """Have it said what signing would do, who has signed and who is awaited."""
        self._restless = 0
        self._look()

    def _look(self) -> None:
        page = self.parentWidget()
        if page is None or not page.isVisible():
            return  # said when the page is shown
        decision, record, typed = self.session.decision, self.session.record, dict(self._typed)
        self._asked = partial(look, decision, record, self._offered_place(), typed, self.public, self._known)
        self.looker.request(self._asked)

    def _looked(self, asked: Look, places: Places) -> None:
        """Say what signing would do now that it is known what lies there."""
        if asked is not self._asked:
            return
        self.places = places
        self._say()
        self._show_who_signs()
        self._go_on()
        self._verify()

    @property
    def judged(self) -> jobs.Judged | None:
        """Return what verification found of what lies there, unless its files have changed since."""
        return self._judged if self._judged is not None and self._judged.stamps == self.places.stamps else None

    @property
    def status(self) -> str:
        """Return whether a record holds the decision as proposed or as approved, as far as it was verified."""
        verification = self.judged.verification if self.judged is not None else None
        if verification is None or self.places.shown.kind != "further":
            return ""
        return verdict_words.status(verification)

    def _verify(self) -> None:
        """Verify what lies there behind the window, unless that is done, or its files changed twice meanwhile."""
        busy, done = self.judge.busy or self.worker.busy, self.judged is not None or self._restless == MOST_CHANGES
        if not self.places.shown.signers or busy or done:
            return
        record, now = jobs.Judged(path=RecordFiles.beside(Path(self.places.target)).json), self.now()
        policy = (self._asked_policy(self.places.shown.lying), self.policy.path)
        self.judge.start(lambda progress: jobs.verify(progress, record, *policy, now), self._verified)

    def _verified(self, judged: jobs.Judged) -> None:
        """Say how what lies there was JUDGED; look again where that is another one by now."""
        self._judged = judged
        if self.judged is None:
            self._restless += 1
            self._look()
        elif self.signed is not None and self.signed.path == judged.path:
            self.signed = replace(self.signed, verification=judged.verification, problem=judged.problem)
            self._say_signed()
        self._say()

    def verify_again(self) -> None:
        """Verify what lies there once more: somebody was just trusted, or another policy is in force."""
        self._judged = None
        self.refresh()

    def _asked_policy(self, lying: Lying | None) -> PolicyFile | None:
        """Return the policy that LYING is signed further and verified under: one that nobody chose for it must be the
        one that it names."""
        policy = self.policy.policy
        if policy is None or lying is None or str(self.policy.path) != self.policy.offered:
            return policy
        made_under = lying.made.policy
        return policy if made_under is not None and made_under.sha256 == policy.sha256 else None

    def _say(self) -> None:
        """Say what was signed and what it is worth, and who signed the record that is shown."""
        words = self._told
        if self.places.replaced is not None:
            words = tr("Changed since it was signed. Sign again, and a new record replaces the old one.")
        elif self.places.shown.signers and self.places.shown.kind == "further":
            restless = self._restless == MOST_CHANGES
            words = sign_words.judgement(self.judged, self.last_fingerprint, restless=restless)
        self.says.say(words)
        exception, verification = bool(self.session.decision.exception_reason), None
        if self.judged is not None:
            verification = self.judged.verification
        lines = sign_words.awaited(self.places.shown, self.policy.policy, verification, exception=exception)
        self.awaited.setText("\n".join(lines))
        self.awaited.setVisible(len(lines) > 1 or (bool(lines) and not words))
        self.check_link.setVisible(bool(self.places.shown.signers))
        self.setVisible(bool(words or lines))
        self.signed_so.emit(self.places.shown.kind == "further")

    # ------------------------------------------------------------------------------ the dialog

    def prepared(self, decision: Decision) -> Decision:
        """Return DECISION as it is signed unless somebody says otherwise: it names the record that it was before."""
        before, record = self.places.replaced, self.session.record
        if before is None or record is None or self._apart or decision.details.superseded_sha256 is not None:
            return decision
        return replacing(decision, record.name, before)

    def _set_apart(self) -> None:
        """Name no record as the one replaced."""
        self._apart = True
        self.session.edit(tr("Name no record as replaced"), replacing(self.session.decision))

    def open(self, verdict: str = "") -> None:
        """Begin to sign; with VERDICT, in the role in which it was signed just now."""
        if self.worker.busy:
            return
        if self.dialog is None:
            self._make_dialog()
        assert self.dialog is not None
        read = self.dialog.read
        self.dialog.begin()
        read.verdict.setCurrentIndex(max(0, read.verdict.findData(verdict)))
        if verdict and self.signed is not None:
            role = self.signed.role
            self.when_looked(lambda: read.role.show_key(role))
        self.refresh()

    def _make_dialog(self) -> None:
        self.dialog = SignDialog(self.worker, self.window())
        read, done = self.dialog.read, self.dialog.done_step
        self.dialog.confirmed.connect(lambda: self.when_looked(partial(self._sign, self.dialog.shown)))
        self.dialog.lead.connect(self.lead)
        read.changed.connect(self._show_who_signs)
        read.what.currentIndexChanged.connect(lambda _: self.refresh())
        read.place_asked.connect(self._choose_place)
        read.apart_link.clicked.connect(lambda: self._set_apart())
        done.further.connect(self.open)
        done.next_asked.connect(self._begin_next)
        done.check_button.clicked.connect(lambda: self.show_checks())
        done.script_button.clicked.connect(lambda: self.show_export("script"))
        done.notice_button.clicked.connect(lambda: self.show_export("notice"))

    def _show_who_signs(self) -> None:
        """Show as whom one signs, what one says by it, what is to be known before, and the pages."""
        dialog, decision, shown, policy = self.dialog, self.session.decision, self.places.shown, self.policy.policy
        if dialog is None or not dialog.isVisible() or dialog.step != READ or self.looker.busy:
            return
        read = dialog.read
        alone = sign_words.alone(decision) and not shown.signers and policy is None
        first = read.role.currentIndex() < 0
        with QSignalBlocker(read):
            if first:
                roles = shown.roles(policy), "approves" if alone else shown.next_role(policy)
                read.offer(*roles, sign_words.signers(decision))
            role, verdict, there = read.role.currentData(), self._verdict(), self.places.signature_files
            signed = {signer.fingerprint for signer in shown.signers if signer.role != role}
            read.key.offer(signature_files.offered(there, signed, read.named), first=not there)
        name, before = read.key.holder(read.name.text().strip()), self.places.replaced
        decides = alone and role == "approves"
        if first and not name:
            read.fields.show()
        replaces = before is not None and decision.details.superseded_sha256 == before.sha256
        read.show_who(
            sign_words.who(name, role, decides),
            sign_words.effect(decision, role, verdict),
            sign_words.statement(decision, self.chosen, role, verdict, name),
            sign_words.replaces(decision, before) if before is not None and replaces else "",
            self._remarks(role, name),
        )
        read.against.setVisible(bool(shown.signers) and role != "proposes" and verdict not in findings.AGAINST)
        read.offer_withdrawal(any(signer.role == role for signer in shown.signers))
        read.where.say(self._about_place())
        dialog.sign_button.setText(sign_words.button(role, verdict, decides=decides, public=self.public))
        dialog.sign_button.setEnabled(not self.worker.busy)
        self._show_pages(dialog)

    def _show_pages(self, dialog: SignDialog) -> None:
        """Show what is signed, page by page."""
        decision, shown, policy = self.session.decision, self.places.shown, self.policy.policy
        moment, internal, signed = self.moment(), self.places.standing.lying, shown.kind == "further"
        lying = shown.lying.made if signed and shown.lying is not None else None
        make: preview.Make | None = partial(preview.typeset, decision, moment, policy=policy, lying=lying)
        if self.public and not signed:
            public = preview.typeset_public
            make = partial(public, internal.made, decision.withheld, moment) if internal is not None else None
        of = (self.places.target, self.public, shown.lying, internal, decision, policy)
        dialog.show_pages(make, preview.about(signed=signed), of)

    def _verdict(self) -> str:
        """Return the verdict chosen; "as decided" is what the role says by itself."""
        assert self.dialog is not None
        read = self.dialog.read
        usual = "vouch" if read.role.currentData() == signature.VOUCHES else self.session.decision.outcome
        return read.verdict.currentData() or usual or "none"

    def _remarks(self, role: str, name: str) -> list[str]:
        """Return what one should know before signing: what is missing, what the policy asks, an exception, who signed
        already."""
        assert self.dialog is not None
        read = self.dialog.read
        words = sign_words.remarks(self.session.decision, self.places.shown, read.key.own)
        if read.named and read.key.known and name != read.named:
            words.append(tr("!  The record names {name} in this role.", name=read.named))
        fingerprint = read.key.own.fingerprint if read.key.own is not None else ""
        signed = (fingerprint, role) in ((signer.fingerprint, signer.role) for signer in self.places.shown.signers)
        if self._verdict() == "withdraw" and read.key.known and not signed:
            words.append(tr("!  You have not signed in this role: there is nothing to withdraw."))
        if self.places.shown.kind == "other":
            words.append(f"!  {sign_words.note(self.places.shown, None)}")
        return [*words, *self.missing[:MOST]]

    def _sign(self, shown: tuple[Any, ...]) -> None:
        """Sign what was SHOWN: a new record, a further signature, or the public version; verify it at once."""
        dialog, decision = self.dialog, self._decisions
        assert dialog is not None
        if self.worker.busy:
            return
        read = dialog.read
        try:
            if dialog.shown != shown:
                hint = "Look at it again, then sign."
                raise InvalidInput("what is to be signed is no longer what was shown", "", hint)
            order = self._order(dialog)
            key = read.key.key(*(line.text().strip() for line in (read.name, read.organisation, read.key_row.line)))
        except DPWizardError as problem:
            dialog.complain(problem)
            return
        new = bool(key.name) and not files.is_there(key.place)
        read.key.forget_secrets()  # the job has them, and forgets them with its end
        dialog.work(
            partial(jobs.sign, order=order, key=key),
            partial(self._done, decision=decision, order=order, used=key.place),
            partial(self._failed, decision=decision, key=key.place if new else None),
        )

    def _order(self, dialog: SignDialog) -> jobs.Order:
        """Return what is to be signed as it stands; raises where something stands in the way."""
        place, read = self.places.record, dialog.read
        if not place:
            raise InvalidInput("no folder is chosen for the record", "", "Choose where to save it.")
        if self.policy.missing:
            raise InvalidInput("the policy cannot be read", "", "Choose another file, or empty the field.")
        standing, public = self.places.standing, self.places.target if self.public else ""
        if public and not sign_words.is_of(self.session.decision, standing):
            text = verbatim(sign_words.public_note(self.session.decision, standing))
            raise InvalidInput("the chosen record is not one of this decision", "", text)
        further, assessed = self.places.shown.kind == "further", self.assessed
        if not (further or public) and assessed is not None and assessed[0] == self.session.decision:
            records.check_outcome(*assessed)  # before a passphrase is used for nothing
        lying = self.places.shown.lying if further else standing.lying
        policy, policy_path = self.policy.policy, self.policy.path
        shown_policy = policy.sha256 if policy is not None else None
        policy = self._asked_policy(lying) if further else policy
        return jobs.Order(
            decision=self.session.decision,
            record=Path(place),
            public=Path(public) if public else None,
            lying=lying.sha256 if lying is not None else None,
            further=further,
            policy=policy,
            policy_path=policy_path,
            policy_digest=shown_policy,
            request=partial(
                signing.SigningRequest,
                role=read.role.currentData(),
                verdict=self._verdict(),
                comment=read.comment.toPlainText(),
                conditions=read.typed_conditions(),
                stated=self._stated(read.time.text().strip()),
            ),
            now=self.now(),
        )

    def _stated(self, typed: str) -> records.AssertedTime:
        """Return the time TYPED, or that of the computer; raises InvalidInput for one that cannot be."""
        time = signing.parse_time(typed, tr("Time to state")) if typed else self.moment()
        return records.AssertedTime(time=time, source="signer" if typed else "computer")

    def _done(self, ended: jobs.Signed, decision: int, order: jobs.Order, used: Path) -> None:
        keep_fingerprint(self._settings, ended.signer.fingerprint)
        if decision != self._decisions:
            self._told = tr("The decision that was open before is signed: {json}.", json=str(ended.path))
            self._say()
            return
        self.signed = self._judged = ended
        if self.dialog is not None:
            self.dialog.read.key.file.setText(str(used))
        if order.public is None:
            self.session.recorded, self.session.record = order.decision, ended.path
            self._typed[False] = ""  # it is where this decision lies, and a changed one goes beside it
        self.refresh()
        self.when_looked(self._show_done)

    def _failed(self, problem: DPWizardError, decision: int, key: Path | None) -> None:
        dialog = self.dialog
        if decision != self._decisions or dialog is None:
            self._told = tr("The decision that was open before was not signed. {why}", why=in_words(problem))
            self._say()
            return
        if key is not None and files.is_file(key):
            dialog.read.key.know(key)
        self.policy.read()  # its file may have changed since it was shown
        self.refresh()
        dialog.complain(problem)

    # ------------------------------------------------------------------------------ afterwards

    def _show_done(self) -> None:
        if self.dialog is not None and self.dialog.isVisible():
            self._say_signed()
            self._say()
            self.dialog.show_done()

    def _say_signed(self) -> None:
        """Say what was signed, what verification found, and who is next."""
        ended, decision, dialog = self.signed, self.session.decision, self.dialog
        if ended is None or dialog is None:
            return
        names, who = sign_words.signers(decision), ""
        if ended.verdict in findings.AGAINST:
            who, _ = names["approves" if ended.role == "proposes" else "proposes"]
        elif ended.role != "approves" and "approves" in self.places.shown.awaited(self.policy.policy):
            who = names["approves"][0] or tr("the person who approves")
        proposed = ended.role == "proposes" or sign_words.alone(decision)
        sentence = sign_words.verified(ended, self.last_fingerprint)
        proposer = "" if proposed else names["proposes"][0]
        dialog.done_step.show_signed(ended, sentence, who, proposer, proposed=proposed)
        dialog.done_step.script_button.setVisible(decision.release.data is not None)

    @property
    def last_fingerprint(self) -> str:
        """Return the fingerprint of the certificate that signed last here."""
        return last_fingerprint(self._settings)

    def show_checks(self) -> None:
        """Show every check of the record that is shown, and let one compare the numbers of those who signed it."""
        parent = self.dialog if self.dialog is not None and self.dialog.isVisible() else self
        path, reader = Path(self.places.target), self.last_fingerprint
        policy = self._asked_policy(self.places.shown.lying)
        self.verdict_dialog = VerdictDialog(path, parent, policy=policy, policy_path=self.policy.path, own=reader)
        self.verdict_dialog.trusted.connect(self.session.trusted)
        self.verdict_dialog.next_asked.connect(self._begin_next)
        self.verdict_dialog.sign_asked.connect(lambda _: self.open())
        open_once(self.verdict_dialog)

    def show_export(self, to: str) -> None:
        """Show what was signed as it goes TO another place: a script, the public notice."""
        if self.signed is not None:
            self.exports = ExportDialog(self.signed.path, self.dialog, own=self.last_fingerprint, to=to)
            self.exports.lead.connect(self.lead)
            open_once(self.exports)

    def _begin_next(self, path: str) -> None:
        """Leave the signature for the next release."""
        if self.dialog is not None:
            self.dialog.reject()
        self.session.next_asked.emit(path)
