"""The figure of a guessing advantage against epsilon: exact, simplified, of several beliefs (Pankova & Laud 2022)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, get_args

from dpwizard.base.errors import DPWizardError
from dpwizard.base.language import spoken
from dpwizard.charts.charts import Dash, Figure, Line, Mark, Role, along, curve, even, flat, plotted, shares
from dpwizard.decision import Limit, PrivacyInputs, Reason, Release, RequirementResult
from dpwizard.decision.requirements import CategoricalAdvantage, GuessingAdvantage
from dpwizard.privacy import guessing_advantage as mathematics
from dpwizard.privacy.priors import Prior, TruncatedNormal, Uniform
from dpwizard.wording import format_max, format_text, word

View = Literal["bounds", "beliefs"]
VIEWS: tuple[View, ...] = get_args(View)
KEPT = 8  # sets of curves that a drag of the advantage draws again
SAME = 1e-9  # advantages nearer to each other are one
POINTS, FEW = 81, 21  # of a curve; of one for which each point takes a search
SPARE = 2.5  # how far beyond the limit the axis goes, at least
# of the axis, times a power of ten: it rests while somebody drags
ENDS = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
STYLES: dict[bool, tuple[Role, float]] = {True: ("privacy", 2.0), False: ("quiet", 1.5)}  # of what is asked, or not
CONCENTRATED = 6.0  # standard deviations across the range of the concentrated belief


@dataclass(frozen=True, kw_only=True)
class GuessingInputs:
    """What the figure reads: the requirement, what it reads of the release, its limit and the epsilon chosen."""

    view: View
    requirement: GuessingAdvantage | CategoricalAdvantage
    setting: PrivacyInputs
    epsilon: float | None
    chosen: float | None


def inputs(
    requirement: Any, answer: RequirementResult, release: Release, chosen: float | None, view: View = "bounds"
) -> GuessingInputs | None:
    """Return what the figure of REQUIREMENT reads; None where it says nothing about the release or is not answered."""
    if not isinstance(requirement, GuessingAdvantage | CategoricalAdvantage) or requirement.missing():
        return None
    if getattr(requirement, "statement", "certain") != "certain":
        return None  # it is drawn against the loss of every release
    setting = requirement.setting(release)
    if isinstance(setting, tuple) or answer.status not in ("allowed", "unbounded"):
        return None
    essence = requirement.model_copy(update={"name": None, "enabled": True, "off_reason": None, "origins": ()})
    return GuessingInputs(view=view, requirement=essence, setting=setting, epsilon=answer.epsilon, chosen=chosen)


@lru_cache(maxsize=KEPT)
def _curves(read: GuessingInputs, top: float, _language: str) -> tuple[tuple[Line, ...], str]:
    """Return the curves of READ up to TOP, and what is said of them; a drag of the advantage computes them once."""
    requirement = read.requirement
    if isinstance(requirement, CategoricalAdvantage):
        return _categorical(requirement, read, top), word("chart", "category_exact")
    counted = _counted(requirement, read, xs := along(top, _points(requirement)))
    if counted is not None:  # no other tells it all
        name, label = word("chart", "bound_counted"), word("chart", "label_counted")
        return (Line(name=name, label=label, x=xs, y=counted, role="privacy"),), ""
    if read.view == "beliefs" and requirement.combine == "one":
        return _beliefs(requirement, read, top), word("chart", "beliefs_aside")
    return _bounds(requirement, read, top), ""


def _end(wanted: float) -> float:
    """Return the end of the axis that holds what is WANTED: one of a few, so that a drag seldom moves it."""
    scale = 10.0 ** math.floor(math.log10(wanted)) if 1e-300 < wanted < 1e300 else wanted
    return next((end * scale for end in ENDS if end * scale >= wanted * (1.0 - 1e-12)), wanted)


def figure(read: GuessingInputs) -> Figure:
    """Return advantage against the release's epsilon for every bound, or for several beliefs of the same support."""
    top = _end(max(SPARE * (read.epsilon or 0.0), 1.3 * (read.chosen or 0.0)) or 4.0)
    unlimited = read.requirement.model_copy(update={"advantage": None})
    lines, aside = _curves(replace(read, requirement=unlimited, epsilon=None, chosen=None), top, spoken())
    x = even(word("chart", "epsilon_release"), top, way="number")
    asked = read.requirement.advantage or 0.0
    most = max([asked, *(value for line in lines for value in line.y if math.isfinite(value))], default=1.0)
    exact = [value for line in lines if line.width == 2.0 for value in line.y]
    most = min(most, 2.5 * max([asked, *exact], default=most)) or 1.0  # coarser bounds may leave the figure
    y = shares(word("chart", "advantage"), min(1.0, 1.08 * most))
    allowed = flat(asked, top, word("chart", "allowed"), name=word("chart", "advantage_allowed"))
    marks = []
    if read.epsilon is not None and read.epsilon <= top:
        words = format_text("chart", "at_most", {"epsilon": read.epsilon})
        marks.append(Mark(x=read.epsilon, y=asked, words=words, role="privacy", left=True))
    title = word("chart", "guessing_title" if read.view == "bounds" or len(lines) == 1 else "beliefs_title")
    asides = (aside,) if aside else ()
    return plotted(title, _sentence(read, lines, asked), x, y, (*lines, allowed), marks, asides)


