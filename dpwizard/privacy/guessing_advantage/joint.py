"""Several attributes at once against their worst truths: a bound over all of them, proved.

By the chain rule (``guessing_combined``) the joint gain is a product of posteriors less a product of priors. It climbs
in each posterior and falls in each prior, and is straight in the pair of them: so an interval of truths is replaced by
the worst corner of the box in which its pairs lie, and of all boxes of an attribute only the corners of the hull can
bind. Boxes on the hull are split until the bound is small enough, or a bounded number of times.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dpwizard.numerics import UNIT
from dpwizard.privacy.guessing_advantage import combined
from dpwizard.privacy.guessing_advantage.bounds import Direction, loss_for
from dpwizard.privacy.guessing_advantage.certified import first_cells, proved_loss, seen_at_once
from dpwizard.privacy.guessing_advantage.proof import Ceiling, Intervals, kinks, split_at
from dpwizard.privacy.guessing_advantage.worst_victim import posterior_at
from dpwizard.stopping import may_stop

Floats = NDArray[np.float64]

ROUNDS = 18
MOST_BOXES = 400  # split in one round, of one attribute
TRIES = 24
FEW = 30  # truths on a hull that are enough where nothing is proved
MARGIN = 1e-3  # how far below the advantage the bound may stay, relative
WIDE = 5e-3  # and what single truths gain
LEAST = 1e-9  # no smaller epsilon is tried
SLACK = 1e-12


class _Seen:
    """One attribute as seen from every truth at once, and the truths that are looked at first."""

    def __init__(self, guess: combined.Guess, epsilon: float) -> None:
        """Arguments: the guess, its truth not given; an epsilon near those asked about."""
        may_stop()
        self.tilted = seen_at_once(guess.prior, guess.precision)
        self.marks, self.cells = kinks(self.tilted), first_cells(guess.prior, self.tilted, epsilon)
        points = np.unique(np.concatenate(self.cells))
        self.points = points[np.isfinite(points)]


class _Boxes:
    """The pairs (prior, posterior) of one attribute at one epsilon: its truths in boxes, by their two worst corners."""

    def __init__(
        self,
        guess: combined.Guess,
        seen: _Seen | None,
        epsilon: float,
        combine: combined.Combine,
        direction: Direction,
        by_points: bool,
    ) -> None:
        self.turned, self.rise = combine == "or", direction == "rise"
        self.cells: Intervals | None = None
        if seen is None:
            atoms = guess.prior.atoms()
            places = atoms[0] if guess.truth is None and atoms is not None else (guess.truth,)
            rows = [posterior_at(guess.prior, place, guess.precision, epsilon, direction) for place in places]
            before, after = (np.array([row[i] for row in rows]) for i in (0, 1))
            self.low, self.high = self._turned(before, after)
            return
        self.ceiling, self.marks = Ceiling(seen.tilted, epsilon, direction, "exact", rough=True), seen.marks
        if by_points:
            before, gained = seen.tilted.mass(seen.points - 1.0, seen.points + 1.0), self.ceiling.at(seen.points)
            gained = np.nan_to_num(gained)
            self.low, self.high = self._turned(before, before + (gained if self.rise else -gained))
            return
        self.cells = seen.cells
        self.low, self.high = self._look(self.cells)

    def _turned(self, before: Floats, after: Floats) -> tuple[Floats, Floats]:
        """Return what is taken away and what it is taken away from: for or by the complements, the other way round."""
        slack = SLACK if self.rise else -SLACK
        before, after = np.clip(before - slack, 0.0, 1.0), np.clip(after + slack, 0.0, 1.0)
        if self.turned:
            before, after = 1.0 - before, 1.0 - after
        return (before, after) if self.rise != self.turned else (after, before)

    def _look(self, cells: Intervals) -> tuple[Floats, Floats]:
        """Return two corners of each box, one behind the other, between and below which its pairs lie.

        With p the prior probability and g a bound on the advantage, the posterior is at most min(p + g, its own bound),
        and p at least its own: the corners of that are at the least p, and where the two bounds meet. For the drop the
        other way round.
        """
        least, most, after = self.ceiling.pairs(*cells)
        after = np.where(np.isnan(after), 1.0 if self.rise else 0.0, after)
        gain = np.clip(self.ceiling.over_pairs(*cells, least, most, after), 0.0, 1.0)
        if self.rise:
            first, second = (least, np.minimum(least + gain, after)), (np.maximum(after - gain, least), after)
        else:
            first, second = (most, np.maximum(most - gain, after)), (np.minimum(after + gain, most), after)
        return self._turned(np.append(first[0], second[0]), np.append(first[1], second[1]))

    def split(self, chosen: NDArray[np.intp]) -> bool:
        """Split the boxes CHOSEN; False where nothing is left to split."""
        if self.cells is None:
            return False
        count = self.cells.u.size
        chosen = np.unique(chosen % count)[:MOST_BOXES]
        parts = Intervals(self.cells.u[chosen], self.cells.v[chosen])
        middle = split_at(parts, self.marks)
        fine = (middle > parts.u) & (middle < parts.v)
        if not bool(fine.any()):
            return False
        chosen, parts, middle = chosen[fine], Intervals(parts.u[fine], parts.v[fine]), middle[fine]
        halves = Intervals(np.concatenate([parts.u, middle]), np.concatenate([middle, parts.v]))
        low, high = (each.reshape(2, -1) for each in self._look(halves))
        kept = np.ones(count, dtype=bool)
        kept[chosen] = False
        self.cells = Intervals(np.append(self.cells.u[kept], halves.u), np.append(self.cells.v[kept], halves.v))
        self.low = np.concatenate([self.low.reshape(2, -1)[:, kept], low], axis=1).ravel()
        self.high = np.concatenate([self.high.reshape(2, -1)[:, kept], high], axis=1).ravel()
        return True


def _hull(low: Floats, high: Floats) -> NDArray[np.intp]:
    """Return the pairs that maximise a HIGH - b LOW for some a, b >= 0."""
    order = np.lexsort((-high, low))
    climbing = np.append(-np.inf, np.maximum.accumulate(high[order])[:-1])
    order = order[high[order] > climbing]
    found: list[int] = []
    for i in order.tolist():
        while len(found) > 1:
            first, last = found[-2], found[-1]
            if (high[last] - high[first]) * (low[i] - low[first]) <= (high[i] - high[first]) * (low[last] - low[first]):
                found.pop()
            else:
                break
        found.append(i)
    return np.array(found, dtype=np.intp)


def _some(boxes: _Boxes, hull: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return some of the pairs on a HULL, both ends among them, as far from one another as they can be."""
    along = np.cumsum(np.append(0.0, np.abs(np.diff(boxes.low[hull])) + np.abs(np.diff(boxes.high[hull]))))
    chosen = np.searchsorted(along, np.linspace(0.0, along[-1], FEW)).clip(0, hull.size - 1)
    return np.asarray(hull[np.unique(chosen)])


