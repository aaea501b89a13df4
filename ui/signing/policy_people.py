"""Who must sign under a policy, and whose certificates count in which role."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpwizard.base import files
from dpwizard.base.stopping import Stop
from dpwizard.signing import certificates, office
from ui.controls import LongText, Prose, Statement, ask_file, labelled
from ui.signing import verdict_words
from ui.signing.verdict_words import ROLES, in_groups
from ui.widgets import Problem, added, button_for, drop, fill, in_a_row, named, plain, theme, tr
from ui.workers import Background, refusal


def _holders(path: Path, stop: Stop) -> tuple[certificates.Certificate, ...]:
    """Return whose certificates lie at PATH."""
    return tuple(map(certificates.describe, office.require_certificates(files.read_bytes(path)).certificates))


class PolicyPeople(QWidget):
    """Boxes for the roles that must sign, and a row for each person: a certificate, and the roles it counts in."""

    changed = Signal(object, object)  # the roles, and the people as a policy file holds them

    def __init__(self, roles: list[str], people: list[dict[str, Any]]) -> None:
        super().__init__()
        self.people = [dict(person) for person in people]
        column = plain(QVBoxLayout(self), theme.NEAR)
        column.addWidget(named(Prose(tr("Roles in which someone must sign")), "caption"))
        self.boxes = {role: Statement(verdict_words.role(role)) for role in ROLES}
        for role, box in self.boxes.items():
            box.setChecked(role in roles)
            box.clicked.connect(lambda _: self._roles_changed())
        column.addWidget(in_a_row(*self.boxes.values(), spacing=theme.GROUP))
        self.others = LongText(48)
        self.others.setPlainText("\n".join(role for role in roles if role not in ROLES))
        self.others.textChanged.connect(lambda: self._roles_changed())
        column.addWidget(labelled(tr("Other roles, one on each line"), self.others))
        about = tr(
            "If nobody is listed here, everyone whose certificate is trusted may sign in every role. If a "
            "role is ticked for someone, only the certificates listed count in that role."
        )
        column.addWidget(Prose(about, "caption"))
        self._rows = plain(QVBoxLayout(), theme.GROUP)
        column.addLayout(self._rows)
        self.add_button = button_for(tr("Add a person’s certificate …"), lambda: self.choose())
        column.addWidget(in_a_row(self.add_button))
        self.says = added(column, Problem())
        self.reader = Background(_holders, words=refusal, parent=self)
        self.reader.done.connect(lambda path, holders: self._take(holders))
        self.reader.failed.connect(lambda path, words: self.says.say(tr("{name}: {what}", name=path.name, what=words)))
        self._shown: list[QWidget] = []
        self._list()

    def roles(self) -> tuple[str, ...]:
        """Return the roles that must sign, those of every record first."""
        typed = tuple(line.strip() for line in self.others.toPlainText().splitlines() if line.strip())
        return tuple(dict.fromkeys((*(role for role, box in self.boxes.items() if box.isChecked()), *typed)))

    def choose(self) -> None:
        """Ask for a certificate file and list whose it is."""
        endings = tr("Certificates ({endings})", endings=" ".join(f"*{ending}" for ending in office.CERTIFICATES))
        if path := ask_file(self, tr("Add a person’s certificate"), endings):
            self.add(Path(path))

    def add(self, path: Path) -> None:
        """List the person whose certificate lies at PATH, at first in the roles that must sign and nobody has yet."""
        self.says.say("")
        self.reader.request(path)

    def _take(self, holders: tuple[certificates.Certificate, ...]) -> None:
        for holder in holders:
            taken = {role for person in self.people for role in person["roles"]}
            free = [role for role in self.roles() if role not in taken]
            known = any(person["certificate"] == holder.fingerprint for person in self.people)
            if not known:
                roles = free[:1] or list(self.roles()[:1]) or [ROLES[0]]
                self.people.append({"name": holder.name, "certificate": holder.fingerprint, "roles": roles})
        self._list()
        self._tell()

    def _list(self) -> None:
        drop(self._rows, self._shown)
        self._shown = [self._row(person) for person in self.people]
        fill(self._rows, *self._shown)

    def _row(self, person: dict[str, Any]) -> QWidget:
        row = QWidget()
        column = plain(QVBoxLayout(row), theme.TIGHT)
        head = plain(QHBoxLayout(), theme.NEAR)
        name = certificates.printable(person["name"])
        head.addWidget(named(Prose(name), "title"), 1)
        remove = button_for(tr("Remove"), partial(self._remove, person), "small")
        remove.setAccessibleName(tr("Remove {name}", name=name))
        head.addWidget(remove)
        column.addLayout(head)
        column.addWidget(
            Prose(tr("Certificate: {fingerprint}", fingerprint=in_groups(person["certificate"])), "caption")
        )
        boxes = []
        for role in dict.fromkeys((*self.roles(), *person["roles"])):
            box = Statement(verdict_words.role(role))
            box.setAccessibleName(tr("{name}: {role}", name=name, role=verdict_words.role(role)))
            box.setChecked(role in person["roles"])
            box.clicked.connect(partial(self._may, person, role))
            boxes.append(box)
        column.addWidget(in_a_row(*boxes, spacing=theme.GROUP))
        return row

    def _may(self, person: dict[str, Any], role: str, may: bool) -> None:
        person["roles"] = [*(held for held in person["roles"] if held != role), *([role] if may else [])]
        self._tell()

    def _remove(self, person: dict[str, Any], _: bool = False) -> None:
        self.people.remove(person)
        self._list()
        self._tell()

    def _roles_changed(self) -> None:
        self._list()
        self._tell()

    def _tell(self) -> None:
        self.changed.emit(self.roles(), [dict(person) for person in self.people])
