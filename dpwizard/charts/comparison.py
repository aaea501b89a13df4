"""The officer's own profile beside others: the table and bars of Kazan & Reiter 2024 (Table 1, Figure 2).

Every row has the epsilon that a profile would allow, and the error of the noise at it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dpwizard.base.errors import DPWizardError
from dpwizard.charts.charts import Axis, Bars, Chart, Drawing, Figure, Line, Mark, even, shares
from dpwizard.decision import (
    ERROR,
    AccuracyInputs,
    Assessment,
    Decision,
    Limit,
    Reason,
    assess,
    edits,
    published_setting,
)
from dpwizard.decision.requirements import RelativeRisk, SwitchProbability
from dpwizard.privacy.profiles import CapOrRatio, Constant, Shape
from dpwizard.wording import describe, format_max, format_text, number, printed_range, share, share_up, word, written

RATIOS = (1.2, 1.5, 2.0, 3.0, 5.0, 6.0)  # of the paper's Table 1 and Figure 2
FIGURE_RATIOS = (1.2, 2.0, 5.0)
CAPS = (0.1, 0.25, 0.5)
EXCESSES = (0.5, 0.8, 1.25, 2.0)  # factors of the ratio minus 1 of a curve drawn by hand
DEVIATIONS = (0.25, 0.5, 1.0, 2.0)  # of the paper's Figure 2, as parts of a target of 6: 1/24, 1/12, 1/6, 1/3
Groups = tuple[tuple[float, float, str], ...]  # of bars: start, end and name of each


@dataclass(frozen=True, kw_only=True)
class ProfileRow:
    """The effect of one profile: the epsilon it allows, the noise at it, and the allowed range."""

    name: str
    tick: str  # under its bar
    is_current: bool
    profile: Shape
    ratio: float | None
    cap: float | None  # 0 for a ratio alone
    epsilon: float | None  # None: unbounded, or not solvable
    status: str
    sd: float | None
    exact: float | None
    switches: tuple[tuple[float, float], ...]  # (deviation of the true rate, chance of crossing)
    window: tuple[float, float | None] | None  # of all requirements with this profile; None: empty
    part: str | None = None  # the table whose noise is shown, if there are several


@dataclass(frozen=True, kw_only=True)
class ComparisonInputs:
    """Inputs of the comparison: the decision without epsilon and texts, and the requirement that varies."""

    decision: Decision
    index: int


def inputs(decision: Decision, index: int) -> ComparisonInputs | None:
    """Return the inputs for requirement INDEX; None if it has no profile to vary."""
    if not 0 <= index < len(decision.requirements):
        return None
    requirement = decision.requirements[index]
    if (
        not isinstance(requirement, RelativeRisk)
        or not requirement.enabled
        or requirement.missing()
        or isinstance(requirement.setting(decision.release), tuple)
    ):
        return None
    texts = dict.fromkeys(("justification", "title", "exception_reason", "outcome"))
    cleared = {**texts, "epsilon": None, "rho": None, "acknowledged": ()}
    return ComparisonInputs(decision=decision.model_copy(update=cleared), index=index)


def comparable(decision: Decision) -> tuple[int, ...]:
    """Return the positions of the requirements whose profile can be compared."""
    return tuple(i for i in range(len(decision.requirements)) if inputs(decision, i) is not None)


def first(decision: Decision) -> int:
    """Return the position of the first requirement whose profile can be compared; -1 if there is none."""
    return next(iter(comparable(decision)), -1)


# ------------------------------------------------------------------------------------------ candidates


def candidates(requirement: RelativeRisk) -> tuple[Candidate, ...]:
    """Return the profile of REQUIREMENT, others of its shape, and those of Kazan & Reiter 2024, Figure 2.

    A curve drawn by hand is compared with stricter and looser versions of itself.
    """
    current = requirement.profile
    assert current is not None
    if current.drawn:
        profiles = [Candidate(word("chart", "profile_drawn"), number(1.0), current)]
        for times in EXCESSES:
            name = format_text("chart", "profile_excess", {"excess": times})
            profiles.append(Candidate(name, number(times), current.excess(times)))
    else:
        profiles = [_candidate(shape) for shape in (current, *_other_profiles(current))]
    if not current.published:
        profiles += [_candidate(shape) for shape in _paper_profiles(FIGURE_RATIOS, CAPS)]
    return tuple({candidate.name: candidate for candidate in profiles}.values())


@dataclass(frozen=True)
class Candidate:
    """A profile to compare: its name in a table, the words under its bar, and the profile."""

    name: str
    tick: str
    profile: Shape


def _paper_profiles(ratios: Iterable[float], caps: Iterable[float]) -> Iterator[Shape]:
    """Yield constant ratios, and profiles with the weaker of a cap and a ratio."""
    for ratio in ratios:
        yield Constant(ratio=ratio)
        for cap in caps:
            yield CapOrRatio(posterior=cap, ratio=ratio)


def _other_profiles(profile: Shape) -> Iterable[Shape]:
    """Return other profiles of the same shape; for a shape of the paper, the paper's and those with its own numbers."""
    if not profile.published:
        return profile.others()
    ratios = sorted({*RATIOS, float(getattr(profile, "ratio", None) or RATIOS[0])})
    caps = sorted({*CAPS, float(getattr(profile, "posterior", None) or CAPS[0])})
    return _paper_profiles(ratios, caps)


