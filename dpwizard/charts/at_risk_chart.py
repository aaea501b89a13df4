"""The figures of privacy at risk (Dandekar et al. 2021, Figures 1 to 3), as published and exact."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

from dpwizard.charts.charts import (
    Axis,
    Drawing,
    Figure,
    Line,
    Mark,
    along,
    curve,
    decades,
    even,
    plotted,
    refusal,
    shares,
)
from dpwizard.decision import Decision, Limit
from dpwizard.decision.requirements import Compensation, PrivacyAtRisk, one_number, pure_noise
from dpwizard.privacy import privacy_at_risk
from dpwizard.privacy.mechanisms import PureName, mechanism_named
from dpwizard.wording import format_text, number, share, word

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


def drawing(decision: Decision, epsilon: float | None, view: View = "own") -> Drawing | None:
    """Return what to draw of DECISION at EPSILON; None without such a requirement or without an epsilon."""
    if not any(isinstance(r, PrivacyAtRisk | Compensation) for r in decision.requirements):
        return None
    if view != "own":
        return Drawing.of(_published_figure, view=view)
    requirement = _requirement_drawn(decision)
    setting = requirement.setting(decision.release)
    if isinstance(setting, tuple):
        return None
    noise = requirement.blocked_limit(decision.release) or pure_noise(setting)
    if isinstance(noise, Limit):
        return Drawing.of(refusal, title="at_risk_title", reason=noise.why, kind=requirement.kind)
    total = 0.0 if epsilon is None else setting.loss.total_epsilon(epsilon)
    if not 0.0 < total < LARGEST:
        return None
    if not one_number(setting) or setting.own_sensitivity is None:
        return Drawing.of(_whole_loss_figure, e0=total, level=requirement.level)
    sensitivity = setting.own_sensitivity or 1.0
    return Drawing.of(_release_figure, e0=total, level=requirement.level, mechanism=noise, sensitivity=sensitivity)


def _requirement_drawn(decision: Decision) -> PrivacyAtRisk:
    """Return the first enabled requirement of privacy at risk, else the first, else an empty one."""
    requirements = [requirement for requirement in decision.requirements if isinstance(requirement, PrivacyAtRisk)]
    enabled = [requirement for requirement in requirements if requirement.enabled]
    return (enabled or requirements or [PrivacyAtRisk()])[0]


def is_at_risk(decision: Decision, index: int) -> bool:
    """Return whether requirement INDEX is one of privacy at risk."""
    return 0 <= index < len(decision.requirements) and isinstance(decision.requirements[index], PrivacyAtRisk)


# -------------------------------------------------------------------------------------------- this release


def _release_figure(e0: float, level: float | None, mechanism: PureName, sensitivity: float) -> Figure:
    """Return level against confidence for the noise of this release, whose total loss is E0."""

    def confidence(level: float) -> float:
        return privacy_at_risk.confidence(mechanism=mechanism, epsilon=level, epsilon0=e0, sensitivity=sensitivity)

    def lowest_level(share: float) -> float:
        """Return the lowest level that holds with the confidence SHARE."""
        if not mechanism_named(mechanism).integer_valued:
            return _laplace_level(share, e0)
        low, high = 0.0, e0
        for _ in range(50):  # geometric noise, to the accuracy of a curve
            middle = (low + high) / 2
            low, high = (low, middle) if confidence(middle) >= share else (middle, high)
        return high

    levels = tuple(map(lowest_level, GRID))
    lines = [
        Line(name=word("chart", "exact_confidence"), label=word("chart", "exact"), x=GRID, y=levels, role="privacy")
    ]
    figures = {"epsilon": e0, "most": confidence(e0 * (1 - 1e-9)), "half": e0 / 2, "exact": confidence(e0 / 2)}
    key, marks = "at_risk", []
    if level is not None and 0.0 < level < e0:
        kept = confidence(level)
        words = format_text("chart", "kept", {"share": kept})
        marks = [Mark(x=kept, y=level, words=words, role="privacy", below=True)]
        key, figures = "at_risk_level", {**figures, "level": level, "kept": kept}
    return plotted(
        word("chart", "at_risk_title"), format_text("chart", key, figures), *_confidence_axes(e0), lines, marks
    )


def _whole_loss_figure(e0: float, level: float | None) -> Figure:
    """Return text only: for several numbers or releases no level below the whole loss E0 is proved."""
    key = "at_risk_together"
    if level is not None:
        key = "at_risk_together_kept" if e0 <= level else "at_risk_together_broken"
    sentence = format_text("chart", key, {"epsilon": e0, "level": level})
    return Figure(title=word("chart", "at_risk_title"), sentence=sentence)


# -------------------------------------------------------------------------------------------- the paper


def _published_figure(view: View) -> Figure:
    """Return one of the paper's figures; published curves say why they are not valid."""
    axes, aside = _confidence_axes(1.0), "confidence_refuted"
    figures: Mapping[str, Any]
    if view in ("dimensions", "noise"):
        lines, figures = _figure_1(view), {"most": (1.0 - math.exp(-1.0)) / 2.0}
    elif view == "samples":
        lines, aside = _figure_2(), "for_data_alike"
        axes = (
            shares(word("chart", "sampling_confidence"), beyond=False),
            decades(word("chart", "samples"), 10.0, 1e9, way="count"),
        )
        count = privacy_at_risk.samples_needed(tolerance=0.9, rho=0.01)
        figures = {"share": 0.9, "rho": number(0.01), "samples": count}
    else:
        lines, aside = _figure_3(view), "sampled_refuted"
        figures = {"samples": SAMPLES, "rho": number(ERROR), "quantile": share(QUANTILE)}
    title, sentence = word("chart", f"at_risk_{view}_title"), format_text("chart", f"at_risk_{view}", figures)
    return plotted(title, sentence, *axes, lines, asides=(word("chart", aside),))


