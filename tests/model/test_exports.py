"""What leaves a record for other places is complete, escaped, says where it comes from, and is solved again."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpwizard.base import json_text
from dpwizard.base.errors import DPWizardError, InvalidInput, SigningProblem
from dpwizard.base.one_line import on_one_line
from dpwizard.base.resource_files import FOLDER
from dpwizard.records import Record, write
from dpwizard.report import document as report
from dpwizard.signing import RecordFiles, exports
from tests.samples.decisions import STATED, example, hostile, recorded

DETAILS = {
    "curators": ["County health department"],
    "intended_use": "Comparison with the Healthy People target.",
    "product_type": "Summary statistics",
    "sector": "Healthcare",
    "region": "Durham County, North Carolina",
    "publication_date": "2026-12-01",
}


def record(*, details: dict[str, Any] | None = None, **fields: Any) -> Record:
    raw = json.loads((FOLDER / "examples" / "durham.json").read_text("utf-8"))
    raw["details"] = {**raw["details"], **(DETAILS if details is None else details)}
    release = {**raw["release"], **fields.pop("release", {})}
    return recorded({**raw, **fields, "release": release})


def named(made: Record, name: str) -> Record:
    """Return MADE with another name of its first requirement."""
    answers = made.assessment.answers
    return replace(made, assessment=replace(made.assessment, answers=(replace(answers[0], name=name), *answers[1:])))


@pytest.mark.parametrize("name", ["curators", "publication_date"])
def test_a_required_field_that_is_missing_is_named_with_its_place(name: str) -> None:
    details = {key: value for key, value in DETAILS.items() if key != name}
    with pytest.raises(InvalidInput, match=rf"\$\.details\.{name}: is missing, and the registry requires it"):
        exports.registry_entry(record(details=details), "00")


@pytest.mark.parametrize("date", ["21 November 2026", "2026-13-01", "20261121"])
def test_a_date_of_publication_is_checked(date: str) -> None:
    with pytest.raises(InvalidInput, match="publication_date: must be a date"):
        exports.registry_entry(record(details={**DETAILS, "publication_date": date}), "00")


def test_several_releases_and_gaussian_noise_are_said_in_the_registrys_words() -> None:
    made = record(release={"mechanism": "gaussian", "delta": 1e-6, "repetitions": 4}, requirements=[], epsilon=0.5)
    deployment = exports.registry_entry(made, "00")["deployment"]
    assert deployment["dp_variant"]["variant_name"] == "Approximate DP"
    assert deployment["deployment_model"]["release_type"] == "Many releases"
    assert "data_source_type" not in deployment["deployment_model"]  # whether data change is not invented
    assert deployment["accounting"]["composition"].startswith("basic; 4 repetitions")
    assert deployment["privacy_loss"]["privacy_parameters"] == {"epsilon": 2.0, "delta": 4e-6}  # of all together


@pytest.mark.parametrize("mechanism", ["gaussian", "discrete_gaussian"])
def test_a_budget_stated_in_rho_is_one_of_zero_concentrated_privacy_in_the_registry(mechanism: str) -> None:
    made = record(release={"mechanism": mechanism, "repetitions": 4}, requirements=[], epsilon=None, rho=0.125)
    deployment = exports.registry_entry(made, "00")["deployment"]
    assert deployment["dp_variant"]["variant_name"] == "Zero-concentrated DP"
    assert deployment["privacy_loss"]["privacy_parameters"] == {"rho": pytest.approx(0.5, rel=1e-12)}


def test_a_title_cannot_smuggle_code_or_markup_or_a_formula() -> None:
    title = '"""\nimport os\n<script>=cmd'
    made = record(title=title)
    compiled = compile(exports.release_code(made), "release.py", "exec")
    assert "os" not in compiled.co_names
    broken = recorded(hostile() | {"epsilon": 4, "exception_reason": title})  # what it breaks is called a script, too
    assert "<script>" not in exports.web_summary(broken, "00")
    assert next(csv.DictReader(io.StringIO(exports.answers_csv(named(made, "=1+1")))))["name"] == "'=1+1"


