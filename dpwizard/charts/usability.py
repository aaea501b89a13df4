"""Every measure of accuracy at one epsilon, with or without a requirement on it."""

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
    """One measure: its name, its value, the required value, and whether that is met (None: not required)."""

    kind: str
    name: str
    value: str
    required: str
    met: bool | None


def measures(decision: Decision, assessment: Assessment) -> tuple[Measure, ...]:
    """Return the measures of one published number at the chosen epsilon, each with the requirement on it.

    With several tables, each measure names its table: that of the requirement, else the first with noise.
    """
    rows = []
    for kind, requirement_class in NEEDS.items():
        index = next((i for i, a in enumerate(assessment.answers) if a.kind == kind and a.enabled), None)
        need: Any = None if index is None else decision.requirements[index]
        answer = None if index is None else assessment.answers[index]
        outcome = {} if answer is None else answer.at_epsilon
        if not outcome and requirement_class.measured is None:
            continue
        part = getattr(need, "part", None) or decision.release.noisy[0].name
        noise_and_setting = _measured_noise(decision, need, answer, part)
        if noise_and_setting is None:
            return ()
        measured = need
        if not outcome and requirement_class.measured:
            if need is None or need.missing():
                measured = requirement_class.model_validate(dict(requirement_class.measured))
            outcome = measured.figures(*noise_and_setting)
        met = None if answer is None else answer.met
        value = _given_words(outcome, getattr(measured, "at_most", None), met, noise_and_setting[0])
        name = format_text("implied", kind, {"level": getattr(measured, "level", None)})
        if len(decision.release.tables) > 1:
            name = format_text("implied", "of_part", {"measure": name, "part": part})
        text = word("implied", "not_asked") if need is None else _required_words(requirement_class, need)
        rows.append(Measure(kind=kind, name=name, value=value, required=text, met=met))
    return tuple(rows)


def _measured_noise(
    decision: Decision, need: BaseRequirement | None, answer: RequirementResult | None, part: str | None
) -> tuple[NumberNoise, AccuracyInputs] | None:
    """Return the noise on the number of NEED, else of PART, with its setting; None if it is unknown."""
    setting = published_setting(decision.release, part) if need is None else need.setting(decision.release)
    if isinstance(setting, EachTable) and answer is not None:
        setting = setting.of(answer.binding.get("part"))
    if not isinstance(setting, AccuracyInputs) or setting.in_steps or not decision.chosen:
        return None
    noise = setting.noise_at(decision.chosen)
    return (noise, setting) if noise is not None and 0.0 < noise.scale < math.inf else None


def _given_words(outcome: Mapping[str, Any], most: float | None, met: bool | None, noise: NumberNoise) -> str:
    """Return the value of a measure in words, or why it is unknown."""
    if "exact_probability" in outcome and isinstance(noise, PublishedNoise):
        return word("implied", "not_after_adding_up")
    return given(outcome, most, met) or word("implied", "needs_threshold")


def given(outcome: Mapping[str, Any], most: float | None = None, met: bool | None = None) -> str:
    """Return the accuracy in the `at_epsilon` of a requirement, in words for a table; "" if there is none."""
    # records have None for unbounded figures
    outcome = {name: figure for name, figure in outcome.items() if figure is not None}
    for error in ("rmse", "mean_absolute_error"):
        if error in outcome:
            value = float(outcome[error])
            return written(min(value, most) if met and most is not None else value, "figure")
    if "exact_probability" in outcome:
        return chance_down(outcome["exact_probability"]) if outcome["exact_probability"] > 0 else share(0.0)
    if "half_width" in outcome:
        return format_text("implied", "within_half_width", {"value": written(outcome["half_width"], "figure_up")})
    if "chance" in outcome:
        return chance_down(outcome["chance"])
    return chance_up(outcome["probability"]) if "probability" in outcome else ""


def _required_words(requirement_class: type[AccuracyRequirement], need: BaseRequirement) -> str:
    """Return the value required by NEED in words."""
    value = getattr(need, requirement_class.bound)
    if value is None:
        return word("implied", "not_asked")
    if requirement_class.bound in ("at_least", "level"):
        return format_text("implied", "at_least", {"value": entered_chance(value)})
    text = written(value, "number") if requirement_class.bound == requirement_class.width else entered_chance(value)
    if requirement_class.bound == "half_width":
        text = format_text("implied", "within_half_width", {"value": text})
    return format_text("implied", "at_most", {"value": text})


def table(measured: tuple[Measure, ...]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the columns and rows of a table of measures."""
    columns = tuple(word("implied", key) for key in ("measure", "at_this", "asked", "kept_or_not"))
    words = {True: word("implied", "kept"), False: word("implied", "broken"), None: word("implied", "not_asked")}
    return columns, tuple((measure.name, measure.value, measure.required, words[measure.met]) for measure in measured)
