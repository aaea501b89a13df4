"""The window answers while any dialog is used: nothing slow is done on its thread.

Each function that reads files or computes is held, where it is called behind the window, until a timer on the window's
thread has ticked several times more. Called on the window's thread it is noted. No clock is read.
"""

from __future__ import annotations

import pkgutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QTimer
from shiboken6 import isValid

from dpwizard.base import files, worker
from dpwizard.base.resource_files import FOLDER
from tests.ui.choosers import choose_file
from tests.ui.dialogs import DIALOGS, opened, shown_dialogs
from tests.ui.hands import PATIENCE, Hands
from ui.app.differences import NextReleaseDialog

pytestmark = [pytest.mark.slow, pytest.mark.own_window]

BEATS = 5  # of the timer that each call behind the window waits for
DURHAM = FOLDER / "examples" / "durham.json"
APART, TYPESET = "ui.workers.worker_process.WorkerProcess.do", "ui.workers.typesetting_process.typeset_in_process"
READ, SEARCH = "dpwizard.base.files.read_bytes", "ui.help.guide.search"
CLAIM, FILE = "ui.signing.second_opinion.examine_claim", "ui.signing.second_opinion.examine"
NEXT, COMPARE = "dpwizard.projects.next_release.begin", "dpwizard.projects.project.open_project"
LOOK, ROWS = "ui.elicitation.course.look", "dpwizard.sheets.read_tables"
PLACES, POLICY = "ui.signing.sign_form.look", "ui.signing.policy_card.read"
LEDGER, HELD = "ui.signing.ledger_dialog.ledger_view", "dpwizard.signing.signing.certificates_of"
WRITE = "dpwizard.base.files.write_atomically"
ADD_ROWS, ADD_GRID = "dpwizard.sheets.with_tables", "ui.sheets.grid_dialog.with_grid"
SLOW = (
    *(APART, TYPESET, READ, SEARCH, CLAIM, FILE, NEXT, COMPARE, LOOK, ROWS, ADD_ROWS, ADD_GRID),
    *(PLACES, POLICY, LEDGER, HELD, WRITE),
)


@dataclass
class Call:
    """A slow function under way behind the window."""

    beats: int = 0
    free: threading.Event = field(default_factory=threading.Event)


