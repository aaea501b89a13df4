"""The Durham decision from an empty page to a signed and verified record, in German by keyboard alone, in the dark
theme, on half a screen; and signed in the window with the same bytes as by command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dpwizard import cli, records
from dpwizard.decision import to_json
from dpwizard.report import document as report
from dpwizard.signing import RecordFiles, verification
from tests.end_to_end.keyboard import CONTROL, Key, Keyboard
from tests.ui import signing_hands
from tests.ui.hands import Hands
from tests.ui.signing_hands import PASSPHRASE

pytestmark = pytest.mark.slow  # windows of their own, and signatures
NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
STATED = "2026-11-21T10:30:00+01:00"
LN_9 = 2.197224577336219
SMALL = (960, 540)  # logical pixels: a screen of 1920 x 1080 at 200 %

RELEASE, PROMISE, TARGET, ERROR = "$.release", "$.requirements[0]", "$.requirements[1]", "$.requirements[2]"
GERMAN = {
    "$.title": "Säuglingssterbefälle im Kreis Durham, 2020",
    f"{RELEASE}.description": "Die Zahl der 2020 gestorbenen Säuglinge unter 4012 Lebendgeborenen.",
    f"{RELEASE}.unit": "ein Säugling in der Sterbefalldatei",
    f"{RELEASE}.population": "4 012",
    f"{RELEASE}.sensitivity": "1",
    f"{PROMISE}.name": "Nachbarin, die die Familie kennt",
    f"{PROMISE}.profile.posterior": "50",
    f"{PROMISE}.profile.ratio": "5,0",
    f"{TARGET}.name": "Ziel „Healthy People“",
    f"{TARGET}.target": "6,0",
    f"{TARGET}.per": "1 000",
    f"{TARGET}.records": "4012",
    f"{TARGET}.deviation": "0,25",
    f"{TARGET}.at_most": "10",
    f"{ERROR}.name": "Typischer Fehler der Zahl",
    f"{ERROR}.at_most": "0,6",
    "$.justification": "Das einzige Epsilon, das die Zusage und den Nutzen einhält.",
}


def decide(hands: Hands) -> None:
    """Answer steps 1 to 6 in German, from an empty decision, each page reached by Next."""

    def fill(what: str, *names: str) -> None:
        for name in names:
            hands.fill(f"{what}.{name}", GERMAN[f"{what}.{name}"])

    fill("$", "title")
    fill(RELEASE, "description")
    hands.choose(f"{RELEASE}.statistic", "count")
    fill(RELEASE, "unit")
    hands.choose(f"{RELEASE}.neighbours", "add_remove")
    fill(RELEASE, "population")
    hands.choose(f"{RELEASE}.mechanism", "geometric")
    fill(RELEASE, "sensitivity")
    hands.next()
    hands.pick(hands.page.cards.add_button, "relative_risk")
    fill(PROMISE, "name")
    hands.choose(f"{PROMISE}.adversary", "inclusion")
    hands.choose(f"{PROMISE}.p", "any")
    for box in tuple(hands.page.assumed.boxes.values()):
        hands.click(box)
    hands.next()
    hands.choose(f"{PROMISE}.profile.shape", "cap_or_ratio")
    fill(PROMISE, "profile.posterior", "profile.ratio")
    hands.next()
    assert hands.page.key == "budget"
    hands.next()
    hands.pick(hands.page.cards.add_button, "switch_probability")
    fill(TARGET, "name", "target", "per", "records", "deviation", "at_most")
    hands.pick(hands.page.cards.add_button, "rmse")
    fill(ERROR, "name", "at_most")
    hands.next()
    hands.settle()
    hands.click(hands.page.take_upper)  # the two ends touch: one epsilon keeps everything
    fill("$", "justification")
    hands.settle()
    assert hands.session.decision.epsilon == pytest.approx(LN_9, rel=1e-12)


def sign(hands: Hands, name: str, folder: Path) -> RecordFiles:
    """Choose the outcome, and sign as NAME with an identity made for it; return where the record lies."""
    hands.choose("$.outcome", "approve")
    hands.settle()
    form = hands.page.sign_form
    form.now = lambda: NOW
    dialog = signing_hands.begin(hands)
    signing_hands.order_identity(hands, dialog, folder / "officer.p12", name)
    signing_hands.confirm(hands, dialog, time=STATED)
    signing_hands.close(hands, dialog)
    assert form.signed.verification.outcome == "passed"
    place = RecordFiles.beside(form.signed.path)
    judged = verification.verify(place, (), NOW)
    assert judged.ok
    assert [signer.name for signer in judged.signers] == [name]
    assert json.loads(place.json.read_text("utf-8"))["decision"] == to_json(hands.session.decision)
    return place


def test_a_record_signed_in_the_window_has_the_bytes_that_the_command_line_gives_it(
    durham: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # where the certificate of a new identity is trusted
    place = sign(durham.go("review"), "A. Officer", tmp_path)
    assert "Signed by you, " in durham.page.sign_form.says.words
    durham.window.save_to(tmp_path / "decision.json")
    (tmp_path / "passphrase").write_text(PASSPHRASE, "utf-8")
    arguments = ["sign", str(tmp_path / "decision.json"), "--identity", str(tmp_path / "officer.p12")]
    by_hand = tmp_path / "by_hand"  # a record holds its own name
    by_hand.mkdir()
    arguments += ["--passphrase-file", str(tmp_path / "passphrase"), "--at", STATED, "--out", str(by_hand / place.name)]
    cli.main(arguments)
    assert (by_hand / place.json.name).read_bytes() == place.json.read_bytes()


def test_by_keyboard_alone_in_german_every_control_is_seen_and_the_record_is_german(
    make_hands: Callable[..., Hands], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    keys = Keyboard(make_hands(dark=True, size=SMALL))
    keys.window.menus.actions["language_de"].trigger()
    keys.press(Key.Key_N, CONTROL)
    decide(keys)
    keys.next()
    place = sign(keys, "A. Müller", tmp_path)
    assert "Von Ihnen signiert, " in keys.page.sign_form.says.words
    assert keys.mouse.seen == 0
    assert keys.unseen == []
    assert keys.window.width() == SMALL[0]
    made = records.read(place.json.read_bytes())
    said = records.sentences(made)
    assert made.decision.language == said.language == "de"
    assert made.decision.release.population == 4012
    assert getattr(made.decision.requirements[1], "deviation", None) == 0.25
    assert {one.language for one in made.decision.acknowledged} == {"de"}
    assert said.position == "Es ist gewählt."
    assert records.recompute(made) == ()
    assert re.search(rb"/Lang\s*\(de\)", place.pdf.read_bytes())
    text = report.text(report.blocks(made))
    assert "21. November 2026" in text
    assert "Was jede Anforderung erlaubt" in text
    english = {"the", "and", "with", "chance", "requirement", "of", "is", "not", "by"}
    heard = set(re.findall(r"[A-Za-zäöüÄÖÜß]+", re.sub(r"(?m)^    .*$|„[^“]*“|Kazan & Reiter[^\n]*", "", text).lower()))
    assert heard & english == set()
