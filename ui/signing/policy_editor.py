"""A window in which an office writes its policy: conditions on decisions, who must sign, whose certificates count."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpwizard.base import files
from dpwizard.base.errors import InvalidInput
from dpwizard.base.language import phrase
from dpwizard.base.values import plain as as_plain
from dpwizard.base.values import read
from dpwizard.decision import Details, Release
from dpwizard.records import PolicyFile, policy
from dpwizard.signing import certificates, policy_files
from ui.controls import Prose, ask_place
from ui.forms import ChecksEditor, Editor, choices, editor_for, in_words
from ui.signing.policy_people import PolicyPeople
from ui.task_dialog import TaskDialog
from ui.widgets import Card, FieldGrid, Fold, added, button_for, fill, named, plain, scrolled, theme, tr

SIZE = (680, 760)
NAME = "policy.toml"
AMOUNTS = ("largest_epsilon", "largest_epsilon_in_all", "largest_delta")
MANNER = ("mechanisms", "neighbours", "exceptions")
DETAILS = "$.details."


class PolicyEditor(TaskDialog):
    """Edits the policy in a file, or a new one; writes it with every field explained. Nothing is written until Save."""

    written = Signal(str)  # the file that the policy was written to

    def __init__(self, place: Path | None, policy_file: PolicyFile | None, parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("The office’s policy"), SIZE, tr("What does your office ask of every decision?"))
        self.place = place
        new = policy.Policy(format=policy.FORMAT, name=tr("Policy of the office"))
        began = policy_file.policy if policy_file is not None else new
        self.raw: dict[str, Any] = as_plain(began)
        self.editors: dict[str, Editor] = {}
        column = self.column
        column.addWidget(Prose(tr("What you leave empty is not asked. The file is plain text with explanations.")))
        if place is not None and files.is_there(policy_files.signature_beside(place)):
            signed = tr("This policy is signed. If you change it, it must be signed again: dpwizard policy sign.")
            column.addWidget(Prose(signed, "caption"))
        content = QWidget()
        self._rows = plain(QVBoxLayout(content), theme.GROUP)
        self._rows.setContentsMargins(0, 0, theme.NEAR, 0)
        column.addWidget(scrolled(content, self.windowTitle()), 1)
        self._fill()
        column.addWidget(named(self.says, "problem"))
        words = tr("Save the policy …") if place is None else tr("Save the policy")
        self.save_button = button_for(words, lambda: self.save(), "primary")
        self.cancel_button = self.closing(tr("Do not save"))
        self.foot(right=(self.cancel_button, self.save_button), default=self.save_button)
        self._check()

    def _fill(self) -> None:
        itself = added(self._rows, Card(tr("The policy itself")))
        fill(itself.column, self._editor("name"), self._editor("signed"))
        self._among(tr("How much a release may spend"), AMOUNTS)
        self._among(tr("What may be used, and how"), MANNER)
        people = added(self._rows, Card(tr("Who must sign, and whose certificates count")))
        self.people = PolicyPeople(self.raw["roles"], self.raw["people"])
        self.people.changed.connect(self._of_people)
        people.column.addWidget(self.people)
        self.filled = Fold(tr("What must be filled in"), self._required_fields)
        self._rows.addWidget(self.filled)
        self._count()
        self._rows.addStretch(1)

    def _among(self, title: str, names: tuple[str, ...]) -> None:
        card = added(self._rows, Card(title))
        grid: FieldGrid | None = None
        for name in names:
            editor = self._editor(name)
            if not editor.short:
                grid = None
                card.column.addWidget(editor)
                continue
            grid = grid or added(card.column, FieldGrid())
            grid.add(editor)

    def _editor(self, name: str) -> Editor:
        editor = editor_for(policy.Policy, name)
        if name == "mechanisms":  # called as everywhere else
            help = editor.toolTip()
            editor = ChecksEditor(editor.label.text(), help, choices(Release, "mechanism"))
            editor.explain(help)
        editor.show_value(self.raw[name])
        editor.edited.connect(lambda value, _: self._put(name, value))
        self.editors[name] = editor
        return editor

    def _required_fields(self, column: QVBoxLayout) -> None:
        """List the details of a decision, each with a box; a path that is none of them is kept as it is."""
        labels = ((name, phrase("label", field.title or name)) for name, field in Details.model_fields.items())
        boxes = tuple((f"{DETAILS}{name}", words) for name, words in labels)
        self.asked = ChecksEditor(tr("These details must be filled in:"), "", boxes)
        self.asked.show_value(self.raw["filled"])
        self.asked.edited.connect(lambda value, _: self._of_fields(value))
        column.addWidget(self.asked)

    def _of_fields(self, chosen: tuple[str, ...]) -> None:
        others = tuple(where for where in self.raw["filled"] if where not in self.asked.boxes)
        self._put("filled", (*others, *chosen))
        self._count()

    def _count(self) -> None:
        n = len(self.raw["filled"])
        self.filled.say(tr("{n} field", "{n} fields", n=n) if n else tr("none"))

    def _of_people(self, roles: object, people: object) -> None:
        self.raw |= {"roles": roles, "people": people}
        self._check()

    def _put(self, name: str, value: Any) -> None:
        self.raw[name] = policy.Policy.model_fields[name].default if value in (None, ()) and name != "name" else value
        self._check()

    def policy(self) -> policy.Policy:
        """Return the policy as it stands; raises InvalidInput naming the field."""
        policy_now: policy.Policy = read(policy.Policy, self.raw)
        return policy_now

    def _check(self) -> None:
        """Show what is wrong beside its field; nothing is saved before it is mended."""
        where, words = "", ""
        try:
            self.policy()
        except InvalidInput as problem:
            where, words = problem.where.removeprefix("$."), in_words(problem)
            if row := re.match(r"people\[(\d+)\]", where):
                name = certificates.printable(str(self.raw["people"][int(row[1])]["name"]))
                words = tr("{name}: {what}", name=name, what=words)
        for name, editor in self.editors.items():
            editor.show_problem(words if name == where.split("[")[0] else "")
        self.says.say(words if where.split("[")[0] not in self.editors else "")
        self.save_button.setEnabled(not words)

    def save(self, place: Path | None = None) -> None:
        """Write the policy to PLACE, else to the file it came from, else to the one that is chosen now."""
        place = place or self.place or self._choose()
        if place is None:
            return
        to, data = place, policy.text(self.policy()).encode("utf-8")
        self.resting = (self.save_button,)
        self.work(lambda progress: files.write_atomically(to, data, overwrite=True), lambda _: self._saved(to))

    def _saved(self, place: Path) -> None:
        self.written.emit(str(place))
        self.accept()

    def _choose(self) -> Path | None:
        endings = tr("Policies ({endings})", endings="*.toml")
        path = ask_place(self, tr("Save the policy to"), endings, NAME)
        if not path:
            return None
        return Path(path) if path.endswith(".toml") else Path(f"{path}.toml")