def _candidate(profile: Shape) -> Candidate:
    """Return PROFILE with a short name, and its characteristic number for its bar."""
    mark = None if profile.telling is None else getattr(profile, profile.telling)
    return Candidate(describe(profile.brief, profile.figures()), number(mark or 0.0), profile)


# ------------------------------------------------------------------------------------------------ rows


def rows(read: ComparisonInputs) -> tuple[ProfileRow, ...]:
    """Return a row for each candidate, the officer's own first."""
    requirement = read.decision.requirements[read.index]
    assert isinstance(requirement, RelativeRisk)
    base = assess(read.decision)
    compared = []
    for position, candidate in enumerate(candidates(requirement)):
        try:
            changed = edits.put(read.decision, f"$.requirements[{read.index}].profile", candidate.profile)
        except DPWizardError:
            continue
        compared.append(_profile_row(changed, read.index, candidate, position == 0, assess(changed, base)))
    return tuple(compared)


def _profile_row(
    decision: Decision, index: int, candidate: Candidate, is_current: bool, assessment: Assessment
) -> ProfileRow:
    answer, window = assessment.answers[index], assessment.window
    sd = exact = None
    switches: tuple[tuple[float, float], ...] = ()
    tables = decision.release.noisy
    if answer.epsilon is not None and answer.epsilon > 0.0:
        setting = published_setting(decision.release, tables[0].name)
        if isinstance(setting, AccuracyInputs) and not setting.in_steps:
            noise = setting.noise_at(answer.epsilon)
            if noise is not None and 0.0 < noise.scale < math.inf:
                sd, exact = noise.sd, noise.exact_mass if setting.added_up is None else None
        switches = _crossing_chances(decision, answer.epsilon)
    return ProfileRow(
        name=candidate.name,
        tick=candidate.tick,
        is_current=is_current,
        profile=candidate.profile,
        ratio=_number_field(candidate.profile, "ratio"),
        cap=_number_field(candidate.profile, "posterior") if hasattr(candidate.profile, "posterior") else 0.0,
        epsilon=answer.epsilon,
        status=answer.status,
        sd=sd,
        exact=exact,
        switches=switches,
        window=None if window.empty else (window.lower, window.upper),
        part=tables[0].name if len(decision.release.tables) > 1 else None,
    )


def _number_field(profile: Shape, name: str) -> float | None:
    value = getattr(profile, name, None)
    return float(value) if isinstance(value, int | float) else None


def _crossing_chances(decision: Decision, epsilon: float) -> tuple[tuple[float, float], ...]:
    """Return the chance that noise crosses the threshold of the first such requirement, for several deviations."""
    requirement = next(
        (r for r in decision.requirements if isinstance(r, SwitchProbability) and not r.missing() and r.steps is None),
        None,
    )
    setting = None if requirement is None else requirement.setting(decision.release)
    if requirement is None or not isinstance(setting, AccuracyInputs) or setting.noise is None:
        return ()
    if not setting.noise.integer_valued or setting.in_steps:
        return ()
    assert requirement.target is not None and requirement.deviation is not None
    limit = Limit(status="allowed", why=Reason(key=""))
    chances = []
    for deviation in sorted({requirement.deviation, *(d for d in DEVIATIONS if d <= requirement.target)}):
        outcome = requirement.model_copy(update={"deviation": deviation}).at(setting, limit, epsilon)
        chance, most = float(outcome["probability"]), requirement.at_most or 1.0
        # a limit is rounded down, so a chance that exceeds it by the rounding counts as met, as in an assessment
        chances.append((deviation, min(chance, most) if chance <= most * (1.0 + ERROR) else chance))
    return tuple(chances)


# ----------------------------------------------------------------------------------------------- table


