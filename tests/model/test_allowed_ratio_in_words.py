"""What the figure of a profile says of the ratio that is allowed: never less than it is, and no fall where none is."""

from __future__ import annotations

from typing import Any

import pytest

from dpwizard.report import document
from dpwizard.report.blocks import Figure
from tests.samples.decisions import example, recorded


def figure_of(profile: dict[str, Any]) -> Figure:
    """Return the figure of the worked example's first requirement with another PROFILE."""
    raw = example("durham")
    raw["requirements"] = [{**raw["requirements"][0], "profile": profile}, *raw["requirements"][1:]]
    made = recorded(raw)
    drawn = [block for block in document.blocks(made) if isinstance(block, Figure)]
    return next(figure for figure in drawn if "allowed ratio" in figure.scene.alternative)


@pytest.mark.parametrize(
    ("profile", "said"),
    [
        ({"shape": "constant", "ratio": 3}, "The allowed ratio is 3.00 throughout."),
        ({"shape": "constant", "ratio": 2.4243}, "The allowed ratio is 2.43 throughout."),
        ({"shape": "cap_or_ratio", "posterior": 0.5, "ratio": 5}, "The allowed ratio falls from "),
    ],
)
def test_allowed_ratio_is_rounded_up_and_falls_only_where_it_does(profile: dict[str, Any], said: str) -> None:
    assert said in figure_of(profile).scene.alternative
