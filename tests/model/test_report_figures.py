"""The figures: drawn within their frame, readable without eyes, and true to their data."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.values import plain
from dpwizard.charts import Circle, Path, Rectangle, Scene, Text, axis_chart, curves, scene
from dpwizard.charts.axis_chart import AxisRow
from dpwizard.charts.charts import decades, even
from dpwizard.decision import AccuracyInputs, assess, read_decision
from dpwizard.decision.requirements.relative_risk import RelativeRisk
from dpwizard.report import figures, phrases
from dpwizard.report.blocks import Figure
from dpwizard.report.document import blocks
from dpwizard.wording.printed_range import End
from tests.samples import profiles
from tests.samples.decisions import example, recorded

WORDS = phrases.words("en")
EPSILONS = st.one_of(st.floats(1e-300, 1e300), st.floats(0.01, 20), st.sampled_from((0.0, 5e-324, 1e-12, 1e12)))


def inside(drawn: Scene) -> None:
    """Nothing leaves the frame, and no number is NaN or infinite."""
    for item in drawn.items:
        match item:
            case Text():
                start, end = item.extent
                places = [(start, item.y), (end, item.y)]
            case Path():
                places = list(item.points)
            case Rectangle():
                places = [(item.x, item.y), (item.x + item.width, item.y + item.height)]
            case Circle():
                places = [(item.x, item.y)]
        for x, y in places:
            assert -4 <= x <= drawn.width + 4, item
            assert -1 <= y <= drawn.height + 1, item


def well_formed(drawn: Scene) -> ElementTree.Element:
    return ElementTree.fromstring(scene.svg(drawn))


@pytest.mark.slow
@given(
    rows=st.lists(
        st.tuples(st.sampled_from(("upper", "lower", "verdict")), st.none() | EPSILONS, st.booleans(), st.booleans()),
        max_size=30,
    ),
    chosen=st.none() | EPSILONS,
)
def test_the_requirements_hold_within_their_figure(rows: list[Any], chosen: float | None) -> None:
    made = [
        AxisRow(name=f"Requirement {i} " * 9, note="at most", side=s, epsilon=e, unbounded=u, enabled=on)
        for i, (s, e, u, on) in enumerate(rows)
    ]
    shown = axis_chart.closest(made)
    drawn = figures.requirement_rows(
        rows=shown,
        ends=(1.0, 2.0),
        chosen=chosen,
        printed=f"{chosen}",
        sentences=("", ""),
        words=WORDS,
        axis="epsilon",
        readings={},
    )
    inside(drawn)
    well_formed(drawn)
    assert len(drawn.rows) == min(len(rows), axis_chart.PRINTED)


def curve_of(**requirement: Any) -> tuple[curves.RiskCurve, ...]:
    raw = example("durham", requirements=[{"kind": "relative_risk", **requirement}])
    decision = read_decision(raw)
    answer = plain(assess(decision))["answers"][0]
    asked = decision.requirements[0]
    assert isinstance(asked, RelativeRisk)
    return curves.risk_curves(asked, decision.release, answer, decision.epsilon)


@pytest.mark.parametrize("profile", profiles.every(), ids=profiles.named)
@pytest.mark.parametrize(
    ("beliefs", "small"),
    [
        ({"adversary": "inclusion", "p": [0, 1]}, True),
        ({"adversary": "inclusion", "p": [1e-290, 1e-280]}, False),
        ({"adversary": "attribute", "q": [0, 0.3]}, False),
        ({"adversary": "both", "p": [0.01, 0.5], "q": [0, 1]}, True),
    ],
    ids=("inclusion", "unlikely", "attribute", "both"),
)
def test_every_profile_is_drawn_within_its_figure(
    profile: dict[str, Any], beliefs: dict[str, Any], small: bool
) -> None:
    for curve in curve_of(profile=profile, **beliefs):
        drawn = figures.risk_profile(curve=curve, chosen=End(text="2.20", value=2.2), words=WORDS, small=small)
        inside(drawn)
        well_formed(drawn)
        assert drawn.rows


def test_a_jump_is_drawn_from_both_sides() -> None:
    (curve,) = curve_of(
        adversary="inclusion", p=[0.001, 1], profile={"shape": "steps", "axis": "p", "edges": [0.1], "ratios": [8, 3]}
    )
    at = [allowed for prior, allowed in zip(curve.priors, curve.allowed, strict=True) if prior == 0.1]
    assert at[0] == pytest.approx(8, rel=1e-12)
    assert at[-1] == pytest.approx(3, rel=1e-12)


def test_the_masses_of_the_durham_count_are_those_of_the_paper() -> None:
    setting = AccuracyInputs(mechanism="geometric", delta=None, sensitivity=1.0, share=1.0)
    noise = curves.noise(setting, math.log(9))
    middle = noise.heights[len(noise.heights) // 2]
    assert middle == pytest.approx(0.8, rel=1e-12)  # (1 - 1/9) / (1 + 1/9)
    assert noise.heights[len(noise.heights) // 2 + 1] == pytest.approx(0.8 / 9, rel=1e-12)


@given(st.floats(1e-9, 1e9))
def test_an_axis_has_between_two_and_five_ticks(high: float) -> None:
    values = [value for value, _ in even("", high).ticks]
    assert 2 <= len(values) <= 5
    assert values[0] == 0
    assert values[-1] <= high * (1 + 1e-9)
    assert 1 <= len(decades("", high, high * 1000).ticks) <= 5


@given(st.text(max_size=80))
def test_any_text_is_data_in_the_drawing(typed: str) -> None:
    drawn = Scene(width=10, height=10, items=(Text(x=0, y=5, text=typed),), title=typed, alternative=typed)
    root = well_formed(drawn)
    assert [child.tag.split("}")[1] for child in root] == ["title", "desc", "text"]
    assert scene.svg(drawn) == scene.svg(drawn)


@pytest.mark.parametrize("epsilon", [0.88, 2.5])
def test_the_table_of_whole_noise_is_two_sided_and_adds_up(epsilon: float) -> None:
    made = recorded({**example("durham"), "epsilon": epsilon})
    drawn = next(block.scene for block in blocks(made) if isinstance(block, Figure) and "oise" in block.scene.title)
    rows = dict(drawn.rows)
    assert sum(round(10 * float(chance.removesuffix(" in 100"))) for chance in rows.values()) == 1_000
    if epsilon == 0.88:
        assert rows["1 either way"] == "34.3 in 100"
