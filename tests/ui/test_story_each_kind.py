"""A story for each kind of requirement: built from an empty decision by mouse and keys, or by keys alone, solved and
signed.

What is answered stands in `tests/samples/stories.py`; a kind that has no story there fails here.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from dpwizard.decision import STEPS
from dpwizard.decision.requirements import kinds
from dpwizard.privacy import compute
from dpwizard.signing import RecordFiles, verification
from dpwizard.signing.identity import open_identity
from tests.samples.stories import EPSILON, STORIES, Story, Sum
from tests.ui.hands import PATIENCE, Hands
from tests.ui.label_reader import LabelReader
from ui.signing.sign_dialog import DONE, READ

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
PASSPHRASE = "correct horse battery"
NEAR = 1e-11  # relative; limits lie on their safe side by less


def test_every_kind_of_requirement_has_its_story() -> None:
    assert set(STORIES) == set(kinds()), "tell its story in tests/samples/stories.py"
    keyboards = sum(story.by == "keys" for story in STORIES.values())
    assert 2 * keyboards >= len(STORIES)
    assert {story.by for story in STORIES.values() if story.fast} == {"keys", "mouse"}


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the officer's identity lies; the first story makes it, in the window."""
    return tmp_path_factory.mktemp("office") / "officer.p12"


@pytest.mark.soak
@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=() if STORIES[kind].fast else pytest.mark.slow) for kind in kinds() if kind in STORIES],
)
def test_a_decision_with(
    kind: str, make_hands: Callable[..., Hands], identity: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    story, hands = STORIES[kind], make_hands()
    officer = LabelReader(hands, story.by)
    officer.answer((("New decision", True),))
    for step in STEPS:
        if step.key != "release":
            officer.next()
        assert hands.page.key == step.key
        hands.settle()
        officer.answer(getattr(story, step.key))
        officer.acknowledge()
        hands.settle()
        assert officer.problems() == []
    assert hands.page.missing.title.text() == "Ready to sign.", [button.text() for button in hands.page.missing.buttons]
    sign(officer, identity, tmp_path / kind)
    found = verification.verify(RecordFiles.beside(tmp_path / kind), (), NOW)
    assert found.ok
    assert [signer.name for signer in found.signers] == ["A. Officer"]
    judge(kind, story, json.loads((tmp_path / f"{kind}.json").read_text("utf-8")))
    assert QApplication.activeModalWidget() is None
    assert [entry.getMessage() for entry in caplog.records if entry.levelno >= logging.WARNING] == []
    if officer.keys is not None:
        assert officer.keys.mouse.seen == 0
        assert officer.keys.unseen == []


def sign(officer: LabelReader, identity: Path, target: Path) -> None:
    """Sign through the form, with an identity that is made in it if there is none yet."""
    form = officer.hands.page.sign_form
    form.now = lambda: NOW
    officer.answer((("Save the record to", str(target)), ("Sign …", True)))
    officer.bot.waitUntil(lambda: form.dialog is not None and form.dialog.isVisible(), timeout=PATIENCE)
    officer.answer((("Your role", "approves"),))
    if identity.exists():
        officer.answer((("Your signing key", "Use my signing key (.p12 file)"),))
        officer.answer((("Signing key (.p12 file)", str(identity)), ("Passphrase", PASSPHRASE)))
    else:
        lines = (("Your name", "A. Officer"), ("A passphrase of several words", PASSPHRASE))
        again = ("The passphrase again", PASSPHRASE)
        place = ("Save the signing key to (empty: your own folder)", str(identity))
        officer.answer((("Your signing key", "Create a signing key"), *lines, again, place))
    officer.answer((("Next", True),))
    officer.bot.waitUntil(lambda: form.dialog.step == READ and not form.worker.busy, timeout=PATIENCE)
    assert open_identity(pkcs12=identity.read_bytes(), passphrase=PASSPHRASE).certificate.name == "A. Officer"
    officer.answer((("Sign and export", True),))
    officer.bot.waitUntil(lambda: form.dialog.step == DONE, timeout=PATIENCE)
    officer.answer((("Close", True),))
    officer.bot.waitUntil(lambda: not form.dialog.isVisible(), timeout=PATIENCE)
    assert "Signed by you, " in form.says.words
    assert officer.problems() == []


def judge(kind: str, story: Story, made: Any) -> None:
    """Hold the answer of the record against what the functions of the model give for the numbers typed."""
    answers = made["assessment"]["answers"]
    (answer,) = (each for each in answers if each["kind"] == kind)
    assert {each["kind"] for each in answers} == {kind, *story.others}
    assert answer["status"] == "allowed", answer
    assert answer["met"] is not False
    assert made["assessment"]["problems"] == []
    found: Any = answer
    for name in story.reads:
        found = found[name]
    agree(story.expects, found)
    if story.published is not None:
        agree(story.published, answer["as_published"]["epsilon"])


def agree(expected: Sum, found: float) -> None:
    if expected.gives is None:
        assert found == pytest.approx(value(expected, found), rel=NEAR)
    else:
        assert value(expected, found) == pytest.approx(expected.gives, rel=NEAR)


def value(wanted: Sum, epsilon: float) -> float:
    """Return what the function of WANTED gives for its arguments; the EPSILON of the record stands in where it is asked
    for."""

    def given(argument: Any) -> Any:
        if isinstance(argument, Sum):
            return value(argument, epsilon)
        if isinstance(argument, list) and EPSILON in argument:
            return [epsilon if each == EPSILON else each for each in argument]
        return argument

    found: Any = compute.find(wanted.function)(**{name: given(argument) for name, argument in wanted.arguments.items()})
    number = getattr(found, wanted.figure) if wanted.figure else found
    return number if wanted.over is None else wanted.over / number