@pytest.mark.parametrize("name", ["=1+1", " =1+1", "\n=1+1", "@SUM(A1)", "\uff1d1+1", "-2+3", "+3-1", "\t=1"])
def test_no_spreadsheet_runs_a_name_as_a_formula(name: str) -> None:
    made = named(record(), name)
    assert next(csv.DictReader(io.StringIO(exports.answers_csv(made), newline="")))["name"] == f"'{on_one_line(name)}"


def test_delta_is_of_all_tables_once_in_every_repetition_and_of_gaussian_noise_only() -> None:
    parts = [
        {"name": name, "statistic": "count", "sensitivity": 1, "dimension": 1, "share": 0.5} for name in ("a", "b")
    ]
    made = record(
        release={"mechanism": "gaussian", "delta": 1e-6, "repetitions": 3, "parts": parts}, requirements=[], epsilon=0.5
    )
    assert made.accounting.delta_in_all == pytest.approx(3e-6)
    assert "Delta, all releases" in report.text(report.blocks(made))
    pure = record(release={"mechanism": "laplace", "delta": 1e-6}, requirements=[])
    assert pure.accounting.delta_in_all is None
    assert "delta" not in exports.registry_entry(pure, "00")["deployment"]["privacy_loss"]["privacy_parameters"]


def test_a_registry_entry_names_what_is_published_without_noise_and_all_that_is_lost() -> None:
    total = {"name": "everybody", "statistic": "count", "mechanism": "exact", "reads": []}
    ill = {"name": "ill", "statistic": "count", "mechanism": "laplace", "sensitivity": 1, "share": 1, "reads": ["ill"]}
    release = {"neighbours": "replace", "repetitions": 3, "parts": [ill, total]}
    release |= {"exact_figures": [{"name": "by region", "reads": ["region"]}], "published_elsewhere": "An almanac."}
    entry = exports.registry_entry(record(release=release, requirements=[], epsilon=0.1), "00")["deployment"]
    assert entry["dp_variant"]["unprotected_quantities"] == "An almanac.; everybody; by region"
    assert entry["privacy_loss"]["privacy_parameters"] == {"epsilon": pytest.approx(0.3)}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("release", "in_all", "delta"),
    [({"repetitions": 4}, "2.00", ""), ({"mechanism": "gaussian", "delta": 1e-5, "repetitions": 2}, "1.00", "0.00002")],
)
def test_a_web_page_states_what_all_repetitions_lose_and_delta_with_it(
    language: str, release: dict[str, Any], in_all: str, delta: str
) -> None:
    page = exports.web_summary(record(release=release, requirements=[], epsilon=0.5, language=language), "00")
    first, second = (said.replace(",", ".") for said in re.findall(r"<p>(.*?)</p>", page)[:2])
    assert f"psilon {in_all} in" in first
    assert "psilon 0.5" in first
    assert ("elta" in second) == bool(delta)
    assert second.endswith(delta)


@pytest.mark.slow
@pytest.mark.parametrize("to", sorted(exports.ENDINGS))
def test_a_damaged_record_is_refused_in_words_by_every_export(to: str) -> None:
    dice = random.Random(to)
    data = write(recorded(example("durham")))
    refused = 0
    for _ in range(20):
        raw = json.loads(data)
        place, names = raw, []
        while isinstance(place, dict | list) and place and (not names or dice.random() < 0.8):
            names.append(dice.choice(sorted(place)) if isinstance(place, dict) else dice.randrange(len(place)))
            owner, place = place, place[names[-1]]
        owner[names[-1]] = dice.choice([None, -1, True, "=x", [], {}, [None], 1e308])
        try:
            exports.export(json_text.document(raw), to)
        except DPWizardError as problem:
            refused += bool(problem.message)
    assert refused > 3


def test_code_without_noise_to_add_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no noise to add"):
        exports.release_code(record(release={"mechanism": "exact"}, requirements=[]))


def test_an_export_that_nobody_knows_is_refused_with_those_that_are_known() -> None:
    data = write(recorded(example("durham")))
    with pytest.raises(InvalidInput, match="registry, opendp, script, script_opendp, csv, web, html"):
        exports.export(data, "docx")


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
