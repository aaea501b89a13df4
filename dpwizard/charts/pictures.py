"""All that the window shows of a decision, computed off its thread: the assessment and the data of its curves."""

from __future__ import annotations

from dataclasses import dataclass

from dpwizard.charts.curves import Noise, RiskCurve, noise, risk_curves
from dpwizard.charts.profile_chart import Strand, strands
from dpwizard.decision import (
    AccuracyInputs,
    Assessment,
    BaseRequirement,
    Decision,
    Release,
    RequirementResult,
    assess,
    promises,
    published_setting,
)
from dpwizard.decision.requirements import RelativeRisk


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """The curves of one requirement, with what they were computed from."""

    requirement: BaseRequirement
    release: Release
    answer: RequirementResult
    chosen: float | None
    curves: tuple[RiskCurve, ...]
    strands: tuple[Strand, ...]


@dataclass(frozen=True, kw_only=True)
class Picture:
    """An assessment with the curves of each requirement (by position) and the noise of the first number.

    Where no budget is chosen yet, the noise is that of the least which keeps every need.
    """

    assessment: Assessment
    drawn: tuple[Drawn, ...]
    noise: Noise | None
    noise_of: tuple[AccuracyInputs, float] | None = None  # the setting and epsilon whose noise it is


def picture(decision: Decision, previous: Picture | None = None) -> Picture:
    """Return what there is to show of DECISION; what has not changed since PREVIOUS is taken from it."""
    return _picture(decision, previous, assess(decision, previous.assessment if previous else None))


def draft(decision: Decision, previous: Picture | None = None) -> Picture:
    """Return what of DECISION can be shown at once; `assessment.pending` names the requirements that take longer."""
    return _picture(decision, previous, assess(decision, previous.assessment if previous else None, draft=True))


def _picture(decision: Decision, previous: Picture | None, assessment: Assessment) -> Picture:
    decision = decision.planned
    before = previous.drawn if previous else ()
    same_release = bool(before) and before[0].release == decision.release
    drawn = []
    for index, (requirement, answer) in enumerate(zip(decision.requirements, assessment.answers, strict=True)):
        kept = before[index] if same_release and index < len(before) else None
        asked = (requirement, decision.chosen, answer)
        if kept is None or (kept.requirement, kept.chosen, kept.answer) != asked:
            kept = _draw(index, requirement, answer, decision)
        drawn.append(kept)
    source = _noise_of(decision, assessment.window.lower)
    same = previous is not None and previous.noise_of == source
    found = previous.noise if same and previous is not None else noise(*source) if source is not None else None
    return Picture(assessment=assessment, drawn=tuple(drawn), noise=found, noise_of=source)


def _draw(index: int, requirement: BaseRequirement, answer: RequirementResult, decision: Decision) -> Drawn:
    release, chosen = decision.release, decision.chosen
    found: tuple[RiskCurve, ...] = ()
    if isinstance(requirement, RelativeRisk):
        figures = {name: getattr(answer, name) for name in ("status", "binding", "attained", "epsilon")}
        found = risk_curves(requirement, release, figures, chosen, True)
    drawn = strands(index, answer, found)
    return Drawn(requirement=requirement, release=release, answer=answer, chosen=chosen, curves=found, strands=drawn)


def _noise_of(decision: Decision, needed: float) -> tuple[AccuracyInputs, float] | None:
    if not promises.is_central_model(decision.release):  # what adds up in a figure is not known
        return None
    setting = published_setting(decision.release, decision.release.noisy[0].name)
    budget = needed if decision.chosen is None else decision.chosen
    return (setting, budget) if isinstance(setting, AccuracyInputs) and budget else None
