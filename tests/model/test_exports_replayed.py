"""What is handed on comes from the decision, solved again; what a record claims is believed by no export."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dpwizard.base import json_text
from dpwizard.base.errors import SigningProblem
from dpwizard.records import Record, write
from dpwizard.signing import RecordFiles, exports
from tests.samples.decisions import STATED, example, recorded

FORMS = ("registry", "opendp", "csv", "web", "html")
REQUIRED = {"curators": ["Office"], "intended_use": "planning", "product_type": "Summary statistics", "region": "US"}


def complete() -> Record:
    """Return a record with what the registry requires."""
    raw = example("durham")
    raw["details"] |= REQUIRED | {"publication_date": "2026-11-22"}
    raw["release"]["description"] = "A count"
    return recorded(raw)


def lying() -> bytes:
    """Return the JSON of that record with false claims of what its decision comes to."""
    found: dict[str, Any] = json.loads(write(complete()))
    found["implementation"][0]["scale"] = 0.001
    found["accounting"]["all_repetitions"] = 0.001
    found["assessment"]["answers"][0]["epsilon"] = 0.001
    found["drawn"]["accuracy"]["noises"][0]["sd"] = 0.001
    return json_text.document(found)


@pytest.mark.parametrize("to", FORMS)
def test_what_a_record_claims_falsely_is_repeated_by_no_export(to: str) -> None:
    text = exports.export(lying(), to, label="The record was changed.")
    assert "Not verified." in text
    assert "0.001" not in text.replace("0.0010", "")
    if to == "opendp":
        compile(text, "release.py", "exec")


@pytest.mark.parametrize("changed", [True, False], ids=["changed", "not signed"])
def test_a_record_that_does_not_verify_is_refused_or_labelled(changed: bool, tmp_path: Path) -> None:
    target = RecordFiles.beside(tmp_path / "r.json")
    target.json.write_bytes(lying() if changed else write(complete()))
    with pytest.raises(SigningProblem, match="does not verify"):
        exports.export_files(target, "opendp", STATED.time)
    assert exports.export_files(target, "opendp", STATED.time, unverified=True).startswith("# Not verified.")
