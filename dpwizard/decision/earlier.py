"""Earlier releases on the same people: their stated cost, and their loss for neighbouring datasets."""

from __future__ import annotations

import math
import re
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, WithJsonSchema

from dpwizard.base.messages import message
from dpwizard.base.numerics import quotient_up, up
from dpwizard.base.values import (
    Count,
    Effects,
    NonNegative,
    OpenProbability,
    Positive,
    ShortText,
    Value,
    field,
    refused,
)
from dpwizard.decision.tables import DOUBLE, NeighbouringRelation
from dpwizard.privacy.mechanisms import MechanismName, gaussian_epsilon, gaussian_mu, loose_epsilon, mechanisms_named


def _check_digest(text: str) -> str:
    if re.fullmatch("[0-9a-f]{64}", text) is None:
        raise refused("range", message("must be 64 hexadecimal digits in lower case, the SHA-256 of a file"))
    return text


Digest = Annotated[
    ShortText, AfterValidator(_check_digest), WithJsonSchema({"type": "string", "pattern": "^[0-9a-f]{64}$"})
]


LARGEST_STATED = 700.0  # the largest epsilon for which e^epsilon is a finite float

PriorsFrom = Literal["this_release", "before_all"]


class EarlierCurve(NamedTuple):
    """The trade-off curve of earlier releases: (epsilon, delta, times) of each, and the rho of others; all rounded up.

    normal: whether all noise counted as rho is Gaussian; zcdp: the rho of all of them, None if unknown.
    """

    stated: tuple[tuple[float, float, int], ...] = ()
    rho: float = 0.0
    normal: bool = True
    zcdp: float | None = 0.0

    def __bool__(self) -> bool:
        return bool(self.stated or self.rho or self.zcdp)


NO_CURVE = EarlierCurve()


