"""The figure of a guessing advantage against epsilon: exact, simplified, for several priors (Pankova & Laud 2022)."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal, get_args

from dpwizard.base.errors import DPWizardError
from dpwizard.base.language import spoken
from dpwizard.charts.charts import (
    Dash,
    Drawing,
    Figure,
    Line,
    Mark,
    Role,
    along,
    curve,
    essence,
    even,
    flat,
    plotted,
    shares,
)
from dpwizard.decision import Limit, PrivacyInputs, Reason, Release, RequirementResult
from dpwizard.decision.requirements import CategoricalAdvantage, GuessingAdvantage
from dpwizard.privacy import guessing_advantage as mathematics
from dpwizard.privacy.priors import Prior, TruncatedNormal, Uniform
from dpwizard.wording import format_max, format_text, word

Requirement = GuessingAdvantage | CategoricalAdvantage
View = Literal["bounds", "beliefs"]
VIEWS: tuple[View, ...] = get_args(View)
KEPT = 8  # cached sets of curves, for redrawing during a drag of the advantage
SAME = 1e-9  # difference at which advantages count as equal
POINTS, FEW = 81, 21  # of a curve; of a curve that needs a search for each point
SPARE = 2.5  # least length of the axis, in limits
# of the axis, times a power of ten; few values, so that it seldom changes during a drag
ENDS = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
STYLES: dict[bool, tuple[Role, float]] = {
    True: ("privacy", 2.0),
    False: ("quiet", 1.5),
}  # by relevance
CONCENTRATED = 6.0  # range of the concentrated prior, in standard deviations


def drawing(
    requirement: Any, answer: RequirementResult, release: Release, chosen: float | None, view: View = "bounds"
) -> Drawing | None:
    """Return what to draw of REQUIREMENT; None if it is incomplete or does not apply to the release."""
    if not isinstance(requirement, GuessingAdvantage | CategoricalAdvantage) or requirement.missing():
        return None
    if getattr(requirement, "statement", "certain") != "certain":
        return None  # the figure needs a bounded loss
    setting = requirement.setting(release)
    if isinstance(setting, tuple) or answer.status not in ("allowed", "unbounded"):
        return None
    return Drawing.of(
        figure,
        view=view,
        requirement=essence(requirement),
        setting=setting,
        epsilon=answer.epsilon,
        chosen=chosen,
    )


@lru_cache(maxsize=KEPT)
def _cached_curves(
    view: View, requirement: Requirement, setting: PrivacyInputs, top: float, _language: str
) -> tuple[tuple[Line, ...], str]:
    """Return the curves up to epsilon TOP, and a note on them; cached for drags of the advantage."""
    if isinstance(requirement, CategoricalAdvantage):
        return _category_curves(requirement, setting, top), word("chart", "category_exact")
    advantages = _limit_advantages(requirement, setting, xs := along(top, _point_count(requirement)))
    if advantages is not None:  # the only curve that counts everything
        name, label = word("chart", "bound_counted"), word("chart", "label_counted")
        return (Line(name=name, label=label, x=xs, y=advantages, role="privacy"),), ""
    if view == "beliefs" and requirement.combine == "one":
        return _belief_curves(requirement, setting, top), word("chart", "beliefs_aside")
    return _bound_curves(requirement, setting, top), ""


def _axis_end(least: float) -> float:
    """Return the end of an axis that includes LEAST: one of a few values."""
    scale = 10.0 ** math.floor(math.log10(least)) if 1e-300 < least < 1e300 else least
    return next((end * scale for end in ENDS if end * scale >= least * (1.0 - 1e-12)), least)


def figure(
    view: View, requirement: Requirement, setting: PrivacyInputs, epsilon: float | None, chosen: float | None
) -> Figure:
    """Return advantage against the release's epsilon for every bound, or for several priors of the same support.

    EPSILON is the limit of the requirement, which is marked.
    """
    top = _axis_end(max(SPARE * (epsilon or 0.0), 1.3 * (chosen or 0.0)) or 4.0)
    unlimited = requirement.model_copy(update={"advantage": None})
    lines, aside = _cached_curves(view, unlimited, setting, top, spoken())
    x = even(word("chart", "epsilon_release"), top, way="number")
    advantage = requirement.advantage or 0.0
    top_advantage = max(
        [advantage, *(value for line in lines for value in line.y if math.isfinite(value))], default=1.0
    )
    exact = [value for line in lines if line.width == 2.0 for value in line.y]
    # coarser bounds may exceed the figure
    top_advantage = min(top_advantage, 2.5 * max([advantage, *exact], default=top_advantage)) or 1.0
    y = shares(word("chart", "advantage"), min(1.0, 1.08 * top_advantage))
    allowed = flat(advantage, top, word("chart", "allowed"), name=word("chart", "advantage_allowed"))
    marks = []
    if epsilon is not None and epsilon <= top:
        words = format_text("chart", "at_most", {"epsilon": epsilon})
        marks.append(Mark(x=epsilon, y=advantage, words=words, role="privacy", left=True))
    title = word("chart", "guessing_title" if view == "bounds" or len(lines) == 1 else "beliefs_title")
    asides = (aside,) if aside else ()
    return plotted(title, _sentence(requirement, epsilon, lines, advantage), x, y, (*lines, allowed), marks, asides)


def _sentence(requirement: Requirement, epsilon: float | None, lines: tuple[Line, ...], advantage: float) -> str:
    if epsilon is None:
        return word("chart", "guessing_never")
    simplified = next((line for line in lines if line.name == word("chart", "bound_simplified")), None)
    # a category has no direction: its gain is a rise
    moves = word("chart", f"guessing_{getattr(requirement, 'direction', 'rise')}")
    figures: dict[str, Any] = {"advantage": advantage, "epsilon": epsilon, "moves": moves}
    crossing = _crossing_place(simplified, advantage) if simplified is not None else None
    if crossing is not None and crossing < epsilon:
        return format_text("chart", "guessing_closed", {**figures, "closed": format_max(crossing)})
    return format_text("chart", "guessing", figures)


def _crossing_place(line: Line, level: float) -> float | None:
    """Return where a rising LINE reaches LEVEL, interpolated between its points."""
    for index in range(1, len(line.y)):
        low, high = line.y[index - 1], line.y[index]
        if low < level <= high:
            return line.x[index - 1] + (line.x[index] - line.x[index - 1]) * (level - low) / (high - low)
    return None


def _point_count(requirement: GuessingAdvantage) -> int:
    """Return the number of points of a curve."""
    truths = [attribute.truth for attribute in requirement.attributes]
    return FEW if requirement.combine != "one" or "worst" in truths else POINTS


def _losses_per_precision(
    requirement: GuessingAdvantage, setting: PrivacyInputs, xs: tuple[float, ...]
) -> tuple[float, ...]:
    return tuple(requirement.each(setting, x) for x in xs)


def _limit_advantages(
    requirement: GuessingAdvantage, setting: PrivacyInputs, xs: tuple[float, ...]
) -> tuple[float, ...] | None:
    """Return the advantage at each of XS as counted by the limit; None if the bound alone is equal to it.

    The limit counts more with earlier releases, for both a rise and a drop, and if a count may jump by a small change
    of a value.
    """
    spent = setting.loss.spent
    if not (spent or requirement.direction == "both" or requirement.jumps(setting)):
        return None
    limit = Limit(status="allowed", why=Reason(key=""))
    advantages = [float(requirement.at(setting, limit, x).get("advantage", math.nan)) for x in xs]
    if not spent and requirement.direction != "both":
        steady = replace(setting, grain=None)
        bounds = [requirement.at(steady, limit, x).get("advantage", math.nan) for x in xs]
        if all(counted <= bound + SAME or math.isnan(bound) for counted, bound in zip(advantages, bounds, strict=True)):
            return None
    return tuple(advantages)


def _bound_curves(requirement: GuessingAdvantage, setting: PrivacyInputs, top: float) -> tuple[Line, ...]:
    way: Literal["rise", "drop"] = "drop" if requirement.direction == "drop" else "rise"
    if requirement.combine != "one":
        xs = along(top, FEW)
        attributes, combine = requirement.attributes, requirement.combine
        before = mathematics.combined_prior(attributes=attributes, combine=combine)
        after = (
            mathematics.combined_posterior(attributes=attributes, combine=combine, epsilon=loss, direction=way)
            for loss in _losses_per_precision(requirement, setting, xs)
        )
        combined = tuple(abs(value - before) for value in after)
        return (curve(word("chart", "bound_together"), xs, combined, "privacy"),)
    guess = requirement.attributes[0]
    assert guess.prior is not None and guess.truth is not None and guess.precision is not None
    if guess.truth == "worst":
        xs = along(top, FEW)
        worst = tuple(
            mathematics.worst_truth(prior=guess.prior, precision=guess.precision, epsilon=loss, direction=way).advantage
            for loss in _losses_per_precision(requirement, setting, xs)
        )
        return (curve(word("chart", "bound_worst"), xs, worst, "privacy"),)
    xs = along(top, POINTS)
    losses = _losses_per_precision(requirement, setting, xs)
    lines = []
    kinds: tuple[tuple[Literal["exact", "main", "simplified"], Role, Dash], ...] = (
        ("exact", "privacy", "solid"),
        ("main", "accuracy", "dash"),
        ("simplified", "quiet", "dash"),
    )
    for bound, role, dash in kinds:
        try:
            advantages = mathematics.curve(
                prior=guess.prior,
                truth=float(guess.truth),
                precision=guess.precision,
                epsilons=losses,
                bound=bound,
                direction=way,
            )
        except DPWizardError:
            continue  # this bound has no curve for this prior
        name, label = word("chart", f"bound_{bound}"), word("chart", f"label_{bound}")
        width = 2.0 if bound == "exact" else 1.5
        lines.append(Line(name=name, label=label, x=xs, y=advantages, role=role, dash=dash, width=width))
    return tuple(lines)


def _belief_curves(requirement: GuessingAdvantage, setting: PrivacyInputs, top: float) -> tuple[Line, ...]:
    """Return exact and simplified curves for the prior entered, and for others of the same range."""
    guess = requirement.attributes[0]
    assert guess.prior is not None and guess.truth is not None and guess.precision is not None
    low, high = guess.prior.support()
    way: Literal["rise", "drop"] = "drop" if requirement.direction == "drop" else "rise"
    xs = along(top, POINTS)
    losses = _losses_per_precision(requirement, setting, xs)
    if guess.truth == "worst":
        most = losses[-1] or 1.0
        worst = mathematics.worst_truth(prior=guess.prior, precision=guess.precision, epsilon=most, direction=way).truth
        truth = worst if worst is not None else low
    else:
        truth = float(guess.truth)
    priors: list[tuple[str, Prior, Role]] = [("stated", guess.prior, "privacy")]
    if math.isfinite(low) and math.isfinite(high) and high > low:
        if not guess.prior.flat:
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
        before = mathematics.prior_probability(prior=prior, truth=truth, precision=guess.precision)
        label = format_text("chart", f"belief_{key}", {"share": before})
        for bound, dash, width in styles:
            ys = mathematics.curve(
                prior=prior, truth=truth, precision=guess.precision, epsilons=losses, bound=bound, direction=way
            )
            name = f"{label}, {word('chart', f'label_{bound}')}"
            end_label = label if bound == "exact" else ""
            lines.append(Line(name=name, label=end_label, x=xs, y=ys, role=role, dash=dash, width=width))
    return tuple(lines)


def _category_curves(requirement: CategoricalAdvantage, setting: PrivacyInputs, top: float) -> tuple[Line, ...]:
    """Return the curves of the five most likely categories: the simplified bound, which is exact for them."""
    assert requirement.prior is not None
    whole = math.fsum(mass for _, mass in requirement.prior)
    xs = along(top, POINTS)
    totals = tuple(setting.loss.total_epsilon(x) for x in xs)
    lines = []
    for name, mass in sorted(requirement.prior, key=lambda pair: -pair[1])[:5]:
        p = mass / whole
        if p <= 0.0:
            continue
        gains = tuple(mathematics.categorical_posterior(p=p, epsilon=loss) - p for loss in totals)
        role, width = STYLES[requirement.truth in (name, "worst")]
        lines.append(Line(name=name, label=name[:24], x=xs, y=gains, role=role, width=width))
    return tuple(lines)
