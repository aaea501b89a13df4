"""How a programme of tables divides its budget: what needs ask for, how they are widened fairly, least error."""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from dpwizard.errors import Infeasible, InvalidInput
from dpwizard.messages import message
from dpwizard.numerics import decimal, down, smallest, up
from dpwizard.privacy.gaussian_risk import false_alarm
from dpwizard.privacy.mechanisms import GEOMETRIC, LAPLACE, ContinuousName, GaussianTradeOff
from dpwizard.privacy.programme.tables import MOST, Need
from dpwizard.values import Belief, Count, OpenProbability, Positive, Value, field, public

ROUND = 8
WIDEST = 1e12  # the largest factor looked for


class GaussianNeed(Value):
    """What needs ask of Gaussian noise together."""

    mu: float = field("Mu", default=...)
    mu_value: float = field("Mu of two values", default=...)
    rho: float = field("Rho", default=...)


class LaplaceNeed(Value):
    """What needs ask of Laplace noise together."""

    epsilon: float = field("Epsilon", default=...)


class GaussianShares(Value):
    """A budget of Gaussian noise, shared."""

    rho: tuple[float, ...] = field("Rho of each table", default=...)
    loss: float = field("Weighted sum of the variances", default=...)


class LaplaceShares(Value):
    """A budget of Laplace noise, shared."""

    epsilons: tuple[float, ...] = field("Epsilon of each table", default=...)
    loss: float = field("Weighted sum of the variances", default=...)


class GeometricNeed(Value):
    """A table of geometric noise and its need."""

    sensitivity: Positive = field("Sensitivity", default=...)
    rmse: Positive = field("Largest root-mean-square error", default=...)
    times: Count = field("How often the table is made", default=1)


@public
def need(
    *,
    tables: Annotated[tuple[Need, ...], Field(min_length=1, max_length=MOST)],
    mechanism: ContinuousName,
) -> GaussianNeed | LaplaceNeed:
    """Return the least budget with which every table is as accurate as it must be.

    Arguments: tables, each with its sensitivity (L2 for gaussian, L1 for laplace), times, and one need; mechanism
    gaussian | laplace. Returns mu, mu_value and rho, or epsilon, **never below the true needs** and within 1e-12
    relative of them; no smaller budget will do. Raises InvalidInput. Source: Theorem 7, docs/methods/programmes.md.
    """
    if mechanism == LAPLACE.name:
        return LaplaceNeed(epsilon=up(math.fsum(table.times * table.epsilon() for table in tables), ROUND))
    presence = math.fsum(table.times * (table.sensitivity / table.sd()) ** 2 for table in tables)
    value = math.fsum(table.times * (table.of_value / table.sd()) ** 2 for table in tables)
    return GaussianNeed(mu=up(math.sqrt(presence)), mu_value=up(math.sqrt(value)), rho=up(presence / 2.0))


@public
def fair_factor(*, need: Positive, cap: Positive) -> float:
    """Return the least factor by which all needs are widened alike so that they keep a cap.

    Arguments: need and cap > 0, both in mu or both in epsilon (never in rho). Returns a factor of at least 1, **never
    below the true one** and 1e-15 relative above it: no other widening has a smaller largest factor. Raises
    InvalidInput. Source: Theorem 7, docs/methods/programmes.md.
    """
    return max(1.0, up(need / cap, 1)) if need > cap else 1.0


@public
def fair_factor_geometric(
    *, tables: Annotated[tuple[GeometricNeed, ...], Field(min_length=1, max_length=MOST)], cap: Positive
) -> float:
    """Return the least factor by which the needs of geometric tables are widened alike so that they keep CAP.

    Arguments: tables with sensitivity (L1), rmse and times; cap > 0 in epsilon. Returns a factor of at least 1, **never
    below the true one** and within 1e-12 relative of it. Raises InvalidInput. Source: Theorem 7,
    docs/methods/programmes.md.
    """

    def kept(factor: float) -> bool:
        asked = (t.times * GEOMETRIC.epsilon_for_sd(factor * t.rmse, t.sensitivity, 0.0) for t in tables)
        return math.fsum(asked) <= cap

    if not kept(WIDEST):
        raise Infeasible("is too small for any widening looked for", "cap", "Raise the cap, or leave tables out.")
    return smallest(kept, 1.0, WIDEST)


