"""The record that this one replaces: named by its number or file, and by the SHA-256 of its JSON file."""

from __future__ import annotations

import hashlib
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpwizard.base import files, json_text
from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.decision import edits
from dpwizard.records import record
from dpwizard.signing import RecordFiles
from ui.controls import Prose, ask_file
from ui.forms import in_words
from ui.session import Session
from ui.widgets import button_for, plain, theme, tr


class Superseded(QWidget):
    """A button that reads the record replaced and fills in both fields, in one step of undo."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        column = plain(QVBoxLayout(self), theme.TIGHT)
        self.button = button_for(tr("Choose the record replaced …"), lambda: self.choose())
        self.says = Prose("", "caption")
        column.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.says)

    def choose(self) -> None:
        """Ask for the record and name it."""
        endings = tr("Records ({endings})", endings="*.json *.pdf *.jws")
        path = ask_file(self, tr("The record replaced"), endings)
        if path:
            self.take(Path(path))

    def take(self, path: Path) -> None:
        """Name the record that PATH belongs to; say what is wrong if it is none."""
        place = RecordFiles.beside(path).json
        try:
            data = files.read_bytes(place)
            raw = json_text.parse(data)
            if not record.is_record(raw):
                raise InvalidInput("is not a decision record", place.name, "Choose the .json of a signed record.")
            details = record.read_record(raw)["decision"].get("details", {})
            name = details.get("record_number") or place.name
            decision = edits.put(self.session.decision, "$.details.supersedes", str(name))
            decision = edits.put(decision, "$.details.superseded_sha256", hashlib.sha256(data).hexdigest())
        except DPWizardError as problem:
            self.says.say(in_words(problem))
            return
        self.says.say("")
        self.session.edit(tr("Name the record replaced"), decision)
