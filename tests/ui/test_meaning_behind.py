"""What a choice means is found behind the window where a curve is read, and at once where none is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from dpwizard.decision import read_decision, trade_off
from dpwizard.wording import general_guarantee
from tests.ui.hands import PATIENCE, Hands
from tests.ui.test_many_tables import PROMISE
from ui.questions import protection

pytestmark = [pytest.mark.one_window, pytest.mark.slow]


def noises(rho: float, mechanism: str = "discrete_gaussian") -> Any:
    """A release of three tables, each with noise of another size, at the budget RHO."""
    parts = [
        {"name": f"T{share}", "statistic": "count", "sensitivity": 1.0, "share": share / 10} for share in (2, 3, 5)
    ]
    release = {"mechanism": mechanism, "neighbours": "add_remove", "unit": "person", "parts": parts}
    return read_decision(
        {
            "format": "dpwizard.decision/1",
            "release": release,
            "requirements": [{**PROMISE, "enabled": False}],
            "rho": rho,
        }
    )


class Gate:
    """Stands in for finding what choices mean: each of those that read a curve waits until it is let through."""

    def __init__(self) -> None:
        self.let = threading.Semaphore(0)
        self.find = protection._meaning_of

    def __call__(self, solved: Any, stop: Any = None) -> protection.ChoiceMeaning:
        if threading.current_thread() is not threading.main_thread():
            assert self.let.acquire(timeout=PATIENCE / 1000)
        return self.find(solved, stop)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    made = Gate()
    monkeypatch.setattr(protection, "_meaning_of", made)
    return made


def at(hands: Hands, decision: Any) -> tuple[str, str]:
    """Show DECISION; return what is said of one person and of everyone once all is found."""
    hands.session.start(decision)
    hands.settle()
    hands.bot.waitUntil(lambda: not hands.page.meaning.busy, timeout=PATIENCE)
    return hands.page.person.text.words, hands.page.person.everyone.words


def test_no_curve_is_read_on_the_thread_of_the_window(
    make_hands: Callable[..., Hands], monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = make_hands("durham")
    read, here = [], threading.current_thread()
    accountant = trade_off._accountant
    monkeypatch.setattr(
        trade_off, "_accountant", lambda told: (read.append(threading.current_thread()), accountant(told))[1]
    )
    for page in ("decision", "review"):
        hands.go(page)
        hands.page.technical.open()
        for rho in (0.01, 0.03):
            hands.session.start(noises(rho))
            hands.settle()
            hands.bot.waitUntil(lambda: not hands.page.meaning.busy, timeout=PATIENCE)
    assert read
    assert here not in read


def test_the_sentences_arrive_and_an_older_answer_never_overwrites_a_newer_one(
    make_hands: Callable[..., Hands], gate: Gate
) -> None:
    hands = make_hands("durham", own=True).go("decision")
    page = hands.page
    page.technical.open()
    gate.let.release(2)
    first, second = at(hands, noises(0.01)), at(hands, noises(0.05))
    one, *others = general_guarantee.meaning(noises(0.01))
    assert first == (one, " ".join(others))
    assert first[0] != second[0]
    for decision in (noises(0.01), noises(0.05), noises(0.02, "gaussian")):  # the first runs, and is out of date
        hands.session.start(decision)
        hands.settle()
    plain = page.person.text.words
    assert plain == general_guarantee.meaning(noises(0.02, "gaussian"))[0]
    gate.let.release(2)
    hands.bot.waitUntil(lambda: not page.meaning.busy, timeout=PATIENCE)
    assert page.person.text.words == plain


def test_what_is_shown_turns_grey_until_a_newer_sentence_is_found_which_follows_a_drag(
    make_hands: Callable[..., Hands], gate: Gate
) -> None:
    hands = make_hands("durham", own=True).go("decision")
    gate.let.release(1)
    late: list[bool] = []
    hands.page.meaning.late.connect(late.append)
    hands.session.start(noises(0.01))
    hands.settle()
    hands.bot.waitUntil(lambda: not hands.page.meaning.busy, timeout=PATIENCE)
    shown = hands.page.protection.promise.words
    for rho in (0.05, 0.5):  # while the first is read somebody drags on
        hands.session.put("Choose a budget", "$.rho", rho)
        hands.settle()
        assert late[-1]  # at once
    assert hands.page.protection.promise.words == shown
    for newest in (False, True):
        gate.let.release(1)
        hands.bot.waitUntil(lambda before=shown: hands.page.protection.promise.words != before, timeout=PATIENCE)
        shown = hands.page.protection.promise.words
        assert late[-1] is not newest
