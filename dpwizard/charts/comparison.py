"""Profiles compared on the officer's own numbers: the table and bars of Kazan & Reiter 2024 (Table 1, Figure 2).

Compared are the officer's own profile and a few of the same shape around it, among them those the paper looks at.
Nothing is chosen here: every row says what that profile would allow, and what its noise would do to the figure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dpwizard.base.errors import DPWizardError
from dpwizard.charts.charts import Axis, Bars, Chart, Figure, Line, Mark, even, shares
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
EXCESSES = (0.5, 0.8, 1.25, 2.0)  # of a curve drawn by hand: what exceeds 1 times, taken so many times
DEVIATIONS = (0.25, 0.5, 1.0, 2.0)  # of the paper's Figure 2, as parts of a target of 6: 1/24, 1/12, 1/6, 1/3
Groups = tuple[tuple[float, float, str], ...]  # of bars: where each begins and ends, and its name


@dataclass(frozen=True, kw_only=True)
class ProfileRow:
    """What one profile would mean: the epsilon it allows, the noise that follows, and whether it fits all else."""

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
    part: str | None = None  # of several tables, the one whose noise is told


@dataclass(frozen=True, kw_only=True)
class ComparisonInputs:
    """What the comparison reads: the decision without epsilon and words, and the requirement that varies."""

    decision: Decision
    index: int


def inputs(decision: Decision, index: int) -> ComparisonInputs | None:
    """Return what the comparison of requirement INDEX reads; None unless it has a profile to vary."""
    if not 0 <= index < len(decision.requirements):
        return None
    one = decision.requirements[index]
    if (
        not isinstance(one, RelativeRisk)
        or not one.enabled
        or one.missing()
        or isinstance(one.setting(decision.release), tuple)
    ):
        return None
    bare = {
        "epsilon": None,
        "rho": None,
        "justification": None,
        "title": None,
        "exception_reason": None,
        "acknowledged": (),
        "outcome": None,
    }
    known = {name: value for name, value in bare.items() if name in type(decision).model_fields}
    return ComparisonInputs(decision=decision.model_copy(update=known), index=index)


def comparable(decision: Decision) -> tuple[int, ...]:
    """Return the positions of the requirements whose profile can be compared."""
    return tuple(i for i in range(len(decision.requirements)) if inputs(decision, i) is not None)


def first(decision: Decision) -> int:
    """Return the position of the first requirement whose profile can be compared; -1 if there is none."""
    return next(iter(comparable(decision)), -1)


# ------------------------------------------------------------------------------------------ candidates


def candidates(requirement: RelativeRisk) -> tuple[Candidate, ...]:
    """Return the profile of REQUIREMENT, others of its shape and those of Kazan & Reiter 2024, Figure 2, with names.

    Every shape is compared: a curve drawn by hand beside the same curve, stricter and looser.
    """
    current = requirement.profile
    assert current is not None
    if current.drawn:
        found = [Candidate(word("chart", "profile_drawn"), number(1.0), current)]
        for times in EXCESSES:
            found.append(
                Candidate(
                    format_text("chart", "profile_excess", {"excess": times}), number(times), current.excess(times)
                )
            )
    else:
        found = [_candidate(shape) for shape in (current, *_others(current))]
    if not current.published:
        found += [_candidate(shape) for shape in _paper(FIGURE_RATIOS, CAPS)]
    return tuple({candidate.name: candidate for candidate in found}.values())


@dataclass(frozen=True)
class Candidate:
    """A profile to be compared: its name in a table, the words under its bar, and what it is."""

    name: str
    tick: str
    profile: Shape


def _paper(ratios: Iterable[float], caps: Iterable[float]) -> Iterator[Shape]:
    """Yield constant ratios and whichever is weaker of a cap and a ratio: the profiles of Figure 2."""
    for ratio in ratios:
        yield Constant(ratio=ratio)
        for cap in caps:
            yield CapOrRatio(posterior=cap, ratio=ratio)


def _others(own: Shape) -> Iterable[Shape]:
    """Return what OWN is compared with: others of its shape, or those of the paper with its own numbers among them."""
    if not own.published:
        return own.others()
    ratios = sorted({*RATIOS, float(getattr(own, "ratio", None) or RATIOS[0])})
    caps = sorted({*CAPS, float(getattr(own, "posterior", None) or CAPS[0])})
    return _paper(ratios, caps)


def _candidate(profile: Shape) -> Candidate:
    """Return a named profile in a few words, 0.25 or 3 times, and under its bar the number that tells it apart."""
    mark = None if profile.telling is None else getattr(profile, profile.telling)
    return Candidate(describe(profile.brief, profile.figures()), number(mark or 0.0), profile)


# ------------------------------------------------------------------------------------------------ rows


def rows(read: ComparisonInputs) -> tuple[ProfileRow, ...]:
    """Return one row for each candidate, the officer's own first: what it allows, and what its noise would do."""
    requirement = read.decision.requirements[read.index]
    assert isinstance(requirement, RelativeRisk)
    base = assess(read.decision)
    found = []
    for position, one in enumerate(candidates(requirement)):
        try:
            changed = edits.put(read.decision, f"$.requirements[{read.index}].profile", one.profile)
        except DPWizardError:
            continue
        found.append(_row(changed, read.index, one, position == 0, assess(changed, base)))
    return tuple(found)


