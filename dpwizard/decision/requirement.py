"""The base of all requirements: each returns the limit that it sets on the budget of a release."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from dpwizard.base.values import LongText, ShortText, Value
from dpwizard.base.values import field as declared
from dpwizard.decision import promises
from dpwizard.decision.names import unknown_attribute
from dpwizard.decision.neighbouring import ReplaceOne
from dpwizard.decision.reasons import NOTHING, Check, Reason, missing
from dpwizard.decision.release import Release
from dpwizard.decision.settings import AccuracyInputs, EachTable, PrivacyInputs

Status = Literal["allowed", "infeasible", "unbounded", "not_applicable", "unanswered", "failed"]
Side = Literal["upper", "lower", "verdict"]
Basis = Literal["proved", "proved_under", "as_published"]
Setting = PrivacyInputs | AccuracyInputs | EachTable
CLAIMS = ("allowed", "infeasible", "unbounded")

ERROR = 1e-12  # error of an epsilon in closed form, on the safe side, relative to max(1, epsilon)
SAME = 1e-14  # relative rounding error between the budget of this release and that of all releases
INDEPENDENCE = frozenset(  # the assumptions that other people's records reveal nothing about one person
    ("independent_of_others", "attacker_knows_others", "independent_attributes", "knows_all_but_one")
)


@dataclass(frozen=True, kw_only=True)
class Limit:
    """The limit that a requirement sets, under its own neighbour relation or for its one number.

    epsilon is on the safe side: never above the true value for an upper limit, never below it for a lower one; the true
    value is within `error`. It is None unless the status is "allowed".
    """

    status: Status
    why: Reason
    epsilon: float | None = None
    error: float = 0.0
    of_release: bool = False
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


def no_limit(status: Status, key: str, **figures: Any) -> Limit:
    """Return a limit without an epsilon: its status and the reason.

    "infeasible" and "unbounded" are claims that need a basis, like any limit; other statuses claim nothing.
    """
    grounds: Basis | None = "proved" if status in CLAIMS else None
    return Limit(status=status, why=Reason(key=key, values=figures), grounds=grounds)


def beyond_reach(why: Reason) -> Limit:
    """Return the limit of a requirement that does not apply to a release, because the check of WHY failed."""
    return Limit(status="not_applicable", why=Reason(key=why.key, values=why.values), grounds=None, check=why.check)


def no_pure_epsilon(setting: PrivacyInputs, instead: str) -> Limit | None:
    """Return why a requirement on pure epsilon does not apply to this release; None if it does.

    INSTEAD is the key of the sentence on unbounded noise, which names a requirement that applies.
    """
    if setting.noise.absent_somewhere:
        return no_limit("not_applicable", "exact_has_no_epsilon")
    if setting.noise.needs_delta:
        return no_limit("not_applicable", instead)
    return unknown_loss(setting)


def unknown_loss(setting: PrivacyInputs, *, pure: bool = True) -> Limit | None:
    """Return why the loss for the neighbouring pair is unknown, or None; PURE: earlier losses must be bounded."""
    if setting.loss.missing is not None:
        return beyond_reach(setting.loss.missing)
    if pure and not setting.loss.spent_pure:
        return beyond_reach(missing("spent", "spent_without_bound"))
    return None


def trade_off_unknown(setting: PrivacyInputs) -> Limit | None:
    """Return why a requirement that applies to any noise does not apply to this release; None if it does."""
    if setting.noise.absent_somewhere:
        return no_limit("not_applicable", "exact_has_no_epsilon")
    return None if setting.loss.trade_off_missing is None else beyond_reach(setting.loss.trade_off_missing)


def within_limit(bound: float, max_advantage: float | None, limit: Limit, epsilon: float) -> float:
    """Return BOUND, the advantage at EPSILON; up to LIMIT at most MAX_ADVANTAGE, which the limit proves.

    EPSILON is in the limit's own terms: the release's budget, or the loss of the neighbouring pair.
    """
    if max_advantage is None or limit.epsilon is None or epsilon > limit.epsilon * (1.0 + SAME):
        return bound
    return min(bound, max_advantage)


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

    name: ShortText | None = declared("Name", "How you call this requirement.")
    enabled: bool = declared("Taken into account", "Switched off, it bounds nothing; say why.", default=True)
    off_reason: LongText | None = declared("Why it is switched off", "Needed before the record can be approved.")
    origins: Annotated[tuple[Origin, ...], Field(max_length=50)] = declared(
        "Origins", "Where its numbers come from.", default=()
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

    def reads_curve(self) -> bool:
        """Return whether it needs the trade-off curve of all releases, which is slow with many kinds of noise."""
        return False

    def slow(self, setting: Setting | tuple[str, ...]) -> bool:
        """Return whether its limit under SETTING is too slow for an interactive slider."""
        return self.takes_long() or (self.reads_curve() and isinstance(setting, PrivacyInputs) and setting.loss.slow)

    def contradiction(self) -> tuple[str, str] | None:
        """Return a field and the key of a sentence if two answers contradict each other; else None."""
        return None

    def assumed(self, release: Release) -> tuple[str, ...]:
        """Return the keys of the assumptions that it needs, given its answers and RELEASE."""
        assumes_pure = release.counts_spent() and any(earlier.assumed_pure for earlier in release.spent)
        earlier = ("earlier_releases_pure",) if self.end == "upper" and assumes_pure else ()
        return (*self.assumptions, *promises.assumed(release), *earlier)

    def blocked_limit(self, release: Release) -> Limit | None:
        """Return why this requirement cannot apply to RELEASE, whatever its answers; None if it can."""
        for unknown_name in self.unknown_names(release):
            return Limit(
                status="unanswered", why=Reason(key=unknown_name.key, values=unknown_name.values), grounds=None
            )
        if self.end != "upper":
            # if noise is added to each record on its device, the accuracy of the figures is unknown
            not_central = next((flaw for flaw in promises.flaws(release) if flaw.key == promises.NOT_ONE_CURATOR), None)
            return None if not_central is None else beyond_reach(not_central)
        for flaw in promises.flaws(release):
            return beyond_reach(flaw)
        setting = self.setting(release)
        if not isinstance(setting, PrivacyInputs) or release.noise.absent:
            return None
        unknown_loss_reason = self.unknown(setting)
        return None if unknown_loss_reason is None else beyond_reach(unknown_loss_reason)

    def unknown_names(self, release: Release) -> Iterator[Reason]:
        """Yield the names in this requirement that RELEASE does not define, each with its field."""
        yield from ()

    def unknown(self, setting: PrivacyInputs) -> Reason | None:
        """Return why the loss for its neighbouring pair is unknown; None if it is known."""
        return setting.loss.missing

    def checks(self, release: Release, setting: Setting | tuple[str, ...]) -> tuple[Check, ...]:
        """Return the checks, from RELEASE to the theorem, that must pass before this requirement sets a limit."""
        if isinstance(setting, AccuracyInputs | EachTable):
            return ("tables", "repetitions", "whole_numbers", "post_processing")
        if isinstance(setting, tuple):
            return ()
        independence: tuple[Check, ...] = ("independence",) if INDEPENDENCE & set(self.assumed(release)) else ()
        return (*setting.checks, *independence)

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


class OfAnAttribute(BaseRequirement):
    """The base of requirements on one person's value, of one attribute or of any."""

    attribute: ShortText | None = declared(
        "Attribute",
        "Its name, as the tables say what they read. Named, only tables that may read it count, and exact figures that "
        "do not read it are allowed.",
        editor="attribute",
    )

    def value(self) -> ReplaceOne:
        """Return the neighbouring pair: two values of one person, of the named attribute or of any."""
        return ReplaceOne(attributes=() if self.attribute is None else (self.attribute,))

    def setting(self, release: Release) -> PrivacyInputs | tuple[str, ...]:
        return release.privacy_setting(self.value(), in_epsilon=False)

    def unknown_names(self, release: Release) -> Iterator[Reason]:
        if "attribute" not in self.inapplicable_fields(release):
            yield from unknown_attribute(release, self.attribute, "attribute")

    def assumed(self, release: Release) -> tuple[str, ...]:
        known = ("other_attributes_known",) if self.attribute is not None and self.narrows(release) else ()
        return (*super().assumed(release), *known)

    def inapplicable_fields(self, release: Release) -> tuple[str, ...]:
        applies = self.attribute is not None or self.narrows(release) or bool(release.exact)
        return super().inapplicable_fields(release) if applies else (*super().inapplicable_fields(release), "attribute")

    def narrows(self, release: Release) -> bool:
        """Return whether naming an attribute can exclude some of RELEASE's figures."""
        return any(table.reads is not None for table in release.tables) or any(
            reads is not None for _, reads in release.exact
        )


