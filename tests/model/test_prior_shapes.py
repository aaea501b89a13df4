"""Priors as pictures: drawn, turned into bars, reshaped, and read from CSV files that may be hostile."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import DPWizardError, FileProblem, InvalidInput
from dpwizard.base.values import read
from dpwizard.privacy.priors import Distribution, Histogram, Prior, as_bars, bars_from_csv, bars_from_file, reshaped
from dpwizard.privacy.priors.bars import MOST_BYTES
from tests.samples import priors


def prior(raw: dict[str, object]) -> Distribution:
    found: Distribution = read(Prior, raw)
    return found


@pytest.mark.parametrize("raw", priors.every(), ids=lambda raw: raw["family"])
def test_an_unanswered_prior_is_not_drawn(raw: dict[str, object]) -> None:
    open_ = prior({"family": raw["family"]})
    if open_.missing():
        assert open_.picture() is None
        with pytest.raises(InvalidInput):
            as_bars(open_)


@pytest.mark.parametrize(
    "raw",
    [
        {"family": "uniform", "low": -1e300, "high": 1e300},
        {"family": "normal", "mean": 1e300, "sd": 1e-300},
        {"family": "lognormal", "log_mean": 1e4, "log_sd": 1e4},
        {"family": "beta", "a": 1e-300, "b": 1e300},
        {"family": "exponential", "rate": 1e-300},
        {"family": "discrete", "points": [7]},
    ],
    ids=lambda raw: f"{raw['family']}",
)
def test_extreme_priors_are_drawn_or_refused_and_never_break(raw: dict[str, object]) -> None:
    shown = prior(raw)
    shown.picture()
    try:
        bars = as_bars(shown)
    except DPWizardError:
        return
    assert all(math.isfinite(weight) for weight in bars.weights or ())


@given(st.lists(st.floats(0, 1e6), min_size=2, max_size=20).filter(any), st.integers(0, 19), st.floats(-1, 2))
def test_a_bar_takes_the_share_it_is_given_and_the_others_keep_their_proportions(
    weights: list[float], index: int, share: float
) -> None:
    bars = Histogram(edges=tuple(float(i) for i in range(len(weights) + 1)), weights=tuple(weights))
    index %= len(weights)
    moved = reshaped(bars, index, share)
    assert moved.weights is not None
    if moved is bars:
        return
    assert moved.weights[index] == pytest.approx(min(max(share, 0), 0.99), abs=1e-6)
    assert math.fsum(moved.weights) == pytest.approx(1, abs=1e-4)


# ------------------------------------------------------------------------------------------ files


@pytest.mark.parametrize(
    "text",
    [
        "low,high,share\n0,1,2\n1,3,6\n",
        "\ufefflow;high;share\r\n0;1;0,25\r\n1;3;0,75\r\n",
        "1\t3\t3\n0\t1\t1\n",
        '"0","1","1"\n"1","3","3"',
    ],
)
def test_bins_are_read_with_any_separator_and_in_any_order(text: str) -> None:
    bars = bars_from_csv(text.encode())
    assert bars.edges == (0.0, 1.0, 3.0)
    assert bars.weights is not None
    assert bars.weights[1] == 3 * bars.weights[0]


def test_a_gap_between_bins_has_no_mass() -> None:
    assert bars_from_csv(b"0,1,1\n5,6,1").weights == (1.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "holds no bins"),
        (b"low,high,share\n", "holds no bins"),
        (b"17\n18\n19\n", "looks like data"),
        (b"1,2\n", "2 cells"),
        (b"0,1,1\n0.5,2,1\n", "overlaps"),
        (b"1,0,1\n", "not below"),
        (b"0,1,-1\n", "negative"),
        (b"0,1,0\n", "only shares of 0"),
        (b"0,1,=cmd|' /C calc'!A0\n", "not a number"),
        (b"0,nan,1\n", "not a number"),
        (b"0,inf,1\n", "not a number"),
        (b"0,1e999,1\n", "not a number"),
        (b"0,1_000,1\n", "not a number"),
        (b"\xff\xfe0\x00,", "holds no bins"),
        (b"PK\x03\x04\x00\x00", "holds no bins"),
        (b'0,1,"1\n2,3,4', "not a number"),
        (b"0,1," + b"9" * 200_000, ""),
        (b"x" * (MOST_BYTES + 1), "larger than 1 MB"),
        ("\n".join(f"{i},{i + 1},1" for i in range(2_001)).encode(), "2,000 bins"),
        ("0,1,\u202e1\n".encode(), "not a number"),
    ],
    ids=range(20),
)
def test_a_hostile_file_is_refused_in_words(data: bytes, words: str) -> None:
    with pytest.raises(InvalidInput) as told:
        bars_from_csv(data)
    assert words in told.value.message
    assert told.value.hint


@given(st.one_of(st.binary(max_size=200), st.text(alphabet='0123456789.,;-e\n"\t ', max_size=120).map(str.encode)))
def test_any_bytes_are_bars_or_an_error_in_words(data: bytes) -> None:
    try:
        bars = bars_from_csv(data)
    except InvalidInput:
        return  # nothing else may leave it
    assert bars.edges is not None
    assert len(bars.edges) == len(bars.weights or ()) + 1


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileProblem):
        bars_from_file(tmp_path / "nowhere.csv")
    with pytest.raises(FileProblem):
        bars_from_file(tmp_path)
