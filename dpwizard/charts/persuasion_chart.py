"""The figures of persuasive privacy over the allowed gain: its probability, and the least noise (Bon et al. 2025)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from dpwizard.base.errors import DPWizardError
from dpwizard.charts.charts import (
    Axis,
    Chart,
    Drawing,
    Figure,
    Line,
    Mark,
    Role,
    along,
    curve,
    decades,
    essence,
    even,
    flat,
    refusal,
    shares,
    table_of,
)
from dpwizard.decision import SETTLED, AccuracyInputs, PrivacyInputs, Release, RequirementResult
from dpwizard.decision.requirements import PersuasivePrivacy
from dpwizard.privacy import persuasive_privacy as mathematics
from dpwizard.privacy.mechanisms import PointwiseLossNoise
from dpwizard.privacy.persuasive_privacy import worst_chance
from dpwizard.wording import chance, format_text, number, word

POINTS = 61
OTHER_MASSES = (0.0, 0.5)  # other priors drawn: almost none, and even odds
LARGEST_KAPPA = 4.0


@dataclass(frozen=True, kw_only=True)
class PersuasionInputs:
    """Inputs of the figure: the requirement, its setting, and the epsilon whose noise is shown."""

    requirement: PersuasivePrivacy
    setting: PrivacyInputs
    epsilon: float | None
    number: AccuracyInputs | None  # the noise on the one number; None for several tables
    met: bool  # whether that epsilon meets the requirement


def drawing(requirement: Any, answer: RequirementResult, release: Release, chosen: float | None) -> Drawing | None:
    """Return what to draw of REQUIREMENT; None if it is incomplete or has no answer."""
    if not isinstance(requirement, PersuasivePrivacy) or requirement.missing():
        return None
    setting = requirement.setting(release)
    if isinstance(setting, tuple) or answer.status not in (*SETTLED, "not_applicable"):
        return None
    if answer.status == "not_applicable":
        return Drawing.of(refusal, title="persuasion_title", reason=answer.why, kind=requirement.kind)
    at = chosen or answer.epsilon
    within = at is not None and answer.epsilon is not None and at <= answer.epsilon + answer.error
    number = None if setting.one is None else release.number_setting(setting.one.name)
    read = PersuasionInputs(
        requirement=essence(requirement),
        setting=setting,
        epsilon=at,
        number=number if isinstance(number, AccuracyInputs) else None,
        met=within or answer.status == "unbounded",
    )
    return Drawing.of(figure, read=read)


def figure(read: PersuasionInputs) -> Figure:
    """Return, by kappa, the chance that the gain is within it for the noise shown, and the least noise for it."""
    requirement = read.requirement
    assert requirement.kappa is not None and requirement.score is not None
    highest = max(LARGEST_KAPPA, 1.6 * requirement.kappa) if math.isfinite(requirement.kappa) else LARGEST_KAPPA
    if requirement.score == "interval":
        highest = 1.0
    at = min(requirement.kappa, highest)  # drawn exactly, because the chance may jump there
    xs = tuple(sorted({*along(highest, POINTS), at}))
    x = even(word("chart", "kappa"), highest)
    curves = _hold_curves(read, (requirement.kappa,))
    chance_held = curves[0].y[0] if curves else None
    chance_plot = None if chance_held is None else _chance_plot(read, x, xs, at, chance_held)
    plots = tuple(plot for plot in (chance_plot, _least_noise_plot(read, x, xs)) if plot is not None)
    tables = [table_of(x, plot.lines, plot.y, most=len(xs)) for plot in plots]
    return Figure(
        title=word("chart", "persuasion_title"),
        sentence=_sentence(read, chance_held),
        plots=plots,
        asides=(word("chart", f"kappa_{requirement.score}"),),
        columns=(x.title, *(name for columns, _ in tables for name in columns[1:])),
        rows=tuple(
            (number(round(kappa, 6)), *(cell for _, rows in tables for cell in rows[i][1:]))
            for i, kappa in enumerate(xs)
        ),
    )


def _sentence(read: PersuasionInputs, chance_held: float | None) -> str:
    """Return a sentence on this budget, with the chance if it is known."""
    requirement = read.requirement
    chance_asked = 1.0 - requirement.delta
    figures: dict[str, Any] = {"epsilon": read.epsilon, "kappa": requirement.kappa, "asked": chance_asked}
    if chance_held is not None:
        return format_text("chart", "persuasion", {**figures, "share": chance_held})
    if read.epsilon is None or _outcome_chances_known(read):
        return word("chart", "persuasion_open")
    key = "persuasion_kept" if requirement.delta == 0.0 else "persuasion_kept_in"
    return format_text("chart", key if read.met else "persuasion_broken", figures)


def _chance_plot(read: PersuasionInputs, x: Axis, xs: tuple[float, ...], at: float, chance_held: float) -> Chart:
    """Return the chances by gain, with the one AT the allowed gain marked, and the chance required."""
    words = format_text("chart", "holds_here", {"share": chance_held})
    mark = Mark(x=at, y=chance_held, words=words, role="privacy", below=True)
    lines = (*_hold_curves(read, xs), flat(1.0 - read.requirement.delta, x.high, word("chart", "asked")))
    y = shares(word("chart", "chance_holds"), 1.0)
    return Chart(x=x, y=y, title=word("chart", "holds_title"), lines=lines, marks=(mark,))


def _least_noise_plot(read: PersuasionInputs, x: Axis, xs: tuple[float, ...]) -> Chart | None:
    """Return the least noise for each gain, and the current noise; None if there is none to draw."""
    lines, current_noise = _least_noise_curves(read, xs), _scale_at(read, read.epsilon)
    finite = [value for line in lines for value in line.y if math.isfinite(value) and value > 0]
    if not finite:
        return None
    least, most = min(finite), min(max(finite), min(finite) * 1e4)
    y = decades(word("chart", f"noise_{_judged_noise(read).name}"), least / 1.5, most * 1.5, way="figure_up")
    if current_noise is not None:
        lines = (*lines, flat(current_noise, x.high, word("chart", "noise_here")))
    return Chart(x=x, y=y, title=word("chart", "noise_title"), lines=lines)


def _judged_noise(read: PersuasionInputs) -> PointwiseLossNoise:
    judged = read.setting.noise.each[0].judged
    assert judged is not None
    return judged


def _scale_at(read: PersuasionInputs, epsilon: float | None) -> float | None:
    """Return the scale or standard deviation of one repetition at EPSILON; None if there is none."""
    if epsilon is None or epsilon <= 0.0 or read.number is None:
        return None
    scale = read.number.scale(epsilon)
    return scale if 0.0 < scale < math.inf else None


def _outcome_chances_known(read: PersuasionInputs) -> bool:
    """Return whether this is one value released once, or Gaussian noise, whose total loss is Gaussian too."""
    setting, table = read.setting, read.setting.one
    if setting.loss.earlier_epsilon or setting.post_processed:
        return False
    if read.requirement.score == "log" and setting.noise.normal is not None:
        return True
    if table is None or table.portion not in (None, 1):
        return False
    return setting.step == setting.dimension == setting.repetitions == 1


def _hold_curves(read: PersuasionInputs, xs: tuple[float, ...]) -> tuple[Line, ...]:
    """Return the curves of the chance that the gain is within each kappa; none if it is unknown."""
    if read.epsilon is None or not _outcome_chances_known(read):
        return ()
    scale, effect = _scale_at(read, read.epsilon), read.requirement.effect(read.setting)
    if read.requirement.score == "log":
        return _log_score_curves(read, read.epsilon, scale, xs)
    if scale is None or not effect:
        return ()
    score_curves = _dawid_sebastiani_curves if read.requirement.score == "dawid_sebastiani" else _interval_score_curves
    return score_curves(read, scale / effect, xs)  # the noise on the value itself


def _log_score_curves(
    read: PersuasionInputs, epsilon: float, scale: float | None, xs: tuple[float, ...]
) -> tuple[Line, ...]:
    """Return a curve for each of several priors."""
    noise, setting = _judged_noise(read), read.setting
    if setting.noise.normal is not None:  # the total loss is that of one Gaussian figure
        mechanism = noise.stated(1.0, setting.loss.mu(epsilon))
    elif scale is not None:
        mechanism = noise.stated(scale, setting.own_sensitivity or 1.0)
    else:
        return ()
    prior_mass = read.requirement.prior_mass or 0.0
    lines = []
    for mass in dict.fromkeys((prior_mass, *OTHER_MASSES)):
        chances = tuple(mathematics.hold_probability(mechanism=mechanism, prior_mass=mass, kappa=x) for x in xs)
        label = format_text("chart", "belief_mass", {"chance": chance(mass)})
        lines.append(_emphasised_curve(label, xs, chances, strong=mass == prior_mass))
    return tuple(lines)


def _dawid_sebastiani_curves(read: PersuasionInputs, scale: float, xs: tuple[float, ...]) -> tuple[Line, ...]:
    """Return the curve at the worst distance; none unless the noise is Gaussian."""
    requirement = read.requirement
    if not _judged_noise(read).normal:
        return ()
    assert requirement.prior_sd is not None and requirement.r1 is not None
    ratio = scale / requirement.prior_sd
    chances = tuple(1.0 - worst_chance(ratio, x, requirement.r1) for x in xs)
    return (curve(word("chart", "worst_distance"), xs, chances, "privacy"),)


def _interval_score_curves(read: PersuasionInputs, scale: float, xs: tuple[float, ...]) -> tuple[Line, ...]:
    """Return the curve at the margin; none unless the noise is continuous."""
    requirement, continuous = read.requirement, _judged_noise(read).continuous
    if continuous is None:
        return ()
    assert requirement.prior_sd is not None and requirement.length is not None and requirement.margin is not None
    loss = mathematics.interval_loss(
        mechanism_kind=continuous.name,
        prior_sd=requirement.prior_sd,
        noise=scale,
        length=requirement.length,
        distance=requirement.length / 2 + requirement.margin,
    )
    return (curve(word("chart", "at_margin"), xs, tuple(1.0 - loss if x < 1.0 else 1.0 for x in xs), "privacy"),)


def _emphasised_curve(label: str, xs: tuple[float, ...], ys: tuple[float, ...], *, strong: bool) -> Line:
    role: Role = "privacy" if strong else "quiet"
    return curve(label, xs, ys, role, width=2.0 if strong else 1.5)


def _least_noise_curves(read: PersuasionInputs, xs: tuple[float, ...]) -> tuple[Line, ...]:
    """Return the least noise of one repetition by kappa, for the delta of the requirement and for 0."""
    requirement = read.requirement
    if read.number is None:
        return ()  # several tables have no common noise
    lines = []
    for delta in dict.fromkeys((requirement.delta, 0.0)):
        updates = ({"kappa": kappa, "delta": delta} for kappa in xs)
        values = tuple(_least_scale(read, requirement.model_copy(update=update)) for update in updates)
        if all(math.isnan(value) for value in values):
            continue
        label = format_text("chart", "leaving_out", {"delta": number(delta)})
        lines.append(_emphasised_curve(label, xs, values, strong=delta == requirement.delta))
    return tuple(lines)


def _least_scale(read: PersuasionInputs, requirement: PersuasivePrivacy) -> float:
    """Return the noise at the limit of REQUIREMENT; nan if none is needed or it is unknown, inf if none is enough."""
    try:
        limit = requirement.limit(read.setting)
    except DPWizardError:
        return math.nan
    if limit.status != "allowed" or limit.epsilon is None:
        return math.inf if limit.status == "infeasible" else math.nan
    scale = _scale_at(read, limit.epsilon)
    return math.inf if scale is None else scale
