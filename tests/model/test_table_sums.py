"""Counts and totals of a divided table: which needs they may have, what one gets without, and small counts."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from dpwizard.charts import cells_scene, sums_view
from dpwizard.charts.plot_frame import PlotStyle
from dpwizard.charts.scene import Path, Rectangle
from dpwizard.decision import (
    FORMAT,
    Decision,
    TableSum,
    asked_at,
    assess,
    chance_of_one,
    read_decision,
    readers_add_up,
    sums_read,
    table_sums,
    with_need,
)
from dpwizard.privacy.accuracy import bias_of_clamped_zero, published_as, to_tenths
from dpwizard.privacy.accuracy.number_noise import noise_with
from dpwizard.questions import sums
from dpwizard.wording.plain_sentences import sum_name, unit_of

TABLE = {
    "statistic": "histogram",
    "neighbours": "add_remove",
    "mechanism": "geometric",
    "sensitivity": 1,
    "unit": "one patient",
    "post_processing": ["clamping"],
    "divisions": [{"name": "ward", "parts": 9}, {"name": "age group", "parts": 3}],
}
AT_088 = noise_with("geometric", 0.88, None, 1.0)


def decided(*requirements: dict[str, Any], **release: Any) -> Decision:
    return read_decision({"format": FORMAT, "release": {**TABLE, **release}, "requirements": list(requirements)})


def named(decision: Decision) -> list[str]:
    return [sum_name(one, unit_of(decision.release)) for one in sums_read(decision)]


def test_rows_follow_from_the_divisions() -> None:
    assert named(decided()) == [
        "Each count",
        "A ward’s total",
        "An age group’s total",
        "The total of the table",
        "All 9 ward totals at once",
        "All 27 counts at once",
    ]
    sizes = [(one.cells, one.sums) for one in table_sums(decided().release)]
    assert sizes == [(1, 27), (3, 9), (9, 3), (27, 1), (3, 9), (1, 27)]


@pytest.mark.parametrize("at", [1, 4])
def test_need_of_each_row_is_found_again_at_its_row_alone(at: int) -> None:
    rows = table_sums(decided().release)
    decision = with_need(decided(), rows[at], half_width=5)
    assert [asked_at(decision, one) for one in rows] == [0 if one == rows[at] else None for one in rows]
    assert getattr(decision.requirements[0], "level", None) == 0.95
    assert decision.release.totals_printed is (True if rows[at].cells > 1 else None)


@pytest.fixture(scope="module")
def ward() -> sums_view.SumsView:
    return looked_at(with_need(decided(), table_sums(decided().release)[1], half_width=5))


def looked_at(decision: Decision) -> sums_view.SumsView:
    read = sums_view.inputs(decision, assess(decision))
    assert read is not None
    return sums_view.view(read)


def test_what_one_gets_is_said_at_the_least_that_the_needs_allow(ward: sums_view.SumsView) -> None:
    assert ward.inputs.budget == 0.88
    assert ward.half_widths == (3.0, 5.0, 9.0, 16.0, 9.0, 7.0)
    assert sums.gets(ward.half_widths[0]) == "±3 in 95 of 100"
    assert ward.chart.bands[0].words == "within 5: 95 in 100"
    assert sum(sum(bars.y) for bars in ward.chart.bars) == pytest.approx(1.0, abs=1e-3)


def test_continuous_noise_is_drawn_as_a_density_and_holds_no_small_counts() -> None:
    found = looked_at(with_need(decided(mechanism="laplace"), table_sums(decided().release)[1], half_width=5))
    assert found.chart.lines
    assert found.small is None


def test_small_counts_are_published_as_the_mathematics_says() -> None:
    zero = published_as(AT_088, 0, 6)
    assert zero[0] == pytest.approx(0.7068, abs=5e-5)
    assert sum(zero[3:]) == pytest.approx(0.05044, abs=5e-6)
    assert [published_as(AT_088, truth, 6)[0] for truth in (1, 2, 3)] == pytest.approx(
        [0.2932, 0.1216, 0.0504], abs=5e-5
    )
    assert chance_of_one(0.05044, 27) == pytest.approx(0.7528, abs=5e-5)
    at_trial = noise_with("geometric", 0.4615, None, 1.0)
    assert sum(published_as(at_trial, 0, 6)[3:]) == pytest.approx(0.15362, abs=5e-6)


def test_rows_of_small_counts_add_up_to_100(ward: sums_view.SumsView) -> None:
    small = ward.small
    assert [sum(tenths) for _, tenths in small.rows] == [1_000] * 5
    assert to_tenths((1 / 3, 1 / 3, 1 / 3)) == (334, 333, 333)
    assert sums.small(small.reaches, small.one_reaches, 27, 3) == (
        "A true 0 is published as 3 or more in 5.1 of 100 cases. "
        "If all 27 counts were 0, one of them or more would be so in 76 of 100 tables.",
        ("3 or more", "5.1 of 100"),
    )


def test_readers_totals_of_zeros_are_too_high_by_half_the_mean_noise_of_each(ward: sums_view.SumsView) -> None:
    assert bias_of_clamped_zero(AT_088) == pytest.approx(0.5010, abs=5e-5)
    assert ward.too_high == pytest.approx(1.503, abs=5e-4)
    assert sums.too_high(ward.total, "count", ward.too_high).endswith("for a ward without a case, by 1.5 on average.")
    assert readers_add_up(decided().release)
    assert not readers_add_up(decided(post_processing=[]).release)


def test_wider_needs_take_what_the_mathematics_says() -> None:
    decision = with_need(decided(), table_sums(decided().release)[1], half_width=5)
    read = sums_view.inputs(decision, assess(decision))
    assert read is not None
    widths, budgets = zip(*sums_view.for_less(read), strict=True)
    assert widths == (5.0, 6.0, 7.0, 8.0, 10.0)
    assert budgets == pytest.approx((0.875829, 0.747299, 0.651173, 0.576690, 0.468980), abs=1e-6)
    nothing = sums_view.inputs(decided({"kind": "attack_advantage", "advantage": 0.42}), assess(decided()))
    assert nothing is None or sums_view.for_less(nothing) == ()


def drawn(decision: Decision, truth: int, seed: int) -> list[int]:
    """Return what is published of made-up counts that are all TRUTH."""
    read = sums_view.inputs(decision, assess(decision))
    assert read is not None
    cells = cells_scene.noisy_counts(decision, read, (truth,), seed)
    return [int(cell.words.split()[0].replace("−", "-")) for row in cells.rows for cell in row]


def test_made_up_counts_are_published_as_often_as_the_noise_says() -> None:
    decision = with_need(decided(), table_sums(decided().release)[1], half_width=5)
    assert drawn(decision, 20, 1) == drawn(decision, 20, 1)
    assert drawn(decision, 20, 1) != drawn(decision, 20, 2)
    found = [one for seed in range(100) for one in drawn(decision, 20, seed)]
    assert len(found) == 100 * 12  # four of nine wards, three age groups
    noise = noise_with("geometric", 0.88, None, 1.0)
    for off in range(-4, 5):
        chance = noise.reaching(Fraction(off)) - noise.reaching(Fraction(off + 1))
        spread = math.sqrt(chance * (1.0 - chance) / len(found))
        assert found.count(20 + off) / len(found) == pytest.approx(chance, abs=4.0 * spread), off


def test_made_up_counts_below_0_become_0_and_what_is_far_off_is_framed_and_drawn() -> None:
    decision = with_need(decided(), table_sums(decided().release)[1], half_width=5)
    assert min(one for seed in range(20) for one in drawn(decision, 0, seed)) == 0
    read = sums_view.inputs(decision, assess(decision))
    assert read is not None
    cells = cells_scene.noisy_counts(decision, read, (20,), 5)
    flat = [cell for row in cells.rows for cell in row]
    far = [abs(one - 20) > 3 for one in drawn(decision, 20, 5)]  # each count is within 3 in 95 of 100
    assert [cell.framed for cell in flat] == far
    assert f"{far.count(False)} of 12 counts are within ±3" in cells.sentence
    items = cells_scene.scene(cells, PlotStyle(width=400.0)).items
    assert sum(isinstance(item, Path) for item in items) == sum(far) > 0
    assert all(0.0 <= item.x <= item.x + item.width <= 400.0 for item in items if isinstance(item, Rectangle))


def test_other_sum_has_a_row_of_its_own() -> None:
    decision = with_need(decided(), TableSum(which="other", cells=5, sums=1), half_width=5)
    assert named(decision)[-1] == "A sum of 5 counts"
    assert asked_at(decision, sums_read(decision)[-1]) == 0
    total = with_need(decided(), table_sums(decided().release)[3], half_width=5)
    assert named(total) == named(decided())
