"""The assessment of a decision: what each requirement allows, the allowed range, and what sets its ends."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from dpwizard.base.errors import DPWizardError
from dpwizard.base.stopping import Stop, Stopped, may_stop, stoppable
from dpwizard.decision.accounting import (
    NO_ACCOUNTING,
    Accounting,
    account,
    at_budget,
    rho_and_mu,
)
from dpwizard.decision.decision import Decision
from dpwizard.decision.privacy_requirement import PrivacyRequirement
from dpwizard.decision.reasons import NOTHING, Check, Reason
from dpwizard.decision.release import Counting, Release
from dpwizard.decision.release_flaws import is_central_model
from dpwizard.decision.requirement import (
    SETTLED,
    BaseRequirement,
    Basis,
    Limit,
    Setting,
    Side,
    Status,
    no_limit,
)
from dpwizard.decision.settings import EachTable, PrivacyInputs
from dpwizard.decision.steps import problems

FORMAT: Literal["dpwizard.assessment/1"] = "dpwizard.assessment/1"
MAY_BOUND = ("proved", "proved_under")
TOUCHING = 1e-9  # relative: two ends of the range that differ by less count as equal


@dataclass(frozen=True)
class CachedLimit:
    """A limit with the inputs it was computed from, kept in memory for the next assessment."""

    requirement: BaseRequirement
    setting: Setting | tuple[str, ...]
    limit: Limit
    chosen: float | None = None  # the budget of `at_epsilon` and `is_met`
    at_epsilon: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    is_met: bool | None = None  # whether that budget meets the requirement, if checked; None: compare with the limit


@dataclass(frozen=True, kw_only=True)
class RequirementResult:
    """The limit of one requirement, its basis and reason, and the figures at the chosen budget.

    epsilon: the budget, which is rho if the release is counted in rho; in_units: the same limit as rho and mu, under
    Gaussian noise; validity: the checks passed from the release to the theorem.
    """

    kind: str
    name: str | None
    enabled: bool
    status: Status
    side: Side
    epsilon: float | None
    error: float
    binding: Mapping[str, Any]
    attained: bool | None
    unique: bool | None
    grounds: Basis | None
    assumptions: tuple[str, ...]
    source: str
    as_published: Mapping[str, Any] | None
    at_epsilon: Mapping[str, Any]
    met: bool | None
    why: Reason
    validity: tuple[Check, ...]
    counted_in: Counting = "epsilon"
    in_units: Mapping[str, float | None] = field(default_factory=lambda: NOTHING)
    part: str | None = None  # the table it applies to, if there are several
    tables: int | None = None  # how many tables must meet it, if it selects them by common properties
    uneven: bool = False  # whether a budget below its limit may violate it

    def as_plain(self) -> dict[str, Any]:
        left_out = {"counted_in", "in_units", "part", "tables", "uneven"}
        left_out |= {"epsilon"} if self.counted_in == "rho" else set()
        plain = {item.name: getattr(self, item.name) for item in fields(self) if item.name not in left_out}
        extra: dict[str, Any] = {"tables": self.tables} if self.tables is not None else {}
        extra |= {"uneven": True} if self.uneven else {}
        return {**plain, **self.in_units, **extra}


@dataclass(frozen=True, kw_only=True)
class AllowedRange:
    """The budgets that meet every requirement, and the requirements (by position) that set its ends.

    lower and upper are rho if the release is counted in rho; in_units: the ends as rho and mu, under Gaussian noise.
    """

    lower: float
    upper: float | None
    binds_lower: int | None
    binds_upper: int | None
    empty: bool
    touching: bool
    complete: bool
    conflict: tuple[int, ...]
    counted_in: Counting = "epsilon"
    in_units: Mapping[str, Mapping[str, float | None]] = field(default_factory=lambda: NOTHING)

    def as_plain(self) -> dict[str, Any]:
        left_out = {"counted_in", "in_units"} | ({"lower", "upper"} if self.counted_in == "rho" else set())
        plain = {item.name: getattr(self, item.name) for item in fields(self) if item.name not in left_out}
        return {**plain, **self.in_units}


@dataclass(frozen=True, kw_only=True)
class Assessment:
    """The results of all requirements, the allowed range, and the open questions."""

    window: AllowedRange
    answers: tuple[RequirementResult, ...]
    epsilon: float | None
    inside: bool | None
    problems: tuple[Reason, ...]
    accounting: Accounting = NO_ACCOUNTING
    counted_in: Counting = "epsilon"  # rho: every field called epsilon holds a rho
    format: Literal["dpwizard.assessment/1"] = FORMAT
    solved: tuple[CachedLimit, ...] = field(default=(), compare=False, repr=False)
    pending: tuple[int, ...] = field(default=(), compare=False)  # of a draft: answers still being computed

    @property
    def unmet(self) -> tuple[int, ...]:
        """Return the positions of requirements that no budget meets, or whose computation failed."""
        known = ("allowed", "unbounded", "unanswered")
        return tuple(
            index for index, answer in enumerate(self.answers) if answer.enabled and answer.status not in known
        )

    def as_plain(self) -> dict[str, Any]:
        names = ("format", "window", "answers", "epsilon", "inside", "problems", "accounting")
        return {name: getattr(self, name) for name in names if name != "epsilon" or self.counted_in == "epsilon"}


def assess(
    decision: Decision, previous: Assessment | None = None, stop: Stop | None = None, draft: bool = False
) -> Assessment:
    """Return the range that DECISION's requirements allow together: pure, the same for the same decision.

    Arguments: decision, possibly incomplete; previous, an earlier assessment whose limits are reused if their inputs
    are unchanged; stop, polled between requirements and in long computations: once true, the remaining requirements
    fail as stopped; draft, whether to postpone long computations: their results are in `pending`, and are either quick
    limits on the safe side, some percent too strict, or "computing". The ends of the range are safe: `lower` never
    below the true minimum, `upper` never above the true maximum, each within its result's `error`. Raises nothing for a
    well-formed decision: if a solver fails, the result has the status "failed".
    """
    decision = decision.planned
    known = {(s.requirement, s.setting): s for s in previous.solved} if previous else {}
    solved, answers, pending = [], [], []
    release, chosen = decision.release, decision.chosen
    for index, requirement in enumerate(decision.requirements):
        setting = requirement.setting(release)
        blocked = requirement.blocked_limit(release)
        question = (_without_labels(requirement), setting)
        cached = None if blocked is not None else known.get(question)
        is_current = cached is not None and cached.chosen == chosen
        if draft and not is_current and requirement.slow(setting):
            pending.append(index)
            limit = _first_limit(requirement, setting, blocked) if cached is None else cached.limit
            answer = _result(requirement, release, chosen, setting, limit, NOTHING)
            answers.append(replace(answer, met=answer.met or None))  # the exact limit may still be met
            continue
        try:
            if cached is None or not is_current:
                with stoppable(stop):
                    may_stop()
                    limit = _solve(requirement, setting, blocked) if cached is None else cached.limit
                    at = _figures_at(requirement, setting, limit, chosen)
                    is_met = _is_met_at(requirement, setting, limit, chosen)
                    cached = CachedLimit(*question, limit=limit, chosen=chosen, at_epsilon=at, is_met=is_met)
            limit, at, is_met = cached.limit, cached.at_epsilon, cached.is_met
        except Stopped:
            if stop is None:
                raise  # the caller asked to stop
            limit, at, is_met = no_limit("failed", "stopped"), NOTHING, None
        if cached is not None and blocked is None:
            solved.append(cached)
            known[question] = cached  # equal requirements on equal tables are solved once
        answers.append(_result(requirement, release, chosen, setting, limit, at, is_met))
    window = window_of(tuple(answers))
    if any(answers[index].status == "unanswered" for index in pending):
        window = replace(window, binds_lower=None, binds_upper=None)  # a pending requirement may set the end instead
    return Assessment(
        window=_with_rho_and_mu(window, release),
        answers=tuple(answers),
        epsilon=chosen,
        inside=_is_inside(window, tuple(answers), chosen) if is_central_model(release) else None,
        problems=problems(decision),
        solved=tuple(solved),
        pending=tuple(pending),
        accounting=account(release, chosen),
        counted_in=release.counted_in,
    )


def slow_requirements(decision: Decision) -> frozenset[Hashable]:
    """Return the cache keys of DECISION's requirements that take long to solve; equal keys have equal limits."""
    decision, questions = decision.planned, set()
    for requirement in decision.requirements:
        if requirement.end == "lower" and not decision.release.adds_up:
            continue  # accuracy requirements are slow only if tables add up
        setting = requirement.setting(decision.release)
        if requirement.slow(setting):
            questions.add((_without_labels(requirement), setting))
    return frozenset(questions)


