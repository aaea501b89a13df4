"""The first step of signing: in which role, and with which identity: one that is there, or one that is made now."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from dpwizard.base import files
from dpwizard.base.errors import InvalidInput
from dpwizard.signing import office
from ui.controls import Choice, Line, Prose, ask_file, ask_place
from ui.signing import verdict_words
from ui.signing.parts import FileRow, labelled, row_on, secret_line
from ui.widgets import added, fill, plain, theme, tr


def key_folder() -> Path | None:
    """Return the folder in which the keys of this user lie, there or not; None for a user without a home."""
    trusted = office.user_trust()
    return None if trusted is None else trusted.with_name("keys")


class WhoStep(QWidget):
    """Asks for a role and an identity. What is typed here goes nowhere but into the job that opens or makes it."""

    changed = Signal()  # another identity is named: one that was opened counts no more

    def __init__(self) -> None:
        super().__init__()
        column = plain(QVBoxLayout(self), theme.GROUP)
        self.awaited = added(column, QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True))
        row = row_on(column)
        self.role, self.kind = Choice(), Choice()
        self.role_chosen = False  # by who signs, and not only proposed
        self.names: Mapping[str, str] = {}  # of who is to sign, by role, as the decision says
        self.role.setPlaceholderText(tr("Being read …"))
        self.fill_roles(verdict_words.ROLES)
        self.role.currentIndexChanged.connect(lambda _: self._choose_role())
        self.kind.addItem(tr("Use my signing key (.p12 file)"), "have")
        self.kind.addItem(tr("Create a signing key"), "new")
        row.addLayout(labelled(tr("Your role"), self.role), 1)
        row.addLayout(labelled(tr("Your signing key"), self.kind), 1)
        self.stack = added(column, QStackedWidget())
        self.stack.addWidget(self._have())
        self.stack.addWidget(self._new())
        self.opened = added(column, Prose("", "caption"))
        column.addStretch(1)
        self.kind.currentIndexChanged.connect(self.stack.setCurrentIndex)
        self.kind.currentIndexChanged.connect(lambda _: self.changed.emit())
        self.identity.textChanged.connect(lambda _: self._check_key())

    def _have(self) -> QWidget:
        page = QWidget()
        column = plain(QVBoxLayout(page), theme.NEAR)
        ask = partial(ask_file, self, tr("Your signing key"), tr("Signing keys ({endings})", endings="*.p12 *.pfx"))
        identity = FileRow(tr("Signing key (.p12 file)"), ask)
        self.identity = identity.line
        self.readable = Prose("", "problem", hides=True)
        self.passphrase = secret_line()
        fill(column, identity, self.readable)
        column.addLayout(labelled(tr("Passphrase"), self.passphrase))
        column.addStretch(1)
        return page

    def _new(self) -> QWidget:
        page = QWidget()
        column = plain(QVBoxLayout(page), theme.NEAR)
        self.name, self.organisation = Line(), Line()
        self.first, self.again = secret_line(), secret_line()
        what = tr(
            "Choose a passphrase. The program makes a signing key that only this passphrase opens, "
            "keeps it in your own folder, and uses it every time you sign."
        )
        column.addWidget(Prose(what))
        row = row_on(column)
        row.addLayout(labelled(tr("Your name"), self.name), 1)
        row.addLayout(labelled(tr("Your office (may be empty)"), self.organisation), 1)
        row = row_on(column)
        row.addLayout(labelled(tr("A passphrase of several words"), self.first), 1)
        row.addLayout(labelled(tr("The passphrase again"), self.again), 1)
        self.place_row = FileRow(tr("Save the signing key to (empty: your own folder)"), self._ask_place)
        self.place = self.place_row.line
        text = tr(
            "Anyone with this file and its passphrase can sign as you. Keep a backup. "
            "A lost passphrase cannot be recovered."
        )
        fill(column, self.place_row, Prose(text, "caption"))
        column.addStretch(1)
        return page

    @property
    def secrets(self) -> tuple[Line, Line, Line]:
        """Return the lines that hold a passphrase."""
        return self.passphrase, self.first, self.again

    @property
    def makes(self) -> bool:
        """Return whether a new identity is to be made."""
        return bool(self.kind.currentData() == "new")

    def offer_newest_key(self) -> None:
        """Offer the newest key in the folder of who sits here; without one, to make one."""
        if self.identity.text().strip():
            return
        folder = key_folder()
        there = [] if folder is None else [path for path in folder.glob("*.p12") if files.is_file(path)]
        self.identity.setText(str(max(there, key=lambda path: path.stat().st_mtime)) if there else "")
        self.kind.setCurrentIndex(0 if there else 1)

    def forget_secrets(self) -> None:
        """Clear what only the owner of an identity knows."""
        for line in self.secrets:
            line.clear()

    def leave(self) -> None:
        """Forget all but which identity was used last."""
        self.names = {}
        self.forget_secrets()
        for line in (self.name, self.organisation, self.place):
            line.clear()
        self.kind.setCurrentIndex(0)
        self.await_role()
        self.awaited.clear()
        self.opened.say("")

    def fill_roles(self, roles: tuple[str, ...]) -> None:
        """Offer ROLES and the three of every record, each once."""
        offered = tuple(dict.fromkeys((*roles, *verdict_words.ROLES)))
        if offered == tuple(self.role.itemData(index) for index in range(self.role.count())):
            return
        shown, chosen = self.role.currentData(), self.role_chosen
        self.role.clear()
        for key in offered:
            self.role.addItem(verdict_words.role(key), key)
        self.role.setCurrentIndex(self.role.findData(shown))
        self.role_chosen = chosen and self.role.currentIndex() >= 0

    def await_role(self) -> None:
        """Show no role until one is proposed or chosen."""
        self.role.setCurrentIndex(-1)
        self.role_chosen = False

    def propose_role(self, role: str) -> None:
        """Show ROLE, unless who signs has chosen one."""
        if not self.role_chosen:
            self.role.setCurrentIndex(max(0, self.role.findData(role)))
            self.role_chosen = False

    def _choose_role(self) -> None:
        """Note the role, and fill in who is named for it, unless another name was typed."""
        self.role_chosen = self.role.currentIndex() >= 0
        if self.name.text() in ("", *self.names.values()):
            self.name.setText(self.names.get(self.role.currentData(), ""))

    def first_empty(self) -> Line:
        """Return the first field that waits for an answer, else the first there is."""
        asked = (self.name, self.first, self.again) if self.makes else (self.identity, self.passphrase)
        return next((line for line in asked if not line.text().strip()), asked[0])

    def require_filled(self) -> None:
        """Raise InvalidInput where an answer is missing, or the two passphrases differ."""
        if not self.makes:
            if not self.identity.text().strip() or not self.passphrase.text():
                hint = "Choose your .p12 file and type its passphrase, or create a signing key."
                raise InvalidInput("signing needs your signing key and its passphrase", "", hint)
            return
        if not self.name.text().strip() or not self.first.text():
            raise InvalidInput("a new signing key needs a passphrase and your name", "", "Fill in these fields first.")
        if self.first.text() != self.again.text():
            raise InvalidInput("the two passphrases differ", "", "Type the same passphrase in both fields.")

    def place_for_new(self) -> Path | None:
        """Return where the new key is to lie: as typed, else in one's own folder; None where nobody says."""
        folder = key_folder()
        if not self.place.text().strip() and folder is not None:
            return folder / f"{self._called()}.p12"
        if not self.place.text().strip():
            self.place_row.choose()
        typed = self.place.text().strip()
        if not typed:
            return None
        return Path(typed) if Path(typed).suffix in (".p12", ".pfx") else Path(f"{typed}.p12")

    def key_created(self, place: Path) -> None:
        """Note that the new identity lies at PLACE: from now on it is one that is there."""
        for line in (self.name, self.organisation, self.place):
            line.clear()
        self.identity.setText(str(place))
        self.kind.setCurrentIndex(0)

    def _called(self) -> str:
        """Return what the file of a new key is called: as who signs."""
        return re.sub(r"[^\w-]+", "-", self.name.text()).strip("-").lower() or "key"

    def _ask_place(self, typed: str) -> str:
        endings = tr("Signing keys ({endings})", endings="*.p12 *.pfx")
        offered = typed.strip() or f"{self._called()}.p12"
        # a key that is there is left alone, and refused
        return ask_place(self, tr("Save the signing key to"), endings, offered, added_to=True)

    def _check_key(self) -> None:
        """Say where others can read the key file: whoever has it needs only the passphrase to sign in this name."""
        typed = self.identity.text().strip()
        open_to_others = bool(typed) and files.is_file(Path(typed)) and files.others_may_read(Path(typed))
        text = tr("Others on this computer can read this file. Allow it to yourself alone.") if open_to_others else ""
        self.readable.say(text)
        self.changed.emit()
