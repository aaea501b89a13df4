"""Privacy at risk as the paper prints it, and the audited laws of the loss."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.privacy import privacy_at_risk as risk
from dpwizard.privacy.privacy_at_risk.published import gamma_difference_cdf
from tests.oracles import risk_oracle as oracle


@pytest.mark.parametrize(
    ("epsilon0", "level", "confidence"),
    [(0.1, 0.08, 0.80), (0.5, 0.27, 0.61), (1.0, 0.42, 0.54)],
    ids=["5a", "5b", "5c"],
)
def test_figure_5_names_the_cheapest_level_and_its_published_confidence(epsilon0, level, confidence):
    cheapest = risk.published_cheapest(epsilon0=epsilon0, dimension=1, cost=1, rate=1, floor=0)
    assert round(cheapest.epsilon, 2) == level
    assert round(cheapest.confidence, 2) == confidence


def test_the_health_centre_of_section_5_3():
    assert risk.compensation(epsilon=0.5, cost=550000) == pytest.approx(74434.40, abs=0.01)
    cheapest = risk.published_cheapest(epsilon0=0.5, cost=550000)
    assert round(cheapest.epsilon, 3) == 0.274
    assert cheapest.cost == pytest.approx(37805.86, abs=0.005)
    assert cheapest.cost == pytest.approx(
        risk.published_compensation(epsilon=cheapest.epsilon, epsilon0=0.5, cost=550000), rel=1e-14
    )


def test_section_6_2_case_1_is_eight_tenths():
    found = risk.published_noise_level(epsilon=0.4, confidence=0.6, dimension=1)
    assert found == pytest.approx(0.797323042509596, rel=1e-14)
    assert round(found, 1) == 0.8


def test_section_6_2_case_2_has_a_tolerance_of_nine_tenths():
    assert risk.published_tolerance(rho=0.01, samples=15000) == pytest.approx(0.900, abs=5e-4)


def test_section_6_2_case_3_solves_its_equation_and_not_the_printed_eight_tenths_for_one_number():
    found = risk.published_noise_level_sampled(epsilon=0.4, confidence3=0.9, confidence2=0.9, eta=1, tolerance=0.9)
    assert 0.9 * -math.expm1(-found) == pytest.approx(0.9 * 0.9 * -math.expm1(-0.4), rel=1e-14)
    assert found < 0.4


@given(k=st.sampled_from([1, 2, 7, 64, 65, 900]), scale=st.floats(-9, 2.2), confidence=st.floats(0.001, 0.9999))
def test_level_and_noise_level_undo_the_published_confidence(k, scale, confidence):
    epsilon0 = 10.0**scale * math.sqrt(k)
    level = risk.published_level(confidence=confidence, epsilon0=epsilon0, dimension=k)
    assert 0 < level <= epsilon0
    assert risk.published_confidence(epsilon=level, epsilon0=epsilon0, dimension=k) == pytest.approx(
        confidence, rel=1e-12
    )
    back = risk.published_noise_level(epsilon=level, confidence=confidence, dimension=k)
    if gamma_difference_cdf(k, epsilon0) < 1 - 1e-3:  # beyond, epsilon0 itself is lost in the confidence
        assert back == pytest.approx(epsilon0, rel=1e-9)


def test_a_budget_that_never_binds_and_one_that_nothing_meets():
    assert risk.published_level_for_budget(budget=550000, confidence=0.9, epsilon0=0.5, cost=550000) == math.inf
    spent = 0.1 * 550000 * math.exp(-2)
    assert risk.published_level_for_budget(budget=spent * 1.000001, confidence=0.9, epsilon0=0.5, cost=550000) > 0
    with pytest.raises(Infeasible) as caught:
        risk.published_level_for_budget(budget=spent * 0.999999, confidence=0.9, epsilon0=0.5, cost=550000)
    assert caught.value.hint
    with pytest.raises(Infeasible):
        risk.published_level_for_budget(budget=0, confidence=1, epsilon0=0.5, cost=1)
    with pytest.raises(Infeasible):  # exactly used up: 10 = (1 - .9) 100 at infinite epsilon0
        risk.published_level_for_budget(budget=10, confidence=0.9, epsilon0="inf", cost=100)


@given(
    epsilon=st.floats(0.01, 5),
    c2=st.floats(0.1, 1),
    share=st.floats(0.3, 1),
    eta=st.floats(0.2, 5),
    k=st.sampled_from([1, 3, 80]),
)
def test_case_3_solves_its_equation(epsilon, c2, share, eta, k):
    tolerance = 0.9
    found = risk.published_noise_level_sampled(
        epsilon=epsilon, confidence3=share * c2, confidence2=c2, dimension=k, eta=eta, tolerance=tolerance
    )
    wanted = tolerance / share * gamma_difference_cdf(k, epsilon)
    if math.isinf(found):
        assert wanted >= 1 - 1e-9
    elif wanted < 0.999:
        assert gamma_difference_cdf(k, eta * found) == pytest.approx(wanted, rel=1e-11)


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


@pytest.mark.parametrize(
    ("epsilon0", "epsilon", "confidence", "exceeds", "delta"),
    [(0.1, 0.08, 0.0381, 0.505, 0.0100), (0.5, 0.27, 0.1055, 0.554, 0.1086), (1.0, 0.42, 0.1283, 0.626, 0.2517)],
)
def test_the_table_of_the_audit(epsilon0, epsilon, confidence, exceeds, delta):
    given_ = {"mechanism": "laplace", "epsilon": epsilon, "epsilon0": epsilon0}
    assert risk.confidence(**given_) == pytest.approx(confidence, abs=5e-5)
    assert risk.risk(**given_) == pytest.approx(exceeds, abs=5e-4)
    assert risk.delta(**given_) == pytest.approx(delta, abs=6e-5)


def test_from_epsilon0_on_nothing_is_left_to_chance():
    for mechanism in ("laplace", "geometric"):
        for epsilon in (1.0, 1.5, 1e300, "inf"):
            given_ = {"mechanism": mechanism, "epsilon": epsilon, "epsilon0": 1.0, "sensitivity": 3}
            assert (risk.confidence(**given_), risk.risk(**given_), risk.delta(**given_)) == (1.0, 0.0, 0.0)
        given_ = {"mechanism": mechanism, "epsilon": 5, "epsilon0": "inf", "sensitivity": 3}
        assert (risk.confidence(**given_), risk.risk(**given_), risk.delta(**given_)) == (0.0, 1.0, 1.0)
    assert risk.confidence(mechanism="gaussian", mu=0, epsilon=0) == 1.0


def test_a_loss_equal_to_epsilon_counts_as_within_although_the_decimals_are_not_exact_in_binary():
    assert 0.3 / 3 != 0.1
    at = risk.confidence(mechanism="geometric", epsilon=0.1, epsilon0=0.3, sensitivity=3)
    below = risk.confidence(mechanism="geometric", epsilon=0.0999999999, epsilon0=0.3, sensitivity=3)
    assert below == 0.0
    a = math.exp(-0.1)
    assert at == pytest.approx((a - a * a) / (1 + a) if at < 0.05 else (a - a**3) / (1 + a), rel=1e-14)
    assert risk.risk(mechanism="geometric", epsilon=0.1, epsilon0=0.3, sensitivity=3) < risk.risk(
        mechanism="geometric", epsilon=0.0999999999, epsilon0=0.3, sensitivity=3
    )


# -------------------------------------------------------------------------------------- the inverse


@pytest.mark.slow
@given(steps=st.integers(1, 12), level=st.floats(0.01, 4), confidence=st.floats(-4, 0))
def test_the_geometric_noise_level_keeps_the_promise_everywhere_below_and_breaks_it_just_above(
    steps, level, confidence
):
    confidence = 10.0**confidence
    found = risk.noise_level(mechanism="geometric", epsilon=level, confidence=confidence, sensitivity=steps)

    def reached(epsilon0):
        return risk.confidence(mechanism="geometric", epsilon=level, epsilon0=epsilon0, sensitivity=steps)

    assert level <= found <= steps * level * (1 + 1e-15)  # the product itself is rounded
    assert reached(found) >= confidence
    assert all(reached(level + (found - level) * i / 40) >= confidence * (1 - 1e-13) for i in range(40))
    assert min(reached(found * (1 + 10.0**-i)) for i in range(8, 13)) < confidence


def test_the_geometric_noise_level_finds_the_end_of_a_huge_number_of_pieces():
    fine = risk.noise_level(mechanism="geometric", epsilon=0.5, confidence=0.1, sensitivity=10**14)
    assert fine == pytest.approx(risk.noise_level(mechanism="laplace", epsilon=0.5, confidence=0.1), rel=1e-10)


# ------------------------------------------------------------------------------- order statistics


@pytest.mark.slow
@pytest.mark.parametrize(
    "levels",
    [[0.5, 0.5], [0.1, 0.3, 0.2]],
)
@pytest.mark.parametrize("share", [0.0, 0.9])
def test_a_few_coordinates_agree_with_the_piecewise_law_integrated_in_many_digits(levels, share):
    epsilon = round(share * sum(levels), 9)
    delta, within = oracle.vector_by_expansion(levels, epsilon)
    assert -1e-14 <= risk.vector_delta(levels=levels, epsilon=epsilon) - float(delta) <= 2e-5
    assert -2e-5 <= risk.vector_confidence(levels=levels, epsilon=epsilon) - float(within) <= 1e-14


@pytest.mark.slow
@pytest.mark.parametrize(
    ("levels", "epsilon"),
    [
        ([0.1] * 100, 1.0),
        ([0.05 * i for i in range(1, 14)], 2.0),
    ],
)
def test_many_coordinates_agree_with_the_mechanism_itself(levels, epsilon):
    losses = oracle.simulated_losses(levels, 40_000, seed=5)
    delta = np.mean(np.maximum(0, -np.expm1(np.minimum(epsilon - losses, 0))))
    assert risk.vector_delta(levels=levels, epsilon=epsilon) == pytest.approx(delta, abs=8e-3)
    assert risk.vector_confidence(levels=levels, epsilon=epsilon) == pytest.approx(
        np.mean(np.abs(losses) <= epsilon), abs=0.01
    )


def test_a_sum_of_losses_equal_to_epsilon_counts_as_within_although_the_decimals_are_not_exact_in_binary():
    assert 0.1 + 0.2 != 0.3
    assert risk.vector_confidence(levels=[0.3, 0.1, 0.2], epsilon=0) == pytest.approx(
        math.exp(-0.3) / 4, abs=1e-5
    )  # up, down, down, and back
    assert risk.vector_confidence(levels=[0.1, 0.2], epsilon=0.3) == 1.0
    assert risk.vector_delta(levels=[0.1, 0.2], epsilon=0.3) == 0.0
    # one coordinate up and the other down: atoms at 0 of mass e^-a/2 in all
    assert risk.vector_confidence(levels=[0.7, 0.7], epsilon=0) == pytest.approx(math.exp(-0.7) / 2, abs=1e-5)
    assert risk.vector_confidence(levels=[0.7, 0.70001], epsilon=0) == 0.0