def _figure_1(view: View) -> Sequence[Line]:
    """Return Figure 1: a, level against confidence at epsilon0 = 1 for several dimensions; b, for several epsilon0."""
    cases = [(f"k = {k}", 1.0, k) for k in DIMENSIONS]
    if view == "noise":
        cases = [(f"ε₀ = {number(e0)}", e0, 1) for e0 in NOISE_LEVELS]
    lines = [
        _refuted_line(label, (privacy_at_risk.published_level(confidence=c, epsilon0=e0, dimension=k) for c in GRID))
        for label, e0, k in cases
    ]
    for e0 in dict.fromkeys(e0 for _, e0, _ in cases):
        exact = _up_to_1(_laplace_level(c, e0) for c in GRID)
        name = f"{word('chart', 'exact')}, ε₀ = {number(e0)}"
        label = name if e0 in (1.0, NOISE_LEVELS[-1]) else ""
        lines.append(Line(name=name, label=label, x=GRID, y=exact, role="privacy", width=1.5))
    return lines


def _figure_2() -> Sequence[Line]:
    """Return Figure 2: the samples a sampled sensitivity needs, for several errors rho; the inequality is sound."""
    grid = tuple(c * 0.98 + 0.01 for c in GRID)
    lines = []
    for rho in ERRORS:
        counts = tuple(float(privacy_at_risk.samples_needed(tolerance=c, rho=rho)) for c in grid)
        lines.append(curve(f"ρ = {number(rho)}", grid, counts, "plain", width=1.5))
    return lines


def _figure_3(view: View) -> Sequence[Line]:
    """Return Figure 3: level against confidence with a sampled sensitivity, by error (a) or number of samples (b)."""
    cases = [(format_text("chart", "samples_n", {"samples": count}), ERROR, count) for count in FIGURE_SAMPLES]
    if view == "sampling_error":
        cases = [(format_text("chart", "error_rho", {"rho": rho}), rho, SAMPLES) for rho in FIGURE_ERRORS]
    lines = []
    for label, rho, samples in cases:
        # Theorem 6 inverted: confidence = published confidence * quantile * tolerance
        most = QUANTILE * max(0.0, privacy_at_risk.published_tolerance(rho=rho, samples=samples))
        levels = (
            privacy_at_risk.published_level(confidence=c / most, epsilon0=1.0, dimension=1) if c <= most else math.nan
            for c in GRID
        )
        lines.append(_refuted_line(label, levels))
    exact = tuple(_laplace_level(c, 1.0) for c in GRID)
    name, label = word("chart", "exact_known"), word("chart", "exact")
    return [*lines, Line(name=name, label=label, x=GRID, y=exact, role="privacy")]


def _laplace_level(confidence: float, e0: float) -> float:
    """Return the inverse of e^(-eps0/2) sinh(eps/2), at most epsilon0: docs/methods/privacy_at_risk.md."""
    return min(2.0 * math.asinh(confidence * math.exp(e0 / 2.0)), e0)


def _up_to_1(levels: Iterable[float]) -> tuple[float, ...]:
    """Return LEVELS with nan, which is not drawn, in place of those above 1."""
    return tuple(level if level <= 1.0 else math.nan for level in levels)


def _confidence_axes(e0: float) -> tuple[Axis, Axis]:
    return shares(word("chart", "confidence"), beyond=False), even(word("chart", "level"), e0 * 1.04)


def _refuted_line(label: str, levels: Iterable[float]) -> Line:
    return curve(label, GRID, _up_to_1(levels), "refuted", "dash", 1.5, word("chart", "confidence_refuted"))
