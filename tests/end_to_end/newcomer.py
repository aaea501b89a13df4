"""A newcomer at the window: hands that count what they do, and what every newcomer's story has alike.

An action is a click, an entry typed and committed, or a choice; of a menu and of a dialog that asks for a file, the
click that opens it counts as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from dpwizard.signing import RecordFiles, verification
from dpwizard.signing.findings import Verification
from tests.ui import signing_hands
from tests.ui.choosers import choose_file
from tests.ui.hands import Hands


class Newcomer(Hands):
    """One pair of hands, and how many actions they took on each page; those before the first page are at the start."""

    def __init__(self, hands: Hands) -> None:
        super().__init__(hands.bot, hands.window)
        self.taken: Counter[str] = Counter()

    @property
    def actions(self) -> int:
        """Return how many actions were taken in all."""
        return self.taken.total()

    def count(self, actions: int = 1) -> None:
        """Note that something was done."""
        self.taken[self.page.key if self.wizard is not None else "start"] += actions

    def click(self, button: QAbstractButton) -> None:
        self.count()
        super().click(button)

    def type(self, control: QWidget, words: str) -> None:
        self.count()
        super().type(control, words)

    def go_on(self, words: str) -> None:
        """Type WORDS where the keyboard is: nothing has to be clicked first."""
        self.count()
        focused = QApplication.focusWidget()
        assert isinstance(focused, QLineEdit | QPlainTextEdit), focused
        self.bot.keyClicks(focused, words)

    def choose_in(self, box: QComboBox, key: object) -> None:
        self.count()
        super().choose_in(box, key)

    def pick(self, button: QPushButton, name: str) -> None:
        self.count(2)  # the menu is opened, and one of it is chosen
        super().pick(button, name)

    def choose_file(self, opens: QAbstractButton | Callable[[], object], path: Path) -> None:
        """Click the button that OPENS a file dialog, or do what does, and name PATH in it."""
        self.count(2)  # the name is typed, and Save is clicked; what opens the dialog counts itself
        choose_file(self, opens, path)


def begin(make_hands: Callable[..., Hands]) -> Newcomer:
    """Return a newcomer who has begun an empty decision."""
    hands = Newcomer(make_hands())
    hands.click(hands.window.start.new_button)
    return hands


def sign_with_first_key(hands: Newcomer, name: str = "") -> None:
    """Sign with a key that is made for it, as NAME unless it is known: a passphrase twice, and the button."""
    dialog = signing_hands.opened(hands)
    assert not dialog.read.before.isVisible()  # nothing is missing
    signing_hands.order_identity(hands, dialog, None, name)
    signing_hands.confirm(hands, dialog)


def sign_again(hands: Newcomer) -> None:
    """Sign with the key that is there: its passphrase, and the button."""
    dialog = signing_hands.opened(hands)
    hands.type(dialog.read.key.passphrase, signing_hands.PASSPHRASE)
    signing_hands.confirm(hands, dialog)


def signed(hands: Newcomer, place: Path) -> Verification:
    """Return what the record at PLACE is found to be, read anew; it holds the decision as it is shown."""
    files = RecordFiles.beside(place)
    found: Verification = verification.verify(files, (), datetime.now(UTC))
    assert found.ok
    recorded: Any = hands.page.sign_form.places.standing.lying
    assert recorded.decision == hands.session.decision
    return found
