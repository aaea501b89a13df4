"""Hands at the questions in a page, and an officer who answers by a ratio: accepts up to so many times the chance
before."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from dpwizard.decision import Chance, Question
from tests.ui.hands import PATIENCE, Hands
from ui.elicitation.guided import GuidedQuestions

RATIO = 3.0
MOST = 40  # questions, before a test gives up


def accepts(chance: Chance) -> bool:
    return chance.posterior <= RATIO * chance.prior


def answer_to(question: Question) -> str:
    """Return what the officer says, whatever the form of the question."""
    if question.a is not None and question.b is not None:
        if not accepts(question.a) and not accepts(question.b):
            return "neither"
        return "a" if question.a.posterior <= question.b.posterior else "b"
    if question.blur is not None:
        yes = question.blur.off_by <= 5.0
    else:
        yes = accepts(question.a)
    return "yes" if yes != (question.form == "reversed") else "no"


class Officer:
    """Somebody who is asked the questions."""

    def __init__(self, hands: Hands, entry: Any) -> None:
        self.hands, self.bot, self.entry = hands, hands.bot, entry

    @property
    def asked(self) -> GuidedQuestions:
        return self.entry.guided

    @property
    def footer(self) -> Any:
        return self.hands.window.wizard.footer

    @property
    def decision(self) -> Any:
        return self.hands.session.decision

    def comes(self) -> None:
        """Wait until the questions are shown."""
        self.bot.waitUntil(lambda: self.asked is not None and self.asked.isVisible())

    def key(self, key: Any, modifier: Any = Qt.KeyboardModifier.NoModifier) -> None:
        """Press KEY where the keyboard is."""
        self.bot.keyClick(QApplication.focusWidget() or self.asked, key, modifier)

    def tab_to(self, wanted: QWidget) -> None:
        """Press Tab until WANTED has the keyboard."""
        for _ in range(120):
            if QApplication.focusWidget() is wanted:
                return
            self.key(Qt.Key.Key_Tab)
        raise AssertionError(f"Tab does not lead to {wanted.accessibleName()}")

    def shows(self, screen: QWidget) -> bool:
        return self.asked.stack.currentWidget() is screen

    def ready(self) -> None:
        """Wait until what follows from the last answer is shown."""
        asked = self.asked

        def settled() -> bool:
            if asked.interviewer.busy:
                return False
            if self.shows(asked.ask):
                return not asked.ask.waiting
            if self.shows(asked.closing):
                return not asked.closing.waiting
            return True

        self.bot.waitUntil(settled, timeout=PATIENCE)

    def begin(self, who: str = "Ada", benefit: str = "the regional plan") -> None:
        """Open the questions by mouse, say who answers, and begin."""
        self.hands.click(self.entry.ask_button)
        self.comes()
        begin = self.asked.begin
        self.bot.keyClicks(begin.who, who)
        self.bot.keyClicks(begin.benefit, benefit)
        self.hands.click(begin.begin_button)
        self.ready()

    def press(self, answer: str) -> None:
        """Give ANSWER by its key."""
        ask = self.asked.ask
        number = len(self.asked.interviewer.log.replies)
        self.bot.waitUntil(lambda: not ask.waiting, timeout=PATIENCE)
        self.key(getattr(Qt.Key, f"Key_{ask.keys.index(answer) + 1}"))
        assert len(self.asked.interviewer.log.replies) == number + 1
        self.ready()

    def judge(self) -> None:
        """Judge the closing look that is shown, by mouse."""
        closing, looks = self.asked.closing, len(self.asked.interviewer.log.looks)
        marks = [made.mark for made, line in zip(closing.lines, closing.look.lines, strict=False) if not accepts(line)]
        for mark in marks:
            self.hands.click(mark)
        self.hands.click(closing.too_much if marks else closing.more)
        assert len(self.asked.interviewer.log.looks) == looks + 1
        self.ready()

    def judge_by_keys(self) -> None:
        """Judge the closing look that is shown: Down goes from line to line, the space bar marks, Tab leads on."""
        closing, looks = self.asked.closing, len(self.asked.interviewer.log.looks)
        for place, line in enumerate(closing.look.lines):
            self.key(Qt.Key.Key_Down)
            assert QApplication.focusWidget() is closing.lines[place].mark, (place, QApplication.focusWidget())
            if not accepts(line):
                self.key(Qt.Key.Key_Space)
        assert closing.marked == tuple(i for i, line in enumerate(closing.look.lines) if not accepts(line))
        self.tab_to(closing.too_much if closing.marked else closing.more)
        self.key(Qt.Key.Key_Space)
        assert len(self.asked.interviewer.log.looks) == looks + 1
        self.ready()

    def walk(self, questions: int = MOST) -> None:
        """Answer truthfully until the result is shown, or so many QUESTIONS were answered; contradictions are left for
        later."""
        for _ in range(questions):
            if not self.shows(self.asked.ask) or self.asked.interviewer.next_step.question is None:
                break
            self.press(answer_to(self.asked.ask.question))
            while self.shows(self.asked.settle):  # one answer may contradict several
                self.hands.click(self.asked.settle.not_now)
                self.ready()
        if questions == MOST:
            while self.shows(self.asked.closing):
                self.judge()
            self.bot.waitUntil(lambda: self.shows(self.asked.outcome), timeout=PATIENCE)


@pytest.fixture
def officer(durham: Hands) -> Officer:
    """Return an officer at the Durham example, whose neighbour believes between 1 in 1,000 and 1 in 2."""
    durham.session.put("Set beliefs", "$.requirements[0].p", (0.001, 0.5))
    durham.go("profile")
    return Officer(durham, durham.page.cards.cards[0].question_buttons)
