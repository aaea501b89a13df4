"""The result of a session: a profile or a value, the epsilons it supports, and the answer that sets the limit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, cast

import numpy as np

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import rounded_down
from dpwizard.decision import Chance, ElicitationSession, Question, Setup
from dpwizard.elicitation import closing_look, course, simplest_shape
from dpwizard.elicitation import threshold_design as thresholds
from dpwizard.elicitation.question_design import Evidence, FamilyPoints, Posterior, belief, quantiles
from dpwizard.elicitation.tolerance_corrections import Correction
from dpwizard.elicitation.tolerance_curves import FAMILIES, LARGEST_PRIOR, MOST_EPSILON, Array, Family, Span
from dpwizard.privacy import relative_risk
from dpwizard.privacy.profiles import Knots, Profile

Status = Literal["supported", "unbounded", "too_few"]
UNBOUNDED = 0.9 * MOST_EPSILON  # an epsilon from which there is no limit to speak of
FEWEST = 3  # answers that say something, before there is a result
CURVE_POINTS = 13
DIGITS = 4  # of a profile's numbers
LEAST_SHARE = 0.2  # a named shape less probable than this gives way to a curve of knots where it fits worse


@dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """The largest chance accepted at one prior: the middle of what the answers support, and the ends of its 90 %."""

    prior: float
    low: float
    middle: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Fit:
    """How well a shape explains the answers: how probable it is, and how many answers its best curve contradicts."""

    shape: str
    probability: float
    contradicted: int


@dataclass(frozen=True, kw_only=True)
class Result:
    """What the answers support.

    epsilon: recommended, on the safe side, what `profile` allows. low and high: the nominal 90 % interval (high None:
    no limit). profile: the safe one, to be taken over; fitted: the one in the middle of what the answers support;
    misfit: the largest factor between the fitted profile and that middle. value, for a guess or for accuracy: the
    advantage or the error accepted, on the safe side, between value_low and value_high.
    """

    status: Status
    answers: int
    epsilon: float | None = None
    low: float | None = None
    middle: float | None = None
    high: float | None = None
    profile: Profile | None = None
    fitted: Profile | None = None
    misfit: float | None = None
    fits: tuple[Fit, ...] = ()
    curve: tuple[CurvePoint, ...] = ()
    slip: float | None = None
    value: float | None = None
    value_low: float | None = None
    value_high: float | None = None

    @property
    def allowed(self) -> tuple[float | None, float | None]:
        """Return the range that the answers allow: from the safe end, which `profile` allows, to `high`."""
        safe = self.low if self.epsilon is None else self.epsilon
        return safe, None if self.high is None or safe is None else max(safe, self.high)


@dataclass(frozen=True, kw_only=True)
class Spread:
    """One assessor's result among several."""

    assessor: str | None
    about: str | None
    result: Result


# ------------------------------------------------------------------------------- from log to design


def span_of(setup: Setup) -> Span:
    """Return the adversaries a risk setup is about. Raises InvalidInput where nothing is left to learn."""
    p = setup.p if isinstance(setup.p, tuple) else (setup.p, setup.p)
    q = setup.q if isinstance(setup.q, tuple) else (setup.q, setup.q)
    if p[0] * q[0] >= LARGEST_PRIOR or p[1] * q[1] < 1e-9:
        raise InvalidInput(
            message(
                "leave nothing to ask about: the chance before the release is from {low:g} to {high:g}",
                low=p[0] * q[0],
                high=p[1] * q[1],
            ),
            "setup.p",
            "In the adversary step, enter a range of chances that begins below 95 in 100.",
        )
    return Span(p, q, setup.replace_factor)


