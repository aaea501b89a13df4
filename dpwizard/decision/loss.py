"""The privacy loss of a release for a neighbouring pair, composed from the losses of its tables."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from dpwizard.base.numerics import decimal, down, largest, product_up, up
from dpwizard.decision import shares
from dpwizard.decision.earlier import NO_CURVE, EarlierCurve, EarlierRelease
from dpwizard.decision.histories import Histories, Ways
from dpwizard.decision.neighbouring import NeighbouringPair
from dpwizard.decision.reasons import Reason, missing
from dpwizard.decision.tables import Table
from dpwizard.decision.trade_off import NOTHING, Choice, Noises, TradeOff, choices, composed
from dpwizard.privacy.mechanisms import ANALYTIC, DISCRETE_GAUSSIAN, Calibration, RhoBudget

LEAST, LARGEST = 1e-9, 1e4  # the search range of an epsilon
NARROW = 1e-13  # relative precision of that search
MOST_READ = 3  # the most choices of years whose curves are composed; with more, only sums of losses are used
KEPT = 64  # the number of cached curves
MOST_DIFFERENT = 12  # the most different tables whose curve is quick to compute


@dataclass(frozen=True, kw_only=True)
class ComposedLoss:
    """The privacy loss of a release and its repetitions for a neighbouring pair, as a function of the release's budget.

    The budget is epsilon, or rho in a release counted in rho, and the losses have the same unit; `mu` is the loss in
    standard deviations. Below, epsilon stands for either.

    Bounded noise loses at most `repetitions * pure_factor * epsilon`. All Gaussian tables together lose as much as one
    Gaussian figure that changes by `mu_factor * mu` standard deviations in each repetition; `calibration` gives the mu
    for which the noise is (gaussian_share * epsilon, delta)-differentially private. Earlier releases add `spent`, and
    `spent_per_move` times the change. All figures are rounded up: the loss is never below the true one. If the loss is
    unknown, `missing` gives the reason.
    """

    pure_factor: float = math.inf
    mu_factor: float = 0.0
    gaussian_share: float = 0.0
    delta: float | None = None
    calibration: Calibration = ANALYTIC
    repetitions: int = 1
    spent: float = 0.0
    spent_per_move: float = 0.0
    spent_pure: bool = True  # whether the losses of earlier releases are bounded
    spent_delta: float = 0.0  # the sum of the deltas of earlier releases
    earlier_curve: EarlierCurve = NO_CURVE  # the curve of earlier releases, and of `fixed`
    every: tuple[Choice, ...] | None = None  # how its tables change in each history; None: too many to list
    fixed: float = 0.0  # the loss of tables with a fixed epsilon, in one repetition
    left: float = 0.0  # the unused share of the budget, times the largest distance of a table
    left_bounded: bool = False  # whether the unused share counts as bounded noise
    missing: Reason | None = None
    rho_missing: Reason | None = None  # why its rho is not known
    trade_off_missing: Reason | None = None  # why its trade-off curve is not known
    coarse: bool = False  # whether to compute the curve on a coarse lattice, for a quick first limit

    @property
    def plain(self) -> bool:
        pure = self.pure_factor == 1.0 and not self.gaussian_share
        whole = self.pure_factor == 0.0 and self.gaussian_share == self.mu_factor == 1.0
        return (pure or whole) and self.repetitions == 1 and not self.spent and not self.spent_per_move

    @property
    def earlier_epsilon(self) -> float:
        """Return the total loss of earlier releases, rounded up."""
        both = self.spent and self.spent_per_move
        return up(self.spent + self.spent_per_move, 1) if both else self.spent or self.spent_per_move

    def this_epsilon(self, epsilon: float) -> float:
        """Return the loss of this release alone at EPSILON over all repetitions, Gaussian noise at delta; rounded
        up."""
        if self.plain or epsilon == 0.0:
            return epsilon
        pure = up(self.pure_factor * epsilon * self.repetitions, 4)
        if self.pure_factor == 1.0:
            pure = product_up(epsilon, self.repetitions)  # exact for decimals
        if not self.gaussian_share:
            return pure
        gaussian = epsilon * self.gaussian_share * self.mu_factor
        if self.mu_factor not in (0.0, 1.0):
            gaussian = self.calibration.farther(self.one_mu(epsilon), self.delta or 0.0, self.mu_factor)
        return pure + (gaussian if self.repetitions == 1 else up(gaussian * self.repetitions, 2))  # basic composition

    def total_epsilon(self, epsilon: float) -> float:
        """Return the loss of this release at EPSILON and the earlier ones together; rounded up."""
        this_release = self.this_epsilon(epsilon)
        return up(this_release + self.earlier_epsilon, 2) if self.earlier_epsilon else this_release

    def max_budget(self, allowed: float) -> float:
        """Return the largest epsilon at which the total loss is at most ALLOWED; rounded down, inf for any."""
        if not self.earlier_epsilon:
            return self.max_budget_alone(allowed)
        return self.max_budget_alone(down(allowed - self.earlier_epsilon, 1)) if allowed > self.earlier_epsilon else 0.0

    def max_budget_alone(self, left: float) -> float:
        """Return the largest epsilon at which this release alone loses at most LEFT; rounded down, inf if any is."""
        if self.plain or math.isinf(left):
            return left
        if isinstance(self.calibration, RhoBudget):
            return down(left / (self.mu_factor * self.mu_factor) / self.repetitions, 24) if self.mu_factor else math.inf
        if not self.gaussian_share or self.mu_factor in (0.0, 1.0):
            together = self.pure_factor + (self.gaussian_share if self.mu_factor else 0.0)
            return down(left / together / self.repetitions, 4) if together else math.inf
        return _largest_epsilon(lambda epsilon: self.this_epsilon(epsilon) <= left)

    def mu(self, epsilon: float) -> float:
        """Return the distance of the neighbouring pair under all Gaussian tables, in standard deviations; rounded up.

        Squares of independent Gaussian figures add up (Dong, Roth & Su 2022, Corollary 2).
        """
        one_mu = self.one_mu(epsilon)
        if self.mu_factor == self.repetitions == 1:
            return one_mu
        return up(self.mu_factor * math.sqrt(self.repetitions) * one_mu, 8)

    def one_mu(self, epsilon: float) -> float:
        """Return the mu of all Gaussian tables of one repetition together at EPSILON."""
        if not self.gaussian_share or epsilon == 0.0:
            return 0.0
        return self.calibration.mu(epsilon * self.gaussian_share, self.delta or 0.0)

    @property
    def gaussian_alone(self) -> bool:
        """Return whether Gaussian noise alone distinguishes the pair, earlier releases included."""
        return self.normal and not self.pure_factor and not self.earlier_curve.stated and not self.fixed

    @property
    def bounded(self) -> bool:
        """Return whether all noise is bounded, earlier releases included."""
        earlier = self.earlier_curve
        return not self.gaussian_share and not earlier.rho and not any(delta for _, delta, _ in earlier.stated)

    def smallest_sigma(self, epsilon: float) -> float:
        """Return the smallest sigma of discrete Gaussian noise at EPSILON, in steps; inf without such noise."""
        mu = self.one_mu(epsilon)
        tables = (table for choice in self.every or () for component in choice for each in component for table in each)
        sigmas = (table.sigma(mu) for table in tables if table.mechanism == DISCRETE_GAUSSIAN.name)
        return min(sigmas, default=math.inf)

    @property
    def slow(self) -> bool:
        """Return whether its trade-off curve is too slow for an interactive slider."""
        choices = self.every or ()
        most = max((sum(len(component[0]) for component in choice if component) for choice in choices), default=0)
        return not self.gaussian_alone and most > MOST_DIFFERENT

    def trade_off(self, epsilon: float) -> TradeOff:
        """Return the trade-off curve of all releases at EPSILON, earlier ones included."""
        if self.gaussian_alone:
            mu, rho = self.mu(epsilon), self.earlier_curve.rho
            return TradeOff(mu=up(math.sqrt(mu * mu + 2.0 * rho), 4) if rho else mu, zcdp=self.rho(epsilon))
        return _trade_off(self, epsilon)

    def rho(self, epsilon: float) -> float:
        """Return the zCDP rho of all releases at EPSILON, earlier ones included; rounded up.

        A largest loss of epsilon counts as epsilon^2/2 in each repetition, and Gaussian noise as mu^2/2 (Bun & Steinke
        2016, Propositions 1.4 and 1.6).
        """
        mu, loss = self.mu(epsilon), self.pure_factor * epsilon if self.pure_factor else 0.0
        this_release = up(0.5 * (mu * mu + self.repetitions * loss * loss), 8)
        return up(this_release + self.earlier_curve.zcdp, 1) if self.earlier_curve.zcdp else this_release

    def largest_for_rho(self, left: float) -> float:
        """Return the largest epsilon at which this release alone has a rho of at most LEFT; rounded down, or inf."""
        if not self.pure_factor:
            return self.largest_for_mu(down(math.sqrt(2.0 * left), 2))
        if not self.gaussian_share:
            return down(math.sqrt(2.0 * left / self.repetitions) / self.pure_factor, 8)
        return _largest_epsilon(lambda epsilon: self.rho(epsilon) - (self.earlier_curve.zcdp or 0.0) <= left)

    @property
    def normal(self) -> bool:
        """Return whether all unbounded noise is Gaussian, earlier releases included."""
        return self.earlier_curve.normal and (self.calibration.normal or not self.gaussian_share)

    def largest_for_mu(self, allowed: float) -> float:
        """Return the largest epsilon whose `mu` is at most ALLOWED; rounded down, inf if any epsilon is."""
        if not self.gaussian_share:
            return math.inf
        if isinstance(self.calibration, RhoBudget):
            return down(self.max_budget_alone(allowed * allowed / 2.0), 24)
        if not self.mu_factor:
            return math.inf
        one_mu = down(allowed / (self.mu_factor * math.sqrt(self.repetitions)), 4)
        epsilon = self.calibration.largest_epsilon(one_mu, self.delta or 0.0) or 0.0
        return epsilon if self.gaussian_share == 1.0 else down(epsilon / self.gaussian_share, 1)

    def approximate_budget(self, mu: float) -> float:
        """Return roughly the budget whose loss equals that of Gaussian noise with MU, as a start for a search.

        The squares of many small losses add up, also those of bounded noise.
        """
        if not self.bounded:
            return self.largest_for_mu(mu)
        squares = (
            sum(max(sum(table.square for table in history) for history in component) for component in choice)
            for choice in self.every or ()
        )
        total = self.repetitions * max(squares, default=0.0)
        return mu / math.sqrt(total) if total else 0.0


def _largest_epsilon(is_allowed: Callable[[float], bool]) -> float:
    return largest(is_allowed, LEAST, LARGEST, NARROW) if is_allowed(LEAST) else 0.0


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
    """Return the privacy loss of TABLES, REPETITIONS of them and EARLIER releases for PAIR.

    Arguments: tables, as the histories that one person can have in them; earlier, the releases that count; exact, name
    and attributes of each figure without noise; repetitions >= 1; delta, of all Gaussian tables of one repetition
    together; calibration, of their budget; unused, whether the unused share of the budget counts as a further table
    with the largest sensitivity ratio, else as no loss. Tables with a fixed epsilon count like earlier releases. The
    result is never below the true loss.
    """
    why = _why_unknown(pair, tables, exact)
    if why is not None:
        return ComposedLoss(missing=why, rho_missing=why, trade_off_missing=why)
    fixed_by_distance = _amounts_by_distance(pair, tables, lambda table: table.fixed)
    fixed = up(math.fsum(distance * float(amount) for distance, amount in fixed_by_distance.items()), 4)
    before, unknown_curve, rho_unknown = pair.curve_before(earlier)
    if fixed:  # a largest loss counts as a rho of half its square in each repetition
        before = before._replace(zcdp=up((before.zcdp or 0.0) + 0.5 * repetitions * fixed * fixed, 4))
    if isinstance(calibration, RhoBudget):  # rho adds up, and a largest loss counts as half its square
        per_move, spent, spent_missing = 0.0, before.zcdp or 0.0, rho_unknown
    else:
        per_move, spent, spent_missing = pair.spent_before(earlier)
    left = shares.NONE
    if unused and not pair.leaves_out:
        left = max(1 - shares.share_total(tables, shares.dividing), shares.NONE)
    # if no table has noise, shares count as epsilons: no requirement is met in any case
    bounded = shares.portion if all(move.table.noise.absent for move in tables.moves) else shares.pure
    left_bounded = any(bounded(move.table) is not None for move in tables.moves)
    share = shares.gaussian_share(tables)
    return ComposedLoss(
        pure_factor=_weighted_sum(_amounts_by_distance(pair, tables, bounded, left if left_bounded else shares.NONE)),
        mu_factor=_mu_factor(pair, tables, share, shares.NONE if left_bounded else left),
        gaussian_share=float(share),
        delta=delta,
        calibration=calibration,
        repetitions=repetitions,
        spent=math.inf if spent_missing else spent,
        spent_per_move=per_move,
        spent_pure=all(release.pure for release in earlier),
        spent_delta=float(sum((decimal(release.delta) for release in earlier if release.delta), start=Fraction(0))),
        earlier_curve=before,
        every=choices(pair, tables, float(share) or 1.0),
        fixed=fixed,
        left=_unused_loss(pair, tables, left, None if left_bounded else share),
        left_bounded=left_bounded,
        missing=spent_missing,
        rho_missing=rho_unknown,
        trade_off_missing=unknown_curve,
    )


def _mu_factor(pair: NeighbouringPair, tables: Histories, share: Fraction, left: Fraction) -> float:
    """Return the change of all Gaussian tables together, which have SHARE of the budget, as a multiple of their mu."""
    gaussian = [move for move in tables.moves if shares.normal(move.table) is not None]
    if sum(move.alike for move in gaussian) == 1:  # no root of a square, whose rounding would end between whole steps
        return pair.far(gaussian[0].table, gaussian[0].ways)
    squares = _amounts_by_distance(pair, tables, shares.normal, left, squared=True)
    if squares == {1.0: share}:
        return 1.0
    square = _weighted_sum(squares)
    return up(math.sqrt(square / float(share)), 4) if share and square else 0.0


def _why_unknown(
    pair: NeighbouringPair, tables: Histories, exact: tuple[tuple[str, tuple[str, ...] | None], ...]
) -> Reason | None:
    exact_tables = tuple(name for name, reads in exact if not pair.agrees(reads))
    if exact_tables:
        return missing("exact_figures", "exact_tables", tables=tuple(name for name in exact_tables if name))
    by_share = sorted((move.table for move in tables.moves), key=lambda table: -(table.share or 0.0))
    ratios = (pair.sensitivity_ratio(table) for table in by_share)
    return next((ratio for ratio in ratios if isinstance(ratio, Reason)), None)


def _unused_loss(pair: NeighbouringPair, tables: Histories, left: Fraction, share: Fraction | None) -> float:
    """Return the loss of the unused share LEFT per unit of budget, at the largest distance; 0 if all is used.

    share: of all Gaussian tables: the unused share counts as Gaussian, by the square of the distance; None: as bounded.
    """
    if not left or share == 0:
        return 0.0
    distance = max((pair.far(table, ways) for table, ways, _ in tables.moves if not table.noise.absent), default=0.0)
    return up(float(left) * distance if share is None else float(left / share) * distance * distance, 4)


@lru_cache(maxsize=KEPT)
def _trade_off(loss: ComposedLoss, epsilon: float) -> TradeOff:
    from dpwizard.privacy.accounting.noises import Stated

    mu, rho, normal = loss.one_mu(epsilon), loss.earlier_curve.rho, loss.normal
    always = [(Stated(stated, delta), times) for stated, delta, times in loss.earlier_curve.stated]
    if loss.every is None or len(loss.every) > MOST_READ:  # too many to list: largest loss and rho
        bounded_loss = up(loss.pure_factor * epsilon, 4) if loss.pure_factor else 0.0
        always += [(Stated(loss_bound), loss.repetitions) for loss_bound in (bounded_loss, loss.fixed) if loss_bound]
        histories: tuple[Noises, ...] = (tuple(always),)
        rho += 0.5 * loss.mu(epsilon) ** 2
    else:
        unused = 0.0 if loss.left_bounded else 0.5 * loss.left * mu * mu * loss.repetitions
        if loss.left and loss.left_bounded:
            always.append((Stated(up(loss.left * epsilon, 4)), loss.repetitions))
        histories, rho_of_unlisted = composed(loss.every, tuple(always), epsilon, mu, loss.repetitions)
        rho, normal = rho + rho_of_unlisted + unused, normal and not rho_of_unlisted
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
    """Return the amounts of the tables in the worst history for PAIR, by the distance that each table changes.

    Arguments: amount, of each table that counts; left, the unused share; squared, whether distances are squared, as for
    the composition of Gaussian tables. Distances are known, and multiples of the declared sensitivity.
    """

    def distance_of(table: Table, ways: Ways) -> float:
        distance = pair.far(table, ways)
        return up(distance * distance, 1) if squared and distance not in (0.0, 1.0) else distance

    def weigh(table: Table, ways: Ways) -> float:
        weight = amount(table)
        return distance_of(table, ways) * float(weight) if weight else 0.0

    amounts_at: dict[float, list[Fraction]] = defaultdict(list)
    for table, ways, alike in tables.most(weigh):
        weight = amount(table)
        if weight is not None and weigh(table, ways):
            amounts_at[distance_of(table, ways)].append(alike * weight)
    if left:
        distances = (distance_of(table, ways) for table, ways, _ in tables.moves if amount(table) is not None)
        amounts_at[max(distances, default=0.0)].append(left)
    return {distance: shares.as_meant(shares.added(amounts)) for distance, amounts in amounts_at.items()}


def _weighted_sum(amounts: dict[float, Fraction]) -> float:
    """Return the sum of distance times share, rounded up; exactly 1 where all distances and the total share are 1."""
    if set(amounts) <= {1.0} and sum(amounts.values()) == 1:
        return 1.0
    return up(math.fsum(distance * float(share) for distance, share in amounts.items()), 4)
