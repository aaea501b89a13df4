"""Pictures of the questions for docs/images/: two releases to choose from, and the closing look."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from camera import Camera

PRIORS = (0.001, 0.5)
RATIO = 3.0  # what the officer of the pictures accepts
MOST = 30  # questions


def draw_questions() -> None:
    """Draw the questions, light."""
    camera = Camera(dark=False)
    window, session = camera.window, camera.open_example()
    session.put("Set beliefs", "$.requirements[0].p", PRIORS)
    window.wizard.go("profile")
    window.wizard.page.technical.open()
    entry = window.wizard.page.cards.cards[0].question_buttons
    entry.open()
    _walk(camera, entry.guided, lambda name: f"bets-{name}-light-1x")
    entry.guided.end()
    camera.close()


def _walk(camera: Camera, bets: Any, called: Callable[[str], str]) -> None:
    bets.begin.who.setText("A. Lindqvist")
    bets.begin.benefit.setText("the county health plan")
    bets.begin.begin_button.click()
    drawn: set[str] = set()
    slipped = False
    for _ in range(MOST):
        while bets.interviewer.busy:
            camera.settle(50)
        if bets.current_screen is bets.settle:
            bets.settle.cards[0].keep.click()
            continue
        if bets.current_screen is bets.closing:
            _judge(camera, bets, called, drawn)
            continue
        if bets.current_screen is not bets.ask:
            break
        question = bets.ask.question
        if question.kind == "pair" and "pair" not in drawn:
            drawn.add("pair")
            camera.save(called(question.kind), of=bets)
        answer = _answer(question)
        if question.again is not None and not slipped:
            slipped, answer = True, {"yes": "no", "no": "yes"}.get(answer, "a" if answer != "a" else "b")
        bets.ask.buttons[bets.ask.keys.index(answer)].click()


def _judge(camera: Camera, bets: Any, called: Callable[[str], str], drawn: set[str]) -> None:
    """Mark what is too much, and say so; a look with a mark is drawn once."""
    closing = bets.closing
    for made, line in zip(closing.lines, closing.look.lines, strict=False):
        made.mark.setChecked(line.after > RATIO * line.before)
    if closing.marked and "look" not in drawn:
        drawn.add("look")
        camera.save(called("look"), of=bets)
    (closing.too_much if closing.marked else closing.more).click()


def _answer(question: Any) -> str:
    accepted = [side is not None and side.posterior <= RATIO * side.prior for side in (question.a, question.b)]
    if question.b is not None:
        return "neither" if not any(accepted) else "a" if question.a.posterior <= question.b.posterior else "b"
    return "yes" if accepted[0] != (question.form == "reversed") else "no"
