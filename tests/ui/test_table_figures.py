"""Tables with figures of their own, exact figures and earlier releases: asked for by real mouse and keys, and only
where they matter; names of attributes are typed once."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from dpwizard.decision import Release, edits
from tests.ui.hands import Hands, unfold
from tests.ui.table_hands import type_rows

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

FIRST, SECOND = "$.release.parts[0]", "$.release.parts[1]"


def release(hands: Hands) -> Release:
    return hands.session.decision.release


def put(hands: Hands, where: str, raw: Any) -> None:
    assert hands.session.put("Set", where, raw) is None


def two_tables(hands: Hands) -> None:
    """Describe two tables, and open what is folded away of both."""
    put(hands, "$.release.parts", ({"name": "Ages"}, {"name": "Incomes"}))
    for form in hands.page.parts.forms:
        unfold(hands, form)


def name_read(hands: Hands, where: str, words: str) -> None:
    """Type a name of an attribute into the reads at WHERE, and add it with Enter."""
    line = hands.editor(where).controls()[1]
    hands.type(line, words)
    hands.bot.keyClick(line, Qt.Key.Key_Return)


# --------------------------------------------------------------------------------- asked where it matters


def test_what_matters_with_several_tables_is_asked_for_only_then(empty: Hands) -> None:
    hands = empty
    assert not hands.page.parts.forms
    assert hands.page.attributes.isVisible()  # of the one table, behind a button
    assert hands.page.attributes.form is None
    two_tables(hands)
    assert not hands.page.attributes.isVisible()
    assert not shown(hands, FIRST, "moves")
    hands.click(hands.editor(f"{FIRST}.disjoint_with").controls()[0])
    assert shown(hands, FIRST, "moves")
    assert shown(hands, SECOND, "moves")  # what one says of the other holds for both
    put(hands, f"{FIRST}.disjoint_with", ())
    assert not shown(hands, SECOND, "moves")


def shown(hands: Hands, where: str, name: str) -> bool:
    folded = hands.page.parts.forms[0 if where == FIRST else 1].nested["…"]
    return bool(folded.form.editors[name].isVisible())


# --------------------------------------------------------------------------------- what a table reads


def test_not_stated_none_and_some_are_three_answers(empty: Hands) -> None:
    hands = empty
    two_tables(hands)
    where = f"{FIRST}.reads"
    hands.choose(where, "none")
    assert release(hands).parts[0].reads == ()
    hands.choose(where, "these")
    assert release(hands).parts[0].reads is None  # until one is named: nothing is claimed by mere choosing
    assert hands.editor(where).note.text() == "Not stated until you name one."
    name_read(hands, where, "age")
    name_read(hands, where, "sex")
    assert release(hands).parts[0].reads == ("age", "sex")
    hands.click(hands.editor(where).boxes["age"])
    assert release(hands).parts[0].reads == ("sex",)
    hands.click(hands.editor(where).boxes["sex"])
    assert release(hands).parts[0].reads is None  # taking the last one back claims nothing
    assert hands.editor(where).box.currentData() == "these"
    hands.choose(where, "not_stated")
    assert release(hands).parts[0].reads is None
    for _ in range(3):  # with the arrow keys one passes by "none"
        hands.wizard.session.undo()
    assert release(hands).parts[0].reads == ("sex",)
    assert hands.editor(where).boxes["sex"].isChecked()


def test_a_name_is_typed_once_and_offered_wherever_one_is_named(empty: Hands) -> None:
    hands = empty
    two_tables(hands)
    hands.choose(f"{FIRST}.reads", "these")
    name_read(hands, f"{FIRST}.reads", "age")
    hands.choose(f"{SECOND}.reads", "these")
    hands.click(hands.editor(f"{SECOND}.reads").boxes["age"])
    assert release(hands).parts[1].reads == ("age",)
    type_rows(hands.editor(f"{SECOND}.effects").table, ("income 2",))
    assert release(hands).parts[1].effects == (("income", 2.0),)
    hands.go("adversary")
    hands.pick(hands.page.cards.add_button, "relative_risk")
    made = hands.editor("$.requirements[0].attribute")
    assert made.note.text() == "Named by the tables: age, income."
    hands.type(made.line, "inc")
    completer = made.line.completer()
    assert completer.currentCompletion() == "income"
    hands.bot.keyClick(completer.popup(), Qt.Key.Key_Down)
    hands.bot.keyClick(completer.popup(), Qt.Key.Key_Return)
    assert hands.session.decision.requirements[0].attribute == "income"
    assert made.line.text() == "income"
    hands.fill("$.requirements[0].attribute", "diagnosis")  # any other can be typed
    assert hands.session.decision.requirements[0].attribute == "diagnosis"


def test_an_attribute_is_asked_for_where_it_can_narrow_something(empty: Hands) -> None:
    hands = empty.go("adversary")
    hands.pick(hands.page.cards.add_button, "relative_risk")
    editors = hands.page.cards.cards[0].form.editors
    assert editors["attribute"].isHidden()
    put(hands, "$.release.reads", ("age",))
    assert not editors["attribute"].isHidden()
    put(hands, "$.release.reads", None)
    assert editors["attribute"].isHidden()
    put(hands, "$.release.exact_figures", ({"name": "Births in all"},))
    assert not editors["attribute"].isHidden()  # naming one may be the way round the exact figure
    hands.choose("$.requirements[0].adversary", "inclusion")
    assert editors["attribute"].isHidden()  # who is in the data is no attribute of theirs


def test_a_card_says_why_a_promise_does_not_reach_and_what_was_checked_where_it_does(empty: Hands) -> None:
    hands = empty
    for name, raw in (("statistic", "count"), ("neighbours", "add_remove"), ("mechanism", "geometric")):
        put(hands, f"$.release.{name}", raw)
    put(hands, "$.release.sensitivity", 1.0)
    profile = {"shape": "constant", "ratio": 3.0}
    risk = {"kind": "relative_risk", "adversary": "inclusion", "p": 0.1, "profile": profile}
    put(hands, "$.requirements", (risk,))
    hands.go("profile").settle()
    card = hands.page.cards.cards[0]
    assert not card.checked_words.isVisible()
    hands.click(card.checked.head)
    assert card.checked_words.isVisible()
    assert "the figures of each table, " in card.checked_words.words
    assert "figures without noise" in card.checked_words.words
    put(hands, "$.release.exact_figures", ({"name": "Births in all"},))
    hands.settle()
    assert "Births in all" in card.says.words
    assert not card.checked.isVisible()  # what comes after the check that failed was not looked at
    hands.go("adversary")
    assert not hands.page.cards.cards[0].checked.isVisible()  # said once, beside what is promised


# --------------------------------------------------------------------------------- exact figures, earlier releases


def test_exact_figures_say_what_they_read_and_that_decides_what_is_promised(empty: Hands) -> None:
    hands = empty
    rows = hands.page.elsewhere.nested["exact_figures"]
    hands.click(rows.add_button)
    hands.fill("$.release.exact_figures[0].name", "Births in all")
    assert release(hands).exact_figures[0].reads is None
    assert "Births in all" in hands.page.promise.words
    hands.choose("$.release.exact_figures[0].reads", "none")
    assert release(hands).exact_figures[0].reads == ()
    hands.click(rows.buttons[0][2])
    assert release(hands).exact_figures == ()


def test_an_earlier_release_asks_for_four_figures_and_folds_the_others_away(empty: Hands) -> None:
    hands = empty.go("budget")
    hands.click(hands.page.spent.add_button)
    assert tuple(hands.page.spent.forms[0].editors) == ("record", "epsilon", "neighbours", "date")
    unfold(hands, hands.page.spent.forms[0])
    hands.choose("$.release.spent[0].mechanism", "gaussian")
    hands.fill("$.release.spent[0].rho", "0.5")
    hands.fill("$.release.spent[0].sensitivity", "2")
    hands.fill("$.release.spent[0].sensitivity_other", "3")
    type_rows(hands.editor("$.release.spent[0].effects").table, ("income 0.5",))
    spent = release(hands).spent[0]
    assert (spent.mechanism, spent.rho, spent.sensitivity, spent.sensitivity_other) == ("gaussian", 0.5, 2.0, 3.0)
    assert spent.effects == (("income", 0.5),)


# --------------------------------------------------------------------------------- the helper


def test_the_helper_fills_both_sensitivities_of_a_part_from_its_own_rows(empty: Hands) -> None:
    hands = empty
    put(hands, "$.release.neighbours", "add_remove")
    put(hands, "$.release.parts", ({"name": "Ages", "statistic": "histogram", "dimension": 10, "contributions": 3},))
    hands.click(hands.page.helper.use)
    part = release(hands).parts[0]
    assert (part.sensitivity, part.sensitivity_other) == (3.0, 6.0)
    assert not hands.page.helper.use.isEnabled()
    put(hands, f"{FIRST}.sensitivity_other", None)
    assert hands.page.helper.use.isEnabled()
    put(hands, f"{FIRST}.contributions", 2)
    assert release(hands).derivation is None  # it was found from three rows


# --------------------------------------------------------------------------------- very many tables


def many(count: int) -> tuple[dict[str, Any], ...]:
    each = {"statistic": "histogram", "sensitivity": 1.0, "dimension": 10, "share": round(1 / count, 9)}
    return tuple({"name": f"District {index}", "group": "districts", **each} for index in range(count))


def test_rows_of_very_many_are_added_moved_and_removed_below_their_table(empty: Hands) -> None:
    hands = empty
    put(hands, "$.release.parts", many(4))
    assert hands.page.parts.overview is None
    assert len(hands.page.parts.forms) == 4
    hands.click(hands.page.parts.add_button)
    parts = hands.page.parts
    assert parts.overview.row == 4
    hands.wait(lambda: QApplication.focusWidget() is hands.editor("$.release.parts[4].name").controls()[0])
    hands.bot.keyClicks(QApplication.focusWidget(), "New")
    assert release(hands).parts[4].name == "New"
    hands.click(parts.buttons[0][0])  # up
    assert (release(hands).parts[3].name, parts.overview.row) == ("New", 3)
    assert hands.editor("$.release.parts[3].name").controls()[0].text() == "New"
    hands.click(parts.buttons[0][2])  # remove
    assert parts.overview is None
    assert [part.name for part in release(hands).parts] == [f"District {index}" for index in range(4)]
    assert len(parts.forms) == len(parts.buttons) == 4
    assert [form.editors["name"].controls()[0].text() for form in parts.forms][3] == "District 3"
    hands.wizard.session.undo()
    assert parts.overview is not None
    assert edits.get(hands.session.decision, "$.release.parts[3].name") == "New"
