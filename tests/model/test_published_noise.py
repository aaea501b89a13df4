"""Once tables add up, what is said of a published number is said of its own noise, not of that which was added."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from dpwizard.charts import every_table, sums_view, usability
from dpwizard.decision import Decision, added_noises, assess, published_setting, small_groups, widths_of_tables
from dpwizard.privacy import programme
from dpwizard.records import make
from dpwizard.records.drawing import front
from dpwizard.report.content import content
from dpwizard.report.page_one import ROOMS, page_one
from dpwizard.wording.plain_sentences import plain_sentences
from tests.model.test_needs_after_adding_up import DISCRETE, NEEDS, SIZES, Z95, nodes, of, part, parts, sigmas, within
from tests.samples.decisions import STATED, decided


def test_every_table_says_the_noise_of_its_published_numbers() -> None:
    release = of(*NEEDS).planned.release
    found = every_table.figures_of(release, 0.3)
    before = sigmas(0.3, of(*NEEDS))
    tree = nodes(before)
    after = dict(zip((one["name"] for one in tree), programme.adding_up(nodes=tree).sd, strict=True))
    for figures, (name, node) in zip(found, {"nation": "n", "regions": "r0", "districts": "d00"}.items(), strict=True):
        assert figures.name == name
        assert figures.sd == pytest.approx(after[node], rel=1e-12)
        assert figures.half_width == pytest.approx(Z95 * after[node], rel=1e-9)
        assert figures.sd < before[name]


def exact_total() -> Decision:
    cells = part("cells", 12, share=1.0, adds_up_to=[{"part": "total", "children": 12}])
    figures = [{"name": "total"}]
    return of(within("cells", 2), parts=[cells], exact_figures=figures, **DISCRETE).model_copy(update={"rho": 1.0})


def test_small_groups_are_those_of_the_published_numbers() -> None:
    """Twelve cells under an exact total vary less, but fewer of them lie within 1: the lattice had helped."""
    release = exact_total().planned.release
    (added,) = added_noises(release, 1.0)
    (group,) = small_groups(release, 1.0, (10,))
    assert group.tables == ("cells",)
    leaves = [{"name": str(at), "parent": "total", "sd": added.sd} for at in range(12)]
    law = {"nodes": [{"name": "total", "parent": None, "sd": 0}, *leaves], "mechanism": "discrete_gaussian"}
    found = programme.within_after(**law, node="0", half_width=1)
    assert added.on_one.beyond(Fraction(1)) < 1.0 - found.upper <= group.off_by_tenth <= 1.0 - found.lower + 1e-12


def test_the_first_pages_say_nothing_of_the_noise_of_one_number_that_changes_as_it_adds_up() -> None:
    decision = exact_total()
    found = front(decision.planned, assess(decision))
    assert (found.sums, found.zero) == ((), None)
    assert {one.half_width for one in found.weighed} == {None}


def test_widths_are_those_of_the_published_numbers_and_name_every_table() -> None:
    release = of(*NEEDS, **DISCRETE).planned.release
    found = widths_of_tables(release, 0.3)
    assert sorted(name or "" for names in found.values() for name in names) == sorted(SIZES)
    for half_width, names in found.items():
        for name in names:
            setting = published_setting(release, name)
            noise = setting.noise_at(0.3)
            assert noise.beyond(Fraction(half_width)) <= 0.05
    assert max(found) < max(one.half_width(0.95) for one in added_noises(release, 0.3))


def test_page_one_repeats_no_width_that_a_need_of_the_kind_says() -> None:
    levels = [one | {"level": one["name"]} for one in parts()]
    asked = [{**within("", 60), "where": {"level": name}} for name in ("nation", "regions")]
    for one in asked:
        del one["part"]
    decision = of(*asked, parts=levels, levels=list(SIZES)[::-1], **DISCRETE).model_copy(update={"rho": 0.3})
    page = repr(list(page_one(content(make(decision, STATED, name="many")), ROOMS[0])))
    assert "nation, regions: within ±60 in 95 of 100." in page
    assert "districts: by the noise alone" in page
    assert "nation: by the noise alone" not in page


def test_page_one_says_the_width_of_a_kind_whose_sentence_another_kind_breaks() -> None:
    levels = [one | {"level": one["name"]} for one in parts()]
    widths = {
        names: width for width, names in widths_of_tables(of(parts=levels, **DISCRETE).planned.release, 0.3).items()
    }
    between = sum(sorted(widths.values())[:2]) / 2.0
    asked = [{**within("", between), "where": {"level": name}} for name in SIZES]
    for one in asked:
        del one["part"]
    decision = of(*asked, parts=levels, levels=list(SIZES)[::-1], **DISCRETE).model_copy(update={"rho": 0.3})
    assert {one.met for one in assess(decision).answers} == {True, False}
    page = repr(list(page_one(content(make(decision, STATED, name="many")), ROOMS[0])))
    assert all(f"{names[0]}: by the noise alone" in page for names in widths)


@pytest.mark.parametrize(("processing", "known"), [(["clamping"], {"districts"}), ([], set(SIZES))])
def test_nothing_is_said_of_numbers_whose_parts_were_clamped_before(processing: list[str], known: set[str]) -> None:
    release = of(*NEEDS, post_processing=processing, **DISCRETE).planned.release
    assert {one.name for one in every_table.figures_of(release, 0.3) if one.sd is not None} == known
    assert {name for names in widths_of_tables(release, 0.3).values() for name in names} == known
    assert {name for group in small_groups(release, 0.3, (10,)) for name in group.tables} == known


def test_nothing_is_said_where_what_adds_up_contradicts_itself() -> None:
    release = of(*NEEDS, parts=parts(districts=[{"part": "nowhere", "children": 5}]), **DISCRETE).planned.release
    assert {one.sd for one in every_table.figures_of(release, 0.3)} == {None}
    assert widths_of_tables(release, 0.3) == {}


@pytest.mark.parametrize("steps", [(10, 1), (1, 10)])
def test_nothing_is_said_of_numbers_that_add_up_with_noise_in_steps(steps: tuple[int, int]) -> None:
    """With 12 cells in steps of 10 the total lay beyond what was said in 5.55 of 100 cases, at a budget of 16."""
    whole, link = {"share": "1/2", "statistic": "sum", "sensitivity": 10}, [{"part": "all", "children": 12}]
    made = [part("all", 1, **whole, step=steps[0]), part("cells", 12, **whole, step=steps[1], adds_up_to=link)]
    release = of(parts=made, mechanism="geometric").planned.release
    assert {one.sd for one in every_table.figures_of(release, 16.0)} == {None}
    assert widths_of_tables(release, 16.0) == {}


@pytest.mark.parametrize(("model", "known"), [("central", True), ("local", False), ("shuffle", False)])
def test_nothing_is_said_of_numbers_to_which_each_device_adds_its_own_noise(model: str, known: bool) -> None:
    decision = decided(mechanism="geometric", statistic="count", sensitivity=1, trust_model=model)
    decision = decision.model_copy(update={"epsilon": 1.0})
    assessment = assess(decision)
    said = plain_sentences(decision, assessment)
    assert (every_table.figures_of(decision.release, 1.0)[0].sd is not None) is known
    assert (sums_view.inputs(decision, assessment) is not None) is known
    assert (said.gets != "", usability.measures(decision, assessment) != ()) == (known, known)


@pytest.mark.parametrize(
    ("processing", "printed", "known"),
    [([], None, 2), (["clamping"], True, 2), (["clamping"], None, 1), (["consistency"], True, 1)],
)
def test_the_first_page_says_no_width_of_totals_of_counts_that_were_clamped(
    processing: list[str], printed: bool | None, known: int
) -> None:
    """Of twenty counts of 0, clamped, at an epsilon of .2 the sum lay beyond 62 in 24 cases, and in 5 it was said."""
    more: dict[str, Any] = {"post_processing": processing, "totals_printed": printed}
    decision = decided(mechanism="geometric", statistic="histogram", sensitivity=1, dimension=20, **more)
    decision = decision.model_copy(update={"epsilon": 0.2})
    found = front(decision.planned, assess(decision))
    assert len(found.sums) == known
