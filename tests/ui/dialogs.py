"""Every dialog of the program: how each is opened over the window, so that tests can look at all of them in turn."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from PySide6.QtWidgets import QApplication, QDialog

from dpwizard.base.errors import FileProblem
from dpwizard.base.resource_files import FOLDER
from dpwizard.decision import new_decision
from dpwizard.decision.edits import put
from dpwizard.projects.next_release import begin
from ui.app.differences import NextReleaseDialog, RecoveryDialog
from ui.app.error_dialog import Catcher
from ui.app.window import MainWindow
from ui.signing.sign_dialog import DONE
from ui.widgets import open_once

Wait = Callable[[Callable[[], object]], object]


def _solved(window: Any, wait: Wait, step: str) -> Any:
    window.wizard.go(step)
    wait(lambda: window.wizard.answered == window.session.decision and not window.wizard.solver.behind)
    return window.wizard.page


def _table(window: Any, wait: Wait) -> None:
    page = _solved(window, wait, "profile")
    wait(lambda: page.panels[0].figure is not None)
    page.panels[0].tools.show_table()


def _preview(window: Any, wait: Wait) -> None:
    _solved(window, wait, "review").larger_button.click()
    preview = window.wizard.page.preview
    wait(lambda: preview.isVisible() and not preview.view.worker.busy)


def _signing(window: Any, wait: Wait) -> Any:
    form = _solved(window, wait, "review").sign_form
    form.open()
    return form.dialog


def _signing_unfolded(window: Any, wait: Wait) -> None:
    """Open the dialog that signs with all that it folds away."""
    dialog = _signing(window, wait)
    wait(dialog.sign_button.isEnabled)
    dialog.read.fields.show()
    dialog.read.more.open()
    dialog.read.key.choose(from_file=True)


def _verdict(window: Any, wait: Wait) -> None:
    window.verify_path(FOLDER / "examples" / "durham.json")
    wait(lambda: not window.verdict.worker.busy)


def _recovery(window: Any, wait: Wait) -> None:
    was = window.session.decision
    when = "2026-11-21T12:00:00+01:00"
    open_once(
        RecoveryDialog(
            was, put(was, "$.title", "Another title"), "durham.json", when, changed_since=True, parent=window
        )
    )


def _next(window: Any, wait: Wait) -> None:
    when = datetime(2026, 11, 21, tzinfo=UTC)
    begun = window.documents.keeper.run(lambda: begin(FOLDER / "examples" / "durham.json", when))
    open_once(NextReleaseDialog(begun, "durham.json", window))


def _error(window: Any, wait: Wait) -> None:
    Catcher(window, None)._show_error(RuntimeError("out of thin air"))


DIALOGS: dict[str, Callable[[Any, Wait], object]] = {
    "about": lambda window, wait: window.about(),
    "archive": lambda window, wait: window.show_archive(),
    "ledger": lambda window, wait: window.show_ledger(),
    "second opinion": lambda window, wait: window.show_second_opinion(),
    "trust": lambda window, wait: window.show_trust(),
    "export": lambda window, wait: window.export(),
    "policy": lambda window, wait: _solved(window, wait, "review").policy.edit(None),
    "signing": _signing,
    "signing, unfolded": _signing_unfolded,
    "signed": lambda window, wait: _signing(window, wait)._show(DONE),
    "verdict": _verdict,
    "guide": lambda window, wait: window.show_guide_here(),
    "preview": _preview,
    "table": _table,
    "recovery": _recovery,
    "next": _next,
    "tables from a spreadsheet": lambda window, wait: _solved(window, wait, "release").parts.ask(
        "Name\tShare\tRemark\nBirths\tone half\tas last year\nDeaths\t0,5\t"
    ),
    "a grid of tables": lambda window, wait: _solved(window, wait, "release").parts.fill_grid(),
    "error": _error,
    "complaint": lambda window, wait: window.complain(
        "This file cannot be opened.",
        FileProblem("does not exist", "a.json", "Check the name and the folder. Is the drive connected?"),
    ),
    "a file that cannot be compared": lambda window, wait: _solved(window, wait, "decision").compare_path(
        FOLDER / "no such file.json"
    ),
}


def shown_dialogs() -> list[QDialog]:
    """Return the dialogs that are open, the last one first."""
    found = [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()]
    return sorted(found, key=lambda one: not one.isActiveWindow())


def opened(name: str, window: MainWindow, wait: Wait) -> QDialog:
    """Open the dialog called NAME over WINDOW and return it; WAIT waits until something is true."""
    if window.session.decision == new_decision():
        window.open_path(FOLDER / "examples" / "durham.json", example=True)
    DIALOGS[name](window, wait)
    wait(lambda: len(shown_dialogs()) > 0)
    return shown_dialogs()[0]
