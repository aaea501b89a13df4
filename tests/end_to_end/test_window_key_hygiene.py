"""After a signing session in the window no private key and no passphrase lies anywhere: log, journal, settings, record,
error report."""

from __future__ import annotations

import logging
import stat
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

from dpwizard.projects import journal
from dpwizard.signing import signing
from tests.samples.secrets_left_behind import PASSPHRASE, WRONG, left_behind
from tests.ui import signing_hands
from tests.ui.hands import PATIENCE, Hands
from ui.app import program_log
from ui.app.error_dialog import Catcher
from ui.signing.sign_dialog import DONE

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the one folder in which this program can write anything: home and place for temporary files too."""
    for name in ("home", "tmp", "work"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path


def say(hands: Hands, line: Any, words: str) -> None:
    """Enter WORDS, letters outside ASCII too, as an input method does."""
    hands.type(line, "")
    event = QInputMethodEvent("", [])
    event.setCommitString(words)
    QApplication.sendEvent(line, event)
    assert line.text() == words


@pytest.mark.slow
def test_a_signing_session_in_the_window_leaves_no_secret_behind(
    make_hands: Callable[..., Hands],
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    caplog.set_level(logging.DEBUG)
    log_file = program_log.begin(home / "state")
    hands = make_hands("durham")
    catcher = Catcher(hands.window, log_file)
    hands.window.save_to(home / "work" / "decision.json")
    hands.go("review")
    form, identity, target = hands.page.sign_form, home / "work" / "a.p12", home / "work" / "record"
    form.now = lambda: NOW
    dialog = signing_hands.begin(hands, target)
    read, key = dialog.read, dialog.read.key
    hands.click(read.change)
    hands.type(read.name, "A. Officer")
    hands.type(read.key_row.line, str(identity))
    say(hands, key.passphrase, PASSPHRASE)
    say(hands, key.again, PASSPHRASE)

    def press(signal: Any) -> None:
        with hands.bot.waitSignal(signal, timeout=PATIENCE):
            hands.click(dialog.sign_button)
        assert [line.text() for line in (key.passphrase, key.again)] == ["", ""]

    def fails(*given: Any) -> None:
        raise RuntimeError(f"broken with {given!r} and {PASSPHRASE!r}")  # the worst that an error could say

    with monkeypatch.context() as broken:
        broken.setattr(signing, "sign_line", fails)
        press(form.worker.failed)
    caplog.clear()  # pytest keeps the words of an error; the program's own log must not, and is searched below
    assert "RuntimeError" in dialog.says.words
    assert not identity.exists()  # it is written with the signature
    for again in (WRONG, PASSPHRASE):
        say(hands, key.passphrase, PASSPHRASE)
        say(hands, key.again, again)
        hands.click(dialog.sign_button)
    hands.wait(lambda: dialog.step == DONE)
    assert form.signed.verification.ok
    signing_hands.close(hands, dialog)

    signing_hands.begin(hands)
    hands.click(key.file_link)
    say(hands, key.passphrase, WRONG)
    press(form.worker.failed)
    # still in the field while the journal is written, and when something else breaks
    say(hands, key.passphrase, PASSPHRASE)
    hands.session.put("Refer", "$.outcome", "refer")
    kept = journal.beside(home / "work" / "decision.json")
    hands.bot.waitUntil(lambda: kept.exists() and b"refer" in kept.read_bytes())
    try:
        fails(key.passphrase.text())
    except RuntimeError as problem:
        catcher._catch_in_main(type(problem), problem, problem.__traceback__)
    caplog.clear()
    hands.bot.waitUntil(lambda: catcher.dialog is not None and catcher.dialog.isVisible())
    told = catcher.dialog.details.toPlainText()
    catcher.dialog.close()
    printed = capsysbinary.readouterr()
    said = printed.out + printed.err + f"{caplog.text}\n{told}".encode()
    assert "RuntimeError" in told
    assert left_behind(home, identity, said, ()) == []
    hands.session.start(hands.session.decision)
    hands.window.close()
    program_log.end()
    assert left_behind(home, identity, b"", ()) == []
    assert stat.S_IMODE(identity.stat().st_mode) == 0o600
    assert "RuntimeError" in (home / "state" / program_log.NAME).read_text("utf-8")
    assert list((home / "tmp").iterdir()) == []