def _row(decision: Decision, index: int, one: Candidate, own: bool, assessment: Assessment) -> ProfileRow:
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
        switches = _switches(decision, answer.epsilon)
    return ProfileRow(
        name=one.name,
        tick=one.tick,
        is_current=own,
        profile=one.profile,
        ratio=_number(one.profile, "ratio"),
        cap=_number(one.profile, "posterior") if hasattr(one.profile, "posterior") else 0.0,
        epsilon=answer.epsilon,
        status=answer.status,
        sd=sd,
        exact=exact,
        switches=switches,
        window=None if window.empty else (window.lower, window.upper),
        part=tables[0].name if len(decision.release.tables) > 1 else None,
    )


def _number(profile: Shape, name: str) -> float | None:
    value = getattr(profile, name, None)
    return float(value) if isinstance(value, int | float) else None


def _switches(decision: Decision, epsilon: float) -> tuple[tuple[float, float], ...]:
    """Return the chance of crossing the first threshold asked for, at several deviations of the true rate above it.

    As the requirement itself has it: of the noise on the table it speaks of.
    """
    asked = next(
        (r for r in decision.requirements if isinstance(r, SwitchProbability) and not r.missing() and r.steps is None),
        None,
    )
    setting = None if asked is None else asked.setting(decision.release)
    if asked is None or not isinstance(setting, AccuracyInputs) or setting.noise is None:
        return ()
    if not setting.noise.integer_valued or setting.in_steps:
        return ()
    assert asked.target is not None and asked.deviation is not None
    limit = Limit(status="allowed", why=Reason(key=""))
    found = []
    for deviation in sorted({asked.deviation, *(d for d in DEVIATIONS if d <= asked.target)}):
        at = asked.model_copy(update={"deviation": deviation}).at(setting, limit, epsilon)
        chance, most = float(at["probability"]), asked.at_most or 1.0
        # a limit lies a hair below its true value: what is kept but for that hair is kept, as in an assessment
        found.append((deviation, min(chance, most) if chance <= most * (1.0 + ERROR) else chance))
    return tuple(found)


# ----------------------------------------------------------------------------------------------- table


