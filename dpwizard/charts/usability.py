"""Every measure of usability at one epsilon, whether a need asks for it or not: all targets at once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpwizard.decision import Assessment, BaseRequirement, Decision, NumberSetting
from dpwizard.decision.requirements import NoiseInterval
from dpwizard.privacy import accuracy
from dpwizard.wording import fear, hope, say, share, stated, word, written

LEVEL = 0.95  # of the noise interval where no need names another
ALWAYS = ("rmse", "mean_absolute_error", "noise_interval", "exact_probability", "switch_probability")
# what depends on figures that only a need states: shown where one asks for it
ASKED = ("relative_error", "all_within", "share_within", "drop_rate", "spurious_rate", "margin_of_error")
KINDS = ALWAYS + ASKED
ERRORS = ("rmse", "mean_absolute_error")  # asked for in the unit of the statistic


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One measure: what it is, what the epsilon gives, what a need asks for, and whether it is kept (None: no need)."""

    kind: str
    name: str
    value: str
    asked: str
    met: bool | None


def measures(decision: Decision, assessment: Assessment) -> tuple[Measure, ...]:
    """Return the measures of one published number at the epsilon chosen, each with the need that asks for it.

    Of several parts the one that the need speaks of, which is named; the first one with noise where nothing is asked.
    """
    tables, chosen = decision.release.noisy, decision.chosen
    found = []
    for kind in KINDS:
        needs = [i for i, answer in enumerate(assessment.answers) if answer.kind == kind and answer.enabled]
        need: Any = decision.requirements[needs[0]] if needs else None
        at = assessment.answers[needs[0]].at_epsilon if needs else {}
        met = assessment.answers[needs[0]].met if needs else None
        if kind in ASKED and not at:
            continue
        part = getattr(need, "part", None) or tables[0].name
        setting = decision.release.number_setting(part)
        if not isinstance(setting, NumberSetting) or setting.noise is None or setting.in_steps or not chosen:
            return ()
        own, scale = setting.own(chosen), setting.scale(chosen)
        if not 0.0 < scale < math.inf:
            return ()
        noise = accuracy.error_of(setting.noise, scale)
        name = word("implied", kind)
        if kind == "rmse":
            value = written(_kept(noise.sd, need, met), "figure")
        elif kind == "mean_absolute_error":
            value = written(_kept(noise.mae, need, met), "figure")
        elif kind == "exact_probability":
            value = hope(noise.exact_probability) if noise.exact_probability > 0 else share(0.0)
        elif kind == "noise_interval":
            level = need.level if isinstance(need, NoiseInterval) and need.level is not None else LEVEL
            name = say("implied", kind, {"level": level})
            interval = accuracy.interval_of(setting.noise, scale, own, setting.sensitivity, level)
            value = say("implied", "within_half_width", {"value": written(interval.half_width, "figure_up")})
        else:
            value = given(at) or word("implied", "needs_threshold")
        if len(decision.release.tables) > 1:
            name = say("implied", "of_part", {"measure": name, "part": part})
        found.append(Measure(kind=kind, name=name, value=value, asked=_asked(kind, need), met=met))
    return tuple(found)


def given(at: Mapping[str, Any], most: float | None = None, met: bool | None = None) -> str:
    """Return what a need's `at_epsilon` says the budget chosen gives, as short as a table has room for."""
    at = {name: figure for name, figure in at.items() if figure is not None}  # a record writes what has no limit so
    for error in ("rmse", "mean_absolute_error"):
        if error in at:
            value = float(at[error])
            return written(min(value, most) if met and most is not None else value, "figure")
    if "exact_probability" in at:
        return hope(at["exact_probability"]) if at["exact_probability"] > 0 else share(0.0)
    if "half_width" in at:
        return say("implied", "within_half_width", {"value": written(at["half_width"], "figure_up")})
    if "chance" in at:
        return hope(at["chance"])
    return fear(at["probability"]) if "probability" in at else ""


def _kept(value: float, need: Any, met: bool | None) -> float:
    """Return VALUE, or NEED's most where it is met but for the last digits: rounded up they would seem to break it."""
    most = getattr(need, "at_most", None)
    return min(value, most) if met and most is not None else value


def _asked(kind: str, need: BaseRequirement | None) -> str:
    """Return what a need asks for, in words; a dash where none does."""
    names = {"noise_interval": "half_width", "exact_probability": "at_least", "margin_of_error": "half_width"}
    names |= {"all_within": "level", "share_within": "level"}
    value = getattr(need, names.get(kind, "at_most"), None)
    if value is None:
        return word("implied", "not_asked")
    if names.get(kind) in ("at_least", "level"):
        return say("implied", "at_least", {"value": stated(value)})
    said = written(value, "number") if kind in ERRORS or names.get(kind) == "half_width" else stated(value)
    if names.get(kind) == "half_width":
        said = say("implied", "within_half_width", {"value": said})
    return say("implied", "at_most", {"value": said})


def table(found: tuple[Measure, ...]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the measures as a table: its columns and its rows."""
    columns = tuple(word("implied", key) for key in ("measure", "at_this", "asked", "kept_or_not"))
    kept = {True: word("implied", "kept"), False: word("implied", "broken"), None: word("implied", "not_asked")}
    return columns, tuple((one.name, one.value, one.asked, kept[one.met]) for one in found)
