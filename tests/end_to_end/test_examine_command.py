"""The second opinion from the command line: lines of words or one line of JSON, and what the exit status says."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from dpwizard import cli
from dpwizard.base.resource_files import FOLDER
from tests.samples.claims import PUBLISHED


@pytest.mark.parametrize(
    ("name", "status"), [("household_tables", 1), ("page_views", 1), ("redistricting", 0), ("symptoms", 1)]
)
def test_the_exit_status_says_whether_anything_differs(
    name: str, status: int, capfd: pytest.CaptureFixture[str]
) -> None:
    path = PUBLISHED / f"{name}.yaml"
    assert cli.main(["examine", str(path)]) == status
    lines = capfd.readouterr().out.splitlines()
    assert ("≠ differs" in "".join(lines)) is bool(status)
    assert cli.main(["examine", str(path), "--json"]) == status
    told = json.loads(capfd.readouterr().out)
    assert told["ok"] is not bool(status)
    assert told["counts"]["differs"] == sum(one["verdict"] == "differs" for one in told["findings"])
    assert all(one["figures"] for one in told["findings"])


def test_what_is_not_determined_is_no_difference(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    claim = io.TextIOWrapper(io.BytesIO(b"epsilon: 1\nslice: day\n"))
    monkeypatch.setattr(sys, "stdin", claim)
    assert cli.main(["--language", "de", "examine", "-"]) == 0
    assert "? nicht bestimmt" in capfd.readouterr().out


def test_a_decision_of_ours_agrees_with_itself(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["examine", str(FOLDER / "examples" / "gaussian_clinic.json")]) == 0
    assert "0 differ" in capfd.readouterr().out


@pytest.mark.parametrize("text", ["epsilon: -1\n", "a: &a 1\n", "[", ""])
def test_a_file_that_is_wrong_is_said_in_words(tmp_path: Path, text: str, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "claim.yaml"
    path.write_text(text)
    assert cli.main(["examine", str(path)]) == 2
    told = capfd.readouterr()
    assert json.loads(told.out)["ok"] is False
    assert "Traceback" not in told.err
