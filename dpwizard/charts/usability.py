"""Every measure of usability at one epsilon, whether a need asks for it or not: all targets at once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpwizard.decision import (
    AccuracyInputs,
    AccuracyRequirement,
    Assessment,
    BaseRequirement,
    Decision,
    EachTable,
    RequirementResult,
    published_setting,
)
from dpwizard.decision.requirements import kinds
from dpwizard.privacy.accuracy import NumberNoise
from dpwizard.privacy.adding_up import PublishedNoise
from dpwizard.wording import chance_down, chance_up, entered_chance, format_text, share, word, written

NEEDS = {kind: made for kind, made in kinds().items() if issubclass(made, AccuracyRequirement)}


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One measure: what it is, what the epsilon gives, what a need asks for, and whether it is kept (None: no need)."""

    kind: str
    name: str
    value: str
    required: str
    met: bool | None


def measures(decision: Decision, assessment: Assessment) -> tuple[Measure, ...]:
    """Return the measures of one published number at the epsilon chosen, each with the need that asks for it.

    Of several parts the one that the need speaks of, which is named; the first one with noise where nothing is asked.
    """
    found = []
    for kind, made in NEEDS.items():
        asked = next((i for i, a in enumerate(assessment.answers) if a.kind == kind and a.enabled), None)
        need: Any = None if asked is None else decision.requirements[asked]
        answer = None if asked is None else assessment.answers[asked]
        at = {} if answer is None else answer.at_epsilon
        if not at and made.measured is None:
            continue
        part = getattr(need, "part", None) or decision.release.noisy[0].name
        known = _noise(decision, need, answer, part)
        if known is None:
            return ()
        measured = need
        if not at and made.measured:
            if need is None or need.missing():
                measured = made.model_validate(dict(made.measured))
            at = measured.figures(*known)
        met = None if answer is None else answer.met
        value = _given_words(at, getattr(measured, "at_most", None), met, known[0])
        name = format_text("implied", kind, {"level": getattr(measured, "level", None)})
        if len(decision.release.tables) > 1:
            name = format_text("implied", "of_part", {"measure": name, "part": part})
        text = word("implied", "not_asked") if need is None else _required_words(made, need)
        found.append(Measure(kind=kind, name=name, value=value, required=text, met=met))
    return tuple(found)


def _noise(
    decision: Decision, need: BaseRequirement | None, answer: RequirementResult | None, part: str | None
) -> tuple[NumberNoise, AccuracyInputs] | None:
    """Return the noise on the number that NEED speaks of, or on PART, with its setting; None where none is known."""
    setting = published_setting(decision.release, part) if need is None else need.setting(decision.release)
    if isinstance(setting, EachTable) and answer is not None:
        setting = setting.of(answer.binding.get("part"))
    if not isinstance(setting, AccuracyInputs) or setting.in_steps or not decision.chosen:
        return None
    noise = setting.noise_at(decision.chosen)
    return (noise, setting) if noise is not None and 0.0 < noise.scale < math.inf else None


def _given_words(at: Mapping[str, Any], most: float | None, met: bool | None, noise: NumberNoise) -> str:
    """Return what is GIVEN under NOISE, or why that is not said: a chance of no error is known before adding up."""
    if "exact_probability" in at and isinstance(noise, PublishedNoise):
        return word("implied", "not_after_adding_up")
    return given(at, most, met) or word("implied", "needs_threshold")


def given(at: Mapping[str, Any], most: float | None = None, met: bool | None = None) -> str:
    """Return what a need's `at_epsilon` says the budget chosen gives, as short as a table has room for."""
    at = {name: figure for name, figure in at.items() if figure is not None}  # a record writes what has no limit so
    for error in ("rmse", "mean_absolute_error"):
        if error in at:
            value = float(at[error])
            return written(min(value, most) if met and most is not None else value, "figure")
    if "exact_probability" in at:
        return chance_down(at["exact_probability"]) if at["exact_probability"] > 0 else share(0.0)
    if "half_width" in at:
        return format_text("implied", "within_half_width", {"value": written(at["half_width"], "figure_up")})
    if "chance" in at:
        return chance_down(at["chance"])
    return chance_up(at["probability"]) if "probability" in at else ""


def _required_words(made: type[AccuracyRequirement], need: BaseRequirement) -> str:
    """Return what a NEED asks for, in words; a dash where that is not answered."""
    value = getattr(need, made.bound)
    if value is None:
        return word("implied", "not_asked")
    if made.bound in ("at_least", "level"):
        return format_text("implied", "at_least", {"value": entered_chance(value)})
    text = written(value, "number") if made.bound == made.width else entered_chance(value)
    if made.bound == "half_width":
        text = format_text("implied", "within_half_width", {"value": text})
    return format_text("implied", "at_most", {"value": text})


def table(found: tuple[Measure, ...]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the measures as a table: its columns and its rows."""
    columns = tuple(word("implied", key) for key in ("measure", "at_this", "asked", "kept_or_not"))
    kept = {True: word("implied", "kept"), False: word("implied", "broken"), None: word("implied", "not_asked")}
    return columns, tuple((one.name, one.value, one.required, kept[one.met]) for one in found)
