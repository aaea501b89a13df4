"""The trade-off curve of everything that counts, and the moved tables from which the accountant composes it.

Closed forms serve where all is Gaussian noise or one rho; the accountant reads everything else
(docs/methods/accounting.md). Where histories or moves of cells are too many to list, the pair that dominates them
counts; where that is too slow, a largest loss and a rho.
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
from dpwizard.decision.histories import Histories, History, Ways
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

Noises = tuple[tuple["Noise", int], ...]  # each with how often it is used
NOTHING: tuple[Noises, ...] = ((),)

MOST_SQUARE = 20.0  # squares of L2 distances up to which moves are listed
MOST_ROWS = 12.0  # the same of L1 distances
MOST_HISTORIES = 4  # read one by one
MOST_OPTIONS = 48  # of one component
MOST_SETS = 24  # of tables, in one component
MOST_CHOICES = 24  # of years
MOST_DOMINATED = 6  # tables or components that stand for several moves
LEAST_SIGMA = 0.02  # less noise than that counts as none
TYPED = 0.01  # a distance that much below whole steps, or their root, was rounded when it was typed
ROUNDED = 1e-14  # relative: by which a distance is raised
KEPT = 24  # cached curves: several requirements, figures and sentences read one budget
FEWER = 1_000.0  # steps of a lattice in a standard deviation, where many histories are read
COARSE = 4e-3  # of the variance of the loss: what a lattice may add for a first answer
SMALLEST = 1e-30  # the smallest probability that is read


@dataclass(frozen=True, kw_only=True)
class MovedTable:
    """A table that moves between the two worlds.

    amount: its share each time, of the release's epsilon where noise has a largest loss, else of mu squared; fixed: the
    epsilon it spends each time whatever the budget is; times: how often it is made; distance: its move, in declared
    sensitivities; sensitivity: in whole steps; moves: the largest moves of its cells, for noise in whole steps; none
    where only the distance is known.
    """

    mechanism: MechanismName
    amount: float
    fixed: float | None
    times: int
    distance: float
    sensitivity: float
    moves: tuple[tuple[int, ...], ...]

    def options(self, epsilon: float, mu: float, repetitions: int) -> tuple[Noises, ...] | float:
        """Return the noises of each of its moves at EPSILON and MU over REPETITIONS; a rho if moves are not listed."""
        from dpwizard.privacy.accounting.noises import DiscreteGaussian, Gaussian, Geometric, Laplace, Stated

        times = self.times * repetitions
        loss = (self.fixed if self.fixed is not None else epsilon * self.amount) * (1.0 + ROUNDED)
        own_mu, sigma = mu * math.sqrt(self.amount) * (1.0 + ROUNDED), self.sigma(mu)
        match self.mechanism:
            case LAPLACE.name:
                return (((Laplace(loss * self.distance), times),),)
            case GEOMETRIC.name if self.moves:
                return self._noises_of_moves(partial(Geometric, loss / self.sensitivity), times)
            case GAUSSIAN.name:
                return (((Gaussian(own_mu * self.distance), times),),)
            case DISCRETE_GAUSSIAN.name if self.moves and math.isinf(sigma):
                return ((),)
            case DISCRETE_GAUSSIAN.name if self.moves and sigma < LEAST_SIGMA:
                return (((Stated(0.0, 1.0), 1),),)
            case DISCRETE_GAUSSIAN.name if self.moves:
                return self._noises_of_moves(partial(DiscreteGaussian, sigma), times)
        if mechanism_named(self.mechanism).needs_delta:
            return 0.5 * (own_mu * self.distance) ** 2 * times * (1.0 + ROUNDED)
        return (((Stated(loss * self.distance), times),),)

    def order(self) -> str:
        """Return a sorting key that differs for different tables."""
        amounts = f"{self.mechanism}, {self.amount}, {self.fixed}, {self.times}"
        return f"{amounts}, {self.distance}, {self.sensitivity}, {self.moves}"

    @property
    def square(self) -> float:
        """Return the sum of the squares of its losses, over all its times, at a budget of 1."""
        return 0.0 if self.fixed is not None else self.times * (self.amount * self.distance) ** 2

    def sigma(self, mu: float) -> float:
        """Return the standard deviation of its Gaussian noise at MU of the release, in whole steps."""
        mu_of_table = mu * math.sqrt(self.amount) * (1.0 + ROUNDED)
        return self.sensitivity / mu_of_table if mu_of_table else math.inf

    def _noises_of_moves(self, noise: Callable[[int], Noise], times: int) -> tuple[Noises, ...]:
        from dpwizard.privacy.accounting.moves import moved

        return tuple(tuple(moved(noise, move, times)) for move in self.moves)


MovedHistory = tuple[MovedTable, ...]
Choice = tuple[tuple[MovedHistory, ...], ...]  # the alternatives of each component


def moved_table(pair: NeighbouringPair, table: Table, ways: Ways, share: float) -> MovedTable | None:
    """Return TABLE as it moves between the worlds of PAIR in WAYS; None where it does not.

    SHARE is the share of the budget of all tables with Gaussian noise; every distance is known.
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


