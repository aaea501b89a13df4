"""What a release tells of a pair of worlds: computed table by table from each table's own figures, then composed.

Every promise reads its loss here, and so does everything that is shown of one: no requirement, figure or sentence
scales an epsilon of its own.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from dpwizard.base.numerics import decimal, down, largest, product_up, up
from dpwizard.decision import shares
from dpwizard.decision.composed import Choice, Noises, choices, composed
from dpwizard.decision.earlier import NO_CURVE, EarlierCurve, EarlierRelease
from dpwizard.decision.histories import Histories, Ways
from dpwizard.decision.neighbouring import NeighbouringPair
from dpwizard.decision.reasons import Reason, missing
from dpwizard.decision.tables import Table
from dpwizard.decision.trade_off import NOTHING, TradeOff
from dpwizard.privacy.mechanisms import ANALYTIC, DISCRETE_GAUSSIAN, Calibration, RhoBudget

LEAST, LARGEST = 1e-9, 1e4  # the epsilons looked at where Gaussian tables are weighed together
NARROW = 1e-13  # relative: how closely that search closes in
MOST_READ = 3  # choices of years whose curves are read one by one; of more only the sums are known
KEPT = 64  # curves that are kept
MOST_DIFFERENT = 12  # tables whose curve is read in an instant


@dataclass(frozen=True, kw_only=True)
class ComposedLoss:
    """The privacy loss of a release and its repetitions for a neighbouring pair, as a function of the release's budget.

    The budget is epsilon; of a release that is counted in rho it is rho, and so are all losses, of which `mu` is the
    same in standard deviations. Below, epsilon stands for either.

    Bounded noise loses at most `repetitions * pure_factor * epsilon`. Gaussian tables together lose as much as one
    Gaussian figure that moves by `mu_factor * mu` in each repetition, mu being the move, in standard deviations, that
    `calibration` says is (gaussian_share * epsilon, delta)-differentially private. Earlier releases add `spent`
    whatever differs, and `spent_per_move` in proportion to what moves. All figures are rounded up: the loss is never
    below the true one. Where a figure is missing nothing is known, and `missing` says which.
    """

    pure_factor: float = math.inf
    mu_factor: float = 0.0
    gaussian_share: float = 0.0
    delta: float | None = None
    calibration: Calibration = ANALYTIC
    repetitions: int = 1
    spent: float = 0.0
    spent_per_move: float = 0.0
    spent_pure: bool = True  # whether the earlier losses are bounds that hold for every outcome
    spent_delta: float = 0.0  # with which the others are said, in all
    earlier_curve: EarlierCurve = NO_CURVE  # what is known of the curve of earlier releases, and of `fixed`
    every: tuple[Choice, ...] | None = None  # what its tables do in each history; None: too many, only sums are known
    fixed: float = 0.0  # what tables with an epsilon of their own tell, in one repetition
    left: float = 0.0  # how much of the budget no table uses, times as far as the table that tells most moves
    left_bounded: bool = False  # whether that would be noise with a largest loss
    missing: Reason | None = None
    rho_missing: Reason | None = None  # the same of what is counted as rho
    trade_off_missing: Reason | None = None  # the same of the curve of everything, which any earlier release may have
    coarse: bool = False  # whether the curve is read on a coarse lattice, for a first answer

    @property
    def plain(self) -> bool:
        """Return whether it is the release's epsilon as it is."""
        pure = self.pure_factor == 1.0 and not self.gaussian_share
        whole = self.pure_factor == 0.0 and self.gaussian_share == self.mu_factor == 1.0
        return (pure or whole) and self.repetitions == 1 and not self.spent and not self.spent_per_move

    @property
    def earlier_epsilon(self) -> float:
        """Return what earlier releases lost in all, rounded up."""
        both = self.spent and self.spent_per_move
        return up(self.spent + self.spent_per_move, 1) if both else self.spent or self.spent_per_move

    def this_epsilon(self, epsilon: float) -> float:
        """Return what this release tells at EPSILON over all its repetitions, without the earlier ones; rounded up.

        Under Gaussian noise it is said with delta for each repetition.
        """
        if self.plain or epsilon == 0.0:
            return epsilon
        whole = self.pure_factor == 1.0  # then it is as exact as the decimals are
        pure = product_up(epsilon, self.repetitions) if whole else up(self.pure_factor * epsilon * self.repetitions, 4)
        return pure + self._gaussian(epsilon) if self.gaussian_share else pure

    def total_epsilon(self, epsilon: float) -> float:
        """Return what this release at EPSILON and the earlier ones tell together; rounded up."""
        alone = self.this_epsilon(epsilon)
        return up(alone + self.earlier_epsilon, 2) if self.earlier_epsilon else alone

    def max_budget(self, allowed: float) -> float:
        """Return the largest epsilon at which all that is told stays within ALLOWED; rounded down, inf for any."""
        if not self.earlier_epsilon:
            return self.max_budget_alone(allowed)
        return self.max_budget_alone(down(allowed - self.earlier_epsilon, 1)) if allowed > self.earlier_epsilon else 0.0

    def max_budget_alone(self, left: float) -> float:
        """Return the largest epsilon at which this release alone tells no more than LEFT; rounded down, inf for any."""
        if self.plain or math.isinf(left):
            return left
        if isinstance(self.calibration, RhoBudget):
            return down(left / (self.mu_factor * self.mu_factor) / self.repetitions, 24) if self.mu_factor else math.inf
        if not self.gaussian_share or self.mu_factor in (0.0, 1.0):
            together = self.pure_factor + (self.gaussian_share if self.mu_factor else 0.0)
            return down(left / together / self.repetitions, 4) if together else math.inf
        return _up_to(lambda epsilon: self.this_epsilon(epsilon) <= left)

    def mu(self, epsilon: float) -> float:
        """Return how far apart, in standard deviations, Gaussian tables and repetitions put the two worlds: rounded up.

        Independent Gaussian figures tell as much as one, of which the squares are added (Dong, Roth & Su 2022,
        Corollary 2).
        """
        one = self.one_mu(epsilon)
        return (
            one
            if self.mu_factor == self.repetitions == 1
            else up(self.mu_factor * math.sqrt(self.repetitions) * one, 8)
        )

    def one_mu(self, epsilon: float) -> float:
        """Return the mu that EPSILON buys the Gaussian tables of one repetition, all of them together."""
        if not self.gaussian_share or epsilon == 0.0:
            return 0.0
        return self.calibration.mu(epsilon * self.gaussian_share, self.delta or 0.0)

    @property
    def gaussian_alone(self) -> bool:
        """Return whether nothing but Gaussian noise tells of the pair, that of earlier releases included."""
        return self.normal and not self.pure_factor and not self.earlier_curve.stated and not self.fixed

    @property
    def bounded(self) -> bool:
        """Return whether all that tells of the pair has a largest loss, earlier releases included."""
        return (
            not self.gaussian_share
            and not self.earlier_curve.rho
            and not any(delta for _, delta, _ in self.earlier_curve.stated)
        )

    def smallest_sigma(self, epsilon: float) -> float:
        """Return the smallest sigma of discrete Gaussian noise at EPSILON, in whole steps; inf without such noise."""
        mu = self.one_mu(epsilon)
        tables = (table for choice in self.every or () for component in choice for each in component for table in each)
        found = (table.sigma(mu) for table in tables if table.mechanism == DISCRETE_GAUSSIAN.name)
        return min(found, default=math.inf)

    @property
    def slow(self) -> bool:
        """Return whether one reading takes longer than somebody who drags a slider should wait."""
        choices = self.every or ()
        most = max((sum(len(component[0]) for component in choice if component) for choice in choices), default=0)
        return not self.gaussian_alone and most > MOST_DIFFERENT

    def trade_off(self, epsilon: float) -> TradeOff:
        """Return all that is told at EPSILON and before, as one curve: each history of the person, every noise."""
        if self.gaussian_alone:
            mu, rho = self.mu(epsilon), self.earlier_curve.rho
            return TradeOff(mu=up(math.sqrt(mu * mu + 2.0 * rho), 4) if rho else mu, zcdp=self.rho(epsilon))
        return _trade_off(self, epsilon)

    def rho(self, epsilon: float) -> float:
        """Return what all comes to at EPSILON and before, as rho of zCDP: rounded up.

        A largest loss of epsilon is epsilon^2/2, once for each repetition, and Gaussian noise mu^2/2 (Bun & Steinke
        2016, Propositions 1.4 and 1.6).
        """
        mu, one = self.mu(epsilon), self.pure_factor * epsilon if self.pure_factor else 0.0
        alone = up(0.5 * (mu * mu + self.repetitions * one * one), 8)
        return up(alone + self.earlier_curve.zcdp, 1) if self.earlier_curve.zcdp else alone

    def largest_for_rho(self, left: float) -> float:
        """Return the largest epsilon at which this release alone comes to LEFT, as rho; rounded down, inf for any."""
        if not self.pure_factor:
            return self.largest_for_mu(down(math.sqrt(2.0 * left), 2))
        if not self.gaussian_share:
            return down(math.sqrt(2.0 * left / self.repetitions) / self.pure_factor, 8)
        return _up_to(lambda epsilon: self.rho(epsilon) - (self.earlier_curve.zcdp or 0.0) <= left)

    @property
    def normal(self) -> bool:
        """Return whether all noise without a largest loss is Gaussian, that of earlier releases too."""
        return self.earlier_curve.normal and (self.calibration.normal or not self.gaussian_share)

    def largest_for_mu(self, allowed: float) -> float:
        """Return the largest epsilon whose `mu` is at most ALLOWED, rounded down; inf where any is."""
        if not self.gaussian_share:
            return math.inf
        if isinstance(self.calibration, RhoBudget):
            return down(self.max_budget_alone(allowed * allowed / 2.0), 24)
        if not self.mu_factor:
            return math.inf
        one = down(allowed / (self.mu_factor * math.sqrt(self.repetitions)), 4)
        found = self.calibration.largest_epsilon(one, self.delta or 0.0) or 0.0
        return found if self.gaussian_share == 1.0 else down(found / self.gaussian_share, 1)

    def approximate_budget(self, mu: float) -> float:
        """Return about the budget that tells as much as Gaussian noise of MU: the squares of many small losses add up.

        So they do of noise with a largest loss, where a search for what MU keeps may start.
        """
        if not self.bounded:
            return self.largest_for_mu(mu)
        squares = (
            sum(max(sum(table.square for table in history) for history in component) for component in choice)
            for choice in self.every or ()
        )
        together = self.repetitions * max(squares, default=0.0)
        return mu / math.sqrt(together) if together else 0.0

    def _gaussian(self, epsilon: float) -> float:
        """Return what the Gaussian tables tell at EPSILON with delta, of all repetitions by basic composition."""
        if self.mu_factor in (0.0, 1.0):
            one = epsilon * self.gaussian_share * self.mu_factor
        else:
            one = self.calibration.farther(self.one_mu(epsilon), self.delta or 0.0, self.mu_factor)
        return one if self.repetitions == 1 else up(one * self.repetitions, 2)


