"""The trade-off curve of all releases together, and the changed tables from which the accountant composes it.

Gaussian noise alone and a single rho have closed forms; the accountant computes all other curves
(docs/methods/accounting.md). If histories or changes of cells are too many to list, a pair that dominates them is used;
if that is too slow, a largest loss and a rho.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import up
from dpwizard.decision.histories import Histories, TableHistory, Ways
from dpwizard.decision.neighbouring import NeighbouringPair
from dpwizard.decision.tables import Table
from dpwizard.privacy.gaussian_risk import GaussianTradeOff, PureTradeOff, ZcdpTradeOff
from dpwizard.privacy.mechanisms import (
    DISCRETE_GAUSSIAN,
    GAUSSIAN,
    GEOMETRIC,
    LAPLACE,
    MechanismName,
    gaussian_epsilon,
    mechanism_named,
    zcdp_epsilon,
)

if TYPE_CHECKING:  # NumPy takes 0.1 s to load
    from dpwizard.privacy.accounting.noises import Noise
    from dpwizard.privacy.accounting.readings import Readings

Noises = tuple[tuple["Noise", int], ...]  # each noise with the number of its uses
NOTHING: tuple[Noises, ...] = ((),)

MOST_SQUARE = 20.0  # the largest squared L2 distance for which the changes of cells are listed
MOST_ROWS = 12.0  # the same for L1 distances, not squared
MOST_HISTORIES = 4  # the most histories that are composed one by one
MOST_OPTIONS = 48  # the most alternatives of one component
MOST_SETS = 24  # the most sets of tables in one component
MOST_CHOICES = 24  # the most choices of years
MOST_DOMINATED = 6  # the most tables with several changes of cells in one history
LEAST_SIGMA = 0.02  # in steps: a smaller sigma counts as no noise
TYPED = 0.01  # in steps: a distance at most this far below a whole number, or its root, was rounded by the user
ROUNDED = 1e-14  # relative: losses are raised by this, above all rounding errors
KEPT = 24  # the number of cached curves: several requirements and figures use the same budget
COARSE = 4e-3  # the share of the loss variance that a lattice may add for a quick first limit


@dataclass(frozen=True, kw_only=True)
class MovedTable:
    """A table that differs between the two neighbouring datasets.

    amount: its share per release, of epsilon under bounded noise, else of mu squared; fixed: its epsilon per release,
    if that does not depend on the budget; times: how often it is released; distance: its change, in declared
    sensitivities; sensitivity: in noise steps; moves: the largest changes of its cells, for integer-valued noise; empty
    if only the distance is known.
    """

    mechanism: MechanismName
    amount: float
    fixed: float | None
    times: int
    distance: float
    sensitivity: float
    moves: tuple[tuple[int, ...], ...]

    def options(self, epsilon: float, mu: float, repetitions: int) -> tuple[Noises, ...] | float:
        """Return the noises for each change of its cells at EPSILON, MU and REPETITIONS; a rho if none are listed."""
        from dpwizard.privacy.accounting.noises import DiscreteGaussian, Gaussian, Geometric, Laplace, Stated

        times = self.times * repetitions
        loss = (self.fixed if self.fixed is not None else epsilon * self.amount) * (1.0 + ROUNDED)
        table_mu, sigma = mu * math.sqrt(self.amount) * (1.0 + ROUNDED), self.sigma(mu)
        match self.mechanism:
            case LAPLACE.name:
                return (((Laplace(loss * self.distance), times),),)
            case GEOMETRIC.name if self.moves:
                return self._noises_of_moves(partial(Geometric, loss / self.sensitivity), times)
            case GAUSSIAN.name:
                return (((Gaussian(table_mu * self.distance), times),),)
            case DISCRETE_GAUSSIAN.name if self.moves and math.isinf(sigma):
                return ((),)
            case DISCRETE_GAUSSIAN.name if self.moves and sigma < LEAST_SIGMA:
                return (((Stated(0.0, 1.0), 1),),)
            case DISCRETE_GAUSSIAN.name if self.moves:
                return self._noises_of_moves(partial(DiscreteGaussian, sigma), times)
        if mechanism_named(self.mechanism).needs_delta:
            return 0.5 * (table_mu * self.distance) ** 2 * times * (1.0 + ROUNDED)
        return (((Stated(loss * self.distance), times),),)

    def order(self) -> str:
        amounts = f"{self.mechanism}, {self.amount}, {self.fixed}, {self.times}"
        return f"{amounts}, {self.distance}, {self.sensitivity}, {self.moves}"

    @property
    def square(self) -> float:
        """Return the sum of its squared losses over all its releases, at a budget of 1."""
        return 0.0 if self.fixed is not None else self.times * (self.amount * self.distance) ** 2

    def sigma(self, mu: float) -> float:
        """Return the standard deviation of its Gaussian noise at the release's MU, in steps."""
        mu_of_table = mu * math.sqrt(self.amount) * (1.0 + ROUNDED)
        return self.sensitivity / mu_of_table if mu_of_table else math.inf

    def _noises_of_moves(self, noise: Callable[[int], Noise], times: int) -> tuple[Noises, ...]:
        from dpwizard.privacy.accounting.moves import moved

        return tuple(tuple(moved(noise, move, times)) for move in self.moves)


