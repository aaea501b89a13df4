"""Beliefs by three numbers: fitted exactly where the family can have them, else as near as any; how far off is said."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import InvalidInput
from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.base.values import read
from dpwizard.privacy.priors import Fitted, Prior, fitted, quarters_of
from tests.samples.priors import FAMILIES, every, sample

SETTLED = tuple(one for one in FAMILIES if read(Prior, sample(one)).by_quarters)
ENDS: dict[str, dict[str, float]] = {"beta": {"low": 0, "high": 100}, "truncated_normal": {"low": 0, "high": 100}}
ASKED = [(22.0, 38.0, 61.0), (5.0, 8.0, 60.0), (2.0, 50.0, 98.0)]


def of(family: str, **ends: float) -> Any:
    return read(Prior, {"family": family, **ENDS.get(family, {}), **ends})


def reached(prior: Any, asked: Any) -> Fitted | None:
    """Return what PRIOR's family is fitted to; None where it says that no belief of it comes near, and what to do."""
    try:
        return fitted(prior, asked)
    except InvalidInput as problem:
        if "no distribution of this kind" not in problem.text or not problem.remedy:
            raise
        return None


def test_the_families_that_a_hand_knows_by_their_quarters() -> None:
    assert set(SETTLED) == {"normal", "truncated_normal", "lognormal", "exponential", "beta"}


@pytest.mark.parametrize(
    ("stated", "quarters", "parameters"),
    [
        # a bell curve's standard deviation is the distance between its quarters over 1.349
        ({"family": "normal"}, (-0.67449, 0.0, 0.67449), {"mean": 0.0, "sd": 1.0}),
        ({"family": "lognormal"}, (1 / 1.9630310, 1.0, 1.9630310), {"log_mean": 0.0, "log_sd": 1.0}),
        ({"family": "exponential"}, (0.2876821, 0.6931472, 1.3862944), {"rate": 1.0}),
        # the arcsine law: sin^2 of an eighth, a quarter and three eighths of a half turn
        ({"family": "beta"}, (0.1464466, 0.5, 0.8535534), {"a": 0.5, "b": 0.5}),
        ({"family": "beta", "low": 10, "high": 20}, (12.5, 15.0, 17.5), {"a": 1.0, "b": 1.0}),
        ({"family": "beta", "low": 0, "high": 100}, (50.0, 70.7106781, 86.6025404), {"a": 2.0, "b": 1.0}),
        # half a bell curve: its quarters are those of the normal at 5/8, 3/4 and 7/8
        (
            {"family": "truncated_normal", "low": 0, "high": 60},
            (0.3186394, 0.6744898, 1.1503494),
            {"mean": 0.0, "sd": 1.0},
        ),
    ],
)
def test_printed_quarters_give_the_printed_parameters(
    stated: dict[str, Any], quarters: Any, parameters: dict[str, float]
) -> None:
    found = fitted(read(Prior, stated), quarters)
    assert found.exact
    for name, value in parameters.items():
        assert getattr(found.prior, name) == pytest.approx(value, rel=2e-3, abs=2e-2 if value == 0 else 0.0), name


@pytest.mark.parametrize("stated", [one for one in every() if one["family"] in SETTLED], ids=str)
def test_the_quarters_of_a_belief_lead_back_to_it(stated: dict[str, Any]) -> None:
    prior = read(Prior, stated)
    there = quarters_of(prior)
    back = fitted(prior, there)
    assert back.exact
    assert back.quarters == pytest.approx(there, rel=1e-5)
    assert all(getattr(back.prior, name) == getattr(prior, name) for name in prior.ends)


def squares(family: str, quarters: Any, asked: Any) -> float:
    way = math.log if family == "lognormal" else float
    return sum((way(one) - way(other)) ** 2 for one, other in zip(quarters, asked, strict=True))


def quantiles_by_scipy(family: str, at: Any) -> Any:
    """Return the quarters of a family, by the distributions of SciPy's statistics, over 0 to 100 where it has ends."""
    from scipy import stats

    first, second = float(at[0]), math.exp(min(float(at[1]), 50.0))
    law = {
        "normal": lambda: stats.norm(first, second),
        "lognormal": lambda: stats.lognorm(second, scale=math.exp(min(first, 50.0))),
        "exponential": lambda: stats.expon(scale=second),
        "beta": lambda: stats.beta(math.exp(first), second, scale=100.0),
        "truncated_normal": lambda: stats.truncnorm(-first / second, (100 - first) / second, loc=first, scale=second),
    }[family]()
    return [float(law.ppf(share)) for share in (0.25, 0.5, 0.75)]


