"""The policy of an office, written in the window: what is saved reads back as what was ticked, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from dpwizard.base.language import speaking
from dpwizard.decision import read_decision
from dpwizard.records import AssertedTime, policy
from dpwizard.signing import RecordFiles, policy_files, signing
from tests.samples.decisions import STATED, example
from tests.samples.signed_record import person
from tests.ui.choosers import choose_file
from tests.ui.hands import Hands
from ui.signing.policy_card import PolicyCard
from ui.signing.policy_editor import PolicyEditor
from ui.signing.verdict import VerdictDialog

pytestmark = pytest.mark.one_window

ADA, BEN = person("Ada Officer"), person("Ben Board")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with two certificates; nobody is trusted by the user."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "trust").mkdir()
    for name, who in (("ada", ADA), ("ben", BEN)):
        (tmp_path / "trust" / f"{name}.crt").write_bytes(who.certificate_pem())
    return tmp_path


def read(place: Path) -> policy.Policy:
    return policy_files.read_policy(place).policy


def test_a_policy_is_written_without_seeing_its_file(qtbot: QtBot, folder: Path) -> None:
    editor = PolicyEditor(None, None)
    qtbot.addWidget(editor)
    place = folder / "policy.toml"
    editor.editors["largest_epsilon"].edited.emit(2.5, False)
    editor.editors["mechanisms"].edited.emit(("laplace",), False)
    editor.editors["exceptions"].edited.emit(False, False)
    for role in ("proposes", "approves"):
        editor.people.boxes[role].click()
    editor.people.others.setPlainText("statistician")
    for name in ("ada", "ben"):
        editor.people.add(folder / "trust" / f"{name}.crt")
        qtbot.waitUntil(lambda: not editor.people.reader.busy)
    editor.filled.head.setChecked(True)
    editor.asked.boxes["$.details.necessity"].click()
    with qtbot.waitSignal(editor.written) as told:
        editor.save(place)
    assert told.args == [str(place)]
    found = read(place)
    assert (found.largest_epsilon, found.mechanisms, found.exceptions) == (2.5, ("laplace",), False)
    assert found.roles == ("proposes", "approves", "statistician")
    assert found.filled == ("$.details.necessity",)
    named = {role: [one.certificate for one in found.people if role in one.roles] for role in found.roles}
    assert named["proposes"] == [ADA.certificate.fingerprint]
    assert named["approves"] == [BEN.certificate.fingerprint]
    assert named["statistician"] == []


def test_what_is_wrong_stands_beside_its_field_and_is_not_saved(qtbot: QtBot, folder: Path) -> None:
    editor = PolicyEditor(None, None)
    qtbot.addWidget(editor)
    for value in (-1.0, "much"):
        editor.editors["largest_epsilon"].edited.emit(value, False)
        assert editor.editors["largest_epsilon"].problem.text()
        assert not editor.save_button.isEnabled()
    editor.editors["largest_epsilon"].edited.emit(None, False)
    assert editor.save_button.isEnabled()
    editor.people.add(folder / "trust" / "ada.crt")
    qtbot.waitUntil(lambda: not editor.people.reader.busy)
    editor.people.people[0]["roles"] = []
    editor.people.changed.emit(editor.people.roles(), editor.people.people)
    assert not editor.save_button.isEnabled()
    assert editor.says.words.startswith("Ada Officer: ")
    editor.people.add(folder / "nothing.crt")
    qtbot.waitUntil(lambda: not editor.people.reader.busy)
    assert editor.people.says.words
    assert len(editor.people.people) == 1
    editor.cancel_button.click()
    assert sorted(path.name for path in folder.iterdir()) == ["trust"]


def test_what_the_window_does_not_show_of_a_policy_is_kept(qtbot: QtBot, folder: Path) -> None:
    place = folder / "policy.toml"
    text = 'format = "dpwizard.policy/1"\nname = "Own"\nroles = ["statistician"]\nfilled = ["$.release.unit"]\n'
    place.write_text(text)
    editor = PolicyEditor(place, policy_files.read_policy(place))
    qtbot.addWidget(editor)
    editor.editors["name"].edited.emit("Own, second", False)
    editor.filled.head.setChecked(True)
    editor.asked.boxes["$.details.necessity"].click()
    with qtbot.waitSignal(editor.written):
        editor.save()
    found = read(place)
    assert (found.name, found.roles) == ("Own, second", ("statistician",))
    assert found.filled == ("$.release.unit", "$.details.necessity")


@pytest.mark.slow
def test_the_policy_that_is_written_is_the_one_that_is_asked(durham: Hands, folder: Path) -> None:
    wizard = durham.window.wizard
    wizard.go("review")
    durham.settle()
    card = wizard.page.findChild(PolicyCard)
    card.new_button.click()
    card.editor.editors["largest_epsilon"].edited.emit(1.0, False)
    choose_file(durham, card.editor.save_button, folder / "policy.toml")
    durham.wait(lambda: card.row.line.text() == str(folder / "policy.toml"))
    durham.wait(lambda: len(card.demands) == 1)  # epsilon is above it
    card.edit_button.click()
    card.editor.editors["largest_epsilon"].edited.emit(3.0, False)
    card.editor.save_button.click()
    durham.wait(lambda: card.policy is not None and not card.demands)


@pytest.mark.slow
def test_the_window_says_the_outcome_that_the_command_line_exits_with(qtbot: QtBot, folder: Path) -> None:
    place = folder / "policy.toml"
    place.write_text('format = "dpwizard.policy/1"\nname = "Own"\nroles = ["proposes"]\n')
    target = RecordFiles.beside(folder / "r")
    signature = signing.SigningRequest(
        identity=ADA,
        role="proposes",
        verdict="approve",
        comment="",
        stated=AssertedTime(time=STATED.time, source="signer"),
    )
    signing.sign_new(read_decision(example("durham")), target, signature, policy=policy_files.read_policy(place))
    words = ("Bestanden:", "Unentschieden:", "Nicht bestanden:")
    asked = place.read_text().replace("[", '["approves", ')
    with speaking("de"):
        for change, named, expected in (
            ("", place, words[0]),
            ("", None, words[1]),
            (asked, place, words[2]),
        ):
            place.write_text(change or place.read_text())
            found = policy_files.read_policy(place) if named else None
            dialog = VerdictDialog(target.json, policy=found, policy_path=named)
            qtbot.addWidget(dialog)
            dialog.now = lambda: STATED.time
            qtbot.waitUntil(lambda shown=dialog: shown.found is not None, timeout=60_000)
            said = [label.text() for label in dialog.findChildren(QLabel)]
            assert any(expected in line for line in said), said
            dialog.close()
