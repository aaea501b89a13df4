"""The base of all requirements: each returns the limit that it sets on the budget of a release."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from dpwizard.base.values import LongText, ShortText, Value
from dpwizard.base.values import field as declared
from dpwizard.decision import release_flaws
from dpwizard.decision.reasons import NOTHING, Check, Reason
from dpwizard.decision.release import Release
from dpwizard.decision.settings import AccuracyInputs, EachTable, PrivacyInputs

Status = Literal["allowed", "infeasible", "unbounded", "not_applicable", "unanswered", "failed"]
Side = Literal["upper", "lower", "verdict"]
Basis = Literal["proved", "proved_under", "as_published"]
Setting = PrivacyInputs | AccuracyInputs | EachTable
SETTLED = ("allowed", "infeasible", "unbounded")  # what a solver may claim of a limit

ERROR = 1e-12  # error of an epsilon in closed form, on the safe side, relative to max(1, epsilon)


@dataclass(frozen=True, kw_only=True)
class Limit:
    """The limit that a requirement sets on the budget of the release.

    epsilon is on the safe side: never above the true value for an upper limit, never below it for a lower one; the true
    value is within `error`. It is None unless the status is "allowed".
    """

    status: Status
    why: Reason
    epsilon: float | None = None
    error: float = 0.0
    binding: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    attained: bool | None = None
    unique: bool | None = None
    grounds: Basis | None = "proved"  # None: the status claims nothing
    source: str = ""  # empty: the source of the requirement
    as_published: Mapping[str, Any] | None = None
    check: Check | None = None  # the failed check, if the theorem does not apply to the release


def epsilon_limit(epsilon: float, key: str, *, error: float | None = None, **rest: Any) -> Limit:
    """Return an "allowed" limit, with the error of a closed form by default; "unbounded" for inf."""
    if math.isinf(epsilon):
        return no_limit("unbounded", "no_table_reads_it")
    figures = rest.pop("figures", NOTHING)
    return Limit(
        status="allowed",
        epsilon=epsilon,
        error=ERROR * max(1.0, epsilon) if error is None else error,
        why=Reason(key=key, values=figures),
        **rest,
    )


def converted_limit(
    own: float, to_budget: Callable[[float], float], key: str, *, error: float | None = None, **rest: Any
) -> Limit:
    """Return the limit OWN, in the terms of a theorem, converted TO_BUDGET of the release; its error grows alike."""
    budget = own if math.isinf(own) else to_budget(own)
    own_error = ERROR * max(1.0, own) if error is None else error
    scale = budget / own if own > 0.0 else 1.0
    return epsilon_limit(budget, key, error=own_error * max(scale, 0.0), **rest)


def no_limit(status: Status, key: str, **figures: Any) -> Limit:
    """Return a limit without an epsilon: its status and the reason.

    "infeasible" and "unbounded" are claims that need a basis, like any limit; other statuses claim nothing.
    """
    grounds: Basis | None = "proved" if status in SETTLED else None
    return Limit(status=status, why=Reason(key=key, values=figures), grounds=grounds)


def beyond_reach(why: Reason) -> Limit:
    """Return the limit of a requirement that does not apply to a release, because the check of WHY failed."""
    return Limit(status="not_applicable", why=Reason(key=why.key, values=why.values), grounds=None, check=why.check)


class Origin(Value):
    """The source of a number that an officer entered; never confidential data."""

    field: ShortText = declared("Field", "Which number of the requirement.", default=...)
    origin: Literal["public", "assumed", "test_data"] = declared("Origin", "Where it comes from.", default=...)


class BaseRequirement(Value):
    """The fields and methods that all requirements share; a field that is None is not answered yet."""

    end: ClassVar[Side] = "upper"  # the end of the range that it limits
    step: ClassVar[str] = "profile"  # the wizard step that asks for it
    source: ClassVar[str]
    assumptions: ClassVar[tuple[str, ...]] = ()  # the assumptions that it always needs
    optional: ClassVar[tuple[str, ...]] = ()  # its fields that may stay empty
    basic_fields: ClassVar[tuple[str, ...]] = ()  # the fields that the adversary step shows
    drawn: ClassVar[Literal["", "curves", "figure"]] = ""  # the drawing next to its fields

    name: ShortText | None = declared("Name", "A name for this requirement.")
    enabled: bool = declared("Taken into account", "While switched off, it sets no limit. Give a reason.", default=True)
    off_reason: LongText | None = declared("Why it is switched off", "Required before the record can be approved.")
    origins: Annotated[tuple[Origin, ...], Field(max_length=50)] = declared(
        "Sources of its numbers", "Where its numbers come from.", default=()
    )

    def missing(self) -> tuple[str, ...]:
        """Return the names of the required fields that have no answer."""
        return tuple(name for name, answer in self.asked().items() if answer is None)

    def asked(self) -> dict[str, Any]:
        """Return the answers to its own required fields, by name."""
        fields, own_names = type(self).model_fields, set(type(self).__annotations__) - set(self.optional)
        return {
            name: getattr(self, name) for name, field in fields.items() if name in own_names and field.default is None
        }

    def inapplicable_fields(self, release: Release) -> tuple[str, ...]:
        """Return the names of the fields that have no effect, given the other answers and RELEASE."""
        return ()

    def counted_whole(self, release: Release) -> bool:
        """Return whether an earlier release counts with its full loss, though its true effect may be far smaller."""
        return False

    def takes_long(self) -> bool:
        """Return whether its limit is too slow for an interactive slider."""
        return False

    def slow(self, setting: Setting | tuple[str, ...]) -> bool:
        """Return whether its limit under SETTING is too slow for an interactive slider."""
        return self.takes_long()

    def contradiction(self) -> tuple[str, str] | None:
        """Return a field and the key of a sentence if two answers contradict each other; else None."""
        return None

    def assumed(self, release: Release) -> tuple[str, ...]:
        """Return the keys of the assumptions that it needs, given its answers and RELEASE."""
        return (*self.assumptions, *release_flaws.assumed(release))

    def blocked_limit(self, release: Release) -> Limit | None:
        """Return why this requirement cannot apply to RELEASE, whatever its answers; None if it can."""
        for unknown_name in self.unknown_names(release):
            return Limit(
                status="unanswered", why=Reason(key=unknown_name.key, values=unknown_name.values), grounds=None
            )
        return next((beyond_reach(flaw) for flaw in self.flaws(release)), None)

    def flaws(self, release: Release) -> tuple[Reason, ...]:
        """Return the flaws of RELEASE with which it cannot apply."""
        # if noise is added to each record on its device, the accuracy of the figures is unknown
        return tuple(flaw for flaw in release_flaws.flaws(release) if flaw.key == release_flaws.NOT_ONE_CURATOR)

    def unknown_names(self, release: Release) -> Iterator[Reason]:
        """Yield the names in this requirement that RELEASE does not define, each with its field."""
        yield from ()

    def checks(self, release: Release, setting: Setting | tuple[str, ...]) -> tuple[Check, ...]:
        """Return the checks, from RELEASE to the theorem, that must pass before this requirement sets a limit."""
        return setting.checks if isinstance(setting, PrivacyInputs) else ()

    @abstractmethod
    def setting(self, release: Release) -> Setting | tuple[str, ...]:
        """Return the inputs that this requirement takes from RELEASE, or the paths of unanswered fields."""

    @abstractmethod
    def limit(self, setting: Any) -> Limit:
        """Return the limit under SETTING; called only if no field is missing."""

    def met_at(self, setting: Any, epsilon: float) -> bool | None:
        """Return whether the release's EPSILON meets it, checked directly; None: compare with the limit.

        Under discrete Gaussian noise a budget below the limit may violate a requirement that the limit meets.
        """
        return None

    @abstractmethod
    def at(self, setting: Any, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the figures at the release's EPSILON, by name."""
