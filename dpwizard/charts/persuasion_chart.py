"""The figures of persuasive privacy over the gain allowed: how surely it holds, the least noise (Bon et al. 2025)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from dpwizard.base.errors import DPWizardError
from dpwizard.charts.charts import Chart, Figure, Line, Mark, Role, along, curve, decades, even, flat, shares, table_of
from dpwizard.decision import SETTLED, Answer, NumberSetting, PrivacySetting, Reason, Release, converted
from dpwizard.decision.requirements import PersuasivePrivacy
from dpwizard.privacy import persuasive_privacy as mathematics
from dpwizard.privacy.mechanisms import JudgedNoise
from dpwizard.privacy.persuasive_privacy import worst_chance
from dpwizard.wording import chance, number, say, why, word

POINTS = 61
OTHER_MASSES = (0.0, 0.5)  # beside the officer's own belief: next to none, and even odds
LARGEST_KAPPA = 4.0


@dataclass(frozen=True, kw_only=True)
class PersuasionInputs:
    """What the figure reads: the requirement, its setting and limit, and the epsilon whose noise is looked at."""

    requirement: PersuasivePrivacy
    setting: PrivacySetting
    epsilon: float | None
    limit: float | None
    number: NumberSetting | None = None  # the noise on the one number; None of several tables
    kept: bool = False  # whether that epsilon keeps the requirement
    refused: Reason | None = None  # why the requirement speaks of no such release


def inputs(requirement: Any, answer: Answer, release: Release, chosen: float | None) -> PersuasionInputs | None:
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
        number=number if isinstance(number, NumberSetting) else None,
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
    added = read.setting.noise.each[0].judged
    assert added is not None and requirement.kappa is not None and requirement.score is not None
    scale = _scale(read, read.epsilon)
    highest = max(LARGEST_KAPPA, 1.6 * requirement.kappa) if math.isfinite(requirement.kappa) else LARGEST_KAPPA
    if requirement.score == "interval":
        highest = 1.0
    at = min(requirement.kappa, highest)  # among the places drawn: the chance may jump just there
    xs = tuple(sorted({*along(highest, POINTS), at}))
    x = even(word("chart", "kappa"), highest)
    plots: list[Chart] = []
    holds = _holds(read, added, scale, xs)
    sentence = word("chart", "persuasion_open")
    if read.epsilon is not None and not _one_value(read):
        figures: dict[str, Any] = {"epsilon": read.epsilon, "kappa": requirement.kappa}
        figures["asked"] = 1.0 - requirement.delta
        kept = "persuasion_kept" if requirement.delta == 0.0 else "persuasion_kept_in"
        sentence = say("chart", kept if read.kept else "persuasion_broken", figures)
    if holds:
        y = shares(word("chart", "chance_holds"), 1.0)
        asked = 1.0 - requirement.delta
        shown = _holds(read, added, scale, (requirement.kappa,))[0].y[0]
        mark = Mark(x=at, y=shown, words=say("chart", "holds_here", {"share": shown}), role="privacy", below=True)
        figures = {"epsilon": read.epsilon, "share": shown, "kappa": requirement.kappa, "asked": asked}
        sentence = say("chart", "persuasion", figures)
        lines = (*holds, flat(asked, highest, word("chart", "asked")))
        plots.append(Chart(x=x, y=y, title=word("chart", "holds_title"), lines=lines, marks=(mark,)))
    noise = _noise(read, xs)
    finite = [value for line in noise for value in line.y if math.isfinite(value) and value > 0]
    if finite:
        least, most = min(finite), min(max(finite), min(finite) * 1e4)
        y = decades(word("chart", f"noise_{added.name}"), least / 1.5, most * 1.5, way="figure_up")
        here = () if scale is None else (flat(scale, highest, word("chart", "noise_here")),)
        plots.append(Chart(x=x, y=y, title=word("chart", "noise_title"), lines=(*noise, *here)))
    tables = [table_of(x, plot.lines, plot.y, most=len(xs)) for plot in plots]
    return Figure(
        title=word("chart", "persuasion_title"),
        sentence=sentence,
        plots=tuple(plots),
        asides=(word("chart", f"kappa_{requirement.score}"),),
        columns=(x.title, *(name for columns, _ in tables for name in columns[1:])),
        rows=tuple(
            (number(round(kappa, 6)), *(cell for _, rows in tables for cell in rows[i][1:]))
            for i, kappa in enumerate(xs)
        ),
    )


def _scale(read: PersuasionInputs, epsilon: float | None) -> float | None:
    """Return the noise of one repetition at EPSILON: scale or standard deviation; None where none is to be said."""
    if epsilon is None or epsilon <= 0.0 or read.number is None:
        return None
    scale = read.number.scale(epsilon)
    return scale if 0.0 < scale < math.inf else None


def _one_value(read: PersuasionInputs) -> bool:
    """Return whether each outcome's chance is known: one value released once, or Gaussian noise, which adds up."""
    setting = read.setting
    if setting.loss.earlier or setting.post_processed:
        return False
    if read.requirement.score == "log" and setting.noise.normal is not None:
        return True
    return setting.shares == (1.0,) and setting.step == 1.0 and setting.dimension == setting.repetitions == 1


def _holds(read: PersuasionInputs, added: JudgedNoise, scale: float | None, xs: tuple[float, ...]) -> tuple[Line, ...]:
    """Return the chance that the gain stays within each kappa: for the log score at several beliefs."""
    requirement, setting = read.requirement, read.setting
    if read.epsilon is None or not _one_value(read):
        return ()
    if requirement.score == "log":
        own = requirement.prior_mass or 0.0
        if setting.noise.normal is not None:  # all that is told is as much as one Gaussian figure tells
            mechanism = added.stated(1.0, setting.loss.mu(read.epsilon))
        elif scale is not None:  # between the worlds the requirement compares
            mechanism = added.stated(scale, setting.sensitivity_own or 1.0)
        else:
            return ()
        lines = []
        for mass in (own, *(m for m in OTHER_MASSES if m != own)):
            found = tuple(mathematics.hold_probability(mechanism=mechanism, prior_mass=mass, kappa=x) for x in xs)
            lines.append(_one_of(say("chart", "belief_mass", {"chance": chance(mass)}), xs, found, own=mass == own))
        return tuple(lines)
    effect = requirement.effect(setting)
    if scale is None or not effect:
        return ()
    scale /= effect  # the noise on the value itself
    if requirement.score == "dawid_sebastiani" and added.normal:
        assert requirement.prior_sd is not None and requirement.r1 is not None
        ratio = scale / requirement.prior_sd
        found = tuple(1.0 - worst_chance(ratio, x, requirement.r1) for x in xs)
        return (curve(word("chart", "worst_distance"), xs, found, "privacy"),)
    if requirement.score == "interval" and added.continuous is not None:
        assert requirement.prior_sd is not None and requirement.length is not None and requirement.margin is not None
        lost = mathematics.interval_loss(
            mechanism_kind=added.continuous.name,
            prior_sd=requirement.prior_sd,
            noise=scale,
            length=requirement.length,
            distance=requirement.length / 2 + requirement.margin,
        )
        return (curve(word("chart", "at_margin"), xs, tuple(1.0 - lost if x < 1.0 else 1.0 for x in xs), "privacy"),)
    return ()


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
        label = say("chart", "leaving_out", {"delta": number(delta)})
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
    scale = _scale(read, epsilon)
    return math.inf if scale is None else scale
