"""Published claims for tests: as they were published, and the same with what was wrong or left open set right."""

from __future__ import annotations

import copy
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

PUBLISHED = Path(__file__).resolve().parents[1] / "oracles" / "published" / "claims"


def published(name: str) -> dict[str, Any]:
    """Return one of the transcribed claims, every figure as it is written."""
    found: dict[str, Any] = yaml.load((PUBLISHED / f"{name}.yaml").read_text("utf-8"), Loader=yaml.BaseLoader)
    return found


def names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in PUBLISHED.glob("*.yaml")))


def _household() -> dict[str, Any]:
    claim = published("household_tables")
    claim["parts"][1] |= {"rho": "12.66"}
    claim["rho"] = "15.29"
    for group, rule in zip(claim["parts"], ("cks", "loose"), strict=True):
        for part in group["parts"]:
            part["rule"] = rule
    return claim


def _detailed() -> dict[str, Any]:
    claim = published("detailed_tables")
    for part, factor in zip(claim["parts"], ("4", "2"), strict=True):
        part["factor"] = factor
    return claim


def _pages() -> dict[str, Any]:
    claim = published("page_views")
    claim |= {"epsilon": "0.855", "rule": "cks", "slices": "90", "person": {"rho": "1.35"}}
    claim["noise"]["scale"] = "18.26"
    return claim


def _mobility() -> dict[str, Any]:
    return published("mobility") | {"person": {"epsilon": "2690.16"}}


def _symptoms() -> dict[str, Any]:
    claim = published("symptoms")
    claim["parts"][1]["parts"] = [
        {"name": name, "epsilon": epsilon}
        for name, epsilon in (("country", "0.0046"), ("region", "0.0094"), ("county", "0.028"))
    ]
    return claim | {"slices": "7", "person": {"epsilon": "11.76"}}


def _links() -> dict[str, Any]:
    return published("web_links") | {"mu": "0.3816", "epsilon": "1.476", "rule": "exact"}


def _historical() -> dict[str, Any]:
    claim = published("historical_views")
    claim["repeated"][1]["values"] = ["3500", "3500"]
    return claim | {"noise": {"kind": "laplace", "sensitivity": "30", "scale": "30"}}


GROUP = {
    "name": "A survey of households",
    "variant": "zcdp",
    "rho": "0.125",
    "delta": "1e-6",
    "epsilon": "2.42",
    "rule": "cks",
    "group": {"size": "4", "rho": "2"},
    "noise": {"kind": "gaussian", "sensitivity": "3", "scale": "6"},
    "parts": [
        {"name": "counts", "rho": "0.1", "noise": {"kind": "gaussian", "sensitivity_squared": "2", "scale": "3.16"}},
        {"name": "sums", "rho": "0.025"},
    ],
}
APPROXIMATE = {
    "name": "A monthly report",
    "variant": "approximate",
    "slice": "month",
    "slices": "12",
    "epsilon": "0.5",
    "delta": "1e-8",
    "person": {"epsilon": "6.0", "delta": "1.2e-7"},
    "group": {"size": "2", "epsilon": "1.0", "delta": "2.65e-8"},
    "parts": [{"name": "table", "epsilon": "0.25", "delta": "5e-9", "times": "2"}],
}
RIGHT = MappingProxyType(  # what follows agrees with what is stated, in all of them
    {
        "redistricting": published("redistricting"),
        "broadband": published("broadband"),
        "births": published("births"),
        "hiring": published("hiring"),
        "energy": published("energy_registry"),
        "household": _household(),
        "detailed": _detailed(),
        "pages": _pages(),
        "mobility": _mobility(),
        "symptoms": _symptoms(),
        "links": _links(),
        "historical": _historical(),
        "households": GROUP,
        "monthly": APPROXIMATE,
    }
)


def right(name: str) -> dict[str, Any]:
    """Return a copy of one of the claims of which every statement agrees."""
    return copy.deepcopy(RIGHT[name])
