"""The picture of the ledger: each record on top of those before it, in the order of their days; planned ones last."""

from __future__ import annotations

from dpwizard.charts import Figure, chart_scene, svg
from dpwizard.charts.charts import Chart
from dpwizard.charts.ledger_chart import MOST_BARS, State, Taken, figure


def taken(name: str, date: str, size: float, state: State = "sure") -> Taken:
    return Taken(name=name, date=date, figure=size, state=state)


RECORDS = (
    taken("planned", "2020-01-01", 2.0, "planned"),
    taken("late", "2026-03-01", 0.5),
    taken("early", "2024-03-01", 1.0),
    taken("undated", "", 0.25, "doubtful"),
)


def drawn(records: tuple[Taken, ...] = RECORDS, ceiling: float | None = 3.0) -> Figure:
    return figure("Durham (unit: person)", "epsilon", records, not_counted=3, ceiling=ceiling)


def chart_of(figure: Figure) -> Chart:
    (plot,) = figure.plots
    assert isinstance(plot, Chart)
    return plot


def test_each_bar_begins_where_the_last_one_ended() -> None:
    placed = [bars for bars in chart_of(drawn()).bars if bars.begins]
    found = [bar for bars in placed for bar in zip(bars.x, bars.begins, bars.y, strict=True)]
    assert sorted(found) == [(0.0, 0.0, 1.0), (1.0, 1.0, 1.5), (2.0, 1.5, 1.75), (3.0, 1.75, 3.75)]


def test_thousands_of_records_and_none_can_be_drawn() -> None:
    many = drawn(tuple(taken(f"r{i}", f"{2000 + i % 30}-01-01", 0.1) for i in range(2_000)))
    chart = chart_of(many)
    assert len(chart.x.ticks) <= 12
    assert [line.filled for line in chart.lines] == [False, True]
    assert len(chart.bars) == 1
    assert len(RECORDS) <= MOST_BARS
    assert svg(chart_scene.scene(many))
    assert drawn(()).rows == ()
    assert svg(chart_scene.scene(drawn((), None)))
