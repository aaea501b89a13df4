"""For whoever has no identity yet: a name, the passphrase once more, and a place for the new one."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpwizard.errors import InvalidInput
from ui.controls import Line, Prose, ask_place
from ui.signing.labelled import labelled, row_on, secret_line
from ui.widgets import button_for, named, plain, theme, tr


class NewIdentity(QWidget):
    """Asks for what a new identity needs beside the passphrase and the place that are typed above it."""

    ordered = Signal(Path, str, str)  # where it is to lie, whose it is, and their office
    refused = Signal(InvalidInput)  # why none can be made yet

    def __init__(self, passphrase: Line, place: Line) -> None:
        super().__init__()
        self.passphrase, self.place = passphrase, place
        column = plain(QVBoxLayout(self), theme.NEAR)
        column.addWidget(named(QLabel(tr("No identity yet?")), "title"))
        said = tr(
            "Type a passphrase above, then your name and the passphrase once more. "
            "You choose where it is to lie when it is made."
        )
        column.addWidget(Prose(said, "caption"))
        self.name, self.again, self.organisation = Line(), secret_line(), Line()
        row = row_on(column)
        row.addLayout(labelled(tr("Your name"), self.name), 1)
        row.addLayout(labelled(tr("The passphrase again"), self.again), 1)
        row = row_on(column)
        row.addLayout(labelled(tr("Your office (may be empty)"), self.organisation), 1)
        row.addStretch(1)
        self.make_button = button_for(tr("Make a new identity"), lambda: self._make())
        column.addWidget(self.make_button, alignment=Qt.AlignmentFlag.AlignLeft)

    def _make(self) -> None:
        """Order a new identity, protected by the passphrase, where the officer says."""
        name, passphrase = self.name.text().strip(), self.passphrase.text()
        if not name or not passphrase:
            said, remedy = "a new identity needs a passphrase and your name", "Fill in these fields first."
            self.refused.emit(InvalidInput(said, "", remedy))
            return
        if passphrase != self.again.text():
            said, remedy = "the two passphrases differ", "Type the same passphrase in both fields."
            self.refused.emit(InvalidInput(said, "", remedy))
            return
        path = self._choose_place(name)
        if path:
            place = Path(path) if Path(path).suffix in (".p12", ".pfx") else Path(f"{path}.p12")
            self.ordered.emit(place, name, self.organisation.text().strip())

    def _choose_place(self, name: str) -> str:
        """Return where the new identity is to lie: the free place typed above, or the one chosen; "" for none."""
        typed = self.place.text().strip()
        if typed and not Path(typed).exists():
            return typed
        endings = tr("Identities ({endings})", endings="*.p12 *.pfx")
        called = re.sub(r"[^\w-]+", "-", name).strip("-").lower()
        offered = str(Path(typed).with_name(f"{called}.p12")) if typed else f"{called}.p12"
        title = tr("Where your new identity is to lie")
        return ask_place(self, title, endings, offered, added_to=True)  # a key that is there is left alone, and refused
