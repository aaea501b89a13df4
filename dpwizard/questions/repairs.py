"""Ways out of a conflict in plain words: at most three, each with what it costs in epsilon and in right guesses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from dpwizard.decision import Assessment, Decision, assess, edits
from dpwizard.decision.requirements import NoiseInterval
from dpwizard.wording import plain_sentences, range_of, say, word

MOST = 3
Make = Callable[[Decision], Decision]


@dataclass(frozen=True, kw_only=True)
class Repair:
    """One way out: the words of its button, both prices beside it, what Undo calls it, and what it makes."""

    words: str
    price: str
    name: str
    make: Make


def repairs(decision: Decision, assessment: Assessment) -> tuple[Repair, ...]:
    """Return at most three ways out of the conflict of DECISION; none where there is no conflict.

    Each opens the allowed range, or publishes nothing. Everything rarer is among the technical details.
    """
    if not assessment.window.empty:
        return ()
    found = [*_wider(decision, assessment)][: MOST - 1]
    return (*found, _nothing_published())


def _wider(decision: Decision, assessment: Assessment) -> Iterator[Repair]:
    """Yield, for each need in conflict, the smallest half-width that the highest budget allowed gives."""
    upper = range_of(assessment).upper
    if upper is None:
        return
    at_most = assess(decision.model_copy(update={decision.release.counted_in: upper.value}), assessment)
    for index in assessment.window.conflict:
        asked, width = decision.requirements[index], at_most.answers[index].at_epsilon.get("half_width")
        if (
            not isinstance(asked, NoiseInterval)
            or asked.half_width is None
            or width is None
            or width <= asked.half_width
        ):
            continue
        make = partial(_put, f"$.requirements[{index}].half_width", width)
        changed = make(decision)
        found = assess(changed, assessment)
        if found.window.empty:
            continue
        words = plain_sentences.need_in_short(
            changed.requirements[index], found.answers[index], decision.planned.release
        )
        before = say("repair", "instead_of", {"width": asked.half_width})
        price = f"{before} {_price(changed, found)}"
        yield Repair(words=words, price=price, name=word("repair", "wider_name"), make=make)


def _put(where: str, value: float, decision: Decision) -> Decision:
    return edits.put(decision, where, value)


def _price(changed: Decision, found: Assessment) -> str:
    """Return what the CHANGED decision costs at the least epsilon that it needs."""
    least = range_of(found).lower
    if least is None:
        return ""
    figures: dict[str, Any] = {"least": least.text}
    loss = plain_sentences.loss_given_others(changed.model_copy(update={"epsilon": least.value}))
    guesses = None if loss is None else plain_sentences.right_guesses(loss)
    if guesses is None:
        return say("repair", "price", figures)
    return say("repair", "price_in_guesses", {**figures, **guesses._asdict()})


def _nothing_published() -> Repair:
    return Repair(
        words=word("repair", "reject"),
        price=word("repair", "reject_price"),
        name=word("repair", "reject"),
        make=lambda decision: edits.put(decision, "$.outcome", "reject"),
    )
