"""The base of privacy requirements: each bounds what a release reveals of one person, and sets the largest budget."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar, Literal

from dpwizard.base.values import ShortText
from dpwizard.base.values import field as declared
from dpwizard.decision import release_flaws
from dpwizard.decision.names import unknown_attribute
from dpwizard.decision.neighbouring import ReplaceOne
from dpwizard.decision.reasons import Check, Reason, missing
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import BaseRequirement, Limit, Setting, beyond_reach, no_limit
from dpwizard.decision.settings import PrivacyInputs

# what a requirement reads of the loss: the largest one; the same, or epsilon with a delta; the trade-off curve; rho
LossReading = Literal["largest_loss", "epsilon", "curve", "rho"]
SAME = 1e-14  # relative rounding error between the budget of this release and that of all releases
INDEPENDENCE = frozenset(  # the assumptions that other people's records reveal nothing about one person
    ("independent_of_others", "attacker_knows_others", "independent_attributes", "knows_all_but_one")
)


class PrivacyRequirement(BaseRequirement):
    """The base of requirements that limit the loss of a neighbouring pair."""

    instead: ClassVar[str] = ""  # what applies to noise without a largest loss, if one that reads that loss does not

    @property
    def reads(self) -> LossReading:
        """Return what it reads of the loss; if that is unknown, it does not apply."""
        return "largest_loss"

    def slow(self, setting: Setting | tuple[str, ...]) -> bool:
        """Return whether its limit under SETTING is slow; a curve is, with many kinds of noise."""
        return super().slow(setting) or (
            self.reads == "curve" and isinstance(setting, PrivacyInputs) and setting.loss.slow
        )

    def assumed(self, release: Release) -> tuple[str, ...]:
        assumes_pure = release.counts_spent() and any(earlier.assumed_pure for earlier in release.spent)
        return (*super().assumed(release), *(("earlier_releases_pure",) if assumes_pure else ()))

    def flaws(self, release: Release) -> tuple[Reason, ...]:
        return release_flaws.flaws(release)

    def blocked_limit(self, release: Release) -> Limit | None:
        """Return why it cannot apply to RELEASE, also if what it reads of the loss is unknown; None if it can."""
        blocked, setting = super().blocked_limit(release), self.setting(release)
        if blocked is not None or not isinstance(setting, PrivacyInputs) or release.noise.absent:
            return blocked
        unknown = unknown_reading(setting, self.reads)
        return None if unknown is None else beyond_reach(unknown)

    def checks(self, release: Release, setting: Setting | tuple[str, ...]) -> tuple[Check, ...]:
        independence: tuple[Check, ...] = ("independence",) if INDEPENDENCE & set(self.assumed(release)) else ()
        return (*super().checks(release, setting), *independence) if isinstance(setting, PrivacyInputs) else ()

    @abstractmethod
    def setting(self, release: Release) -> PrivacyInputs | tuple[str, ...]:
        """Return the inputs that it takes from RELEASE, or the paths of unanswered fields."""

    def limit(self, setting: PrivacyInputs) -> Limit:
        return self.refused(setting) or self.solve(setting)

    def refused(self, setting: PrivacyInputs) -> Limit | None:
        """Return why its theorem does not apply under SETTING; None if it does."""
        return refused(setting, self.reads, self.instead)

    @abstractmethod
    def solve(self, setting: PrivacyInputs) -> Limit:
        """Return the limit under SETTING, whose reading of the loss is known."""


def unknown_reading(setting: PrivacyInputs, reads: LossReading) -> Reason | None:
    """Return why what a requirement READS of the loss is unknown; None if it is known."""
    if reads == "curve":
        return setting.loss.trade_off_missing
    return setting.loss.rho_missing if reads == "rho" else setting.loss.missing


def refused(setting: PrivacyInputs, reads: LossReading, instead: str = "") -> Limit | None:
    """Return why a requirement that READS the loss so does not apply under SETTING; None if it does.

    INSTEAD is the key of the sentence on noise without a largest loss; empty if such noise is allowed.
    """
    if setting.noise.absent_somewhere:
        return no_limit("not_applicable", "exact_has_no_epsilon")
    if instead and reads == "largest_loss" and setting.noise.needs_delta:
        return no_limit("not_applicable", instead)
    unknown = unknown_reading(setting, reads)
    if unknown is None and reads == "largest_loss" and not setting.loss.spent_pure:
        unknown = missing("spent", "spent_without_bound")
    return None if unknown is None else beyond_reach(unknown)


def within_limit(bound: float, max_advantage: float | None, limit: Limit, epsilon: float) -> float:
    """Return BOUND, the advantage at EPSILON; up to LIMIT at most MAX_ADVANTAGE, which the limit proves."""
    if max_advantage is None or limit.epsilon is None or epsilon > limit.epsilon * (1.0 + SAME):
        return bound
    return min(bound, max_advantage)


class OfAnAttribute(PrivacyRequirement):
    """The base of requirements on one person's value, of one attribute or of any."""

    attribute: ShortText | None = declared(
        "Attribute",
        "Its name, as in “Attributes read” of the tables. If named, only tables that may read it count, "
        "and exact figures that do not read it are allowed.",
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