def _without_labels(requirement: BaseRequirement) -> BaseRequirement:
    """Return REQUIREMENT without the fields that no solver reads, so that a new name needs no new solution."""
    rest: dict[str, Any] = {"part": None} if "part" in type(requirement).model_fields else {}  # the setting has it
    return requirement.model_copy(update={"name": None, "enabled": True, "off_reason": None, "origins": (), **rest})


def _first_limit(requirement: BaseRequirement, setting: Setting | tuple[str, ...], blocked: Limit | None) -> Limit:
    if requirement.takes_long() or not isinstance(setting, PrivacyInputs):
        return no_limit("unanswered", "computing")
    return _solve(requirement, setting.at_first(), blocked)


def _solve(requirement: BaseRequirement, setting: Setting | tuple[str, ...], blocked: Limit | None) -> Limit:
    """Return the limit of REQUIREMENT under SETTING, or the reason why it has none, such as BLOCKED."""
    missing = requirement.missing()
    if missing:
        return no_limit("unanswered", "unanswered", fields=missing)
    if blocked is not None and blocked.status == "unanswered":  # it refers to an unknown name
        return blocked
    if isinstance(setting, tuple):
        key = "unanswered" if setting == ("part",) else "release_unanswered"  # the part is the requirement's own field
        return no_limit("unanswered", key, fields=setting)
    try:
        return blocked or requirement.limit(setting)
    except DPWizardError as problem:
        return no_limit("failed", "solver_failed", reason=str(problem.whole))  # English: records hold no language


