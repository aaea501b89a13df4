"""Whose certificates are trusted here: the folders that are read, the certificates in them, and a way to add one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpwizard.base import files, office_folder
from dpwizard.base.errors import DPWizardError
from dpwizard.signing import certificates, office, trust
from ui.controls import Prose, ask_file
from ui.forms import in_words
from ui.signing.verdict_words import in_groups
from ui.task_dialog import TaskDialog
from ui.widgets import added, button_for, clear, copyable, fill, in_a_row, plain, scrolled, theme, tr

SIZE = (640, 520)


@dataclass(frozen=True, kw_only=True)
class Listing:
    """What the folders hold and, of a file that was chosen, what lies in it."""

    folders: tuple[tuple[str, Path, tuple[str, ...]], ...]  # each in words, its place, the certificates in it
    offered: bytes | None = None  # the file chosen
    sentences: tuple[str, ...] = ()  # its certificates
    added: bool = False  # whether certificates were added to the user's own
    summary: str = ""  # what was added, or what went wrong


class TrustDialog(TaskDialog):
    """Lists the folders and their certificates; one added, once its fingerprint was shown, goes into the user's own."""

    changed = Signal()  # the certificates trusted here

    def __init__(self, policy: Path | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("Trusted certificates"), SIZE)
        self.policy = policy
        self._offered: bytes | None = None  # what lay in a file when its certificates were listed
        column = self.column
        about = tr(
            "A signer is trusted here if their certificate, or that of the authority that issued it, is in "
            "one of these folders. Nothing is downloaded, and no certificate store of the system is used. "
            "Compare a fingerprint with its owner before you add it."
        )
        column.addWidget(Prose(about))
        content = QWidget()
        self._rows = plain(QVBoxLayout(content), theme.NEAR)
        self.area = scrolled(content, self.windowTitle())
        column.addWidget(self.area, 1)
        self.says = added(column, Prose("", "caption"))
        self.trust_button = button_for("", lambda: self._answer(True))
        self.cancel_button = button_for(tr("Do not add"), lambda: self._answer(False))
        column.addWidget(in_a_row(self.trust_button, self.cancel_button))
        self.add_button = button_for(tr("Add a certificate …"), lambda: self.choose())
        self.open_button = button_for(tr("Open my folder"), lambda: self._open())
        self.foot(self.add_button, self.open_button, right=(self.closing(),))
        self._adding = False  # whether certificates are being added: nothing else is done meanwhile
        self._show(Listing(folders=()))
        self.refresh()

    def refresh(self) -> None:
        """List every folder, there or not, and whose certificates it holds: read behind the window."""
        self._read(lambda: Listing(folders=_folders(self.policy)))

    def _read(self, job: Callable[[], Listing]) -> None:
        """Have JOB done behind the window; the newest is shown."""
        if not self._adding:
            self.work(lambda progress: job(), self._show)

    def complain(self, problem: DPWizardError) -> None:
        self._show(Listing(folders=(), summary=in_words(problem)))

    def _show(self, listing: Listing) -> None:
        clear(self._rows)
        if listing.offered is not None:
            self._rows.addWidget(copyable(tr("In the file you chose, not trusted yet"), "title"))
            for sentence in listing.sentences:
                self._rows.addWidget(copyable(sentence))
        for words, folder, held in listing.folders:
            fill(self._rows, copyable(words, "title"), copyable(str(folder), "caption"))
            for sentence in held:
                self._rows.addWidget(copyable(sentence))
        self._rows.addStretch(1)
        self._offered, self._adding = listing.offered, False
        for button in (self.trust_button, self.cancel_button):
            button.setVisible(listing.offered is not None)
        self.says.say(listing.summary)
        if listing.offered is not None:
            trust = tr(
                "I compared the fingerprint: trust it",
                "I compared the {n} fingerprints: trust them all",
                n=len(listing.sentences),
            )
            self.trust_button.setText(trust)
            self.area.verticalScrollBar().setValue(0)
            self.cancel_button.setFocus()  # Enter alone trusts nobody
        if listing.added:
            self.changed.emit()

    def choose(self) -> None:
        """Ask for a certificate file and add it."""
        endings = tr("Certificates ({endings})", endings=" ".join(f"*{ending}" for ending in office.CERTIFICATES))
        if path := ask_file(self, tr("Add a certificate"), endings):
            self.add(Path(path))

    def add(self, path: Path) -> None:
        """List whose certificates lie at PATH, each with its fingerprint, and ask whether to trust them."""
        self._read(lambda: _offer(self.policy, path))

    def _answer(self, trusted: bool) -> None:
        data, policy = self._offered, self.policy
        self.add_button.setFocus()
        if data is None or not trusted:
            self.refresh()
            return
        self._read(lambda: _add(policy, data))
        self._adding = True

    def done(self, result: int) -> None:
        if self._adding:
            return  # whoever opened this is to be told of what is being added
        super().done(result)

    def _open(self) -> None:
        folder = office.user_trust()
        if folder is not None and not files.is_folder(folder):
            self.says.say(tr("This folder is made when you add the first certificate."))
        elif folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def _folders(policy: Path | None) -> tuple[tuple[str, Path, tuple[str, ...]], ...]:
    """Return each folder that is read, with POLICY the one beside it too, and whose certificates it holds."""
    user_places = office.user_trust()
    folders = [(tr("Your own folder"), user_places)] if user_places is not None else []
    if policy is not None:
        folders.append((tr("The folder of the office, beside its policy"), policy.parent / "trust"))
    if office_folder.OFFICE / "trust" not in (folder for _, folder in folders):
        words = tr("The folder of the office, for everyone on this computer")
        folders.append((words, office_folder.OFFICE / "trust"))
    return tuple((words, folder, tuple(_held(folder))) for words, folder in folders)


