"""A signer alters one member of a record before signing: replay, verify, export and the next signer refuse it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from dpwizard import cli, make_identity
from tests.samples.altered_record import altered_json, signed_after
from tests.samples.decisions import STATED
from tests.samples.signed_record import people

LIE = "The data protection authority approved any epsilon"
Change = Callable[[dict[str, Any]], Any]


def put(*steps: str | int, to: Any) -> Change:
    """Return a change of the member at STEPS."""

    def change(made: Any) -> None:
        for step in steps[:-1]:
            made = made[step]
        made[steps[-1]] = to

    return change


SAID = {  # sentences and numbers that follow from the decision
    "window": put("sentences", "window", to=LIE),
    "position": put("sentences", "position", to=LIE),
    "meaning": put("sentences", "meaning", 0, to=LIE),
    "bound": put("sentences", "answers", 0, "bound", to="at most 1,000"),
    "person": put("sentences", "person", to=LIE),
    "limits": put("sentences", "limits", to=[LIE]),
    "language": put("sentences", "language", to="de"),
    "answer": put("assessment", "answers", 1, "epsilon", to=0.01),
    "source": put("assessment", "answers", 0, "source", to=LIE),
    "accounting": put("accounting", "epsilon_all_repetitions", to=0.01),
    "noise": put("implementation", 0, "scale", to=9.0),
    "call": put("implementation", 0, "library_call", to=LIE),
    "influence": put("influence", "moved", to=99),
    "tolerance": put("tolerance", to=1e-6),
    "no influence": lambda made: made.pop("influence"),
    "member of assessment": put("assessment", "note", to=LIE),
    "member": put("note", to=LIE),
    "edition": put("edition", to="official"),
}
MADE = {  # what follows from no decision, and has a closed form
    "version": put("program", "version", to=f"0.7.0. {LIE}"),
    "program": put("program", "name", to=LIE),
    "library": put("program", "libraries", "numpy", to=LIE),
    "libraries": put("program", "libraries", "approval", to="1.0"),
    "python": put("platform", "python", to=LIE),
    "system": put("platform", "system", to=LIE),
    "machine": put("platform", "machine", to=LIE),
    "platform": put("platform", "approval", to="x86_64"),
    "source of time": put("made", "time_source", to=LIE),
    "time": put("made", "time", to="2026-13-21T12:00:00+00:00"),
    "words in time": put("made", "time", to=f"2026-11-21T12:00:00+00:00 {LIE}"),
    "salt": put("salt", to=LIE),
}


def test_record_as_the_program_makes_it_replays(tmp_path: Path) -> None:
    assert cli.main(["replay", str(altered_json(tmp_path, lambda _: None))]) == 0


@pytest.mark.parametrize("member", SAID)
def test_altered_member_differs_on_replay(tmp_path: Path, member: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", str(altered_json(tmp_path, SAID[member]))]) == 1
    assert '"where":' in capfd.readouterr().out


@pytest.mark.parametrize("member", MADE)
def test_member_without_its_closed_form_is_no_record(
    tmp_path: Path, member: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["replay", str(altered_json(tmp_path, MADE[member]))]) == 2
    assert "The record is damaged; ask for the original." in capfd.readouterr().err


@pytest.fixture(scope="module")
def officer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the key file of somebody who is asked to sign further; its passphrase lies beside it."""
    place = tmp_path_factory.mktemp("officer") / "ben.p12"
    make_identity(place, name="Ben", passphrase="nine blue herons", at=STATED.time - timedelta(days=1))
    place.with_suffix(".txt").write_text("nine blue herons")
    return place


def status(*arguments: str | Path) -> int:
    return cli.main([str(argument) for argument in arguments])


@pytest.mark.slow
@pytest.mark.parametrize("member", ["window", "person", "call", "tolerance", "member", "version", "system", "time"])
def test_altered_and_signed_record_is_refused_by_verify_export_and_the_next_signer(
    tmp_path: Path, member: str, officer: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    change = (SAID | MADE)[member]
    target = signed_after(tmp_path, change)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert status("verify", target.json) == 1
    assert "refused" in capfd.readouterr().out
    assert status("replay", target.json) in (1, 2)
    capfd.readouterr()
    assert status("export", target.json, "--to", "web") in (1, 2)
    assert capfd.readouterr().out.startswith('{"ok": false')
    who = ("--identity", officer, "--passphrase-file", officer.with_suffix(".txt"))
    assert status("sign", target.json, *who, "--role", "approves", "--at", STATED.text) in (1, 2)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.slow
def test_older_version_does_not_make_a_false_sentence_pass(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def change(made: dict[str, Any]) -> None:
        made["program"]["version"] = "0.6.0"
        made["sentences"]["meaning"][0] = LIE

    target = signed_after(tmp_path, change)
    assert status("verify", target.json) == 3
    assert "another version or platform made the record" in capfd.readouterr().out
    assert status("replay", target.json) == 1
    honest = signed_after(tmp_path, lambda _: None, "honest")
    trusted = ("--trust", tmp_path / "ann.crt")
    (tmp_path / "ann.crt").write_bytes(people()[0].certificate_pem())
    assert status("verify", honest.json, *trusted) == 0


def _everything(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


@pytest.mark.slow
def test_planted_plan_and_lock_are_named_and_reading_commands_change_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    target = signed_after(tmp_path, lambda _: None)
    plan = {path.name: [None, sha256(path.read_bytes()).hexdigest()] for path in target.all}  # undone, all three go
    planted = {
        ".r.json.jws.plan": json.dumps(plan).encode(),
        ".r.json.jws.lock": b"planted",
        ".r.pdf.old": b"other",
        ".r.json.new": b"other",
    }
    for name, data in planted.items():
        (tmp_path / name).write_bytes(data)
    os.utime(tmp_path / ".r.json.jws.lock", (1, 1))  # long given up
    before = _everything(tmp_path)
    commands = {
        ("verify", target.json): 3,
        ("ledger", tmp_path): 3,
        ("replay", target.json): 0,
        ("replay", "--all", tmp_path): 0,
        ("export", target.json, "--to", "csv"): 0,
    }
    for command, expected in commands.items():
        assert status(*command) == expected, command
        told = capfd.readouterr()
        assert all(name in told.out + told.err for name in planted), command
    assert _everything(tmp_path) == before