def _sentence(read: GuessingInputs, lines: tuple[Line, ...], asked: float) -> str:
    if read.epsilon is None:
        return word("chart", "guessing_never")
    closed = next((line for line in lines if line.name == word("chart", "bound_simplified")), None)
    # a category is asked for its gain
    moves = word("chart", f"guessing_{getattr(read.requirement, 'direction', 'rise')}")
    figures: dict[str, Any] = {"advantage": asked, "epsilon": read.epsilon, "moves": moves}
    reached = _reaches(closed, asked) if closed is not None else None
    if reached is not None and reached < read.epsilon:
        return format_text("chart", "guessing_closed", {**figures, "closed": format_max(reached)})
    return format_text("chart", "guessing", figures)


def _reaches(line: Line, level: float) -> float | None:
    """Return where a rising LINE reaches LEVEL, read off between its points."""
    for index in range(1, len(line.y)):
        low, high = line.y[index - 1], line.y[index]
        if low < level <= high:
            return line.x[index - 1] + (line.x[index] - line.x[index - 1]) * (level - low) / (high - low)
    return None


def _points(requirement: GuessingAdvantage) -> int:
    """Return how many points a curve has: few where each takes a search."""
    searched = requirement.combine != "one" or any(one.truth == "worst" for one in requirement.attributes)
    return FEW if searched else POINTS


def _losses(requirement: GuessingAdvantage, read: GuessingInputs, xs: tuple[float, ...]) -> tuple[float, ...]:
    """Return the loss per precision of releases at the epsilons XS."""
    return tuple(requirement.each(read.setting, x) for x in xs)


def _counted(requirement: GuessingAdvantage, read: GuessingInputs, xs: tuple[float, ...]) -> tuple[float, ...] | None:
    """Return the advantage at each of XS as the limit counts it; None where that is what its bound alone says.

    It is more where earlier releases count, where both a rise and a drop do, and where a count may jump however little
    a value moves.
    """
    setting, spent = read.setting, read.setting.loss.spent
    if not (spent or requirement.direction == "both" or requirement.jumps(setting)):
        return None
    limit = Limit(status="allowed", why=Reason(key=""))
    found = [float(requirement.at(setting, limit, x).get("advantage", math.nan)) for x in xs]
    if not spent and requirement.direction != "both":
        steady = replace(setting, grain=None)
        alone = [requirement.at(steady, limit, x).get("advantage", math.nan) for x in xs]
        if all(one <= two + SAME or math.isnan(two) for one, two in zip(found, alone, strict=True)):
            return None
    return tuple(found)


