"""The next release by command line: a decision file on standard output, and what begins anew beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpwizard import cli
from dpwizard.decision import read_decision
from dpwizard.signing import RecordFiles, signing
from tests.samples.decisions import STATED, example
from tests.samples.signed_record import people, request

pytestmark = pytest.mark.slow


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the JSON of a signed record, and nobody's home."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "nobody")
    target = RecordFiles.beside(tmp_path / "r")
    signature = request(people()[0], time=STATED.time)
    signing.sign_new(read_decision(example("durham")), target, signature)
    return target.json


@pytest.mark.parametrize(("language", "words"), [("en", "To be answered again"), ("de", "Neu zu beantworten")])
def test_a_decision_file_comes_out_and_what_begins_anew_is_said(
    record: Path, capfd: pytest.CaptureFixture[str], language: str, words: str
) -> None:
    assert cli.main(["--language", language, "next", str(record)]) == 0
    printed = capfd.readouterr()
    decision = read_decision(json.loads(printed.out))
    last = read_decision(example("durham"))
    assert [one.epsilon for one in decision.release.spent] == [last.epsilon]
    assert (decision.epsilon, decision.outcome) == (None, None)
    assert words in printed.err


def test_a_changed_record_is_refused_in_words(record: Path, capfd: pytest.CaptureFixture[str]) -> None:
    record.write_bytes(record.read_bytes().replace(b"Infant deaths", b"Infant births", 1))
    assert cli.main(["next", str(record)]) == 2
    printed = capfd.readouterr()
    assert "was changed after signing" in json.loads(printed.out)["error"]["message"]
