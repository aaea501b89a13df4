"""The figures of privacy at risk (Dandekar et al. 2021, Figures 1 to 3, 6, 7), as published and beside the exact."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from dpwizard.charts import regression_chart
from dpwizard.charts.charts import Axis, Chart, Figure, Line, Mark, Role, decades, even, shares, table_of
from dpwizard.decision import Decision, Limit, Message
from dpwizard.decision.requirements import Compensation, PrivacyAtRisk, one_number, pure_noise
from dpwizard.privacy import privacy_at_risk
from dpwizard.privacy.mechanisms import LAPLACE, PureName, mechanism_named
from dpwizard.wording import number, say, share, why, word

View = Literal["own", "dimensions", "noise", "samples", "sampling_error", "sample_size", "regression", "sensitivities"]
VIEWS: tuple[View, ...] = (
    "own",
    "dimensions",
    "noise",
    "samples",
    "sampling_error",
    "sample_size",
    "regression",
    "sensitivities",
)
POINTS = 101
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
    """What the figure reads: its view, what is lost in all, the noise where its loss is known, and the promise."""

    view: View
    epsilon0: float  # between two values of one unit: all repetitions, and what is spent
    mechanism: PureName | None  # None: only epsilon is known of the loss
    sensitivity: float
    dimension: int
    level: float | None
    single: bool = True  # whether what is looked at is one release alone: the published curve speaks of nothing else
    refused: Message | None = None  # why the requirement speaks of no such release


def inputs(decision: Decision, epsilon: float | None, view: View = "own") -> AtRiskInputs | None:
    """Return what the figure of DECISION reads at EPSILON; None where nobody asks, or none is chosen or allowed."""
    if not any(isinstance(r, PrivacyAtRisk | Compensation) for r in decision.requirements):
        return None  # nobody asks for it
    if view != "own":
        return AtRiskInputs(view=view, epsilon0=1.0, mechanism=LAPLACE.name, sensitivity=1.0, dimension=1, level=None)
    asked = [r for r in decision.requirements if isinstance(r, PrivacyAtRisk)]
    one = next((r for r in asked if r.enabled), asked[0] if asked else PrivacyAtRisk())
    setting = one.setting(decision.release)  # of the pair of worlds the requirement compares, as its limit counts it
    if isinstance(setting, tuple):
        return None
    noise = one.barred(decision.release) or pure_noise(setting)
    own = 0.0 if epsilon is None else setting.own(epsilon)
    if not isinstance(noise, Limit) and not 0.0 < own < LARGEST:
        return None
    known = one_number(setting) and setting.sensitivity_own is not None and not isinstance(noise, Limit)
    return AtRiskInputs(
        view=view,
        epsilon0=own,
        mechanism=noise if known and not isinstance(noise, Limit) else None,
        sensitivity=setting.sensitivity_own or 1.0,
        dimension=setting.dimension,
        level=one.level,
        single=setting.repetitions == 1 and not setting.spent,
        refused=noise.why if isinstance(noise, Limit) else None,
    )


def speaks_of(decision: Decision, index: int) -> bool:
    """Return whether requirement INDEX is one of privacy at risk."""
    return 0 <= index < len(decision.requirements) and isinstance(decision.requirements[index], PrivacyAtRisk)


def figure(read: AtRiskInputs) -> Figure:
    """Return the figure of one view; every published curve carries why it does not hold."""
    if read.view == "own":
        return _own(read)
    if read.view in ("dimensions", "noise"):
        return _published_levels(read.view)
    if read.view == "samples":
        return _samples()
    if read.view == "regression":
        return regression_chart.utility()
    if read.view == "sensitivities":
        return regression_chart.sensitivities()
    return _sampled(read.view)


def _own(read: AtRiskInputs) -> Figure:
    """Return level against confidence at this release's noise, published beside exact; words where no loss is known."""
    if read.refused is not None:
        return Figure(title=word("chart", "at_risk_title"), sentence=why(read.refused, kind="privacy_at_risk"))
    if read.mechanism is None:
        return _together(read)
    e0 = read.epsilon0
    shares_of = tuple(i / (POINTS - 1) for i in range(POINTS))
    published = tuple(
        privacy_at_risk.published_level(confidence=c, epsilon0=e0, dimension=read.dimension) for c in shares_of
    )
    x, y = _axes(e0)
    lines = [_struck(shares_of, published, word("chart", "published"), word("chart", "published_confidence"))]
    marks = []
    exact = tuple(_exact_level(c, read) for c in shares_of)
    name = word("chart", "exact_confidence")
    lines.append(Line(name=name, label=word("chart", "exact"), x=shares_of, y=exact, role="privacy"))
    figures = {
        "epsilon": e0,
        "most": _exact(e0 * (1 - 1e-9), read),
        "published": privacy_at_risk.published_confidence(epsilon=e0 / 2, epsilon0=e0, dimension=read.dimension),
        "half": e0 / 2,
        "exact": _exact(e0 / 2, read),
    }
    key = "at_risk"
    if read.level is not None and 0.0 < read.level < e0:
        claimed = privacy_at_risk.published_confidence(epsilon=read.level, epsilon0=e0, dimension=read.dimension)
        kept = _exact(read.level, read)
        marks = [
            Mark(
                x=claimed, y=read.level, words=say("chart", "claimed", {"share": claimed}), role="refuted", below=True
            ),
            Mark(x=kept, y=read.level, words=say("chart", "kept", {"share": kept}), role="privacy", below=True),
        ]
        key, figures = "at_risk_level", {**figures, "level": read.level, "claimed": claimed, "kept": kept}
    columns, rows = table_of(x, lines, y)
    return Figure(
        title=word("chart", "at_risk_title"),
        sentence=say("chart", key, figures),
        plots=(Chart(x=x, y=y, lines=tuple(lines), marks=tuple(marks)),),
        asides=(word("chart", "confidence_refuted"),),
        columns=columns,
        rows=rows,
    )


