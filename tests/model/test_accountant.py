"""The accountant against every output of small mixtures in fractions: no reading on the wrong side, none far off."""

from __future__ import annotations

import itertools
import json
import math
import random

import mpmath as mp
import numpy as np
import pytest
from scipy.special import ndtri

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.base.stopping import Stopped, stoppable
from dpwizard.privacy.accounting import accountant, noises
from dpwizard.privacy.accounting.accountant import Accountant, merge_noises
from dpwizard.privacy.accounting.functions import largest, person_loss, read
from dpwizard.privacy.accounting.known_curves import one_of, profile, zcdp
from dpwizard.privacy.accounting.moves import by_distance, by_rows
from dpwizard.privacy.accounting.noises import DiscreteGaussian, Gaussian, Geometric, Laplace, Stated, geometric
from dpwizard.privacy.accounting.readings import Worst
from dpwizard.privacy.compute import answer
from tests.oracles import enumerated_pair as oracle

TRUTH = {
    "delta": oracle.delta,
    "fpr": oracle.fpr,
    "tpr": oracle.tpr,
    "accuracy": oracle.accuracy,
    "ratio": oracle.ratio,
    "share_above": oracle.share_above,
}
MOST_OUTPUTS = 10_000

mp.mp.dps = 40


def mixture(draw: random.Random, most=MOST_OUTPUTS):
    """Return some small releases, and every output of them together with its chances."""
    releases, pairs, outputs = [], [], 1
    while not releases:
        for _ in range(draw.choice([1, 1, 2, 2, 3])):
            times = draw.choice([1, 1, 2, 3])
            kind = draw.choice(["discrete_gaussian", "discrete_gaussian", "geometric", "stated"])
            if kind == "discrete_gaussian":
                sigma, move = round(math.exp(draw.uniform(-1.3, 1.1)), 2), draw.choice([1, 1, 2, 3])
                release, pair = {"sigma": sigma, "move": move}, oracle.discrete_gaussian(sigma, move)
            elif kind == "geometric":
                rate, move = round(math.exp(draw.uniform(-3, 1)), 2), draw.choice([1, 2, 4])
                release, pair = {"rate": rate, "move": move}, oracle.geometric(rate, move)
            else:
                epsilon, delta = round(draw.uniform(0, 2), 2), draw.choice([0, 0, 1e-9, 1e-5, 0.01])
                release, pair = {"epsilon": epsilon, "delta": delta}, oracle.stated(epsilon, delta)
            if outputs * len(pair) ** times <= most:
                outputs *= len(pair) ** times
                releases.append({"noise": kind, "times": times, **release})
                pairs += [pair] * times
    return releases, oracle.together(pairs)