def table(
    profiles: tuple[ProfileRow, ...],
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...], tuple[tuple[Any, ...], ...]]:
    """Return the columns of the what-if table, its rows in words, and the sort keys of their cells."""
    deviations = tuple(deviation for deviation, _ in profiles[0].switches) if profiles else ()
    columns = (
        word("chart", "what_if_profile"),
        word("chart", "what_if_epsilon"),
        _with_table_name("what_if_sd", profiles),
        _with_table_name("what_if_exact", profiles),
        *(format_text("chart", "what_if_switch", {"deviation": number(deviation)}) for deviation in deviations),
        word("chart", "what_if_window"),
    )
    texts, keys = [], []
    for row in profiles:
        chances = dict(row.switches)
        texts.append(
            (
                f"{row.name} ({word('chart', 'yours')})" if row.is_current else row.name,
                format_max(row.epsilon) if row.epsilon is not None else word("status", row.status),
                "–" if row.sd is None else written(row.sd, "figure"),
                "–" if row.exact is None else share(row.exact),
                *(share_up(chances[deviation]) if deviation in chances else "–" for deviation in deviations),
                word("chart", "what_if_empty") if row.window is None else ends_words(*row.window),
            )
        )
        keys.append(
            (
                (row.cap or 0.0, row.ratio or 0.0),
                math.inf if row.epsilon is None else row.epsilon,
                0.0 if row.sd is None else row.sd,
                1.0 if row.exact is None else row.exact,
                *(chances.get(deviation, 0.0) for deviation in deviations),
                -1.0 if row.window is None else row.window[1] if row.window[1] is not None else math.inf,
            )
        )
    return columns, tuple(texts), tuple(keys)


def ends_words(lower: float, upper: float | None) -> str:
    """Return the ends of an allowed range in words."""
    printed = printed_range(lower, upper)
    lower_text = printed.lower and printed.lower.text
    if printed.upper is None:
        return format_text("chart", "window_open", {"lower": lower_text})
    if printed.single:
        return format_text("chart", "window_one", {"upper": printed.single})
    return format_text("chart", "window_ends", {"lower": lower_text, "upper": printed.upper.text})


def summary(profiles: tuple[ProfileRow, ...]) -> str:
    """Return a sentence: the epsilon that the officer's own profile allows, and how many profiles have a range."""
    current = next((row for row in profiles if row.is_current), None)
    if current is None:
        return word("chart", "what_if_open")
    if current.epsilon is None:
        return word("chart", "what_if_none")
    fitting = [row for row in profiles if row.window is not None]
    figures = {"epsilon": current.epsilon, "count": len(profiles), "fitting": len(fitting)}
    return format_text("chart", "what_if", figures)


# ---------------------------------------------------------------------------------------------- figure


def drawing(decision: Decision, index: int) -> Drawing | None:
    """Return what to draw of requirement INDEX of DECISION; None if it has no profile to vary."""
    read = inputs(decision, index)
    return None if read is None else Drawing.of(_solved_figure, read=read)


def _solved_figure(read: ComparisonInputs) -> Figure:
    return figure(rows(read))


def figure(profiles: tuple[ProfileRow, ...]) -> Figure:
    """Return the bars of Figure 2 for the profiles: chance of crossing, root-mean-square error, implied epsilon."""
    current = next((row for row in profiles if row.is_current), None)
    solved = (row for row in profiles if row.epsilon is not None)
    ratios = (None, *FIGURE_RATIOS, current.ratio if current is not None else None)
    drawn = [row for row in solved if row.is_current or row.ratio in ratios]
    if not drawn:
        return Figure(title=word("chart", "comparison_title"), sentence=word("chart", "what_if_none"))
    drawn.sort(key=_bar_order)
    title = word("chart", "profiles_of_shapes" if any(row.ratio is None for row in drawn) else "profiles_compared")
    ticks = tuple((float(i), row.tick) for i, row in enumerate(drawn))
    x = Axis(title=title, low=-0.5, high=len(drawn) - 0.5, ticks=ticks)
    plots = (plot(drawn, x, _bar_groups(drawn)) for plot in (_crossing_plot, _error_plot, _epsilon_plot))
    columns, texts, _ = table(tuple(drawn))
    return Figure(
        title=word("chart", "comparison_title"),
        sentence=_sentence(drawn),
        plots=tuple(plot for plot in plots if plot is not None),
        asides=(word("chart", "no_truth_used"),),
        columns=columns,
        rows=texts,
    )


def _bar_order(row: ProfileRow) -> tuple[float, float, float]:
    """Return the sort key of bars: those with a ratio come last, by ratio and cap."""
    cap = 0.0 if row.ratio is None else row.cap or 0.0
    return row.ratio or 0.0, cap, row.epsilon or 0.0


