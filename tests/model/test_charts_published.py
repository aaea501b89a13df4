"""The figures of the live panels show the papers' own numbers for the papers' own cases, and say true sentences about
them."""

from __future__ import annotations

import csv
import io
import math
import re
from itertools import pairwise
from pathlib import Path
from typing import TypeVar
from xml.etree import ElementTree

import pytest

from dpwizard.base.csv_text import as_csv
from dpwizard.charts import (
    Chart,
    Figure,
    Line,
    at_risk_chart,
    chart_scene,
    charts,
    comparison,
    composition_chart,
    cost_chart,
    guessing_chart,
    influence_chart,
    persuasion_chart,
    scene,
    surfaces,
)
from dpwizard.charts.charts import nearest
from dpwizard.decision import Decision, assess, edits
from dpwizard.privacy import mechanisms
from dpwizard.projects.project import open_project
from tests.samples import published_points as printed

Found = TypeVar("Found")
EXAMPLES = Path(__file__).resolve().parents[2] / "resources" / "examples"
WITHIN = 0.01  # of the points of the papers' figures


def example(name: str) -> Decision:
    return open_project(EXAMPLES / f"{name}.json")


def there(found: Found | None) -> Found:
    """Return what was FOUND; nothing is a failure."""
    assert found is not None
    return found


def chart(figure: Figure, plot: int = 0) -> Chart:
    found = figure.plots[plot]
    assert isinstance(found, Chart)
    return found


def line(figure: Figure, name: str, plot: int = 0) -> Line:
    return next(one for one in chart(figure, plot).lines if one.name.startswith(name))


def at(curve: Line, x: float) -> float:
    """Return the value of a curve at X, read off between its points as an eye would."""
    for (x0, y0), (x1, y1) in zip(
        zip(curve.x, curve.y, strict=True), list(zip(curve.x, curve.y, strict=True))[1:], strict=False
    ):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0) if x1 > x0 else y0
    raise AssertionError(f"{x} is not on the curve")


# ------------------------------------------------------------------------------------------------ budget


def composition(view: composition_chart.View = "own") -> Figure:
    decision = example("dandekar_health_centre")
    read = composition_chart.drawing(decision, decision.epsilon, view)
    return read.figure()


def test_the_refuted_theorem_is_struck_with_the_numbers_that_refute_it() -> None:
    figure = composition("figure_b")
    published, lower = line(figure, "privacy at risk"), line(figure, "exact loss, lower")
    assert published.struck
    assert published.role == "refuted"
    assert published.dash == "dash"
    assert published.y[-1] < lower.y[-1]  # it claims less than is lost
    said = there(re.search(r"claims ([\d.]+), but they lose at least ([\d.]+[\d])", published.struck))
    claims, loses = float(said[1]), float(said[2])
    assert claims == pytest.approx(published.y[-1], rel=1e-5)
    assert loses == pytest.approx(lower.y[-1], rel=1e-5)


def test_figure_4_of_dandekar_has_its_end_and_its_cheapest_point() -> None:
    decision = example("dandekar_health_centre")
    read = cost_chart.drawing(decision, decision.epsilon, "figure")
    figure = read.figure()
    published = line(figure, "noise at 0.5")
    assert at(published, printed.FIGURE_4_END[0]) == pytest.approx(printed.FIGURE_4_END[1], rel=WITHIN)
    first = figure.plots[0]
    assert (first.marks[0].x, first.marks[0].y) == (
        pytest.approx(printed.FIGURE_4_CHEAPEST[0], rel=WITHIN),
        pytest.approx(printed.FIGURE_4_CHEAPEST[1], rel=WITHIN),
    )
    audited = line(figure, "by the exact confidence, noise at 0.5")
    assert min(audited.y) > 1.5 * printed.FIGURE_4_CHEAPEST[1]  # the saving that is promised does not exist
    assert "37,806" in figure.sentence
    own = cost_chart.drawing(decision, decision.epsilon)
    assert "63,894" in own.figure().sentence


