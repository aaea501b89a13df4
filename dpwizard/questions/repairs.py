"""Ways to resolve a conflict in plain words: at most three, each with its cost in epsilon and in right guesses."""

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
    """One way: the words of its button, its cost, the name of the edit, and the edit."""

    words: str
    price: str
    name: str
    make: Make


def repairs(decision: Decision, assessment: Assessment) -> tuple[Repair, ...]:
    """Return at most three ways to resolve the conflict of DECISION; none if there is no conflict.

    Each opens the allowed range, or publishes nothing. Everything rarer is among the technical details.
    """
    if not assessment.window.empty:
        return ()
    wider = [*_wider(decision, assessment)][: MOST - 1]
    return (*wider, _nothing_published())


def _wider(decision: Decision, assessment: Assessment) -> Iterator[Repair]:
    """Yield the smallest relaxation of each need in conflict that resolves it."""
    positions: dict[str, int] = {}
    for at in assessment.window.conflict:
        need = decision.requirements[at]
        if isinstance(need, AccuracyRequirement):
            positions[f"$.requirements[{at}].{_field(need)}"] = at
    for change in smallest_changes(decision, assessment, only=positions):
        make = partial(edits.put, where=change.where, raw=change.to)
        changed, index = make(decision), positions[change.where]
        before, after = decision.requirements[index], changed.requirements[index]
        assert isinstance(before, AccuracyRequirement)
        assert isinstance(after, AccuracyRequirement)
        assessed = assess(changed, assessment)
        words = plain_sentences.need_in_words(after, decision.planned.release)
        instead = format_text("repair", "instead_of", {"asked": required_figure(before, _field(before))})
        price = f"{instead} {_price(changed, assessed)}"
        yield Repair(words=words, price=price, name=word("repair", "wider_name"), make=make)


def _field(need: AccuracyRequirement) -> str:
    """Return the field that relaxes the need as it grows; if there is none, the chance."""
    return need.width or need.bound


def _price(changed: Decision, assessment: Assessment) -> str:
    """Return the cost of the CHANGED decision at the smallest epsilon that it needs."""
    least = range_of(assessment).lower
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
