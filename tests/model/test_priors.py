"""Priors: what is read and refused, masses and summaries by quadrature; drawn as pictures and read from CSV files."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import DPWizardError, FileProblem, InvalidInput
from dpwizard.base.values import read
from dpwizard.privacy.guessing_advantage.given_truth import GivenTruth
from dpwizard.privacy.priors import (
    Distribution,
    Histogram,
    Prior,
    answered,
    as_bars,
    bars_from_csv,
    bars_from_file,
    reshaped,
)
from dpwizard.privacy.priors.bars import MOST_BYTES
from tests.oracles import guessing_oracle
from tests.samples import priors
from tests.samples.priors import FAMILIES, sample

SMOOTH = [one for one in FAMILIES if read(Prior, sample(one)).listed() is None]


@pytest.mark.parametrize("family", SMOOTH)
def test_the_probability_of_an_interval_is_that_of_the_definition_to_eleven_digits(family: str) -> None:
    for truth, precision in ((2.0, 0.5), (1.3, 0.3), (3.0, 2.0), (0.0, 0.25), (2.5, 0.7)):
        expected = guessing_oracle.prior_probability(sample(family), truth, precision)
        assert GivenTruth(read(Prior, sample(family)), truth, precision).inside == pytest.approx(
            expected, rel=1e-11, abs=1e-15
        )


def test_repeated_points_add_up_and_absent_probabilities_are_equal() -> None:
    seen = read(Prior, {"family": "discrete", "points": [2, 1, 2.0, -0.0, 0]}).seen()
    assert seen.places.tolist() == [0.0, 1.0, 2.0]
    assert seen.shares.tolist() == [0.4, 0.2, 0.4]


def test_points_and_bins_without_mass_are_no_part_of_the_support() -> None:
    assert read(Prior, {"family": "discrete", "points": [0, 1, 9], "probabilities": [0, 1, 0]}).support() == (1.0, 1.0)
    assert read(Prior, {"family": "histogram", "edges": [0, 1, 2, 3], "weights": [0, 1, 0]}).support() == (1.0, 2.0)


def test_weights_are_masses_and_are_normalised() -> None:
    small = read(Prior, {"family": "histogram", "edges": [0, 1, 2], "weights": [1e-200, 3e-200]})
    large = read(Prior, {"family": "histogram", "edges": [0, 1, 2], "weights": [1e200, 3e200]})
    assert GivenTruth(small, 0.5, 0.5).inside == GivenTruth(large, 0.5, 0.5).inside == pytest.approx(0.25, rel=1e-15)


def test_a_field_that_is_not_answered_is_missing_and_named() -> None:
    prior = read(Prior, {"family": "truncated_normal", "mean": 1, "high": 3})
    assert prior.missing() == ("sd", "low")
    with pytest.raises(InvalidInput, match=r"attributes\[2\]\.prior\.sd: is not answered"):
        answered(prior, "attributes[2].prior")
    with pytest.raises(InvalidInput, match="is not answered"):
        prior.quantile(0.5)


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        ({"family": "uniform", "low": 3, "high": 3}, "$.high"),
        ({"family": "uniform", "low": 3, "high": 1}, "$.high"),
        ({"family": "beta", "a": 1, "b": 1, "low": 2, "high": 1}, "$.high"),
        ({"family": "truncated_normal", "mean": 0, "sd": 1, "low": 1, "high": 0}, "$.high"),
        ({"family": "normal", "mean": 0, "sd": 0}, "$.sd"),
        ({"family": "normal", "mean": 0, "sd": -1}, "$.sd"),
        ({"family": "exponential", "rate": math.inf}, "$.rate"),
        ({"family": "lognormal", "log_mean": math.nan, "log_sd": 1}, "$.log_mean"),
        ({"family": "beta", "a": "2", "b": 1}, "$.a"),
        ({"family": "discrete", "points": []}, "$.points"),
        ({"family": "discrete", "points": [1, 2], "probabilities": [1]}, "$.probabilities"),
        ({"family": "discrete", "points": [1, 2], "probabilities": [0, 0]}, "$.probabilities"),
        ({"family": "discrete", "points": [1, 2], "probabilities": [1, -1]}, "$.probabilities[1]"),
        ({"family": "discrete", "points": [1] * 2001}, "$.points"),
        ({"family": "histogram", "edges": [0, 1, 1], "weights": [1, 1]}, "$.edges[2]"),
        ({"family": "histogram", "edges": [0, 1], "weights": [1, 1]}, "$.weights"),
        ({"family": "histogram", "edges": [0, 1, 2], "weights": [0, 0]}, "$.weights"),
        ({"family": "cauchy"}, "$.family"),
        ({"low": 0, "high": 1}, "$.family"),
        ({"family": "uniform", "low": 0, "high": 1, "mean": 2}, "$.mean"),
    ],
)
def test_what_is_no_prior_is_refused_at_its_place(raw: dict[str, object], where: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(Prior, raw)
    assert refused.value.where == where
    assert refused.value.hint


def test_a_normal_cut_far_out_in_its_tail_is_still_a_distribution() -> None:
    prior = read(Prior, {"family": "truncated_normal", "mean": 0, "sd": 1, "low": 12, "high": 40})
    low, median, high = (prior.quantile(share) for share in (0.05, 0.5, 0.95))
    assert 12 < low < median < high < 13
    assert median == pytest.approx(12 + math.log(2) / 12, abs=1e-3)
    assert float(prior.seen().heights(np.array([12.0]))[0]) == pytest.approx(12.0, rel=0.02)


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
    assert bars.weights[1] == 3 * bars.weights[0]


def test_a_gap_between_bins_has_no_mass() -> None:
    assert bars_from_csv(b"0,1,1\n5,6,1").weights == (1.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "contains no bins"),
        (b"low,high,share\n", "contains no bins"),
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
        (b"\xff\xfe0\x00,", "contains no bins"),
        (b"PK\x03\x04\x00\x00", "contains no bins"),
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
    assert len(bars.edges) == len(bars.weights or ()) + 1


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileProblem):
        bars_from_file(tmp_path / "nowhere.csv")
    with pytest.raises(FileProblem):
        bars_from_file(tmp_path)
