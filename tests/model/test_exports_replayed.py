"""What is handed on comes from the decision, solved again; what a record claims is believed by no export."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from dpwizard import json_text
from dpwizard.errors import InvalidInput, SigningProblem
from dpwizard.records import record
from dpwizard.signing import RecordFiles, exports
from tests.model.test_signing_binding import STATED, attacked, made

__all__ = ["made"]  # the fixture
GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "records" / "second"
FORMS = ("registry", "opendp", "csv", "web", "html")
REQUIRED = {"curators": ["Office"], "intended_use": "planning", "product_type": "Summary statistics", "region": "US"}


def complete(made: dict[str, Any]) -> dict[str, Any]:
    """Return the record MADE with what the registry requires."""
    found = copy.deepcopy(made)
    found["decision"].setdefault("details", {}).update(REQUIRED | {"publication_date": "2026-11-22"})
    found["decision"]["release"]["description"] = "A count"
    return found


def lying(made: dict[str, Any]) -> dict[str, Any]:
    """Return the record MADE with false claims of what its decision comes to."""
    found = complete(made)
    found["implementation"][0]["scale"] = 0.001
    found["accounting"]["epsilon_all_repetitions"] = 0.001
    found["sentences"]["window"] = "Epsilon 0.001 was approved."
    for answer in found["sentences"]["answers"]:
        answer["bound"] = "at most 0.001"
    found["assessment"]["answers"][0]["epsilon"] = 0.001
    return found


@pytest.mark.parametrize("to", FORMS)
def test_a_record_whose_claims_are_not_its_decisions_is_refused_or_labelled_and_never_repeated(
    to: str, made: dict[str, Any]
) -> None:
    data = record.record_bytes(lying(made))
    with pytest.raises(InvalidInput, match="says something else than its decision gives"):
        exports.export(data, to)
    text = exports.export(data, to, unverified=True)
    assert "Not verified." in text
    assert "0.001" not in text.replace("0.0010", "")
    if to == "opendp":
        compile(text, "release.py", "exec")


@pytest.mark.parametrize("to", ["registry", "web", "csv"])
def test_false_sentence_is_refused_and_not_repeated_even_where_every_number_is_met(
    to: str, made: dict[str, Any]
) -> None:
    claimed = complete(made)
    claimed["sentences"]["window"] = "Any epsilon was approved."
    claimed["sentences"]["answers"][0]["bound"] = "unlimited"
    data = record.record_bytes(claimed)
    with pytest.raises(InvalidInput, match="says something else than its decision gives"):
        exports.export(data, to)
    text = exports.export(data, to, unverified=True)
    assert "Any epsilon" not in text
    assert "unlimited" not in text


@pytest.mark.slow
def test_sentences_of_an_older_public_edition_are_not_repeated() -> None:
    raw = json_text.parse((GOLDEN / "durham-public.json").read_bytes())
    honest = exports.export(record.record_bytes(raw), "web")
    raw["sentences"]["answers"][0]["bound"] = "approved without limit"
    raw["sentences"]["position"] = "approved without limit"
    assert "without limit" not in exports.export(record.record_bytes(raw), "web")
    assert exports.export_files(RecordFiles.beside(GOLDEN / "durham-public.json"), "web", STATED.time) == honest


@pytest.mark.slow
@pytest.mark.parametrize("what", ["the JSON changed", "other pages", "no signature"])
def test_a_record_that_does_not_verify_is_refused_or_labelled(what: str, made: dict[str, Any], tmp_path: Path) -> None:
    shown = copy.deepcopy(made)
    if what == "other pages":
        shown["decision"]["epsilon"] = shown["assessment"]["epsilon"] = 0.01
    target = attacked(made, shown, tmp_path)
    if what == "the JSON changed":
        target.json.write_bytes(target.json.read_bytes() + b" ")
    if what == "no signature":
        target.jws.unlink()
        target.pdf.unlink()
    with pytest.raises(SigningProblem, match="does not verify"):
        exports.export_files(target, "opendp", STATED.time)
    assert exports.export_files(target, "opendp", STATED.time, unverified=True).startswith("# Not verified.")