def _figures_at(
    requirement: BaseRequirement, setting: Setting | tuple[str, ...], limit: Limit, chosen: float | None
) -> Mapping[str, Any]:
    if chosen is None or requirement.end == "verdict" or limit.status not in SETTLED or isinstance(setting, tuple):
        return NOTHING
    try:
        return requirement.at(setting, limit, chosen)
    except DPWizardError:
        return NOTHING  # no figure rather than a wrong one; the limit itself is valid


def _is_met_at(
    requirement: BaseRequirement, setting: Setting | tuple[str, ...], limit: Limit, chosen: float | None
) -> bool | None:
    """Return whether the CHOSEN budget meets the requirement, if checked directly; None: compare with the limit."""
    if chosen is None or limit.status != "allowed" or isinstance(setting, tuple):
        return None
    return requirement.met_at(setting, chosen)


def _result(
    requirement: BaseRequirement,
    release: Release,
    chosen: float | None,
    setting: Setting | tuple[str, ...],
    limit: Limit,
    figures: Mapping[str, Any],
    is_met: bool | None = None,
) -> RequirementResult:
    assumed = requirement.assumed(release)
    noise = release.cached(("at budget", chosen), lambda: at_budget(release, chosen))
    checks = requirement.checks(release, setting)
    if limit.status not in SETTLED:  # only the checks before the failed one
        checks = checks[: checks.index(limit.check)] if limit.check in checks else ()
    met = None
    if limit.status in SETTLED and requirement.end == "verdict":
        met = limit.status == "allowed"
    elif limit.status in SETTLED and chosen is not None and not isinstance(setting, tuple):
        met = _meets(requirement.end, limit, chosen) if is_met is None else is_met
    return RequirementResult(
        kind=getattr(requirement, "kind", ""),
        name=requirement.name,
        enabled=requirement.enabled,
        status=limit.status,
        side=requirement.end,
        epsilon=limit.epsilon,
        error=limit.error,
        binding=limit.binding,
        attained=limit.attained,
        unique=limit.unique,
        grounds="proved_under" if limit.grounds == "proved" and assumed else limit.grounds,
        assumptions=assumed,
        source=limit.source or requirement.source,
        as_published=limit.as_published,
        at_epsilon={**figures, **noise} if figures else figures,
        met=met,
        why=limit.why,
        validity=checks,
        counted_in=release.counted_in,
        in_units=rho_and_mu(release, limit.epsilon, requirement.end),
        part=getattr(requirement, "part", None) if release.parts[1:] else None,
        tables=len(setting.each) if isinstance(setting, EachTable) else None,
        uneven=_may_break_below(requirement, setting, limit),
    )