def table(
    found: tuple[ProfileRow, ...],
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...], tuple[tuple[Any, ...], ...]]:
    """Return the what-if table: its columns, its rows as they are shown, and the values by which each column sorts."""
    switched = tuple(deviation for deviation, _ in found[0].switches) if found else ()
    columns = (
        word("chart", "what_if_profile"),
        word("chart", "what_if_epsilon"),
        _of_part("what_if_sd", found),
        _of_part("what_if_exact", found),
        *(format_text("chart", "what_if_switch", {"deviation": number(deviation)}) for deviation in switched),
        word("chart", "what_if_window"),
    )
    shown, keys = [], []
    for row in found:
        chances = dict(row.switches)
        shown.append(
            (
                f"{row.name} ({word('chart', 'yours')})" if row.is_current else row.name,
                format_max(row.epsilon) if row.epsilon is not None else word("status", row.status),
                "–" if row.sd is None else written(row.sd, "figure"),
                "–" if row.exact is None else share(row.exact),
                *(share_up(chances[deviation]) if deviation in chances else "–" for deviation in switched),
                _window(row),
            )
        )
        keys.append(
            (
                (row.cap or 0.0, row.ratio or 0.0),
                math.inf if row.epsilon is None else row.epsilon,
                0.0 if row.sd is None else row.sd,
                1.0 if row.exact is None else row.exact,
                *(chances.get(deviation, 0.0) for deviation in switched),
                -1.0 if row.window is None else row.window[1] if row.window[1] is not None else math.inf,
            )
        )
    return columns, tuple(shown), tuple(keys)


def _window(row: ProfileRow) -> str:
    return word("chart", "what_if_empty") if row.window is None else ends_words(*row.window)


def ends_words(lower: float, upper: float | None) -> str:
    """Return the ends of a window in words."""
    shown = printed_range(lower, upper)
    if shown.upper is None:
        return format_text("chart", "window_open", {"lower": shown.lower and shown.lower.text})
    if shown.single:
        return format_text("chart", "window_one", {"upper": shown.single})
    return format_text("chart", "window_ends", {"lower": shown.lower and shown.lower.text, "upper": shown.upper.text})


def summary(found: tuple[ProfileRow, ...]) -> str:
    """Return what the table says in a sentence: the own profile, and the strictest and weakest that fit all else."""
    current = next((row for row in found if row.is_current), None)
    if current is None:
        return word("chart", "what_if_open")
    if current.epsilon is None:
        return word("chart", "what_if_none")
    fitting = [row for row in found if row.window is not None]
    figures = {"epsilon": current.epsilon, "count": len(found), "fitting": len(fitting)}
    return format_text("chart", "what_if", figures)


# ---------------------------------------------------------------------------------------------- figure


def figure(found: tuple[ProfileRow, ...]) -> Figure:
    """Return the bars of Figure 2 for the profiles: chance of crossing, root-mean-square error, implied epsilon."""
    current = next((row for row in found if row.is_current), None)
    kept = [row for row in found if row.epsilon is not None and (row.is_current or _in_figure(row, current))]
    if not kept:
        return Figure(title=word("chart", "comparison_title"), sentence=word("chart", "what_if_none"))
    kept.sort(key=_order)
    title = word("chart", "profiles_of_shapes" if any(row.ratio is None for row in kept) else "profiles_compared")
    ticks = tuple((float(i), row.tick) for i, row in enumerate(kept))  # the ratio, or the shape, names the group
    x = Axis(title=title, low=-0.5, high=len(kept) - 0.5, ticks=ticks)
    plots = (plot(kept, x, _groups(kept)) for plot in (_crossing, _errors, _epsilons))
    columns, shown, _ = table(tuple(kept))
    return Figure(
        title=word("chart", "comparison_title"),
        sentence=_sentence(kept),
        plots=tuple(plot for plot in plots if plot is not None),
        asides=(word("chart", "no_truth_used"),),
        columns=columns,
        rows=shown,
    )


def _order(row: ProfileRow) -> tuple[float, float, float]:
    """Return by what the bars stand in order: those with a ratio behind all others, by ratio and cap."""
    cap = 0.0 if row.ratio is None else row.cap or 0.0
    return row.ratio or 0.0, cap, row.epsilon or 0.0


