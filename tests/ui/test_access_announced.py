"""What happens away from the keyboard is announced to screen readers: what is wrong with an entry, what is left of
epsilon, what was said in a line above the page."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.ui.hands import Hands
from ui.widgets import warning

pytestmark = [pytest.mark.one_window, pytest.mark.slow]


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is announced, as a screen reader that runs would be given it."""
    said: list[str] = []
    reader = SimpleNamespace(isActive=lambda: True, updateAccessibility=lambda event: said.append(event.message()))
    monkeypatch.setattr(warning, "QAccessible", reader)
    return said


def test_what_is_wrong_with_an_entry_is_announced_once(durham: Hands, heard: list[str]) -> None:
    durham.go("accuracy")
    durham.fill("$.requirements[1].at_most", "200")
    problem = durham.editor("$.requirements[1].at_most").problem
    durham.bot.waitUntil(lambda: problem.text() in heard)
    assert heard.count(problem.text()) == 1


def test_what_is_left_of_epsilon_is_announced_with_what_it_is(durham: Hands, heard: list[str]) -> None:
    durham.go("accuracy")
    durham.fill("$.requirements[1].at_most", "12")
    durham.settle()
    shown = durham.wizard.footer.words.text()
    durham.bot.waitUntil(lambda: f"epsilon so far: {shown}" in heard)


def test_a_line_above_the_page_is_announced_and_one_gone_again_is_not(durham: Hands, heard: list[str]) -> None:
    durham.window.notice.tell("Gone before anybody could hear it")
    durham.window.notice.tell("The file was saved elsewhere meanwhile")
    durham.bot.waitUntil(lambda: heard == ["The file was saved elsewhere meanwhile"])
