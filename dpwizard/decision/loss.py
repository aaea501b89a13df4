"""What a release tells of a pair of worlds: computed table by table from each table's own figures, then composed.

Every promise reads its loss here, and so does everything that is shown of one: no requirement, figure or sentence
scales an epsilon of its own.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from dpwizard.decision.earlier import NONE, Before, Spent
from dpwizard.decision.tables import Table
from dpwizard.decision.together import Groups, added, as_meant, share_total, together
from dpwizard.decision.trade_off import TradeOff
from dpwizard.decision.worlds import Missing, Pair, missing
from dpwizard.numerics import decimal, down, largest, product_up, up
from dpwizard.privacy.mechanisms import (
    ANALYTIC,
    IN_RHO,
    WHOLE_IN_RHO,
    ZCDP,
    Curve,
    GaussianNoise,
    OfOneNumber,
    WholeInRho,
)

LEAST, LARGEST = 1e-9, 1e4  # the epsilons looked at where Gaussian tables are weighed together
NARROW = 1e-13  # relative: how closely that search closes in
NOTHING_LEFT = Fraction(0)
MOST_STEPS = 1e6  # of a figure with discrete noise that are counted; one that moves farther goes by zCDP


@dataclass(frozen=True, kw_only=True)
class Loss:
    """What a release and its repetitions tell of a pair of worlds, as a function of the release's budget.

    The budget is epsilon; of a release that is counted in rho it is rho, and so is all that is told, of which `mu` says
    the same in standard deviations. Below, epsilon stands for either.

    Noise with a largest loss tells `times * rate * epsilon` at most, and Gaussian tables together as much as one
    Gaussian figure that moves by `spread * mu`, mu being the move, in standard deviations, that `curve` says is
    (gaussian_share * epsilon, delta)-differentially private: once for each of `times` repetitions. Earlier releases add
    `spent` whatever differs, and `spent_per_move` in proportion to what moves. All figures are rounded up: the loss is
    never below the true one. Where a figure is missing nothing is known, and `missing` says which.
    """

    rate: float = math.inf
    spread: float = 0.0
    gaussian_share: float = 0.0
    delta: float | None = None
    curve: Curve = ANALYTIC
    times: int = 1
    spent: float = 0.0
    spent_per_move: float = 0.0
    spent_pure: bool = True  # whether the earlier losses are bounds that hold for every outcome
    spent_delta: float = 0.0  # with which the others are said, in all
    before: Before = NONE  # the same of the earlier releases, as promises for every noise count it
    missing: Missing | None = None
    told_missing: Missing | None = None  # the same of those promises, which read more kinds of earlier release

    @property
    def plain(self) -> bool:
        """Return whether it is the release's epsilon as it is."""
        pure = self.rate == 1.0 and not self.gaussian_share
        whole = self.rate == 0.0 and self.gaussian_share == self.spread == 1.0
        return (pure or whole) and self.times == 1 and not self.spent and not self.spent_per_move

    @property
    def earlier(self) -> float:
        """Return what earlier releases lost in all, rounded up."""
        return up(self.spent + self.spent_per_move, 1) if self.spent and self.spent_per_move else self._either()

    def _either(self) -> float:
        return self.spent or self.spent_per_move

    def alone(self, epsilon: float) -> float:
        """Return what this release tells at EPSILON over all its repetitions, without the earlier ones; rounded up.

        Under Gaussian noise it is said with delta for each repetition.
        """
        if self.plain or epsilon == 0.0:
            return epsilon
        whole = self.rate == 1.0  # then it is as exact as the decimals are
        pure = product_up(epsilon, self.times) if whole else up(self.rate * epsilon * self.times, 4)
        return pure + self._gaussian(epsilon) if self.gaussian_share else pure

    def at(self, epsilon: float) -> float:
        """Return what this release at EPSILON and the earlier ones tell together; rounded up."""
        alone = self.alone(epsilon)
        return up(alone + self.earlier, 2) if self.earlier else alone

    def largest(self, allowed: float) -> float:
        """Return the largest epsilon at which all that is told stays within ALLOWED; rounded down, inf for any."""
        if not self.earlier:
            return self.within(allowed)
        return self.within(down(allowed - self.earlier, 1)) if allowed > self.earlier else 0.0

    def within(self, left: float) -> float:
        """Return the largest epsilon at which this release alone tells no more than LEFT; rounded down, inf for any."""
        if self.plain or math.isinf(left):
            return left
        if self.rate == 0.0 and not self.gaussian_share:
            return math.inf
        if self.curve.rule == IN_RHO.rule:
            return down(left / (self.spread * self.spread) / self.times, 24) if self.spread else math.inf
        if not self.gaussian_share or self.spread in (0.0, 1.0):
            together = self.rate + (self.gaussian_share if self.spread else 0.0)
            return down(left / together / self.times, 4) if together else math.inf
        return _up_to(lambda epsilon: self.alone(epsilon) <= left)

    def mu(self, epsilon: float) -> float:
        """Return how far apart, in standard deviations, Gaussian tables and repetitions put the two worlds: rounded up.

        Independent Gaussian figures tell as much as one, of which the squares are added (Dong, Roth & Su 2022,
        Corollary 2).
        """
        if not self.gaussian_share or epsilon == 0.0:
            return 0.0
        one = self.curve.mu(epsilon * self.gaussian_share, self.delta or 0.0)
        return one if self.spread == self.times == 1 else up(self.spread * math.sqrt(self.times) * one, 8)

    def pure(self, epsilon: float) -> float:
        """Return what tables with a largest loss tell at EPSILON, all repetitions and the earlier ones: rounded up."""
        return up(self.rate * epsilon * self.times + self.before.pure, 6) if self.rate else self.before.pure

    def told(self, epsilon: float) -> TradeOff:
        """Return all that is told at EPSILON and before, noise with a largest loss beside noise without."""
        mu, rho, pure = self.mu(epsilon), self.before.rho, self.pure(epsilon)
        if self.normal:
            mu = up(math.sqrt(mu * mu + 2.0 * rho), 4) if rho else mu
            return TradeOff(pure=pure, mu=mu, zcdp=self.rho(epsilon))
        moved = self.spread * self.curve.moves if self.times == 1 and not rho and mu else 0.0
        # of one figure alone that moves by whole steps, as far as they can be counted
        steps = int(moved) if moved.is_integer() and moved < MOST_STEPS else 0
        sigma = down(steps / mu, 16) if steps else 0.0
        return TradeOff(pure=pure, rho=up(0.5 * mu * mu + rho, 4), zcdp=self.rho(epsilon), steps=steps, sigma=sigma)

    def rho(self, epsilon: float) -> float:
        """Return what all comes to at EPSILON and before, as rho of zCDP: rounded up.

        A largest loss of epsilon is epsilon^2/2, once for each repetition, and Gaussian noise mu^2/2 (Bun & Steinke
        2016, Propositions 1.4 and 1.6).
        """
        mu, one = self.mu(epsilon), self.rate * epsilon if self.rate else 0.0
        alone = up(0.5 * (mu * mu + self.times * one * one), 8)
        return up(alone + self.before.zcdp, 1) if self.before else alone

    def largest_for_rho(self, left: float) -> float:
        """Return the largest epsilon at which this release alone comes to LEFT, as rho; rounded down, inf for any."""
        if not self.rate:
            return self.largest_for_mu(down(math.sqrt(2.0 * left), 2))
        if not self.gaussian_share:
            return down(math.sqrt(2.0 * left / self.times) / self.rate, 8)
        return _up_to(lambda epsilon: self.rho(epsilon) - self.before.zcdp <= left)

    @property
    def normal(self) -> bool:
        """Return whether all noise without a largest loss is Gaussian, that of earlier releases too."""
        return self.before.normal and (self.curve.normal or not self.gaussian_share)

    def largest_for_mu(self, allowed: float) -> float:
        """Return the largest epsilon whose `mu` is at most ALLOWED, rounded down; inf where any is."""
        if self.curve.rule == IN_RHO.rule:
            return down(self.within(allowed * allowed / 2.0), 24)
        scale = up(self.spread * math.sqrt(self.times) / allowed, 4) if allowed else math.inf
        noise = GaussianNoise(self.curve)
        found = noise.largest_epsilon(scale, 1.0, self.delta or 0.0) if self.spread else math.inf
        return found if self.gaussian_share == 1.0 else down(found / self.gaussian_share, 1)

    def _gaussian(self, epsilon: float) -> float:
        """Return what the Gaussian tables tell at EPSILON with delta, of all repetitions by basic composition."""
        own = epsilon * self.gaussian_share
        if self.spread in (0.0, 1.0):
            one = own * self.spread
        else:
            delta = self.delta or 0.0
            one = self.curve.told(self.curve.mu(own, delta), delta, self.spread)
        return one if self.times == 1 else up(one * self.times, 2)


