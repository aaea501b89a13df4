"""Made-up persons of twelve districts, and the decision to publish four tables of them."""

from __future__ import annotations

import random
from typing import Any

DISTRICTS = [f"D{number:02d}" for number in range(1, 13)]
REGIONS = {district: ("North", "East", "South")[at // 4] for at, district in enumerate(DISTRICTS)}
COLUMNS: dict[str, Any] = {
    "district": {"classes": DISTRICTS},
    "region": {"of": "district", "map": REGIONS},
    "sex": {"classes": ["f", "m"]},
    "age": {"of": "years", "from": [0, 18, 40, 65]},
    "hours": {"low": 0, "high": 60},
}
DATA: dict[str, Any] = {"unit_column": "person", "columns": COLUMNS}
HEADINGS = "person,district,sex,years,hours"


def table(name: str, *reads: str, **more: Any) -> dict[str, Any]:
    """Return a part that counts persons by what it READS."""
    return {"name": name, "statistic": "histogram", "sensitivity": 1, "reads": list(reads), "share": "1/4", **more}


TABLES = [
    table("districts", "district", dimension=12),
    table("regions by age", "region", "age", dimension=12),
    table("districts by sex", "district", "sex", dimension=24),
    table("hours by sex", "sex", "hours", dimension=2, statistic="sum", sensitivity=60, step=1),
]


def programme(parts: list[dict[str, Any]] | None = None, **release: Any) -> dict[str, Any]:
    """Return the decision to publish PARTS of made-up persons, as JSON says it."""
    said = {"neighbours": "add_remove", "mechanism": "discrete_gaussian", "unit": "one person", "data": DATA}
    stated = said | {"parts": TABLES if parts is None else parts} | release
    return {"format": "dpwizard.decision/1", "title": "Persons", "rho": "2/25", "release": stated}


def persons(count: int, seed: int = 1) -> str:
    """Return a CSV file of COUNT made-up persons, a row each."""
    dice = random.Random(seed)
    rows = (
        f"P{number},{dice.choice(DISTRICTS)},{dice.choice('fm')},{dice.randint(0, 99)},{dice.randint(0, 80)}"
        for number in range(count)
    )
    return "\n".join((HEADINGS, *rows, ""))
