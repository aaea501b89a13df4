"""Requirements on the probability of events with and without a record: any adversary, noise and post-processing."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from dpwizard.base.numerics import decimal, down
from dpwizard.base.values import OpenProbability, field
from dpwizard.decision.neighbouring import AddOrRemoveOne
from dpwizard.decision.privacy_requirement import LossReading, PrivacyRequirement
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import Limit, epsilon_limit, no_limit
from dpwizard.decision.settings import PrivacyInputs
from dpwizard.decision.trade_off import TradeOff
from dpwizard.privacy import gaussian_risk

ULPS = 32  # units in the last place by which a closed form is lowered, above its rounding error
SOURCE = "Dwork & Roth 2014, Definition 2.4; Dong, Roth & Su 2022, Corollary 1 (docs/methods/gaussian_risk.md)"

AT_ITS_SIGMA = (
    "Dwork & Roth 2014, Definition 2.4; Dong, Roth & Su 2022, Corollary 1 (docs/methods/accounting.md); "
    "checked at this sigma"
)


class ComparedWorlds(PrivacyRequirement):
    """The base of requirements on the probability of any event with the record, given that without it."""

    source: ClassVar[str] = SOURCE
    binds: ClassVar[str]  # the key of the sentence on its limit

    @property
    def reads(self) -> LossReading:
        return "curve"

    @abstractmethod
    def reading(self, curve: TradeOff) -> float:
        """Return the quantity of CURVE that the requirement limits; rounded up."""

    @abstractmethod
    def bound(self) -> float:
        """Return the largest allowed `reading`."""

    @abstractmethod
    def largest_loss(self) -> float:
        """Return the largest loss that meets the requirement under any bounded noise; rounded down."""

    @abstractmethod
    def largest_mu(self) -> float:
        """Return the largest distance, in standard deviations of Gaussian noise, that meets it; rounded down."""

    def setting(self, release: Release) -> PrivacyInputs | tuple[str, ...]:
        return release.privacy_setting(AddOrRemoveOne(), in_epsilon=False)

    def solve(self, setting: PrivacyInputs) -> Limit:
        """Return the largest budget whose `reading` is at most `bound`, rounded down."""
        budget = setting.largest_budget_reading(self.reading, self.bound(), self.largest_mu, self.largest_loss())
        source = SOURCE if setting.monotone else AT_ITS_SIGMA
        error = setting.error(budget)
        return epsilon_limit(budget, self.binds, error=error, source=source, attained=True, unique=True)

    def met_at(self, setting: PrivacyInputs, epsilon: float) -> bool | None:
        return None if setting.monotone else self.reading(setting.loss.trade_off(epsilon)) <= self.bound()


def loss_between(without: float, most: float) -> float:
    """Return the largest loss at which an event of chance WITHOUT has at most the chance MOST; rounded down.

    ln(with/without), and the same of the opposite event: either is enough, so the larger one counts.
    """
    before, after = decimal(without), decimal(most)
    gain = after - before
    return down(max(math.log1p(gain / before), math.log1p(gain / (1 - after))), ULPS)


class ChanceOfAnEvent(ComparedWorlds):
    """The base of requirements that state an event's chance without the record, and its largest chance with it."""

    def chances(self) -> tuple[float, float]:
        """Return its two fields: the chance of the event without the record, and the largest one with it."""
        without, most = self.asked().values()
        return without, most

    def reading(self, curve: TradeOff) -> float:
        return curve.max_probability(self.chances()[0])

    def bound(self) -> float:
        return self.chances()[1]

    def largest_loss(self) -> float:
        return loss_between(*self.chances())

    def largest_mu(self) -> float:
        without, most = self.chances()
        return gaussian_risk.two_worlds_mu(chance_without=without, chance_with=most) if without < most else 0.0


class EventProbability(ChanceOfAnEvent):
    """An event with a given chance without the record has at most another chance with it."""

    binds: ClassVar[str] = "two_worlds_bind"
    basic_fields: ClassVar[tuple[str, ...]] = ("chance_without",)

    kind: Literal["two_worlds"] = "two_worlds"
    chance_without: OpenProbability | None = field(
        "Chance without the record",
        "The chance of anything that might happen if the record had been left out.",
        editor="chance",
    )
    chance_with: OpenProbability | None = field(
        "Highest chance with the record",
        "The chance of the same thing with the record included, whatever is released.",
        decided=True,
        editor="chance",
    )

    def limit(self, setting: PrivacyInputs) -> Limit:
        without, most = self.chances()
        if most < without:
            return no_limit("infeasible", "record_cannot_lower", without=without, most=most)
        return super().limit(setting)

    def at(self, setting: PrivacyInputs, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the chance without the record, and the largest with it, at EPSILON."""
        without, _ = self.chances()
        return {"chance_without": without, "chance_with": self.reading(setting.loss.trade_off(epsilon))}


class MembershipAdvantage(ComparedWorlds):
    """The advantage over a random guess in deciding whether a person is in the data is limited."""

    binds: ClassVar[str] = "attack_binds"

    kind: Literal["attack_advantage"] = "attack_advantage"
    advantage: OpenProbability | None = field(
        "Largest advantage",
        "How many more of 100 people in the data someone may accuse than of 100 people who are not. At "
        "0, the release reveals nothing.",
        decided=True,
        editor="chance",
    )

    def reading(self, curve: TradeOff) -> float:
        return curve.advantage()

    def bound(self) -> float:
        return float(self.asked()["advantage"])

    def largest_loss(self) -> float:
        return down(2.0 * math.atanh(self.bound()), ULPS)  # ln((1 + a)/(1 - a))

    def largest_mu(self) -> float:
        return gaussian_risk.mu_for_advantage(advantage=self.bound())

    def at(self, setting: PrivacyInputs, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the largest advantage at EPSILON, and the success probability of the best test at even odds."""
        curve = setting.loss.trade_off(epsilon)
        return {"advantage": self.reading(curve), "right": curve.even_odds_accuracy()}


class AttackSuccess(ChanceOfAnEvent):
    """An attack such as reconstruction has at most a given success rate, given its rate without the person's record.

    The rate without the record is that on a release made without it, not that without any release.
    """

    binds: ClassVar[str] = "attack_success_binds"
    basic_fields: ClassVar[tuple[str, ...]] = ("baseline",)

    kind: Literal["attack_success"] = "attack_success"
    baseline: OpenProbability | None = field(
        "Success without the record",
        "How often the attack succeeds with figures made without the record. Other people’s records "
        "alone can make it succeed.",
        editor="chance",
    )
    at_most: OpenProbability | None = field(
        "Highest success with the record",
        "How often it may succeed with the released figures.",
        decided=True,
        editor="chance",
    )

    def limit(self, setting: PrivacyInputs) -> Limit:
        without, most = self.chances()
        if most <= without:
            return no_limit("infeasible", "attack_succeeds_anyway", without=without, most=most)
        return super().limit(setting)

    def at(self, setting: PrivacyInputs, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the success rate of the attack without the record, and its largest rate with it, at EPSILON."""
        without, _ = self.chances()
        return {"baseline": without, "success": self.reading(setting.loss.trade_off(epsilon))}
