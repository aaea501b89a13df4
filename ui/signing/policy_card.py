"""The office's policy: the file chosen, its name and hash, and what it asks for that is not yet fulfilled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSettings, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout

from dpwizard.base.errors import DPWizardError
from dpwizard.base.stopping import Stop
from dpwizard.decision import Decision
from dpwizard.records import PolicyFile, PolicyViolation, label, policy
from dpwizard.signing import office, policy_files
from ui.controls import Prose, ask_file, mark_wrong
from ui.signing import verdict_words
from ui.signing.parts import FileRow
from ui.signing.policy_editor import PolicyEditor
from ui.widgets import Card, added, button_for, drop, in_a_row, open_once, plain, theme, tr, unmnemonic
from ui.workers import Background

KEPT_PATH, KEPT_HASH = "policy/path", "policy/sha256"
MOST_SHOWN = 20
LETTERS = 84  # of a line that leads somewhere


@dataclass(frozen=True, kw_only=True)
class PolicyRequest:
    """A file to be read: the one typed, or, if none was typed yet, the office's own, else the one chosen LAST."""

    typed: str = ""
    offer: bool = False
    last: str = ""


@dataclass(frozen=True, kw_only=True)
class Read:
    """What a file holds."""

    place: str
    policy: PolicyFile | None = None
    problem: str = ""
    placed: str = ""  # the file that the office has placed on this computer


def read(wanted: PolicyRequest, stop: Stop) -> Read:
    """Return what the file WANTED holds."""
    found = office.policy_in()
    placed = "" if found is None else str(found)
    place = wanted.typed or (placed or wanted.last if wanted.offer else "")
    if not place:
        return Read(place="", placed=placed)
    try:
        held = policy_files.read_policy(Path(place), office.trust_places((), Path(place)))
    except DPWizardError as problem:
        text = f"{problem.where} {problem.text}. {problem.remedy}".strip()
        return Read(place=place, problem=text, placed=placed)
    return Read(place=place, policy=held, placed=placed)


