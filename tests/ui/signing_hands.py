"""What a hand does to sign: beside the pages, by mouse and keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt

from tests.ui.choosers import choose_file
from tests.ui.hands import PATIENCE, Hands
from ui.signing.sign_dialog import DONE, SignDialog

PASSPHRASE = "correct horse battery"


def begin(hands: Hands, target: Path | None = None) -> SignDialog:
    """Open the dialog, the record to lie at TARGET; return it once it says who signs."""
    hands.click(hands.wizard.footer.next_button)
    dialog = opened(hands)
    if target is not None:
        unfold(hands, dialog)
        choose_file(hands, dialog.read.place_button, target)
        ready(hands, dialog)
    return dialog


def opened(hands: Hands) -> SignDialog:
    """Return the dialog that was just asked for, once it says who signs."""
    form = hands.page.sign_form
    hands.wait(lambda: form.dialog is not None and form.dialog.isVisible())
    dialog: SignDialog = form.dialog
    ready(hands, dialog)
    return dialog


def ready(hands: Hands, dialog: SignDialog) -> None:
    """Wait until it is known what lies there, and so who signs in which role."""
    hands.wait(lambda: dialog.read.role.currentIndex() >= 0 and dialog.sign_button.isEnabled())
    hands.read_behind()


def unfold(hands: Hands, dialog: SignDialog) -> None:
    """Open what is folded: comment, conditions, time, place of the files."""
    if not dialog.read.more.head.isChecked():
        hands.click(dialog.read.more.head)


def identify(hands: Hands, dialog: SignDialog, identity: Path, *, role: str = "") -> None:
    """Name the IDENTITY that is there, type its passphrase and choose ROLE."""
    key = dialog.read.key
    if not key.from_file:
        hands.click(key.file_link)
    hands.type(key.file, str(identity))
    hands.type(key.passphrase, PASSPHRASE)
    if role:
        if dialog.read.fields.isHidden():
            hands.click(dialog.read.change)
        hands.choose_in(dialog.read.role, role)


def confirm(hands: Hands, dialog: SignDialog, *, fails: bool = False, **typed: str) -> None:
    """Type what is said besides (comment, conditions, time), choose the verdict, and sign."""
    if typed:
        unfold(hands, dialog)
    if "verdict" in typed:
        hands.choose_in(dialog.read.verdict, typed.pop("verdict"))
    for name, words in typed.items():
        hands.type(getattr(dialog.read, name), words)
    with hands.bot.waitSignal(dialog.worker.failed if fails else dialog.worker.done, timeout=PATIENCE):
        hands.click(dialog.sign_button)
    hands.wait(lambda: not dialog.worker.busy)
    hands.read_behind()
    if not fails:
        hands.wait(lambda: dialog.step == DONE)


def close(hands: Hands, dialog: SignDialog) -> None:
    """Close the dialog, signed or not, and give the keyboard back to the window."""
    hands.bot.keyClick(dialog, Qt.Key.Key_Escape)
    hands.wait(lambda: not dialog.isVisible())
    hands.window.activateWindow()


def sign(
    hands: Hands, identity: Path, target: Path | None = None, *, role: str = "", fails: bool = False, **typed: str
) -> Any:
    """Sign with IDENTITY from beginning to end and close the dialog; return the form. FAILS: it stays open instead."""
    dialog = begin(hands, target)
    identify(hands, dialog, identity, role=role)
    confirm(hands, dialog, fails=fails, **typed)
    if not fails:
        close(hands, dialog)
    return hands.page.sign_form


def order_identity(hands: Hands, dialog: SignDialog, path: Path | None, name: str = "") -> None:
    """Ask for a new signature file at PATH, or in the own folder, in NAME unless that is known; type a passphrase
    twice."""
    read = dialog.read
    if not read.key.makes:
        hands.click(read.key.new_link)
    if name and read.fields.isHidden():
        hands.click(read.change)
    if name:
        hands.type(read.name, name)
    if path is not None:
        unfold(hands, dialog)
        hands.type(read.key_row.line, str(path))
    for line in (read.key.passphrase, read.key.again):
        hands.type(line, PASSPHRASE)
