"""The budget of a programme of tables: the least one for its requirements, fair relaxation, and the least error."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING
from typing import Annotated

from pydantic import Field

from dpwizard.base.errors import Infeasible
from dpwizard.base.messages import message
from dpwizard.base.numerics import down, significant, smallest, up
from dpwizard.base.values import Belief, Count, OpenProbability, Positive, Ratio, Value, field, public
from dpwizard.privacy.arguments import one_for_each
from dpwizard.privacy.gaussian_risk import ToleratedLosses
from dpwizard.privacy.mechanisms import LAPLACE, ContinuousName
from dpwizard.privacy.programme.tables import MOST_TABLES, Need, check_magnitudes
from dpwizard.privacy.relative_risk import max_budget_at

ROUND = 8
PROPORTION = "State weights, sensitivities and total in proportion."


class GaussianNeed(Value):
    """The least budget of Gaussian noise for all requirements together."""

    mu: float = field("Mu", default=...)
    mu_value: float = field("Mu between two values", default=...)
    rho: float = field("Rho", default=...)


class LaplaceNeed(Value):
    """The least budget of Laplace noise for all requirements together."""

    epsilon: float = field("Epsilon", default=...)


class GaussianShares(Value):
    """A budget of Gaussian noise, divided."""

    rho: tuple[float, ...] = field("Rho of each table", default=...)
    loss: float = field("Weighted sum of the variances", default=...)


class LaplaceShares(Value):
    """A budget of Laplace noise, divided."""

    epsilons: tuple[float, ...] = field("Epsilon of each table", default=...)
    loss: float = field("Weighted sum of the variances", default=...)


class GeometricNeed(Value):
    """A table with geometric noise and its accuracy requirement."""

    sensitivity: Positive = field("Sensitivity", default=...)
    rmse: Positive = field("Largest root-mean-square error", default=...)
    times: Count = field("How often the table is made", default=1)


@public
def need(
    *,
    tables: Annotated[tuple[Need, ...], Field(min_length=1, max_length=MOST_TABLES)],
    mechanism: ContinuousName,
) -> GaussianNeed | LaplaceNeed:
    """Return the least budget at which every table meets its accuracy requirement.

    Arguments: tables, each with its sensitivity (L2 for gaussian, L1 for laplace), times, and one need; mechanism
    gaussian | laplace. Returns mu, mu_value and rho, or epsilon, **never below the true ones** and within 1e-12
    relative of them; no smaller budget is enough. Raises InvalidInput. Source: Theorem 7, docs/methods/programmes.md.
    """
    remedy = "State sensitivity and required accuracy in the same unit."
    if mechanism == LAPLACE.name:
        epsilons = [table.epsilon() for table in tables]
        check_magnitudes([max(epsilons)], "tables", remedy)
        total = math.fsum(table.times * epsilon for table, epsilon in zip(tables, epsilons, strict=True))
        return LaplaceNeed(epsilon=up(total, ROUND))
    sds = [table.sd() for table in tables]
    check_magnitudes([max(table.sensitivity / sd for table, sd in zip(tables, sds, strict=True))], "tables", remedy)
    squares = [table.squares(sd) for table, sd in zip(tables, sds, strict=True)]
    presence, value = (math.fsum(column) for column in zip(*squares, strict=True))
    return GaussianNeed(mu=up(math.sqrt(presence)), mu_value=up(math.sqrt(value)), rho=up(presence / 2.0))


@public
def fair_factor(*, need: Positive, cap: Positive) -> float:
    """Return the least common factor by which all requirements are relaxed to meet a cap.

    Arguments: need and cap > 0, both in mu or both in epsilon (never in rho). Returns a factor of at least 1, **never
    below the true one** and 1e-15 relative above it: no other relaxation has a smaller largest factor. Raises
    InvalidInput. Source: Theorem 7, docs/methods/programmes.md.
    """
    return max(1.0, up(need / cap, 1)) if need > cap else 1.0


@public
def fair_factor_geometric(
    *, tables: Annotated[tuple[GeometricNeed, ...], Field(min_length=1, max_length=MOST_TABLES)], cap: Positive
) -> float:
    """Return the least common factor by which the requirements of geometric tables are relaxed to meet CAP.

    Arguments: tables with sensitivity (L1), rmse and times; cap > 0 in epsilon. Returns a factor of at least 1, **never
    below the true one** and within 1e-12 relative of it. Raises InvalidInput. Source: Theorem 7,
    docs/methods/programmes.md.
    """

    def keeps_cap(factor: float) -> bool:
        # the standard deviation of geometric noise is 1/(sqrt(2) sinh(u/2)), u = epsilon/D
        rates = ((t, up(2.0 * math.asinh(1.0 / (math.sqrt(2.0) * factor * t.rmse)), 32)) for t in tables)
        return math.fsum(t.times * t.sensitivity * rate for t, rate in rates) <= cap

    # of a sensitivity D and an error s, 2 D asinh(1/(sqrt(2) s)) is below sqrt(2) D/s, the need of Laplace noise
    by_laplace = math.fsum(t.times * math.sqrt(2.0) * t.sensitivity / t.rmse for t in tables) / cap
    check_magnitudes(
        [by_laplace],
        "tables",
        "State the accuracy requirements and the upper limit in proportion to the sensitivities.",
    )
    return smallest(keeps_cap, 1.0, max(1.0, by_laplace) * (1.0 + 1e-12))


@public
def requirement_factor(
    *,
    p: Belief,
    q: Belief,
    ratio: Ratio,
    tolerance: OpenProbability,
    mu: Positive,
    mu_value: Positive,
) -> float:
    """Return the least common factor on all noise that meets a ratio of chances except with TOLERANCE.

    Arguments: p, q in (0, 1]; ratio above 1, or inf; tolerance in (0, 1); mu and mu_value > 0, of all tables together.
    Returns a factor of at least 1, **never below the true one** and within 1e-12 relative of it except where the ratio
    nears 1 or 1/(pq). Raises InvalidInput; Infeasible if only infinite noise is enough. Source: Theorem 1,
    docs/methods/gaussian_risk.md.
    """
    check_magnitudes([mu, mu_value], "mu", "Both are of the same noise.")
    largest_mu = max_budget_at(p, q, ratio, ToleratedLosses(tolerance, mu_value / mu))
    if largest_mu == 0.0:
        raise Infeasible(
            message("must be above 1; found {found:g}", found=ratio),
            "ratio",
            "Enter a number above 1: every release reveals something.",
        )
    return max(1.0, up(mu / largest_mu, 2))


@public
def share(
    *,
    weights: Annotated[tuple[Positive, ...], Field(min_length=1, max_length=MOST_TABLES)],
    sensitivities: Annotated[tuple[Positive, ...], Field(min_length=1, max_length=MOST_TABLES)],
    total: Positive,
    mechanism: ContinuousName,
    at_most_sd: Annotated[tuple[Positive | None, ...], Field(max_length=MOST_TABLES)] | None = None,
) -> GaussianShares | LaplaceShares:
    """Return the shares of a budget with the least weighted sum of variances.

    Arguments: weights and sensitivities > 0, one for each table (L2 for gaussian, L1 for laplace); total, rho or
    epsilon; mechanism gaussian | laplace; at_most_sd, the largest standard deviation of each table, null if there is no
    requirement. Returns rho or epsilons, **in all never above the total**, and the loss, within 1e-12 relative of the
    least. Raises InvalidInput; Infeasible, with the factor by which all requirements must be relaxed, if they need more
    than the total. Source: Theorem 7, docs/methods/programmes.md.
    """
    count = len(weights)
    for name, entries in (("sensitivities", sensitivities), ("at_most_sd", at_most_sd)):
        if entries is not None:
            one_for_each(entries, count, name)
    normal = mechanism != LAPLACE.name
    tables = list(zip(weights, sensitivities, at_most_sd or (None,) * count, strict=True))
    if normal:  # variance D^2/(2 rho)
        mus = [0.0 if sd is None else d / sd for _, d, sd in tables]
        needs = [up(0.5 * mu * mu, 2) for mu in mus]
        rates = [d * math.sqrt(w) for w, d, _ in tables]
    else:  # variance 2 D^2/eps^2
        needs = [0.0 if sd is None else up(math.sqrt(2.0) * d / sd, 2) for _, d, sd in tables]
        rates = [math.cbrt(w) * math.cbrt(d) ** 2 for w, d, _ in tables]
    check_magnitudes([max(total, *needs)], "at_most_sd", PROPORTION)
    needed = math.fsum(needs)
    if needed > total * (1.0 + 1e-12):
        factor = math.sqrt(needed / total) if normal else needed / total  # rho ~ 1/sd^2, epsilon ~ 1/sd
        raise Infeasible(
            message("is less than the {asked:.6g} that the accuracy requirements need", asked=needed),
            "total",
            message(
                "Multiply every at_most_sd by {factor:.6g}, or raise the total.",
                factor=float(significant(factor, 6, ROUND_CEILING)),
            ),
        )
    check_magnitudes(rates, "weights", PROPORTION)
    budgets = _fill_to_total(needs, rates, total)
    check_magnitudes(budgets, "total", PROPORTION)
    pairs = list(zip(weights, sensitivities, budgets, strict=True))
    if normal:
        return GaussianShares(rho=tuple(budgets), loss=math.fsum(w * d / budget * d / 2.0 for w, d, budget in pairs))
    return LaplaceShares(
        epsilons=tuple(budgets), loss=math.fsum(2.0 * w * (d / budget) * (d / budget) for w, d, budget in pairs)
    )


def _fill_to_total(needs: list[float], rates: list[float], total: float) -> list[float]:
    """Return max(need, level * rate) for the level at which they add up to TOTAL.

    It meets the Karush-Kuhn-Tucker conditions. Tables whose least budget is below the level share the rest.
    """
    order = sorted(range(len(needs)), key=lambda i: needs[i] / rates[i])
    at_need, rates_above = math.fsum(needs), 0.0
    level = 0.0
    for position, i in enumerate(order):
        at_need, rates_above = at_need - needs[i], rates_above + rates[i]
        level = max(total - max(at_need, 0.0), 0.0) / rates_above
        following = order[position + 1] if position + 1 < len(order) else None
        if following is None or level <= needs[following] / rates[following]:
            break
    budgets = [max(n, level * r) for n, r in zip(needs, rates, strict=True)]
    sum_of_budgets = math.fsum(budgets)
    scale = total / sum_of_budgets if sum_of_budgets > total else 1.0
    return [down(budget * scale, 2) for budget in budgets]