@dataclass
class Watch:
    """What was called where."""

    held: list[str] = field(default_factory=list)  # behind the window
    on_window: list[str] = field(default_factory=list)  # on the window's thread
    frozen: list[str] = field(default_factory=list)  # behind the window, while its timer stood still
    under_way: list[Call] = field(default_factory=list)

    def beat(self) -> None:
        """Let go on who has waited for so many beats."""
        for call in tuple(self.under_way):
            call.beats += 1
            if call.beats >= BEATS:
                call.free.set()

    def watched(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        """Return what stands for REAL, the function called NAME."""

        def stand_in(*given: Any, **named: Any) -> Any:
            if threading.current_thread() is threading.main_thread():
                self.on_window.append(name)
                return real(*given, **named)
            call = Call()
            self.held.append(name)
            self.under_way.append(call)
            if not call.free.wait(PATIENCE / 1_000):
                self.frozen.append(name)
            self.under_way.remove(call)
            return real(*given, **named)

        return stand_in


def here(_: object, task: worker.Task, given: tuple[Any, ...], tell: worker.Tell) -> Any:
    """Do what would be done in another process in the thread that asks."""
    return worker.done_here(task, given, tell)


@pytest.fixture
def watch(durham: Hands, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    """Yield what watches the window from here on."""
    made = Watch()
    for name in SLOW:
        real = here if name == APART else pkgutil.resolve_name(name)
        monkeypatch.setattr(name, made.watched(name, real))
    heart = QTimer(durham.window, interval=1)
    heart.timeout.connect(made.beat)
    heart.start()
    yield made
    heart.stop()


@dataclass(frozen=True, kw_only=True)
class Use:
    """What a hand does with a dialog that is open, what is done behind the window by that, and when it is shown."""

    slow: tuple[str, ...]
    act: Callable[[Hands, Any, Path], object] = lambda hands, dialog, folder: None
    shown: Callable[[Any], object] = lambda dialog: True


def _add_certificate(hands: Hands, dialog: Any, folder: Path) -> None:
    (folder / "ada.pem").write_text("no certificate", "utf-8")
    dialog.add(folder / "ada.pem")


def _type_claim(hands: Hands, dialog: Any, folder: Path) -> None:
    hands.choose_in(dialog.of, "hand")
    hands.type(dialog.form.lines["epsilon"], "2.64")
    hands.bot.keyClick(dialog.form.lines["epsilon"], Qt.Key.Key_Return)


def _examine_file(hands: Hands, dialog: Any, folder: Path) -> None:
    hands.type(dialog.file.line, str(DURHAM))
    hands.click(dialog.start_button)


def _name_folder(hands: Hands, dialog: Any, folder: Path) -> None:
    (folder / "durham.json").write_bytes(DURHAM.read_bytes())
    hands.type(dialog.folder.line, str(folder))
    hands.click(dialog.start_button)


def _save_claim(hands: Hands, dialog: Any, folder: Path) -> None:
    _type_claim(hands, dialog, folder)
    hands.wait(lambda: dialog.found is not None)
    choose_file(hands, dialog.save_button, folder / "claim.csv")


def _trust_signer(hands: Hands, dialog: Any, folder: Path) -> None:
    hands.wait(lambda: not dialog.busy)
    dialog.trust_signer("00")


def _name_policy(hands: Hands, dialog: Any, folder: Path) -> None:
    dialog.reject()
    hands.type(hands.page.policy.row.line, str(folder / "policy.toml"))


def _save_policy(hands: Hands, dialog: Any, folder: Path) -> None:
    choose_file(hands, dialog.save_button, folder / "policy.toml")


def _begin_next(hands: Hands, dialog: Any, folder: Path) -> None:
    """Begin the next release from a file, and leave it once it is asked for; that is asked in a loop of its own."""
    dialog.reject()
    closer = QTimer(hands.window, interval=5)
    closer.timeout.connect(lambda: [one.reject() for one in shown_dialogs() if isinstance(one, NextReleaseDialog)])
    closer.start()
    hands.window.documents.begin_next(DURHAM)
    closer.stop()


def _add_tables(hands: Hands, dialog: Any, folder: Path) -> None:
    hands.wait(lambda: dialog.reading is not None)
    hands.click(dialog.add_button)


def _add_grid(hands: Hands, dialog: Any, folder: Path) -> None:
    for row, column, text in ((0, 1, "County"), (1, 1, "1"), (2, 0, "total"), (2, 1, "1")):
        dialog.cells.setData(dialog.cells.index(row, column), text)
    hands.click(dialog.add_button)


USES: dict[str, tuple[Use, ...]] = {
    "trust": (Use(slow=(READ,), act=_add_certificate, shown=lambda dialog: dialog.says.words),),
    "second opinion": (
        Use(slow=(CLAIM,), act=_type_claim, shown=lambda dialog: dialog.found is not None),
        Use(slow=(FILE, READ), act=_examine_file, shown=lambda dialog: dialog.start_button.isEnabled()),
        Use(slow=(WRITE,), act=_save_claim, shown=lambda dialog: "claim.csv" in dialog.says.words),
    ),
    "guide": (
        Use(
            slow=(SEARCH,),
            act=lambda hands, dialog, folder: hands.type(dialog.search, "kappa gain"),
            shown=lambda dialog: "found" in dialog.says.text(),
        ),
    ),
    "signing": (
        Use(
            slow=(PLACES,),
            act=lambda hands, dialog, folder: hands.page.sign_form.target.setText(str(folder / "record.json")),
            shown=lambda dialog: dialog.isVisible(),
        ),
    ),
    "policy": (
        Use(slow=(POLICY,), act=_name_policy),
        Use(slow=(WRITE, POLICY), act=_save_policy, shown=lambda dialog: not isValid(dialog)),
    ),
    "ledger": (Use(slow=(APART, LEDGER), act=_name_folder, shown=lambda dialog: dialog.start_button.isEnabled()),),
    "archive": (Use(slow=(APART,), act=_name_folder, shown=lambda dialog: dialog.says.words),),
    "verdict": (
        Use(slow=(APART,)),
        Use(slow=(HELD,), act=_trust_signer, shown=lambda dialog: "not in the signature" in dialog.sentence.text()),
    ),
    "export": (
        Use(
            slow=(APART,),
            act=lambda hands, dialog, folder: hands.type(dialog.source.line, str(DURHAM)),
            shown=lambda dialog: dialog.says.words,
        ),
    ),
    "preview": (Use(slow=(TYPESET,), shown=lambda dialog: dialog.view.pages),),
    "next": (Use(slow=(NEXT,), act=_begin_next),),
    "a question": (Use(slow=(LOOK,)),),
    "tables from a spreadsheet": (Use(slow=(ROWS, ADD_ROWS), act=_add_tables),),
    "a grid of tables": (Use(slow=(ADD_GRID,), act=_add_grid),),
    "a file that cannot be compared": (Use(slow=(COMPARE,)),),
}
NONE = Use(slow=())  # of dialogs that show what is at hand
CASES = [
    pytest.param(name, use, id=f"{name} {number}")
    for name in DIALOGS
    for number, use in enumerate(USES.get(name, (NONE,)))
]


@pytest.mark.soak
@pytest.mark.parametrize(("name", "use"), CASES)
def test_nothing_slow_is_done_on_the_thread_of_the_window(
    name: str, use: Use, durham: Hands, watch: Watch, tmp_path: Path
) -> None:
    dialog = opened(name, durham.window, durham.wait)
    use.act(durham, dialog, tmp_path)
    durham.wait(lambda: set(use.slow) <= set(watch.held + watch.on_window) and not watch.under_way)
    durham.wait(lambda: use.shown(dialog))
    assert watch.on_window == []
    assert watch.frozen == []


def test_what_is_slow_on_the_thread_of_the_window_is_found(watch: Watch) -> None:
    files.read_bytes(DURHAM)
    assert watch.on_window == [READ]


def test_what_the_window_waits_for_is_found(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.PATIENCE", 1)
    thread = threading.Thread(target=files.read_bytes, args=(DURHAM,))
    thread.start()
    thread.join()
    assert watch.frozen == [READ]
