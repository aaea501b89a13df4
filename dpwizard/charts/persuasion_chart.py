"""The figures of persuasive privacy over the gain allowed: how surely it holds, the least noise (Bon et al. 2025)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from dpwizard.base.errors import DPWizardError
from dpwizard.charts.charts import (
    Axis,
    Chart,
    Figure,
    Line,
    Mark,
    Role,
    along,
    curve,
    decades,
    even,
    flat,
    shares,
    table_of,
)
from dpwizard.decision import SETTLED, AccuracyInputs, PrivacyInputs, Reason, Release, RequirementResult, converted
from dpwizard.decision.requirements import PersuasivePrivacy
from dpwizard.privacy import persuasive_privacy as mathematics
from dpwizard.privacy.mechanisms import PointwiseLossNoise
from dpwizard.privacy.persuasive_privacy import worst_chance
from dpwizard.wording import chance, format_text, number, why, word

POINTS = 61
OTHER_MASSES = (0.0, 0.5)  # beside the officer's own belief: next to none, and even odds
LARGEST_KAPPA = 4.0


@dataclass(frozen=True, kw_only=True)
class PersuasionInputs:
    """What the figure reads: the requirement, its setting and limit, and the epsilon whose noise is looked at."""

    requirement: PersuasivePrivacy
    setting: PrivacyInputs
    epsilon: float | None
    limit: float | None
    number: AccuracyInputs | None = None  # the noise on the one number; None of several tables
    kept: bool = False  # whether that epsilon keeps the requirement
    refused: Reason | None = None  # why the requirement speaks of no such release


def inputs(
    requirement: Any, answer: RequirementResult, release: Release, chosen: float | None
) -> PersuasionInputs | None:
    """Return what the figure of REQUIREMENT reads; None where it says nothing about the release or is not answered."""
    if not isinstance(requirement, PersuasivePrivacy) or requirement.missing():
        return None
    setting = requirement.setting(release)
    if isinstance(setting, tuple) or answer.status not in (*SETTLED, "not_applicable"):
        return None
    essence = requirement.model_copy(update={"name": None, "enabled": True, "off_reason": None, "origins": ()})
    at = chosen or answer.epsilon
    within = at is not None and answer.epsilon is not None and at <= answer.epsilon + answer.error
    number = None if setting.one is None else release.number_setting(setting.one.name)
    return PersuasionInputs(
        number=number if isinstance(number, AccuracyInputs) else None,
        requirement=essence,
        setting=setting,
        epsilon=at,
        limit=answer.epsilon,
        kept=within or answer.status == "unbounded",
        refused=answer.why if answer.status == "not_applicable" else None,
    )


def figure(read: PersuasionInputs) -> Figure:
    """Return, over kappa: the chance that the promise holds at the noise looked at, and the least noise for it."""
    requirement = read.requirement
    if read.refused is not None:  # nothing is drawn of what the requirement does not speak of
        return Figure(title=word("chart", "persuasion_title"), sentence=why(read.refused, kind=requirement.kind))
    assert requirement.kappa is not None and requirement.score is not None
    highest = max(LARGEST_KAPPA, 1.6 * requirement.kappa) if math.isfinite(requirement.kappa) else LARGEST_KAPPA
    if requirement.score == "interval":
        highest = 1.0
    at = min(requirement.kappa, highest)  # among the places drawn: the chance may jump just there
    xs = tuple(sorted({*along(highest, POINTS), at}))
    x = even(word("chart", "kappa"), highest)
    found = _holds(read, (requirement.kappa,))
    shown = found[0].y[0] if found else None
    drawn = (None if shown is None else _chances(read, x, xs, at, shown), _least_noise(read, x, xs))
    plots = tuple(plot for plot in drawn if plot is not None)
    tables = [table_of(x, plot.lines, plot.y, most=len(xs)) for plot in plots]
    return Figure(
        title=word("chart", "persuasion_title"),
        sentence=_sentence(read, shown),
        plots=plots,
        asides=(word("chart", f"kappa_{requirement.score}"),),
        columns=(x.title, *(name for columns, _ in tables for name in columns[1:])),
        rows=tuple(
            (number(round(kappa, 6)), *(cell for _, rows in tables for cell in rows[i][1:]))
            for i, kappa in enumerate(xs)
        ),
    )


def _sentence(read: PersuasionInputs, shown: float | None) -> str:
    """Return what holds at the budget looked at: with the chance SHOWN where that is known."""
    requirement = read.requirement
    asked = 1.0 - requirement.delta
    figures: dict[str, Any] = {"epsilon": read.epsilon, "kappa": requirement.kappa, "asked": asked}
    if shown is not None:
        return format_text("chart", "persuasion", {**figures, "share": shown})
    if read.epsilon is None or _one_value(read):
        return word("chart", "persuasion_open")
    kept = "persuasion_kept" if requirement.delta == 0.0 else "persuasion_kept_in"
    return format_text("chart", kept if read.kept else "persuasion_broken", figures)


def _chances(read: PersuasionInputs, x: Axis, xs: tuple[float, ...], at: float, shown: float) -> Chart:
    """Return the chances that the promise holds, with the one SHOWN marked AT the gain allowed, and what is asked."""
    mark = Mark(x=at, y=shown, words=format_text("chart", "holds_here", {"share": shown}), role="privacy", below=True)
    lines = (*_holds(read, xs), flat(1.0 - read.requirement.delta, x.high, word("chart", "asked")))
    y = shares(word("chart", "chance_holds"), 1.0)
    return Chart(x=x, y=y, title=word("chart", "holds_title"), lines=lines, marks=(mark,))


def _least_noise(read: PersuasionInputs, x: Axis, xs: tuple[float, ...]) -> Chart | None:
    """Return the least noise for each gain, beside the noise there is; None where none is to be drawn."""
    lines, here = _noise(read, xs), _scale(read)
    finite = [value for line in lines for value in line.y if math.isfinite(value) and value > 0]
    if not finite:
        return None
    least, most = min(finite), min(max(finite), min(finite) * 1e4)
    y = decades(word("chart", f"noise_{_added(read).name}"), least / 1.5, most * 1.5, way="figure_up")
    if here is not None:
        lines = (*lines, flat(here, x.high, word("chart", "noise_here")))
    return Chart(x=x, y=y, title=word("chart", "noise_title"), lines=lines)


def _added(read: PersuasionInputs) -> PointwiseLossNoise:
    """Return the noise as the score judges it."""
    judged = read.setting.noise.each[0].judged
    assert judged is not None
    return judged


def _scale(read: PersuasionInputs) -> float | None:
    """Return the noise of one repetition at the budget looked at: scale or standard deviation; None without one."""
    return None if read.epsilon is None else _scale_at(read, read.epsilon)


def _scale_at(read: PersuasionInputs, epsilon: float) -> float | None:
    if epsilon <= 0.0 or read.number is None:
        return None
    scale = read.number.scale(epsilon)
    return scale if 0.0 < scale < math.inf else None


def _one_value(read: PersuasionInputs) -> bool:
    """Return whether each outcome's chance is known: one value released once, or Gaussian noise, which adds up."""
    known, one = read.setting, read.setting.one
    if known.loss.earlier_epsilon or known.post_processed:
        return False
    if read.requirement.score == "log" and known.noise.normal is not None:
        return True
    return one is not None and one.portion in (None, 1) and known.step == known.dimension == known.repetitions == 1