def _up_to(holds: Callable[[float], bool]) -> float:
    return largest(holds, LEAST, LARGEST, NARROW) if holds(LEAST) else 0.0


def loss_of(
    pair: NeighbouringPair,
    tables: Histories,
    *,
    earlier: tuple[EarlierRelease, ...] = (),
    exact: tuple[tuple[str, tuple[str, ...] | None], ...] = (),
    repetitions: int = 1,
    delta: float | None = None,
    calibration: Calibration = ANALYTIC,
    unused: bool = True,
) -> ComposedLoss:
    """Return what TABLES, REPETITIONS of them and EARLIER releases tell of PAIR.

    Arguments: tables, as the histories that one person can have in them; earlier, those that count; exact, name and
    reads of what is published as it is; repetitions >= 1; delta, of all Gaussian tables of one repetition together, and
    how their budget is calibrated. Tables that spend an epsilon of their own whatever the budget is count as
    what is spent before.

    The result is never below the true loss; what no table uses of the budget counts as the table that tells most, if
    UNUSED, and else as nothing.
    """
    exact_tables = tuple(name for name, reads in exact if not pair.agrees(reads))
    told_apart = missing("exact_figures", "exact_tables", tables=tuple(name for name in exact_tables if name))
    moved = (
        pair.sensitivity_ratio(one.table) for one in sorted(tables.moves, key=lambda one: -(one.table.share or 0.0))
    )
    why = told_apart if exact_tables else next((far for far in moved if isinstance(far, Reason)), None)
    if why is not None:
        return ComposedLoss(missing=why, rho_missing=why, trade_off_missing=why)
    before, unknown_curve, rho_unknown = pair.curve_before(earlier)
    fixed = up(
        math.fsum(
            far * float(own) for far, own in _amounts_by_distance(pair, tables, lambda table: table.fixed).items()
        ),
        4,
    )
    if fixed:  # as rho, a largest loss is half its square, once for each repetition
        before = before._replace(zcdp=up((before.zcdp or 0.0) + 0.5 * repetitions * fixed * fixed, 4))
    if isinstance(calibration, RhoBudget):  # rho adds up, and of a largest loss it is half the square
        per_move, spent, spent_missing = 0.0, before.zcdp or 0.0, rho_unknown
    else:
        per_move, spent, spent_missing = pair.spent_before(earlier)
    # what no table uses yet counts as the table that tells most
    counted = unused and not pair.leaves_out
    left = max(1 - shares.share_total(tables, shares.dividing), shares.NONE) if counted else shares.NONE
    # where nothing has noise shares count as epsilons: no promise is made, and figures say why
    bounded = shares.portion if all(move.table.noise.absent for move in tables.moves) else shares.pure
    some = any(bounded(move.table) is not None for move in tables.moves)
    amounts = _amounts_by_distance(pair, tables, bounded, left if some else shares.NONE)
    share = shares.gaussian_share(tables)
    squares = _amounts_by_distance(pair, tables, shares.normal, shares.NONE if some else left, squared=True)
    spread = 1.0 if squares == {1.0: share} else _root(_total(squares), share)
    alone = [move for move in tables.moves if shares.normal(move.table) is not None]
    if sum(move.alike for move in alone) == 1:
        spread = pair.far(alone[0].table, alone[0].ways)
    return ComposedLoss(
        pure_factor=_total(amounts),
        # of one table the distance itself: rounded up by a square and a root, it would be no whole number of steps
        mu_factor=spread,
        gaussian_share=float(share),
        delta=delta,
        calibration=calibration,
        repetitions=repetitions,
        spent=math.inf if spent_missing else spent,
        spent_per_move=per_move,
        spent_pure=all(one.pure for one in earlier),
        spent_delta=float(sum((decimal(one.delta) for one in earlier if one.delta), start=Fraction(0))),
        earlier_curve=before,
        every=choices(pair, tables, float(share) or 1.0),
        fixed=fixed,
        left=_left(pair, tables, left, share, bounded=some),
        left_bounded=some,
        missing=spent_missing,
        rho_missing=rho_unknown,
        trade_off_missing=unknown_curve,
    )


