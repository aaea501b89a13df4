"""Code for a release of several tables: each with its own dimension and epsilon, and what has no code is named."""

from __future__ import annotations

import math
import random
import re
from fractions import Fraction
from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import read_decision
from dpwizard.records import making, release_code
from tests.samples.decisions import example, recorded

TABLES = [
    {"name": "Districts", "sensitivity": 1, "dimension": 90, "statistic": "histogram", "mechanism": "geometric"},
    {"name": "Means", "sensitivity": 0.5, "dimension": 3, "statistic": "mean", "mechanism": "laplace", "share": 0.3},
    {"name": "Total", "sensitivity": 1, "dimension": 1, "statistic": "count", "mechanism": "geometric", "share": 0.2},
]


def coded(epsilon: float = 1.0, **release: Any) -> str:
    raw = example("durham", epsilon=epsilon, requirements=[])
    raw["release"] |= {"statistic": "vector", "mechanism": "laplace", "sensitivity": 2, "delta": 1e-6, **release}
    code = release_code(recorded(raw))
    compile(code, "release.py", "exec")
    return code


def spaces(code: str) -> dict[str, str]:
    """Return the space of each measurement by the name of its function."""
    return dict(re.findall(r"def (\w+)_measurement\(\):.*?    space = (.*?)\n", code, flags=re.DOTALL))


def test_each_table_has_its_own_dimension_also_where_another_lacks_its_share() -> None:
    found = spaces(coded(parts=TABLES))
    assert list(found) == ["release_2", "release_3"]
    assert found["release_2"].startswith("dp.vector_domain(dp.atom_domain(T=float")  # three means, not ninety districts
    assert (
        found["release_3"] == 'dp.atom_domain(T="i64"), dp.absolute_distance(T="i64")'
    )  # one whole number, not a list
    assert "a list of 3 numbers" in coded(parts=TABLES)
    assert "The table 'Districts' (release_1) has no function here: the decision lacks an answer" in coded(parts=TABLES)
    whole = spaces(coded(parts=[{**TABLES[0], "share": 0.5}, *TABLES[1:]]))
    assert list(whole) == ["release_1", "release_2", "release_3"]


def test_a_table_without_noise_is_named_and_has_no_code() -> None:
    code = coded(parts=[{**TABLES[0], "share": 0.5, "mechanism": "exact"}, *TABLES[1:]])
    assert "The table 'Districts' (release_1) has no function here: it is published without noise." in code


def test_code_says_how_often_the_release_is_made() -> None:
    assert "made 4 times on the same people" in coded(repetitions=4)
    assert "times on the same people" not in coded()


@pytest.mark.parametrize(
    ("part", "where"),
    [
        ({"statistic": "mean", "sensitivity": 1}, "$.release.parts[0].mechanism"),
        ({"sensitivity": 0.5}, "$.release.parts[0].sensitivity"),
    ],
)
def test_geometric_noise_on_what_is_no_whole_number_is_refused_by_name(part: dict[str, Any], where: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        coded(parts=[{**TABLES[0], "share": 0.5, **part}, *TABLES[1:]])
    assert refused.value.where == where


def test_the_tables_together_never_come_to_more_than_epsilon_and_their_noise_is_never_too_small() -> None:
    dice = random.Random(15)
    for _ in range(300):
        count = dice.randint(2, 7)
        cut = sorted(dice.randint(1, 999) for _ in range(count - 1))
        shares = [(high - low) / 1000 for low, high in zip([0, *cut], [*cut, 1000], strict=True) if high > low]
        parts = [{"name": f"T{i}", "sensitivity": dice.randint(1, 9), "share": share} for i, share in enumerate(shares)]
        epsilon = 10 ** dice.uniform(-4, 2)
        raw = example("durham", epsilon=epsilon, requirements=[])
        raw["release"] |= {"mechanism": "geometric", "parts": parts}
        rows = making.implementation(read_decision(raw).release, epsilon)
        assert sum(Fraction(row["epsilon"]) for row in rows) <= Fraction(epsilon)
        for row in rows:
            assert Fraction(row["sensitivity"]) / Fraction(row["scale"]) <= Fraction(row["epsilon"])
            assert row["alpha"] >= math.exp(-row["epsilon"] / row["sensitivity"])


def test_release_whose_budget_is_shared_by_needs_is_exported_with_noise_for_each_table() -> None:
    made = recorded(example("household_tables"))
    code = release_code(made)
    names = [row.part for row in made.implementation]
    assert len(names) > 1
    assert list(spaces(code)) == [f"release_{number}" for number in range(1, len(names) + 1)]
    assert "has no function here" not in code
    compile(code, "release.py", "exec")


def test_code_says_how_often_each_table_is_made() -> None:
    code = coded(parts=[{**TABLES[0], "share": 0.5, "times": 12}, *TABLES[1:]])
    assert "# The table 'Districts' is made 12 times in each release: call release_1 once each time" in code
    assert code.count("times in each release") == 1