def _holds(read: PersuasionInputs, xs: tuple[float, ...]) -> tuple[Line, ...]:
    """Return the chance that the gain stays within each kappa, by the score; none where it is not known."""
    if read.epsilon is None or not _one_value(read):
        return ()
    scale, effect = _scale(read), read.requirement.effect(read.setting)
    if read.requirement.score == "log":
        return _log_holds(read, read.epsilon, scale, xs)
    if scale is None or not effect:
        return ()
    drawn = _distance_holds if read.requirement.score == "dawid_sebastiani" else _interval_holds
    return drawn(read, scale / effect, xs)  # the noise on the value itself


def _log_holds(read: PersuasionInputs, epsilon: float, scale: float | None, xs: tuple[float, ...]) -> tuple[Line, ...]:
    """Return it for the log score, at several beliefs."""
    added, setting = _added(read), read.setting
    if setting.noise.normal is not None:  # all that is told is as much as one Gaussian figure tells
        mechanism = added.stated(1.0, setting.loss.mu(epsilon))
    elif scale is not None:  # between the worlds the requirement compares
        mechanism = added.stated(scale, setting.own_sensitivity or 1.0)
    else:
        return ()
    prior_mass = read.requirement.prior_mass or 0.0
    lines = []
    for mass in dict.fromkeys((prior_mass, *OTHER_MASSES)):
        found = tuple(mathematics.hold_probability(mechanism=mechanism, prior_mass=mass, kappa=x) for x in xs)
        lines.append(
            _one_of(format_text("chart", "belief_mass", {"chance": chance(mass)}), xs, found, own=mass == prior_mass)
        )
    return tuple(lines)


