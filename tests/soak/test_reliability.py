"""Samples of the runs in docs/reliability.md: changed bytes are refused, valid records pass."""

from __future__ import annotations

import pytest

from tests.soak import reliability

SEED = 20_261_122


def check_mutations(count: int, records: int) -> None:
    rows = list(reliability.mutations(count, records, SEED))
    assert [row["changed in"] for row in rows] == list(reliability.KINDS)
    for row in rows:
        assert row["missed"] == []
        assert row["changed"] == row["refused"] == count // 3


def check_valid(count: int) -> None:
    rows = list(reliability.valid(count, SEED))[:3]
    assert sum(row["records"] for row in rows) == count
    for row in rows:
        assert row["passed"] == row["records"]


@pytest.mark.soak
def test_a_longer_sample_of_changes_is_refused() -> None:
    check_mutations(21_000, 50)


@pytest.mark.soak
def test_a_longer_sample_of_valid_records_passes() -> None:
    check_valid(1_000)
