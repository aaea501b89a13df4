"""A labour-force programme as an office states it: eight quarters, three levels, three queries; and its needs."""

from __future__ import annotations

from typing import Any

QUARTERS = [f"{year}-Q{quarter}" for year in (2025, 2026) for quarter in (1, 2, 3, 4)]
AREAS = [f"A{number:02d}" for number in range(30)]
LABOUR: dict[str, Any] = {
    "unit_column": "person",
    "period_column": "quarter",
    "columns": {
        "area": {"classes": AREAS},
        "region": {"of": "area", "map": {area: f"R{at // 6}" for at, area in enumerate(AREAS)}},
        "sex": {"classes": ["f", "m"]},
        "status": {"classes": ["employed", "unemployed", "inactive"]},
    },
}


def labour_csv() -> str:
    """Return the tables as a spreadsheet has them, 72 rows."""
    lines = ["Name;Statistic;Sensitivity;Numbers published;Level of the table;Period;Attributes read;Adds up to"]
    levels = (("nation", "", 1), ("regions", "region", 5), ("areas", "area", 30))
    above = {"regions": ("nation", 5), "areas": ("regions", 6)}
    for quarter in QUARTERS:
        for level, reads, size in levels:
            sums = f"{above[level][0]} {quarter}: {above[level][1]}" if level in above else ""
            lines.append(f"{level} {quarter};histogram;1;{size};{level};{quarter};{reads or 'none'};{sums}")
            for query, classes in (("sex", 2), ("status", 3)):
                read = f"{reads}, {query}" if reads else query
                lines.append(
                    f"{level} by {query} {quarter};histogram;1;{size * classes};{level} by {query};{quarter};{read};"
                    f"{level} {quarter}: {classes}"
                )
    return "\n".join(lines)


WIDTHS = {"nation": 20, "regions": 15, "areas": 10}
NEEDS = "\n".join(
    ["level,within,in 100"]
    + [f"{level}{by},{width},95" for level, width in WIDTHS.items() for by in ("", " by sex", " by status")]
)
PLAIN: dict[str, Any] = {
    "format": "dpwizard.decision/1",
    "title": "Labour force",
    "justification": "The least budget that keeps every need.",
    "outcome": "approve",
    "release": {
        "unit": "one person",
        "neighbours": "add_remove",
        "mechanism": "discrete_gaussian",
        "allocation": "needs",
        "adding_up": "least_squares",
        "post_processing": ["rounding"],
        "in_periods": {"at_most": 2, "of": "quarter"},
    },
    "requirements": [{"kind": "two_worlds", "chance_without": 0.1, "chance_with": 0.9}],
}
