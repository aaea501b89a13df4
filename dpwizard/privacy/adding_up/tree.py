"""Noise of numbers of a tree after weighted least squares has adjusted the children of each partition to add up.

Two passes. Up: the estimate of a node from itself and all below it has variance U with 1/U = 1/s^2 + sum over
partitions of 1/S, where S is the sum of the children's U. Down: a root keeps V = U; a child has V = U - U^2/S + (U/S)^2
V of its parent. Exact for any independent noise; no V is above the number's own s^2. Proof: docs/methods/adding_up.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import up
from dpwizard.base.values import NonNegative, ShortText, Value, field, public

MOST_NUMBERS = 200_000
ROUND = 64
Variance = float | Fraction  # inf: there is no information on the number


class Place(Value):
    """The position of a number in a tree of numbers that add up."""

    name: ShortText = field("Name", default=...)
    parent: ShortText | None = field("The number that it adds up to; null for a root", default=None)
    partition: ShortText | None = field("Which of several ways to divide the parent it belongs to", default=None)


class NoisyNumber(Place):
    """A number of a tree and the noise with which it is published."""

    sd: NonNegative | None = field("Standard deviation of its noise; 0: exact, null: not published", default=None)


class AfterAddingUp(Value):
    """The noise of numbers after they were adjusted to add up."""

    sd: tuple[float, ...] = field("Standard deviation of each, in the order of the numbers", default=...)


@dataclass(frozen=True)
class Tree:
    """Which number adds up to which, by position; parents come before their children."""

    order: tuple[int, ...]
    parents: tuple[int | None, ...]
    partitions: tuple[tuple[tuple[int, ...], ...], ...]  # of each number, the groups that add up to it
    counts: tuple[int, ...]  # how many equal numbers of its group each represents

    @property
    def groups(self) -> tuple[int, ...]:
        """Return the position of each number's group among those of its parent; 0 for a root."""
        group_of = [0] * len(self.parents)
        for groups in self.partitions:
            for position, group in enumerate(groups):
                for child in group:
                    group_of[child] = position
        return tuple(group_of)


@dataclass(frozen=True)
class Information:
    """The variance of each number's estimate from itself and all numbers below it."""

    variances: tuple[Variance, ...]  # U
    sums: tuple[tuple[Variance, ...], ...]  # S of each group of each number

    def share(self, child: int, parent: int, group: int) -> Variance:
        """Return U / S: the share of the difference between its group and the parent that CHILD absorbs."""
        total = self.sums[parent][group]
        if math.isinf(total):
            return 1 if math.isinf(self.variances[child]) else 0
        return self.variances[child] / total if total else 0


@public
def adding_up(
    *, nodes: Annotated[tuple[NoisyNumber, ...], Field(min_length=1, max_length=MOST_NUMBERS)]
) -> AfterAddingUp:
    """Return the noise of numbers of a tree after they were adjusted to add up by weighted least squares.

    Arguments: nodes, each with a name, the parent it adds up to (null: a root), a partition if the parent is divided in
    several ways (regions by district and by age), and the standard deviation sd >= 0 of its noise (0: exact, null: not
    published). The children of each partition add up to their parent. Returns sd of each, **never below the true one**
    and within 1e-12 relative of it. Raises InvalidInput, and Infeasible for a number on which there is no information.
    Source: docs/methods/adding_up.md.
    """
    tree = tree_of(nodes)
    variances = published_variances(tree, [None if node.sd is None else node.sd**2 for node in nodes])
    return AfterAddingUp(sd=tuple(up(math.sqrt(variance), ROUND) if variance else 0.0 for variance in variances))


def tree_of(places: Sequence[Place]) -> Tree:
    """Return the tree that PLACES form; raises InvalidInput for a name given twice, an unknown parent, or a circle."""
    positions: dict[str, int] = {}
    for at, place in enumerate(places):
        if place.name in positions:
            raise InvalidInput("is given twice", f"nodes[{at}].name", "Give each number a name of its own.")
        positions[place.name] = at
    children: list[dict[str | None, list[int]]] = [{} for _ in places]
    for at, place in enumerate(places):
        if place.parent is None:
            continue
        if place.parent not in positions:
            raise InvalidInput(
                message('no number has the name "{name}"', name=place.parent),
                f"nodes[{at}].parent",
                "Name one of them.",
            )
        children[positions[place.parent]].setdefault(place.partition, []).append(at)
    partitions = tuple(tuple(tuple(group) for group in groups.values()) for groups in children)
    order = [at for at, place in enumerate(places) if place.parent is None]
    for at in order:  # grows during the loop
        order.extend(child for group in partitions[at] for child in group)
    if len(order) < len(places):
        first_in_circle = min(set(range(len(places))) - set(order))
        raise InvalidInput(
            "adds up to itself by way of other numbers",
            f"nodes[{first_in_circle}].parent",
            "Let one of them be a root.",
        )
    parents = tuple(None if place.parent is None else positions[place.parent] for place in places)
    return Tree(order=tuple(order), parents=parents, partitions=partitions, counts=(1,) * len(places))


def information(tree: Tree, variances: Sequence[Variance | None]) -> Information:
    """Return the estimates from each number and all below; VARIANCES of their own noise, None: not published."""
    totals: list[Variance] = [math.inf] * len(variances)
    sums: list[tuple[Variance, ...]] = [()] * len(variances)
    for at in reversed(tree.order):
        sums[at] = tuple(
            _sum_of_variances(tree.counts[child] * totals[child] for child in group) for group in tree.partitions[at]
        )
        variance = variances[at]
        totals[at] = _variance_of_best_mean([*sums[at], math.inf if variance is None else variance])
    return Information(variances=tuple(totals), sums=tuple(sums))


def _sum_of_variances(variances: Iterable[Variance]) -> Variance:
    every = list(variances)
    if any(math.isinf(variance) for variance in every):
        return math.inf
    if any(isinstance(variance, float) for variance in every):
        return math.fsum(every)  # for a hundred thousand children a plain sum would lose digits
    return sum(every)


def _variance_of_best_mean(variances: list[Variance]) -> Variance:
    if 0 in variances:
        return 0
    precision = sum(1 / variance for variance in variances if not math.isinf(variance))
    return 1 / precision if precision else math.inf


def published_variances(tree: Tree, variances: Sequence[Variance | None]) -> tuple[Variance, ...]:
    """Return the variance of each number after adding up; raises Infeasible if there is no information on one."""
    gathered = information(tree, variances)
    groups = tree.groups
    published: list[Variance] = [0] * len(variances)
    for at in tree.order:
        parent, variance = tree.parents[at], gathered.variances[at]
        if parent is None:
            _require_finite(variance, at)
            published[at] = variance
        elif math.isinf(variance):  # without its own noise: the parent minus its siblings
            siblings = [child for child in tree.partitions[parent][groups[at]] if child != at]
            rest = _sum_of_variances(tree.counts[child] * gathered.variances[child] for child in siblings)
            _require_finite(rest if tree.counts[at] == 1 else math.inf, at)
            published[at] = rest + published[parent]
        else:
            share = gathered.share(at, parent, groups[at])
            published[at] = variance - variance * share + share * share * published[parent]
    return tuple(published)


def _require_finite(variance: Variance, at: int) -> None:
    if math.isinf(variance):
        raise Infeasible(
            "is null, and no other number covers it", f"nodes[{at}].sd", "Publish it, or all of its parts."
        )
