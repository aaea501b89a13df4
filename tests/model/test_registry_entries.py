"""The registry entry of each example holds what the registry allows, and the second opinion finds nothing wrong."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest
import yaml

from dpwizard.examination import examine
from dpwizard.signing import exports
from tests.model.test_real_decisions import REAL
from tests.samples.decisions import EXAMPLES, example, recorded
from tests.samples.registry_schema import problems

NAMES = sorted(path.stem for path in EXAMPLES.glob("*.json"))
WANTED: dict[str, Any] = {  # what the registry requires, and an example from a paper has not
    "curators": ["A county"],
    "intended_use": "Health planning.",
    "product_type": "Summary statistics",
    "region": "Durham County",
    "publication_date": "2026-12-01",
}


@cache
def exported(name: str) -> str:
    """Return the entry of an example; of one that others decided, as it stands."""
    raw = example(name)
    if name not in REAL:
        raw["details"] = WANTED | raw.get("details", {})
        raw["release"].setdefault("description", "A table.")
        raw.setdefault("title", "A table")
    return exports.registry_yaml(exports.registry_entry(recorded(raw), "0" * 64))


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_the_entry_of_each_example_is_one_the_registry_takes_and_agrees_with_itself(name: str) -> None:
    text = exported(name)
    entry = yaml.safe_load(text)
    assert list(problems(entry)) == []
    found = examine(text.encode())
    assert found.kind == "registry"
    assert found.title == entry["deployment"]["basic"]["name"]
    assert [one for one in found.findings if one.verdict == "differs"] == []
    stated = entry["deployment"]["privacy_loss"].get("privacy_parameters", {})
    assert not stated.keys() & {"epsilon", "rho"} or found.counted("agrees")


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("redistricting_persons", "Zero-concentrated DP"),
        ("page_views", "Zero-concentrated DP"),
        ("energy_study", "Approximate DP"),
        ("mobility_reports", "Pure DP"),
    ],
)
def test_an_entry_names_its_variant_as_the_registry_does(name: str, variant: str) -> None:
    deployment = yaml.safe_load(exported(name))["deployment"]
    assert deployment["dp_variant"]["variant_name"] == variant
    assert "Data sets of" in deployment["dp_variant"]["data_domain"]


def test_an_entry_of_ours_that_was_changed_by_hand_is_found_out() -> None:
    text = exported("redistricting_persons")
    entry = yaml.safe_load(text)
    assert len(examine(text.encode()).findings) > 4
    other = copy.deepcopy(entry)
    other["deployment"]["privacy_loss"]["privacy_parameters"]["rho"] *= 2
    found = examine(yaml.safe_dump(other).encode()).findings
    assert "sum" in {one.statement for one in found if one.verdict == "differs"}
    rewritten = text.replace("(epsilon = 17.1", "(epsilon = 16.1")
    assert rewritten != text
    assert "conversion" in {one.statement for one in examine(rewritten.encode()).findings if one.verdict == "differs"}


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("tier",), 4),
        (("deployment", "dp_variant", "variant_name"), "zCDP"),
        (("deployment", "basic", "publication_date"), 2026),
        (("deployment", "basic", "data_curators"), []),
        (("deployment", "privacy_loss", "privacy_parameters", "rho"), "1/5"),
        (("deployment", "surprise"), "x"),
    ],
)
def test_what_the_registry_does_not_allow_is_seen(place: tuple[str, ...], value: Any) -> None:
    entry = yaml.safe_load(exported("page_views"))
    owner = entry
    for name in place[:-1]:
        owner = owner[name]
    owner[place[-1]] = value
    assert list(problems(entry))
