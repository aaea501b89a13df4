"""Samples of the runs in docs/reliability.md: changed bytes are found, valid records accepted."""

from __future__ import annotations

import pytest

from benchmarks import reliability

SEED = 20_261_122


def check_mutations(count: int, records: int) -> None:
    rows = list(reliability.mutations(count, records, SEED))
    assert [row["judged"] for row in rows] == list(reliability.MEMBERS)
    for row in rows:
        assert row["missed"] == []
        assert row["changed"] == row["found"] == count // 3


def check_valid(count: int) -> None:
    rows = list(reliability.valid(count, SEED))[:3]
    assert sum(row["records"] for row in rows) == count
    for row in rows:
        assert row["unchanged"] == row["records"]


@pytest.mark.slow
def test_a_few_changes_are_found_and_a_few_valid_records_accepted() -> None:
    check_mutations(30, 1)
    check_valid(2)


@pytest.mark.slow
def test_changes_of_single_bytes_are_found_in_every_set_of_files() -> None:
    check_mutations(400, 6)


@pytest.mark.slow
def test_valid_records_are_accepted() -> None:
    check_valid(15)


@pytest.mark.soak
def test_a_longer_sample_of_changes_is_found() -> None:
    check_mutations(21_000, 50)


@pytest.mark.soak
def test_a_longer_sample_of_valid_records_is_accepted() -> None:
    check_valid(1_000)