def _crossing(kept: list[ProfileRow], x: Axis, groups: Groups) -> Chart | None:
    """Return the chances of crossing, a curve for each deviation; None where no threshold is asked for."""
    xs, switched = tuple(at for at, _ in x.ticks), tuple(deviation for deviation, _ in kept[0].switches)
    if not switched:
        return None
    chances = {d: tuple(dict(row.switches).get(d, math.nan) for row in kept) for d in switched}
    y = shares(word("chart", "chance_crossing"), min(0.6, 1.25 * max(max(values) for values in chances.values())))
    lines = tuple(line for d in switched for line in _by_group(groups, xs, chances[d], d, switched[0]))
    return Chart(x=x, y=y, title=word("chart", "crossing_title"), lines=lines, groups=groups)


def _errors(kept: list[ProfileRow], x: Axis, groups: Groups) -> Chart | None:
    """Return the root-mean-square errors; None where no noise is known."""
    sds = tuple(math.nan if row.sd is None else row.sd for row in kept)
    largest = max((sd for sd in sds if math.isfinite(sd)), default=None)
    if largest is None:
        return None
    name = word("chart", "rmse")
    bars = Bars(name=name, x=tuple(at for at, _ in x.ticks), y=sds, width=0.6)
    y = even(name, 1.25 * largest, way="figure")
    return Chart(x=x, y=y, title=_of_part("rmse_title", kept), bars=(bars,), groups=groups)


def _epsilons(kept: list[ProfileRow], x: Axis, groups: Groups) -> Chart:
    """Return the epsilons implied, the officer's own with a mark."""
    name, yours = word("chart", "epsilon_implied"), word("chart", "yours")
    xs, epsilons = tuple(at for at, _ in x.ticks), tuple(float(row.epsilon or 0.0) for row in kept)
    y = even(name, 1.7 * max(epsilons), way="limit")  # the names of groups, and under them the mark
    bars = Bars(name=name, x=xs, y=epsilons, width=0.6, role="privacy")
    marks = tuple(
        Mark(x=xs[i], y=epsilons[i], words=yours, role="chosen") for i, row in enumerate(kept) if row.is_current
    )
    return Chart(x=x, y=y, title=word("chart", "epsilon_title"), bars=(bars,), marks=marks, groups=groups)


def _sentence(kept: list[ProfileRow]) -> str:
    if not kept[0].switches:
        epsilons = [row.epsilon or 0.0 for row in kept]
        return format_text("chart", "comparison", {"count": len(kept), "low": min(epsilons), "high": max(epsilons)})
    deviation, _ = kept[0].switches[0]
    best = min(kept, key=lambda row: dict(row.switches).get(deviation, 1.0))
    figures = {"chance": dict(best.switches)[deviation], "deviation": number(deviation), "name": best.name}
    return format_text("chart", "comparison_crossing", figures)


def _of_part(key: str, found: Sequence[ProfileRow]) -> str:
    """Return what a figure of the noise is called; of several tables, with the name of the one whose noise it is."""
    part = found[0].part if found else None
    name = word("chart", key)
    return name if part is None else format_text("implied", "of_part", {"measure": name, "part": part})


def _in_figure(row: ProfileRow, own: ProfileRow | None) -> bool:
    """Return whether a profile stands in the figure: the paper's ratios, or the officer's, with the paper's caps."""
    return row.ratio in (None, *FIGURE_RATIOS, own.ratio if own is not None else None)


def _groups(kept: list[ProfileRow]) -> Groups:
    """Return the stretches of bars with one ratio, or of one other shape."""
    found: list[tuple[float, float, str]] = []
    for index, row in enumerate(kept):
        words = (
            describe(row.profile.title)
            if row.ratio is None
            else format_text("chart", "group_ratio", {"ratio": row.ratio})
        )
        if found and found[-1][2] == words:
            found[-1] = (found[-1][0], index + 0.5, words)
        else:
            found.append((index - 0.5, index + 0.5, words))
    return tuple(found)


def _by_group(
    groups: Groups, xs: tuple[float, ...], ys: tuple[float, ...], deviation: float, first: float
) -> Iterator[Line]:
    """Yield one deviation's curve in pieces, one for each group of bars: nothing lies between two groups."""
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