def standing_answers(session: ElicitationSession, without: int | None = None) -> tuple[course.AnsweredQuestion, ...]:
    """Return the answers of the course, in order; those that no longer stand, and number WITHOUT, tell nothing."""
    stands = session.standing()
    places: dict[int, int] = {}
    answers: list[course.AnsweredQuestion] = []
    for number, reply in enumerate(session.replies, 1):
        question = reply.question
        teaches = all(_teaches(side) for side in (question.a, question.b))
        if question.kind == "playback" or question.a is None or not teaches:
            continue
        places[number] = len(answers)
        again = None if question.again is None else places.get(question.again)
        asking = course.PlannedQuestion(question.a, question.b, again)
        answer = cast(course.AnswerKey, reply.answer)
        if question.b is None and question.form == "reversed" and answer in ("yes", "no"):  # "would you refuse it?"
            answer = "no" if answer == "yes" else "yes"
        answers.append(course.AnsweredQuestion(asking, answer, stands[number - 1] and number != without))
    return tuple(answers)


def _teaches(side: Chance | None) -> bool:
    """Return whether a release raises a chance, as every question of the course does; other logs may hold others."""
    return side is None or side.before < side.after


def evidence_of(session: ElicitationSession, without: int | None = None) -> tuple[Evidence, ...]:
    """Return what the standing answers of the course say."""
    return course.evidence_of(standing_answers(session, without))


def corrections_of(session: ElicitationSession, without: int | None = None) -> tuple[Correction, ...]:
    """Return the values the officer set in place of those played back, in order; at least a count above the prior."""
    stands = session.standing()
    corrections = []
    for number, reply in enumerate(session.replies, 1):
        value, played = reply.corrected, reply.question.a
        if value is None or not stands[number - 1] or number == without or not 0 < value.before < value.out_of:
            continue
        posterior = min(max(value.after, value.before + 1), value.out_of) / value.out_of
        stricter = played is not None and posterior <= played.posterior * (1.0 + 1e-12)
        corrections.append(Correction(value.prior, posterior, stricter))
    return tuple(corrections)


def posterior_of_curves(session: ElicitationSession, without: int | None = None) -> Posterior:
    """Return the posterior over curves that the session's answers give."""
    return belief(span_of(session.setup), evidence_of(session, without), corrections_of(session, without))


def judged_of(session: ElicitationSession) -> tuple[closing_look.JudgedLook, ...]:
    """Return the closing looks as the design holds them, each with the epsilon that its lines speak of now.

    The release may have another replace factor than when they were shown, and a log may come from anywhere: what was
    judged are the lines. Those that raise no chance say nothing, nor does a look of none but these.
    """
    answers, looks = session.given, list[closing_look.JudgedLook]()
    span = span_of(session.setup) if session.looks else None
    for look in session.looks:
        places = [place for place, line in enumerate(look.lines) if _teaches(line)]
        if not places or span is None:
            continue
        lines = tuple(look.lines[place] for place in places)
        marked = frozenset(new for new, place in enumerate(places) if place in look.too_much)
        epsilon = closing_look.epsilon_of_look(span, look.epsilon, lines, marked, looks)
        looks.append(closing_look.JudgedLook(epsilon, lines, marked, look.could_be_more, look.answers == answers))
    return tuple(looks)


def look_epsilon(session: ElicitationSession) -> float | None:
    """Return the epsilon whose consequences are to be looked at next; None where nothing is, or no look is left.

    Questions about risk alone are closed by looks, and only where their answers set a limit.
    """
    if session.setup.topic != "risk" or len(evidence_of(session)) < FEWEST:
        return None
    posterior, judged = posterior_of_curves(session), judged_of(session)
    if closing_look.recommended(posterior, judged) >= UNBOUNDED:
        return None
    return closing_look.next_epsilon(posterior, closing_look.refusals(evidence_of(session)), judged)


def answered_values(session: ElicitationSession) -> tuple[tuple[int, float, bool], ...]:
    """Return, for a guess or for accuracy, the number, value and acceptance of each answer that stands."""
    stands = session.standing()
    answers = []
    for number, reply in enumerate(session.replies, 1):
        value = value_of(reply.question)
        if value is None or not stands[number - 1] or reply.answer not in ("yes", "no"):
            continue
        answers.append((number, value, (reply.answer == "yes") != (reply.question.form == "reversed")))
    return tuple(answers)


def value_of(question: Question) -> float | None:
    """Return the error, or the advantage, that a QUESTION about one threshold names; None where it names none."""
    if question.blur is not None:
        return question.blur.off_by
    return None if question.a is None else question.a.posterior - question.a.prior