def test_ones_own_figures_show_nothing_that_was_refuted() -> None:
    decision = example("dandekar_health_centre")
    found = (
        (cost_chart, "cost"),
        (composition_chart, "composition"),
        (at_risk_chart, "at risk"),
    )
    for chart_of, name in found:
        read = chart_of.drawing(decision, 0.5)
        assert read is not None, name
        figure = read.figure()
        assert figure.plots, name
        assert not any(line.struck or line.role == "refuted" for line in chart(figure).lines), name
        assert not any(mark.role == "refuted" for mark in chart(figure).marks), name
        assert not any("Struck" in aside for aside in figure.asides), name


# ---------------------------------------------------------------------------------------------- profiles


def map_of(name: str, logarithmic: bool = True) -> Figure:
    decision = example(name)
    answer = assess(decision).answers[0]
    read = surfaces.drawing(decision.requirements[0], answer, decision.release, logarithmic)
    return read.figure()


@pytest.mark.parametrize("logarithmic", [True, False])
def test_figure_5_of_kazan_and_reiter_has_its_argmin_and_its_profile(logarithmic: bool) -> None:
    figure = map_of("kazan_reiter_figure_5", logarithmic)
    ratios, epsilons = figure.plots
    mark = epsilons.marks[0]
    assert (mark.x, mark.y) == (printed.FIGURE_5["p"], pytest.approx(printed.FIGURE_5["q"], rel=WITHIN))
    assert float(epsilons.grid.min()) == pytest.approx(
        printed.FIGURE_5["epsilon"], rel=0.03
    )  # of the cells, which miss the point itself
    for i in range(0, len(ratios.at_x), 17):
        for j in range(0, len(ratios.at_y), 17):
            prior = ratios.at_x[i] * ratios.at_y[j]
            assert ratios.grid[i, j] == pytest.approx(max(0.25 / prior, 3.0), rel=1e-9)  # (33)
            if prior < 0.249:
                assert math.isinf(epsilons.grid[i, j]) == (max(0.25 / prior, 3.0) >= 1 / prior)
    assert "0.64" in figure.sentence
    assert "1 in 12" in figure.sentence


def test_a_profile_in_one_belief_has_no_map() -> None:
    decision = example("durham")
    assert surfaces.drawing(decision.requirements[0], assess(decision).answers[0], decision.release) is None


def test_the_comparison_holds_table_1_of_kazan_and_reiter() -> None:
    decision = example("kazan_reiter_table_1_a")
    read = comparison.inputs(decision, 0)
    found = {(row.cap, row.ratio): row for row in comparison.rows(read)}
    for ratio, (epsilon, sd, exact) in printed.TABLE_1.items():
        row = found[0.25, ratio]
        assert row.epsilon == pytest.approx(epsilon, abs=0.006)
        assert row.sd == pytest.approx(sd, rel=WITHIN)
        assert row.exact == pytest.approx(exact, abs=0.006)


@pytest.mark.parametrize(("ratio", "epsilon"), printed.RATIO_ALONE.items())
def test_a_ratio_alone_over_all_beliefs_allows_what_the_paper_prints(ratio: float, epsilon: float) -> None:
    decision = example("kazan_reiter_figure_5")
    alone = edits.put(decision, "$.requirements[0].profile", {"shape": "constant", "ratio": ratio})
    assert assess(alone).answers[0].epsilon == pytest.approx(epsilon, abs=0.0051)


