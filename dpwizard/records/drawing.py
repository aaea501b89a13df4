"""What the pages of a record draw and print, computed once, when the record is made: see `dpwizard.records.drawn`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN

from dpwizard.base.fractional import exactly
from dpwizard.base.numerics import significant
from dpwizard.base.values import plain, read
from dpwizard.charts import Noise, RiskCurve, axis_chart, axis_reading, curves
from dpwizard.decision import (
    Assessment,
    Decision,
    NumberSetting,
    Release,
    added_noises,
    promises,
    small_groups,
    widths_of_tables,
)
from dpwizard.decision.requirements import RelativeRisk
from dpwizard.records import front
from dpwizard.records.drawn import (
    Accuracy,
    AddedNoise,
    Bare,
    Clause,
    Curve,
    Drawn,
    Group,
    NumberNoise,
    Profile,
    Reading,
    Reason,
    Share,
    Within,
)
from dpwizard.wording import general_promise

DIGITS = 6
MOST_PROFILES = 12  # risk profiles drawn, those that allow least
FEW_NOISES = 2  # noises drawn


def drawn(decision: Decision, assessment: Assessment) -> Drawn:
    """Return what the pages of DECISION draw and print beside its ASSESSMENT."""
    planned = decision.planned
    release, chosen = planned.release, planned.chosen
    return Drawn(
        shares=_shares(decision, planned),
        profiles=tuple(_profiles(planned, assessment)),
        accuracy=_accuracy(release, chosen),
        added=tuple(_added(release, chosen)),
        within=tuple(_within(release, chosen)),
        groups=tuple(_groups(planned)),
        meaning=tuple(tuple(map(_clause, sentence)) for sentence in meaning(planned)),
        no_promise=general_promise.nothing_holds(release),
        axis=_axis(planned, assessment),
        front=front.front(planned, assessment),
    )


# ------------------------------------------------------------------------------------------------- six digits


def _near(value: float) -> float:
    return _six(value, ROUND_HALF_EVEN)


def _down(value: float) -> float:
    return _six(value, ROUND_FLOOR)


def _up(value: float) -> float:
    return _six(value, ROUND_CEILING)


def _six(value: float, how: str) -> float:
    return value if math.isinf(value) else float(significant(value, DIGITS, how))


def _bounded(value: float) -> float | None:
    return None if math.isinf(value) else value


def _maybe_up(value: float | None) -> float | None:
    return None if value is None else _bounded(_up(value))


# ------------------------------------------------------------------------------------------------- shares


def _shares(decision: Decision, planned: Decision) -> tuple[Share, ...]:
    """Return the shares that the allocation found; none where the file states them all."""
    if planned is decision:
        return ()
    found = []
    for stated, part in zip(decision.release.parts, planned.release.parts, strict=True):
        share = None if stated.share == part.share else float(exactly(part.share or 0))
        found.append(Share(share=_maybe_up(share), epsilon=None if stated.epsilon else _maybe_up(part.epsilon)))
    return tuple(found)


# ------------------------------------------------------------------------------------------------- curves


def _profiles(decision: Decision, assessment: Assessment) -> Iterator[Profile]:
    """Yield the curves of the risk profiles that allow least, in the order of the requirements."""
    pairs = enumerate(zip(decision.requirements, assessment.answers, strict=True))
    ranked = sorted(
        (math.inf if answer.epsilon is None else answer.epsilon, index)
        for index, (requirement, answer) in pairs
        if isinstance(requirement, RelativeRisk) and requirement.enabled and answer.status in ("allowed", "unbounded")
    )
    for index in sorted(index for _, index in ranked[:MOST_PROFILES]):
        requirement, answer = decision.requirements[index], assessment.answers[index]
        assert isinstance(requirement, RelativeRisk)
        told = {name: value for name, value in answer.binding.items() if isinstance(value, int | float)}
        of_answer = {
            "status": answer.status,
            "binding": told,
            "attained": answer.attained,
            "epsilon": answer.epsilon,
        }
        found = curves.risk_curves(requirement, decision.release, of_answer, decision.chosen)
        yield Profile(requirement=index, curves=tuple(_curve(curve) for curve in found))


def _curve(curve: RiskCurve) -> Curve:
    return Curve(
        axis=curve.axis,
        other=_near(curve.other),
        priors=tuple(map(_near, curve.priors)),
        allowed=tuple(_bounded(_up(ratio)) for ratio in curve.allowed),
        epsilons=tuple(_bounded(_down(epsilon)) for epsilon in curve.epsilons),
        given=tuple(_bounded(_up(ratio)) for ratio in curve.given),
    )


# ------------------------------------------------------------------------------------------------- noise


def _accuracy(release: Release, chosen: float | None) -> Accuracy | None:
    if chosen is None or release.noise.absent or not promises.of_one_curator(release):
        return None
    without: dict[Bare, None] = {}
    gathered: dict[Noise, list[str | None]] = {}
    for table in release.tables:
        setting = release.number_setting(table.name)
        if not isinstance(setting, NumberSetting):
            return Accuracy(known=False, without=tuple(without), noises=tuple(_noises(gathered)))
        noise = curves.noise(setting, chosen)
        if noise is not None:
            gathered.setdefault(noise, []).append(table.name)
        elif setting.in_steps:
            without[Bare(reason="noise_in_steps", step=setting.step)] = None
        else:
            without[Bare(reason="none" if setting.noise is None else "useless", step=None)] = None
    return Accuracy(known=True, without=tuple(without), noises=tuple(_noises(gathered)))


def _noises(gathered: Mapping[Noise, list[str | None]]) -> Iterator[NumberNoise]:
    for at, (noise, tables) in enumerate(gathered.items()):
        draws = at < FEW_NOISES
        yield NumberNoise(
            tables=tuple(tables),
            mechanism=noise.mechanism,
            exact=_down(noise.exact),
            half_width=_up(noise.half_width),
            coverage=_down(noise.coverage),
            sd=_up(noise.sd),
            mean_absolute=_up(noise.mean_absolute),
            whole=noise.whole,
            values=tuple(map(_near, noise.values)) if draws else (),
            heights=tuple(map(_near, noise.heights)) if draws else (),
        )


def _added(release: Release, chosen: float | None) -> Iterator[AddedNoise]:
    for one in added_noises(release, chosen):
        yield AddedNoise(
            tables=one.tables,
            mechanism=one.noise.name,
            scale=_up(one.scale),
            step=one.step,
            sd=_up(one.sd),
            within_90=_up(one.half_width(0.90)),
            within_95=_up(one.half_width(0.95)),
            exact=_down(one.noise.exact_mass(one.scale)),
        )


def _within(release: Release, chosen: float | None) -> Iterator[Within]:
    for half_width, tables in widths_of_tables(release, chosen).items():
        yield Within(tables=tables, half_width=_up(half_width))


def _groups(decision: Decision) -> Iterator[Group]:
    for one in small_groups(decision.release, decision.chosen, decision.details.small_groups or ()):
        yield Group(
            tables=one.tables,
            count=one.count,
            half_width=_up(one.half_width),
            off_by_tenth=_up(one.off_by_tenth),
            off_by_half=_up(one.off_by_half),
            gone=_up(one.gone),
        )


# ------------------------------------------------------------------------------------------------- words and axis


def meaning(decision: Decision) -> tuple[tuple[general_promise.Clause, ...], ...]:
    """Return what the budget of DECISION means; nothing where a table without noise leaves nothing to be said."""
    release = decision.release
    if release.noise.absent_somewhere and general_promise.nothing_holds(release):
        return ()
    return general_promise.clauses(decision)


def _clause(clause: general_promise.Clause) -> Clause:
    reason = clause.reason
    told = None if reason is None else read(Reason, {"key": reason.key, "figures": plain(reason.values)})
    figures = {name: _up(value) if isinstance(value, float) else value for name, value in clause.figures.items()}
    return Clause(section=clause.section, key=clause.key, figures=figures, reason=told)


def _axis(decision: Decision, assessment: Assessment) -> tuple[Reading, ...]:
    """Return what the ticks of the axis of budgets are read as, where the decision reads them otherwise."""
    rows = axis_chart.closest([axis_chart.row_of(answer) for answer in assessment.answers])
    found = axis_reading.readings(axis_chart.axis_of(rows, decision.chosen), decision)
    return tuple(Reading(budget=at, told=None if told is None else _near(told)) for at, told in found)
