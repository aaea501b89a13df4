"""The panels of an assessment as scenes, to be saved, copied or read as a table: the same figures that the report prints."""

from __future__ import annotations

from dpwizard import explain
from dpwizard.assessment import Answer, Assessment
from dpwizard.drawings.curves import Noise, RiskCurve
from dpwizard.drawings.scene import Scene
from dpwizard.language import spoken
from dpwizard.reporting import figures
from dpwizard.reporting.report_words import words

__all__ = ["axis_scene", "noise_scene", "profile_scene"]


def axis_scene(assessment: Assessment, language: str | None = None) -> Scene | None:
    """Return every requirement on the axis of epsilon; None where none bounds it."""
    rows = tuple(_row(answer, language) for answer in assessment.answers if answer.enabled)
    if not any(row.epsilon is not None for row in rows):
        return None
    window = assessment.window
    return figures.requirement_rows(
        rows=rows,
        lower=window.lower if window.binds_lower is not None else None,
        upper=window.upper,
        empty=window.empty,
        chosen=assessment.epsilon,
        said=(explain.window(assessment, language), explain.position(assessment, language)),
        words=words(language or spoken()),
    )


def _row(answer: Answer, language: str | None) -> figures.Row:
    published = (answer.as_published or {}).get("epsilon")
    return figures.Row(
        name=explain.title(answer, language),
        note=explain.bound(answer, language),
        side=answer.side,
        epsilon=answer.epsilon if answer.status == "allowed" else None,
        unbounded=answer.status == "unbounded",
        enabled=answer.enabled,
        published=float(published) if isinstance(published, int | float) and published > 0 else None,
    )


def profile_scene(curve: RiskCurve, chosen: float | None, language: str | None = None) -> Scene:
    """Return a risk profile with the epsilon it implies, over the belief that varies."""
    return figures.risk_profile(curve=curve, chosen=chosen, words=words(language or spoken()))


def noise_scene(noise: Noise, language: str | None = None) -> Scene:
    """Return how the noise on one number is distributed."""
    return figures.noise_distribution(noise=noise, words=words(language or spoken()))