def _left(pair: NeighbouringPair, tables: Histories, left: Fraction, share: Fraction, *, bounded: bool) -> float:
    """Return how far what no table uses would tell: of the budget, or of mu squared; 0 where all is used."""
    if not left:
        return 0.0
    far = max((pair.far(table, ways) for table, ways, _ in tables.moves if not table.noise.absent), default=0.0)
    part = float(left) if bounded else float(left / share) if share else 0.0
    return up(part * (far if bounded else far * far), 4)


@lru_cache(maxsize=KEPT)
def _trade_off(loss: ComposedLoss, epsilon: float) -> TradeOff:
    """Return what LOSS tells at EPSILON, of noise that is not Gaussian alone."""
    from dpwizard.privacy.accounting.noises import Stated

    mu, rho, normal = loss.one_mu(epsilon), loss.earlier_curve.rho, loss.normal
    always = [(Stated(stated, delta), times) for stated, delta, times in loss.earlier_curve.stated]
    if loss.every is None or len(loss.every) > MOST_READ:  # a largest loss of what has one, and the rho of the rest
        once = up(loss.pure_factor * epsilon, 4) if loss.pure_factor else 0.0
        always += [(Stated(known), loss.repetitions) for known in (once, loss.fixed) if known]
        histories: tuple[Noises, ...] = (tuple(always),)
        rho += 0.5 * loss.mu(epsilon) ** 2
    else:
        unused = 0.0 if loss.left_bounded else 0.5 * loss.left * mu * mu * loss.repetitions
        if loss.left and loss.left_bounded:
            always.append((Stated(up(loss.left * epsilon, 4)), loss.repetitions))
        histories, more = composed(loss.every, tuple(always), epsilon, mu, loss.repetitions)
        rho, normal = rho + more + unused, normal and not more
    rho = up(rho, 4) if rho else 0.0
    return TradeOff(
        mu=up(math.sqrt(2.0 * rho), 4) if normal else 0.0,
        rho=0.0 if normal else rho,
        histories=histories if any(histories) else NOTHING,
        zcdp=loss.rho(epsilon),
        coarse=loss.coarse,
    )


