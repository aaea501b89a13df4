"""Which questions may be asked next, and the expected information of each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpwizard.decision import Chance
from dpwizard.elicitation.question_design import (
    BINS,
    FINE,
    LEVELS,
    PAIR_LEVELS,
    PAIR_QUANTILES,
    TAILS,
    WHOLE,
    Mask,
    Posterior,
    quantiles,
    question_priors,
    severity,
)
from dpwizard.elicitation.tolerance_curves import Array


@dataclass(frozen=True, slots=True)
class Proposal:
    """A question that may be asked next, and the expected information of its answer, in nats."""

    a: Chance
    b: Chance | None
    expected_information: float


def counted(prior: float, posterior: float, fine: int = FINE, out_of: int = 0) -> Chance | None:
    """Return a move in whole counts out of a power of ten, fine enough to show the increase; None if there is none."""
    denominator = max(100, out_of)
    while denominator < 10**12:
        before = prior * denominator
        if abs(before - round(before)) < 1e-6 * before and (posterior - prior) * denominator >= fine:
            break
        if denominator >= out_of > 0 and abs(before - round(before)) < 1e-6 * before:
            break
        denominator *= 10
    before, after = round(prior * denominator), round(posterior * denominator)
    exact = before >= 1 and abs(before - prior * denominator) < 1e-6 * before
    return Chance(out_of=denominator, before=before, after=after) if exact and before < after < denominator else None


def level_proposals(posterior: Posterior, asked: frozenset[tuple[float, float]] = frozenset()) -> list[Proposal]:
    """Return questions on one release at the priors in play, with the information of each."""
    columns: dict[Chance, int] = {}  # each move with its column, in order and once
    for column, prior in enumerate(posterior.priors):
        if prior not in question_priors(posterior.span):
            continue
        for level in sorted(set(quantiles(posterior.log_after[:, column], posterior.weights, LEVELS))):
            move = counted(prior, math.exp(level))
            if move is not None and (move.prior, move.posterior) not in asked:
                columns.setdefault(move, column)
    if not columns:
        return []
    thresholds = np.array([math.log(move.posterior) - 1e-12 for move in columns])
    information = _information(posterior, (posterior.log_after[:, list(columns.values())] >= thresholds,))
    return [Proposal(move, None, float(gain)) for move, gain in zip(columns, information, strict=True)]


def pair_proposals(posterior: Posterior, asked: frozenset[tuple[float, float]] = frozenset()) -> list[Proposal]:
    """Return comparisons of two releases at different priors, with the information of each."""
    priors = [prior for prior in posterior.priors if prior in question_priors(posterior.span)]
    if len(priors) > 5:
        priors = [priors[round(i * (len(priors) - 1) / 4)] for i in range(5)]
    columns = {prior: posterior.log_after[:, posterior.priors.index(prior)] for prior in priors}
    limits = {prior: quantiles(columns[prior], posterior.weights, PAIR_QUANTILES) for prior in priors}
    pairs = []
    for i, first in enumerate(priors):
        for second in priors[i + 1 :]:
            for u, v in PAIR_LEVELS:
                pair = _pair(first, math.exp(limits[first][u]), second, math.exp(limits[second][v]))
                if pair is None or pair in pairs or _tied(*pair):
                    continue
                if not {(m.prior, m.posterior) for m in pair} & asked:
                    pairs.append(pair)
    if not pairs:
        return []
    information = _information_of_pairs(posterior, pairs)
    return [Proposal(a, b, float(gain)) for (a, b), gain in zip(pairs, information, strict=True)]


def _tied(a: Chance, b: Chance) -> bool:
    """Return whether two releases multiply, or raise, the chance by the same: a comparison may then have no answer."""
    return a.after * b.before == b.after * a.before or a.after - a.before == b.after - b.before


def expected_information(posterior: Posterior, a: Chance, b: Chance | None) -> float:
    """Return the expected information of the answer to a question, in nats; POSTERIOR is thinned."""
    if b is None:
        accepted = posterior.log_after[:, [posterior.priors.index(a.prior)]] >= math.log(a.posterior) - 1e-12
        return float(_information(posterior, (accepted,))[0])
    return float(_information_of_pairs(posterior, [(a, b)])[0])


def _information_of_pairs(posterior: Posterior, pairs: Sequence[tuple[Chance, Chance]]) -> Array:
    severities = {
        move: severity(move, posterior.log_after[:, posterior.priors.index(move.prior)], posterior.severities)
        for move in {move for pair in pairs for move in pair}
    }
    first_over, second_over = (np.column_stack([severities[pair[side]] for pair in pairs]) for side in (0, 1))
    neither = (first_over > 0.0) & (second_over > 0.0)
    rather_a = (first_over < second_over) & ~neither
    return _information(posterior, (rather_a, ~rather_a & ~neither))


def _pair(first: float, after_first: float, second: float, after_second: float) -> tuple[Chance, Chance] | None:
    """Return two moves counted out of the same number, or None."""
    a, b = counted(first, after_first), counted(second, after_second)
    if a is None or b is None:
        return None
    most = max(a.out_of, b.out_of)
    return _times(a, most // a.out_of), _times(b, most // b.out_of)


def _times(chance: Chance, factor: int) -> Chance:
    return Chance(out_of=chance.out_of * factor, before=chance.before * factor, after=chance.after * factor)


def _information(posterior: Posterior, outcomes: tuple[Mask, ...]) -> Array:
    """Return the information of each question: on epsilon (mutual information), its tails, and the curve.

    Information alone would go on halving the bulk and leave a small chance of a far smaller epsilon unasked about; the
    share of the variance of log epsilon that an answer explains is what the recommended end of the interval moves by.

    OUTCOMES are arrays (points x questions): whether a point gives the answer; the last answer, given by all others, is
    left out. POSTERIOR is a thinned belief: its points stand in the order of epsilon.
    """
    weights = posterior.weights
    bins = np.minimum((np.cumsum(weights) * BINS).astype(int), BINS - 1)
    # sums over bins, not a product of matrices: threads of its own cost more
    starts = np.flatnonzero(np.diff(bins, prepend=-1))
    masses = np.add.reduceat(weights, starts)
    count = len(outcomes) + 1
    keep, stray = 1.0 - posterior.slip, posterior.slip / (count - 1)
    total, inside = np.zeros(outcomes[0].shape[1]), np.zeros(outcomes[0].shape[1])
    logs = np.log(posterior.epsilon)
    logs = logs - float((weights * logs).sum())
    variance = float((weights * logs * logs).sum())
    answer_weights = [np.where(outcome, weights[:, None], 0.0) for outcome in outcomes]
    sums = [np.add.reduceat(part, starts, axis=0) for part in answer_weights]
    moments = [(part * logs[:, None]).sum(axis=0) for part in answer_weights]
    sums.append(masses[:, None] - sum(sums))
    moments.append(-sum(moments))  # logs are taken from their mean
    explained = np.zeros_like(total)
    for part, moment in zip(sums, moments, strict=True):
        chance = stray + (keep - stray) * np.maximum(part, 0.0) / masses[:, None]
        overall = (masses[:, None] * chance).sum(axis=0)
        explained += ((keep - stray) * moment) ** 2 / overall
        total -= overall * np.log(overall)
        inside -= (masses[:, None] * chance * np.log(chance)).sum(axis=0)
    blur = -(keep * math.log(keep) + (count - 1) * stray * math.log(stray))
    spread = explained / max(variance, 1e-12)
    return np.asarray((total - inside) + WHOLE * np.maximum(total - blur, 0.0) + TAILS * spread)