def joint_ceiling(
    guesses: Sequence[combined.Guess],
    combine: combined.Combine,
    epsilon: float,
    direction: Direction,
    level: float = -1.0,
    by_points: bool = False,
    seen: Mapping[combined.Guess, _Seen] | None = None,
) -> float:
    """Return a bound on the joint gain at EPSILON over all truths not given; only as fine as LEVEL needs.

    BY_POINTS: no bound, but what the truths gain that are looked at first. SEEN: what is known from another epsilon.
    """
    seen = seen_from(guesses, epsilon) if seen is None else seen
    kinds = {
        guess: _Boxes(guess, seen.get(guess), epsilon, combine, direction, by_points)
        for guess in dict.fromkeys(guesses)
    }
    value = 1.0
    for left in reversed(range(ROUNDS)):
        may_stop()
        hulls = {guess: _hull(boxes.low, boxes.high) for guess, boxes in kinds.items()}
        if by_points:
            hulls = {guess: _some(boxes, hulls[guess]) for guess, boxes in kinds.items()}
        low, high = np.ones(1), np.ones(1)
        for guess in guesses:
            boxes, hull = kinds[guess], hulls[guess]
            low = np.outer(low, boxes.low[hull]).ravel()
            high = np.outer(high, boxes.high[hull]).ravel()
            kept = _hull(low, high)
            low, high = low[kept], high[kept]
        found = float(np.max(high - low)) + 8.0 * UNIT * len(guesses)
        gone, value = value - found, min(value, found)
        hopeless = gone * left < value - level and left < ROUNDS - 1  # each round takes less away than the one before
        if value <= level or hopeless:
            break
        parts = [boxes.split(hulls[guess]) for guess, boxes in kinds.items()]
        if not any(parts):
            break
    return value


