"""The axis of budgets read as the officer likes: as epsilon, as rho, or as the noise; every place stays where it is."""

from __future__ import annotations

from dataclasses import replace

from dpwizard.charts.charts import Axis
from dpwizard.decision import Decision, deviation, rho_and_mu
from dpwizard.language import counting
from dpwizard.wording import number, word

DIGITS = 3  # significant, of a tick
ENDLESS = "∞"


def read(x: Axis, decision: Decision | None) -> Axis:
    """Return the axis X of the budgets of DECISION with its ticks in what it is read as, and named so.

    As it is where that is what the budget is counted in, or where there is nothing to convert to: another rho than that
    of Gaussian noise, an epsilon without a delta, the deviation of several tables.
    """
    if decision is None or decision.axis is None or decision.axis == decision.release.counted_in:
        return x
    found = tuple(_told(decision, value) for value, _ in x.ticks)
    if all(one is None for one in found):
        return x
    ticks = tuple(
        (value, ENDLESS if one is None else _short(one)) for (value, _), one in zip(x.ticks, found, strict=True)
    )
    return replace(x, title=_title(decision.axis) if x.title else "", ticks=ticks)


def _told(decision: Decision, budget: float) -> float | None:
    if decision.axis == "sd":
        return deviation(decision.release, budget)
    return rho_and_mu(decision.release, budget, "upper")[0] if decision.axis == "rho" else None


def _title(axis: str) -> str:
    if axis == "sd":
        return word("chart", "axis_sd")
    with counting(axis):
        return word("chart", "axis_epsilon")


def _short(value: float) -> str:
    return number(float(f"{value:.{DIGITS}g}"))
