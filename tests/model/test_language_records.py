"""What German says of questions, records and reports; and that numbers, keys and files never depend on the language."""

from __future__ import annotations

import json
import re

import pytest

from dpwizard import cli, records
from dpwizard.base.language import speaking
from dpwizard.decision import Decision, Setup, new_decision, read_decision
from dpwizard.elicitation import interview as elicitation
from dpwizard.report import document as report
from dpwizard.signing.exports import export
from tests.model.test_elicitation_questions import walk
from tests.oracles.reading_ease import amstad, german_words
from tests.samples.decisions import STATED
from tests.samples.words import keyed
from tests.ui.fixtures import EXAMPLES

DURHAM = json.loads((EXAMPLES / "durham.json").read_text("utf-8"))
SETUPS = (
    Setup(q=(0.001, 0.5), benefit="der Regionalplan"),
    Setup(p=(0.01, 0.5)),
    Setup(topic="guess", q=0.3, benefit="der Jahresbericht"),
    Setup(topic="accuracy", smallest=1, largest=200, figure="die Zahl der Todesfälle"),
)


def durham(language: str) -> Decision:
    return read_decision({**DURHAM, "language": language})


def made(language: str, spoken: str) -> bytes:
    decision = durham(language)
    with speaking(spoken):
        return records.write(records.make(decision, STATED, name="durham"))


def test_a_record_s_bytes_depend_on_the_language_of_its_decision_and_not_on_the_one_spoken() -> None:
    assert made("en", "de") == made("en", "en")
    assert made("de", "en") == made("de", "de")


def test_two_records_in_two_languages_differ_in_that_alone() -> None:
    english, german = json.loads(made("en", "en")), json.loads(made("de", "en"))
    assert (english["decision"].pop("language"), german["decision"].pop("language")) == ("en", "de")
    assert english == german


def test_a_report_is_set_in_the_language_of_its_record_whatever_is_spoken() -> None:
    for language, said in (("en", "proposed on 21 November 2026"), ("de", "vorgeschlagen am 21. November 2026")):
        data = made(language, "en")
        texts = set()
        for spoken in ("en", "de"):
            with speaking(spoken):
                texts.add(report.text(report.blocks(records.read(data))))
                pdf = report.typeset(records.read(data))
            assert re.search(rb"/Lang\s*\(%s\)" % language.encode(), pdf)
        assert len(texts) == 1
        assert said in texts.pop().replace("\n", " ")


def test_what_machines_read_of_a_record_is_the_same_in_every_language() -> None:
    data = made("en", "en")
    for form in ("opendp", "csv"):
        with speaking("de"):
            german = export(data, form)
        assert german == export(data, form), form


def test_a_decision_begun_in_german_is_recorded_in_german() -> None:
    assert new_decision().language == "en"
    with speaking("de"):
        assert new_decision().language == "de"


def test_the_command_line_speaks_german_and_writes_the_same_json(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(EXAMPLES / "durham.json")
    said = {}
    for language in ("en", "de"):
        assert cli.main(["--language", language, "solve", path]) == 0
        said[language] = capsys.readouterr()
    assert said["en"].out == said["de"].out
    assert "höchstens etwa 2,19723" in said["de"].err
    assert "at most about 2.19723" in said["en"].err
    assert cli.main(["solve", path, "--language=xx"]) == 2
    told = capsys.readouterr()
    assert json.loads(told.out)["error"]["where"] == "--language"
    assert cli.main(["--language", "de", "solve", str(EXAMPLES / "nothing.json")]) == 2
    told = capsys.readouterr()
    assert "gibt es nicht" in told.err
    assert json.loads(told.out)["error"]["message"] == "does not exist"


# ------------------------------------------------------------------------------------------ questions


def asked(setup: Setup) -> list[str]:
    """Return every question of a session in German."""
    session = walk(setup, language="de")
    return [reply.question.text for reply in session.replies] + [
        question.text for question in elicitation.playback(session)
    ]


@pytest.mark.parametrize("setup", SETUPS, ids=["value", "presence", "guess", "accuracy"])
def test_every_german_question_is_short_easy_to_read_and_silent_on_epsilon(setup: Setup) -> None:
    texts = asked(setup)
    assert len(texts) >= 6
    for text in texts:
        assert len(text.split()) <= 45, text
        assert amstad(text) >= 50.0, (amstad(text), text)
        assert "epsilon" not in text.lower()
        assert not {"release", "would", "you"} & set(text.lower().split())


@pytest.mark.parametrize("section", ["ask", "inconsistency", "elicitation", "stands"])
def test_every_german_sentence_of_the_questions_is_easy_to_read(section: str) -> None:
    for key, template in keyed("de")[section].items():
        text = re.sub(r"\{[^}]*\}", "", template.replace("{benefit}", "der Plan").replace("{figure}", "die Zahl"))
        if len(german_words(text)) >= 12:
            assert amstad(text) >= 50.0, (key, amstad(text))
