"""The office's ledger by command line: a table or JSON, one more decision, and an exit status that can be relied on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from dpwizard import cli
from dpwizard.base.resource_files import FOLDER
from dpwizard.decision import read_decision
from dpwizard.signing import RecordFiles, signing
from tests.samples.decisions import STATED, example
from tests.samples.signed_record import people, request

pytestmark = pytest.mark.slow

DURHAM = FOLDER / "examples" / "durham.json"


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one signed record and the certificate of who signed it."""
    folder = tmp_path_factory.mktemp("office")
    target = RecordFiles.beside(folder / "records" / "r")
    signature = request(people()[0], time=STATED.time)
    signing.sign_new(read_decision(example("durham")), target, signature)
    (folder / "ann.crt").write_bytes(people()[0].certificate_pem())
    return folder


@pytest.fixture
def office(signed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of that folder, and nobody's home."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "nobody")
    shutil.copytree(signed, tmp_path, dirs_exist_ok=True)
    return tmp_path


def run(office: Path, *more: str | Path, language: str = "en") -> int:
    named = ["--language", language, "ledger", str(office / "records"), "--trust", str(office / "ann.crt")]
    return cli.main([*named, *map(str, more)])


def told(capfd: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capfd.readouterr().out)


def test_a_folder_of_records_is_a_table_and_its_totals(office: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(office, "--at", "2026-11-21") == 0
    said = capfd.readouterr()
    assert "1 of 1: r.json" in said.err
    first, second, *_ = said.out.splitlines()
    assert " ".join(first.split()) == "record date population protected epsilon rho status review by note"
    assert second.startswith("r.json  2026-11-21")
    assert "2.20     2.42  unchanged  2027-11-21" in second
    assert "Epsilon, added up: 2.20." in said.out
    assert run(office, language="de") == 0
    assert "Epsilon, zusammengezählt: 2,20." in capfd.readouterr().out


def test_one_more_decision_is_set_against_a_ceiling(office: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(office, "--json", "--ceiling", "4.3") == 0
    assert told(capfd)["totals"][0]["within"] is True
    assert run(office, "--json", "--ceiling", "4.3", "--with", DURHAM) == 1
    found = told(capfd)
    assert found["totals"][0]["within"] is True
    assert found["with"]["totals"][0]["within"] is False
    assert found["with"]["totals"][0]["epsilon"] == pytest.approx(2 * 2.197224577336219)
    assert [row["standing"] for row in found["with"]["records"]] == ["planned"]
    assert run(office, "--json", "--ceiling", "4.3", "--with", office / "records" / "r.json") == 0
    assert told(capfd)["with"]["totals"][0]["epsilon"] == pytest.approx(2.197224577336219)
    assert run(office, "--ceiling-rho", "2.4", "--with", DURHAM) == 1
    said = capfd.readouterr().out
    assert "With one more: Someone who is in all of them" in said
    assert "Over the ceiling." in said


def test_the_exit_status_says_whether_it_can_be_relied_on(office: Path, capfd: pytest.CaptureFixture[str]) -> None:
    records = office / "records"
    assert cli.main(["ledger", str(records)]) == 3  # nobody is trusted
    assert run(office, "--unjudged") == 3
    (records / "r.json").write_bytes((records / "r.json").read_bytes().replace(b"Durham", b"Dorham"))
    assert run(office) == 1
    assert "changed" in capfd.readouterr().out
    shutil.rmtree(records)
    records.mkdir()
    assert run(office) == 0
    assert "Records: 0." in capfd.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--at", "soon"], "--at: must be a day"),
        (["--delta", "1"], "--delta: must be between 0 and 1"),
        (["--delta", "nan"], "--delta: must be between 0 and 1"),
        (["--ceiling", "-1"], "--ceiling: must be a number, 0 or more"),
        (["--ceiling-rho", "inf"], "--ceiling-rho: must be a number, 0 or more"),
        (["--ceiling", "x"], "invalid float value"),
        (["--with", "nowhere.json"], "does not exist"),
    ],
)
def test_arguments_that_are_wrong_are_said(
    office: Path, arguments: list[str], words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(office, *arguments) == 2
    assert words in capfd.readouterr().err
    assert cli.main(["ledger", str(office / "none")]) == 2
    assert "is not a folder" in capfd.readouterr().err