@lru_cache(maxsize=256)  # thousands of tables ask for the same few
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
    """Return how TABLES move between the worlds of PAIR, for each choice of years; None where there are too many."""

    def moved(history: History) -> Iterator[MovedTable]:
        for table, ways, alike in history:
            moved_one = moved_table(pair, table, ways, share)
            if moved_one is not None:
                yield from (moved_one for _ in range(alike))

    if any(len(component.distinct) > MOST_SETS for component in tables.components):
        return None
    result: list[Choice] = []
    for kept, left in itertools.islice(tables.years_kept(), MOST_CHOICES + 1):
        histories = [component.alternatives for component in tables.always]
        histories += [component.alternatives for year in kept for component in tables.years[year]]
        histories += [component.left for year in left for component in tables.years[year]]
        components = [tuple(dict.fromkeys(_count_equal_tables(moved(one)) for one in each)) for each in histories]
        if any(len(each) > MOST_OPTIONS for each in components):
            return None
        single = (table for each in components if len(each) == 1 for table in each[0])
        result.append(((_count_equal_tables(single),), *(each for each in components if len(each) > 1)))
    return tuple(dict.fromkeys(result)) if len(result) <= MOST_CHOICES else None


def _count_equal_tables(tables: Iterable[MovedTable]) -> MovedHistory:
    """Return TABLES with equal ones counted together, in a fixed order.

    Tables with several largest moves stay apart: equal ones may make different moves.
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
    """Return the noises of each history at EPSILON and MU over REPETITIONS, with ALWAYS; and the rho of others."""
    histories: dict[Noises, None] = {}
    rho = 0.0
    for choice in every:
        listed, choice_rho = _noises_of_choice(choice, epsilon, mu, repetitions)
        rho = max(rho, choice_rho)
        histories |= {(*always, *noises): None for noises in listed}
    return tuple(histories), rho


def _noises_of_choice(choice: Choice, epsilon: float, mu: float, repetitions: int) -> tuple[list[Noises], float]:
    """Return the noises of each history of CHOICE, or noises that dominate them; and the rho of others."""
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
    """Return the noises of each move of each table, if at most MOST have several moves; and the rho of others."""
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
    """What distinguishes two worlds: Gaussian noise, a rho and other noises, all together.

    Of an event in one world the curve says the least and the largest probability in the other, however releases are
    processed. histories: the noises of each history of the person, of which one is true. zcdp: the rho of everything
    together. coarse: whether it is read on a lattice that may add COARSE of the variance: some in 1,000.
    """

    mu: float = 0.0
    rho: float = 0.0
    histories: tuple[Noises, ...] = NOTHING
    zcdp: float = 0.0
    coarse: bool = False

    @property
    def closed(self) -> GaussianTradeOff | ZcdpTradeOff | PureTradeOff | None:
        """Return the curve in closed form; None where the accountant reads it."""
        if self.histories != NOTHING or (self.mu and self.rho):
            return None
        if self.mu:
            return GaussianTradeOff(mu=self.mu)
        return ZcdpTradeOff(rho=self.rho) if self.rho else PureTradeOff(epsilon=0.0)

    @property
    def readings(self) -> Readings:
        """Return the accountant of everything together."""
        return _accountant(self)

    def fpr(self, hit: float) -> float:
        """Return the least probability in one world of an event of probability HIT in the other; rounded down."""
        closed = self.closed
        return self.readings.fpr(hit) if closed is None else closed.fpr(hit)

    def max_probability(self, without: float) -> float:
        """Return the largest probability in one world of an event of probability WITHOUT in the other; rounded up."""
        closed = self.closed
        return self.readings.tpr(without) if closed is None else closed.max_probability(without)

    def advantage(self) -> float:
        """Return the largest difference of an event's probabilities in the two worlds; rounded up."""
        return max(0.0, up(2.0 * self.even_odds_accuracy() - 1.0, 4)) if self.closed else self.readings.advantage()

    def even_odds_accuracy(self) -> float:
        """Return how often, at even odds, the best rule that distinguishes the worlds is right; rounded up."""
        match self.closed:
            case GaussianTradeOff(mu=mu):
                return min(1.0, up(0.5 * (1.0 + math.erf(mu / (2.0 * math.sqrt(2.0)))), 4))
            case ZcdpTradeOff() as closed:
                return closed.even_odds_accuracy()
            case PureTradeOff():
                return 0.5
        return min(1.0, up(0.5 + 0.5 * self.readings.advantage(), 2))

    def effective_epsilon(self, tolerance: float) -> float:
        """Return the largest loss that would tell as much of every event of probability TOLERANCE or more; rounded up.

        -log of g(tolerance)/tolerance, which never falls as the probability grows.
        """
        closed = self.closed
        if closed is not None:
            return closed.effective(tolerance)
        ratio = self.readings.ratio(tolerance)
        return max(0.0, up(math.log(ratio), 4)) if math.isfinite(ratio) else self.readings.largest_loss

    def epsilon(self, delta: float) -> float:
        """Return the least epsilon at DELTA in (0, 1); rounded up, inf where there is none."""
        match self.closed:
            case GaussianTradeOff(mu=mu):
                return gaussian_epsilon(mu, delta)
            case ZcdpTradeOff(rho=rho):
                return zcdp_epsilon(rho, delta)
        return self.readings.epsilon(delta)

    def gdp_mu(self) -> float:
        """Return the smallest mu whose Gaussian trade-off curve lies nowhere above this one; inf: there is none."""
        if isinstance(self.closed, GaussianTradeOff):
            return self.mu
        return self.readings.gdp_mu()