def _up_to(holds: Callable[[float], bool]) -> float:
    return largest(holds, LEAST, LARGEST, NARROW) if holds(LEAST) else 0.0


def loss_of(
    pair: Pair,
    tables: Groups,
    *,
    earlier: tuple[Spent, ...] = (),
    exact: tuple[tuple[str, tuple[str, ...] | None], ...] = (),
    repetitions: int = 1,
    delta: float | None = None,
    curve: Curve = ANALYTIC,
    at_most: int | None = None,
    unused: bool = True,
) -> Loss:
    """Return what TABLES, REPETITIONS of them and EARLIER releases tell of PAIR.

    Arguments: tables, with noise, in groups; earlier, those that count; exact, name and reads of what is published as
    it is; repetitions >= 1; delta, of all Gaussian tables of one repetition together, and the curve by which their
    epsilon is told; at_most, in how many years one person can be. Tables that spend an epsilon of their own whatever
    the budget is count as what is spent before.

    The result is never below the true loss; what no table uses of the budget counts as the table that tells most, if
    UNUSED, and else as nothing.
    """
    apart = tuple(name for name, reads in exact if not pair.agrees(reads))
    if apart:
        return _unknown(missing("exact_figures", "exact_tables", tables=tuple(name for name in apart if name)))
    moved: dict[int, float] = {}  # by the identity of a table: how far it moves
    for group in tables:
        for table in group:
            far = pair.moved(table)
            if isinstance(far, Missing):
                return _unknown(far)
            moved[id(table)] = far
    before, untold = _before(pair, earlier)
    before, tables = _fixed(pair, tables, moved, before, repetitions, at_most)
    if curve.rule == IN_RHO.rule:  # rho adds up, and of a largest loss it is half the square
        per_move, spent, unsaid = 0.0, before.zcdp, untold
    else:
        per_move, spent, unsaid = _spent(pair, earlier)
    # what no table uses yet counts as the table that tells most
    left = max(1 - share_total(tables, at_most), NOTHING_LEFT) if unused else NOTHING_LEFT
    pure, normal = _of_kind(tables, normal=False), _of_kind(tables, normal=True)
    told = _by_distance(pair, pure, moved, left if pure else NOTHING_LEFT, at_most=at_most)
    share = gaussian_share(tables, at_most)
    squares = _by_distance(pair, normal, moved, NOTHING_LEFT if pure else left, at_most=at_most, squared=True)
    alone = [table for group in normal for table in group]
    spread = 1.0 if squares == {1.0: share} else _root(_total(squares), share)
    if len(alone) == 1:
        spread = moved[id(alone[0])]
    return Loss(
        rate=_total(told),
        # of one table the distance itself: rounded up by a square and a root, it would be no whole number of steps
        spread=spread,
        gaussian_share=float(share),
        delta=delta,
        curve=curve,
        times=repetitions,
        spent=math.inf if unsaid else spent,
        spent_per_move=per_move,
        spent_pure=all(one.pure for one in earlier),
        spent_delta=float(sum((decimal(one.delta) for one in earlier if one.delta), start=Fraction(0))),
        before=before,
        missing=unsaid,
        told_missing=untold,
    )