def test_figure_2_of_kazan_and_reiter_has_the_profile_that_crosses_in_one_of_ten() -> None:
    decision = example("durham")
    read = comparison.inputs(decision, 0)
    rows = comparison.rows(read)
    own = rows[0]
    assert own.is_current
    assert own.epsilon == pytest.approx(printed.FIGURE_2_BEST["epsilon"], rel=WITHIN)
    assert own.sd == pytest.approx(printed.FIGURE_2_BEST["rmse"], rel=WITHIN)
    assert dict(own.switches)[printed.FIGURE_2_BEST["deviation"]] == pytest.approx(
        printed.FIGURE_2_BEST["switch"], rel=WITHIN
    )
    for row in rows:  # alpha^k / (1 + alpha), k = 1, 2, 4, 8 steps: docs/methods/accuracy.md
        alpha = math.exp(-float(row.epsilon or 0.0))
        for (_, chance), steps in zip(row.switches, (1, 2, 4, 8), strict=True):
            assert chance == pytest.approx(alpha**steps / (1 + alpha), rel=1e-9)
    figure = comparison.figure(rows)
    drawn = {(row.ratio, row.cap): (row.epsilon, row.sd) for row in rows}
    for profile, (epsilon, deviation) in printed.FIGURE_2.items():
        assert drawn[profile] == (pytest.approx(epsilon, abs=0.0051), pytest.approx(deviation, abs=0.0051))
    bars = figure.plots[-1].bars[0]
    assert len(bars.x) == 12  # nine profiles of the paper and its three constant ones
    assert max(bars.y) == pytest.approx(printed.FIGURE_2_BEST["epsilon"], rel=WITHIN)
    assert "0.5 or 5 times" in figure.sentence
    assert "10 in 100" in figure.sentence


def test_the_guessing_curves_of_the_cafeteria_are_the_slides_and_the_exact_one_meets_the_limit() -> None:
    decision = example("pankova_laud_cafeteria")
    answer = assess(decision).answers[0]
    read = guessing_chart.drawing(decision.requirements[0], answer, decision.release, decision.epsilon)
    assert answer.epsilon is not None
    figure = read.figure()
    before, after = printed.CAFETERIA["before"], printed.CAFETERIA["after"]
    assert at(line(figure, "exact"), answer.epsilon) == pytest.approx(after - before, rel=WITHIN)
    per_precision = 2 * 0.01 / 0.16  # precision times effect over sensitivity
    closed = line(figure, "simplified")
    for index in (10, 40, 80):
        expected = printed.simplified(before, closed.x[index] * per_precision, 8.0) - before
        assert closed.y[index] == pytest.approx(expected, rel=WITHIN)
    assert not any(one.struck for one in figure.plots[0].lines)
    assert f"{answer.epsilon:.4f}"[:4] in figure.sentence


def test_the_persuasion_curve_of_gaussian_noise_is_that_of_probabilistic_privacy() -> None:
    decision = example("bon_persuasion")
    answer = assess(decision).answers[0]
    read = persuasion_chart.drawing(decision.requirements[0], answer, decision.release, 1.0)
    figure = read.figure()
    sd = mechanisms.GAUSSIAN.scale(
        1.0, 1.0, 1e-6
    )  # of the figure, which a changed value moves twice as far as one more person
    limit = line(figure, "chance before of the truth: next to nothing")
    for kappa in (0.2, 0.6, 1.0):
        assert at(limit, kappa) == pytest.approx(1 - printed.gaussian_excess(kappa, 2.0, sd), rel=WITHIN)
    need = line(figure, "chance left out: 0.01", plot=1)
    effective = math.log((1 - 0.1) / (math.exp(-1.0) - 0.1))
    smallest = (2.3263478740 + math.sqrt(2.3263478740**2 + 2 * effective)) / (2 * effective)
    assert at(need, 1.0) == pytest.approx(2.0 * smallest, rel=WITHIN)


def test_the_mark_of_persuasion_says_what_the_sentence_says_where_the_chance_jumps() -> None:
    decision = example("bon_persuasion")
    release = decision.release.model_copy(update={"mechanism": "geometric", "delta": None})
    for kappa in (0.7, 1.0, 0.333):
        asked = decision.requirements[0].model_copy(update={"kappa": kappa})
        read = persuasion_chart.drawing(
            asked, assess(decision).answers[0], release, kappa / 2
        )  # the gain is at most 2 epsilon
        figure = read.figure()
        mark = figure.plots[0].marks[0]
        assert (mark.x, mark.y) == (kappa, 1.0)
        assert f"the gain is at most {kappa:g} in {mark.words} of possible outcomes" in figure.sentence