def _may_break_below(requirement: BaseRequirement, setting: Setting | tuple[str, ...], limit: Limit) -> bool:
    if limit.status != "allowed" or not limit.epsilon or not isinstance(setting, PrivacyInputs):
        return False
    reads_curve = isinstance(requirement, PrivacyRequirement) and requirement.reads == "curve"
    return reads_curve and setting.uneven(limit.epsilon)


def _meets(end: Side, limit: Limit, chosen: float) -> bool:
    """Return whether CHOSEN meets LIMIT; a budget within TOUCHING of it counts as equal to it.

    The slack is at most the limit's own error, and a search with a larger error gets no more than TOUCHING.
    """
    if limit.epsilon is None:
        return limit.status == "unbounded"
    slack = min(limit.error, TOUCHING * limit.epsilon)
    return chosen <= limit.epsilon + slack if end == "upper" else chosen >= limit.epsilon - slack


def window_of(answers: tuple[RequirementResult, ...]) -> AllowedRange:
    """Return the range that the requirement results ANSWERS allow, in the unit of their budgets."""
    uppers, lowers = (_limits_on(answers, side) for side in ("upper", "lower"))
    upper, binds_upper = min(uppers, default=(None, None))
    lower, binds_lower = max(lowers, default=(0.0, None), key=lambda t: (t[0], -t[1]))
    conflict = tuple(i for i, a in enumerate(answers) if a.status == "infeasible" and _may_set_limit(a))
    touching = upper is not None and binds_lower is not None and abs(lower - upper) <= TOUCHING * max(lower, upper)
    if touching and upper is not None:
        lower = upper  # the upper end meets every privacy requirement
    elif upper is not None and binds_lower is not None and lower > upper and not conflict:
        too_high = {index for epsilon, index in lowers if epsilon > upper}
        too_low = {index for epsilon, index in uppers if epsilon < lower}
        conflict = tuple(sorted(too_high | too_low))
    return AllowedRange(
        lower=lower,
        upper=upper,
        binds_lower=binds_lower,
        binds_upper=binds_upper,
        empty=bool(conflict),
        touching=touching,
        complete=all(a.status in SETTLED for a in answers if a.enabled),
        conflict=conflict,
    )


def _may_set_limit(answer: RequirementResult) -> bool:
    return answer.enabled and answer.grounds in MAY_BOUND


def _limits_on(answers: tuple[RequirementResult, ...], side: str) -> list[tuple[float, int]]:
    """Return the limits on one SIDE of the range, each with the position of its requirement."""
    allowed = ((i, a, a.epsilon) for i, a in enumerate(answers) if a.side == side and a.status == "allowed")
    return [(epsilon, i) for i, a, epsilon in allowed if epsilon is not None and _may_set_limit(a)]


def _with_rho_and_mu(window: AllowedRange, release: Release) -> AllowedRange:
    upper = rho_and_mu(release, window.upper, "upper")
    lower = rho_and_mu(release, window.lower, "lower") if window.binds_lower is not None else dict.fromkeys(upper, 0.0)
    if window.touching and window.lower == window.upper:
        lower = upper  # as in window_of
    ends = {unit: {"lower": lower[unit] or 0.0, "upper": upper[unit]} for unit in upper}
    return replace(window, counted_in=release.counted_in, in_units=ends)


def _is_inside(window: AllowedRange, answers: tuple[RequirementResult, ...], epsilon: float | None) -> bool | None:
    if epsilon is None:
        return None
    if window.empty:
        return False
    limiting = [a for a in answers if a.enabled and a.status == "allowed" and a.grounds in MAY_BOUND]
    return None if any(a.met is None for a in limiting) else all(a.met for a in limiting)