def curve_of_stated(stated: Mapping[tuple[float, float], int], rho: float) -> TradeOff:
    """Return the curve of releases of which only figures are known.

    Arguments: stated, how often each pair of epsilon and delta is; rho, of all others together.
    """
    from dpwizard.privacy.accounting.noises import Stated

    noises = tuple((Stated(epsilon, delta), times) for (epsilon, delta), times in sorted(stated.items()))
    return TradeOff(rho=rho, histories=(noises,), zcdp=rho)


@lru_cache(maxsize=KEPT)
def _accountant(curve: TradeOff) -> Readings:
    from dpwizard.privacy.accounting.accountant import FINENESS, Accountant
    from dpwizard.privacy.accounting.known_curves import zcdp
    from dpwizard.privacy.accounting.lattice import CORNERS
    from dpwizard.privacy.accounting.noises import Gaussian
    from dpwizard.privacy.accounting.readings import Worst

    rest: Noises = ((Gaussian(curve.mu), 1),)
    rest += ((zcdp(curve.rho, SMALLEST), 1),) if curve.rho else ()
    corners = CORNERS if len(curve.histories) == 1 else FEWER
    fineness = COARSE if curve.coarse else FINENESS
    accountants = [
        Accountant([*noises, *rest], fineness=fineness, smallest=SMALLEST, corners=corners)
        for noises in curve.histories
    ]
    return accountants[0] if len(accountants) == 1 else Worst(accountants)