def _unknown(why: Missing) -> Loss:
    return Loss(missing=why, told_missing=why)


def _spent(pair: Pair, earlier: tuple[Spent, ...]) -> tuple[float, float, Missing | None]:
    """Return what EARLIER lost of PAIR as epsilon: in proportion to what moves, and however little; why it is not known
    where a figure is missing."""
    spent, per_move, unsaid = [], [], None
    for one in earlier:
        lost = pair.spent(one)
        if isinstance(lost, Missing):
            unsaid = unsaid or lost
            continue
        per_move.append(lost[0])
        spent.append(lost[1])
    return up(math.fsum(per_move), 1), up(math.fsum(spent), 1), unsaid


def _before(pair: Pair, earlier: tuple[Spent, ...]) -> tuple[Before, Missing | None]:
    """Return what EARLIER told of PAIR together, and why that is not known where a figure is missing."""
    if not earlier:
        return NONE, None
    found = []
    for one in earlier:
        told = pair.told(one)
        if isinstance(told, Missing):
            return NONE, told
        found.append(told)
    pure, rho, zcdp = (up(math.fsum(each), 1) for each in zip(*((b.pure, b.rho, b.zcdp) for b in found), strict=True))
    return Before(pure, rho, zcdp, all(one.normal for one in found)), None