def bounds_of(setup: Setup) -> tuple[float, float, float]:
    """Return the prior of a guess (1 for accuracy), and the smallest and largest value worth asking about."""
    if setup.topic == "accuracy":
        if setup.smallest is None or setup.largest is None:
            missing = "smallest" if setup.smallest is None else "largest"
            raise InvalidInput("is missing", f"setup.{missing}", "Enter the smallest and the largest error.")
        return 1.0, setup.smallest, setup.largest
    prior = setup.q[1] if isinstance(setup.q, tuple) else setup.q
    prior = round(prior * 10_000) / 10_000
    if not 1e-4 <= prior <= 0.98:
        raise InvalidInput(
            message("must be one chance between 1 and 9,800 in 10,000; found {found:g}", found=prior),
            "setup.q",
            "Enter the chance of a right guess before the release.",
        )
    return prior, 0.002, 1.0 - prior - 0.001


def posterior_of_threshold(session: ElicitationSession, without: int | None = None) -> thresholds.Threshold:
    """Return the posterior over the accepted advantage, or error."""
    _, least, most = bounds_of(session.setup)
    values = [(value, accepted) for number, value, accepted in answered_values(session) if number != without]
    return thresholds.threshold(least, most, values)


# -------------------------------------------------------------------------------------- result


def result(session: ElicitationSession) -> Result:
    """Return what the answers support. Never above: `epsilon` is what the safe profile allows, by the exact solver."""
    if session.setup.topic != "risk":
        return _threshold_result(session)
    evidence = evidence_of(session)
    if len(evidence) < FEWEST:
        return Result(status="too_few", answers=len(evidence))
    posterior = posterior_of_curves(session)
    judged = judged_of(session)
    ends = closing_look.closed(posterior, judged)
    points = curve(posterior)
    middles = np.array([[point.prior for point in points], [point.middle for point in points]])
    unbounded = ends.epsilon >= UNBOUNDED
    if judged or posterior.corrections:
        marked = tuple(Evidence(look.lines[place], None, "no") for look in judged for place in sorted(look.too_much))
        wanted = ends.epsilon if judged and not unbounded else None
        (middle,) = posterior.quantile(0.5) if wanted is None else (simplest_shape.ROOM * wanted,)
        answers = (*evidence, *marked)
        fitted = simplest_shape.simplest(posterior, answers, middles, middle, at_least=wanted is not None)
        fitted = fitted or simplest_shape.few_knots(posterior, middles, wanted)
    else:
        fitted = _fitted(posterior, _family(posterior), middles)
    profile, epsilon = (None, None) if unbounded else _lowered(fitted, ends.epsilon, posterior.span)
    return Result(
        status="unbounded" if unbounded else "supported",
        answers=len(evidence),
        epsilon=epsilon,
        low=ends.low,
        middle=None if ends.middle >= UNBOUNDED else ends.middle,
        high=None if ends.high >= UNBOUNDED else ends.high,
        profile=profile,
        fitted=fitted,
        misfit=_misfit(fitted, points),
        fits=_fits(posterior),
        curve=points,
        slip=posterior.slip,
    )


def _threshold_result(session: ElicitationSession) -> Result:
    answers = answered_values(session)
    if len(answers) < FEWEST:
        return Result(status="too_few", answers=len(answers))
    low, high = posterior_of_threshold(session).ends()
    accepted = [value for _, value, yes in answers if yes and value <= low * (1.0 + 1e-9)]
    # what was said to be borne, not what lies between: the safe side of both
    safe = max(accepted) if accepted else rounded_down(low, DIGITS)
    return Result(status="supported", answers=len(answers), value=safe, value_low=low, value_high=high)


def spread(sessions: tuple[ElicitationSession, ...]) -> tuple[Spread, ...]:
    """Return the result of each assessor, without agreements."""
    own_sessions = [session for session in sessions if session.agreed is None]
    return tuple(
        Spread(assessor=session.assessor, about=session.setup.about, result=result(session)) for session in own_sessions
    )


