"""The tables of a pair of histories, as the accountant composes them: what moves, how far, and under which noise.

A person has one of several histories in the tables of a release (`dpwizard.decision.histories`), and each table one of
several largest moves of its cells. All of them are read, and the largest delta counts. Where they are too many, a table
or a component stands for all its moves by the pair that dominates each; where that is too slow, by what is known of
their sum: a largest loss, and rho.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from dpwizard.base.errors import InvalidInput
from dpwizard.decision.histories import Histories, History, Ways
from dpwizard.decision.neighbouring import NeighbouringPair
from dpwizard.decision.tables import Table
from dpwizard.privacy.mechanisms import DISCRETE_GAUSSIAN, GAUSSIAN, GEOMETRIC, LAPLACE, MechanismName, mechanism_named

if TYPE_CHECKING:  # NumPy takes 0.1 s to load
    from dpwizard.privacy.accounting.noises import Noise

Noises = tuple[tuple["Noise", int], ...]  # how often each is used

MOST_SQUARE = 20.0  # squares of L2 distances up to which moves are listed
MOST_ROWS = 12.0  # the same of L1 distances
MOST_HISTORIES = 4  # read one by one
MOST_OPTIONS = 48  # of one component
MOST_SETS = 24  # of tables, in one component
MOST_CHOICES = 24  # of years
MOST_DOMINATED = 6  # tables or components that stand for several moves
LEAST_SIGMA = 0.02  # less noise than that counts as none
TYPED = 0.01  # a distance that much below whole steps, or their root, was rounded by whoever typed it
ROUNDED = 1e-14  # relative: by which a distance is raised


@dataclass(frozen=True, kw_only=True)
class MovedTable:
    """A table that moves between the two worlds.

    amount: its share each time, of the release's epsilon where noise has a largest loss, else of mu squared; fixed: the
    epsilon that it spends each time instead, whatever the budget is; times: how often it is made; distance: how many
    times its declared sensitivity it moves; sensitivity: that, in whole steps; moves: the largest moves of its cells,
    for noise in whole steps; none where only the distance is known.
    """

    mechanism: MechanismName
    amount: float
    fixed: float | None
    times: int
    distance: float
    sensitivity: float
    moves: tuple[tuple[int, ...], ...]

    def options(self, epsilon: float, mu: float, repetitions: int) -> tuple[Noises, ...] | float:
        """Return the noises that tell of each of its moves at EPSILON and MU of the release, made so many REPETITIONS;
        a rho where moves are not listed."""
        from dpwizard.privacy.accounting.noises import DiscreteGaussian, Gaussian, Geometric, Laplace, Stated

        times = self.times * repetitions
        loss = (self.fixed if self.fixed is not None else epsilon * self.amount) * (1.0 + ROUNDED)
        own_mu, sigma = mu * math.sqrt(self.amount) * (1.0 + ROUNDED), self.sigma(mu)
        match self.mechanism:
            case LAPLACE.name:
                return (((Laplace(loss * self.distance), times),),)
            case GEOMETRIC.name if self.moves:
                return self._by_moves(partial(Geometric, loss / self.sensitivity), times)
            case GAUSSIAN.name:
                return (((Gaussian(own_mu * self.distance), times),),)
            case DISCRETE_GAUSSIAN.name if self.moves and math.isinf(sigma):
                return ((),)
            case DISCRETE_GAUSSIAN.name if self.moves and sigma < LEAST_SIGMA:
                return (((Stated(0.0, 1.0), 1),),)
            case DISCRETE_GAUSSIAN.name if self.moves:
                return self._by_moves(partial(DiscreteGaussian, sigma), times)
        if mechanism_named(self.mechanism).needs_delta:
            return 0.5 * (own_mu * self.distance) ** 2 * times * (1.0 + ROUNDED)
        return (((Stated(loss * self.distance), times),),)

    def order(self) -> str:
        """Return what it is sorted by, in thousands: all that tells two of them apart."""
        amounts = f"{self.mechanism}, {self.amount}, {self.fixed}, {self.times}"
        return f"{amounts}, {self.distance}, {self.sensitivity}, {self.moves}"

    @property
    def square(self) -> float:
        """Return the sum of the squares of its losses, all its times together, where it divides a budget of 1."""
        return 0.0 if self.fixed is not None else self.times * (self.amount * self.distance) ** 2

    def sigma(self, mu: float) -> float:
        """Return the standard deviation of its noise without a largest loss at MU of the release, in whole steps."""
        mu_of_table = mu * math.sqrt(self.amount) * (1.0 + ROUNDED)
        return self.sensitivity / mu_of_table if mu_of_table else math.inf

    def _by_moves(self, noise: Callable[[int], Noise], times: int) -> tuple[Noises, ...]:
        from dpwizard.privacy.accounting.moves import moved

        return tuple(tuple(moved(noise, move, times)) for move in self.moves)


MovedHistory = tuple[MovedTable, ...]
Choice = tuple[tuple[MovedHistory, ...], ...]  # of each component its alternatives


def moved_table(pair: NeighbouringPair, table: Table, ways: Ways, share: float) -> MovedTable | None:
    """Return TABLE as it moves between the worlds of PAIR in WAYS; None where it does not.

    SHARE is what all tables without a largest loss have of the budget; every distance is known.
    """
    distance = pair.far(table, ways)
    portion = table.fixed if table.fixed is not None else table.portion or 0
    if distance == 0.0 or not portion or table.noise.absent or table.mechanism is None:
        return None
    each = float(portion) / table.times_released
    steps = (table.sensitivity or 1.0) / table.noise_step()
    return MovedTable(
        mechanism=table.mechanism,
        amount=each / share if table.noise.needs_delta else each,
        fixed=each if table.fixed is not None else None,
        times=table.times_released,
        distance=distance,
        sensitivity=steps,
        moves=_moves(table, distance * steps) if table.noise.integer_valued else (),
    )


def _moves(table: Table, distance: float) -> tuple[tuple[int, ...], ...]:
    """Return the largest moves of the cells of TABLE by DISTANCE, in whole steps; none where they are not listed."""
    far = math.floor(distance + TYPED)
    if table.dimension == 1:
        return ((far,),) if 0 < far < 1e9 else ()
    one = table.under("add_remove") if table.statistic == "histogram" else None
    most = far if one is None else min(far, max(1, math.floor(one + TYPED)))
    return _listed(table.noise.uses_l2, distance, most, table.dimension)


@lru_cache(maxsize=256)  # thousands of tables ask for the same few
def _listed(euclidean: bool, distance: float, most: int, cells: int) -> tuple[tuple[int, ...], ...]:
    from dpwizard.privacy.accounting.moves import by_distance, by_rows

    try:
        if euclidean and distance * distance <= MOST_SQUARE:
            return tuple(by_distance((distance + TYPED) ** 2, most, cells))
        if not euclidean and distance <= MOST_ROWS:
            return tuple(by_rows(math.floor(distance + TYPED), most, cells))
    except InvalidInput:  # there are too many
        return ()
    return ()


def choices(pair: NeighbouringPair, tables: Histories, share: float) -> tuple[Choice, ...] | None:
    """Return what TABLES do between the worlds of PAIR, for every choice of years; None where there are too many."""

    def moved(history: History) -> Iterator[MovedTable]:
        for table, ways, alike in history:
            found = moved_table(pair, table, ways, share)
            if found is not None:
                yield from (found for _ in range(alike))

    if any(len(component.distinct) > MOST_SETS for component in tables.components):
        return None
    result: list[Choice] = []
    for kept, gone in itertools.islice(tables.years_kept(), MOST_CHOICES + 1):
        histories = [component.alternatives for component in tables.always]
        histories += [component.alternatives for year in kept for component in tables.years[year]]
        histories += [component.left for year in gone for component in tables.years[year]]
        components = [tuple(dict.fromkeys(_counted(moved(one)) for one in each)) for each in histories]
        if any(len(each) > MOST_OPTIONS for each in components):
            return None
        single = (table for each in components if len(each) == 1 for table in each[0])
        result.append(((_counted(single),), *(each for each in components if len(each) > 1)))
    return tuple(dict.fromkeys(result)) if len(result) <= MOST_CHOICES else None


def _counted(tables: Iterable[MovedTable]) -> MovedHistory:
    """Return TABLES with equal ones counted together, in a fixed order.

    Where a table has several largest moves, another one equal to it may make another of them: they stay apart.
    """
    found: Counter[MovedTable] = Counter()
    separate: list[MovedTable] = []
    for table in tables:
        if len(table.moves) > 1:
            separate.append(table)
        else:
            found[table if table.times == 1 else replace(table, times=1)] += table.times
    together = (table if times == 1 else replace(table, times=times) for table, times in found.items())
    return tuple(sorted((*together, *separate), key=MovedTable.order))


def composed(
    every: tuple[Choice, ...], always: Noises, epsilon: float, mu: float, repetitions: int
) -> tuple[tuple[Noises, ...], float]:
    """Return the noises of every history at EPSILON and MU of the release, REPETITIONS of them, with those of ALWAYS;
    and what is known of others by their rho alone."""
    histories: dict[Noises, None] = {}
    rho = 0.0
    for choice in every:
        found, more = _of_choice(choice, epsilon, mu, repetitions)
        rho = max(rho, more)
        histories |= {(*always, *noises): None for noises in found}
    return tuple(histories), rho


def _of_choice(choice: Choice, epsilon: float, mu: float, repetitions: int) -> tuple[list[Noises], float]:
    """Return the noises of every history of CHOICE, or of those that dominate them; and a rho beside them."""
    nodes: list[tuple[Noises, ...]] = []
    rho = 0.0
    for component in choice:
        options: dict[Noises, None] = {}
        most, most_listed = 0.0, MOST_DOMINATED if len(component) == 1 else 1
        for history in component:
            each, more = _of_history(history, epsilon, mu, repetitions, most_listed)
            most = max(most, more)
            if len(component) == 1:
                nodes += each
            else:
                options |= {_joined(chosen): None for chosen in itertools.product(*each)}
        rho += most
        nodes += [tuple(options)] if options else []
    fixed = _joined(node[0] for node in nodes if len(node) == 1)
    several = [node for node in nodes if len(node) > 1]
    if math.prod(len(node) for node in several) > MOST_HISTORIES:
        return [(*fixed, *((_dominating(node), 1) for node in several))], rho
    return [(*fixed, *_joined(chosen)) for chosen in itertools.product(*several)], rho


def _of_history(
    history: MovedHistory, epsilon: float, mu: float, repetitions: int, most: int
) -> tuple[list[tuple[Noises, ...]], float]:
    """Return the noises of each move of each table of HISTORY, and the rho of tables whose moves are not listed.

    Where more than MOST tables have several moves, these are not listed either.
    """
    found: list[tuple[Noises, ...]] = []
    rho, many = 0.0, sum(len(table.moves) > 1 for table in history) > most
    for table in history:
        known = replace(table, moves=()) if many and len(table.moves) > 1 else table
        options = known.options(epsilon, mu, repetitions)
        if isinstance(options, float):
            rho += options
        else:
            found.append(options)
    return found, rho


def _joined(noises: Iterable[Noises]) -> Noises:
    return tuple(itertools.chain.from_iterable(noises))


def _dominating(options: tuple[Noises, ...]) -> Noise:
    """Return the pair that dominates each of OPTIONS, of which one is true."""
    from dpwizard.privacy.accounting.accountant import Accountant
    from dpwizard.privacy.accounting.known_curves import one_of
    from dpwizard.privacy.accounting.readings import Worst

    return one_of(Worst([Accountant(noises) for noises in options]))
