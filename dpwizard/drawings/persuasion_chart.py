"""The figures of persuasive privacy: how surely a promise holds, and the smallest noise, against the gain allowed (Bon et al. 2025)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from dpwizard import mechanisms
from dpwizard import persuasive_privacy as mathematics
from dpwizard.assessment import Answer
from dpwizard.drawings.charts import Chart, Figure, Line, Mark, Role, decades, even, shares, table_of
from dpwizard.errors import DPWizardError
from dpwizard.explain import chance, number, say, word
from dpwizard.mechanisms import Gaussian, Geometric, Laplace
from dpwizard.release import PrivacySetting, Release
from dpwizard.requirements.persuasive_privacy import PersuasivePrivacy
from dpwizard.solvers.dawid_sebastiani import worst_chance

POINTS = 61
OTHER_MASSES = (0.0, 0.5)  # beside the officer's own belief: next to none, and even odds
LARGEST_KAPPA = 4.0


@dataclass(frozen=True, kw_only=True)
class PersuasionInputs:
    """What the figure reads: the requirement, what it reads of the release, its limit, and the epsilon whose noise is looked at."""

    requirement: PersuasivePrivacy
    setting: PrivacySetting
    epsilon: float | None
    limit: float | None


def inputs(requirement: Any, answer: Answer, release: Release, chosen: float | None) -> PersuasionInputs | None:
    """Return what the figure of REQUIREMENT reads; None where it says nothing about the release or is not answered."""
    if not isinstance(requirement, PersuasivePrivacy) or requirement.missing():
        return None
    setting = requirement.setting(release)
    if isinstance(setting, tuple) or answer.status not in ("allowed", "unbounded", "infeasible"):
        return None
    essence = requirement.model_copy(update={"name": None, "enabled": True, "off_reason": None, "origins": ()})
    return PersuasionInputs(requirement=essence, setting=setting, epsilon=chosen or answer.epsilon, limit=answer.epsilon)


def figure(read: PersuasionInputs) -> Figure:
    """Return, over kappa: the chance that the promise holds at the noise looked at, and the least noise that keeps it."""
    requirement = read.requirement
    kind = read.setting.mechanisms[0]
    assert kind != "exact" and requirement.kappa is not None and requirement.score is not None
    scale = _scale(read, kind)
    highest = max(LARGEST_KAPPA, 1.6 * requirement.kappa) if math.isfinite(requirement.kappa) else LARGEST_KAPPA
    if requirement.score == "interval":
        highest = 1.0
    at = min(requirement.kappa, highest)  # among the places drawn: the chance may jump just there
    xs = tuple(sorted({*(highest * i / (POINTS - 1) for i in range(POINTS)), at}))
    x = even(word("chart", "kappa"), highest)
    plots: list[Chart] = []
    columns: tuple[str, ...] = (word("chart", "kappa"),)
    rows: list[tuple[str, ...]] = [(number(round(value, 6)),) for value in xs]
    holds = _holds(read, kind, scale, xs) if scale is not None else ()
    sentence = word("chart", "persuasion_open")
    if holds:
        y = shares(word("chart", "chance_holds"), 1.0)
        level = 1.0 - requirement.delta
        asked = _level(level, highest, word("chart", "asked"))
        shown = _holds(read, kind, scale, (requirement.kappa,))[0].y[0]
        mark = Mark(x=at, y=shown, words=say("chart", "holds_here", {"share": shown}), role="privacy", below=True)
        sentence = say("chart", "persuasion", {"epsilon": read.epsilon, "share": shown, "kappa": requirement.kappa, "asked": level})
        plots.append(Chart(x=x, y=y, title=word("chart", "holds_title"), lines=(*holds, asked), marks=(mark,)))
        names, table = table_of(x, holds, y, most=len(xs))
        columns, rows = (*columns, *names[1:]), [(*row, *more[1:]) for row, more in zip(rows, table, strict=False)]
    noise = _noise(read, kind, xs)
    finite = [value for line in noise for value in line.y if math.isfinite(value) and value > 0]
    if finite:
        y = decades(word("chart", f"noise_{kind}"), min(finite) / 1.5, min(max(finite), min(finite) * 1e4) * 1.5, way="figure_up")
        here = () if scale is None else (_level(scale, highest, word("chart", "noise_here")),)
        plots.append(Chart(x=x, y=y, title=word("chart", "noise_title"), lines=(*noise, *here)))
        names, table = table_of(x, noise, y, most=len(xs))
        columns, rows = (*columns, *names[1:]), [(*row, *more[1:]) for row, more in zip(rows, table, strict=False)]
    return Figure(
        title=word("chart", "persuasion_title"),
        sentence=sentence,
        plots=tuple(plots),
        asides=(word("chart", f"kappa_{requirement.score}"),),
        columns=columns,
        rows=tuple(rows),
    )


def _level(value: float, high: float, label: str) -> Line:
    return Line(name="", label=label, x=(0.0, high), y=(value, value), role="chosen", dash="dash", width=1.0, column=False)


def _scale(read: PersuasionInputs, kind: mechanisms.NoiseKind) -> float | None:
    """Return the noise of one release at the epsilon looked at, as several repetitions show it: scale or standard deviation."""
    if read.epsilon is None or read.epsilon <= 0.0 or read.setting.sensitivity is None:
        return None
    scale = mechanisms.noise_scale(kind, read.epsilon, read.setting.sensitivity, read.setting.delta or 0.0)
    if kind == "gaussian":
        scale /= math.sqrt(read.setting.repetitions)
    elif read.setting.repetitions > 1:
        scale /= read.setting.repetitions
    return scale if 0.0 < scale < math.inf else None


def _holds(read: PersuasionInputs, kind: mechanisms.NoiseKind, scale: float | None, xs: tuple[float, ...]) -> tuple[Line, ...]:
    """Return the chance that the gain stays within each kappa: for the log score at several beliefs."""
    requirement, sensitivity = read.requirement, read.setting.sensitivity or 1.0
    if scale is None:
        return ()
    if requirement.score == "log":
        own = requirement.prior_mass or 0.0
        mechanism: Laplace | Geometric | Gaussian = Laplace(scale=scale, sensitivity=sensitivity)
        if kind == "geometric":
            mechanism = Geometric(rate=1 / scale, sensitivity=sensitivity)
        elif kind == "gaussian":
            mechanism = Gaussian(sd=scale, sensitivity=sensitivity)
        lines = []
        for mass in (own, *(m for m in OTHER_MASSES if m != own)):
            found = tuple(mathematics.hold_probability(mechanism=mechanism, prior_mass=mass, kappa=x) for x in xs)
            label = say("chart", "belief_mass", {"chance": chance(mass)})
            role: Role = "privacy" if mass == own else "quiet"
            lines.append(Line(name=label, label=label, x=xs, y=found, role=role, width=2.0 if mass == own else 1.5))
        return tuple(lines)
    if requirement.score == "dawid_sebastiani" and kind == "gaussian":
        assert requirement.prior_sd is not None and requirement.r1 is not None
        ratio = scale / requirement.prior_sd
        found = tuple(1.0 - worst_chance(ratio, x, requirement.r1) for x in xs)
        name = word("chart", "worst_distance")
        return (Line(name=name, label=name, x=xs, y=found, role="privacy"),)
    if requirement.score == "interval" and kind != "geometric":
        assert requirement.prior_sd is not None and requirement.length is not None and requirement.margin is not None
        lost = mathematics.interval_loss(
            mechanism_kind=kind, prior_sd=requirement.prior_sd, noise=scale, length=requirement.length,
            distance=requirement.length / 2 + requirement.margin,
        )  # fmt: skip
        name = word("chart", "at_margin")
        return (Line(name=name, label=name, x=xs, y=tuple(1.0 - lost if x < 1.0 else 1.0 for x in xs), role="privacy"),)
    return ()


def _noise(read: PersuasionInputs, kind: mechanisms.NoiseKind, xs: tuple[float, ...]) -> tuple[Line, ...]:
    """Return the least noise that keeps the promise at each kappa, with the chance asked for and with none left out."""
    requirement = read.requirement
    assert requirement.score is not None
    lines = []
    for delta in dict.fromkeys((requirement.delta, 0.0)):
        values = []
        for kappa in xs:
            try:
                need = mathematics.noise_needed(
                    score=requirement.score, mechanism_kind=kind, kappa=kappa, delta=delta, sensitivity=read.setting.sensitivity or 1.0,
                    prior_mass=requirement.prior_mass or 0.0, prior_sd=requirement.prior_sd, r1=requirement.r1, length=requirement.length,
                    margin=requirement.margin,
                )  # fmt: skip
            except DPWizardError:
                values.append(math.nan)
                continue
            if need.status == "not_applicable":
                return ()
            noise = math.nan if need.status == "none_needed" else need.noise if need.noise is not None else math.inf
            values.append(1.0 / noise if kind == "geometric" and 0.0 < noise < math.inf else noise)
        label = say("chart", "leaving_out", {"delta": number(delta)})
        own = delta == requirement.delta
        lines.append(Line(name=label, label=label, x=xs, y=tuple(values), role="privacy" if own else "quiet", width=2.0 if own else 1.5))
    return tuple(lines)