def _distance_holds(read: PersuasionInputs, scale: float, xs: tuple[float, ...]) -> tuple[Line, ...]:
    """Return it for the score of Dawid and Sebastiani, at the worst distance; none but for Gaussian noise."""
    requirement = read.requirement
    if not _added(read).normal:
        return ()
    assert requirement.prior_sd is not None and requirement.r1 is not None
    ratio = scale / requirement.prior_sd
    found = tuple(1.0 - worst_chance(ratio, x, requirement.r1) for x in xs)
    return (curve(word("chart", "worst_distance"), xs, found, "privacy"),)


def _interval_holds(read: PersuasionInputs, scale: float, xs: tuple[float, ...]) -> tuple[Line, ...]:
    """Return it for the interval score, at the margin; none but for continuous noise."""
    requirement, continuous = read.requirement, _added(read).continuous
    if continuous is None:
        return ()
    assert requirement.prior_sd is not None and requirement.length is not None and requirement.margin is not None
    lost = mathematics.interval_loss(
        mechanism_kind=continuous.name,
        prior_sd=requirement.prior_sd,
        noise=scale,
        length=requirement.length,
        distance=requirement.length / 2 + requirement.margin,
    )
    return (curve(word("chart", "at_margin"), xs, tuple(1.0 - lost if x < 1.0 else 1.0 for x in xs), "privacy"),)


def _one_of(label: str, xs: tuple[float, ...], ys: tuple[float, ...], *, own: bool) -> Line:
    """Return a curve of several: the officer's OWN one is strong."""
    role: Role = "privacy" if own else "quiet"
    return curve(label, xs, ys, role, width=2.0 if own else 1.5)


def _noise(read: PersuasionInputs, xs: tuple[float, ...]) -> tuple[Line, ...]:
    """Return the least noise of one repetition that keeps the promise at each kappa, by the requirement's own limit.

    Once with the chance asked for left out, and once with none.
    """
    requirement = read.requirement
    if read.number is None:
        return ()  # several tables: no one noise is theirs
    lines = []
    for delta in dict.fromkeys((requirement.delta, 0.0)):
        values = tuple(_needed(read, requirement.model_copy(update={"kappa": kappa, "delta": delta})) for kappa in xs)
        if all(math.isnan(value) for value in values):
            continue
        label = format_text("chart", "leaving_out", {"delta": number(delta)})
        lines.append(_one_of(label, xs, values, own=delta == requirement.delta))
    return tuple(lines)


def _needed(read: PersuasionInputs, asked: PersuasivePrivacy) -> float:
    """Return the noise at the limit of what is ASKED; nan where none is needed or said, inf where none is enough."""
    try:
        found = asked.limit(read.setting)
    except DPWizardError:
        return math.nan
    epsilon, _ = converted(read.setting, found)
    if found.status != "allowed" or epsilon is None:
        return math.inf if found.status == "infeasible" else math.nan
    scale = _scale_at(read, epsilon)
    return math.inf if scale is None else scale