@public
def requirement_factor(
    *,
    p: Belief,
    q: Belief,
    ratio: Positive,
    tolerance: OpenProbability,
    mu: Positive,
    mu_value: Positive,
) -> float:
    """Return the least factor by which all noise is widened so that a ratio of chances is kept but for TOLERANCE.

    Arguments: p, q in (0, 1]; ratio above 1; tolerance in (0, 1); mu and mu_value > 0, of all tables together. Returns
    a factor of at least 1, **never below the true one** and within 1e-12 relative of it. Raises InvalidInput;
    Infeasible where ratio is 1 or less. Source: Theorem 1, docs/methods/gaussian_risk.md.
    """
    if ratio <= 1.0:
        raise Infeasible(
            message("must be above 1; found {found:g}", found=ratio),
            "ratio",
            "Only without a release nothing is learned.",
        )
    room = decimal(ratio) * decimal(p) * decimal(q)
    if room >= 1:
        return 1.0  # nothing can be that much likelier
    left = float((1 - room) / decimal(ratio)) * tolerance
    w0, w1 = 1.0 - p, p * (1.0 - q)

    def kept(factor: float) -> bool:
        alarms = (
            weight * false_alarm(mechanism=GaussianTradeOff(mu=far / factor), hit=tolerance)
            for weight, far in ((w0, mu), (w1, mu_value))
            if weight
        )
        return math.fsum(alarms) >= left

    if not kept(WIDEST):
        raise Infeasible("lies too near to 1 for any widening looked for", "ratio", "Raise the ratio.")
    return smallest(kept, 1.0, WIDEST)


@public
def share(
    *,
    weights: Annotated[tuple[Positive, ...], Field(min_length=1, max_length=MOST)],
    sensitivities: Annotated[tuple[Positive, ...], Field(min_length=1, max_length=MOST)],
    total: Positive,
    mechanism: ContinuousName,
    at_most_sd: Annotated[tuple[Positive | None, ...], Field(max_length=MOST)] | None = None,
) -> GaussianShares | LaplaceShares:
    """Return the shares of a budget with the least weighted sum of variances.

    Arguments: weights and sensitivities > 0, one for each table (L2 for gaussian, L1 for laplace); total, rho or
    epsilon; mechanism gaussian | laplace; at_most_sd, the largest standard deviation of each table, null where there is
    no need. Returns rho or epsilons, **in all never above the total**, and the loss, within 1e-12 relative of the
    least. Raises InvalidInput; Infeasible, with the factor by which all needs would have to be widened, where they ask
    for more than the total. Source: Theorem 7, docs/methods/programmes.md.
    """
    count = len(weights)
    for name, entries in (("sensitivities", sensitivities), ("at_most_sd", at_most_sd)):
        if entries is not None and len(entries) != count:
            raise InvalidInput(
                message(
                    "must have one entry for each of the {count} weights; found {found}",
                    count=count,
                    found=len(entries),
                ),
                name,
                "Give each table its own.",
            )
    normal = mechanism != LAPLACE.name
    limits = at_most_sd or (None,) * count
    tables = list(zip(weights, sensitivities, limits, strict=True))
    if normal:  # variance D^2/(2 rho)
        needs = [0.0 if sd is None else up(d * d / (2.0 * sd * sd), 2) for _, d, sd in tables]
        rates = [d * math.sqrt(w) for w, d, _ in tables]
    else:  # variance 2 D^2/eps^2
        needs = [0.0 if sd is None else up(math.sqrt(2.0) * d / sd, 2) for _, d, sd in tables]
        rates = [math.cbrt(w * d * d) for w, d, _ in tables]
    asked = math.fsum(needs)
    if asked > total * (1.0 + 1e-12):
        factor = math.sqrt(asked / total) if normal else asked / total  # rho goes as 1/sd^2, epsilon as 1/sd
        raise Infeasible(
            message("is less than the {asked:.6g} that the needs ask for", asked=asked),
            "total",
            message(
                "Widen every at_most_sd {factor:.6g} times, or raise the total.",
                factor=math.sqrt(factor) if normal else factor,
            ),
        )
    found = _filled(needs, rates, total)
    pairs = list(zip(weights, sensitivities, found, strict=True))
    if normal:
        return GaussianShares(rho=tuple(found), loss=math.fsum(w * d * d / (2.0 * own) for w, d, own in pairs))
    return LaplaceShares(epsilons=tuple(found), loss=math.fsum(2.0 * w * (d / own) ** 2 for w, d, own in pairs))


def _filled(needs: list[float], rates: list[float], total: float) -> list[float]:
    """Return max(need, level * rate) for the level at which they come to TOTAL: the conditions of Karush, Kuhn, Tucker.

    From the largest level at which a table is at its need down: those above it share what the others leave.
    """
    order = sorted(range(len(needs)), key=lambda i: needs[i] / rates[i])
    held, free = math.fsum(needs), 0.0
    level = 0.0
    for position, i in enumerate(order):  # tables whose need is below the level are free
        held, free = held - needs[i], free + rates[i]
        level = max(total - max(held, 0.0), 0.0) / free
        following = order[position + 1] if position + 1 < len(order) else None
        if following is None or level <= needs[following] / rates[following]:
            break
    found = [max(n, level * r) for n, r in zip(needs, rates, strict=True)]
    over = math.fsum(found)
    scale = total / over if over > total else 1.0
    return [down(own * scale, 2) for own in found]