def _fixed(
    pair: Pair, tables: Groups, moved: dict[int, float], before: Before, repetitions: int, at_most: int | None
) -> tuple[Before, Groups]:
    """Return BEFORE with what tables with an epsilon of their own tell of PAIR, and the tables that divide the budget.

    All repetitions of those tables together; as rho, a largest loss is half its square, once for each.
    """
    own: list[tuple[Table, ...]] = []
    for group in tables:
        spending = {id(table): replace(table, portion=table.fixed) for table in group if table.fixed is not None}
        moved |= {id(table): moved[known] for known, table in spending.items()}
        own += [tuple(spending.values())] if spending else []
    if not own:
        return before, tables
    told = _by_distance(pair, tuple(own), moved, at_most=at_most)
    once = up(math.fsum(far * float(share) for far, share in told.items()), 4)
    pure, zcdp = up(before.pure + repetitions * once, 2), up(before.zcdp + 0.5 * repetitions * once * once, 4)
    rest = (tuple(table for table in group if table.fixed is None) for group in tables)
    return Before(pure, before.rho, zcdp, before.normal), tuple(group for group in rest if group)


def _of_kind(tables: Groups, *, normal: bool) -> Groups:
    kinds = {table.noise.takes_delta for group in tables for table in group}
    if len(kinds) == 1:
        return tables if normal in kinds else ()
    kept = (tuple(table for table in group if table.noise.takes_delta is normal) for group in tables)
    return tuple(group for group in kept if group)


def gaussian_share(tables: Groups, at_most: int | None = None) -> Fraction:
    """Return how much of the budget the Gaussian TABLES have together: all of it where no other noise takes some."""
    normal = _of_kind(tables, normal=True)
    taking = sum(1 for group in tables for table in group if table.fixed is None)
    return Fraction(1) if sum(map(len, normal)) == taking else share_total(normal, at_most)


def curve_of(tables: Groups, dimension: int, in_rho: bool, at_most: int | None = None) -> Curve:
    """Return by which curve the epsilon of TABLES with Gaussian noise is told, which hold DIMENSION numbers in all.

    IN_RHO: they have no epsilon, their budget is rho.

    With continuous noise alone by its own. With discrete noise somewhere by that of zCDP, but for one number alone,
    which moves by whole steps: that has a curve of its own.
    """
    found = [table for group in tables for table in group if table.noise.takes_delta]
    if all(table.noise.normal is not None for table in found):
        return IN_RHO if in_rho else ANALYTIC
    pure = sum(table.dimension for group in tables for table in group if not table.noise.takes_delta)
    one, own = found[0], None
    if len(found) == 1 and one.dimension == one.made == 1 and dimension <= pure + 1 and one.noise_step() == 1.0:
        own = OfOneNumber.moving(one.sensitivity) if one.portion == gaussian_share(tables, at_most) else None
    if in_rho:
        return WholeInRho(steps=own.steps) if own is not None else WHOLE_IN_RHO
    return own or ZCDP


def _by_distance(
    pair: Pair,
    tables: Groups,
    moved: dict[int, float],
    left: Fraction = NOTHING_LEFT,
    *,
    at_most: int | None = None,
    squared: bool = False,
) -> dict[float, Fraction]:
    """Return the shares that tell of PAIR by how far each table moves: those that come together for one person.

    LEFT is the share that no table uses. SQUARED: by the square of the distance, as Gaussian tables compose.
    """

    def far(distance: float) -> float:
        return up(distance * distance, 1) if squared and distance not in (0.0, 1.0) else distance

    told = together(
        tables,
        lambda table: far(moved[id(table)]),
        lambda table: 0.0 if table.moves is False else far(pair.crossed(table)),
        lambda table: far(pair.absent(table)),
        at_most,
    )
    found: dict[float, list[Fraction]] = defaultdict(list)
    for distance, share in told:
        found[distance].append(share)
    if left:
        found[max((far(moved[id(table)]) for group in tables for table in group), default=0.0)].append(left)
    return {distance: as_meant(added(shares)) for distance, shares in found.items()}


def _total(told: dict[float, Fraction]) -> float:
    """Return the sum of distance times share, rounded up; exact where all distances and shares are 1."""
    if set(told) <= {1.0} and sum(told.values()) == 1:
        return 1.0
    return up(math.fsum(far * float(share) for far, share in told.items()), 4)


def _root(squares: float, share: Fraction) -> float:
    return up(math.sqrt(squares / float(share)), 4) if share and squares else 0.0