def _crossing_plot(drawn: list[ProfileRow], x: Axis, groups: Groups) -> Chart | None:
    """Return a curve for each deviation; None without a requirement on a threshold."""
    xs, deviations = tuple(at for at, _ in x.ticks), tuple(deviation for deviation, _ in drawn[0].switches)
    if not deviations:
        return None
    chances = {d: tuple(dict(row.switches).get(d, math.nan) for row in drawn) for d in deviations}
    y = shares(word("chart", "chance_crossing"), min(0.6, 1.25 * max(max(values) for values in chances.values())))
    lines = tuple(line for d in deviations for line in _deviation_lines(groups, xs, chances[d], d, deviations[0]))
    return Chart(x=x, y=y, title=word("chart", "crossing_title"), lines=lines, groups=groups)


def _error_plot(drawn: list[ProfileRow], x: Axis, groups: Groups) -> Chart | None:
    """Return bars of the root-mean-square errors; None where no noise is known."""
    sds = tuple(math.nan if row.sd is None else row.sd for row in drawn)
    largest = max((sd for sd in sds if math.isfinite(sd)), default=None)
    if largest is None:
        return None
    name = word("chart", "rmse")
    bars = Bars(name=name, x=tuple(at for at, _ in x.ticks), y=sds, width=0.6)
    y = even(name, 1.25 * largest, way="figure")
    return Chart(x=x, y=y, title=_with_table_name("rmse_title", drawn), bars=(bars,), groups=groups)


def _epsilon_plot(drawn: list[ProfileRow], x: Axis, groups: Groups) -> Chart:
    name, yours = word("chart", "epsilon_implied"), word("chart", "yours")
    xs, epsilons = tuple(at for at, _ in x.ticks), tuple(float(row.epsilon or 0.0) for row in drawn)
    y = even(name, 1.7 * max(epsilons), way="limit")  # space for the names of groups and the mark
    bars = Bars(name=name, x=xs, y=epsilons, width=0.6, role="privacy")
    marks = tuple(
        Mark(x=xs[i], y=epsilons[i], words=yours, role="chosen") for i, row in enumerate(drawn) if row.is_current
    )
    return Chart(x=x, y=y, title=word("chart", "epsilon_title"), bars=(bars,), marks=marks, groups=groups)


def _sentence(drawn: list[ProfileRow]) -> str:
    if not drawn[0].switches:
        epsilons = [row.epsilon or 0.0 for row in drawn]
        return format_text("chart", "comparison", {"count": len(drawn), "low": min(epsilons), "high": max(epsilons)})
    deviation, _ = drawn[0].switches[0]
    best = min(drawn, key=lambda row: dict(row.switches).get(deviation, 1.0))
    figures = {"chance": dict(best.switches)[deviation], "deviation": number(deviation), "name": best.name}
    return format_text("chart", "comparison_crossing", figures)


def _with_table_name(key: str, profiles: Sequence[ProfileRow]) -> str:
    """Return the words of KEY, with the name of the table whose noise is shown if there are several."""
    part = profiles[0].part if profiles else None
    name = word("chart", key)
    return name if part is None else format_text("implied", "of_part", {"measure": name, "part": part})


def _bar_groups(drawn: list[ProfileRow]) -> Groups:
    """Return the groups of adjacent bars with the same ratio or shape."""
    groups: list[tuple[float, float, str]] = []
    for index, row in enumerate(drawn):
        words = describe(row.profile.title)
        if row.ratio is not None:
            words = format_text("chart", "group_ratio", {"ratio": row.ratio})
        if groups and groups[-1][2] == words:
            groups[-1] = (groups[-1][0], index + 0.5, words)
        else:
            groups.append((index - 0.5, index + 0.5, words))
    return tuple(groups)


def _deviation_lines(
    groups: Groups, xs: tuple[float, ...], ys: tuple[float, ...], deviation: float, first: float
) -> Iterator[Line]:
    """Yield the curve of one deviation in pieces, one for each group of bars."""
    ends = groups or ((xs[0], xs[-1], ""),)
    for index, (low, high, _) in enumerate(ends):
        inside = [i for i, x in enumerate(xs) if low <= x <= high]
        yield Line(
            name=format_text("chart", "deviation", {"deviation": number(deviation)}),
            label=format_text("chart", "off_by", {"deviation": number(deviation)}) if index == len(ends) - 1 else "",
            x=tuple(xs[i] for i in inside),
            y=tuple(ys[i] for i in inside),
            role="accuracy",
            width=2.0,
            dash="solid" if deviation == first else "dot",
        )