def _amounts_by_distance(
    pair: NeighbouringPair,
    tables: Histories,
    amount: shares.Amount,
    left: Fraction = shares.NONE,
    *,
    squared: bool = False,
) -> dict[float, Fraction]:
    """Return the amounts of the history of TABLES that tells most of PAIR, by how far each table moves.

    Arguments: amount, of each table that counts; left, what no table uses; squared, by the square of the distance, as
    Gaussian tables compose. Distances are times the declared sensitivity, and known.
    """

    def by(table: Table, ways: Ways) -> float:
        distance = pair.far(table, ways)
        return up(distance * distance, 1) if squared and distance not in (0.0, 1.0) else distance

    def weigh(table: Table, ways: Ways) -> float:
        weight = amount(table)
        return by(table, ways) * float(weight) if weight else 0.0

    found: dict[float, list[Fraction]] = defaultdict(list)
    for table, ways, alike in tables.most(weigh):
        weight = amount(table)
        if weight is not None and weigh(table, ways):
            found[by(table, ways)].append(alike * weight)
    if left:
        every = (by(table, ways) for table, ways, _ in tables.moves if amount(table) is not None)
        found[max(every, default=0.0)].append(left)
    return {distance: shares.as_meant(shares.added(amounts)) for distance, amounts in found.items()}


def _total(amounts: dict[float, Fraction]) -> float:
    """Return the sum of distance times share, rounded up; exact where all distances and shares are 1."""
    if set(amounts) <= {1.0} and sum(amounts.values()) == 1:
        return 1.0
    return up(math.fsum(far * float(share) for far, share in amounts.items()), 4)


def _root(squares: float, share: Fraction) -> float:
    return up(math.sqrt(squares / float(share)), 4) if share and squares else 0.0
