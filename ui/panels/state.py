"""What a page and its panels show: the decision as it stands, what was found of it, and how fresh that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpwizard.charts import Picture
from dpwizard.decision import Assessment, Decision

Freshness = Literal["fresh", "pending", "stale"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Answered:
    """A decision with what was found of it."""

    decision: Decision
    picture: Picture

    @property
    def assessment(self) -> Assessment:
        """Return the answers of the decision."""
        return self.picture.assessment


@dataclass(frozen=True, kw_only=True, eq=False)
class State:
    """What is shown at one moment.

    `solved` is the decision answered last. It is fresh if it is `decision`, pending while that is being answered, and
    stale once this takes longer than a moment or fails. `draft` is what is known of a decision newer than `solved`
    before all of it is answered.
    """

    decision: Decision
    solved: Answered | None = None
    draft: Answered | None = None
    is_drafted: bool = False  # whether the draft is of `decision`, not of one before it
    freshness: Freshness = "pending"


def fresh(decision: Decision, picture: Picture) -> State:
    """Return the state in which DECISION is answered by PICTURE."""
    return State(decision=decision, solved=Answered(decision=decision, picture=picture), freshness="fresh")
