"""Sampled sensitivity: the quantile, its rank, how many samples, and the table read in one pass."""

from __future__ import annotations

import math
from collections.abc import Iterator

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import InvalidInput
from dpwizard.privacy import privacy_at_risk as risk


def test_the_sampled_sensitivity_is_an_order_statistic_of_l1_distances():
    pairs = [[[0, 0], [1, 2]], [[5, 5], [5, 4]], [[1, 1], [0, 3]], [[0, 0], [10, 0]]]
    assert risk.sampled_sensitivity(pairs=pairs, confidence=0.25) == 1
    assert risk.sampled_sensitivity(pairs=pairs, confidence=0.5) == 3
    assert risk.sampled_sensitivity(pairs=pairs, confidence=0.51) == 3
    assert risk.sampled_sensitivity(pairs=pairs, confidence=0.76) == 10
    assert risk.sampled_sensitivity(pairs=pairs, confidence=1) == 10
    assert risk.sampled_sensitivity(pairs=pairs, confidence=1e-300) == 1


def test_the_rank_is_taken_from_the_decimal_that_is_written():
    assert math.ceil(0.07 * 100) == 8  # in binary
    pairs = [[[0], [i]] for i in range(1, 101)]
    assert risk.sampled_sensitivity(pairs=pairs, confidence=0.07) == 7
    assert risk.sampled_sensitivity(pairs=pairs, confidence=0.29) == 29


@given(distances=st.lists(st.floats(0, 1e6), min_size=1, max_size=40), confidence=st.floats(0.001, 1))
def test_a_share_of_at_least_the_confidence_lies_within(distances, confidence):
    found = risk.sampled_sensitivity(pairs=[[[0.0], [d]] for d in distances], confidence=confidence)
    assert found in distances
    assert sum(d <= found for d in distances) >= confidence * len(distances) * (1 - 1e-12)
    assert sum(d < found for d in distances) < confidence * len(distances) * (1 + 1e-12)


def test_ten_thousand_samples_for_a_tolerance():
    assert risk.samples_needed(tolerance=0.9, rho=0.01) == 14979
    assert risk.published_tolerance(rho=0.01, samples=14979) >= 0.9
    assert risk.published_tolerance(rho=0.01, samples=14978) < 0.9


@given(tolerance=st.floats(0, 1, exclude_max=True), rho=st.floats(-6, 0))
def test_the_number_of_samples_is_the_smallest_that_suffices(tolerance, rho):
    rho = 10.0**rho
    n = risk.samples_needed(tolerance=tolerance, rho=rho)
    with mpmath.workdps(60):
        exact = mpmath.log(2 / (1 - mpmath.mpf(repr(tolerance)))) / (2 * mpmath.mpf(repr(rho)) ** 2)
        assert n == mpmath.ceil(exact)


# ------------------------------------------------------------------------------------- from a table


def read(text: str, confidence: float = 1, **rest):
    return risk.sampled_sensitivity_from_csv(
        lines=text.splitlines(keepends=True), confidence=confidence, origin="test_data", **rest
    )


def test_a_table_gives_what_the_pairs_give():
    found = read("fx1,fx2,fy1,fy2\n0,0,1,2\n5,5,5,4\n\n1,1,0,3\n0,0,10,0\n", 0.5)
    assert (found.sensitivity, found.rank, found.samples) == (3.0, 2, 4)


def test_a_heading_is_optional_and_other_delimiters_and_marks_are_read():
    assert read("\ufeff1,4\r\n2,3\r\n").sensitivity == 3.0
    assert read("1;4.5\n2;3\n", delimiter=";").sensitivity == 3.5
    assert read('"1","4"\n').sensitivity == 3.0


def test_the_table_is_read_once_and_row_by_row():
    seen = []

    def lines() -> Iterator[str]:
        for i in range(50_000):
            seen.append(i)
            yield f"{i},{i + i % 100}\n"

    found = risk.sampled_sensitivity_from_csv(lines=lines(), confidence=0.5, origin="public")
    assert (found.sensitivity, found.samples) == (49.0, 50_000)
    assert seen == list(range(50_000))


def test_confidential_data_are_refused_with_the_reason():
    with pytest.raises(InvalidInput) as caught:
        risk.sampled_sensitivity_from_csv(lines=["1,2\n"], confidence=0.5, origin="confidential")
    assert caught.value.where == "origin"
    assert "confidential" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "lines"),
        ("a,b\n", "lines"),
        ("1,2\nx,3\n", "line 2"),
        ("1,2\n1,nan\n", "line 2"),
        ("1,2\n1,inf\n", "line 2"),
        ("1,2\n1,1e301\n", "line 2"),
        ("1,2\n1,2,3,4\n", "line 2"),
        ("1,2,3\n", "line 1"),
        ("a,b\n1,2\n1\n", "line 3"),
        ("a,b\nc,d\n", "line 2"),
        ("1,1_000\n1,2,3\n", "line 2"),
    ],
)
def test_a_bad_table_is_refused_by_the_line(text, where):
    with pytest.raises(InvalidInput) as caught:
        read(text)
    assert caught.value.where == where
    assert caught.value.hint


def test_what_is_no_text_or_no_number_is_refused():
    for lines in ([b"1,2\n"], [3], 3, None, "1,2\n"):
        with pytest.raises(InvalidInput):
            risk.sampled_sensitivity_from_csv(lines=lines, confidence=0.5, origin="public")
    for confidence in (0, 2, "half", math.nan):
        with pytest.raises(InvalidInput):
            risk.sampled_sensitivity_from_csv(lines=["1,2\n"], confidence=confidence, origin="public")
    with pytest.raises(InvalidInput):
        read("1,2\n", delimiter=",,")
    with pytest.raises(InvalidInput):
        read("1," + "9" * 200_000 + "\n")  # longer than a field of a table can be


def test_bytes_that_are_no_text_are_refused_by_the_line(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(b"1,2\n\xff\xfe,3\n")
    with path.open(encoding="utf-8") as lines, pytest.raises(InvalidInput, match="encoding"):
        risk.sampled_sensitivity_from_csv(lines=lines, confidence=0.5, origin="public")
