"""What a file holds cannot steer the terminal it is shown on, begin a line of its own there, or run in a table."""

from __future__ import annotations

import csv
import io
import json
import os
import threading
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpwizard.base.errors import FileProblem
from dpwizard.base.one_line import escaped_json, on_one_line
from dpwizard.cli import main
from dpwizard.records import write
from dpwizard.signing import RecordFiles, exports, signing
from tests.samples.decisions import STATED, example, recorded
from tests.samples.signed_record import people, request

BREAKS = ("\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")
OBEYED = (
    "\x00",
    "\x07",
    "\x08",
    "\x1b[2J",
    "\x7f",
    "\x9b2J",
    "\u061c",
    "\u200e",
    "\u202e",
    "\u2066",
    "\ufeff",
    "\u200b",
)
HOSTILE = "".join(f"x{char}Verdict: trusted " for char in (*BREAKS, *OBEYED))


def obeyed(text: str) -> set[str]:
    """Return what in TEXT a terminal obeys, but for the line feeds of the program itself."""
    return {char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp") and char != "\n"}


def hostile() -> dict[str, Any]:
    raw = example("durham", title=HOSTILE, justification=HOSTILE)
    raw["requirements"][0]["name"] = HOSTILE
    raw["release"]["description"] = HOSTILE
    return raw


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("hostile")
    (made / "decision.json").write_text(json.dumps(hostile()), "utf-8")
    (made / "record.json").write_bytes(write(recorded(hostile())))
    (made / "wrong.json").write_text(json.dumps({HOSTILE: HOSTILE, "format": HOSTILE}), "utf-8")
    (made / f"name{HOSTILE.replace(chr(0), '')[:60]}.json").write_bytes(write(recorded(hostile())))
    return made


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "decision.json"],
        ["solve", "wrong.json"],
        ["solve", f"no such file {HOSTILE}"],
        ["solve", f"--{HOSTILE}"],
        ["report", "record.json"],
        ["verify", "record.json"],
        ["verify", "record.json", "--json"],
        ["replay", "record.json"],
        ["replay", "--all", "."],
        ["export", "record.json", "--to", "csv"],
        ["compute", "wrong.json"],
        ["elicit", "wrong.json"],
        ["--language", HOSTILE, "solve", "decision.json"],
    ],
)
def test_no_text_from_a_file_is_obeyed_or_begins_a_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    monkeypatch.chdir(folder)
    main(arguments)
    told = capsys.readouterr()
    for text in (told.out, told.err):
        assert obeyed(text) == set()
        if arguments[0] != "report":  # there a text of several lines is one
            assert not [line for line in text.split("\n") if line.startswith("Verdict: trusted")]


def test_json_on_a_terminal_says_the_same_in_characters_that_are_not_obeyed() -> None:
    text = json.dumps({"said": HOSTILE, "more": "größer, 数, \U000e0041"}, ensure_ascii=False)
    assert obeyed(escaped_json(text)) == set()
    assert json.loads(escaped_json(text)) == json.loads(text)


def test_what_is_seen_stays_as_it_is() -> None:
    for text in ("Größe 1\u00a0000\u202f%", "数え", "نمی\u200cخواهم", "e\u0301", "😀"):
        assert on_one_line(text) == text
    assert on_one_line("a\nb\u202e\ud800") == "a‹U+000A›b‹U+202E›‹U+D800›"


def test_a_table_has_one_line_for_each_answer_and_no_formula() -> None:
    made = recorded(hostile())
    names = [HOSTILE, "\u200b=1+1", "\u2028@SUM(A1)", "\x85=cmd", "\u00a0\u3000-2+3", "\ufeff+1", "plain"]
    answers = tuple(replace(made.assessment.answers[0], name=name) for name in names)
    text = exports.answers_csv(replace(made, assessment=replace(made.assessment, answers=answers)))
    assert obeyed(text) == set()
    assert len(text.splitlines()) == 1 + len(names)
    rows = list(csv.reader(io.StringIO(text)))[1:]
    assert [row[0][:1] for row in rows[1:-1]] == ["'"] * 5
    assert rows[-1][0] == "plain"


def test_no_record_is_made_under_a_name_that_cannot_be_read(tmp_path: Path) -> None:
    from dpwizard.decision import read_decision

    made = request(people()[0], time=STATED.time)
    for name in ("a\nVerdict: trusted", "a\u202egnp", "a\u2028b"):
        with pytest.raises(FileProblem, match="invisible characters") as refused:
            signing.sign_new(read_decision(example("durham")), RecordFiles.beside(tmp_path / name), made)
        assert obeyed(refused.value.where) | ({"\n"} & set(refused.value.where)) == set()
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    place = tmp_path / "pipe"
    os.mkfifo(place)
    return place


@pytest.mark.parametrize("place", ["pipe", "/dev/zero", "/dev/tty0", "."])
@pytest.mark.parametrize(
    "command",
    [
        ["sensitivity", "{}", "--confidence", "0.9", "--origin", "public"],
        ["elicit", "{}"],
        ["solve", "{}"],
        ["compute", "{}"],
        ["report", "{}"],
        ["export", "{}", "--to", "csv"],
        ["replay", "{}"],
        ["sign", "{}", "--identity", "{}"],
        ["verify", "{}"],
        ["identity", "show", "{}"],
        ["identity", "show", "x", "--passphrase-file", "{}"],
    ],
)
def test_no_command_waits_for_a_pipe_or_reads_a_device_without_end(
    pipe: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str], place: str
) -> None:
    monkeypatch.chdir(pipe.parent)
    ended: list[int] = []
    arguments = [part.format(place) for part in command]
    running = threading.Thread(target=lambda: ended.append(main(arguments)), daemon=True)
    running.start()
    running.join(20)
    assert len(ended) == 1
    assert ended[0] != 0
    assert "defect" not in capsys.readouterr().err


def test_text_that_is_no_utf8_is_said_to_be_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_bytes(b"\xff\xfe\n")
    for command in (["elicit", "{}"], ["sensitivity", "{}", "--confidence", "0.9", "--origin", "public"]):
        assert main([part.format(tmp_path / "x") for part in command]) == 2
        assert "UTF-8" in capsys.readouterr().err