def _bounds(requirement: GuessingAdvantage, read: GuessingInputs, top: float) -> tuple[Line, ...]:
    way: Literal["rise", "drop"] = "drop" if requirement.direction == "drop" else "rise"
    if requirement.combine != "one":
        xs = along(top, FEW)
        attributes, combine = requirement.attributes, requirement.combine
        before = mathematics.combined_prior(attributes=attributes, combine=combine)
        after = (
            mathematics.combined_posterior(attributes=attributes, combine=combine, epsilon=loss, direction=way)
            for loss in _losses(requirement, read, xs)
        )
        together = tuple(abs(value - before) for value in after)
        return (curve(word("chart", "bound_together"), xs, together, "privacy"),)
    one = requirement.attributes[0]
    assert one.prior is not None and one.truth is not None and one.precision is not None
    if one.truth == "worst":
        xs = along(top, FEW)
        worst = tuple(
            mathematics.worst_truth(prior=one.prior, precision=one.precision, epsilon=loss, direction=way).advantage
            for loss in _losses(requirement, read, xs)
        )
        return (curve(word("chart", "bound_worst"), xs, worst, "privacy"),)
    xs = along(top, POINTS)
    losses = _losses(requirement, read, xs)
    lines = []
    kinds: tuple[tuple[Literal["exact", "main", "simplified"], Role, Dash], ...] = (
        ("exact", "privacy", "solid"),
        ("main", "accuracy", "dash"),
        ("simplified", "quiet", "dash"),
    )
    for bound, role, dash in kinds:
        try:
            found = mathematics.curve(
                prior=one.prior,
                truth=float(one.truth),
                precision=one.precision,
                epsilons=losses,
                bound=bound,
                direction=way,
            )
        except DPWizardError:
            continue  # this bound has no curve for this belief: the others stand
        name, label = word("chart", f"bound_{bound}"), word("chart", f"label_{bound}")
        width = 2.0 if bound == "exact" else 1.5
        lines.append(Line(name=name, label=label, x=xs, y=found, role=role, dash=dash, width=width))
    return tuple(lines)


def _beliefs(requirement: GuessingAdvantage, read: GuessingInputs, top: float) -> tuple[Line, ...]:
    """Return exact and simplified curves for the stated belief and for two others of the same range."""
    one = requirement.attributes[0]
    assert one.prior is not None and one.truth is not None and one.precision is not None
    low, high = one.prior.support()
    way: Literal["rise", "drop"] = "drop" if requirement.direction == "drop" else "rise"
    xs = along(top, POINTS)
    losses = _losses(requirement, read, xs)
    if one.truth == "worst":
        most = losses[-1] or 1.0
        found = mathematics.worst_truth(prior=one.prior, precision=one.precision, epsilon=most, direction=way).truth
        truth = found if found is not None else low
    else:
        truth = float(one.truth)
    priors: list[tuple[str, Prior, Role]] = [("stated", one.prior, "privacy")]
    if math.isfinite(low) and math.isfinite(high) and high > low:
        if not one.prior.flat:
            priors.append(("even", Uniform(low=low, high=high), "accuracy"))
        sd = (high - low) / CONCENTRATED
        priors.append(("concentrated", TruncatedNormal(mean=truth, sd=sd, low=low, high=high), "window"))
        far = low if truth > (low + high) / 2 else high
        priors.append(("elsewhere", TruncatedNormal(mean=far, sd=sd, low=low, high=high), "accuracy"))
    styles: tuple[tuple[Literal["exact", "simplified"], Dash, float], ...] = (
        ("exact", "solid", 2.0),
        ("simplified", "dot", 1.0),
    )
    lines = []
    for key, prior, role in priors:
        before = mathematics.prior_probability(prior=prior, truth=truth, precision=one.precision)
        label = format_text("chart", f"belief_{key}", {"share": before})
        for bound, dash, width in styles:
            ys = mathematics.curve(
                prior=prior, truth=truth, precision=one.precision, epsilons=losses, bound=bound, direction=way
            )
            name = f"{label}, {word('chart', f'label_{bound}')}"
            shown = label if bound == "exact" else ""
            lines.append(Line(name=name, label=shown, x=xs, y=ys, role=role, dash=dash, width=width))
    return tuple(lines)


def _categorical(requirement: CategoricalAdvantage, read: GuessingInputs, top: float) -> tuple[Line, ...]:
    """Return one curve for each category, the likeliest first: the simplified bound, exact for categories."""
    assert requirement.prior is not None
    whole = math.fsum(mass for _, mass in requirement.prior)
    xs = along(top, POINTS)
    totals = tuple(read.setting.loss.total_epsilon(x) for x in xs)
    lines = []
    for name, mass in sorted(requirement.prior, key=lambda pair: -pair[1])[:5]:
        p = mass / whole
        if p <= 0.0:
            continue
        gains = tuple(mathematics.categorical_posterior(p=p, epsilon=loss) - p for loss in totals)
        role, width = STYLES[requirement.truth in (name, "worst")]
        lines.append(Line(name=name, label=name[:24], x=xs, y=gains, role=role, width=width))
    return tuple(lines)
