"""Ways out of a conflict in plain words: at most three, each with what it costs in epsilon and in right guesses."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from dpwizard.decision import Assessment, Decision, NumberRequirement, assess, edits, smallest_changes
from dpwizard.wording import need_in_words, plain_sentences, range_of, say, word

MOST = 3
OF_NEED = re.compile(r"\$\.requirements\[(\d+)\]\.(\w+)$")
Make = Callable[[Decision], Decision]


@dataclass(frozen=True, kw_only=True)
class Repair:
    """One way out: the words of its button, both prices beside it, what Undo calls it, and what it makes."""

    words: str
    price: str
    name: str
    make: Make


def repairs(decision: Decision, assessment: Assessment, stop: Callable[[], bool]) -> tuple[Repair, ...]:
    """Return at most three ways out of the conflict of DECISION; none where there is no conflict.

    Each opens the allowed range, or publishes nothing. Everything rarer is among the technical details.
    """
    if not assessment.window.empty:
        return ()
    found = [*_wider(decision, assessment, stop)][: MOST - 1]
    return (*found, _nothing_published())


def _wider(decision: Decision, assessment: Assessment, stop: Callable[[], bool]) -> Iterator[Repair]:
    """Yield, for each need in conflict, the smallest half-width at which both sides agree."""
    for change in smallest_changes(decision, assessment, stop):
        place = OF_NEED.match(change.where)
        if place is None:
            continue
        asked = decision.requirements[int(place[1])]
        if not isinstance(asked, NumberRequirement) or type(asked).width != place[2]:
            continue
        whole = decision.release.tables[0].noise.on_lattice
        width = float(math.ceil(change.to - 1e-9)) if whole else change.to
        make = partial(_put, change.where, width)
        changed = make(decision)
        found = assess(changed.model_copy(update={"epsilon": None, "rho": None}))
        wider = changed.requirements[int(place[1])]
        if not found.window.empty and isinstance(wider, NumberRequirement):
            before = say("repair", "instead_of", {"width": change.value})
            price = f"{before} {_price(changed, found)}"
            name = word("repair", "wider_name")
            yield Repair(words=need_in_words(wider, decision.release), price=price, name=name, make=make)


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
