"""Ways out of a conflict in plain words: at most three, each with what it costs in epsilon and in right guesses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from dpwizard.decision import AccuracyRequirement, Assessment, Decision, assess, edits, smallest_changes
from dpwizard.wording import format_text, general_guarantee, plain_sentences, range_of, required_figure, word

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
    """Yield, for each need in conflict that can ask for less and so open the range, the least it can ask less for."""
    asked: dict[str, int] = {}
    for at in assessment.window.conflict:
        need = decision.requirements[at]
        if isinstance(need, AccuracyRequirement):
            asked[f"$.requirements[{at}].{_field(need)}"] = at
    for change in smallest_changes(decision, assessment, only=asked):
        make = partial(_put, change.where, change.to)
        changed, index = make(decision), asked[change.where]
        before, after = decision.requirements[index], changed.requirements[index]
        assert isinstance(before, AccuracyRequirement)
        assert isinstance(after, AccuracyRequirement)
        found = assess(changed, assessment)
        words = plain_sentences.need_in_words(after, decision.planned.release)
        instead = format_text("repair", "instead_of", {"asked": required_figure(before, _field(before))})
        price = f"{instead} {_price(changed, found)}"
        yield Repair(words=words, price=price, name=word("repair", "wider_name"), make=make)


def _field(need: AccuracyRequirement) -> str:
    """Return the field that asks for less where it grows; where there is none, the chance."""
    return need.width or need.bound


def _put(where: str, value: float, decision: Decision) -> Decision:
    return edits.put(decision, where, value)


def _price(changed: Decision, found: Assessment) -> str:
    """Return what the CHANGED decision costs at the least epsilon that it needs."""
    least = range_of(found).lower
    if least is None:
        return ""
    figures: dict[str, Any] = {"least": least.text}
    loss = plain_sentences.loss_given_others(changed.model_copy(update={"epsilon": least.value}))
    guesses = None if loss is None else general_guarantee.two_worlds(loss)
    if guesses is None:
        return format_text("repair", "price", figures)
    return format_text("repair", "price_in_guesses", {**figures, **guesses._asdict()})


def _nothing_published() -> Repair:
    return Repair(
        words=word("repair", "reject"),
        price=word("repair", "reject_price"),
        name=word("repair", "reject"),
        make=lambda decision: edits.put(decision, "$.outcome", "reject"),
    )
