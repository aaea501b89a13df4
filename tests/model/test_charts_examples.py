"""Every figure of the papers, drawn from the bundled example that shows it, is within 1 % of the points of
`published_points`.

The papers are at hand as text. Where it prints axes, legends, captions or numbers of a figure, those are compared; the
points of a curve are computed in `published_points` from the formula and the parameters that the paper states for it.
"""

from __future__ import annotations

import math

import pytest

from dpwizard.charts import Figure, at_risk_chart, comparison, composition_chart, cost_chart, pictures
from dpwizard.decision import assess
from tests.model.test_charts_published import WITHIN, at, chart, example, line
from tests.samples import published_points as printed


def curves(name: str) -> list[tuple[float, float, tuple[float, ...], tuple[float, ...], tuple[float, ...]]]:
    """Return, for each requirement of an example, p and q (nan: it varies), the priors, the ratios and the epsilons
    drawn."""
    found = []
    for drawn in pictures.picture(example(name)).drawn:
        curve = drawn.curves[0]
        p, q = (math.nan, curve.other) if curve.axis == "p" else (curve.other, math.nan)
        found.append((p, q, curve.priors, curve.allowed, curve.epsilons))
    return found


@pytest.mark.parametrize(
    ("name", "profiles"),
    [
        ("kazan_reiter_figure_1", ((0.1, 3.0), (0.1, 3.0))),
        ("kazan_reiter_figure_3", ((0.25, 1.5), (0.25, 3.0), (0.25, 6.0))),
        ("kazan_reiter_figure_4", ((0.025, 3.0), (0.15, 3.0), (0.3, 3.0))),
    ],
)
def test_figures_1_3_and_4_of_kazan_and_reiter_have_the_profile_and_the_epsilons_of_their_formulas(
    name: str, profiles: tuple[tuple[float, float], ...]
) -> None:
    for (p, q, priors, ratios, epsilons), (cap, ratio) in zip(curves(name), profiles, strict=True):
        for prior, drawn, epsilon in list(zip(priors, ratios, epsilons, strict=True))[::16]:
            belief = (prior, q) if math.isnan(p) else (p, prior)
            allowed = printed.weaker(cap, ratio, belief[0] * belief[1])
            assert drawn == pytest.approx(allowed, rel=WITHIN)
            if abs(allowed * belief[0] * belief[1] - 1) > 1e-9:
                assert epsilon == pytest.approx(printed.implied_epsilon(*belief, allowed), rel=WITHIN)


def test_the_agencies_of_figure_1_stand_where_their_caption_puts_them() -> None:
    (_, q, _, _, first), (p, _, _, _, second) = curves("kazan_reiter_figure_1")
    assert (q, p) == (1.0, printed.FIGURE_1["p"])
    assert min(first) == pytest.approx(math.log((3 - 0.1) / (1 - 0.1)), rel=WITHIN)  # Table 4, row (15), q = 1
    assert min(second) >= math.log(3) / 2  # "bounded below by log(r)/2"


def test_every_row_of_table_4_of_kazan_and_reiter_has_its_closed_form() -> None:
    answers = assess(example("kazan_reiter_table_4")).answers
    assert [answer.epsilon for answer in answers] == [pytest.approx(epsilon, rel=1e-9) for epsilon in printed.table_4()]


def test_table_5_of_kazan_and_reiter_stands_in_the_comparison_of_each_agency() -> None:
    for letter, (cap, (epsilon, sd, exact)) in zip("abc", printed.TABLE_5.items(), strict=True):
        read = comparison.inputs(example(f"kazan_reiter_table_5_{letter}"), 0)
        own = next(row for row in comparison.rows(read) if row.is_current)
        assert (own.cap, own.epsilon) == (cap, pytest.approx(epsilon, abs=0.006))
        assert own.sd == pytest.approx(sd, rel=WITHIN)
        assert own.exact == pytest.approx(exact, abs=0.006)


# ------------------------------------------------------------------------------------- Dandekar et al.


def own_noise(view: at_risk_chart.View) -> Figure:
    decision = example("dandekar_figure_1")
    read = at_risk_chart.drawing(decision, decision.epsilon, view)
    return read.figure()