@pytest.mark.parametrize("asked", ASKED[:2], ids=str)
@pytest.mark.parametrize("family", SETTLED)
def test_no_other_belief_of_the_family_found_by_another_search_comes_nearer(family: str, asked: Any) -> None:
    from scipy.optimize import minimize

    starts = {
        "normal": [(30.0, 3.0)],
        "lognormal": [(3.0, 0.0)],
        "exponential": [(0.0, 3.0)],
        "beta": [(0.5, 0.5), (-1.0, -1.0)],
        "truncated_normal": [(30.0, 3.0)],
    }[family]
    found = reached(of(family), asked)

    def loss(at: Any) -> float:
        there = quantiles_by_scipy(family, at)
        return squares(family, there, asked) if all(0 < abs(one) < 1e9 for one in there) else 1e9

    other = min(minimize(loss, start, method="Nelder-Mead", options={"maxfev": 150}).fun for start in starts)
    if found is None:
        assert other > (asked[2] - asked[0]) ** 2  # at least one of the three is that far off
    else:
        # a bell curve cut off far out on its flank comes nearer to an exponential the farther out it is
        assert squares(family, found.quarters, asked) <= other * (1.01 if family == "truncated_normal" else 1.0001)


@pytest.mark.slow
@given(
    family=st.sampled_from(SETTLED),
    asked=st.tuples(*[st.floats(1.0, 99.0)] * 3).map(sorted).filter(lambda q: min(q[1] - q[0], q[2] - q[1]) > 0.5),
    factor=st.floats(1e-3, 1e3),
)
def test_what_is_returned_says_truly_where_its_quarters_lie_in_any_unit(
    family: str, asked: list[float], factor: float
) -> None:
    found = reached(of(family), asked)
    if found is None:
        return
    assert found.quarters == quarters_of(found.prior)
    assert found.quarters[0] < found.quarters[1] < found.quarters[2]
    across = asked[2] - asked[0]
    furthest = max(abs(one - other) for one, other in zip(found.quarters, asked, strict=True))
    assert found.exact == (furthest <= 1e-4 * across)
    if family not in ("normal", "lognormal", "exponential"):
        return
    scaled = fitted(of(family), [one * factor for one in asked])  # metres or kilometres: the same belief
    assert scaled.quarters == pytest.approx([one * factor for one in found.quarters], rel=1e-9)


HOSTILE = [
    ("normal", (1, 2), "quarters"),
    ("normal", (1, 2, 3, 4), "quarters"),
    ("normal", (1, 1, 2), "half"),
    ("normal", (1, 3, 2), "three_quarters"),
    ("normal", (math.nan, 1, 2), "quarter"),
    ("normal", (1, math.inf, 2), "half"),
    ("normal", (1, 2, 1e301), "three_quarters"),
    ("normal", (1, "2", 3), "half"),
    ("lognormal", (0, 1, 2), "quarter"),
    ("lognormal", (-1, 1, 2), "quarter"),
    ("exponential", (-1, 1, 2), "quarter"),
    ("exponential", (90, 100, 110), "quarters"),
    ("exponential", (5e-324, 1e-323, 1.5e-323), "quarters"),
    ("beta", (0, 50, 60), "quarter"),
    ("beta", (50, 60, 100), "three_quarters"),
    ("beta", (50, 50.0000001, 50.0000002), "quarters"),
    ("truncated_normal", (-5, 50, 60), "quarter"),
    ("uniform", (1, 2, 3), "family"),
    ("discrete", (1, 2, 3), "family"),
    ("histogram", (1, 2, 3), "family"),
]


@pytest.mark.parametrize(("family", "asked", "where"), HOSTILE)
def test_numbers_that_are_no_quarters_are_refused_by_name_with_a_remedy(family: str, asked: Any, where: str) -> None:
    for language in LANGUAGES:
        with speaking(language), pytest.raises(InvalidInput) as caught:
            fitted(of(family), asked)
        assert caught.value.where == where
        assert caught.value.remedy


@pytest.mark.parametrize("family", ["beta", "truncated_normal"])
@pytest.mark.parametrize("end", ["low", "high"])
def test_an_end_that_is_not_given_is_asked_for(family: str, end: str) -> None:
    open_ended = read(Prior, {"family": family, **ENDS[family], end: None})
    with pytest.raises(InvalidInput) as caught:
        fitted(open_ended, (1, 2, 3))
    assert caught.value.where == end


@pytest.mark.parametrize("family", SETTLED)
@pytest.mark.parametrize("asked", [(1e-300, 1.0, 1e299), (5e-324, 1e-323, 1e300), (1.0, 1.0 + 2e-16, 1.0 + 5e-16)])
def test_numbers_at_the_ends_of_floating_point_give_a_belief_or_a_reason(family: str, asked: Any) -> None:
    wide = {name: 1e300 if name == "high" else -1e300 for name in ENDS.get(family, ())}
    found = reached(of(family, **wide), asked) if asked[2] < 1e300 or family not in ENDS else None
    assert found is None or all(map(math.isfinite, found.quarters))