def _together(read: AtRiskInputs) -> Figure:
    """Return in words what is known of several numbers or releases; the published curve is struck."""
    e0 = read.epsilon0
    figures: dict[str, float | None] = {"epsilon": e0, "level": read.level}
    key = "at_risk_together"
    if read.level is not None:
        key = "at_risk_together_kept" if e0 <= read.level else "at_risk_together_broken"
    sentence, title = say("chart", key, figures), word("chart", "at_risk_title")
    if not read.single:  # the published curve is of one release: nothing is drawn of several
        return Figure(title=title, sentence=sentence)
    shares_of = tuple(i / (POINTS - 1) for i in range(POINTS))
    published = tuple(
        privacy_at_risk.published_level(confidence=c, epsilon0=e0, dimension=read.dimension) for c in shares_of
    )
    x, y = _axes(e0)
    lines = (_struck(shares_of, published, word("chart", "published"), word("chart", "published_confidence")),)
    columns, rows = table_of(x, lines, y)
    aside = word("chart", "confidence_refuted")
    return Figure(
        title=title,
        sentence=sentence,
        plots=(Chart(x=x, y=y, lines=lines),),
        asides=(aside,),
        columns=columns,
        rows=rows,
    )


def _exact(level: float, read: AtRiskInputs) -> float:
    assert read.mechanism is not None
    return privacy_at_risk.confidence(
        mechanism=read.mechanism, epsilon=level, epsilon0=read.epsilon0, sensitivity=read.sensitivity
    )


def _exact_level(confidence: float, read: AtRiskInputs) -> float:
    """Return the least level that holds with CONFIDENCE, the inverse of e^(-eps0/2) sinh(eps/2) up to epsilon0."""
    assert read.mechanism is not None
    e0 = read.epsilon0
    if not mechanism_named(read.mechanism).on_lattice:  # docs/methods/privacy_at_risk.md
        level = 2.0 * math.asinh(confidence * math.exp(e0 / 2.0))
        return min(level, e0)
    low, high = 0.0, e0
    for _ in range(50):  # a curve for the eye: steps of geometric noise
        middle = (low + high) / 2
        low, high = (low, middle) if _exact(middle, read) >= confidence else (middle, high)
    return high