class PolicyCard(Card):
    """Reads a policy when its file is named; lists each breach as a button that leads to its place."""

    asked = Signal(str)  # the path of the field to be led to
    changed = Signal()  # another policy, or none

    def __init__(self, settings: QSettings) -> None:
        super().__init__(tr("The office’s policy"))
        self._settings = settings
        self.policy: PolicyFile | None = None
        self.path: Path | None = None
        # the file named without being asked for: the one the office has placed, or the one chosen last
        self.offered = ""
        self._why = ""  # and why it is offered
        self._place = ""  # the file that was read
        self._asked = False
        self.reader = Background(read, parent=self)
        self.reader.done.connect(self._take)
        self._shown: tuple[PolicyViolation, ...] | None = None
        self._decision: Decision | None = None
        self._inside: bool | None = None
        ask = partial(ask_file, self, tr("The office’s policy"), tr("Policies ({endings})", endings="*.toml"))
        self.row = added(self.column, FileRow(tr("Policy file (none: nothing is asked)"), ask))
        self.row.line.textChanged.connect(lambda _: self.read())
        self.new_button = button_for(tr("Write a new policy …"), lambda: self.edit(None))
        self.edit_button = button_for(tr("Change it …"), lambda: self.edit(self.path))
        self.column.addWidget(in_a_row(self.new_button, self.edit_button, spacing=theme.GROUP))
        self.edit_button.hide()
        self.says = added(self.column, Prose("", "caption"))
        self._rows = plain(QVBoxLayout(), 0)
        self.column.addLayout(self._rows)
        self.buttons: list[QPushButton] = []
        self.column.setSpacing(theme.NEAR)

    @property
    def missing(self) -> bool:
        """Return whether a file is named that cannot be read as a policy, or is not read yet."""
        typed = self.row.line.text().strip()
        return typed != self._place or (self.policy is None and bool(typed))

    @property
    def demands(self) -> int:
        """Return how many demands are not fulfilled; of a policy that cannot be read, one: that it can."""
        return int(self.missing) if self.policy is None else len(self._shown or ())

    def open_demands(self) -> tuple[tuple[str, str], ...]:
        """Return each demand that is not fulfilled in words, with the path of the field it speaks of."""
        if self._decision is None:
            return ()
        decision = self._decision
        return tuple((_policy_words(decision, breach), breach.where) for breach in self._shown or ())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._asked:
            self._asked = True
            if not self.row.line.text().strip():
                self.reader.request(PolicyRequest(offer=True, last=str(self._settings.value(KEPT_PATH, "") or "")))

    def read(self) -> None:
        """Have the file named read behind the window."""
        self.reader.request(PolicyRequest(typed=self.row.line.text().strip()))

    def _take(self, wanted: PolicyRequest, found: Read) -> None:
        """Show what a file holds, unless another one is named by now."""
        if wanted.typed != self.row.line.text().strip():
            return
        if wanted.offer and found.place:
            of_office = found.place == found.placed
            self._why = (
                tr("Your office has placed this policy on this computer.")
                if of_office
                else tr("The policy chosen last here.")
            )
            self.offered = found.place
            self.row.line.blockSignals(True)  # it is read already
            self.row.line.setText(found.place)
            self.row.line.blockSignals(False)
        self._place, self.policy, self._shown = found.place, found.policy, None
        self.path = Path(found.place) if found.policy is not None else None
        self.edit_button.setVisible(self.policy is not None)
        if not wanted.offer or found.place:
            self._keep(found)
        self.says.say(found.problem)
        mark_wrong(self.row.line, bool(found.problem))
        self._ask()
        self.changed.emit()

    def _keep(self, found: Read) -> None:
        """Remember the policy chosen, with its hash, or that none is; the office's own needs no remembering."""
        settings, typed = self._settings, found.place
        if found.policy is not None and typed == found.placed:
            return
        if not typed:
            settings.remove(KEPT_PATH)
            settings.remove(KEPT_HASH)
        elif found.policy is not None:
            if (
                typed == self.offered
                and settings.value(KEPT_PATH) == typed
                and settings.value(KEPT_HASH) != found.policy.sha256
            ):
                self._why = tr("The policy chosen last here. Its file was changed since: read what it asks for now.")
            settings.setValue(KEPT_PATH, typed)
            settings.setValue(KEPT_HASH, found.policy.sha256)

    def show_decision(self, decision: Decision, inside: bool | None) -> None:
        """Ask the policy about DECISION; INSIDE as its assessment says."""
        self._decision, self._inside = decision, inside
        self._ask()

    def edit(self, place: Path | None) -> None:
        """Open the editor on the policy at PLACE (None: on a new one); what it writes is the policy named here."""
        self.editor = PolicyEditor(place, None if place is None else self.policy, self)
        self.editor.written.connect(self._written)
        open_once(self.editor)

    def _written(self, place: str) -> None:
        if self.row.line.text().strip() == place:
            self.read()
        else:
            self.row.line.setText(place)

    def _ask(self) -> None:
        if self.policy is None:
            self._list(())
            return
        if self._decision is None:
            return
        found = policy.breaches(self.policy.policy, self._decision, self._inside)
        if found == self._shown:
            return
        self._shown = found
        lines = [self._why] if self._why and str(self.path) == self.offered else []
        lines.append(tr("“{name}”, SHA-256 {hash}…", name=self.policy.policy.name, hash=self.policy.sha256[:16]))
        if self.policy.signed_by:
            lines.append(tr("Signed by {name}.", name=self.policy.signed_by))
        if self.policy.policy.roles:
            roles = ", ".join(verdict_words.role(role) for role in self.policy.policy.roles)
            lines.append(tr("Must sign, each with a signature of their own: {roles}.", roles=roles))
        for role in self.policy.policy.roles:
            names = ", ".join(one.name for one in self.policy.policy.people if role in one.roles)
            if names:
                lines.append(tr("Counts as “{role}”: {names}.", role=verdict_words.role(role), names=names))
        lines.append(
            tr("{n} demand is not yet fulfilled:", "{n} demands are not yet fulfilled:", n=len(found))
            if found
            else tr("Everything it asks of the decision as it stands is fulfilled.")
        )
        self.says.say("\n".join(lines))
        self._list(found)

    def _list(self, found: tuple[PolicyViolation, ...]) -> None:
        drop(self._rows, self.buttons)
        self.buttons = []
        for breach in found[:MOST_SHOWN]:
            assert self._decision is not None
            text = _policy_words(self._decision, breach)
            words = text if len(text) <= LETTERS else f"{text[: LETTERS - 1]}…"
            button = QPushButton(unmnemonic(words))
            button.setToolTip(text)
            button.setAccessibleName(text)
            button.setObjectName("link")
            button.clicked.connect(lambda _, where=breach.where: self.asked.emit(where))
            self._rows.addWidget(button)
            self.buttons.append(button)


def _policy_words(decision: Decision, breach: PolicyViolation) -> str:
    return tr("{field} {what}", field=label(decision, breach.where), what=breach.message.text())
