"""Signing, on the page: what is signed, where it is to lie, who is awaited; the dialog of three steps does the rest."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSettings, QStandardPaths, Qt, Signal
from PySide6.QtWidgets import QLabel

from dpwizard.base import files, office_folder
from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.messages import verbatim
from dpwizard.base.stopping import Stop
from dpwizard.decision import Decision
from dpwizard.records import office_settings
from dpwizard.signing import signing
from ui.controls import Choice, Prose, ask_place
from ui.forms import in_words
from ui.host import keep_fingerprint, last_fingerprint
from ui.session import DocumentSession
from ui.signing import jobs, preview, sign_words, verdict_words
from ui.signing.export_dialog import ExportDialog
from ui.signing.parts import FileRow, labelled
from ui.signing.policy_card import PolicyCard
from ui.signing.read_step import Remark
from ui.signing.sign_dialog import READ, SignDialog
from ui.signing.standing import SigningPlace, Watch
from ui.signing.verdict import VerdictDialog
from ui.widgets import Card, added, button_for, in_a_row, open_once, theme, tr
from ui.workers import Background, Worker

MOST_NAMES = 50  # tried for a record before one is asked for
NOWHERE = SigningPlace("none")


@dataclass(frozen=True, kw_only=True)
class PlaceRequest:
    """Where a record is to lie: as typed, or, where nothing was, a free name in a folder."""

    decision: Decision
    typed: str
    offered: Path  # the folder and the name, without its ending, that are offered
    public: bool  # whether the public edition is to be signed
    public_typed: str
    known: dict[str, Watch]  # what was read before


@dataclass(frozen=True, kw_only=True)
class Places:
    """What lies where the record, and its public edition, are to lie."""

    record: str = ""
    standing: SigningPlace = NOWHERE
    public: str = ""
    public_standing: SigningPlace = NOWHERE

    def current(self, public: bool) -> SigningPlace:
        """Return what lies where the one is to lie that is to be signed."""
        return self.public_standing if public else self.standing


def look(asked: PlaceRequest, stop: Stop) -> Places:
    """Return what lies at the places that were ASKED for."""

    def at(place: str) -> SigningPlace:
        return asked.known.setdefault(place, Watch()).look(place, asked.decision)

    name = asked.offered.name
    names = (name, *(f"{name}-{number}" for number in range(2, MOST_NAMES)))
    free = (str(asked.offered.with_name(f"{each}.json")) for each in names)
    record = asked.typed or next((each for each in free if at(each).kind in ("new", "further")), "")
    standing = at(record)
    public = asked.public_typed or (f"{record.removesuffix('.json')}-public" if record else "")
    of = standing.lying.sha256 if standing.lying is not None else ""
    known = asked.known.setdefault(f"public {public}", Watch())
    edition = known.look(public, asked.decision, public_of=of) if asked.public else NOWHERE
    return Places(record=record, standing=standing, public=public, public_standing=edition)


class SignForm(Card):
    """Says what signing would do, and opens the dialog that does it. Nothing is kept of a key."""

    lead = Signal(str)  # the path of the field that stands in the way of signing
    written = Signal(str)  # a record was signed: its .json file

    def __init__(self, session: DocumentSession, worker: Worker, policy: PolicyCard, settings: QSettings) -> None:
        super().__init__(tr("Sign and export"))
        self.session, self.worker, self.policy, self._settings = session, worker, policy, settings
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC).astimezone()
        self.signed: jobs.Signed | None = None
        self.missing: tuple[Remark, ...] = ()
        self.dialog: SignDialog | None = None
        self._offered = ""
        self._begun = False  # signing was begun from a page that folds this form
        self._office = office_settings.placed(office_folder.OFFICE)
        self.places = Places()
        self._watches: dict[str, Watch] = {}
        self._asked: PlaceRequest | None = None  # what is looked at now
        self._then: list[Callable[[], object]] = []  # what waits for that
        self.looker = Background(look, frame=0, parent=self)
        self.looker.done.connect(self._looked)
        self._decisions = 0  # how many were left; a job that began before that is another one's
        self._build()
        session.changed.connect(self.refresh)
        session.trusted.connect(self.verify_again)
        policy.changed.connect(self.refresh)
        self.target.textChanged.connect(lambda _: self.refresh())
        self.public_target.textChanged.connect(lambda _: self.refresh())
        self.what.currentIndexChanged.connect(lambda _: self.refresh())
        self.refresh()

    def _build(self) -> None:
        self.what = Choice()
        self.what.addItem(tr("The record, complete"), "internal")
        self.what.addItem(tr("Its public edition, without what is marked"), "public")
        self.column.addLayout(labelled(tr("What you sign"), self.what))
        title = tr("Save the record to")
        self.target_row = added(self.column, FileRow(title, lambda _: self._ask_place(title, self.place())))
        self.target = self.target_row.line
        public = tr("Save the public edition to")
        self.public_row = FileRow(public, lambda _: self._ask_place(public, self.places.public))
        self.column.addWidget(self.public_row)
        self.public_target = self.public_row.line
        self.target_note = added(self.column, Prose("", "caption", hides=True))
        self.awaited = added(self.column, QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True))
        self.sign_button = button_for(tr("Sign …"), lambda: self.open(), "primary")
        self.check_button = button_for(tr("Show every check"), lambda: self.show_checks())
        self.column.addWidget(in_a_row(self.sign_button, self.check_button, spacing=theme.GROUP))
        self.check_button.hide()
        self.says = added(self.column, Prose())

    # -------------------------------------------------------------------------------- files

    def _ask_place(self, title: str, offered: str) -> str:
        endings = tr("Records ({endings})", endings="*.json")
        return ask_place(self, title, endings, offered, added_to=True)  # a record that is there is signed further

    @property
    def public(self) -> bool:
        """Return whether the public edition is to be signed."""
        return bool(self.what.currentData() == "public")

    def place(self) -> str:
        """Return where the record is to lie: as typed, else a free name beside the decision or among the documents."""
        return self.places.record

    def standing(self) -> SigningPlace:
        """Return what lies where the record is to lie."""
        return self.places.standing

    def when_looked(self, act: Callable[[], object]) -> None:
        """Do ACT once it is known what lies where something is to be signed: at once, where that is known."""
        self._then.append(act)
        if not self.looker.busy:
            self._go_on()

    def _go_on(self) -> None:
        acts, self._then = self._then, []
        for act in acts:
            act()

    def _offered_place(self) -> Path:
        path, title = self.session.path, self.session.decision.title or ""
        documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        usual = path.parent if path is not None else documents if documents.is_dir() else Path.home()
        folder = self._office.folder_of_records()[0] or usual
        called = re.sub(r"[^\w]+", "-", files.bare_name(path) if path is not None else title).strip("-").lower()[:60]
        name = "-".join(part for part in (called, tr("record")) if part)
        return folder / name

    def _of_office(self) -> str:
        """Return what is to be said of the office's folder of records where no place was typed."""
        folder, problem = self._office.folder_of_records()
        if self.target.text().strip() or (folder is None and problem is None):
            return ""
        if problem is None:
            return tr("Your office keeps its records in this folder.")
        return tr("{problem}. The usual place is offered.", problem=problem.text())

    def leave(self) -> None:
        """Forget all of the decision shown until now: its places, what was said of it, what was typed to sign it."""
        self._decisions += 1
        self._begun = False
        self.signed, self._offered, self.missing = None, "", ()
        self._watches, self.places, self._asked, self._then = {}, Places(), None, []
        self.looker.forget()
        controls = (self.target, self.public_target, self.what)
        for control in controls:
            control.blockSignals(True)  # what lies at a place is looked at once the next decision is there
        for line in (self.target, self.public_target):
            line.clear()
        self.what.setCurrentIndex(0)
        for control in controls:
            control.blockSignals(False)
        self.awaited.clear()
        for prose in (self.says, self.target_note):
            prose.say("")
        self.check_button.hide()
        self.sign_button.setText(tr("Sign …"))
        if self.dialog is not None:
            self.dialog.leave()

    # ------------------------------------------------------------------------------- shown

    def refresh(self) -> None:
        """Have it said what signing would do, who has signed and who is awaited."""
        record = str(self.session.record or "")
        if record != self._offered:
            self._offered = record
            self.target.setText(record)
            return  # comes here again
        if not (self.isVisible() or self._begun):
            return  # said when the page is shown
        self._asked = PlaceRequest(
            decision=self.session.decision,
            typed=self.target.text().strip(),
            offered=self._offered_place(),
            public=self.public,
            public_typed=self.public_target.text().strip(),
            known=self._watches,
        )
        self.looker.request(self._asked)

    def _looked(self, asked: PlaceRequest, found: Places) -> None:
        """Say what signing would do now that it is known what lies there."""
        if asked is not self._asked:
            return
        self.places = found
        place, standing = found.record, found.standing
        record = str(self.session.record or "")
        self.target.setPlaceholderText(place)
        self.target.setToolTip(place)
        shown = found.current(self.public)
        self.public_row.setVisible(self.public)
        self.public_target.setPlaceholderText(found.public)
        opened_from_it = bool(record) and self.target.text().strip() == record
        note = (
            sign_words.public_note(self.session.decision, standing, shown)
            if self.public
            else sign_words.note(standing, self.policy.policy, changed_since=opened_from_it)
        )
        self.target_note.say("\n".join(part for part in (note, self._of_office()) if part))
        self._show_awaited(shown)
        first = tr("Make and sign the public edition …") if self.public else tr("Sign …")
        self.sign_button.setText(tr("Add your signature …") if shown.kind == "further" else first)
        if self.dialog is not None and self.dialog.isVisible() and self.dialog.step == READ:
            self._show_what_is_signed()
        self._go_on()

    def _show_awaited(self, shown: SigningPlace) -> None:
        """List the roles in order: who signed, who is awaited; and propose the next one."""
        text = self._awaited_of(shown)
        self.awaited.setText(text)
        self.awaited.setVisible(bool(text))
        if self.dialog is None:
            return
        who = self.dialog.who
        who.awaited.setText(text)
        who.awaited.setVisible(bool(text))
        who.fill_roles(shown.roles(self.policy.policy))
        details = self.session.decision.details
        proposer = details.authors[0].partition(",")[0] if details.authors else ""
        who.names = {"proposes": proposer, "approves": details.approver or ""}
        who.propose_role(shown.next_role(self.policy.policy))

    def _awaited_of(self, shown: SigningPlace) -> str:
        exception = bool(self.session.decision.exception_reason)
        return "\n".join(sign_words.awaited(shown, self.policy.policy, exception=exception))

    # ------------------------------------------------------------------------------ the dialog

    def open(self) -> None:
        """Begin to sign: who, then what, then it is done."""
        if self.worker.busy:
            return
        self._begun = True
        if self.dialog is None:
            self.dialog = SignDialog(self.worker, lambda: self.now(), self)
            self.dialog.entered.connect(self._entered)
            self.dialog.confirmed.connect(lambda: self.sign())
            self.dialog.lead.connect(self.lead)
            self.dialog.done_step.next_asked.connect(self._begin_next)
            self.dialog.done_step.check_button.clicked.connect(lambda: self.show_checks())
            self.dialog.done_step.script_button.clicked.connect(lambda: self.show_script())
        self.dialog.who.await_role()
        self.refresh()
        self.dialog.begin()

    def _entered(self, step: int) -> None:
        self.refresh()  # and then shows what is signed

    def _show_what_is_signed(self) -> None:
        """Show the pages, as whom it is signed and where it is to lie, and what is to be known before."""
        dialog = self.dialog
        if dialog is None or dialog.key is None:
            return
        shown = self.places.current(self.public)
        role, holder = dialog.who.role.currentData(), dialog.key.certificate
        dialog.read.who.say(sign_words.you(holder, role), strong=(holder.name,))
        place = self.places.public if self.public else self.place()
        where = (
            tr("It will be saved to {place}", place=place) if place else tr("Choose first where to save the record.")
        )
        dialog.read.where.say("\n".join(part for part in (where, self.target_note.words) if part))
        dialog.read.show_remarks(self._remarks(shown))
        first = tr("Make and sign the public edition") if self.public else tr("Sign and export")
        dialog.sign_button.setText(tr("Add your signature") if shown.kind == "further" else first)
        moment = self.now().replace(microsecond=0)
        if shown.kind == "further":
            pages = partial(preview.typeset_again, Path(place))
            dialog.read.show_pages(pages, tr("The record as it lies there; its signatures are not drawn here."))
        elif self.public:
            pages = partial(preview.typeset_public, Path(self.place()), self.session.decision.withheld, moment)
            dialog.read.show_pages(pages, preview.not_signed())
        else:
            pages = partial(preview.typeset, self.session.decision, moment, policy=self.policy.policy)
            dialog.read.show_pages(pages, preview.not_signed())

    def _remarks(self, shown: SigningPlace) -> tuple[Remark, ...]:
        """Return what whoever signs should know: what is missing, what the policy asks, an exception, an own
        signature."""
        assert self.dialog is not None
        assert self.dialog.key is not None
        role, holder = self.dialog.who.role.currentData(), self.dialog.key.certificate
        remarks = sign_words.remarks(self.session.decision, shown, self.policy.policy, role, holder)
        demands = tuple(Remark(words, where) for words, where in self.policy.open_demands())
        return (*(Remark(words) for words in remarks), *self.missing, *demands)

    def sign(self) -> None:
        """Sign what was chosen: a new record, a further signature, or the public edition; verify it at once."""
        self.when_looked(self._sign)

    def _sign(self) -> None:
        dialog = self.dialog
        assert dialog is not None
        try:
            order = self._order(dialog)
        except DPWizardError as problem:
            dialog.refuse(problem)
            return
        decision = self._decisions
        dialog.run(
            partial(jobs.sign, order=order),
            lambda ended: self._done(ended, decision, order),
            lambda problem: self._failed(problem, decision),
        )

    def _order(self, dialog: SignDialog) -> jobs.Order:
        """Return what is to be signed as it stands; raises where something stands in the way."""
        place, key = self.place(), dialog.key
        if not place:
            raise InvalidInput("no place is named for the record", "", "Go back, and say where it is to lie.")
        if key is None:
            raise InvalidInput("your signing key is closed", "", "Go back, and type its passphrase.")
        if self.policy.missing:
            raise InvalidInput("the policy named cannot be read", "", "Choose another file, or empty the field.")
        stated = dialog.read.stated()
        standing, public = self.standing(), self.places.public if self.public else ""
        if public and not sign_words.is_of(self.session.decision, standing):
            text = verbatim(sign_words.public_note(self.session.decision, standing, standing))
            raise InvalidInput("the record named is not one of this decision", "", text)
        shown = self.places.current(self.public)
        further = shown.kind == "further"
        lying = shown.lying if further else standing.lying
        policy, policy_path = self.policy.policy, self.policy.path
        shown_policy = policy.sha256 if policy is not None else None
        if further and policy is not None and str(policy_path) == self.policy.offered and lying is not None:
            policy = policy if lying.policy_sha256 == policy.sha256 else None  # nobody chose it for this record
        return jobs.Order(
            decision=self.session.decision,
            record=Path(place),
            public=Path(public) if public else None,
            lying=lying.sha256 if lying is not None else None,
            further=further,
            policy=policy,
            policy_path=policy_path,
            policy_digest=shown_policy,
            request=signing.SigningRequest(
                identity=key,
                role=dialog.who.role.currentData(),
                verdict=dialog.read.verdict.currentData() or self.session.decision.outcome or "none",
                comment=dialog.read.comment.toPlainText(),
                stated=stated,
                conditions=dialog.read.typed_conditions(),
            ),
            now=self.now(),
        )

    def _done(self, ended: jobs.Signed, decision: int, order: jobs.Order) -> None:
        if decision != self._decisions:
            self.says.say(tr("The decision that was open before is signed: {json}.", json=str(ended.path)))
            return
        self.signed = ended
        keep_fingerprint(self._settings, order.request.identity.certificate.fingerprint)
        if order.public is None:
            self.session.recorded = order.decision
        if not self.target.text().strip() and not self.public:
            self.target.setText(str(ended.path))
        self._say_signed()
        self.refresh()
        if self.dialog is not None:
            self.dialog.show_done()
        self._say_signed()
        self.written.emit(str(ended.path))

    def _say_signed(self) -> None:
        """Say what was signed and what verification found, here and in the dialog's last step."""
        ended = self.signed
        assert ended is not None
        text = sign_words.signed(ended)
        found = (
            sign_words.not_verified(ended)
            if ended.verification is None
            else verdict_words.result(ended.verification, self.last_fingerprint)
        )
        self.says.say(f"{text}\n{found}")
        self.check_button.setVisible(ended.verification is not None)
        if self.dialog is not None:
            self.dialog.done_step.show_signed(ended, text, found, self.awaited.text(), self.last_fingerprint)
            self.dialog.done_step.script_button.setVisible(self.session.decision.release.data is not None)

    @property
    def last_fingerprint(self) -> str:
        """Return the fingerprint of the certificate that signed last here."""
        return last_fingerprint(self._settings)

    def _failed(self, problem: DPWizardError, decision: int) -> None:
        if decision != self._decisions:
            self.says.say(tr("The decision that was open before was not signed. {why}", why=in_words(problem)))
        else:
            self.policy.read()  # its file may have changed since it was shown

    # ------------------------------------------------------------------------------ afterwards

    def show_checks(self) -> None:
        """Show every check of the verification that followed the signature."""
        if self.signed is not None and self.signed.verification is not None:
            policy, place = self.policy.policy, self.policy.path
            parent = self.dialog if self.dialog is not None and self.dialog.isVisible() else self
            self.verdict_dialog = VerdictDialog(
                self.signed.path,
                parent,
                found=self.signed.verification,
                policy=policy,
                policy_path=place,
                own=self.last_fingerprint,
            )
            self.verdict_dialog.trusted.connect(self.session.trusted)
            self.verdict_dialog.next_asked.connect(self._begin_next)
            open_once(self.verdict_dialog)

    def show_script(self) -> None:
        """Show the script that makes the release of what was signed."""
        if self.signed is not None:
            self.exports = ExportDialog(self.signed.path, self.dialog, own=self.last_fingerprint, to="script")
            self.exports.lead.connect(self.lead)
            open_once(self.exports)

    def _begin_next(self, path: str) -> None:
        """Leave the signature for the next release."""
        if self.dialog is not None:
            self.dialog.reject()
        self.session.next_asked.emit(path)

    def verify_again(self) -> None:
        """Verify what was signed here once more: somebody was just trusted."""
        if self.signed is None or self.dialog is None or self.worker.busy:
            return
        signed, decision = self.signed, self._decisions
        policy, policy_path, now = self.policy.policy, self.policy.path, self.now()

        def verified(ended: jobs.Signed) -> None:
            if decision == self._decisions:
                self.signed = ended
                self._say_signed()

        self.dialog.run(
            lambda progress: jobs.verify(progress, signed.done, signed.path, policy, policy_path, now), verified
        )