MovedHistory = tuple[MovedTable, ...]
Choice = tuple[tuple[MovedHistory, ...], ...]  # the alternatives of each component


def moved_table(pair: NeighbouringPair, table: Table, ways: Ways, share: float) -> MovedTable | None:
    """Return TABLE as it changes between the datasets of PAIR in WAYS; None if it does not change.

    share: the budget share of all tables with Gaussian noise. Every distance is known.
    """
    distance = pair.far(table, ways)
    portion = table.fixed if table.fixed is not None else table.portion or 0
    if distance == 0.0 or not portion or table.noise.absent or table.mechanism is None:
        return None
    amount = float(portion) / table.times_released
    steps = (table.sensitivity or 1.0) / table.noise_step()
    return MovedTable(
        mechanism=table.mechanism,
        amount=amount / share if table.noise.needs_delta else amount,
        fixed=amount if table.fixed is not None else None,
        times=table.times_released,
        distance=distance,
        sensitivity=steps,
        moves=_largest_moves(table, distance * steps) if table.noise.integer_valued else (),
    )


def _largest_moves(table: Table, distance: float) -> tuple[tuple[int, ...], ...]:
    steps = math.floor(distance + TYPED)  # in whole steps
    if table.dimension == 1:
        return ((steps,),) if 0 < steps < 1e9 else ()
    in_one_cell = table.under("add_remove") if table.statistic == "histogram" else None
    most = steps if in_one_cell is None else min(steps, max(1, math.floor(in_one_cell + TYPED)))
    return _list_moves(table.noise.uses_l2, distance, most, table.dimension)


@lru_cache(maxsize=256)  # thousands of tables have the same few arguments
def _list_moves(euclidean: bool, distance: float, most: int, cells: int) -> tuple[tuple[int, ...], ...]:
    from dpwizard.privacy.accounting.moves import by_distance, by_rows

    try:
        if euclidean and distance * distance <= MOST_SQUARE:
            return tuple(by_distance((distance + TYPED) ** 2, most, cells))
        if not euclidean and distance <= MOST_ROWS:
            return tuple(by_rows(math.floor(distance + TYPED), most, cells))
    except InvalidInput:
        return ()  # there are too many
    return ()


def choices(pair: NeighbouringPair, tables: Histories, share: float) -> tuple[Choice, ...] | None:
    """Return how TABLES change between the datasets of PAIR, for each choice of years; None if there are too many."""

    def moved(history: TableHistory) -> Iterator[MovedTable]:
        for table, ways, alike in history:
            moved_table_or_none = moved_table(pair, table, ways, share)
            if moved_table_or_none is not None:
                yield from (moved_table_or_none for _ in range(alike))

    if any(len(component.distinct) > MOST_SETS for component in tables.components):
        return None
    result: list[Choice] = []
    for kept, left in itertools.islice(tables.years_kept(), MOST_CHOICES + 1):
        histories = [component.alternatives for component in tables.always]
        histories += [component.alternatives for year in kept for component in tables.years[year]]
        histories += [component.left for year in left for component in tables.years[year]]
        components = [
            tuple(dict.fromkeys(_count_equal_tables(moved(history)) for history in each)) for each in histories
        ]
        if any(len(each) > MOST_OPTIONS for each in components):
            return None
        single = (table for each in components if len(each) == 1 for table in each[0])
        result.append(((_count_equal_tables(single),), *(each for each in components if len(each) > 1)))
    return tuple(dict.fromkeys(result)) if len(result) <= MOST_CHOICES else None


