"""The adversary step under real mouse and keys: cards, beliefs as pictures, files with beliefs, groups, assumptions
with their time."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QFileDialog

from dpwizard.decision import Decision, edits, read_decision, to_json
from dpwizard.decision.requirements import kinds
from dpwizard.privacy.priors import Histogram
from dpwizard.wording import word
from tests.ui.hands import LEFT, Hands, unfold
from tests.ui.scaled import cut_off
from ui.forms.quarters_form import QuartersForm

pytestmark = pytest.mark.one_window

PRIOR = "$.requirements[0].attributes[0].prior"


def decision(hands: Hands) -> Decision:
    return hands.session.decision


def bars(hands: Hands) -> Histogram:
    found: Any = decision(hands).requirements[0]
    return found.attributes[0].prior


@pytest.fixture
def cafeteria(make_hands: Callable[..., Hands]) -> Hands:
    return make_hands("pankova_laud_cafeteria").go("adversary")


def tools(hands: Hands) -> Any:
    return hands.page.cards.cards[0].form.nested["attributes"].forms[0].nested["prior"].tools


# --------------------------------------------------------------------------------------- gallery


def in_sight(hands: Hands, widget: Any) -> bool:
    """Return whether all of WIDGET is seen without scrolling."""
    corner = widget.mapTo(hands.page.viewport(), QPoint(0, 0))
    return bool(hands.page.viewport().rect().contains(QRect(corner, widget.size())))


def choose(hands: Hands, who: str) -> None:
    """Choose WHO in the gallery by clicks alone: nobody scrolls."""
    gallery = hands.page.gallery
    if gallery.head.isVisible():
        hands.click(gallery.head)
    hands.wait(lambda: in_sight(hands, gallery.people[who].button))
    hands.click(gallery.people[who].button)


@pytest.mark.slow
def test_a_neighbour_and_an_employer_are_three_clicks_and_all_they_believe_is_there(empty: Hands) -> None:
    hands = empty.go("adversary")
    choose(hands, "neighbour")
    choose(hands, "employer")
    asked: Any = decision(hands).requirements
    assert [(one.kind, one.name, one.adversary, *one.beliefs()) for one in asked] == [
        ("relative_risk", "A neighbour or colleague", "inclusion", (0.0, 1.0), 1.0),
        ("relative_risk", "An employer", "attribute", 1.0, (0.0, 1.0)),
    ]
    assert [one.missing() for one in asked] == [("profile",)] * 2
    hands.wizard.session.undo()
    assert len(decision(hands).requirements) == 1


def test_the_keyboard_goes_to_what_comes_next_and_that_is_seen(empty: Hands) -> None:
    hands = empty
    hands.window.resize(1366, 768)
    hands.go("adversary")
    for who in ("neighbour", "employer"):
        hands.page.gallery.reach()  # as the list of what is missing does
        if hands.page.gallery.head.isVisible():
            hands.bot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
        while QApplication.focusWidget() is not hands.page.gallery.people[who].button:
            hands.bot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        hands.bot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
        card = hands.page.people.people[-1]
        asks = card.reveals.editors["reveals"].line if who == "neighbour" else card.beliefs
        assert QApplication.focusWidget() is asks
        hands.wait(lambda asks=asks: in_sight(hands, asks))
        assert not hands.page.gallery.card.isVisible()


@pytest.mark.slow
def test_whom_nothing_can_be_promised_against_cannot_be_chosen_and_the_reason_is_read(durham: Hands) -> None:
    hands = durham.go("adversary")
    gallery = hands.page.gallery
    assert not gallery.card.isVisible()
    hands.click(gallery.head)
    insurer = gallery.people["insurer"]
    assert not insurer.button.isEnabled()
    assert insurer.words.words.startswith("Does not apply to this release. No table is computed from an amount")
    assert insurer.button.accessibleDescription() == insurer.words.words
    assert [who for who, person in gallery.people.items() if not person.button.isEnabled()] == ["insurer"]
    hands.go("profile")
    hands.go("adversary")
    assert not gallery.card.isVisible()  # calm again


@pytest.mark.slow
def test_a_card_says_why_and_nothing_above_moves_while_its_beliefs_become_others(empty: Hands) -> None:
    hands = empty.go("adversary")
    choose(hands, "employer")
    card = hands.page.cards.cards[0]
    assert card.about.words == word("feared_why", "employer")
    editor = hands.editor("$.requirements[0].q")
    hands.settle()
    hands.wait(lambda: cut_off(card) == [])  # its fields have their places
    place = editor.mapTo(card, QPoint(0, 0))
    hands.choose_in(editor.controls()[0], "one")
    assert card.about.words == word("feared_why", "employer")
    assert editor.mapTo(card, QPoint(0, 0)) == place


# ----------------------------------------------------------------------------------------- cards


@pytest.mark.slow
def test_what_is_removed_can_be_brought_back_until_the_next_edit(durham: Hands) -> None:
    hands = durham.go("adversary")
    before = decision(hands)
    hands.pick(hands.page.cards.cards[0].more, "Remove")
    gone = hands.page.cards.removed
    assert "Neighbour who knows the family" in gone.says.words
    hands.click(gone.undo)
    assert decision(hands) == before
    assert not gone.isVisible()
    assert len(hands.page.cards.cards) == 1
    hands.pick(hands.page.cards.cards[0].more, "Remove")
    hands.pick(hands.page.cards.add_button, "relative_risk")
    assert not gone.isVisible()  # now Undo would take something else back


@pytest.mark.slow
def test_a_group_has_a_profile_of_its_own_and_the_page_says_what_that_means(durham: Hands) -> None:
    hands = durham.go("adversary")
    assert not hands.page.groups.isVisible()
    hands.pick(hands.page.cards.cards[0].more, "The same requirement for another group")
    focused = QApplication.focusWidget()
    assert focused is hands.editor("$.requirements[1].group").controls()[0]
    hands.bot.keyClicks(focused, "Families of five and more")
    assert hands.page.groups.isVisible()
    hands.go("profile")
    hands.fill("$.requirements[1].profile.ratio", "2")
    found: Any = decision(hands).requirements
    assert (found[0].profile.ratio, found[1].profile.ratio) == (5.0, 2.0)
    assert found[1].group == "Families of five and more"


def test_a_requirement_switched_off_wants_its_reason(durham: Hands) -> None:
    hands = durham.go("adversary")
    hands.click(hands.page.cards.cards[0].on)
    hands.bot.waitUntil(hands.page.cards.cards[0].off_form.isVisible)
    hands.type(hands.editor("$.requirements[0].off_reason").controls()[0], "Covered by the law")
    assert decision(hands).requirements[0].off_reason == "Covered by the law"
    assert not decision(hands).requirements[0].enabled


def test_a_range_of_beliefs_is_counted_among_the_population(durham: Hands) -> None:
    hands = durham.go("adversary")
    editor: Any = hands.editor("$.requirements[0].p")
    hands.choose_in(editor.kind, "range")
    hands.type(editor.low.line, "0.001")
    assert decision(hands).requirements[0].p == (0.001, 1.0)
    assert "1 in 1,000 (about 4 of 4,012)" in editor.note.text()
    before = decision(hands).requirements[0].p
    hands.bot.keyClick(editor.low.slider, Qt.Key.Key_Left)
    assert decision(hands).requirements[0].p[0] < before[0]


# ------------------------------------------------------------------------------------- assumptions


def test_an_assumption_is_acknowledged_with_its_time_and_survives_a_file(empty: Hands) -> None:
    hands = empty.go("adversary")
    hands.pick(hands.page.cards.add_button, "relative_risk")
    box = hands.page.assumed.boxes["independent_of_others"]
    early = datetime.now(UTC) - timedelta(seconds=2)
    hands.page.ensureWidgetVisible(box)
    at, height = box.mapTo(hands.window, QPoint(0, 0)), hands.page.assumed.height()
    hands.click(box)
    (found,) = decision(hands).acknowledged
    assert found.text == word("assumption", "independent_of_others")
    assert early <= datetime.fromisoformat(found.time.replace("Z", "+00:00")) <= datetime.now(UTC)
    said = hands.page.assumed.times["independent_of_others"].words
    assert re.fullmatch(r"Accepted \d{1,2} [A-Z][a-z]+ \d{4}, \d{2}:\d{2}\.", said), said  # no day taken for a month
    assert box.mapTo(hands.window, QPoint(0, 0)) == at  # and nothing moved
    assert hands.page.assumed.height() == height
    assert read_decision(to_json(decision(hands))).acknowledged == (found,)
    hands.click(box)
    assert decision(hands).acknowledged == ()
    assert hands.page.assumed.times["independent_of_others"].words == "Not accepted yet."


def test_refusing_that_tables_keep_to_their_year_adds_up_all_years(empty: Hands) -> None:
    hands = empty.go("adversary")
    hands.pick(hands.page.cards.add_button, "relative_risk")
    parts = [
        {"name": f"to Q{at}", "statistic": "count", "sensitivity": 1, "share": 1, "year": str(at)} for at in (1, 2)
    ]
    made = edits.put(decision(hands), "$.release", {"parts": parts, "mechanism": "laplace", "at_most_years": 1})
    hands.session.edit("Two years", made)
    hands.click(hands.page.assumed.exits["own_year"])
    assert decision(hands).release.at_most_years is None
    assert [part.share for part in decision(hands).release.parts] == ["1/2", "1/2"]
    assert "own_year" not in hands.page.assumed.boxes
    hands.session.undo()
    assert decision(hands) == made


# --------------------------------------------------------------------------------- beliefs as pictures


@pytest.mark.slow
def test_a_belief_is_turned_into_bars_and_a_bar_is_dragged(cafeteria: Hands) -> None:
    hands = cafeteria
    picture = tools(hands).picture
    assert picture.shown.kind == "curve"
    hands.click(tools(hands).bars)
    assert len(bars(hands).weights or ()) == 12
    assert (bars(hands).edges or ())[0] == 12.0
    hands.page.ensureWidgetVisible(picture)
    start = picture.bar(3)
    inside = QPoint(round(start.center().x()), round(start.top() + 2))
    steps = len(hands.session.history.past)
    hands.bot.mousePress(picture, LEFT, pos=inside)
    for height in (6, 12, 18):
        hands.bot.mouseMove(picture, inside - QPoint(0, height))
    hands.bot.mouseRelease(picture, LEFT, pos=inside - QPoint(0, 18))
    weights = bars(hands).weights or ()
    assert weights[3] == max(weights) > 1 / 12
    assert sum(weights) == pytest.approx(1, abs=1e-4)
    assert len(hands.session.history.past) == steps + 1  # a drag is one step
    hands.wizard.session.undo()
    assert (bars(hands).weights or ())[3] == pytest.approx(1 / 12, abs=1e-3)


def test_bars_are_moved_by_keys_and_say_what_they_hold(cafeteria: Hands) -> None:
    hands = cafeteria
    hands.click(tools(hands).bars)
    picture = tools(hands).picture
    picture.setFocus()
    hands.bot.keyClick(picture, Qt.Key.Key_Home)
    hands.bot.keyClick(picture, Qt.Key.Key_Right)
    hands.bot.keyClick(picture, Qt.Key.Key_Up)
    assert (bars(hands).weights or ())[1] == pytest.approx(1 / 12 + 0.01, abs=1e-3)
    assert picture.accessibleDescription().startswith("Bar 2 of 12")
    assert "9.3 in 100" in picture.accessibleDescription()
    hands.bot.keyClick(picture, Qt.Key.Key_End)
    for _ in range(3):
        hands.bot.keyClick(picture, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert (bars(hands).weights or ())[-1] == 0.0


def test_a_family_is_drawn_again_as_its_parameters_are_typed(cafeteria: Hands) -> None:
    hands = cafeteria
    picture = tools(hands).picture
    hands.fill(f"{PRIOR}.low", "10")
    assert picture.shown.ends == (10.0, 28.0)
    hands.choose(f"{PRIOR}.family", "normal")
    assert picture.shown is None
    hands.wait(lambda: any(form.isVisible() for form in hands.page.findChildren(QuartersForm)))
    unfold(hands, next(form for form in hands.page.findChildren(QuartersForm) if form.isVisible()))
    hands.fill(f"{PRIOR}.mean", "20")
    hands.fill(f"{PRIOR}.sd", "3")
    hands.bot.waitUntil(lambda: picture.shown is not None and picture.shown.kind == "curve")
    assert picture.shown.ends[0] == pytest.approx(20 - 3 * 3.09, abs=0.01)


def test_bars_come_from_a_file_only_when_their_origin_is_said(
    cafeteria: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = cafeteria
    asked = []
    path = tmp_path / "times.csv"
    path.write_text("from,to,share\n12,20,3\n20,28,1\n", "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (asked.append(1), (str(path), ""))[1])
    hands.click(tools(hands).file)
    assert asked == []
    assert "where these numbers come from" in tools(hands).problem.text()
    hands.choose("$.requirements[0].origins.attributes[0].prior", "public")
    hands.click(tools(hands).file)
    assert asked == [1]
    hands.wait(lambda: not tools(hands).reader.busy)
    assert (bars(hands).edges, bars(hands).weights) == ((12.0, 20.0, 28.0), (3.0, 1.0))
    assert tools(hands).problem.text() == ""
    found = {origin.field: origin.origin for origin in decision(hands).requirements[0].origins}
    assert found == {"attributes[0].truth": "assumed", "attributes[0].prior": "public"}


def test_a_hostile_file_is_refused_in_words_and_the_belief_stays(cafeteria: Hands, tmp_path: Path) -> None:
    hands = cafeteria
    before, path = decision(hands), tmp_path / "hostile.csv"
    for content, words in (
        (b"17\n18\n", "looks like data"),
        (b"\x00\x01", "contains no bins"),
        (b"a,b,c\n1,x,2", "line 2"),
    ):
        path.write_bytes(content)
        tools(hands).load(path)
        hands.wait(lambda: not tools(hands).reader.busy)
        assert words in tools(hands).problem.text()
        assert tools(hands).problem.textFormat() is Qt.TextFormat.PlainText
        assert decision(hands) == before


@pytest.mark.slow
def test_what_is_said_of_an_attribute_moves_with_it(cafeteria: Hands) -> None:
    hands = cafeteria
    hands.choose("$.requirements[0].combine", "and")
    rows = hands.page.cards.cards[0].form.nested["attributes"]
    hands.click(rows.add_button)
    hands.click(rows.buttons[0][1])
    assert [(each.field, each.origin) for each in decision(hands).requirements[0].origins] == [
        ("attributes[1].truth", "assumed")
    ]
    hands.click(rows.buttons[0][2])
    assert [each.field for each in decision(hands).requirements[0].origins] == ["attributes[0].truth"]


def test_a_card_names_the_step_on_which_an_unanswered_field_stands(empty: Hands) -> None:
    hands = empty.go("adversary")
    hands.pick(hands.page.cards.add_button, "relative_risk")
    hands.settle()
    assert hands.page.cards.cards[0].says.words.endswith("“Risk profile” in step 3.")
    hands.go("profile").settle()
    words = hands.page.cards.cards[0].says.words
    assert "“Risk profile”; " in words
    assert words.endswith("in step 2.")


@pytest.mark.slow
def test_every_kind_names_what_it_lacks_by_the_labels_of_its_fields(empty: Hands) -> None:
    hands = empty.go("adversary")
    offered = {action.objectName(): action.text() for action in hands.page.cards.menu.actions()}
    assert set(offered) == {key for key, kind in kinds().items() if kind.step == "profile"}
    for key, words in offered.items():
        assert words.replace("&&", "&") == f"{word('kind', key)}: {word('kind_help', key)}"
    for kind, made in kinds().items():
        hands.go("adversary" if made.step == "profile" else made.step)
        hands.pick(hands.page.cards.add_button, kind)
        hands.settle()
        card = hands.page.cards.cards[-1]
        lacking = [made.model_fields[name].title for name in made().missing()]
        assert lacking
        assert card.says.words.startswith("Still to answer: ")
        assert [label for label in lacking if f"“{label}”" not in card.says.words] == []
        assert "_" not in card.says.words
        hands.session.undo()  # thirty cards would each be shown anew for the next one


def test_fields_of_a_score_are_asked_for_once_it_is_chosen(empty: Hands) -> None:
    hands = empty.go("adversary")
    hands.pick(hands.page.cards.add_button, "persuasive_privacy")
    editors = hands.page.cards.cards[0].form.editors

    def asked() -> set[str]:
        return {name for name, made in editors.items() if made.isVisible()} - {"name", "score"}

    assert asked() == set()
    hands.choose("$.requirements[0].score", "interval")
    assert asked() == {"prior_sd", "margin"}
    hands.choose("$.requirements[0].score", "log")
    assert asked() == {"prior_mass"}


def test_a_card_without_a_name_says_what_its_kind_means(empty: Hands) -> None:
    hands = empty.go("adversary")
    hands.pick(hands.page.cards.add_button, "participation")
    hands.go("profile")
    card = hands.page.cards.cards[0]
    assert (card.title.text(), card.about.words) == (word("kind", "participation"), word("kind_help", "participation"))
    hands.go("adversary")
    hands.fill("$.requirements[0].name", "Employer")
    hands.go("profile")
    assert (card.title.text(), card.about.words) == ("Employer", word("kind", "participation"))


def test_nobody_is_told_that_there_is_no_noise_before_the_release_says_so(empty: Hands) -> None:
    empty.go("adversary")
    empty.pick(empty.page.cards.add_button, "exact_mean")
    empty.settle()
    assert empty.wizard.footer.words.text() == "no limit yet"
