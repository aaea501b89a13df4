"""Sixty-five tables over six levels, as a census shares its budget out, with needs on most; and two thousand others."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpwizard.decision import FORMAT

PUBLISHED = Path(__file__).resolve().parents[1] / "oracles" / "published" / "census_certificates.json"
MARGINS = {"US": 5, "State": 8, "County": 14, "Tract": 22, "Block_Group": 40, "Block": 60}


def census(margins: dict[str, float] | None = None, **changes: Any) -> dict[str, Any]:
    """Return the tables of the 2020 redistricting file on persons, as a decision counted in rho.

    MARGINS are the largest margins of error, by level, of every table but the detailed ones.
    """
    asked = MARGINS if margins is None else margins
    found = json.loads(PUBLISHED.read_text("utf-8"))["US persons"]
    levels = {level: Fraction(share) for level, share in found["levels"].items()}
    parts, needs = [], []
    for query, shares in found["queries"].items():
        for (level, of_level), share in zip(levels.items(), shares.split(), strict=True):
            name = f"{level.replace('_', ' ')}: {query}"
            if not Fraction(share):
                continue
            parts.append(
                {"name": name, "sensitivity": 1, "statistic": "histogram", "share": str(of_level * Fraction(share))}
            )
            if level in asked and query != "detailed":
                need = {"kind": "margin_of_error", "part": name, "half_width": asked[level], "z": 1.96}
                needs.append(need)
    release = {
        "description": "How many people live where, by race, ethnicity, age and household.",
        "neighbours": "add_remove",
        "mechanism": "discrete_gaussian",
        "unit": "one person",
        "population": 331_449_281,
        "parts": parts,
    }
    made = {
        "format": FORMAT,
        "title": "Sixty-five tables",
        "release": release,
        "requirements": needs,
        "rho": found["rho"],
    }
    return made | changes


def many(count: int) -> dict[str, Any]:
    """Return a decision on COUNT tables with noise of as many sizes; every second one has a need."""
    parts = [
        {"name": f"Table {i}", "sensitivity": 1, "statistic": "histogram", "share": f"{i}/{count * (count + 1)}"}
        for i in range(1, count + 1)
    ]
    needs = [
        {"kind": "rmse", "part": part["name"], "at_most": 5 + i % 400} for i, part in enumerate(parts) if not i % 2
    ]
    release = {"neighbours": "add_remove", "mechanism": "discrete_gaussian", "unit": "one person", "parts": parts}
    return {"format": FORMAT, "title": "Many tables", "release": release, "requirements": needs, "rho": 2.5}