def curve(posterior: Posterior) -> tuple[CurvePoint, ...]:
    """Return the largest chance accepted over the range and at corrected priors: its middle and 90 % interval."""
    span = posterior.span
    priors = np.array([span.high])
    if not span.single:
        corrected = [each.prior for each in posterior.corrections if span.low < each.prior < span.high]
        priors = np.union1d(np.geomspace(span.low, span.high, CURVE_POINTS), corrected)
    points = []
    for prior in map(float, priors):
        low, middle, high = posterior.accepted(prior, 0.05, 0.5, 0.95)
        points.append(CurvePoint(prior=prior, low=low, middle=middle, high=high))
    return tuple(points)


def _parts(posterior: Posterior) -> list[tuple[FamilyPoints, Array, Array]]:
    weights, misses = posterior.split(posterior.weights), posterior.split(posterior.misses)
    return list(zip(posterior.blocks, weights, misses, strict=True))


def _fits(posterior: Posterior) -> tuple[Fit, ...]:
    rows = [
        Fit(
            shape="knots" if b.family == "free" else b.family,
            probability=float(w.sum()),
            contradicted=int(m[w > 0].min()) if (w > 0).any() else 0,
        )
        for b, w, m in _parts(posterior)
    ]
    return tuple(sorted(rows, key=lambda fit: -fit.probability))


def _family(posterior: Posterior) -> Family:
    """Return the family to name: the most probable named shape, unless free curves explain clearly more answers."""
    mass = posterior.family_mass()
    named = [family for family in FAMILIES if family in mass and family != "free"]
    best = max(named, key=lambda family: mass[family])
    fits = {fit.shape: fit for fit in _fits(posterior)}
    worse = "knots" in fits and fits[best].contradicted > fits["knots"].contradicted
    return "free" if mass.get("free", 0.0) > mass[best] or (worse and mass[best] < LEAST_SHARE) else best


def _fitted(posterior: Posterior, family: Family, middles: Array) -> Profile:
    """Return the curve of FAMILY in the middle of what the answers support: of epsilon, and of each prior's chance."""
    if family == "free":
        return Knots(axis="pq", points=tuple((prior, max(chance / prior, 1.0)) for prior, chance in middles.T.tolist()))
    block, weights = next((b, w) for b, w, _ in _parts(posterior) if b.family == family)
    heavy = np.flatnonzero(weights >= 0.3 * weights.max())
    (middle,) = quantiles(block.epsilon, weights, (0.5,))
    curves, epsilons = block.points[heavy], block.epsilon[heavy]
    chosen = simplest_shape.nearest(family, curves, epsilons, middle, middles, posterior.span)
    return simplest_shape.profile_of(family, curves[chosen], posterior.span)


def _misfit(fitted: Profile, points: tuple[CurvePoint, ...]) -> float:
    """Return the largest factor between the fitted profile's chance and the middle of what the answers support."""
    worst = 1.0
    for point in points:
        accepted = min(float(fitted.ratio_at(point.prior, 1.0)) * point.prior, 1.0)
        worst = max(worst, accepted / point.middle, point.middle / accepted)
    return worst


def _lowered(fitted: Profile, safe: float, span: Span) -> tuple[Profile, float]:
    """Return the fitted profile made stricter until it allows at most SAFE, and what it then allows, exactly."""

    def allows(part: float) -> tuple[Profile, float]:
        profile = fitted.stricter(part)
        allowed_now = relative_risk.recommendation(profile, span.p, span.q, span.factor)
        return (
            profile,
            math.inf
            if allowed_now.epsilon is None and allowed_now.status == "unbounded"
            else allowed_now.epsilon or 0.0,
        )

    low, high = 0.0, 1.0
    strictest = allows(1.0)
    if strictest[1] <= safe:
        return strictest
    strictest = allows(1e-6)
    for _ in range(40):
        middle = 0.5 * (low + high)
        allowed_now = allows(middle)
        if allowed_now[1] <= safe:
            low, strictest = middle, allowed_now
        else:
            high = middle
    return strictest
