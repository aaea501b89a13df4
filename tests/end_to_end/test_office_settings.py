"""What an office sets in office.toml, through real files in a folder of its own: read strictly, said in words, never
in the way."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from dpwizard import cli
from dpwizard.base import office_folder
from dpwizard.base.errors import DPWizardError
from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.base.office_folder import language_set
from dpwizard.records import office_settings
from dpwizard.records.office_settings import placed, read_settings

HEAD = 'format = "dpwizard.office/1"\nname = "County of Durham"\n'


def office(folder: Path, text: str | bytes) -> Path:
    """Place TEXT as the settings of the office in FOLDER."""
    (folder / "office.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def test_each_system_has_its_folder_for_everybody() -> None:
    assert office_folder.office_folder({}, "linux") == Path("/etc/dpwizard")
    assert office_folder.office_folder({}, "darwin") == Path("/Library/Application Support/dpwizard")
    assert office_folder.office_folder({"PROGRAMDATA": "D:/Data"}, "win32") == Path("D:/Data/dpwizard")
    assert office_folder.office_folder({}, "win32") == Path("C:/ProgramData/dpwizard")


def test_what_an_office_sets_is_read_and_holds_for_new_decisions(tmp_path: Path) -> None:
    text = f'{HEAD}language = "de"\npaper = "us-letter"\nrecords = {json.dumps(str(tmp_path))}\n'
    found = placed(office(tmp_path, text))
    assert found.settings is not None
    assert found.new_decision().paper == "us-letter"
    assert found.folder_of_records() == (tmp_path, None)
    assert language_set(tmp_path) == "de"


def test_an_office_that_sets_nothing_changes_nothing(tmp_path: Path) -> None:
    assert (placed(tmp_path).settings, placed(tmp_path).problem) == (None, None)
    assert placed(tmp_path / "office.toml").problem is None  # a folder that is a file, or is not there
    assert language_set(tmp_path) is None
    assert placed(office(tmp_path, HEAD)).new_decision().paper is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "format: is missing"),
        ('format = "dpwizard.office/1"', "name: is missing"),
        ('format = "dpwizard.office/9"\nname = "x"', "is not a version this program can read"),
        (f'{HEAD}langauge = "de"', "langauge: is not a field here"),
        (f'{HEAD}language = "fr"', "language: must be one of en, de"),
        (f"{HEAD}language = 3", "language: must be text"),
        (f'{HEAD}language = ["de"]', "language: must be text"),
        (f'{HEAD}paper = "A4"', 'paper: must be "a4" or "us-letter"'),
        (f'{HEAD}records = "records"', "records: must be a folder from its drive or root on"),
        (f'{HEAD}records = "/srv/a\\nb"', "records: must be a folder from its drive or root on"),
        (f"{HEAD}records = true", "records: must be text"),
        ('format = "dpwizard.office/1"\nname = "a\\nb"', "name: must be a text on one line"),
        ('format = "dpwizard.office/1"\nname = " "', "name: must be a text on one line"),
        (f'{HEAD}name = "twice"', "is not TOML"),
        ("a = " + "[" * 2_000, "is not TOML"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"x" * (2**20 + 1), "is larger than 1 MB"),
    ],
)
def test_a_broken_file_is_said_in_words_and_sets_nothing(tmp_path: Path, text: str | bytes, said: str) -> None:
    found = placed(office(tmp_path, text))
    assert found.settings is None
    assert said in str(found.problem)
    assert str(tmp_path / "office.toml") in str(found.problem)
    assert found.new_decision().paper is None
    assert language_set(tmp_path) in (None, *LANGUAGES)


def test_links_folders_and_pipes_in_place_of_the_file_are_said_and_never_waited_for(tmp_path: Path) -> None:
    place = tmp_path / "office.toml"
    place.symlink_to(tmp_path / "gone")
    assert "does not exist" in str(placed(tmp_path).problem)
    place.unlink()
    place.symlink_to(place)
    assert "leads back to itself" in str(placed(tmp_path).problem)
    place.unlink()
    place.mkdir()
    assert "is a folder" in str(placed(tmp_path).problem)
    place.rmdir()
    os.mkfifo(place)
    assert "is not a regular file" in str(placed(tmp_path).problem)
    assert language_set(tmp_path) is None


def test_a_folder_that_may_not_be_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    office(tmp_path, HEAD)
    monkeypatch.setattr(os, "lstat", refused)
    monkeypatch.setattr(os, "open", refused)
    assert "cannot be read or written by you: you lack the permission" in str(placed(tmp_path).problem)


def test_a_folder_of_records_that_is_gone_or_closed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = tmp_path / "there"
    there.mkdir()
    found = placed(office(tmp_path, f"{HEAD}records = {json.dumps(str(there))}"))
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    folder, problem = found.folder_of_records()
    assert folder is None
    assert "cannot write" in problem.text()
    there.rmdir()
    there.write_text("a file", "utf-8")
    folder, problem = found.folder_of_records()
    assert folder is None
    assert "does not exist" in problem.text()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_file_to_begin_with_sets_nothing_and_with_its_examples_everything(tmp_path: Path, language: str) -> None:
    with speaking(language):
        text = office_settings.template()
    place = tmp_path / "office.toml"
    place.write_text(text, "utf-8")
    begun = read_settings(place)
    set_by_it = {name for name in type(begun).model_fields if getattr(begun, name) is not None}
    assert set_by_it == {"format", "name"}
    examples = [line.removeprefix("# ") if re.match("# \\[|# [a-z]+ = ", line) else line for line in text.splitlines()]
    place.write_text("\n".join(examples), "utf-8")
    whole = read_settings(place)
    assert all(getattr(whole, name) is not None for name in type(whole).model_fields)


def test_the_command_line_says_what_holds_and_judges_a_file_before_it_is_placed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(office_folder, "OFFICE", tmp_path)
    assert cli.main(["office", "show"]) == 0
    assert json.loads(capsys.readouterr().out)["settings"] is None
    assert cli.main(["office", "new", str(tmp_path / "new.toml")]) == 0
    assert cli.main(["office", "show", str(tmp_path / "new.toml")]) == 0
    capsys.readouterr()
    office(tmp_path, f'{HEAD}records = "/nowhere/at/all"')
    assert cli.main(["office", "show"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["settings"]["records"] == "/nowhere/at/all"
    assert "does not exist: /nowhere/at/all" in told.err
    office(tmp_path, f'{HEAD}paper = "A5"')
    assert cli.main(["office", "show"]) == 2
    assert "paper" in capsys.readouterr().err
    with pytest.raises(DPWizardError, match="paper"):
        read_settings(tmp_path / "office.toml")
