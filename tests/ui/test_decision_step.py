"""The steps of budget, accuracy and decision: what they say, compare and record, by real mouse and keyboard."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpwizard.base.language import speaking
from dpwizard.charts import spending_chart, two_decisions, usability
from dpwizard.decision import assess, edits
from dpwizard.projects.project import open_project
from tests.ui.fixtures import EXAMPLES
from tests.ui.hands import PATIENCE, Hands
from tests.ui.panel_hands import name_of

pytestmark = pytest.mark.one_window


def rows_of(hands: Hands) -> dict[str, tuple[str, ...]]:
    """Return the table of two decisions by the name of each row."""
    return {row[0]: row[1:] for row in hands.page.two.table.rows()}


@pytest.mark.slow
def test_one_reason_why_nothing_is_promised_is_said_once_of_a_person_and_of_everybody(
    make_hands: Callable[..., Hands],
) -> None:
    hands = make_hands("household_tables").go("decision")
    hands.wait(lambda: hands.page.person.text.words.startswith("Exact figures are published alongside the noise"))
    assert hands.page.person.text.words not in hands.page.person.everyone.words
    assert hands.page.person.everyone.words


@pytest.mark.slow
def test_a_budget_asks_for_delta_only_where_it_means_something(durham: Hands) -> None:
    durham.go("budget")
    durham.pick(durham.page.cards.add_button, "budget")
    durham.settle()
    delta = durham.page.cards.cards[0].form.editors["delta"]
    where = f"$.requirements[{len(durham.session.decision.requirements) - 1}].composition"
    assert delta.isHidden()  # the losses of pure noise are added
    durham.choose(where, "advanced")
    assert not delta.isHidden()
    durham.choose(where, "basic")
    durham.session.put("Choose noise", "$.release.mechanism", "gaussian")
    assert not delta.isHidden()  # Gaussian noise leaves out a chance of its own


OFFERED = (
    (1.4249, (1.424, 1.415)),  # with two decimals both ends would be one number
    (1.4199, (1.419, 1.415)),  # no number of two decimals is between
    (12_345.678, (12_345.67, 1.42)),
    (2.345, (2.34, 1.42)),
)


def test_a_button_takes_the_number_it_shows_and_that_lies_inside(durham: Hands) -> None:
    durham.go("decision")
    for total, offered in OFFERED:
        release = {"statistic": "count", "sensitivity": 1, "mechanism": "laplace", "neighbours": "add_remove"}
        asked = [{"kind": "budget", "total": total}, {"kind": "rmse", "at_most": 1}]
        decision = edits.put(edits.put(durham.session.decision, "$.requirements", asked), "$.release", release)
        durham.session.start(edits.put(decision, "$.epsilon", None))
        durham.settle()
        buttons = [one for one in (durham.page.take_upper, durham.page.take_lower) if not one.isHidden()]
        shown = tuple(float(one.text().split(": ")[1].replace(",", "")) for one in buttons)
        assert shown == pytest.approx(offered)
        assert shown == tuple(one.property("epsilon") for one in buttons)
        for button in buttons:
            durham.click(button)
            durham.settle()
            assert durham.session.decision.epsilon == button.property("epsilon")
            assert durham.page.place.words.endswith("is within the allowed range.")
    assert durham.page.number_card.lowered.isHidden()  # one release is all that counts
    durham.session.put("Repeat", "$.release.repetitions", 3)
    durham.settle()
    assert durham.page.number_card.lowered.words.startswith("All 3 times count together")
    durham.session.put("Count earlier", "$.release.spent", [{"epsilon": 0.1, "neighbours": "add_remove"}])
    durham.settle()
    assert durham.page.number_card.lowered.words.startswith("All 3 times and what was published earlier")


# ---------------------------------------------------------------------------------------- side by side


@pytest.mark.slow
def test_the_decision_stands_beside_itself_as_last_saved_and_follows_every_edit(
    durham: Hands, qtbot: QtBot, tmp_path: Path
) -> None:
    durham.go("decision")
    assert durham.page.two.isHidden()
    durham.pick(durham.page.compare_button, "saved")
    qtbot.waitUntil(lambda: "are the same" in durham.page.two.sentence.words, timeout=PATIENCE)
    durham.fill("$.epsilon", "2")
    durham.settle()
    qtbot.waitUntil(lambda: rows_of(durham)["Epsilon chosen"] == ("2.00", "about 2.19723", "differs"), timeout=PATIENCE)
    assert rows_of(durham)["Allowed range"][-1] == "same"
    durham.pick(durham.page.compare_button, "stop")
    assert durham.page.two.isHidden()
    broken = tmp_path / "broken.json"
    broken.write_text("{", "utf-8")
    durham.page.compare_path(broken)  # no decision: it is said in words, and nothing is compared
    durham.wait(lambda: not durham.page.reader.busy)
    assert "cannot be compared" in durham.page.complaint.text()
    durham.page.complaint.close()
    assert durham.page.two.other is None


def test_another_file_stands_beside_this_decision_on_axes_that_are_level(
    durham: Hands, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = EXAMPLES / "durham_conflict.json"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    durham.go("release")
    qtbot.keyClick(durham.window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert durham.page.key == "decision"  # where the key of the menu leads
    qtbot.waitUntil(lambda: durham.page.two.figure is not None, timeout=PATIENCE)
    assert durham.page.two.isVisible()
    durham.pick(durham.page.compare_button, "file")
    durham.wait(lambda: durham.page.two.other not in (None, durham.session.saved_decision))
    qtbot.waitUntil(lambda: not durham.page.two.background.busy, timeout=PATIENCE)
    found = rows_of(durham)
    assert found["Allowed range"] == ("about 2.19723, this value only", "empty", "differs")
    assert found["Neighbour who knows the family"] == ("at most about 2.19723", "at most 0.84", "differs")
    assert found["Healthy People target"][-1] == "same"
    assert found["Typical error of the count"][1] == "–"
    assert found["Neighbour who knows the family: Risk profile, Most times as likely"] == ("5", "2", "differs")
    one, other = durham.page.two.figure.plots
    assert (one.x, one.y.low, one.y.high) == (other.x, other.y.low, other.y.high)
    assert durham.page.two.table.columns()[1:3] == ("This decision", "durham_conflict.json")
    kept = list(csv.reader(io.StringIO(durham.page.two.tools.csv().decode("utf-8-sig"))))
    assert kept[1] == ["Epsilon chosen", "about 2.19723", "–", "differs"]


def test_requirements_are_matched_by_kind_and_name_and_what_one_lacks_is_a_dash() -> None:
    first = open_project(EXAMPLES / "durham.json")
    second = edits.put(first, "$.requirements", tuple(reversed(first.requirements[:2])))
    matched = two_decisions.pairs(first, second)
    assert list(matched) == [(0, 1), (1, 0), (2, None)]
    found = two_decisions.differences(first, second)
    assert [d.name for d in found if d.differs] == ["Typical error of the count"]
    same = two_decisions.figure(first, first)
    assert same.sentence == "The two decisions are the same."


def test_what_differs_is_called_in_the_language_spoken_and_by_the_budget_it_shares() -> None:
    first, second = (open_project(EXAMPLES / f"{name}.json") for name in ("gaussian_clinic", "durham"))
    assert "Release, Tables 1, Share of epsilon" in [row.name for row in two_decisions.differences(first, second)]
    with speaking("de"):
        called = {row.name.rpartition(", ")[2]: row.second for row in two_decisions.differences(first, second)}
    assert [called[name] for name in ("Sensitivität", "Wie oft veröffentlicht wird")] == ["1", "einmal"]


def test_two_decisions_that_differ_in_digits_nobody_is_shown_are_not_called_the_same() -> None:
    one = open_project(EXAMPLES / "durham.json")
    other = edits.put(one, "$.epsilon", one.epsilon - 1e-9)
    epsilon = two_decisions.differences(one, other)[0]
    assert epsilon.differs
    assert epsilon.first != epsilon.second


# ------------------------------------------------------------------------------------------- decision


def test_an_epsilon_outside_the_window_is_recorded_with_reason_and_second_signature(durham: Hands) -> None:
    durham.go("decision")
    assert durham.page.exception.isHidden()
    durham.fill("$.epsilon", "3")
    durham.settle()
    assert durham.page.exception.isVisible()
    assert "The highest epsilon allowed is 2.19." in durham.page.violations.words
    durham.fill("$.exception_reason", "The count decides on a programme that saves lives.")
    durham.fill("$.details.approver", "Dr. B. Second")
    decision = durham.session.decision
    assert decision.exception_reason == "The count decides on a programme that saves lives."
    assert decision.details.approver == "Dr. B. Second"
    lines = [tuple(widget.words for widget in line) for line in durham.page.implied.lines]
    assert lines[0][:2] == ("Neighbour who knows the family", "✗ not met")
    assert lines[1][:2] == ("Healthy People target", "✓ met")
    assert "at most 20.1 times" in lines[3][2]  # e^3 = 20.09, rounded up: a changed record changes the count by 1, too
    assert math.ceil(10 * math.exp(3)) == 201


@pytest.mark.own_window
@pytest.mark.slow
def test_the_own_profile_is_seen_among_others_and_another_adversary_can_be_compared(
    make_hands: Callable[..., Hands], qtbot: QtBot
) -> None:
    hands = make_hands("kazan_reiter_figure_3").go("decision")
    hands.click(hands.page.more_figures.head)
    panel = hands.page.what_if
    qtbot.waitUntil(lambda: panel.sentence.words.startswith("Your profile allows 0.51"), timeout=PATIENCE)
    own = next(at for at, cells in enumerate(panel.table.rows()) if cells[0].endswith("(yours)"))
    row = panel.table.model().index(own, 0)
    qtbot.waitUntil(lambda: panel.table.viewport().rect().contains(panel.table.visualRect(row)))
    hands.choose_in(panel.which.box, 2)
    qtbot.waitUntil(lambda: panel.sentence.words.startswith("Your profile allows 2.03"), timeout=PATIENCE)


# -------------------------------------------------------------------------------- budget and accuracy


@pytest.mark.own_window
@pytest.mark.slow
def test_what_is_spent_and_what_is_left_moves_as_an_earlier_release_is_typed(durham: Hands, qtbot: QtBot) -> None:
    durham.go("budget")
    spending = next(panel for panel in durham.page.panels if name_of(panel) == "spending")
    assert spending.isHidden()
    durham.pick(durham.page.cards.add_button, "budget")
    durham.fill("$.requirements[3].total", "4")
    durham.settle()
    qtbot.waitUntil(lambda: "of 4 in all, 1.80 is left" in spending.sentence.words, timeout=PATIENCE)
    durham.click(durham.page.spent.add_button)
    durham.fill("$.release.spent[0].epsilon", "1.5")
    durham.choose("$.release.spent[0].neighbours", "add_remove")
    durham.settle()
    qtbot.waitUntil(lambda: "Earlier releases used 1.50" in spending.sentence.words, timeout=PATIENCE)
    assert "0.30 is left" in spending.sentence.words


def test_the_repetitions_are_spent_by_the_rule_of_the_budget_and_too_much_is_said() -> None:
    decision = open_project(EXAMPLES / "dandekar_figure_5.json")
    read = spending_chart.drawing(decision, assess(decision), decision.epsilon)
    assert read.reads["this"] == pytest.approx(63.98, abs=0.01)  # the exact loss, not 150
    decision = edits.put(decision, "$.requirements[0].total", 60)
    read = spending_chart.drawing(decision, assess(decision), decision.epsilon)
    assert "3.99 more than the 60" in read.figure().sentence


@pytest.mark.slow
def test_all_five_measures_of_usability_stand_beside_what_is_asked_for(durham: Hands) -> None:
    durham.go("accuracy")
    panel = next(panel for panel in durham.page.panels if type(panel).__name__ == "UsabilityPanel")
    found = {row[0]: row[1:] for row in panel.table.rows()}
    always = [made for made in usability.NEEDS.values() if made.measured is not None]
    assert len(found) == len(always)  # the others are shown where a need asks for them
    assert found["Typical error"] == ("0.531", "at most 0.6", "✓ met")
    alpha = math.exp(-2.197224577336219)
    assert float(found["Mean absolute error"][0]) == pytest.approx(2 * alpha / (1 - alpha * alpha), abs=1e-3)
    assert found["Chance of no error"][0] == "80 in 100"
    assert found["Chance of crossing the threshold"] == ("10 in 100", "at most 10 in 100", "✓ met")


def test_a_budget_taken_to_its_last_digit_leaves_nothing_and_is_not_overspent() -> None:
    for this in (0.9 - 1e-16, 0.9, 0.9 + 3e-16):
        figure = spending_chart.figure((("2024-17", 0.6),), spent=0.6, this=this, total=1.5, rule="basic")
        assert figure.rows[-1] == ("left", "0.00")
        assert "more than" not in figure.sentence


@pytest.mark.slow
def test_where_values_are_replaced_nobody_is_said_to_be_in_the_data_or_not(durham: Hands, qtbot: QtBot) -> None:
    hands = durham
    hands.fill("$.release.sensitivity_other", "")
    hands.choose("$.release.neighbours", "replace")
    hands.go("decision").settle()
    page, odds = hands.page, ["right: at most 90 of 100", "wrong: at least 10 of 100"]
    assert "in the data" not in page.person.text.words
    assert "which of two values this person has" in page.person.text.words
    assert [array.caption.words for array in page.person.dots.arrays] == odds
    hands.click(page.more_figures.head)
    qtbot.waitUntil(
        lambda: page.what_if.sentence.words.startswith("Your profile sets no limit on this release"), timeout=PATIENCE
    )
    assert not page.what_if.table.isVisible()
    hands.wizard.session.undo()
    hands.settle()
    assert "whether this person is in the data" in page.person.text.words
    assert [array.caption.words for array in page.person.dots.arrays] == odds
    qtbot.waitUntil(page.what_if.table.isVisible, timeout=PATIENCE)


@pytest.mark.slow
def test_what_all_releases_come_to_stands_beside_what_one_does(make_hands: Callable[..., Hands]) -> None:
    hands = make_hands("dandekar_figure_5").go("decision")
    assert hands.page.total.words == "For each of 300 repetitions; 150.00 in total, simply added up."
    assert hands.window.wizard.footer.total.text() == "120.00 – 150.02 in total"
    assert hands.window.wizard.footer.caption.text() == "epsilon of one release"
    hands.session.put("Set", "$.release.repetitions", 1)
    hands.settle()
    assert hands.page.total.words == ""
    assert not hands.window.wizard.footer.total.isVisible()


@pytest.mark.slow
def test_figures_that_serve_few_are_neither_drawn_nor_computed_until_they_are_asked_for(
    make_hands: Callable[..., Hands],
) -> None:
    durham = make_hands("durham", own=True).go("decision").settle()
    page = durham.page
    assert not page.what_if.isVisible()
    assert not page.tornado.isVisible()
    assert len(page.what_if.table.rows()) == 0
    durham.click(page.more_figures.head)
    durham.wait(lambda: len(page.what_if.table.rows()) == 24)
    assert page.tornado.isVisible()
    assert page.more_figures.head.accessibleName() == "Fewer charts"
    durham.click(page.more_figures.head)
    assert not page.what_if.isVisible()
