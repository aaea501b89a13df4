"""Decisions that others made and published: the bundled files say the numbers that were printed, and what was not.

Every expected number is a published one; its source stands in the texts of the decision itself.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest

from dpwizard.decision import Assessment, Decision, assess, edits, release_flaws
from dpwizard.projects.project import open_project
from dpwizard.wording import general_guarantee
from tests.samples.decisions import EXAMPLES

PRINTED = json.loads((Path(__file__).parent.parent / "oracles" / "published" / "census_certificates.json").read_text())
REAL = (
    "redistricting_persons",
    "redistricting_units",
    "household_tables",
    "page_views",
    "mobility_reports",
    "symptom_trends",
    "broadband_counts",
    "energy_study",
    "employment_outcomes",
)
LEVELS = {"Block_Group": "block group", "Tract": "tract", "County": "county", "State": "state", "US": "US"}
PAGES, ENERGY = "page_views", "energy_study"


def opened(name: str) -> Decision:
    decision: Decision = open_project(EXAMPLES / f"{name}.json")
    return decision


def solved(name: str) -> Assessment:
    return assess(opened(name))


@pytest.mark.parametrize("name", REAL)
def test_no_promise_is_put_into_the_mouth_of_those_who_made_none(name: str) -> None:
    decision, told = opened(name), solved(name)
    assert not any(one.enabled for one in decision.requirements if one.end == "upper")
    assert all(one.off_reason for one in decision.requirements if not one.enabled)
    assert told.window.upper is None
    assert "no_privacy_requirement" in {problem.key for problem in told.problems}


@pytest.mark.parametrize(
    ("name", "of", "attributes"),
    [
        (
            "redistricting_persons",
            "US persons",
            {"hhgq": "household or group quarters", "votingage": "voting age", "hispanic": "Hispanic origin"},
        ),
        ("redistricting_persons", "US persons", {"cenrace": "race"}),
        ("redistricting_units", "US units", {"h1": "occupied"}),
    ],
)
def test_the_certificates_losses_are_those_printed(name: str, of: str, attributes: dict[str, str]) -> None:
    told, certificate = solved(name).accounting, PRINTED[of]
    assert opened(name).rho == certificate["rho"]
    assert told.rho == pytest.approx(float(Fraction(certificate["rho"])), rel=1e-12)
    by_attribute, within = dict(told.by_attribute), dict(told.within_level)
    assert round(told.epsilon or 0.0, 2) == certificate["printed"]["total"]
    for theirs, ours in attributes.items():
        assert round(by_attribute[ours].epsilon or 0.0, 2) == certificate["printed"][theirs]
    for theirs, ours in LEVELS.items():
        assert round(within[ours].epsilon or 0.0, 2) == certificate["within"][theirs]


@pytest.mark.parametrize("name", ["redistricting_persons", "redistricting_units", "household_tables"])
def test_what_the_exact_counts_of_a_block_tell_of_a_place_is_promised_to_nobody(name: str) -> None:
    """A unit that moves to another block changes counts that are published as they are."""
    decision = opened(name)
    assert all("location" in (table.reads or ()) for table in decision.release.tables)
    index = next(i for i, one in enumerate(decision.requirements) if not one.enabled)
    asked = edits.put(decision, f"$.requirements[{index}].attribute", "location")
    assert assess(asked).answers[index].status == "not_applicable"
    assert "Exact figures are published" in general_guarantee.one_person(decision)


def test_the_household_tables_need_what_the_production_file_spends() -> None:
    decision, told = opened("household_tables"), solved("household_tables")
    lower, spent = told.window.lower, {}
    for table in decision.planned.release.tables:
        assert table.name is not None
        spent[table.name] = lower * float(table.portion) / 2.0  # of one household added, half of one changed
    for width, lines, rho in ((3, 4, 1.920800), (11, 8, 0.142869), (50, 10, 0.006915)):
        asked = [one.part for one in decision.requirements if getattr(one, "half_width", None) == width]
        assert [round(spent[part], 6) for part in asked] == [rho] * lines
    assert round(lower, 2) == 17.79  # the total published, of one record changed
    lines = Fraction("1.920800") * 4 + Fraction("0.142869") * 8 + Fraction("0.006915") * 10
    assert float(lines) == 8.895302
    assert 0.0 < lower - 2 * lines < 1e-5  # its lines are rounded: they fall short of the margins by a trifle
    assert told.inside


def test_page_views_keep_roughly_epsilon_1_by_the_familiar_bound_and_ask_for_larger_noise_than_noted() -> None:
    decision, told = opened(PAGES), solved(PAGES)
    by_rule = {each.rule: each.epsilon for each in told.accounting.conversions}
    assert by_rule["loose"] == pytest.approx(0.998, abs=5e-4)
    assert by_rule["cks"] == pytest.approx(0.855, abs=5e-4)
    setting = decision.release.number_setting()
    assert decision.chosen is not None
    assert setting.sensitivity == pytest.approx(math.sqrt(10.0), rel=1e-12)
    assert setting.scale(decision.chosen) == pytest.approx(18.26, abs=5e-3)  # the notes say 10
    assert told.accounting.per_person is None  # on how many days somebody is counted was not published
    unsaid = {problem.where for problem in told.problems if problem.key == "unanswered"}
    assert {"$.requirements[1].at_most", "$.requirements[2].at_most"} <= unsaid  # kept confidential


def test_mobility_reports_cost_264_a_day_and_2690_for_all_days_of_one_person() -> None:
    told = solved("mobility_reports").accounting
    assert told.epsilon == 2.64 == pytest.approx(4 * (0.11 + 0.11 + 0.22) + 0.44 + 0.44, rel=1e-12)
    assert told.per_person.epsilon == 2690.16
    unsaid = {problem.where for problem in solved("mobility_reports").problems if problem.key == "unanswered"}
    assert {f"$.release.parts[{i}].sensitivity" for i in (3, 4, 5)} <= unsaid  # no bound on the time at home


def test_symptom_trends_divide_168_by_decimals_that_come_to_all_of_it() -> None:
    decision = opened("symptom_trends")
    assert decision.release.share_total() == 1
    amounts = [1.68 * float(table.portion or 0) for table in decision.release.tables]
    assert amounts == pytest.approx([0.168, 0.37, 1.1, 0.042], abs=1e-9)
    assert sum(amounts[:3]) == pytest.approx(1.638, abs=1e-9)
    assert sum((0.0023, 0.0047, 0.014)) == pytest.approx(amounts[3] / 2)  # the lines of the entry: half of its total
    assert solved("symptom_trends").accounting.epsilon == 1.68


def test_broadband_counts_add_up_over_two_pairs_that_share_nobody() -> None:
    decision = opened("broadband_counts")
    assert decision.chosen == solved("broadband_counts").accounting.epsilon == 0.2
    assert [table.dimension for table in decision.release.tables] == [32_653] * 4
    apart = edits.put(decision, "$.release.parts[0].group", None)
    assert edits.put(apart, "$.epsilon", None).chosen == pytest.approx(0.3)  # were it not for the pairs


def test_the_energy_study_comes_to_68_and_its_sample_to_472() -> None:
    decision, told = opened(ENERGY), solved(ENERGY).accounting
    assert told.epsilon == pytest.approx(0.1 + 0.2 + 4.0 + 2 * 1.25, rel=1e-12)
    assert told.delta == 4.08e-8
    amplified = release_flaws.amplified(decision.release, 6.8)
    assert amplified == pytest.approx(4.72, abs=5e-3)
    drawn = decision.release.sampling_fraction or 0.0
    assert drawn * (told.delta or 0.0) == pytest.approx(5.06e-9, rel=1e-3)
    assert drawn * (told.epsilon or 0.0) == pytest.approx(0.843, abs=5e-4)  # the paper's own, corrected by the registry
    need = next(answer for answer in solved(ENERGY).answers if answer.enabled)
    assert need.status == "unanswered"  # the bound on an hour's use, and so the noise, was not published


def test_of_parameters_that_were_never_published_nothing_is_said() -> None:
    decision, told = opened("employment_outcomes"), solved("employment_outcomes")
    assert decision.chosen is None
    assert told.accounting.epsilon is None
    assert told.accounting.rho is None
    assert general_guarantee.meaning(decision) == ()
    unsaid = {problem.where for problem in told.problems if problem.key == "unanswered"}
    assert unsaid == {"$.release.neighbours", "$.release.sensitivity", "$.epsilon", "$.outcome"}