def _held(folder: Path) -> list[str]:
    if not files.may_be_there(folder):
        return [tr("This folder does not exist yet, so no certificate is trusted because of it.")]
    try:
        paths = office.certificates_in(folder)
    except DPWizardError as problem:
        return [in_words(problem)]
    sentences = []
    for path in paths:
        try:
            sentences += _certificate_sentences(files.read_bytes(path))
        except DPWizardError as problem:
            sentences.append(tr("{file}: {why}", file=path.name, why=problem.text))
    return sentences or [tr("Empty: no certificate is trusted because of it.")]


def _offer(policy: Path | None, path: Path) -> Listing:
    """Return what lies in the file PATH, to be trusted or not."""
    try:
        data = files.read_bytes(path)
        office.require_certificates(data)
        return Listing(folders=_folders(policy), offered=data, sentences=tuple(_certificate_sentences(data)))
    except DPWizardError as problem:
        return Listing(folders=_folders(policy), summary=in_words(problem))


def _add(policy: Path | None, data: bytes) -> Listing:
    try:
        place = office.add_trust(data)
    except DPWizardError as problem:
        return Listing(folders=_folders(policy), summary=in_words(problem))
    return Listing(folders=_folders(policy), added=True, summary=tr("Added as {file}.", file=place.name))


def _certificate_sentences(data: bytes) -> list[str]:
    """Return whose certificates DATA holds, with issuer and fingerprint; raises SigningProblem where it holds none."""
    read = trust.read_trust(data)
    sentences = [
        tr("A list of revoked certificates, of {issuer}", issuer=certificates.printable(name, 200))
        for name in trust.list_issuers(read)
    ]
    for der in read.certificates:
        holder = certificates.describe(der)
        name, issuer = certificates.printable(holder.name), certificates.printable(holder.issuer, 200)
        itself = tr("{name} (self-signed)", name=name)
        named = itself if holder.self_signed else tr("{name}, issued by {issuer}", name=name, issuer=issuer)
        if certificates.marks_authority(certificates.load(der)):
            named = tr("{name} – an authority: everyone with a certificate it issued is trusted, too", name=named)
        sentences.append(tr("{who}\nfingerprint {fingerprint}", who=named, fingerprint=in_groups(holder.fingerprint)))
    return sentences
