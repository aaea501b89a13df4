"""The office's policy: the file chosen, its name and hash, and its conditions that are not met yet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings, Signal

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Decision
from dpwizard.records import PolicyFile, label, policy
from dpwizard.signing import office, policy_files
from ui.controls import Prose, ask_file, mark_wrong
from ui.signing import verdict_words
from ui.signing.parts import FileRow
from ui.signing.policy_editor import PolicyEditor
from ui.widgets import Card, added, button_for, in_a_row, open_once, theme, tr
from ui.workers import Background

KEPT_PATH, KEPT_HASH = "policy/path", "policy/sha256"


@dataclass(frozen=True, kw_only=True)
class Read:
    """What a file holds."""

    place: str
    policy: PolicyFile | None = None
    problem: str = ""
    placed: str = ""  # the file that the office has placed on this computer
    offered: bool = False  # whether nobody named it


def read(typed: str, last: str | None = None) -> Read:
    """Return what the file TYPED holds; where none is, what the office's own does, which every new record must keep,
    else LAST, the one chosen last."""
    office_policy = office.policy_in()
    placed = "" if office_policy is None else str(office_policy)
    place = typed or placed or last or ""
    offered = last is not None or bool(placed and not typed)
    known: dict[str, Any] = {"place": place, "placed": placed, "offered": offered}
    if not place:
        return Read(**known)
    try:
        held = policy_files.read_policy(Path(place), office.trust_places((), Path(place)))
    except DPWizardError as problem:
        return Read(**known, problem=f"{problem.where} {problem.text}. {problem.remedy}".strip())
    return Read(**known, policy=held)


class PolicyCard(Card):
    """Reads a policy when its file is named, and says what it asks for."""

    WHERE = "policy"  # where one is led to name another file
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
        self.reader = Background(lambda asked, stop: asked(), parent=self)
        self.reader.done.connect(lambda asked, policy_read: self._take(policy_read))
        self.demands: tuple[tuple[str, str], ...] = ()  # what is not fulfilled, and the path of the field it speaks of
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

    @property
    def missing(self) -> bool:
        """Return whether a file is named that cannot be read as a policy, or is not read yet."""
        typed = self.row.line.text().strip()
        return typed != self._place or (self.policy is None and bool(typed))

    def offer(self) -> None:
        """Have the office's policy read, or else the one chosen last; once."""
        if not self._asked:
            self._asked = True
            if not self.row.line.text().strip():
                self.reader.request(partial(read, "", str(self._settings.value(KEPT_PATH, "") or "")))

    def read(self) -> None:
        """Have the file named read behind the window."""
        self.reader.request(partial(read, self.row.line.text().strip()))

    def _take(self, policy_read: Read) -> None:
        """Show what a file holds, unless another one is named by now."""
        if ("" if policy_read.offered else policy_read.place) != self.row.line.text().strip():
            return
        if policy_read.offered and policy_read.place:
            of_office = policy_read.place == policy_read.placed
            self._why = (
                tr("Your office has placed this policy on this computer.")
                if of_office
                else tr("The policy chosen last here.")
            )
            self.offered = policy_read.place
            self.row.line.blockSignals(True)  # it is read already
            self.row.line.setText(policy_read.place)
            self.row.line.blockSignals(False)
        self._place, self.policy = policy_read.place, policy_read.policy
        self.path = Path(policy_read.place) if policy_read.policy is not None else None
        self.edit_button.setVisible(self.policy is not None)
        if not policy_read.offered or policy_read.place:
            self._keep(policy_read)
        self.says.say(policy_read.problem)
        mark_wrong(self.row.line, bool(policy_read.problem))
        self._ask()
        self.changed.emit()

    def _keep(self, policy_read: Read) -> None:
        """Remember the policy chosen, with its hash, or that none is; the office's own needs no remembering."""
        settings, typed = self._settings, policy_read.place
        if policy_read.policy is not None and typed == policy_read.placed:
            return
        if not typed:
            settings.remove(KEPT_PATH)
            settings.remove(KEPT_HASH)
        elif policy_read.policy is not None:
            if (
                typed == self.offered
                and settings.value(KEPT_PATH) == typed
                and settings.value(KEPT_HASH) != policy_read.policy.sha256
            ):
                self._why = tr("The policy chosen last here. Its file has changed since: read what it asks for now.")
            settings.setValue(KEPT_PATH, typed)
            settings.setValue(KEPT_HASH, policy_read.policy.sha256)

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
        """Say what the policy asks for, and find what of it is not fulfilled."""
        self.demands = ((tr("The policy cannot be read."), self.WHERE),) if self.missing else ()
        if self.policy is None or self._decision is None:
            return
        asked, decision = self.policy.policy, self._decision
        self.demands = tuple(
            (tr("{field} {what}", field=label(decision, breach.where), what=breach.message.text()), breach.where)
            for breach in policy.breaches(asked, decision, self._inside)
        )
        lines = [self._why] if self._why and str(self.path) == self.offered else []
        lines.append(tr("“{name}”, SHA-256 {hash}…", name=asked.name, hash=self.policy.sha256[:16]))
        if self.policy.signed_by:
            lines.append(tr("Signed by {name}.", name=self.policy.signed_by))
        if asked.roles:
            roles = ", ".join(verdict_words.role(role) for role in asked.roles)
            lines.append(tr("These roles must sign, each with a signature of its own: {roles}.", roles=roles))
        for role in asked.roles:
            names = ", ".join(person.name for person in asked.people if role in person.roles)
            if names:
                lines.append(tr("Counts as “{role}”: {names}.", role=verdict_words.role(role), names=names))
        open_ones = tr(
            "{n} point of the policy is not met yet: see what is still missing.",
            "{n} points of the policy are not met yet: see what is still missing.",
            n=len(self.demands),
        )
        fulfilled = tr("The decision meets everything the policy asks for.")
        self.says.say("\n".join((*lines, open_ones if self.demands else fulfilled)))
