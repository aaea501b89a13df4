"""What is generated from the declarations is kept up to date, and the schemas accept what the program reads and
writes."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

from dpwizard.decision.requirement import Basis, Side, Status

ROOT = Path(__file__).resolve().parent.parent


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_reference", ROOT / "scripts" / "make_reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("name", ["decision", "compute"])
def test_the_schemas_in_the_resources_are_those_of_the_source(name: str) -> None:
    assert (ROOT / "resources" / "schema" / f"{name}.json").read_text("utf-8") == generator().schema_text(name), (
        "run make reference"
    )


def test_the_schema_of_an_assessment_knows_every_status_side_and_ground() -> None:
    schema = json.loads((ROOT / "resources" / "schema" / "assessment.json").read_text("utf-8"))
    answer = schema["properties"]["answers"]["items"]["properties"]
    assert set(answer["status"]["enum"]) == set(get_args(Status))
    assert set(answer["side"]["enum"]) == set(get_args(Side))
    assert set(answer["grounds"]["enum"]) == {*get_args(Basis), None}


def test_the_page_of_functions_is_that_of_the_source() -> None:
    assert (ROOT / "docs" / "functions.md").read_text("utf-8") == generator().functions_text(), "run make reference"