def _count_equal_tables(tables: Iterable[MovedTable]) -> MovedHistory:
    """Return TABLES in a fixed order, equal ones as one table with the sum of their `times`.

    Tables with several largest changes of cells stay separate: equal tables may change differently.
    """
    counts: Counter[MovedTable] = Counter()
    separate: list[MovedTable] = []
    for table in tables:
        if len(table.moves) > 1:
            separate.append(table)
        else:
            counts[table if table.times == 1 else replace(table, times=1)] += table.times
    counted = (table if times == 1 else replace(table, times=times) for table, times in counts.items())
    return tuple(sorted((*counted, *separate), key=MovedTable.order))


def composed(
    every: tuple[Choice, ...], always: Noises, epsilon: float, mu: float, repetitions: int
) -> tuple[tuple[Noises, ...], float]:
    """Return the noises of each history at EPSILON, MU and REPETITIONS, with ALWAYS; and the rho of unlisted ones."""
    histories: dict[Noises, None] = {}
    rho = 0.0
    for choice in every:
        listed, choice_rho = _noises_of_choice(choice, epsilon, mu, repetitions)
        rho = max(rho, choice_rho)
        histories |= {(*always, *noises): None for noises in listed}
    return tuple(histories), rho


def _noises_of_choice(choice: Choice, epsilon: float, mu: float, repetitions: int) -> tuple[list[Noises], float]:
    """Return the noises of each history of CHOICE, or noises that dominate them; and the rho of unlisted changes."""
    nodes: list[tuple[Noises, ...]] = []
    rho = 0.0
    for component in choice:
        options: dict[Noises, None] = {}
        largest_rho, most_listed = 0.0, MOST_DOMINATED if len(component) == 1 else 1
        for history in component:
            listed, history_rho = _noises_of_history(history, epsilon, mu, repetitions, most_listed)
            largest_rho = max(largest_rho, history_rho)
            if len(component) == 1:
                nodes += listed
            else:
                options |= {_join(chosen): None for chosen in itertools.product(*listed)}
        rho += largest_rho
        nodes += [tuple(options)] if options else []
    fixed = _join(node[0] for node in nodes if len(node) == 1)
    several = [node for node in nodes if len(node) > 1]
    if math.prod(len(node) for node in several) > MOST_HISTORIES:
        return [(*fixed, *((_dominating_noise(node), 1) for node in several))], rho
    return [(*fixed, *_join(chosen)) for chosen in itertools.product(*several)], rho


def _noises_of_history(
    history: MovedHistory, epsilon: float, mu: float, repetitions: int, most: int
) -> tuple[list[tuple[Noises, ...]], float]:
    """Return the noises of each table's changes, if at most MOST tables have several; and the rho of the rest."""
    listed: list[tuple[Noises, ...]] = []
    rho, too_many = 0.0, sum(len(table.moves) > 1 for table in history) > most
    for table in history:
        counted = replace(table, moves=()) if too_many and len(table.moves) > 1 else table
        options = counted.options(epsilon, mu, repetitions)
        if isinstance(options, float):
            rho += options
        else:
            listed.append(options)
    return listed, rho


def _join(noises: Iterable[Noises]) -> Noises:
    return tuple(itertools.chain.from_iterable(noises))


def _dominating_noise(options: tuple[Noises, ...]) -> Noise:
    from dpwizard.privacy.accounting.accountant import Accountant
    from dpwizard.privacy.accounting.known_curves import one_of
    from dpwizard.privacy.accounting.readings import Worst

    return one_of(Worst([Accountant(noises) for noises in options]))


