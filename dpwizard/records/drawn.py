"""What the pages of a record print that no other member holds: curves, noises, tables, and what the budget means.

Every number has six digits, rounded to the careful side: an allowed budget down; an upper limit, a need or a
chance up. Places on an axis and heights of a drawing are rounded to the nearest. What is
unbounded is null.
"""

from __future__ import annotations

from typing import Any, Literal

from dpwizard.base.values import Value
from dpwizard.decision import TableSum, Which
from dpwizard.privacy.mechanisms import NoiseName

Number = float | None
Numbers = tuple[Number, ...]
WithoutNoise = Literal["none", "useless", "noise_in_steps"]


class Share(Value):
    """What an allotted table has of the budget: a share of it, or an epsilon of its own."""

    share: Number
    epsilon: Number


class Curve(Value):
    """A risk profile along one prior: see `charts.RiskCurve`."""

    axis: Literal["p", "q"]
    other: float
    priors: tuple[float, ...]
    allowed: Numbers
    epsilons: Numbers
    given: Numbers


class Profile(Value):
    """The curves of one requirement, by its position."""

    requirement: int
    curves: tuple[Curve, ...]


class NumberNoise(Value):
    """The noise on one number of some tables, and its drawing if it is one of those drawn: see `charts.DrawnNoise`."""

    tables: tuple[str | None, ...]
    mechanism: NoiseName
    exact: float
    half_width: float
    coverage: float
    sd: float
    mean_absolute: float
    whole: bool
    values: tuple[float, ...]
    heights: tuple[float, ...]


class Bare(Value):
    """Why some table has no noise that can be drawn, and the step of its values."""

    reason: WithoutNoise
    step: Number


class Accuracy(Value):
    """How exact the figures are; not known where a table lacks an answer."""

    known: bool
    without: tuple[Bare, ...]
    noises: tuple[NumberNoise, ...]


class AddedNoise(Value):
    """A noise that is added, in the unit of the figures, and the tables that have it; scale in steps."""

    tables: tuple[str | None, ...]
    mechanism: NoiseName
    scale: float
    step: float
    sd: float
    within_90: float
    within_95: float
    exact: float


class Within(Value):
    """How far off 95 of 100 published numbers are at most, and the tables of which that is so."""

    tables: tuple[str | None, ...]
    half_width: float


class Group(Value):
    """How far off is what is published of a small true count, in the tables named."""

    tables: tuple[str | None, ...]
    count: int
    half_width: float
    off_by_tenth: float
    off_by_half: float
    gone: float


class RecordedReason(Value):
    """A sentence free of language."""

    key: str
    figures: dict[str, Any]


class RecordedClause(Value):
    """A sentence on what the budget means: see `wording.general_guarantee.Clause`."""

    section: str
    key: str
    figures: dict[str, Any]
    reason: RecordedReason | None


class Reading(Value):
    """A budget on the axis, and what the decision reads it as."""

    budget: float
    told: Number


class SumWidth(Value):
    """How far off the counts of the only table are, or the sums of them, in 95 of 100 cases: see `TableSum`."""

    which: Which
    division: str
    cells: int
    sums: int
    half_width: Number

    @property
    def table_sum(self) -> TableSum:
        """Return the numbers that it speaks of."""
        return TableSum(which=self.which, cells=self.cells, sums=self.sums, division=self.division)


class Weighed(Value):
    """A budget that was weighed, an end of the allowed range or the choice: how many guesses of so many are right at
    most, and how far off numbers are."""

    option: Literal["lower", "chosen", "upper"]
    epsilon: float
    seen: int | None
    out_of: int | None
    half_width: Number


class Front(Value):
    """What the first pages say of a release of one table.

    zero: the chance that a true 0 is published as 3 or more; measured: by which of the sums budgets are compared, that
    of the need which sets the lower end, else each number. None: not known, or of no such release.
    """

    sums: tuple[SumWidth, ...]
    zero: Number
    weighed: tuple[Weighed, ...]
    measured: int


class Drawn(Value):
    """All of it."""

    shares: tuple[Share, ...]  # of the parts, where they are allotted
    profiles: tuple[Profile, ...]
    accuracy: Accuracy | None  # None: no budget is chosen, or no noise is known
    added: tuple[AddedNoise, ...]
    within: tuple[Within, ...]
    groups: tuple[Group, ...]
    meaning: tuple[tuple[RecordedClause, ...], ...]
    no_promise: str  # the key of why no promise to everybody holds; empty where one does
    axis: tuple[Reading, ...]
    front: Front | None  # None: no budget is chosen, or several tables

    @property
    def allotted(self) -> tuple[tuple[Number, Number], ...]:
        """Return the share, or the epsilon of its own, that the allocation found for each part."""
        return tuple((share.share, share.epsilon) for share in self.shares)
