"""What an entry of the public registry of deployments may hold: our own list of its names, types and choices.

Written down from the descriptions that the registry's repository (opendp/deployments-registry-data, commit 3e9c812)
gives of its fields; nothing here is copied from it. A field is its type, or the choices it has; a name that ends in "*"
is required, and no other name is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

NUMBER, TEXT, TEXTS, DAY, ANY = "a number", "a text", "a list of texts", "a day", "anything"
ENTRY: dict[str, Any] = {
    "url_slug*": TEXT,
    "status*": (
        "Converted",
        "Draft",
        "Pending",
        "Changes Required",
        "Approved",
        "Approved (Update Requested)",
        "Approved (Pending)",
    ),
    "tier*": (1, 2, 3),
    "deployment*": {
        "basic*": {
            "name*": TEXT,
            "data_curators*": TEXTS,
            "intended_use*": TEXT,
            "data_product_type*": (
                "Summary statistics",
                "Machine learning model",
                "Dataset",
                "Synthetic data",
                "Interactive API",
                "SQL queries",
            ),
            "data_product_region*": TEXT,
            "description*": TEXT,
            "publication_date*": DAY,
            "data_product_sector": ("Technology", "Healthcare", "Education", "Government", "Energy", "Finance"),
        },
        "dp_variant": {
            "variant_name": ("Pure DP", "Approximate DP", "Zero-concentrated DP", "Renyi DP", "Custom"),
            "data_domain": TEXT,
            "unprotected_quantities": TEXT,
        },
        "privacy_loss": {
            "privacy_unit": TEXT,
            "privacy_unit_details": TEXT,
            "privacy_parameters": {"epsilon": NUMBER, "delta": ANY, "rho": NUMBER},
            "privacy_parameters_details": ANY,
        },
        "deployment_model": {
            "model_name": ("Local", "Central", "Shuffle", "Federated", "Varies"),
            "model_name_details": TEXT,
            "actors": TEXT,
            "release_type": ("One release", "Many releases"),
            "release_type_details": TEXT,
            "data_source_type": ("Static", "Dynamic"),
            "data_source_type_details": ANY,
            "access_type": ("Interactive", "Non-interactive"),
            "access_type_details": TEXT,
        },
        "accounting": {"post_processing": TEXT, "composition": TEXT},
        "implementation": {
            "preprocessing_and_hyperparameter_tuning": TEXT,
            "mechanisms": TEXT,
            "justification": TEXT,
        },
        "administrative": {"sources": TEXT, "notes": TEXT, "registry_authors*": TEXTS},
    },
}


def problems(found: Any, allowed: Any = None, where: str = "$") -> Iterator[str]:
    """Yield what an entry has that the registry does not allow, and what it lacks."""
    declared = ENTRY if allowed is None else allowed
    if isinstance(declared, dict):
        if not isinstance(found, dict):
            yield f"{where} is no object"
            return
        names = {name.removesuffix("*"): each for name, each in declared.items()}
        yield from (f"{where}.{name} is not a field" for name in found if name not in names)
        yield from (
            f"{where}.{name[:-1]} is missing" for name in declared if name[-1] == "*" and name[:-1] not in found
        )
        for name, value in found.items():
            if name in names:
                yield from problems(value, names[name], f"{where}.{name}")
    elif isinstance(declared, tuple):
        if found not in declared:
            yield f"{where} is {found!r}, and must be one of {declared}"
    elif not _is(found, declared):
        yield f"{where} is {found!r}, and must be {declared}"


def _is(found: Any, kind: str) -> bool:
    if kind == NUMBER:
        return isinstance(found, int | float) and not isinstance(found, bool)
    if kind == TEXTS:
        return isinstance(found, list) and bool(found) and all(isinstance(one, str) for one in found)
    if kind == DAY:
        return isinstance(found, str) and date.fromisoformat(found).isoformat() == found
    return kind == ANY or isinstance(found, str)
