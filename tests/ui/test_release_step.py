"""The release step under real mouse and keys: the sensitivity helper, what answers mean, parts with shares, and what is
not protected."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from dpwizard.decision import Release
from dpwizard.wording import word
from tests.ui.hands import Hands
from ui.controls import Prose

pytestmark = pytest.mark.one_window


def release(hands: Hands) -> Release:
    return hands.session.decision.release


def type_into(hands: Hands, name: str, words: str) -> None:
    """Type WORDS into the question NAME of the helper."""
    hands.type(hands.page.helper.editors[name].controls()[0], words)


def sentences(shown: Prose) -> list[str]:
    return shown.words.split("\n\n")


def start(hands: Hands, statistic: str, neighbours: str) -> None:
    hands.choose("$.release.statistic", statistic)
    hands.choose("$.release.neighbours", neighbours)


@pytest.mark.slow
def test_the_helper_works_out_one_count_and_fills_both_fields_in_one_step(empty: Hands) -> None:
    hands = empty
    assert not hands.page.helper.use.isVisible()
    start(hands, "count", "add_remove")
    hands.fill("$.release.contributions", "3")
    assert "at most 3" in hands.page.helper.says.words
    hands.click(hands.page.helper.use)
    assert (release(hands).sensitivity, release(hands).sensitivity_other) == (3.0, 3.0)
    assert release(hands).derivation == hands.page.helper.says.words
    assert hands.editor("$.release.sensitivity").controls()[0].text() == "3"
    assert not hands.page.helper.use.isEnabled()  # nothing left to fill
    hands.wizard.session.undo()
    assert (release(hands).sensitivity, release(hands).derivation) == (None, None)
    hands.fill("$.release.dimension", "10")
    assert "Choose a histogram" in hands.page.helper.says.words
    assert not hands.page.helper.use.isVisible()


def test_how_a_sensitivity_was_found_goes_with_what_it_was_found_from(empty: Hands) -> None:
    hands = empty
    start(hands, "count", "add_remove")
    hands.click(hands.page.helper.use)
    found = release(hands)
    assert found.derivation
    assert hands.editor("$.release.derivation").isVisible()
    for answer, field, value in (
        (hands.fill, "sensitivity", "7"),
        (hands.fill, "contributions", "4"),
        (hands.choose, "neighbours", "replace"),
    ):
        answer(f"$.release.{field}", value)
        assert release(hands).derivation is None
        assert not hands.page.noise.editors["derivation"].isVisible()
        hands.wizard.session.undo()  # the edit and what it cleared are one step
        assert release(hands) == found


def test_what_is_averaged_is_named_and_how_far_one_value_moves_the_figure_is_written_down(empty: Hands) -> None:
    hands = empty
    helper = hands.page.helper
    hands.choose("$.release.statistic", "mean")
    hands.choose("$.release.neighbours", "add_remove")
    assert not helper.amount.isVisible()  # of an unknown number nobody knows it
    hands.choose("$.release.neighbours", "replace")
    hands.fill("$.release.contributions", "2")
    hands.fill("helper.amount", "income")
    for name, words in (("low", "0"), ("high", "30"), ("records", "many")):
        type_into(hands, name, words)
    assert not helper.use.isVisible()
    type_into(hands, "records", "12000")
    hands.click(helper.use)
    ((named, effect),) = release(hands).effects or ()
    assert (named, effect) == ("income", pytest.approx(2 / 12_000))
    assert effect >= 2 / 12_000
    assert not helper.use.isEnabled()
    type_into(hands, "records", "6000")
    hands.click(helper.use)
    assert release(hands).effects == (("income", pytest.approx(2 / 6_000)),)
    hands.choose("$.release.statistic", "sum")  # what was said of another statistic counts no more
    hands.click(helper.use)
    assert release(hands).effects == (("income", 2.0),)


def test_the_helper_asks_a_sum_for_its_bounds_and_says_what_is_wrong_with_them(empty: Hands) -> None:
    hands = empty
    start(hands, "sum", "replace")
    type_into(hands, "low", "9")
    assert not hands.page.helper.use.isVisible()
    type_into(hands, "high", "8")
    assert "at least low" in hands.page.helper.editors["high"].problem.text()
    type_into(hands, "high", "10")
    assert hands.page.helper.use.text() == "Use 10 as the sensitivity"  # a row may come or go
    hands.click(hands.page.helper.exactly.box)
    assert hands.page.helper.use.text() == "Use 1 as the sensitivity"
    hands.click(hands.page.helper.use)
    assert (release(hands).sensitivity, release(hands).sensitivity_other) == (1.0, 10.0)
    type_into(hands, "high", "abc")
    assert hands.page.helper.editors["high"].problem.text()
    assert release(hands).sensitivity == 1.0


@pytest.mark.slow
def test_a_mean_of_an_unknown_number_becomes_a_sum_and_a_count(empty: Hands) -> None:
    hands = empty
    start(hands, "mean", "add_remove")
    hands.fill("$.release.contributions", "2")
    assert hands.page.helper.says.words == word("sensitivity", "mean_of_unknown_number")
    type_into(hands, "low", "0")
    type_into(hands, "high", "5")
    hands.click(hands.page.helper.split)
    found = [(part.name, part.statistic, part.sensitivity, part.share) for part in release(hands).parts]
    assert found == [("Sum", "sum", 10.0, 0.5), ("Count", "count", 2.0, 0.5)]
    assert hands.page.shares.words == word("parts", "whole")


def test_the_distance_counts_for_gaussian_noise(empty: Hands) -> None:
    hands = empty
    start(hands, "histogram", "replace")
    hands.fill("$.release.dimension", "4")
    hands.choose("$.release.mechanism", "gaussian")
    hands.click(hands.page.helper.use)
    assert release(hands).sensitivity == pytest.approx(2**0.5)
    assert "1.4" in hands.page.helper.says.words


def test_each_answer_says_what_it_means(empty: Hands) -> None:
    hands = empty
    for key in ("add_remove", "replace"):
        hands.choose("$.release.neighbours", key)
        assert hands.editor("$.release.neighbours").note.text() == word("neighbours_mean", key)
        assert word("neighbours_mean", key) in sentences(hands.page.promise)
    for key in ("geometric", "laplace", "gaussian", "exact"):
        hands.choose("$.release.mechanism", key)
        assert hands.editor("$.release.mechanism").note.text() == word("mechanism_help", key)


def test_what_is_not_protected_follows_the_answers(empty: Hands) -> None:
    hands = empty
    start(hands, "count", "replace")
    assert word("unprotected", "replace") in sentences(hands.page.unprotected)
    assert word("unprotected", "elsewhere") in sentences(hands.page.unprotected)
    hands.fill("$.release.published_elsewhere", "The census of 2020")
    assert any("The census of 2020" in sentence for sentence in sentences(hands.page.unprotected))
    assert word("unprotected", "elsewhere") not in sentences(hands.page.unprotected)
    hands.choose("$.release.neighbours", "add_remove")
    assert word("unprotected", "replace") not in sentences(hands.page.unprotected)
    hands.choose("$.release.mechanism", "exact")
    assert word("unprotected", "exact") in sentences(hands.page.unprotected)


def test_post_processing_says_which_promises_it_costs(empty: Hands) -> None:
    hands = empty
    processing = hands.editor("$.release.post_processing")
    assert not processing.consequences["rounding"].isVisible()
    hands.click(processing.boxes["rounding"])
    hands.bot.keyClick(processing.boxes["consistency"], Qt.Key.Key_Space)
    assert release(hands).post_processing == ("rounding", "consistency")
    assert processing.consequences["rounding"].words == word("post_processing_costs", "rounding")
    assert processing.consequences["rounding"].isVisible()
    assert word("unprotected", "post_processing") in sentences(hands.page.unprotected)
    hands.click(processing.boxes["rounding"])
    assert release(hands).post_processing == ("consistency",)


def test_sampling_adds_protection_only_where_the_sample_is_secret(durham: Hands) -> None:
    hands = durham
    secret = hands.editor("$.release.sample_secret")
    assert secret.note.text() == ""
    hands.fill("$.release.sampling_fraction", "10")
    assert secret.note.text() == word("sample", "open")
    hands.click(secret.controls()[0])
    assert word("sample", "secret") in secret.note.text()
    assert "0.59" in secret.note.text()  # ln(1 + (9 - 1)/10), rounded up
    hands.click(secret.controls()[0])
    assert secret.note.text() == word("sample", "known")


def test_the_step_of_a_sum_is_asked_for_where_geometric_noise_would_show_its_fraction(empty: Hands) -> None:
    hands = empty
    start(hands, "sum", "add_remove")
    step, asked = hands.page.noise.editors["step"], hands.page.helper.editors["step"]
    assert not step.isVisible()
    assert not asked.isVisible()
    hands.choose("$.release.mechanism", "geometric")
    assert step.isVisible()
    assert word("why", "whole_numbers").split("{")[0] in sentences(hands.page.promise)[0]  # nothing is promised instead
    type_into(hands, "low", "0")
    type_into(hands, "high", "5")
    type_into(hands, "step", "-1")
    assert asked.problem.text()
    type_into(hands, "step", "1")
    hands.click(hands.page.helper.use)
    assert (release(hands).sensitivity, release(hands).step) == (5.0, 1.0)
    assert step.controls()[0].text() == "1"
    assert not any("fraction" in sentence for sentence in sentences(hands.page.promise))
    hands.choose("$.release.mechanism", "laplace")
    assert not asked.isVisible()


@pytest.mark.slow
def test_a_table_without_noise_promises_nothing_on_the_first_page(empty: Hands) -> None:
    hands = empty
    start(hands, "vector", "add_remove")
    hands.choose("$.release.mechanism", "laplace")
    for index, name in enumerate(("noisy", "bare")):
        hands.click(hands.page.parts.add_button)
        hands.fill(f"$.release.parts[{index}].name", name)
    hands.choose("$.release.parts[1].mechanism", "exact")
    assert len(sentences(hands.page.promise)) == 1
    assert "bare" in sentences(hands.page.promise)[0]
