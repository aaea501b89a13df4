"""What a hand does to sign: through the three steps of the dialog, by mouse and keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt

from dpwizard.signing.identity import open_identity
from tests.ui.hands import PATIENCE, Hands
from ui.signing.sign_dialog import DONE, READ, SignDialog

PASSPHRASE = "correct horse battery"


def begin(hands: Hands, target: Path | None = None) -> SignDialog:
    """Open the dialog at its first step, the record to lie at TARGET; return it."""
    form = hands.page.sign_form
    if target is not None:
        hands.type(form.target, str(target))
    hands.click(form.sign_button)
    dialog: SignDialog = form.dialog
    hands.wait(dialog.isVisible)
    hands.wait(lambda: dialog.who.role.currentIndex() >= 0)  # the role that is awaited is read
    return dialog


def identify(
    hands: Hands,
    dialog: SignDialog,
    identity: Path,
    passphrase: str = PASSPHRASE,
    *,
    role: str = "",
    fails: bool = False,
) -> None:
    """Name the IDENTITY that is there, choose ROLE, and go on to the second step."""
    hands.choose_in(dialog.who.kind, "have")
    hands.type(dialog.who.identity, str(identity))
    hands.type(dialog.who.passphrase, passphrase)
    if role:
        hands.choose_in(dialog.who.role, role)
    with hands.bot.waitSignal(dialog.worker.failed if fails else dialog.worker.done, timeout=PATIENCE):
        hands.click(dialog.next_button)
    if not fails:
        hands.wait(lambda: dialog.step == READ)
        hands.read_behind()


def confirm(hands: Hands, dialog: SignDialog, *, fails: bool = False, **typed: str) -> None:
    """Type what is said besides (comment, conditions, time), choose the verdict, and sign."""
    if "verdict" in typed:
        hands.choose_in(dialog.read.verdict, typed.pop("verdict"))
    if typed and not dialog.read.more.head.isChecked():
        hands.click(dialog.read.more.head)
    for name, words in typed.items():
        hands.type(getattr(dialog.read, name), words)
    with hands.bot.waitSignal(dialog.worker.failed if fails else dialog.worker.done, timeout=PATIENCE):
        hands.click(dialog.sign_button)
    hands.wait(lambda: not dialog.worker.busy)
    if not fails:
        hands.wait(lambda: dialog.step == DONE)
    hands.read_behind()


def cancel(hands: Hands, dialog: SignDialog) -> None:
    """Close the dialog without signing, and give the keyboard back to the window."""
    hands.bot.keyClick(dialog, Qt.Key.Key_Escape)
    hands.wait(lambda: not dialog.isVisible())
    hands.window.activateWindow()


def close(hands: Hands, dialog: SignDialog) -> None:
    """Close the dialog at its last step."""
    hands.click(dialog.close_button)
    hands.wait(lambda: not dialog.isVisible())
    hands.window.activateWindow()


def sign(
    hands: Hands,
    identity: Path,
    target: Path | None = None,
    *,
    passphrase: str = PASSPHRASE,
    role: str = "",
    fails: bool = False,
    **typed: str,
) -> Any:
    """Sign with IDENTITY from beginning to end and close the dialog; return the form. FAILS: it stays open instead."""
    dialog = begin(hands, target)
    identify(hands, dialog, identity, passphrase, role=role)
    confirm(hands, dialog, fails=fails, **typed)
    if not fails:
        close(hands, dialog)
    return hands.page.sign_form


def make_identity(
    hands: Hands, path: Path, name: str = "A. Officer", *, organisation: str = "", passphrase: str = PASSPHRASE
) -> None:
    """Have a new identity made at PATH, and leave the dialog before anything is signed."""
    dialog = begin(hands)
    order_identity(hands, dialog, path, name, organisation=organisation, passphrase=passphrase)
    assert str(path) in dialog.notes.words
    cancel(hands, dialog)
    assert open_identity(pkcs12=path.read_bytes(), passphrase=passphrase).certificate.name == name


def order_identity(
    hands: Hands, dialog: SignDialog, path: Path, name: str, *, organisation: str = "", passphrase: str = PASSPHRASE
) -> None:
    """Have a new identity made at PATH in the first step."""
    who = dialog.who
    hands.choose_in(who.kind, "new")
    lines = ((who.name, name), (who.organisation, organisation), (who.first, passphrase), (who.again, passphrase))
    for line, words in (*lines, (who.place, str(path))):
        hands.type(line, words)
    with hands.bot.waitSignal(dialog.worker.done, timeout=PATIENCE):
        hands.click(dialog.next_button)
    hands.wait(lambda: dialog.step == READ)