def seen_from(guesses: Sequence[combined.Guess], epsilon: float) -> dict[combined.Guess, _Seen]:
    """Return, of the guesses whose truths are intervals, what does not change with epsilon."""
    searched = (guess for guess in dict.fromkeys(guesses) if guess.truth is None and guess.prior.atoms() is None)
    return {guess: _Seen(guess, epsilon) for guess in searched}


def proved_joint_loss(
    guesses: Sequence[combined.Guess], combine: combined.Combine, advantage: float, direction: Direction
) -> float:
    """Return an epsilon at which the chain rule keeps ADVANTAGE for all truths not given; infinite only with a proof.

    What single truths allow is found first: it costs little, and the proof begins there. What is returned has been
    shown to keep the advantage.
    """
    if advantage >= 1.0 or joint_ceiling(guesses, combine, math.inf, direction, advantage) <= advantage:
        return math.inf
    if advantage == 0.0:
        return 0.0

    start = _simplified(guesses, advantage)
    seen = seen_from(guesses, start)

    def gained(by_points: bool) -> Callable[[float, float], float]:
        return lambda epsilon, level: joint_ceiling(
            guesses, combine, epsilon, direction, level, by_points=by_points, seen=seen
        )

    found, slope = _led(gained(by_points=True), start, 1.0, advantage, WIDE)
    start = found or start
    seen = seen_from(guesses, start)
    kept, _ = _led(gained(by_points=False), start, slope, advantage, MARGIN)
    return kept or min(_alone(guess, advantage / len(guesses), direction) for guess in guesses)


def _led(
    gained: Callable[[float, float], float], epsilon: float, slope: float, advantage: float, margin: float
) -> tuple[float, float]:
    """Return an epsilon at which what is GAINED lies below ADVANTAGE by up to three MARGINs (0: none), and a slope.

    GAINED is its own guide: straight lines through the logarithms of epsilon and of what is gained lead there.
    """
    kept, broken = 0.0, math.inf
    before: tuple[float, float] | None = None
    for _ in range(TRIES):
        value = gained(epsilon, advantage * (1.0 - margin))
        if value <= advantage:
            kept = epsilon
            if value >= advantage * (1.0 - 3.0 * margin):
                break
        else:
            broken = epsilon
        if broken <= kept * (1.0 + margin) or epsilon < LEAST:
            break
        here = math.log(epsilon), math.log(max(value, 1e-300) / advantage)
        if before is not None and here[0] != before[0]:
            slope = min(max((here[1] - before[1]) / (here[0] - before[0]), 0.1), 10.0)
        before = here
        epsilon *= math.exp(min(max((-2.0 * margin - here[1]) / slope, -4.0), 4.0))
        if not kept < epsilon < broken:
            epsilon = math.sqrt(max(kept, broken / 256.0) * broken) if math.isfinite(broken) else kept * 4.0
    return kept, slope


def _simplified(guesses: Sequence[combined.Guess], advantage: float) -> float:
    """Return what the simplified bound allows over the widest of the attributes: where a search may begin."""
    reach = 1.0
    for guess in guesses:
        low, high = guess.prior.support()
        reach = max(reach, min(high / guess.precision - low / guess.precision, 100.0))
    return 4.0 * math.atanh(advantage) / reach


def _alone(guess: combined.Guess, advantage: float, direction: Direction) -> float:
    """Return what one attribute allows for its part: the joint gain is at most the sum of the single ones."""
    advantage *= 1.0 - 4.0 * UNIT
    if guess.truth is None:
        return proved_loss(guess.prior, guess.precision, advantage, direction).value
    return loss_for(guess.prior.view(guess.truth, guess.precision), advantage, "exact", direction)
