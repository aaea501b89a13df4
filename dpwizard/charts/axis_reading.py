"""The axis of budgets read as the officer likes: as epsilon, as rho, or as the noise; every place stays where it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpwizard.base.language import counting
from dpwizard.charts.charts import Axis
from dpwizard.decision import Decision, deviation, rho_and_mu
from dpwizard.wording import number, word

DIGITS = 3  # significant, of a tick
ENDLESS = "∞"


def read(x: Axis, decision: Decision | None) -> Axis:
    """Return the axis X of the budgets of DECISION with its ticks in what it is read as, and named so."""
    if decision is None or decision.axis is None:
        return x
    return with_readings(x, decision.axis, dict(readings(x, decision)))


def readings(x: Axis, decision: Decision) -> tuple[tuple[float, float | None], ...]:
    """Return the ticks of X with what DECISION reads them as; None where it is without limit.

    Nothing where that is what the budget is counted in, or where there is nothing to convert to: another rho than that
    of Gaussian noise, an epsilon without a delta, the deviation of several tables.
    """
    if decision.axis is None or decision.axis == decision.release.counted_in:
        return ()
    found = tuple((value, _tick_reading(decision, value)) for value, _ in x.ticks)
    return () if all(one is None for _, one in found) else found


def with_readings(x: Axis, axis: str, found: Mapping[float, float | None]) -> Axis:
    """Return the axis X with its ticks as they were FOUND to be read, and named AXIS; as it is where none was."""
    if not found:
        return x
    ticks = tuple((value, ENDLESS if found.get(value) is None else _short(found[value] or 0.0)) for value, _ in x.ticks)
    return replace(x, title=_title(axis) if x.title else "", ticks=ticks)


def _tick_reading(decision: Decision, budget: float) -> float | None:
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
