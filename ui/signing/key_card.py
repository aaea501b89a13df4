"""The card that asks for a signature: a new one, one's own, or that of a file from the office."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel

from dpwizard.base import files
from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.signing import identity
from ui.controls import Line, Prose, ask_file, labelled, mark_wrong
from ui.forms import in_words
from ui.signing import signature_files, verdict_words
from ui.signing.jobs import Key
from ui.signing.parts import FileRow, secret_line
from ui.signing.signature_files import SignatureFile
from ui.widgets import Card, InlineLink, Problem, SideBySide, Status, added, named, theme, tr

STRONG, LETTERS = 15, 6  # characters of a passphrase that is hard to guess, and different ones among them


class KeyCard(Card):
    """Takes a passphrase, and of a new signature takes it twice. What is typed goes into the job that signs, alone."""

    changed = Signal()  # another signature is chosen
    entered = Signal()  # Enter was pressed where nothing more is asked for

    def __init__(self) -> None:
        super().__init__(tr("Your signature"))
        self.own: SignatureFile | None = None  # what is signed with, unless it is from a file or new
        self.from_file = False
        self.first = True  # there is no signature yet
        self._chosen = False  # by who signs, and not only offered
        self.about = added(self.column, Prose(hides=True))
        endings = tr("Signature files ({endings})", endings="*.p12 *.pfx")
        ask = partial(ask_file, self, tr("Your signature file"), endings)
        self.file_row = added(self.column, FileRow(tr("Signature file (.p12)"), ask))
        self.file = self.file_row.line
        self.passphrase, self.again = secret_line(), secret_line()
        self.caption = added(self.column, named(QLabel(), "caption"))
        self.caption.setBuddy(self.passphrase)
        self.column.addWidget(self.passphrase)
        self.twice = added(self.column, labelled(tr("Repeat the passphrase"), self.again))
        self.wrong = added(self.column, Problem())
        row = added(self.column, SideBySide(theme.NEAR, theme.TIGHT))
        self.good, self.note = named(Status(), "agreed"), Prose("", "caption", hides=True)
        row.box.addWidget(self.good, alignment=Qt.AlignmentFlag.AlignTop)
        row.box.addWidget(self.note, 1)
        self.file_link = added(self.column, InlineLink(tr("I have a signature file")))
        self.new_link = added(self.column, InlineLink(tr("Forgotten, or not yours? Make a new signature")))
        self.file_link.clicked.connect(lambda: self.choose(from_file=True))
        self.new_link.clicked.connect(lambda: self.choose())
        for line in (self.passphrase, self.again):
            line.textEdited.connect(lambda _: self._check())
        self.passphrase.returnPressed.connect(lambda: self.again.setFocus() if self.makes else self.entered.emit())
        self.again.returnPressed.connect(self.entered)
        self.file.textChanged.connect(lambda _: self._show())
        self._show()

    @property
    def makes(self) -> bool:
        """Return whether a new signature file is made."""
        return self.own is None and not self.from_file

    @property
    def known(self) -> bool:
        """Return whether it is known in whose name it signs, before it is opened."""
        return self.makes or (self.own is not None and bool(self.own.name))

    def holder(self, name: str) -> str:
        """Return in whose name it is signed: NAME with a new signature, else whom the file names, as far as known."""
        if self.known:
            return name if self.own is None else self.own.name
        place = self._place()
        return tr("the holder of {file}", file=Path(place).name) if place else ""

    def _place(self) -> str:
        return self.file.text().strip() if self.own is None else self.own.place

    # ------------------------------------------------------------------------------------- which signature

    def offer(self, file: SignatureFile | None, *, first: bool) -> None:
        """Show FILE, unless who signs has chosen another; FIRST, whether there is none yet."""
        if not self._chosen and (file, first) != (self.own, self.first):
            self.first = first
            self._use(file)

    def choose(self, *, from_file: bool = False) -> None:
        """Sign with that of a file, or with a new one."""
        self._chosen = True
        self._use(None, from_file=from_file)
        self.first_field().setFocus()

    def know(self, place: Path) -> None:
        """Know that the new signature file lies at PLACE, although something else failed then."""
        self._chosen = place.parent != signature_files.own_folder()
        self.file.setText(str(place))
        self._use(None, from_file=self._chosen)

    def _use(self, file: SignatureFile | None, *, from_file: bool = False) -> None:
        self.own, self.from_file = file, from_file
        self.forget_secrets()

    def leave(self) -> None:
        """Forget all of it but which file was used last."""
        self._chosen = False
        self._use(None)

    def forget_secrets(self) -> None:
        """Clear what only the owner of a signature knows."""
        for line in (self.passphrase, self.again):
            line.clear()
        self._show()

    # --------------------------------------------------------------------------------------------- shown

    def _show(self) -> None:
        new = tr("Your first signature here") if self.first else tr("A new signature")
        self.call(new if self.makes else tr("Your signature"))
        self.file_row.setVisible(self.from_file)
        self.twice.setVisible(self.makes)
        self.caption.setText(tr("Passphrase, four words or more") if self.makes else tr("Passphrase"))
        self.passphrase.setAccessibleName(self.caption.text())
        self.file_link.setVisible(not self.from_file)
        self.new_link.setVisible(not self.makes)
        self.about.say(self._about())
        self._check()
        self.changed.emit()

    def _about(self) -> str:
        if self.makes:
            return tr(
                "Choose a passphrase. The program makes a signature that only this passphrase opens, "
                "keeps it in your own folder, and uses it every time you sign."
            )
        if self.own is None:
            return tr("Choose your signature file (.p12), from your office or another computer.")
        number = verdict_words.number(self.own.fingerprint)
        return tr("Signature number {number}", number=number) if number else ""

    def _check(self) -> None:
        """Say live whether the two passphrases will do, or that others can read the file."""
        first, again, place = self.passphrase.text(), self.again.text(), Path(self._place() or "-")
        enough, wrong = len(first) >= identity.SHORTEST_PASSPHRASE, ""
        if self.makes and again and not enough:
            wrong = tr("Too short: at least {n} characters.", n=identity.SHORTEST_PASSPHRASE)
        elif self.makes and not first.startswith(again):
            wrong = tr("The two are different.")
        elif not self.makes and files.is_file(place) and files.others_may_read(place):
            wrong = tr("Others can read this file. Change its permissions so that only you can read it.")
        self._complain(wrong)
        strong = len(first) >= STRONG and len(set(first)) >= LETTERS
        self.good.setText(tr("✓ equal, strong enough.") if strong else tr("✓ equal. Four words are harder to guess."))
        self.good.setVisible(self.makes and enough and first == again)
        self.note.say(tr("Nobody can reset it. Forgotten? Make a new one and sign again.") if self.makes else "")

    def _complain(self, words: str, field: Line | None = None) -> None:
        """Say WORDS, and mark the FIELD they speak of."""
        self.wrong.say(words)
        for line in (self.file, self.passphrase, self.again):
            mark_wrong(line, line is field)

    def takes(self, problem: DPWizardError) -> bool:
        """Say a PROBLEM of the signature file or its passphrase at its field; return whether it is one."""
        if problem.where not in ("identity", "passphrase", "again", "file", self._place() or None):
            return False
        at_file = self.from_file and problem.where not in ("identity", "passphrase")
        field = self.again if problem.where == "again" else self.file if at_file else self.passphrase
        text = f"{problem.text[:1].upper()}{problem.text[1:].rstrip('.')}. {problem.remedy}"
        self._complain(in_words(problem) if problem.where == self._place() else text, field)
        field.setFocus()
        return True

    def first_field(self) -> Line:
        """Return the first field that waits for an answer."""
        if self.from_file and not self.file.text().strip():
            return self.file
        return self.again if self.makes and self.passphrase.text() else self.passphrase

    # --------------------------------------------------------------------------------------------- used

    def key(self, name: str, organisation: str, typed: str) -> Key:
        """Return what signs: in NAME and for ORGANISATION, to lie at the place TYPED, where it is new.

        Raises InvalidInput where an answer is missing, or the two passphrases differ.
        """
        passphrase, lies = self.passphrase.text(), self._place()
        if self.from_file and not lies:
            raise InvalidInput("no signature file is chosen", "file", "Choose it, or make a new signature.")
        if not passphrase:
            raise InvalidInput("the passphrase is missing", "passphrase", "Enter it.")
        if not self.makes:
            return Key(place=Path(lies), passphrase=passphrase, fingerprint=self.own.fingerprint if self.own else "")
        if passphrase != self.again.text():
            raise InvalidInput("the two passphrases differ", "again", "Type the same passphrase in both fields.")
        if not name:
            raise InvalidInput("your name is missing for the new signature", "name", "Enter your name.")
        place = Path(typed) if typed else signature_files.free_place(name)
        if place is None:
            raise InvalidInput("no place is chosen for your signature file", "", "Choose a place for it.")
        place = place if place.suffix in (".p12", ".pfx") else place.with_name(f"{place.name}.p12")
        return Key(place=place, passphrase=passphrase, name=name, organisation=organisation)
