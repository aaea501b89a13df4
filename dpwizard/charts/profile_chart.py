"""The two figures of the risk step: the allowed ratio and the implied epsilon by prior, for every risk profile.

They are Figures 1, 3 and 4 of Kazan & Reiter 2024. The followed requirement is emphasised.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from dpwizard.charts.charts import Axis, Band, Chart, Figure, Line, Mark, axis_words, decades, even, flat
from dpwizard.charts.curves import RiskCurve
from dpwizard.decision import RequirementResult
from dpwizard.wording import End, chance, format_text, times, title, why, word

BeliefAxis = Literal["p", "q"]
# ends of the axis of epsilon, few so that it seldom changes during a drag
TOPS = (1.0, 2.0, 4.0, 6.0, 8.0, 12.0)
FAINT = 1.25  # width of the curves that are not followed


@dataclass(frozen=True, kw_only=True, eq=False)
class Strand:
    """One curve of one requirement, ready to be drawn, and cached until the curve changes."""

    index: int  # the requirement, by position
    name: str
    limited: str  # its name with the epsilon it allows
    curve: RiskCurve
    allowed: Line
    allowed_faint: Line
    epsilon: Line
    epsilon_faint: Line
    given: Line | None
    top: float  # the largest ratio drawn
    free: tuple[float, float] | None  # the priors for which there is no bound
    rises: tuple[tuple[float, float, float], ...]  # (prior, next prior, epsilon) where the curve rises without bound
    enabled: bool = True
    why: str = ""  # reason for its limit


def strands(index: int, answer: RequirementResult, curves: Sequence[RiskCurve]) -> tuple[Strand, ...]:
    """Return the strands of requirement INDEX, one for each of its CURVES."""
    reason = why(answer.why)
    return tuple(strand_of(curve, title(answer), index, enabled=answer.enabled, reason=reason) for curve in curves)


def strand_of(curve: RiskCurve, name: str, index: int = 0, *, enabled: bool = True, reason: str = "") -> Strand:
    """Return CURVE of requirement INDEX, called NAME, ready to be drawn; REASON explains its limit."""
    certain = 1.0 / curve.other if curve.other else math.inf
    capped = tuple(
        min(ratio, certain / x) if ratio == math.inf else ratio
        for ratio, x in zip(curve.allowed, curve.priors, strict=True)
    )
    drawn = tuple(max(1.0, ratio) for ratio in capped)
    allowed = Line(
        name=format_text("chart", "column_allowed", {"name": name}),
        x=curve.priors,
        y=drawn,
        role="privacy",
        way="limit",
    )
    epsilon = Line(
        name=format_text("chart", "column_epsilon", {"name": name}), x=curve.priors, y=curve.epsilons, role="privacy"
    )
    given = None
    if curve.given:
        column = format_text("chart", "column_given", {"name": name})
        given = Line(name=column, x=curve.priors, y=curve.given, role="chosen", dash="dash", width=1.5, way="ratio_up")
        given = replace(given, label=word("chart", "at_chosen"))
    unbounded = [x for x, value in zip(curve.priors, curve.epsilons, strict=True) if value == math.inf]
    limited = (
        name if curve.limit is None else format_text("chart", "name_limit", {"name": name, "epsilon": curve.limit})
    )
    return Strand(
        index=index,
        name=name,
        limited=limited,
        curve=curve,
        allowed=allowed,
        allowed_faint=replace(allowed, role="quiet", width=FAINT, label=name),
        epsilon=epsilon,
        epsilon_faint=replace(epsilon, role="quiet", width=FAINT, label=limited, beside=curve.limit),
        given=given,
        top=max(drawn),
        free=(unbounded[0], unbounded[-1]) if unbounded and unbounded[0] < unbounded[-1] else None,
        rises=_unbounded_rises(curve) if unbounded else (),
        enabled=enabled,
        why=reason,
    )


def _unbounded_rises(curve: RiskCurve) -> tuple[tuple[float, float, float], ...]:
    """Return where CURVE rises continuously to infinity, next to unbounded priors."""
    x, y = curve.priors, curve.epsilons
    sides = [(i, before, border) for i in range(1, len(x) - 1) for before, border in ((i - 1, i + 1), (i + 1, i - 1))]
    return tuple(
        (x[i], x[border], y[i]) for i, before, border in sides if y[border] == math.inf and y[before] < y[i] < math.inf
    )


def axes_of(every: Iterable[Strand], followed: int) -> tuple[BeliefAxis, ...]:
    """Return the priors along which requirement FOLLOWED has a curve."""
    return tuple(strand.curve.axis for strand in every if strand.index == followed)


def _strands_along(every: Iterable[Strand], followed: int, axis: BeliefAxis) -> tuple[Strand, tuple[Strand, ...], int]:
    """Return the followed strand, other enabled ones along AXIS, and the number of those along the other prior only."""
    along = {strand.index: strand for strand in every if strand.curve.axis == axis}
    others = tuple(strand for index, strand in along.items() if index != followed and strand.enabled)
    elsewhere = {strand.index for strand in every if strand.enabled} - set(along)
    return along[followed], others, len(elsewhere)


def _belief_axis(axis: BeliefAxis, drawn: Sequence[Strand]) -> Axis:
    low, high = min(strand.curve.priors[0] for strand in drawn), max(strand.curve.priors[-1] for strand in drawn)
    return decades(word("chart", f"prior_{axis}"), low, high, way="chance", beliefs=True)


def _other_belief_note(count: int) -> str:
    return format_text("chart", "more_profile" if count == 1 else "more_profiles", {"count": count})


def _asides(strand: Strand, elsewhere: int) -> tuple[str, ...]:
    sentences = []
    if strand.curve.other < 1.0:
        sentences.append(format_text("chart", "others_held", {"prior": chance(strand.curve.other)}))
    if elsewhere:
        sentences.append(_other_belief_note(elsewhere))
    return tuple(sentences)


def ratios(every: Sequence[Strand], followed: int, axis: BeliefAxis) -> Figure:
    """Return the allowed ratio for each prior: requirement FOLLOWED emphasised, the other enabled ones faint."""
    main, others, elsewhere = _strands_along(every, followed, axis)
    x = _belief_axis(axis, (main, *others))
    highest = max(strand.top for strand in (main, *others))
    # a power of the square root of ten, so that the axis seldom changes during a drag
    top = 10 ** (math.ceil(2 * max(math.log10(highest), 0.3) - 1e-9) / 2)
    y = decades(word("chart", "ratio_times"), 1.0, top, way="limit")
    label = main.name if others else word("chart", "allowed")
    lines = (
        replace(main.allowed, label=label),
        *((main.given,) if main.given else ()),
        *(strand.allowed_faint for strand in others),
    )
    curve = main.curve
    marks = []
    if curve.binding is not None and curve.attained:
        at = min(range(len(curve.priors)), key=lambda i: abs(math.log(curve.priors[i] / (curve.binding or 1.0))))
        marks.append(Mark(x=curve.priors[at], y=main.allowed.y[at], words="", role="privacy", hollow=True))
    ends = {"first": times(curve.allowed[0]), "low": chance(curve.priors[0]), "last": times(curve.allowed[-1])}
    return Figure(
        title=word("chart", "profile_title"),
        sentence=format_text("chart", "profile_ends", {**ends, "high": chance(curve.priors[-1])}),
        plots=(Chart(x=x, y=y, lines=lines, marks=tuple(marks), beside=_right_labels(main, others)),),
        asides=_asides(main, elsewhere),
    )


def implied(
    every: Sequence[Strand], followed: int, axis: BeliefAxis, binds: int | None = None, chosen: End | None = None
) -> Figure:
    """Return the epsilon that each prior allows, with the limit of requirement BINDS and the CHOSEN epsilon."""
    main, others, elsewhere = _strands_along(every, followed, axis)
    x = _belief_axis(axis, (main, *others))
    limits = [strand.curve.limit for strand in others if strand.curve.limit]
    top = _epsilon_axis_end(main.curve.limit or 0.0, limits if chosen is None else [*limits, chosen.value], main)
    strictest = next((strand for strand in others if strand.index == binds), None)
    lines = [replace(main.epsilon, label=main.limited if others else "", beside=main.curve.limit if others else None)]
    lines += _riser_lines(main, top, main.epsilon)
    bands = () if main.free is None else (Band(low=main.free[0], high=main.free[1], words=word("chart", "no_bound")),)
    marks, sentence = _limit_marks(main, strictest)
    if main.curve.binding is not None and main.curve.limit:
        end = max(main.curve.binding, x.low)
        lines.append(flat(main.curve.limit, end, "", "plain", low=x.low))
    if chosen is not None and 0.0 < chosen.value <= top:
        label = f"{word('chart', 'axis_chosen')} {chosen.text}"
        lines.append(flat(chosen.value, x.high, label, low=x.low, dash="solid", width=1.5))
    lines += [strand.epsilon_faint for strand in others]
    lines += [riser for strand in others for riser in _riser_lines(strand, top, strand.epsilon_faint)]
    plot = Chart(
        x=x,
        y=even(word("chart", "release_epsilon"), top, way="limit"),
        lines=tuple(lines),
        marks=marks,
        bands=bands,
        beside=_right_labels(main, others),
    )
    asides = () if not elsewhere else (_other_belief_note(elsewhere),)
    return Figure(title=word("chart", "implied_title"), sentence=sentence, plots=(plot,), asides=asides)


def _limit_marks(strand: Strand, strictest: Strand | None) -> tuple[tuple[Mark, ...], str]:
    """Return the marks at the limits of STRAND and of the STRICTEST other requirement, and a sentence on them."""
    marks: tuple[Mark, ...] = ()
    sentence = strand.why
    if strand.curve.binding is not None and strand.curve.limit:
        key = _limit_key("binds_at", strand) if strictest is None else "own_limit"
        mark, sentence = _limit_mark(strand, key, "implied_limit")
        marks = (replace(mark, role="privacy"),)
    if strictest is not None and strictest.curve.binding is not None and strictest.curve.limit:
        mark, text = _limit_mark(strictest, _limit_key("binds_at", strictest), "implied_binds")
        return (*marks, mark), f"{sentence} {text}"
    return marks, sentence


def _limit_key(key: str, strand: Strand) -> str:
    """Return KEY for a limit that is attained at a prior; its variant for one that is only approached."""
    return key if strand.curve.attained else {"binds_at": "binds_near"}.get(key, f"{key}_near")


def _limit_mark(strand: Strand, key: str, text: str) -> tuple[Mark, str]:
    """Return the mark at the prior that sets the limit of STRAND, with the words of KEY, and the sentence TEXT."""
    at, limit = strand.curve.binding, strand.curve.limit
    assert at is not None and limit is not None
    figures = {"name": strand.name, "epsilon": limit, "prior": chance(at)}
    mark = Mark(x=at, y=limit, words=format_text("chart", key, figures), hollow=not strand.curve.attained, below=True)
    return mark, format_text("chart", _limit_key(text, strand), figures)


def _riser_lines(strand: Strand, top: float, like: Line) -> list[Line]:
    """Return lines drawn LIKE the curve, from its last finite points to TOP where it tends to infinity."""
    bare = replace(like, name="", label="", beside=None, column=False)
    return [replace(bare, x=(start, border), y=(level, top)) for start, border, level in strand.rises if level < top]


def _right_labels(main: Strand, others: Sequence[Strand]) -> tuple[str, ...]:
    """Return the labels at the right of both figures; each reserves space for all, so that they align."""
    given = (main.given.label,) if main.given else ()
    if not others:
        return word("chart", "allowed"), *given
    return (*(strand.limited for strand in (main, *others)), *given)


def _epsilon_axis_end(limit: float, others: Sequence[float], strand: Strand) -> float:
    """Return an end well above the limit, and above other limits unless they are much larger."""
    end = max([2.0 * limit, *(1.25 * value for value in others)]) if limit or others else 0.0
    if not end:
        end = max((value for value in strand.curve.epsilons if math.isfinite(value)), default=1.0)
    return next((top for top in TOPS if top >= end), TOPS[-1] if limit <= TOPS[-1] else math.ceil(1.25 * limit))


def tabled(figure: Figure) -> Figure:
    """Return FIGURE with a table of all points of all curves; at a jump, with the smaller value, which counts."""
    plot = figure.plots[0]
    assert isinstance(plot, Chart)
    curves = [line for line in plot.lines if line.column]
    columns: list[tuple[dict[float, float], str]] = []
    for line in curves:
        values_at: dict[float, float] = {}
        for x, y in zip(line.x, line.y, strict=True):
            values_at[x] = min(y, values_at.get(x, math.inf))
        columns.append((values_at, line.way))
    rows = tuple(
        (axis_words(plot.x, x), *(axis_words(plot.y, values_at.get(x, math.nan), way) for values_at, way in columns))
        for x in sorted({x for values_at, _ in columns for x in values_at})
    )
    return replace(figure, columns=(plot.x.title, *(line.name for line in curves)), rows=rows)
