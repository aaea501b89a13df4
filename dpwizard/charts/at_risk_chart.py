"""The figures of privacy at risk (Dandekar et al. 2021, Figures 1 to 3), as published and exact."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from dpwizard.charts.charts import Axis, Figure, Line, Mark, along, curve, decades, even, plotted, shares
from dpwizard.decision import Decision, Limit, Reason
from dpwizard.decision.requirements import Compensation, PrivacyAtRisk, one_number, pure_noise
from dpwizard.privacy import privacy_at_risk
from dpwizard.privacy.mechanisms import LAPLACE, PureName, mechanism_named
from dpwizard.wording import format_text, number, share, why, word

View = Literal["own", "dimensions", "noise", "samples", "sampling_error", "sample_size"]
VIEWS: tuple[View, ...] = get_args(View)
GRID = along(1.0, 101)  # the confidences at which curves are computed
LARGEST = 100.0  # epsilons beyond are not drawn
DIMENSIONS = (1, 2, 3)  # Figure 1a
NOISE_LEVELS = (1.0, 1.5, 2.0, 2.5)  # Figure 1b
ERRORS = (1e-4, 1e-3, 1e-2, 1e-1)  # Figure 2, rho
SAMPLES, ERROR = 10_000, 0.01  # Figure 3: held in a and in b
QUANTILE = 0.9  # gamma_2 of the curves of Figure 3, which does not print it: that of the example in Section 6.2
FIGURE_ERRORS = (0.010, 0.012, 0.015, 0.020)
FIGURE_SAMPLES = (10_000, 15_000, 20_000, 25_000)


@dataclass(frozen=True, kw_only=True)
class AtRiskInputs:
    """Inputs of the figure: its view, the total privacy loss, the noise where its loss is known, and the level."""

    view: View
    epsilon0: float  # total of all repetitions and earlier releases
    mechanism: PureName | None  # None: only epsilon is known of the loss
    sensitivity: float
    dimension: int
    level: float | None
    single: bool = True  # one release; the published curve covers no others
    refused: Reason | None = None  # why the requirement does not apply to this release


def inputs(decision: Decision, epsilon: float | None, view: View = "own") -> AtRiskInputs | None:
    """Return the inputs for DECISION at EPSILON; None without such a requirement or without an epsilon."""
    if not any(isinstance(r, PrivacyAtRisk | Compensation) for r in decision.requirements):
        return None
    if view != "own":
        return AtRiskInputs(view=view, epsilon0=1.0, mechanism=LAPLACE.name, sensitivity=1.0, dimension=1, level=None)
    requirement = _requirement_drawn(decision)
    setting = requirement.setting(decision.release)
    if isinstance(setting, tuple):
        return None
    noise = requirement.blocked_limit(decision.release) or pure_noise(setting)
    refused = noise.why if isinstance(noise, Limit) else None
    total = 0.0 if epsilon is None else setting.loss.total_epsilon(epsilon)
    if refused is None and not 0.0 < total < LARGEST:
        return None
    loss_known = one_number(setting) and setting.own_sensitivity is not None
    return AtRiskInputs(
        view=view,
        epsilon0=total,
        mechanism=noise if loss_known and not isinstance(noise, Limit) else None,
        sensitivity=setting.own_sensitivity or 1.0,
        dimension=setting.dimension,
        level=requirement.level,
        single=setting.repetitions == 1 and not setting.loss.earlier_epsilon,
        refused=refused,
    )


def _requirement_drawn(decision: Decision) -> PrivacyAtRisk:
    """Return the first enabled requirement of privacy at risk, else the first, else an empty one."""
    requirements = [requirement for requirement in decision.requirements if isinstance(requirement, PrivacyAtRisk)]
    enabled = [requirement for requirement in requirements if requirement.enabled]
    return (enabled or requirements or [PrivacyAtRisk()])[0]


def is_at_risk(decision: Decision, index: int) -> bool:
    """Return whether requirement INDEX is one of privacy at risk."""
    return 0 <= index < len(decision.requirements) and isinstance(decision.requirements[index], PrivacyAtRisk)


def figure(read: AtRiskInputs) -> Figure:
    """Return the figure of one view; published curves say why they are not valid."""
    if read.view == "own":
        return _release_figure(read)
    if read.view in ("dimensions", "noise"):
        return _figure_1(read.view)
    if read.view == "samples":
        return _figure_2()
    return _figure_3(read.view)


def _release_figure(read: AtRiskInputs) -> Figure:
    """Return level against confidence for the noise of this release; only text if its loss is unknown."""
    if read.refused is not None:
        return Figure(title=word("chart", "at_risk_title"), sentence=why(read.refused, kind="privacy_at_risk"))
    if read.mechanism is None:
        return _whole_loss_figure(read)
    e0 = read.epsilon0
    x, y = _confidence_axes(e0)
    exact = tuple(_exact_level(c, read) for c in GRID)
    name = word("chart", "exact_confidence")
    lines = [Line(name=name, label=word("chart", "exact"), x=GRID, y=exact, role="privacy")]
    marks = []
    figures = {
        "epsilon": e0,
        "most": _exact_confidence(e0 * (1 - 1e-9), read),
        "half": e0 / 2,
        "exact": _exact_confidence(e0 / 2, read),
    }
    key = "at_risk"
    if read.level is not None and 0.0 < read.level < e0:
        confidence = _exact_confidence(read.level, read)
        words = format_text("chart", "kept", {"share": confidence})
        marks = [Mark(x=confidence, y=read.level, words=words, role="privacy", below=True)]
        key, figures = "at_risk_level", {**figures, "level": read.level, "kept": confidence}
    return plotted(word("chart", "at_risk_title"), format_text("chart", key, figures), x, y, lines, marks)


def _whole_loss_figure(read: AtRiskInputs) -> Figure:
    """Return text only: for several numbers or releases no level below the whole loss is proved."""
    e0 = read.epsilon0
    figures: dict[str, float | None] = {"epsilon": e0, "level": read.level}
    key = "at_risk_together"
    if read.level is not None:
        key = "at_risk_together_kept" if e0 <= read.level else "at_risk_together_broken"
    return Figure(title=word("chart", "at_risk_title"), sentence=format_text("chart", key, figures))


def _exact_confidence(level: float, read: AtRiskInputs) -> float:
    assert read.mechanism is not None
    return privacy_at_risk.confidence(
        mechanism=read.mechanism, epsilon=level, epsilon0=read.epsilon0, sensitivity=read.sensitivity
    )


def _exact_level(confidence: float, read: AtRiskInputs) -> float:
    """Return the lowest level that holds with CONFIDENCE: the inverse of e^(-eps0/2) sinh(eps/2), at most epsilon0."""
    assert read.mechanism is not None
    e0 = read.epsilon0
    if not mechanism_named(read.mechanism).integer_valued:  # docs/methods/privacy_at_risk.md
        level = 2.0 * math.asinh(confidence * math.exp(e0 / 2.0))
        return min(level, e0)
    low, high = 0.0, e0
    for _ in range(50):  # geometric noise, to the accuracy of a curve
        middle = (low + high) / 2
        low, high = (low, middle) if _exact_confidence(middle, read) >= confidence else (middle, high)
    return high


def _figure_1(view: View) -> Figure:
    """Return Figure 1: a, level against confidence at epsilon0 = 1 for several dimensions; b, for several epsilon0."""
    lines = []
    kinds = [(1.0, k) for k in DIMENSIONS] if view == "dimensions" else [(e, 1) for e in NOISE_LEVELS]
    for e0, k in kinds:
        levels = tuple(privacy_at_risk.published_level(confidence=c, epsilon0=e0, dimension=k) for c in GRID)
        label = f"k = {k}" if view == "dimensions" else f"ε₀ = {number(e0)}"
        lines.append(_refuted_line(_cut_above_1(levels), label, label))
    for e0 in (1.0,) if view == "dimensions" else NOISE_LEVELS:
        exact = tuple(min(2.0 * math.asinh(c * math.exp(e0 / 2.0)), e0) for c in GRID)
        name = f"{word('chart', 'exact')}, ε₀ = {number(e0)}"
        label = name if e0 in (1.0, NOISE_LEVELS[-1]) else ""
        lines.append(Line(name=name, label=label, x=GRID, y=_cut_above_1(exact), role="privacy", width=1.5))
    sentence = format_text("chart", f"at_risk_{view}", {"most": (1.0 - math.exp(-1.0)) / 2.0})
    asides = (word("chart", "confidence_refuted"),)
    return plotted(word("chart", f"at_risk_{view}_title"), sentence, *_confidence_axes(1.0), lines, asides=asides)


def _cut_above_1(levels: tuple[float, ...]) -> tuple[float, ...]:
    """Return LEVELS with nan, which is not drawn, in place of those above 1."""
    return tuple(level if level <= 1.0 else math.nan for level in levels)


def _figure_2() -> Figure:
    """Return Figure 2: the samples a sampled sensitivity needs, for several errors rho; the inequality is sound."""
    grid = tuple(c * 0.98 + 0.01 for c in GRID)
    x = shares(word("chart", "sampling_confidence"), beyond=False)
    y = decades(word("chart", "samples"), 10.0, 1e9, way="count")
    lines = []
    for rho in ERRORS:
        counts = tuple(float(privacy_at_risk.samples_needed(tolerance=c, rho=rho)) for c in grid)
        lines.append(curve(f"ρ = {number(rho)}", grid, counts, "plain", width=1.5))
    figures = {"share": 0.9, "rho": number(0.01), "samples": privacy_at_risk.samples_needed(tolerance=0.9, rho=0.01)}
    title, sentence = word("chart", "at_risk_samples_title"), format_text("chart", "at_risk_samples", figures)
    return plotted(title, sentence, x, y, lines, asides=(word("chart", "for_data_alike"),))


def _figure_3(view: View) -> Figure:
    """Return Figure 3: level against confidence with a sampled sensitivity, by error (a) or number of samples (b)."""
    by_error = view == "sampling_error"
    lines = []
    cases = [(rho, SAMPLES) for rho in FIGURE_ERRORS] if by_error else [(ERROR, count) for count in FIGURE_SAMPLES]
    for rho, samples in cases:
        # Theorem 6 inverted: confidence = published confidence * quantile * tolerance
        most = QUANTILE * max(0.0, privacy_at_risk.published_tolerance(rho=rho, samples=samples))
        levels = tuple(
            privacy_at_risk.published_level(confidence=c / most, epsilon0=1.0, dimension=1) if c <= most else math.nan
            for c in GRID
        )
        label = format_text("chart", "samples_n", {"samples": samples})
        if by_error:
            label = format_text("chart", "error_rho", {"rho": rho})
        lines.append(_refuted_line(levels, label, label))
    exact = tuple(min(2.0 * math.asinh(c * math.exp(0.5)), 1.0) for c in GRID)
    name = word("chart", "exact_known")
    lines.append(Line(name=name, label=word("chart", "exact"), x=GRID, y=exact, role="privacy"))
    figures = {"samples": SAMPLES, "rho": number(ERROR), "quantile": share(QUANTILE)}
    title, sentence = word("chart", f"at_risk_{view}_title"), format_text("chart", f"at_risk_{view}", figures)
    return plotted(title, sentence, *_confidence_axes(1.0), lines, asides=(word("chart", "sampled_refuted"),))


def _confidence_axes(e0: float) -> tuple[Axis, Axis]:
    return shares(word("chart", "confidence"), beyond=False), even(word("chart", "level"), e0 * 1.04)


def _refuted_line(y: tuple[float, ...], label: str, name: str) -> Line:
    struck = word("chart", "confidence_refuted")
    return Line(name=name, label=label, x=GRID, y=y, role="refuted", dash="dash", width=1.5, struck=struck)
