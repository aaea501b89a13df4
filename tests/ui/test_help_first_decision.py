"""The first decision of the guide, followed field by field: from the empty page to a record that lacks nothing but its
signature."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QPushButton

from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.decision import assess, problems
from tests.ui.hands import Hands
from ui.forms import Editor
from ui.help import guide
from ui.questions import with_defaults
from ui.questions.blanks import Blank, NumberedQuestion


class Follower:
    """Does what the page says, section by section."""

    def __init__(self, hands: Hands, language: str) -> None:
        self.hands = hands
        text = re.sub(r"(?<!\n)\n(?![\n|#-])", " ", guide.read("first-decision.md", language))
        self.sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]

    def answers(self, section: int) -> Iterator[tuple[str, str]]:
        """Yield field and answer of each row of the table in a section."""
        for line in self.sections[section].splitlines():
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) == 4 and cells[1].startswith("*"):
                yield cells[1].strip("*"), cells[2].strip("*")

    def bold(self, section: int) -> list[str]:
        """Return what stands in bold in a section, outside its table."""
        prose = "\n".join(line for line in self.sections[section].splitlines() if not line.startswith("|"))
        return re.findall(r"\*\*(.+?)\*\*", prose)

    def press(self, words: str) -> None:
        """Press the button that says WORDS."""

        def found() -> list[QAbstractButton]:
            shown = self.hands.window.findChildren(QAbstractButton)
            return [one for one in shown if one.isVisible() and one.text().strip() == words]

        self.hands.bot.waitUntil(lambda: len(found()) == 1)
        self.hands.click(found()[0])

    def pick(self, words: str, entry: str) -> None:
        """Open the menu of the button that says WORDS and choose the ENTRY that begins so."""
        button = next(
            b for b in self.hands.page.findChildren(QPushButton) if b.isVisible() and b.accessibleName() == words
        )
        chosen = next(action for action in button.menu().actions() if action.text().startswith(f"{entry}:"))
        self.hands.pick(button, chosen.text())

    def answer_plainly(self, question: str, words: str) -> None:
        """Answer a plain QUESTION as it is asked: type WORDS into its gap, or press the answer that says them."""
        gaps = [one for one in self.hands.page.findChildren(Blank) if one.accessibleName() == question]
        if gaps:
            self.hands.type(gaps[0], words.encode("ascii", "replace").decode())  # a hand here types ASCII
            return
        asked = [one.accessibleName() for one in self.hands.page.findChildren(NumberedQuestion)]
        assert question in asked, (question, asked)
        self.press(words)

    def answer(self, label: str, words: str) -> None:
        """Answer the field that is called LABEL with WORDS."""

        def found() -> list[Editor]:
            shown = self.hands.page.findChildren(Editor)
            return [one for one in shown if one.isVisible() and one.label.text() == label]

        self.hands.bot.waitUntil(lambda: len(found()) >= 1)
        control = found()[0].controls()[0]
        if isinstance(control, QComboBox):
            self.hands.choose_in(control, control.itemData(control.findText(words)))
        else:
            typed = (
                re.sub(r" (?:in|von) 100$", "", words).encode("ascii", "replace").decode()
            )  # a hand here types ASCII
            self.hands.fill(found()[0].objectName(), typed)


@pytest.mark.soak
@pytest.mark.plain_pages
@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_follows_the_first_decision_has_the_window_it_speaks_of_and_nothing_is_missing(
    make_hands: Callable[..., Hands], language: str
) -> None:
    with speaking(language):
        hands = make_hands()
        hands.window.menus.actions[f"language_{language}"].trigger()
        follower = Follower(hands, language)
        bold = follower.bold
        follower.press(bold(0)[0])
        for question, words in follower.answers(0):
            follower.answer_plainly(question, words)
        follower.press(bold(0)[-1])
        for words in bold(1):
            follower.press(words)
        hands.next()
        follower.press(bold(2)[0])
        follower.answer(*bold(2)[1:3])
        follower.answer(bold(2)[3], "60")
        follower.answer(bold(2)[4], "6")
        follower.press(bold(3)[-1])
        follower.press(bold(4)[0])
        follower.pick(*bold(4)[1:3])
        for field, words in follower.answers(4):
            follower.answer(field, words)
        hands.next()
        follower.answer(bold(5)[0], "2,3" if language == "de" else "2.3")
        assert hands.page.reasons.accessibleName() == bold(5)[1]
        hands.fill("$.justification", "Because")
        hands.next()
        hands.type(hands.page.questions.name, "A. Officer")
        hands.session.edit("Propose the decision", with_defaults(hands.session.decision))  # as signing does
        hands.settle()
        decision = hands.session.decision
        window = assess(decision).window
        assert (round(window.lower, 2), int(window.upper * 100) / 100) == (2.2, 2.6)
        assert decision.epsilon == 2.3
        assert decision.outcome == "approve"
        assert problems(decision) == ()
