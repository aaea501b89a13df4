"""Figures 6 and 7 of Dandekar, Basu & Bressan 2021, recomputed on synthetic public records, which every figure says."""

from __future__ import annotations

import math

from dpwizard.charts import synthetic_regression
from dpwizard.charts.charts import Chart, Figure, Line, Mark, along, curve, decades, even, plotted, shares, table_of
from dpwizard.privacy import privacy_at_risk
from dpwizard.privacy.mechanisms import LAPLACE
from dpwizard.wording import say, share, word

POINTS = 101
CONFIDENCES = (0.6, 0.7, 0.8, 0.9)
LEVEL, CONFIDENCE = 0.4, 0.6  # the paper's request, which its formula meets with noise at 0.8
LARGEST = 1.5  # of the noise levels drawn
QUANTILES = (0.4, 0.85)  # read off the paper's Figure 7


def utility() -> Figure:
    """Return Figure 6: level against the noise for several confidences, published beside exact, and the error below."""
    found = synthetic_regression.regression()
    grid = along(LARGEST, POINTS, 4)
    x = even(word("chart", "noise_set_for"), LARGEST, way="number")
    y = even(word("chart", "level"), LARGEST, way="number")
    struck = word("chart", "confidence_refuted")
    lines = []
    for confidence in CONFIDENCES:
        levels = tuple(privacy_at_risk.published_level(confidence=confidence, epsilon0=e0, dimension=1) for e0 in grid)
        label = say("chart", "at_confidence", {"confidence": confidence})
        lines.append(curve(label, grid, levels, "refuted", "dash", 1.5, struck))
    name = word("chart", "exact_own_level")
    # no confidence of a half or more below it
    lines.append(Line(name=name, label=word("chart", "exact"), x=grid, y=grid, role="privacy"))
    noise = privacy_at_risk.published_noise_level(epsilon=LEVEL, confidence=CONFIDENCE, dimension=1)
    mark = Mark(x=noise, y=LEVEL, words=say("chart", "claimed_noise", {"epsilon": noise}), role="refuted", below=True)
    errors = tuple(found.rmse_at(e0) for e0 in grid)
    y_error = even(word("chart", "rmse"), 1.1 * max(errors[8:]), way="figure")
    error = Line(name=word("chart", "rmse"), label=word("chart", "rmse_label"), x=grid, y=errors, role="accuracy")
    rmse = found.rmse_at(LEVEL)
    at = Mark(x=LEVEL, y=rmse, words=say("chart", "rmse_at", {"rmse": rmse}), role="privacy")
    columns, rows = table_of(x, (*lines, error), y)
    kept = privacy_at_risk.confidence(mechanism=LAPLACE.name, epsilon=LEVEL, epsilon0=noise, sensitivity=1.0)
    figures = {"level": LEVEL, "confidence": CONFIDENCE, "epsilon": noise, "kept": kept, "rmse": rmse}
    return Figure(
        title=word("chart", "at_risk_regression_title"),
        sentence=say("chart", "at_risk_regression", figures),
        plots=(Chart(x=x, y=y, lines=tuple(lines), marks=(mark,)), Chart(x=x, y=y_error, lines=(error,), marks=(at,))),
        asides=(word("chart", "synthetic"), struck),
        columns=columns,
        rows=rows,
    )


def sensitivities() -> Figure:
    """Return Figure 7: the distribution of the sensitivity over sampled pairs of neighbouring groups of records."""
    found = synthetic_regression.sensitivities()
    count = len(found)
    ranks = sorted({max(1, round(count * i / (POINTS - 1))) for i in range(POINTS)})
    xs = tuple(float(found[rank - 1]) for rank in ranks)
    ys = tuple(rank / count for rank in ranks)
    low, high = math.floor(math.log10(xs[1])), math.ceil(math.log10(xs[-1]))
    x = decades(word("chart", "sampled"), 10.0**low, 10.0**high, way="number")
    y = shares(word("chart", "of_pairs"))
    line = Line(name=word("chart", "of_pairs"), x=xs, y=ys, role="privacy")
    marks = []
    for quantile in QUANTILES:
        value = float(found[math.ceil(quantile * count) - 1])
        words = say("chart", "quantile_at", {"share": quantile, "value": value})
        marks.append(Mark(x=value, y=quantile, words=words, left=True))
    low_share, high_share = (share(quantile) for quantile in QUANTILES)
    one, other = (mark.x for mark in marks)
    figures = {"pairs": count, "low": low_share, "high": high_share, "one": one, "other": other}
    title, sentence = word("chart", "at_risk_sensitivities_title"), say("chart", "at_risk_sensitivities", figures)
    asides = (word("chart", "synthetic"), word("chart", "for_data_alike"))
    return plotted(title, sentence, x, y, (line,), marks, asides)