def limit_under(requirement: BaseRequirement, setting: Setting) -> Limit:
    """Return the limit that REQUIREMENT sets under SETTING; of several tables the largest, named in `binding`.

    A table for which no budget suffices, or whose limit is unknown, decides for all.
    """
    if not isinstance(setting, EachTable):
        return requirement.limit(setting)
    limits: dict[AccuracyInputs, Limit] = {}
    tightest: Limit | None = None
    for name, inputs in setting.each:
        if inputs not in limits:
            limits[inputs] = requirement.limit(inputs)
        limit = limits[inputs]
        candidate = replace(limit, binding={**limit.binding, "part": name})
        if limit.epsilon is not None and not limit.of_release:
            budget = inputs.need(limit.epsilon)
            scale = budget / limit.epsilon if limit.epsilon else 1.0
            candidate = replace(candidate, epsilon=budget, error=limit.error * scale, of_release=True)
        if tightest is None or _is_tighter(candidate, tightest):
            tightest = candidate
    return no_limit("unanswered", "no_table_matches") if tightest is None else tightest


def at_under(requirement: BaseRequirement, setting: Setting, limit: Limit, epsilon: float) -> Mapping[str, Any]:
    """Return the figures at the release's EPSILON under SETTING; of several tables, those of the limiting one."""
    inputs = setting.of(limit.binding.get("part")) if isinstance(setting, EachTable) else setting
    return requirement.at(inputs, limit, epsilon)


def _is_tighter(limit: Limit, other: Limit) -> bool:
    order = {"unbounded": 0, "allowed": 1, "infeasible": 2}
    rank, other_rank = order.get(limit.status, 3), order.get(other.status, 3)
    return rank > other_rank or (rank == other_rank == 1 and (limit.epsilon or 0.0) > (other.epsilon or 0.0))
