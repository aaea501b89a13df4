"""What the second opinion found on one statement: keys and figures, free of language; the words stand in words.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

from dpwizard.decision import Reason

Verdict = Literal["agrees", "differs", "not_determined", "follows"]
Statement = Literal[
    "sum",
    "conversion",
    "mu",
    "sampling",
    "person",
    "group",
    "noise",
    "margin",
    "repeated",
    "variant",
    "means",
    "same_rule",
    "same_factor",
    "counted_twice",
    "replay",
]


@dataclass(frozen=True, kw_only=True)
class Derived:
    """A figure that follows by one rule, and between what it lies as the figures put in were rounded."""

    value: float
    low: float
    high: float
    formula: str  # in the signs of mathematics, which no language changes
    rule: str = ""  # where several could have been meant
    agrees: bool = True


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """What a loss means for one person, at most.

    "belief": the highest posterior for a prior of 1 in 100. "test": the highest true positive rate of a test with a
    false positive rate of 1 in 100. `stated`: by what was published; `derived`: by what follows.
    """

    of: Literal["belief", "test"]
    stated: float | None = None
    derived: float | None = None


@dataclass(frozen=True, kw_only=True)
class ClaimVerdict:
    """One statement, the arithmetic it was held against, and whether they agree.

    `stated` is as printed, None where nothing is stated and something follows. A difference is stated less derived:
    below 0, less is claimed than is lost.
    """

    statement: Statement
    where: str = ""  # of the claim
    verdict: Verdict = "not_determined"
    name: str = ""
    quantity: str = ""
    stated: str | None = None
    derived: tuple[Derived, ...] = ()
    figures: Mapping[str, str] = field(default_factory=dict)  # what was put in, as printed
    missing: tuple[str, ...] = ()  # what would have to be known
    difference: float | None = None
    hints: tuple[Reason, ...] = ()
    meaning: Meaning | None = None

    @property
    def formula(self) -> str:
        """Return the formula of the figure that is shown first."""
        return self.derived[0].formula if self.derived else ""

    def hinted(self, *hints: Reason) -> Self:
        """Return the same finding with HINTS at its end."""
        return replace(self, hints=(*self.hints, *hints))


@dataclass(frozen=True, kw_only=True)
class Examination:
    """All that was found on one file."""

    kind: Literal["claim", "registry", "decision", "record"]
    title: str
    findings: tuple[ClaimVerdict, ...]

    def counted(self, verdict: Verdict) -> int:
        """Return how many statements have that verdict."""
        return sum(1 for finding in self.findings if finding.verdict == verdict)

    @property
    def ok(self) -> bool:
        """Return whether nothing differs; what is not determined is no difference."""
        return not self.counted("differs")

    def as_plain(self) -> Mapping[str, Any]:
        verdicts: tuple[Verdict, ...] = ("agrees", "differs", "not_determined", "follows")
        counts = {verdict: self.counted(verdict) for verdict in verdicts}
        return {"kind": self.kind, "title": self.title, "ok": self.ok, "counts": counts, "findings": self.findings}
