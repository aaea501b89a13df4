"""The worst truth with a proof: no truth of the support gains more than the advantage stated, or at the epsilon stated.

A search names a victim; then every interval of truths is shown to stay below what that victim gains, splitting those
that are not (``guessing_proof``). A truth that gains more takes the victim's place. What cannot be shown within a
bounded number of intervals is shown with a wider margin: the answer is then further on the safe side, and says by how
much.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dpwizard.errors import SolverFailure
from dpwizard.numerics import UNIT
from dpwizard.privacy.guessing_advantage import worst_victim as search
from dpwizard.privacy.guessing_advantage.bounds import Bound, Direction, loss_for, never_exceeded
from dpwizard.privacy.guessing_advantage.proof import (
    DEPTH,
    NARROWEST,
    WIDEST_WAVE,
    Ceiling,
    Intervals,
    joined,
    kinks,
    laid_out,
    split_at,
)
from dpwizard.privacy.priors import Distribution, Tilted
from dpwizard.stopping import may_stop

# parts of epsilon, or of the advantage, given away for a proof, and how many intervals may be looked at for each
FINE = ((1e-11, 500), (1e-9, 800), (1e-7, 800), (1e-5, 800))
# where only whole intervals are bounded
COARSE = tuple((margin, 6_000) for margin in (1e-3, 0.03, 0.2, 0.6, 0.9, 0.97))
MARGINS = (*FINE, *COARSE)
WHOLE = tuple((margin, 60_000) for margin, _ in COARSE)  # by main and simplified: one look, no search for an output
LARGE = 60.0  # the epsilon that is tried where none is known to be too large
MOST_VICTIMS = 60
FEW_ATOMS = 12
FLOOR = 4e-13  # what rounding may hide of an advantage


class Proved(NamedTuple):
    """A proved epsilon or advantage, the truth that comes nearest (None: a limit, or none) and what it allows."""

    value: float
    truth: float | None
    found: float


class _Victim(Exception):
    """A truth that gains more than was to be shown."""

    def __init__(self, t: float, rest: Intervals) -> None:
        """Arguments: the truth, in precisions, and the intervals not shown yet."""
        super().__init__()
        self.t, self.rest = t, rest


def _shown(ceiling: Ceiling, cells: Intervals, level: float, work: int) -> Intervals:
    """Return the intervals not shown to stay within LEVEL after looking at about WORK of them; raises _Victim."""
    marks = kinks(ceiling.tilted)
    work += 3 * cells.u.size
    reach = ceiling.tilted.high - ceiling.tilted.low
    narrowest = NARROWEST * max(1.0, reach if math.isfinite(reach) else 1.0)
    for _ in range(DEPTH):
        if cells.u.size == 0 or cells.u.size > min(work, WIDEST_WAVE):
            break
        may_stop()
        work -= cells.u.size
        cells = cells.some(~(ceiling.over(*cells) <= level))
        if cells.u.size == 0 or float(np.min(cells.v - cells.u)) < narrowest:
            break
        middle = split_at(cells, marks)
        gained = ceiling.at(middle)
        gained = np.where(np.isnan(gained), -1.0, gained)
        best = int(np.argmax(gained))
        halves = Intervals(np.concatenate([cells.u, middle]), np.concatenate([middle, cells.v]))
        cells = halves.some(halves.v > halves.u)
        if gained[best] > level:
            raise _Victim(float(middle[best]), cells)
    return cells


def seen_at_once(prior: Distribution, precision: float) -> Tilted:
    """Return PRIOR as seen from every truth; raises SolverFailure, in words, where no proof is at hand."""
    try:
        return prior.at_once(precision)
    except ArithmeticError as problem:
        raise _no_proof() from problem


def _no_proof() -> SolverFailure:
    return SolverFailure(
        "cannot be answered for the worst truth: no proof is at hand for numbers this far apart",
        "truth",
        "Give a truth, or bring prior and precision closer to each other.",
    )


def first_cells(prior: Distribution, seen: Tilted, epsilon: float) -> Intervals:
    """Return intervals of truths that cover the support: finer where the worst truth is looked for more closely."""
    places = search.truths(prior.plain(), seen.precision, min(epsilon, 1e9))
    return laid_out(seen, seen.places(np.array(places)))


def _in_closed_form(prior: Distribution, precision: float, direction: Direction, bound: Bound) -> bool:
    """Tell whether the worst truth is known in closed form: a uniform prior at least two precisions wide."""
    low, high = prior.support()
    return prior.plain().flat and direction == "rise" and bound == "exact" and high / 2.0 - low / 2.0 >= precision


# ------------------------------------------------------------------------- epsilon for the worst truth


def proved_loss(
    prior: Distribution, precision: float, advantage: float, direction: Direction, bound: Bound = "exact"
) -> Proved:
    """Return a proved epsilon that keeps the advantage against every truth in the support; infinite only with a proof.

    The victim found, and what it allows, lie beside it: the largest epsilon lies between the two.
    """
    atoms = prior.atoms()
    if atoms is not None:
        return _loss_for_atoms(prior, atoms, precision, advantage, direction, bound)
    if advantage >= 1.0:
        return Proved(math.inf, None, math.inf)
    if advantage == 0.0:
        least = math.inf if _never_in_closed_form(prior, precision, 0.0, direction) else 0.0
        return Proved(least, None, least)
    epsilon, truth = search.worst_loss(prior, precision, advantage, direction, bound)
    if _in_closed_form(prior, precision, direction, bound):
        return Proved(epsilon * (1.0 - 1e-12), truth, epsilon)
    if epsilon == 0.0:
        return Proved(0.0, truth, 0.0)
    seen = seen_at_once(prior, precision)
    cells = first_cells(prior, seen, epsilon)
    if math.isinf(epsilon):
        never = _never_in_closed_form(prior, precision, advantage, direction)
        if never or (never is None and _never(seen, cells, advantage, direction)):
            return Proved(math.inf, None, math.inf)
        epsilon = LARGE
    found, victims = epsilon, 0
    for margin, work in MARGINS if bound == "exact" else WHOLE:
        while victims < MOST_VICTIMS:
            ceiling = Ceiling(seen, found * (1.0 - margin), direction, bound)
            try:
                cells = _shown(ceiling, cells, advantage, work)
                break
            except _Victim as victim:
                place, cells, victims = seen.truth(victim.t), victim.rest, victims + 1
                lower = loss_for(prior.view(place, precision), advantage, bound, direction)
                if lower >= found:
                    break  # by rounding only
                found, truth = lower, place
                if found == 0.0:
                    return Proved(0.0, truth, 0.0)
        if cells.u.size == 0:
            return Proved(found * (1.0 - margin), truth, found)
        cells, victims = joined(cells), min(victims, MOST_VICTIMS - 8)
    if math.isinf(seen.high - seen.low):
        raise _no_proof()
    return Proved(_always(seen, advantage), truth, found)


def _always(seen: Tilted, advantage: float) -> float:
    """Return the epsilon that the simplified bound allows at the worst prior probability: it always holds."""
    return 4.0 * math.atanh(advantage) / (seen.high - seen.low) * (1.0 - 64.0 * UNIT)


def _never_in_closed_form(prior: Distribution, precision: float, advantage: float, direction: Direction) -> bool | None:
    """Tell whether no release exceeds the advantage against any truth, where the decimals tell; None where they do not.

    As epsilon grows the rise against a truth of the support tends to 1 - p, the drop to p (but for a truth that is
    certain). A window that slides over a density with one summit holds least at an end of the support; over bins, at an
    end or a kink.
    """
    low, high = prior.support()
    if math.isinf(high - low) and not math.isinf(high):
        return None
    if math.isinf(low) or math.isinf(high):
        return False if direction == "rise" and advantage < 1.0 else None
    make = prior.views()
    ends = [make(end, precision) for end in (low, high)]
    if all(each.certain for each in ends):
        return True
    if direction == "drop" or prior.dented() or not seen_at_once(prior, precision).one_summit:
        return None
    return all(never_exceeded(each, advantage, "rise") for each in ends)


def _never(seen: Tilted, cells: Intervals, advantage: float, direction: Direction) -> bool:
    try:
        return _shown(Ceiling(seen, math.inf, direction, "exact"), cells, advantage, 20_000).u.size == 0
    except _Victim:
        return False


def _loss_for_atoms(
    prior: Distribution, atoms: search.Masses, precision: float, advantage: float, direction: Direction, bound: Bound
) -> Proved:
    """Look at every atom once: what keeps the advantage at one epsilon keeps it at every smaller one."""
    points = atoms[0]
    make = prior.views()
    order = list(range(len(points)))
    if len(points) > FEW_ATOMS:
        tried = points[:: len(points) // FEW_ATOMS]
        few = min(loss_for(make(point, precision), advantage, bound, direction) for point in tried)
        order = search.ranked_atoms(prior, atoms, precision, few, direction) if 0.0 < few < 1e9 else order
    epsilon, truth = math.inf, None
    for i in order:
        may_stop()
        seen = make(points[i], precision)
        if epsilon == 0.0:
            break
        if not math.isinf(epsilon) and search.keeps(seen, advantage, epsilon, bound, direction):
            continue
        lower = loss_for(seen, advantage, bound, direction)
        if lower < epsilon:
            epsilon, truth = lower, points[i]
    return Proved(epsilon, truth, epsilon)


# --------------------------------------------------------------------- advantage against the worst truth


def proved_advantage(prior: Distribution, precision: float, epsilon: float, direction: Direction) -> Proved:
    """Return a proved advantage that no truth in the support exceeds at EPSILON, the worst truth found and its gain."""
    atoms = prior.atoms()
    if atoms is not None:
        atom = search.every_atom(prior, atoms[0], precision, epsilon, direction)
        best = max(atom.advantage, 0.0)
        return Proved(best, atom.truth, best)
    closed = epsilon == 0.0 or _in_closed_form(prior, precision, direction, "exact")
    if not closed and _never_in_closed_form(prior, precision, 0.0, direction):
        return Proved(0.0, prior.support()[0], 0.0)
    found = search.worst(prior, precision, epsilon, direction)
    best, truth, victims = max(found.advantage, 0.0), found.truth, 0
    if closed:
        return Proved(best, truth, best)
    seen = seen_at_once(prior, precision)
    ceiling, cells = Ceiling(seen, epsilon, direction, "exact"), first_cells(prior, seen, epsilon)
    for margin, work in (*MARGINS, (3.0, 3_000)):
        level = best * (1.0 + margin) + FLOOR
        while level < 1.0 and victims < MOST_VICTIMS:
            try:
                cells = _shown(ceiling, cells, level, work)
                break
            except _Victim as victim:
                place, cells, victims = seen.truth(victim.t), victim.rest, victims + 1
                gained = search.gained(prior, place, precision, epsilon, direction)
                best, truth = max(best, gained, float(ceiling.at(np.array([victim.t]))[0])), place
                level = best * (1.0 + margin) + FLOOR
        if cells.u.size == 0 and level < 1.0:
            return Proved(level, truth, best)
        cells, victims = joined(cells), min(victims, MOST_VICTIMS - 8)
    return Proved(1.0, truth, best)