def several(draw: random.Random):
    """Return two or three histories of which one is true, and the worst of them."""
    found = [mixture(draw, MOST_OUTPUTS // 5) for _ in range(draw.choice([2, 3]))]
    return [releases for releases, _ in found], oracle.worst([pair for _, pair in found])


def moved(draw: random.Random):
    """Return the largest moves of a table of few cells as histories, and the worst of all its moves."""
    cells, gaussian = draw.choice([1, 2]), draw.random() < 0.5
    if gaussian:
        most, square, sigma = draw.choice([1, 2, 3]), draw.choice([1, 2, 4, 5, 8, 9]), round(draw.uniform(0.4, 2.0), 2)
        largest_moves = by_distance(float(square), most, cells)
        noise, pair = {"noise": "discrete_gaussian", "sigma": sigma}, lambda step: oracle.discrete_gaussian(sigma, step)
    else:
        most, rows, rate = draw.choice([1, 2, 3]), draw.choice([1, 2, 3, 4]), round(draw.uniform(0.1, 2.0), 2)
        largest_moves = by_rows(rows, most, cells)
        noise, pair = {"noise": "geometric", "rate": rate}, lambda step: oracle.geometric(rate, step)
    histories = [[{**noise, "move": step} for step in move] for move in largest_moves]
    every = [
        move
        for move in itertools.product(range(most + 1), repeat=cells)
        if any(move) and (sum(step * step for step in move) <= square if gaussian else sum(move) <= rows)
    ]
    return histories, oracle.worst([oracle.together(pair(step) for step in move if step) for move in every])


def drawn(draw: random.Random):
    """Return histories, of which one is true, and the pair of worlds that tells as much as the worst of them."""
    way = draw.choice(["one", "one", "several", "moves"])
    if way == "one":
        releases, pair = mixture(draw)
        return [releases], pair
    return several(draw) if way == "several" else moved(draw)


def places(draw: random.Random):
    return {
        "delta": draw.uniform(-2, 5),
        "fpr": 10 ** draw.uniform(-12, 0),
        "tpr": 10 ** draw.uniform(-12, 0),
        "accuracy": draw.uniform(0.001, 0.999),
        "ratio": 10 ** draw.uniform(-6, 0),
        "share_above": 10 ** draw.uniform(0, 3),
    }


def hold(histories, pair, name: str, at: float) -> None:
    """Hold one reading against every output."""
    found, true = read(histories=histories, read=name, at=at), TRUTH[name](pair, at)
    if math.isinf(true):
        assert found == true, (name, at, histories)
        return
    side = -1 if name == "fpr" else 1
    assert side * found >= side * true - 1e-13 * abs(true), (name, at, histories)
    assert found == pytest.approx(true, rel=1e-3, abs=1e-25), (name, at, histories)


def judge(seed: int) -> None:
    """Hold eight readings of what SEED draws against every output of it."""
    draw = random.Random(seed)
    histories, pair = drawn(draw)
    for name, at in places(draw).items():
        hold(histories, pair, name, at)
    advantage, true = read(histories=histories, read="advantage"), oracle.delta(pair, 0.0)
    assert true * (1 - 1e-13) <= advantage <= true * (1 + 1e-3) + 1e-25, histories
    delta = 10 ** draw.uniform(-9, -1)
    epsilon = read(histories=histories, read="epsilon", at=delta)
    if math.isfinite(epsilon):
        assert oracle.delta(pair, epsilon) <= delta * (1 + 1e-12)
        assert epsilon == 0.0 or oracle.delta(pair, epsilon * (1 - 1e-3) - 1e-9) > delta


@pytest.mark.parametrize("seed", [*range(3), 8, 11, 18, 23, 31])
def test_no_reading_of_a_small_mixture_is_on_the_wrong_side(seed, monkeypatch):
    judge(seed)
    monkeypatch.setattr(accountant, "MOST_SUMS", 0)  # all on a lattice
    judge(seed)


FEW_LOSSES = [
    {"noise": "discrete_gaussian", "sigma": 0.25},
    {"noise": "geometric", "rate": 0.6, "move": 2},
    {"noise": "stated", "epsilon": 0.3, "delta": 1e-14},
]


@pytest.mark.parametrize(("name", "at"), [("tpr", 1e-20), ("ratio", 1e-12), ("delta", 20.0), ("epsilon", 1e-13)])
def test_few_losses_far_apart_are_read_to_nine_digits(name, at):
    pairs = [oracle.discrete_gaussian(0.25, 1), oracle.geometric(0.6, 2), oracle.stated(0.3, 1e-14)]
    pair = oracle.together(pairs)
    found = read(releases=FEW_LOSSES, read=name, at=at)
    if name == "epsilon":
        assert oracle.delta(pair, found * (1 + 1e-12)) <= at < oracle.delta(pair, found * (1 - 1e-9))
        return
    true = TRUTH[name](pair, at)
    assert true * (1 - 1e-14) <= found <= true * (1 + 1e-9)


def test_between_two_losses_of_little_noise_delta_is_the_chance_of_the_higher():
    true = oracle.delta(oracle.discrete_gaussian(0.1, 1), 51.0)  # the losses are 50 and 150
    assert true * (1 - 1e-14) <= read(releases=[FEW_LOSSES[0] | {"sigma": 0.1}], read="delta", at=51.0) < true * 1.001


def test_a_curve_that_is_thinned_out_keeps_its_bends():
    draw = random.Random(1303)
    histories, pair = drawn(draw)
    hold(histories, pair, "ratio", places(draw)["ratio"])


@pytest.mark.soak
def test_no_reading_of_two_thousand_mixtures_is_on_the_wrong_side():
    for seed in range(1_000, 3_000):
        judge(seed)


@pytest.mark.parametrize(
    ("releases", "name", "at", "true"),
    [
        ([{"noise": "discrete_gaussian", "sigma": 12.0, "times": 72}], "epsilon", 1e-6, 3.3076078769948145),
        ([{"noise": "discrete_gaussian", "sigma": 12.0, "times": 72}], "tpr", 0.01, 0.05269714565966333),
        ([{"noise": "discrete_gaussian", "sigma": 60.0, "times": 2000}], "share_above", 10.0, 0.007822919552621333),
        ([{"noise": "laplace", "epsilon": 0.1, "times": 1000}], "epsilon", 1e-5, 17.4236519875374),
        ([{"noise": "gaussian", "mu": 0.15811388300841897, "times": 40}], "epsilon", 1e-6, 4.886554117462212),
        ([{"noise": "gaussian", "mu": 3.0}], "fpr", 0.01, 5.010356525696854e-08),
        ([{"noise": "gaussian", "mu": 20.0}], "epsilon", 1e-6, 294.1717862576445),
        ([{"noise": "stated", "epsilon": 0.1, "delta": 0.0, "times": 50}], "delta", 4.5, 1.0933619480048993e-12),
        ([{"noise": "zcdp", "rho": 0.5}], "ratio", 0.01, 34.265799740109394),
    ],
)
def test_known_values_of_larger_releases(releases, name, at, true):
    found = read(releases=releases, read=name, at=at)
    side = -1 if name == "fpr" else 1
    assert side * found >= side * true * (1 - 1e-13)
    assert found == pytest.approx(true, rel=2e-3)


# ------------------------------------------------------------------------------- several histories, and parts


def test_histories_are_read_from_the_largest_delta_not_from_the_worst_single_reading():
    lists = [[{"noise": "laplace", "epsilon": 2.0}], [{"noise": "gaussian", "mu": 1.2}]]
    single = min(read(releases=one, read="fpr", at=0.3) for one in lists)
    assert single == pytest.approx(0.0406, abs=1e-4)
    assert read(histories=lists, read="fpr", at=0.3) == pytest.approx(0.0360, abs=1e-4)


@pytest.mark.parametrize(
    ("noises_of", "delta"), [((Laplace(2.0), Gaussian(1.2)), 1e-6), ((Stated(0.4), Laplace(0.3)), 0.02)]
)
def test_epsilon_delta_and_mu_of_several_histories_are_the_largest_of_any(noises_of, delta):
    ones = [Accountant([(noise, 3), (Geometric(0.2, 2), 2)]) for noise in noises_of]
    worst = Worst(ones)
    assert worst.epsilon(delta) == max(one.epsilon(delta) for one in ones)
    assert worst.delta(0.7) == max(one.delta(0.7) for one in ones)
    mu = worst.gdp_mu()
    assert max(one.gdp_mu() for one in ones) * (1 - 1e-4) <= mu
    assert all(ndtri(rate) - ndtri(worst.fpr(rate)) <= mu * (1 + 1e-9) for rate in np.geomspace(1e-15, 0.999, 300))


def test_one_of_several_histories_as_a_part_dominates_each_of_them_there():
    ones = [Accountant([(Laplace(2.0), 1)]), Accountant([(Gaussian(1.2), 1)])]
    joined = Accountant([(one_of(Worst(ones)), 1), (DiscreteGaussian(3.0), 2)])
    for noise in (Laplace(2.0), Gaussian(1.2)):
        single = Accountant([(noise, 1), (DiscreteGaussian(3.0), 2)], fineness=1e-7)
        for epsilon in (-1.0, 0.0, 0.5, 2.0, 4.0):
            assert joined.delta(epsilon) >= single.delta(epsilon) * (1 - 1e-4)


def test_rho_alone_never_says_less_than_gaussian_noise_of_that_rho():
    for rho in (1e-6, 0.02, 0.5, 8.0, 400.0):
        stated, gauss = Accountant([(zcdp(rho), 1)]), Accountant([(Gaussian(math.sqrt(2 * rho)), 1)], fineness=1e-7)
        for delta in (1e-10, 1e-6, 0.01, 0.3):
            assert stated.epsilon(delta) >= gauss.epsilon(delta) * (1 - 1e-6)


def test_a_profile_of_one_point_is_what_was_stated():
    found = Accountant([(profile([1.0], [0.01]), 1)])
    assert found.delta(1.0) == pytest.approx(0.01, rel=1e-9)
    assert found.epsilon(0.005) == math.inf
    assert found.fpr(0.5) == pytest.approx(0.49 / math.e, rel=1e-6)


def test_a_geometric_release_of_many_steps_is_between_laplace_noise_and_a_coarser_one():
    laplace = Accountant([(Laplace(0.5), 20)], fineness=1e-7).epsilon(1e-5)
    found = Accountant([(geometric(0.5 / 10**7, 10**7), 20)]).epsilon(1e-5)
    assert laplace * (1 - 1e-4) <= found <= Accountant([(geometric(0.5 / 50, 50), 20)]).epsilon(1e-5)


# ---------------------------------------------------------------- faults that an earlier implementation had


@pytest.mark.parametrize("but_for", [1e-6, 1e-3, 0.3, 0.9])
def test_losses_whose_factor_is_no_float_leave_other_readings_finite(but_for):
    releases = [{"noise": "discrete_gaussian", "sigma": 0.3, "move": 2, "times": 3}]  # losses down to -1,600
    true = oracle.ratio(oracle.together([oracle.discrete_gaussian(0.3, 2)] * 3), but_for)
    found = read(releases=releases, read="ratio", at=but_for)
    assert true * (1 - 1e-13) <= found <= true * (1 + 1e-9)  # it was inf


def test_a_true_positive_rate_is_found_where_its_false_positive_rate_is_tiny():
    parts = [(Laplace(0.5551), 5), (Laplace(0.4241), 2), (Laplace(2.824), 12), (Geometric(0.0354, 5), 3)]
    loss, fpr = Accountant(parts), 1.64165858324869e-10
    best = min(loss.delta(epsilon) + math.exp(epsilon) * fpr for epsilon in np.linspace(10.0, 30.0, 400))
    assert 0.5 < best < 0.9
    assert Accountant(parts).tpr(fpr) <= best * (1 + 1e-4)  # on no curve that was composed before


def test_chances_of_tails_are_summed_from_the_far_end():
    found = Accountant([(Stated(7.4e-5, 4.3e-18), 2)])
    pair = oracle.together([oracle.stated(7.4e-5, 4.3e-18)] * 2)
    for hit in (1e-17, 1e-12, 1e-6, 0.3):
        assert found.fpr(hit) <= oracle.fpr(pair, hit) * (1 + 1e-13)


def test_delta_left_of_the_first_point_does_not_cancel():
    assert Accountant([(Stated(0.0, 1e-17), 1)]).delta(0.0) >= 1e-17
    assert Accountant([(Stated(0.0, 1e-17), 1)]).delta(-1.0) >= -math.expm1(-1.0)


@pytest.mark.parametrize("times", [0, -1, 1.5, 2.9, True, "2", None])
def test_a_noise_is_used_a_whole_number_of_times(times):
    with pytest.raises(InvalidInput, match="times"):
        read(releases=[{"noise": "laplace", "epsilon": 1.0, "times": times}], read="advantage")
    with pytest.raises((ValueError, TypeError)):
        Accountant([(Laplace(1.0), times)])


def test_the_least_false_alarms_are_read():
    assert read(releases=[{"noise": "laplace", "epsilon": 1000.0}], read="tpr", at=1e-310) >= 1e-310
    assert read(releases=[{"noise": "gaussian", "mu": 1.0}], read="tpr", at=1e-100) == pytest.approx(
        1.1031e-91, rel=1e-3, abs=0.0
    )


def test_accuracy_is_never_an_ulp_low():
    for prior in (0.1, 0.3, 1 / 3, 0.7, 0.9):
        true = max(prior, 1 - prior)  # where the release tells next to nothing
        assert read(releases=[{"noise": "laplace", "epsilon": 1e-9}], read="accuracy", at=prior) >= true


@pytest.mark.parametrize(
    ("releases", "name", "at", "value"),
    [
        ([{"noise": "stated", "epsilon": 1.0, "delta": 0.5, "people": 9}], "delta", 3.0, 1.0),
        ([{"noise": "stated", "epsilon": 400.0, "delta": 1e-9, "people": 3}], "advantage", None, 1.0),
        ([{"noise": "stated", "epsilon": 0.0, "delta": 0.01}], "delta", 5.0, 0.01),
        ([{"noise": "stated", "epsilon": 0.0, "delta": 0.01}], "fpr", 0.5, 0.49),
        ([{"noise": "stated", "epsilon": 1.0}], "tpr", 0.0, 0.0),
        ([{"noise": "stated", "epsilon": 1.0}], "fpr", 0.0, 0.0),
        ([{"noise": "stated", "epsilon": 1.0}], "accuracy", 1.0, 1.0),
        ([{"noise": "stated", "epsilon": 1.0}], "accuracy", 0.0, 1.0),
        ([{"noise": "gaussian", "mu": 0.0}], "advantage", None, 0.0),
        ([{"noise": "geometric", "rate": 0.0}], "tpr", 0.25, 0.25),
        ([{"noise": "geometric", "rate": 0.5, "move": 3}], "epsilon", 0.0, 1.5),
        ([{"noise": "gaussian", "mu": 1.0}], "epsilon", 0.0, math.inf),
        ([{"noise": "laplace", "epsilon": 1.0}], "share_above", 3.0, 0.0),
        ([{"noise": "laplace", "epsilon": 1.0}], "ratio", 0.0, math.e),
    ],
)
def test_ends_of_the_ranges_have_answers(releases, name, at, value):
    found = read(releases=releases, read=name, at=at)
    assert found == pytest.approx(value, rel=1e-9, abs=1e-17) if math.isfinite(value) else found == value


# --------------------------------------------------------------------------------------------- refusals


def test_an_empty_list_or_both_lists_are_refused():
    one = [{"noise": "laplace", "epsilon": 1.0}]
    for wrong in ({"releases": []}, {"histories": []}, {"histories": [[]]}, {}, {"releases": one, "histories": [one]}):
        with pytest.raises(InvalidInput):
            read(read="advantage", **wrong)
    with pytest.raises(InvalidInput, match="at"):
        read(releases=one, read="tpr")
    with pytest.raises(InvalidInput, match="at"):
        read(releases=one, read="tpr", at=1.5)


def test_a_mixture_too_wide_for_memory_is_refused_with_a_remedy():
    wide = [
        {"noise": "geometric", "rate": 1e-7, "move": 1, "times": 10**9},
        {"noise": "laplace", "epsilon": 0.3},
    ]
    arguments = {"releases": wide, "read": "advantage", "at": None}
    line = answer(json.dumps({"id": 1, "fn": "accounting.read", "args": arguments}))
    assert line["ok"] is False
    assert "memory" in line["error"]["message"]
    assert line["error"]["hint"]


# ------------------------------------------------------------------------------------ solved backwards


def test_the_largest_budget_holds_where_it_was_read_and_fails_next_to_it():
    shares = [{"noise": "discrete_gaussian", "share": 0.25, "times": 2}, {"noise": "discrete_gaussian", "share": 0.5}]
    found = largest(releases=shares, read="share_above", at=10.0, limit=0.001)

    def at(sigmas):
        releases = [
            {"noise": "discrete_gaussian", "sigma": sigma, "times": times}
            for sigma, times in zip(sigmas, (2, 1), strict=True)
        ]
        return read(releases=releases, read="share_above", at=10.0)

    assert at(found.sigmas) <= 0.001
    assert at([sigma / math.sqrt(1.001) for sigma in found.sigmas]) > 0.001
    assert found.sigmas[0] == pytest.approx(1 / math.sqrt(2 * found.value * 0.25), rel=1e-12)


def test_a_limit_that_no_release_keeps_is_infeasible_and_one_that_all_keep_unbounded():
    one = [{"noise": "geometric"}]
    with pytest.raises(Infeasible):
        largest(releases=one, read="tpr", at=0.01, limit=0.005)
    assert largest(releases=one, read="advantage", limit=1.0).value is None
    with pytest.raises(InvalidInput, match="epsilon"):
        largest(releases=[{"noise": "geometric"}, {"noise": "gaussian"}], read="advantage", limit=0.1)


def test_discrete_noise_is_not_monotone_and_the_answer_is_checked():
    # of one number a smaller rho fails where a larger one holds
    smaller, larger = (math.sqrt(1 / (2 * rho)) for rho in (3.29, 3.44))
    one = [{"noise": "discrete_gaussian", "sigma": smaller}]
    other = [{"noise": "discrete_gaussian", "sigma": larger}]
    assert read(releases=one, read="epsilon", at=1e-6) > 10.33 >= read(releases=other, read="epsilon", at=1e-6)
    found = largest(releases=[{"noise": "discrete_gaussian"}], read="epsilon", at=1e-6, limit=10.33)
    chosen = [{"noise": "discrete_gaussian", "sigma": found.sigmas[0]}]
    assert read(releases=chosen, read="epsilon", at=1e-6) <= 10.33


@pytest.mark.parametrize("delta", [1e-300, 1e-30, 1e-18])
def test_a_stated_delta_below_the_rates_that_count_raises_no_mu(delta):
    pure, stated = (Accountant([(noise, 1)]).gdp_mu() for noise in (Stated(1.0), Stated(1.0, delta)))
    assert stated == pytest.approx(pure, rel=1e-4)


@pytest.mark.parametrize("parts", [[(Stated(0.1, 9e-16), 1)], [(Stated(0.1, 2e-17), 20)], [(Stated(1.0, 3e-16), 1)]])
def test_a_stated_delta_near_the_rarest_rate_raises_mu_by_what_it_must(parts):
    found, curve = Accountant(parts).gdp_mu(), Accountant(parts)
    rates = [*np.geomspace(1e-15, 0.01, 500), *np.linspace(0.01, 0.9, 2_000)]
    true = max(float(ndtri(b) - ndtri(curve.fpr(b))) for b in rates)
    assert true * (1 - 1e-9) <= found <= true * (1 + 1e-3)  # it was up to 250 times as large


@pytest.mark.parametrize(("sigma", "times"), [(31.0, 200), (60.0, 72), (310.0, 1)])
def test_wide_discrete_noise_counted_as_gaussian_is_close_to_its_outputs(sigma, times, monkeypatch):
    parts = [(DiscreteGaussian(sigma), times)]
    monkeypatch.setattr(noises, "MANY_STEPS_ALONE", 300.0)
    assert isinstance(next(iter(merge_noises(parts))), Gaussian)
    continuous = Accountant(parts)
    monkeypatch.setattr(noises, "LEAST_WIDE", math.inf)
    listed = Accountant(parts, fineness=1e-6)
    assert list(merge_noises(parts)) == [DiscreteGaussian(sigma)]
    for delta in (1e-3, 1e-6, 1e-12):
        assert listed.epsilon(delta) * (1 - 1e-7) <= continuous.epsilon(delta) <= listed.epsilon(delta) * (1 + 5e-4)


def test_noise_of_one_sigma_is_summed_up_to_two_thousand_steps_of_its_losses():
    assert list(merge_noises([(DiscreteGaussian(1_999.0), 1)])) == [DiscreteGaussian(1_999.0)]
    assert isinstance(next(iter(merge_noises([(DiscreteGaussian(2_001.0), 1)]))), Gaussian)


def test_one_table_of_little_noise_is_listed_among_many_of_much():
    assert DiscreteGaussian(31.0) in merge_noises([(DiscreteGaussian(31.0), 1), (DiscreteGaussian(1e4), 200)])


def test_shares_far_out_in_a_tail_are_sharp():
    parts = [{"noise": "gaussian", "mu": 0.1}, {"noise": "stated", "epsilon": 0.15, "delta": 5e-14, "times": 30}]
    found = read(releases=parts, read="share_above", at=480.0)
    assert 1.5e-12 <= found <= 2.2e-12  # the infinite losses alone have 1.5e-12; it was 3.9e-12


@pytest.mark.parametrize("mu", [1e-6, 0.03, 1.0, 20.0])
def test_delta_of_gaussian_noise_is_sharp_however_small(mu):
    for z in (-3, 0, 3, 8, 25, 33):
        epsilon = mu * z + mu * mu / 2
        x = mp.mpf(epsilon) / mp.mpf(mu)
        true = mp.ncdf(mp.mpf(mu) / 2 - x) - mp.exp(mp.mpf(epsilon)) * mp.ncdf(-mp.mpf(mu) / 2 - x)
        assert true <= read(releases=[{"noise": "gaussian", "mu": mu}], read="delta", at=epsilon) <= true * (1 + 1e-3)


def test_equal_noises_are_counted_together_and_gaussian_ones_are_one():
    apart = Accountant([(Gaussian(0.3), 1), (Gaussian(0.4), 1), (Geometric(0.2), 1), (Geometric(0.2), 2)])
    joined = Accountant([(Gaussian(0.5), 1), (Geometric(0.2), 3)])
    assert apart.delta(0.5) == pytest.approx(joined.delta(0.5), rel=1e-12)


def test_search_within_one_curve_can_be_stopped() -> None:
    asked: list[None] = []
    different = [{"noise": "discrete_gaussian", "share": 0.01, "move": 1 + n % 3} for n in range(50)]
    with stoppable(lambda: bool(asked.append(None))):
        largest(releases=different, read="epsilon", at=1e-6, limit=2.0)
    assert len(asked) > 150  # for each noise placed on the lattice, each transform and each tilt
    with stoppable(lambda: True), pytest.raises(Stopped):
        Accountant([(Laplace(0.1), 10)])


def test_a_persons_sums_are_not_rounded_down():
    assert person_loss(slices=3, delta=1e-9, epsilon=0.7).basic >= 2.1
    assert person_loss(slices=10**9, delta=1e-9, epsilon=1e-12).rho >= 5e-16
    assert person_loss(slices=3, delta=1e-9, rho=0.7).rho >= 2.1
