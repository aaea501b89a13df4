"""What the pages of a record draw and print, computed once, when the record is made: see `dpwizard.records.drawn`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN
from fractions import Fraction

from dpwizard.base.fractional import exactly
from dpwizard.base.numerics import significant
from dpwizard.base.values import plain, read
from dpwizard.charts import DrawnNoise, RiskCurve, axis_chart, curves
from dpwizard.decision import (
    AccuracyInputs,
    Assessment,
    Decision,
    Release,
    TableSum,
    added_noises,
    release_flaws,
    small_groups,
    sums_of,
    table_sums,
    widths_of_tables,
)
from dpwizard.decision import AddedNoise as NoiseAdded
from dpwizard.decision.requirements import NoiseInterval, RelativeRisk
from dpwizard.privacy.accuracy import SumNoise
from dpwizard.records.drawn import (
    Accuracy,
    AddedNoise,
    Bare,
    Curve,
    Drawn,
    Front,
    Group,
    NumberNoise,
    Profile,
    Reading,
    RecordedClause,
    RecordedReason,
    Share,
    SumWidth,
    Weighed,
    Within,
)
from dpwizard.wording import general_guarantee, plain_sentences

DIGITS = 6
MOST_PROFILES = 12  # risk profiles drawn, those that allow least
FEW_NOISES = 2  # noises drawn
LEVEL = 0.95  # of what one gets where nobody asked
SHOWN_AS = 3  # or more: as which a true 0 is looked at
MOST_CELLS = 100_000  # of a sum that is added up


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
        no_promise=general_guarantee.no_guarantee_reason(release),
        axis=_axis(planned, assessment),
        front=front(planned, assessment),
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
    shares = []
    for stated, part in zip(decision.release.parts, planned.release.parts, strict=True):
        share = None if stated.share == part.share else float(exactly(part.share or 0))
        shares.append(Share(share=_maybe_up(share), epsilon=None if stated.epsilon else _maybe_up(part.epsilon)))
    return tuple(shares)


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
        figures = {name: value for name, value in answer.binding.items() if isinstance(value, int | float)}
        of_answer = {
            "status": answer.status,
            "binding": figures,
            "attained": answer.attained,
            "epsilon": answer.epsilon,
        }
        lines = curves.risk_curves(requirement, decision.release, of_answer, decision.chosen)
        yield Profile(requirement=index, curves=tuple(_curve(curve) for curve in lines))


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
    if chosen is None or release.noise.absent or not release_flaws.is_central_model(release):
        return None
    without: dict[Bare, None] = {}
    gathered: dict[DrawnNoise, list[str | None]] = {}
    for table in release.tables:
        setting = release.number_setting(table.name)
        if not isinstance(setting, AccuracyInputs):
            return Accuracy(known=False, without=tuple(without), noises=tuple(_noises(gathered)))
        noise = curves.noise(setting, chosen)
        if noise is not None:
            gathered.setdefault(noise, []).append(table.name)
        elif setting.in_steps:
            without[Bare(reason="noise_in_steps", step=setting.step)] = None
        else:
            without[Bare(reason="none" if setting.noise is None else "useless", step=None)] = None
    return Accuracy(known=True, without=tuple(without), noises=tuple(_noises(gathered)))


def _noises(gathered: Mapping[DrawnNoise, list[str | None]]) -> Iterator[NumberNoise]:
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
    for noise in added_noises(release, chosen):
        yield AddedNoise(
            tables=noise.tables,
            mechanism=noise.noise.name,
            scale=_up(noise.scale),
            step=noise.step,
            sd=_up(noise.sd),
            within_90=_up(noise.half_width(0.90)),
            within_95=_up(noise.half_width(0.95)),
            exact=_down(noise.noise.exact_mass(noise.scale)),
        )


def _within(release: Release, chosen: float | None) -> Iterator[Within]:
    for half_width, tables in widths_of_tables(release, chosen).items():
        yield Within(tables=tables, half_width=_up(half_width))


def _groups(decision: Decision) -> Iterator[Group]:
    for group in small_groups(decision.release, decision.chosen, decision.details.small_groups or ()):
        yield Group(
            tables=group.tables,
            count=group.count,
            half_width=_up(group.half_width),
            off_by_tenth=_up(group.off_by_tenth),
            off_by_half=_up(group.off_by_half),
            gone=_up(group.gone),
        )


# ------------------------------------------------------------------------------------------------- words and axis


def meaning(decision: Decision) -> tuple[tuple[general_guarantee.Clause, ...], ...]:
    """Return what the budget of DECISION means; nothing where a table without noise leaves nothing to be said."""
    release = decision.release
    if release.noise.absent_somewhere and general_guarantee.no_guarantee_reason(release):
        return ()
    return general_guarantee.clauses(decision)


def _clause(clause: general_guarantee.Clause) -> RecordedClause:
    reason = clause.reason
    recorded = None if reason is None else read(RecordedReason, {"key": reason.key, "figures": plain(reason.values)})
    figures = {name: _up(value) if isinstance(value, float) else value for name, value in clause.figures.items()}
    return RecordedClause(section=clause.section, key=clause.key, figures=figures, reason=recorded)


def _axis(decision: Decision, assessment: Assessment) -> tuple[Reading, ...]:
    """Return what the ticks of the axis of budgets are read as, where the decision reads them otherwise."""
    rows = axis_chart.closest([axis_chart.row_of(answer) for answer in assessment.answers])
    readings = axis_chart.readings(axis_chart.axis_of(rows, decision.chosen), decision)
    return tuple(Reading(budget=at, told=None if epsilon is None else _near(epsilon)) for at, epsilon in readings)


# ------------------------------------------------------------------------------------------------- the first pages


def front(decision: Decision, assessment: Assessment) -> Front | None:
    """Return what the first pages say of DECISION, its shares allotted; None without a budget, or of several tables."""
    release, chosen = decision.release, decision.chosen
    if chosen is None or len(release.tables) > 1:
        return None
    measured, level = _measured(decision, assessment)
    noise = _on_each(decision, chosen)
    return Front(
        sums=tuple(_sums(decision, noise)) if noise is not None else (),
        zero=_zero(decision, noise),
        weighed=tuple(_weighed(decision, assessment, measured, level)),
        measured=_read_alone(decision).index(measured),
    )


def _on_each(decision: Decision, budget: float) -> NoiseAdded | None:
    """Return the noise on each number at BUDGET; None where there is none, or where it changes as numbers add up."""
    release = decision.release
    if release.tables[0].name in sums_of(release).of:
        return None
    return next(iter(added_noises(release, budget)), None)


def _sums(decision: Decision, noise: NoiseAdded) -> Iterator[SumWidth]:
    """Yield how far off each count is, and each total that readers read one by one."""
    for each in _read_alone(decision):
        half_width = _half_width(noise, each, LEVEL)
        yield SumWidth(
            which=each.which, division=each.division, cells=each.cells, sums=each.sums, half_width=half_width
        )


def _read_alone(decision: Decision) -> tuple[TableSum, ...]:
    """Return the counts that readers read one by one, and the totals where they have the noise of sums."""
    release, done = decision.release, decision.release.post_processing
    summed = "consistency" not in done and ("clamping" not in done or release.totals_printed)
    return tuple(total for total in table_sums(release) if not total.at_once and (summed or total.cells == 1))


def _half_width(noise: NoiseAdded, asked: TableSum, level: float) -> float | None:
    """Return the least half-width that holds LEVEL of the noise of ASKED, in the unit of the figures."""
    if asked.cells > MOST_CELLS:
        return None
    each = noise.on_one
    total = SumNoise(**vars(each), cells=asked.cells)
    width = (each if asked.cells == 1 else total).interval(level).half_width
    return None if math.isinf(width) else _up(noise.step * width)


def _zero(decision: Decision, noise: NoiseAdded | None) -> float | None:
    """Return the chance that a true 0 is published as SHOWN_AS or more; None where no counts are published."""
    if noise is None or not noise.noise.integer_valued or noise.step != 1.0:
        return None
    if decision.release.tables[0].statistic not in ("count", "histogram"):
        return None
    return _up(noise.on_one.reaching(Fraction(SHOWN_AS)))


def _weighed(decision: Decision, assessment: Assessment, asked: TableSum, level: float) -> Iterator[Weighed]:
    """Yield the ends of the allowed range and the choice, the smallest first, with how far off ASKED is at LEVEL."""
    window, chosen = assessment.window, assessment.epsilon
    ends = {"lower": window.lower if window.binds_lower is not None else None, "chosen": chosen}
    ends["upper"] = window.upper if window.binds_upper is not None else None
    for option, epsilon in sorted(ends.items(), key=lambda item: item[1] or 0.0):
        if not epsilon or (option != "chosen" and math.isclose(epsilon, chosen or 0.0, rel_tol=1e-9)):
            continue
        other = decision.model_copy(update={"epsilon": epsilon, "rho": None})
        loss = plain_sentences.loss_given_others(other)
        guesses = None if loss is None else general_guarantee.two_worlds(loss)
        noise = _on_each(decision, epsilon)
        yield Weighed(
            option=option,
            epsilon=epsilon,
            seen=None if guesses is None else guesses.seen,
            out_of=None if guesses is None else guesses.out_of,
            half_width=None if noise is None else _half_width(noise, asked, level),
        )


def _measured(decision: Decision, assessment: Assessment) -> tuple[TableSum, float]:
    """Return the numbers whose need sets the lower end, else each number, and how often their half-width holds."""
    lower = assessment.window.binds_lower
    need = None if lower is None else decision.requirements[lower]
    known = _read_alone(decision)
    if isinstance(need, NoiseInterval) and need.level is not None:
        asked = next((total for total in known if total.is_asked_by(need)), None)
        if asked is not None:
            return asked, need.level
    return known[0], LEVEL
