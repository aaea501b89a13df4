"""What is generated from the declarations is up to date, and a script beside it can still be run."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any, get_args

import pytest

from dpwizard.decision.requirement import Basis, Side, Status

ROOT = Path(__file__).resolve().parent.parent


def script(name: str) -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "scripts" / f"{name}.py"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["decision", "compute"])
def test_the_schemas_in_the_resources_are_those_of_the_source(name: str) -> None:
    text = script("make_reference")["schema_text"](name)
    assert (ROOT / "resources" / "schema" / f"{name}.json").read_text("utf-8") == text, "run make reference"


def test_the_schema_of_an_assessment_knows_every_status_side_and_ground() -> None:
    schema = json.loads((ROOT / "resources" / "schema" / "assessment.json").read_text("utf-8"))
    answer = schema["properties"]["answers"]["items"]["properties"]
    assert set(answer["status"]["enum"]) == set(get_args(Status))
    assert set(answer["side"]["enum"]) == set(get_args(Side))
    assert set(answer["grounds"]["enum"]) == {*get_args(Basis), None}


def test_the_page_of_functions_is_that_of_the_source() -> None:
    text = script("make_reference")["functions_text"]()
    assert (ROOT / "docs" / "functions.md").read_text("utf-8") == text, "run make reference"


def test_the_script_of_docs_soak_finds_what_it_imports() -> None:
    assert script("soak_figures")["main"]