@dataclass(frozen=True, kw_only=True)
class TradeOff:
    """The trade-off curve of the neighbouring pair: of Gaussian noise, a rho and other noises, composed.

    For an event's probability on one dataset, the curve gives its smallest and largest probability on the other, after
    any post-processing. histories: the noises of each possible history of the person. zcdp: the total rho. coarse:
    whether the curve is computed on a lattice that may add COARSE of the variance.
    """

    mu: float = 0.0
    rho: float = 0.0
    histories: tuple[Noises, ...] = NOTHING
    zcdp: float = 0.0
    coarse: bool = False

    @property
    def closed(self) -> GaussianTradeOff | ZcdpTradeOff | PureTradeOff | None:
        """Return the curve in closed form; None if the accountant computes it."""
        if self.histories != NOTHING or (self.mu and self.rho):
            return None
        if self.mu:
            return GaussianTradeOff(mu=self.mu)
        return ZcdpTradeOff(rho=self.rho) if self.rho else PureTradeOff(epsilon=0.0)

    @property
    def readings(self) -> Readings:
        return _accountant(self)

    def fpr(self, tpr: float) -> float:
        """Return the smallest probability on one dataset of an event of probability TPR on the other; rounded down."""
        closed = self.closed
        return self.readings.fpr(tpr) if closed is None else closed.fpr(tpr)

    def max_probability(self, without: float) -> float:
        """Return the largest probability on one dataset of an event that has WITHOUT on the other; rounded up."""
        closed = self.closed
        return self.readings.tpr(without) if closed is None else closed.max_probability(without)

    def advantage(self) -> float:
        """Return the largest difference of an event's probabilities on the two datasets; rounded up."""
        return max(0.0, up(2.0 * self.even_odds_accuracy() - 1.0, 4)) if self.closed else self.readings.advantage()

    def even_odds_accuracy(self) -> float:
        """Return the success probability of the best test between the two datasets, at even odds; rounded up."""
        match self.closed:
            case GaussianTradeOff(mu=mu):
                return min(1.0, up(0.5 * (1.0 + math.erf(mu / (2.0 * math.sqrt(2.0)))), 4))
            case ZcdpTradeOff() as closed:
                return closed.even_odds_accuracy()
            case PureTradeOff():
                return 0.5
        return min(1.0, up(0.5 + 0.5 * self.readings.advantage(), 2))

    def effective_epsilon(self, tolerance: float) -> float:
        """Return the largest loss over all events with a probability of TOLERANCE or more; rounded up.

        This is -log of g(tolerance)/tolerance, which does not fall as the probability grows.
        """
        closed = self.closed
        if closed is not None:
            return closed.effective(tolerance)
        ratio = self.readings.ratio(tolerance)
        return max(0.0, up(math.log(ratio), 4)) if math.isfinite(ratio) else self.readings.largest_loss

    def epsilon(self, delta: float) -> float:
        """Return the smallest epsilon at DELTA in (0, 1); rounded up, inf if there is none."""
        match self.closed:
            case GaussianTradeOff(mu=mu):
                return gaussian_epsilon(mu, delta)
            case ZcdpTradeOff(rho=rho):
                return zcdp_epsilon(rho, delta)
        return self.readings.epsilon(delta)

    def gdp_mu(self) -> float:
        """Return the smallest mu whose Gaussian trade-off curve is nowhere above this one; inf if there is none."""
        if isinstance(self.closed, GaussianTradeOff):
            return self.mu
        return self.readings.gdp_mu()


def curve_of_stated(stated: Mapping[tuple[float, float], int], rho: float) -> TradeOff:
    """Return the curve of releases whose epsilon, delta or rho alone is known.

    Arguments: stated, how often each pair of epsilon and delta occurs; rho, the sum of the other releases.
    """
    from dpwizard.privacy.accounting.noises import Stated

    noises = tuple((Stated(epsilon, delta), times) for (epsilon, delta), times in sorted(stated.items()))
    return TradeOff(rho=rho, histories=(noises,), zcdp=rho)


@lru_cache(maxsize=KEPT)
def _accountant(curve: TradeOff) -> Readings:
    from dpwizard.privacy.accounting.accountant import FINENESS, Accountant
    from dpwizard.privacy.accounting.known_curves import zcdp
    from dpwizard.privacy.accounting.noises import Gaussian
    from dpwizard.privacy.accounting.readings import Worst

    rest: Noises = ((Gaussian(curve.mu), 1),)
    rest += ((zcdp(curve.rho), 1),) if curve.rho else ()
    fineness = COARSE if curve.coarse else FINENESS
    accountants = [Accountant([*noises, *rest], fineness) for noises in curve.histories]
    return accountants[0] if len(accountants) == 1 else Worst(accountants)
