"""What reviewers ask beside the mathematics: kept, printed by name, and said plainly where no budget covers it."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path
from typing import Any

import pytest

from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.charts import pictures
from dpwizard.decision import assess, assumptions, edits, problems, read_decision, small_groups, to_json
from dpwizard.records.registry import registry_entry
from dpwizard.report import document as report
from dpwizard.report import phrases
from dpwizard.report.answered import ASKED, WHOLE, reviewers_page
from dpwizard.report.blocks import Heading, PageBreak
from dpwizard.report.notice import notice_html
from dpwizard.wording import assessments, field_label, general_guarantee
from tests.samples import registry_schema
from tests.samples.decisions import example, recorded

ROOT = Path(__file__).parents[2]


def durham(release: dict[str, Any] | None = None, **details: Any) -> Any:
    raw = example("durham")
    raw["release"] |= release or {}
    raw["details"] = raw.get("details", {}) | details
    return read_decision(raw)


def named(decision: Any) -> set[str]:
    return {problem.values.get("assumption", problem.key) for problem in problems(decision)}


FULL: dict[str, Any] = {
    "actors": [{"name": "County health department", "role": "curator", "sees": "everything"}],
    "collection": "The law asks for every death.",
    "data_domain": "County and year.",
    "domain_source": "rules",
    "tuned_on": "earlier_release",
    "tuning": "Once, on the figures published in 2019.",
    "implementation": "OpenDP 0.14",
    "floating_point": "whole_numbers",
    "randomness": "secure",
    "checked": "Reviewed by two people.",
    "access": "Three people.",
    "security": "On one machine.",
    "small_groups": [5, 10, 50],
    "groups": "Small hospitals.",
}


REST: dict[str, Any] = {
    "curators": ["County health department"],
    "intended_use": "Comparison with a target.",
    "product_type": "Summary statistics",
    "region": "Durham County",
    "approver": "The director",
    "attributes": "All.",
    "necessity": "It is needed.",
    "alternatives": "None.",
    "residual_risks": "Few.",
    "risks": [{"risk": "A leak", "measure": "Care"}],
    "advice": "Agreed.",
    "views": "Not sought.",
    "review_date": "2027-01-01",
    "review_triggers": "A leak.",
    "authority": "The law.",
    "controller": "The county",
}
TABLES = ("$.justification",)  # printed under a heading of its own


def label_in(language: str, path: str) -> str:
    with speaking(language):
        return field_label((type(durham()),), path, durham())


@pytest.mark.parametrize(
    ("field", "said", "key"),
    [
        ("tuned_on", "confidential", "tuned_on_confidential"),
        ("domain_source", "confidential", "domain_from_confidential"),
        ("floating_point", "ordinary", "ordinary_floating_point"),
        ("floating_point", "unknown", "ordinary_floating_point"),
        ("randomness", "seeded", "chance_foreseen"),
        ("randomness", "unknown", "chance_foreseen"),
    ],
)
def test_what_no_budget_covers_is_to_be_acknowledged(field: str, said: str, key: str) -> None:
    assert key not in assumptions(durham())
    assert key in assumptions(durham(**{field: said}))
    assert key in named(durham(**{field: said}))


@pytest.mark.parametrize("model", ["local", "shuffle"])
def test_nothing_is_promised_where_each_device_adds_its_own_noise(model: str) -> None:
    decision = durham({"trust_model": model})
    assessment = assess(decision)
    assert {(answer.status, answer.why.key) for answer in assessment.answers} == {("not_applicable", "not_one_curator")}
    assert assessment.window.upper is None
    assert "not_one_curator" in named(decision)
    assert general_guarantee.no_guarantee_reason(decision.release) == "not_one_curator"
    assert (assessment.inside, assessments.position(assessment)) == (None, "")


@pytest.mark.parametrize("model", ["local", "shuffle"])
def test_no_figure_of_accuracy_is_printed_where_each_device_adds_its_own_noise(model: str) -> None:
    decision = durham({"trust_model": model}, small_groups=[5, 50])
    assert small_groups(decision.planned.release, 1.0, (5,)) == ()
    made = recorded(to_json(decision))
    assert [(row.sensitivity, row.scale, row.epsilon, row.alpha) for row in made.implementation] == [
        (1, None, None, None)
    ]
    said = " ".join(pages(decision).split())
    assert "How far off small groups are is not known" in said
    assert "Not answered: Small groups" in cells(decision)
    for figure in ("95 in 100 are", "(RMSE)", "within the allowed range", "contradict each other"):
        assert figure not in said
    assert "95 in 100" not in notice_html(made, "ab" * 32)


def test_a_budget_that_is_said_to_be_counted_is_missing_until_it_is() -> None:
    spent = {"spent": [{"record": "Trial", "epsilon": 0.1, "neighbours": "add_remove"}]}
    assert "tuned_uncounted" in named(durham(tuned_on="confidential_paid"))
    assert "tuned_uncounted" not in named(durham(spent, tuned_on="confidential_paid"))


@pytest.mark.parametrize(("language", "said"), [("en", "without a budget"), ("de", "ohne Budget")])
def test_page_one_and_the_notice_say_what_no_budget_covers(language: str, said: str) -> None:
    made = recorded(to_json(durham(tuned_on="confidential")) | {"language": language})
    first = tuple(itertools.takewhile(lambda block: block != PageBreak(), report.blocks(made)))
    assert said in " ".join(report.text(first).split())
    assert said in notice_html(made, "ab" * 32)
    assert said not in pages(durham())


# ------------------------------------------------------------------------------------------- the page


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_has_its_words_its_fields_and_its_place(language: str) -> None:
    words, decision = phrases.words(language), durham()
    for row in ASKED:
        assert words.has("asked", row.key), f"say {row.key} under asked in resources/locale/{language}"
        assert words.has("asked", f"source_{row.source}")
        assert all(words.has("section", section) for section, _ in row.answers)
        assert all(path in WHOLE or edits.get(decision, path) is not Ellipsis for path in row.fields)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_lists_every_question(language: str) -> None:
    folder = ROOT / "docs" / "guide" / ("" if language == "en" else language)
    page = (folder / "what-reviewers-ask.md").read_text("utf-8")
    words = phrases.words(language)
    for row in ASKED:
        said = [words("asked", WHOLE[path]) if path in WHOLE else label_in(language, path) for path in row.fields]
        assert f"| {words('asked', row.key)} | {', '.join(f'**{one}**' for one in said)} |" in page


def cells(decision: Any) -> str:
    """Return what the list of all questions says of each of them."""
    return re.sub(r"<[^>]+>", "\n", reviewers_page(recorded(to_json(decision))))


def pages(decision: Any, **withheld: Any) -> str:
    return report.text(report.blocks(recorded({**to_json(decision), **withheld})))


def test_every_answer_is_printed_in_the_section_that_is_named() -> None:
    words = phrases.words("en")
    raw = to_json(durham({"trust_model": "central", "post_processing": ["rounding"]}, **FULL, **REST))
    raw["release"] |= {"slice": "year", "slices_per_person": 3}
    raw["release"] |= {"derivation": "One row each.", "published_elsewhere": "None.", "exact_figures": [{"name": "x"}]}
    made = recorded(raw)
    named_sections = {words("section", section) for row in ASKED for section, _ in row.answers}
    sections: dict[str, str] = {}
    title = words("section", "page_one")
    for block in report.blocks(made):
        title = words("section", "page_two") if block == PageBreak() else title
        title = block.text if isinstance(block, Heading) and block.text in named_sections else title
        sections[title] = sections.get(title, "") + "\n" + report.text((block,))
    for row in ASKED:
        for section, paths in row.answers:
            for path in paths:
                computed = path in WHOLE or section in ("accounting", "page_one") or path in TABLES
                said = " ".join(sections[words("section", section)].split())
                assert computed or label_in("en", path) in said, path


def test_rows_without_a_word_are_no_answer_and_one_way_to_say_the_risks_is_enough() -> None:
    bare = durham(actors=[{}], risks=[{}], residual_risks=None)
    said = cells(bare)
    assert "Not answered: Who adds the noise, Who handles the data" in said
    assert "Not answered: Residual risks, Residual risks and measures" in said
    assert "Not answered: Residual risks" not in cells(durham())
    basic = {"curators": ["x"], "intended_use": "x", "product_type": "Dataset", "region": "x"}
    made = recorded(to_json(durham(actors=[{}], **basic, publication_date="2026-12-01")))
    assert "actors" not in registry_entry(made, "ab" * 32)["deployment"]["deployment_model"]


def test_what_is_done_after_the_noise_is_said_beside_small_groups() -> None:
    said = " ".join(pages(durham({"post_processing": ["clamping"]}, small_groups=[5])).split())
    assert "near the clamp they are off to one side" in said[said.index("Off by more") :]


@pytest.mark.parametrize("model", ["local", "shuffle"])
def test_no_noise_is_drawn_in_the_window_where_each_device_adds_its_own(model: str) -> None:
    decision = durham({"trust_model": model})
    assert pictures.picture(decision).noise is None
    assert pictures.picture(durham()).noise is not None


def test_the_registry_is_told_who_is_trusted_with_what_and_how_parameters_were_tried() -> None:
    basic = {
        "curators": ["County health department"],
        "intended_use": "Comparison with a target.",
        "product_type": "Summary statistics",
        "region": "Durham County",
        "publication_date": "2026-12-01",
    }
    made = recorded(to_json(durham({"trust_model": "several"}, **FULL, **basic)))
    entry = registry_entry(made, "ab" * 32)
    assert list(registry_schema.problems(entry)) == []
    model = entry["deployment"]["deployment_model"]
    assert (model["model_name"], "none of them holds all" in model["model_name_details"]) == ("Varies", True)
    assert model["actors"] == "County health department: Holds the data; sees: All confidential data"
    assert "2019" in entry["deployment"]["implementation"]["preprocessing_and_hyperparameter_tuning"]
    assert "Possible values: County and year." in entry["deployment"]["dp_variant"]["data_domain"]


# --------------------------------------------------------------------------------------- small groups


def brute(scale: float, count: int) -> tuple[float, float, float]:
    """Return the same chances of geometric noise, summed number by number."""
    ratio = math.exp(-1.0 / scale)
    mass = {k: (1 - ratio) / (1 + ratio) * ratio ** abs(k) for k in range(-400, 401)}
    tenth = sum(p for k, p in mass.items() if 10 * abs(k) > count)
    half = sum(p for k, p in mass.items() if 2 * abs(k) > count)
    return tenth, half, sum(p for k, p in mass.items() if count + k <= 0)


@pytest.mark.parametrize("epsilon", [0.2, 2.0])
def test_small_groups_are_as_far_off_as_a_sum_over_all_noise_says(epsilon: float) -> None:
    release = durham().planned.release
    for group in small_groups(release, epsilon, (5, 10, 11, 50)):
        found = (group.off_by_tenth, group.off_by_half, group.gone)
        assert found == pytest.approx(brute(1.0 / epsilon, group.count), rel=1e-9, abs=1e-15)
        ratio = math.exp(-epsilon)
        assert 1 - 2 * ratio ** (group.half_width + 1) / (1 + ratio) >= 0.95
        assert group.half_width == 0 or 1 - 2 * ratio**group.half_width / (1 + ratio) < 0.95