def _published_levels(view: View) -> Figure:
    """Return Figure 1: a, level against confidence at epsilon0 = 1 for several dimensions; b, for several epsilon0."""
    grid = tuple(i / (POINTS - 1) for i in range(POINTS))
    lines = []
    x, y = _axes(1.0)
    kinds = [(1.0, k) for k in DIMENSIONS] if view == "dimensions" else [(e, 1) for e in NOISE_LEVELS]
    for e0, k in kinds:
        levels = tuple(privacy_at_risk.published_level(confidence=c, epsilon0=e0, dimension=k) for c in grid)
        label = f"k = {k}" if view == "dimensions" else f"ε₀ = {number(e0)}"
        lines.append(_struck(grid, tuple(v if v <= 1.0 else math.nan for v in levels), label, label))
    for e0 in (1.0,) if view == "dimensions" else NOISE_LEVELS:
        exact = tuple(min(2.0 * math.asinh(c * math.exp(e0 / 2.0)), e0) for c in grid)
        label = f"{word('chart', 'exact')}, ε₀ = {number(e0)}"
        shown = tuple(v if v <= 1.0 else math.nan for v in exact)
        lines.append(
            Line(
                name=label,
                label=label if e0 in (1.0, NOISE_LEVELS[-1]) else "",
                x=grid,
                y=shown,
                role="privacy",
                width=1.5,
            )
        )
    columns, rows = table_of(x, lines, y)
    figures = {"most": (1.0 - math.exp(-1.0)) / 2.0}
    return Figure(
        title=word("chart", f"at_risk_{view}_title"),
        sentence=say("chart", f"at_risk_{view}", figures),
        plots=(Chart(x=x, y=y, lines=tuple(lines)),),
        asides=(word("chart", "confidence_refuted"),),
        columns=columns,
        rows=rows,
    )


def _samples() -> Figure:
    """Return Figure 2: the samples a sampled sensitivity needs, for several errors rho; the inequality is sound."""
    grid = tuple(i / (POINTS - 1) * 0.98 + 0.01 for i in range(POINTS))
    x = shares(word("chart", "sampling_confidence"), beyond=False)
    y = decades(word("chart", "samples"), 10.0, 1e9, way="count")
    lines = []
    for rho in ERRORS:
        counts = tuple(float(privacy_at_risk.samples_needed(tolerance=c, rho=rho)) for c in grid)
        lines.append(
            Line(name=f"ρ = {number(rho)}", label=f"ρ = {number(rho)}", x=grid, y=counts, role="plain", width=1.5)
        )
    columns, rows = table_of(x, lines, y)
    figures = {"share": 0.9, "rho": number(0.01), "samples": privacy_at_risk.samples_needed(tolerance=0.9, rho=0.01)}
    return Figure(
        title=word("chart", "at_risk_samples_title"),
        sentence=say("chart", "at_risk_samples", figures),
        plots=(Chart(x=x, y=y, lines=tuple(lines)),),
        asides=(word("chart", "for_data_alike"),),
        columns=columns,
        rows=rows,
    )


def _sampled(view: View) -> Figure:
    """Return Figure 3: level against confidence with a sampled sensitivity, by error (a) or number of samples (b)."""
    grid = tuple(i / (POINTS - 1) for i in range(POINTS))
    x, y = _axes(1.0)
    pairs = (
        [(rho, SAMPLES) for rho in FIGURE_ERRORS] if view == "sampling_error" else [(ERROR, n) for n in FIGURE_SAMPLES]
    )
    lines = []
    for rho, n in pairs:
        # Theorem 6 inverted: confidence = published confidence * quantile * tolerance
        most = QUANTILE * max(0.0, privacy_at_risk.published_tolerance(rho=rho, samples=n))
        levels = tuple(
            privacy_at_risk.published_level(confidence=c / most, epsilon0=1.0, dimension=1) if c <= most else math.nan
            for c in grid
        )
        label = (
            say("chart", "error_rho", {"rho": rho})
            if view == "sampling_error"
            else say("chart", "samples_n", {"samples": n})
        )
        lines.append(_struck(grid, levels, label, label))
    exact = tuple(min(2.0 * math.asinh(c * math.exp(0.5)), 1.0) for c in grid)
    name = word("chart", "exact_known")
    lines.append(Line(name=name, label=word("chart", "exact"), x=grid, y=exact, role="privacy"))
    columns, rows = table_of(x, lines, y)
    figures = {"samples": SAMPLES, "rho": number(ERROR), "quantile": share(QUANTILE)}
    return Figure(
        title=word("chart", f"at_risk_{view}_title"),
        sentence=say("chart", f"at_risk_{view}", figures),
        plots=(Chart(x=x, y=y, lines=tuple(lines)),),
        asides=(word("chart", "sampled_refuted"),),
        columns=columns,
        rows=rows,
    )


def _axes(e0: float) -> tuple[Axis, Axis]:
    return shares(word("chart", "confidence"), beyond=False), even(word("chart", "level"), e0 * 1.04)


def _struck(x: tuple[float, ...], y: tuple[float, ...], label: str, name: str) -> Line:
    role: Role = "refuted"
    return Line(
        name=name, label=label, x=x, y=y, role=role, dash="dash", width=1.5, struck=word("chart", "confidence_refuted")
    )