class EarlierRelease(Value):
    """An earlier release on the same people, and the epsilon it cost."""

    record: ShortText | None = field("Record", "The number or title of the earlier decision record.")
    table: ShortText | None = field("Table", "The entry of that record, if its tables count one by one.")
    sha256: Digest | None = field("SHA-256 of that record", "Of its JSON file, in 64 hexadecimal digits.")
    mechanism: MechanismName | None = field(
        "Mechanism",
        "Its noise. If empty: noise with a bounded loss is assumed.",
        unset="noise with a bounded loss is assumed",
    )
    epsilon: NonNegative | None = field("Epsilon spent", "As that record states it.", unit="epsilon")
    rho: NonNegative | None = field("Rho spent", "If that record states rho instead of epsilon.", unit="rho")
    delta: OpenProbability | None = field("Delta", "The delta that its epsilon is stated with.", editor="tiny_chance")
    neighbours: NeighbouringRelation | None = field("Neighbouring datasets differ by", "As in that record")
    sensitivity: Positive | None = field(
        "Sensitivity",
        "The sensitivity of that release, for its own neighbouring datasets.",
        unit="in the statistic’s unit",
    )
    sensitivity_other: Positive | None = field(
        "Sensitivity for the other neighbouring datasets",
        "If known, the loss counts less.",
        unit="in the statistic’s unit",
    )
    effects: Effects | None = field(
        "Effects",
        "How much all its figures together change when an attribute changes by 1, for each attribute by name.",
        editor="effects",
    )
    times: Count | None = field(
        "Times",
        "How often it was released, with the same loss each time. What you enter covers all times together.",
        unit="times",
    )
    date: ShortText | None = field("Date", "When it was published.")

    @property
    def exact(self) -> bool:
        """Return whether it was published without noise, whatever its epsilon says."""
        return mechanisms_named((self.mechanism,)).absent

    @property
    def nothing(self) -> bool:
        """Return whether it states a cost of 0."""
        return not self.exact and (self.epsilon == 0.0 or (self.epsilon is None and self.rho == 0.0))

    @property
    def pure(self) -> bool:
        """Return whether epsilon is its largest loss; assumed if it states no mechanism."""
        bounded = self.mechanism is None or mechanisms_named((self.mechanism,)).pure
        return self.nothing or (bounded and self.rho is None and self.delta is None)

    @property
    def assumed_pure(self) -> bool:
        """Return whether it counts as bounded noise without stating so."""
        return self.pure and self.mechanism is None and not self.nothing

    def missing(self) -> tuple[str, ...]:
        """Return the names of the required fields that have no answer."""
        cost = () if self.epsilon is not None or self.rho is not None or self.exact else ("epsilon",)
        return (*cost, *(("neighbours",) if self.neighbours is None else ()))

    def loss(self, relation: NeighbouringRelation) -> float | None:
        """Return its largest loss under RELATION, rounded up; None if a required figure is not stated."""
        if self.nothing:
            return 0.0
        if self.neighbours is None or self.exact:
            return None
        euclidean = mechanisms_named((self.mechanism,)).uses_l2
        ratio = 1.0 if relation == self.neighbours else self._ratio_under(relation)
        if self.epsilon is None:
            if ratio != 1.0 and not euclidean:
                ratio = DOUBLE if relation == "replace" else None  # scales added Gaussian noise alone
            return self._epsilon_of_rho(ratio)
        if ratio == 1.0:
            return self.epsilon
        if self.pure:
            return None if ratio is None else up(self.epsilon * ratio, 1)
        if not mechanisms_named((self.mechanism,)).normal:  # its epsilon for one unit does not scale to two
            return self._epsilon_of_rho(ratio) if euclidean else None
        if ratio is None or self.delta is None:
            return None
        return gaussian_epsilon(up(ratio * gaussian_mu(self.epsilon, self.delta), 8), self.delta)

    def _epsilon_of_rho(self, ratio: float | None) -> float | None:
        if ratio is None or self.rho is None or self.delta is None:
            return None
        return loose_epsilon(up(self.rho * ratio * ratio, 2), self.delta)

    def curve(self, relation: NeighbouringRelation) -> EarlierCurve | None:
        """Return its trade-off curve for neighbouring datasets under RELATION; None if a figure is not stated.

        For any noise with epsilon and delta: a replaced unit is one removed and one added, a group of two, with delta
        (1 + e^eps).
        """
        if self.nothing:
            return NO_CURVE
        if self.pure:
            lost, times = self.loss(relation), self.times or 1
            if lost is None:
                return None
            zcdp = up(0.5 * lost * lost / times, 3)
            return EarlierCurve(stated=((up(lost / times, 1), 0.0, times),), zcdp=zcdp)
        rho = self._rho_under(relation)
        if rho is not None:
            normal = self.rho is None or mechanisms_named((self.mechanism,)).normal is not None
            return EarlierCurve(rho=rho, normal=normal, zcdp=rho)
        if self.epsilon is None or self.delta is None or self.neighbours is None or self.exact:
            return None
        if relation == self.neighbours:
            return EarlierCurve(stated=((self.epsilon, self.delta, 1),), zcdp=None)
        if relation == "add_remove" or self.epsilon > LARGEST_STATED:
            return None
        delta = min(1.0, up(self.delta * (1.0 + math.exp(self.epsilon)), 4))
        return EarlierCurve(stated=((2.0 * self.epsilon, delta, 1),), zcdp=None)

    def _rho_under(self, relation: NeighbouringRelation) -> float | None:
        """Return the rho of its unbounded noise under RELATION, rounded up; None if a figure is not stated.

        An epsilon with a delta implies a rho for Gaussian noise alone.
        """
        noise = mechanisms_named((self.mechanism,))
        ratio = 1.0 if relation == self.neighbours else self._ratio_under(relation)
        if ratio != 1.0 and not noise.uses_l2:
            ratio = DOUBLE if relation == "replace" else None  # scales added Gaussian noise alone
        if self.neighbours is None or self.exact or ratio is None:
            return None
        if self.rho is not None:
            return self.rho if ratio == 1.0 else up(self.rho * ratio * ratio, 2)
        if self.epsilon is None or self.delta is None or noise.normal is None:
            return None
        mu = up(gaussian_mu(self.epsilon, self.delta) * (1.0 + 1e-12), 8) * ratio  # never below the mu of its noise
        return up(0.5 * mu * mu, 4)

    def _ratio_under(self, relation: NeighbouringRelation) -> float | None:
        """Return the largest change of its figures by a unit under RELATION, in declared sensitivities."""
        if self.sensitivity is not None and self.sensitivity_other is not None:
            return quotient_up(self.sensitivity_other, self.sensitivity)
        return DOUBLE if relation == "replace" else None  # nothing bounds D_add_remove by D_replace

    def per_effect(self, steps: tuple[tuple[str | None, float], ...]) -> float | None:
        """Return its loss when each named attribute changes by its step, rounded up; None if that is not stated."""
        effects = dict(self.effects or ())
        if self.epsilon is None or not self.pure or self.sensitivity is None:
            return None
        if not all(name in effects for name, _ in steps):
            return None
        moved = math.fsum(effects[name] * by for name, by in steps if name is not None)
        return up(self.epsilon * moved / self.sensitivity, 4)
