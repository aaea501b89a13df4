"""The content of the window for a decision, computed in the background: the assessment and the data of curves."""

from __future__ import annotations

from dataclasses import dataclass

from dpwizard.charts.curves import DrawnNoise, RiskCurve, noise, risk_curves
from dpwizard.charts.profile_chart import Strand, strands
from dpwizard.decision import (
    AccuracyInputs,
    Assessment,
    BaseRequirement,
    Decision,
    Release,
    RequirementResult,
    assess,
    published_setting,
    release_flaws,
)
from dpwizard.decision.requirements import RelativeRisk


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """The curves of one requirement, with the inputs of their computation."""

    requirement: BaseRequirement
    release: Release
    answer: RequirementResult
    chosen: float | None
    curves: tuple[RiskCurve, ...]
    strands: tuple[Strand, ...]


@dataclass(frozen=True, kw_only=True)
class Picture:
    """An assessment with the curves of each requirement (by position) and the noise of the first number.

    Without a chosen budget, the noise is that at the lower limit.
    """

    assessment: Assessment
    drawn: tuple[Drawn, ...]
    noise: DrawnNoise | None
    noise_of: tuple[AccuracyInputs, float] | None = None  # its setting and epsilon


def picture(decision: Decision, previous: Picture | None = None) -> Picture:
    """Return the picture of DECISION; unchanged parts are taken from PREVIOUS."""
    return _assemble(decision, previous, assess(decision, previous.assessment if previous else None))


def draft(decision: Decision, previous: Picture | None = None) -> Picture:
    """Return a quick picture of DECISION; `assessment.pending` lists the requirements that take longer."""
    return _assemble(decision, previous, assess(decision, previous.assessment if previous else None, draft=True))


def _assemble(decision: Decision, previous: Picture | None, assessment: Assessment) -> Picture:
    decision = decision.planned
    before = previous.drawn if previous else ()
    same_release = bool(before) and before[0].release == decision.release
    drawn = []
    for index, (requirement, answer) in enumerate(zip(decision.requirements, assessment.answers, strict=True)):
        curves = before[index] if same_release and index < len(before) else None
        current = (requirement, decision.chosen, answer)
        if curves is None or (curves.requirement, curves.chosen, curves.answer) != current:
            curves = _draw_requirement(index, requirement, answer, decision)
        drawn.append(curves)
    source = _noise_source(decision, assessment.window.lower)
    noise_drawn = previous.noise if previous is not None else None
    if previous is None or previous.noise_of != source:
        noise_drawn = None if source is None else noise(*source)
    return Picture(assessment=assessment, drawn=tuple(drawn), noise=noise_drawn, noise_of=source)


def _draw_requirement(index: int, requirement: BaseRequirement, answer: RequirementResult, decision: Decision) -> Drawn:
    release, chosen = decision.release, decision.chosen
    curves: tuple[RiskCurve, ...] = ()
    if isinstance(requirement, RelativeRisk):
        figures = {name: getattr(answer, name) for name in ("status", "binding", "attained", "epsilon")}
        curves = risk_curves(requirement, release, figures, chosen, True)
    strands_drawn = strands(index, answer, curves)
    return Drawn(
        requirement=requirement, release=release, answer=answer, chosen=chosen, curves=curves, strands=strands_drawn
    )


def _noise_source(decision: Decision, needed: float) -> tuple[AccuracyInputs, float] | None:
    if not release_flaws.is_central_model(decision.release):  # the sum of the noise in a figure is unknown
        return None
    setting = published_setting(decision.release, decision.release.noisy[0].name)
    budget = needed if decision.chosen is None else decision.chosen
    return (setting, budget) if isinstance(setting, AccuracyInputs) and budget else None