@pytest.mark.parametrize("dimension", [1, 3])
def test_figure_1a_has_the_confidence_of_theorem_4_for_each_number_of_values(dimension: int) -> None:
    curve = line(own_noise("dimensions"), f"k = {dimension}")
    for level in (0.2, 0.5, 0.8):
        assert at(curve, printed.gamma_1(level, 1.0, dimension)) == pytest.approx(level, rel=WITHIN)


@pytest.mark.parametrize("rho", [1e-4, 1e-3, 1e-2, 1e-1])
def test_figure_2_of_dandekar_has_the_samples_of_its_formula(rho: float) -> None:
    curve = line(own_noise("samples"), f"ρ = {rho:g}")
    for index in (5, 40, 80):
        expected = printed.figure_2_samples(curve.x[index], rho)
        assert curve.y[index] == pytest.approx(expected, rel=WITHIN, abs=1.0)  # samples are whole


def test_figure_3_of_dandekar_has_the_errors_and_samples_of_its_legends() -> None:
    for figure, view, pairs in (
        (own_noise("sampling_error"), "sampling_error", [(rho, 10_000) for rho in printed.FIGURE_3_ERRORS]),
        (own_noise("sample_size"), "sample_size", [(0.01, n) for n in printed.FIGURE_3_SAMPLES]),
    ):
        for rho, samples in pairs:
            curve = line(figure, f"ρ = {rho:g}" if view == "sampling_error" else f"n = {samples:,}")
            for index in (10, 30, 50):
                confidence = printed.figure_3_confidence(curve.y[index], rho, samples, at_risk_chart.QUANTILE)
                assert confidence == pytest.approx(curve.x[index], rel=WITHIN)
            assert curve.struck


@pytest.mark.parametrize("noise", printed.FIGURE_4_NOISE)
def test_figure_4_of_dandekar_has_the_three_curves_of_its_legend_each_with_its_audited_one(noise: float) -> None:
    decision = example("dandekar_health_centre")
    read = cost_chart.drawing(decision, decision.epsilon, "figure")
    figure = read.figure()
    published, audited = (
        line(figure, f"noise at {noise:g}"),
        line(figure, f"by the exact confidence, noise at {noise:g}"),
    )
    assert published.struck
    assert not audited.struck
    assert published.x[-1] == noise
    for index in (20, 50, len(published.x) - 1):
        assert published.y[index] == pytest.approx(printed.figure_4_cost(published.x[index], noise), rel=WITHIN)
        assert audited.y[index] >= published.y[index] * (1 - 1e-12)


@pytest.mark.parametrize(("view", "noise"), [("figure_a", 0.1), ("figure_b", 0.5), ("figure_c", 1.0)])
def test_figure_5_of_dandekar_has_its_three_parts(view: composition_chart.View, noise: float) -> None:
    read = composition_chart.drawing(example("dandekar_figure_5"), 0.3, view)
    figure = read.figure()
    level, confidence = printed.FIGURE_5_PAIRS[noise]
    for releases in (100, 200, 300):
        assert at(line(figure, "basic"), releases) == pytest.approx(noise * releases, rel=WITHIN)
        assert at(line(figure, "advanced"), releases) == pytest.approx(
            printed.figure_5_advanced(noise, releases), rel=WITHIN
        )
        published = printed.figure_5_published(noise, level, confidence, releases)
        assert at(line(figure, "privacy at risk"), releases) == pytest.approx(published, rel=WITHIN)
    assert line(figure, "exact loss, upper").y[-1] >= line(figure, "exact loss, lower").y[-1]


def test_table_1_of_dandekar_is_quoted_as_printed_and_said_to_be_so_beside_the_exact_loss() -> None:
    read = composition_chart.drawing(example("dandekar_figure_5"), 0.5, "table")
    figure = read.figure()
    moments, at_risk, exact = chart(figure).bars
    assert list(zip(moments.y, at_risk.y, strict=True)) == list(printed.TABLE_1_QUOTED.values())
    assert exact.y == tuple(pytest.approx(value, rel=1e-4) for value in printed.EXACT_AT_TENTH.values())
    assert "Quoted, not reproduced" in figure.sentence
    assert "quoted as printed" in " ".join(figure.asides)