# ---------------------------------------------------------------------------------------------- decision


def test_the_tornado_says_how_far_the_first_answer_really_moves_the_window() -> None:
    decision = example("durham_conflict")
    base = assess(decision)
    figure = influence_chart.tornado(decision)
    assert figure.rows[0][0] == "Healthy People target: Number of records"
    moved = [assess(edits.put(decision, "$.requirements[1].records", count)).window for count in (3611, 4413)]
    swing = max(abs(window.lower - base.window.lower) for window in moved)
    said = float(there(re.search(r"up to ([\d.]+\d)", figure.sentence))[1])
    assert swing <= said <= swing + 0.01


# ------------------------------------------------------------------------------------- every figure


def all_figures() -> dict[str, Figure]:
    found: dict[str, Figure] = {"composition": composition(), "map": map_of("kazan_reiter_figure_5")}
    health = example("dandekar_health_centre")
    found["cost"] = there(cost_chart.drawing(health, 0.5)).figure()
    for view in at_risk_chart.VIEWS:
        found[f"risk {view}"] = there(at_risk_chart.drawing(health, 0.5, view)).figure()
    cafeteria = example("pankova_laud_cafeteria")
    for way in guessing_chart.VIEWS:
        answer = assess(cafeteria).answers[0]
        found[f"guess {way}"] = there(
            guessing_chart.drawing(cafeteria.requirements[0], answer, cafeteria.release, 0.4, way)
        ).figure()
    bon = example("bon_persuasion")
    for index in range(3):
        answer = assess(bon).answers[index]
        found[f"persuasion {index}"] = there(
            persuasion_chart.drawing(bon.requirements[index], answer, bon.release, 1.0)
        ).figure()
    durham = example("durham")
    found["comparison"] = there(comparison.drawing(durham, 0)).figure()
    found["tornado"] = influence_chart.tornado(durham)
    return found


@pytest.mark.slow
def test_every_figure_has_units_a_sentence_a_table_and_a_file_that_is_well_formed() -> None:
    for name, figure in all_figures().items():
        assert figure.sentence.endswith("."), name
        assert figure.title, name
        assert figure.rows, name
        assert all(len(row) == len(figure.columns) for row in figure.rows), name
        for plot in figure.plots:
            assert plot.x.title, name
            assert len(plot.y.ticks) <= 8, name
        drawn = scene.svg(chart_scene.scene(figure))
        root = ElementTree.fromstring(drawn)
        assert root.tag.endswith("svg"), name
        assert "nan" not in drawn.replace("nance", ""), name
        assert 'inf"' not in drawn, name
        read = list(csv.reader(io.StringIO(as_csv((figure.columns, *figure.rows)))))
        assert tuple(read[0]) == figure.columns, name
        assert len(read) == len(figure.rows) + 1, name


def test_no_cell_of_a_saved_table_is_run_by_a_spreadsheet() -> None:
    text = as_csv((("a", "b"), ("=1+1", "+2+3"), ("@x", "-plain"), ("-2.5", "1,000")))
    rows = list(csv.reader(io.StringIO(text)))
    assert rows == [["a", "b"], ["'=1+1", "'+2+3"], ["'@x", "'-plain"], ["-2.5", "1,000"]]


def test_labels_are_moved_apart_and_keep_their_order_and_their_frame() -> None:
    places = charts.spread_labels((5.0, 5.1, 5.2, 9.9, 10.4), (1.0,) * 5, -0.5, 10.5)
    assert all(b - a >= 1.0 - 1e-9 for a, b in pairwise(places))
    assert max(places) <= 10.0


def test_the_nearest_point_is_found_at_the_ends_and_between() -> None:
    assert [nearest((0.0, 1.0, 4.0), x) for x in (-3.0, 0.4, 0.6, 2.4, 2.6, 9.0)] == [0, 0, 1, 1, 2, 2]
