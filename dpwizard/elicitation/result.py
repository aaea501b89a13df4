"""What a session's answers come to: a profile or a value, the epsilons they support, and the answer that binds."""

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
from dpwizard.elicitation.question_design import Block, Evidence, Move, Posterior, belief, quantiles
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
                "leave nothing to ask about: the chance before the release lies from {low:g} to {high:g}",
                low=p[0] * q[0],
                high=p[1] * q[1],
            ),
            "setup.p",
            "Give a range of chances that begins below 95 in 100 in the adversary step.",
        )
    return Span(p, q, setup.replace_factor)


def move_of(chance: Chance) -> Move:
    """Return a logged chance as the design holds it."""
    return Move(chance.out_of, chance.before, chance.after)


def chance_of(move: Move) -> Chance:
    """Return a move of the design as it is logged."""
    return Chance(out_of=move.out_of, before=move.before, after=move.after)


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
        b = None if question.b is None else move_of(question.b)
        again = None if question.again is None else places.get(question.again)
        asking = course.Asking(move_of(question.a), b, again)
        answer = cast(course.AnswerKey, reply.answer)
        if b is None and question.form == "reversed" and answer in ("yes", "no"):  # "would you refuse it?"
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


def judged_of(session: ElicitationSession) -> tuple[closing_look.Judged, ...]:
    """Return the closing looks as the design holds them, each with the epsilon that its lines speak of now.

    The release may have another replace factor than when they were shown, and a log may come from anywhere: what was
    judged are the lines. Those that raise no chance say nothing, nor does a look of none but these.
    """
    given, judged = session.given, list[closing_look.Judged]()
    span = span_of(session.setup) if session.looks else None
    for look in session.looks:
        places = [place for place, line in enumerate(look.lines) if _teaches(line)]
        if not places or span is None:
            continue
        lines = tuple(move_of(look.lines[place]) for place in places)
        marked = frozenset(new for new, place in enumerate(places) if place in look.too_much)
        epsilon = closing_look.epsilon_of_look(span, look.epsilon, lines, marked, judged)
        judged.append(closing_look.Judged(epsilon, lines, marked, look.could_be_more, look.answers == given))
    return tuple(judged)


def look_epsilon(session: ElicitationSession) -> float | None:
    """Return the epsilon whose consequences are to be looked at next; None where nothing is, or no look is left.

    Questions about risk alone are closed by looks, and only where their answers set a limit.
    """
    if session.setup.topic != "risk" or len(evidence_of(session)) < FEWEST:
        return None
    found, judged = posterior_of_curves(session), judged_of(session)
    if closing_look.recommended(found, judged) >= UNBOUNDED:
        return None
    return closing_look.next_epsilon(found, closing_look.refusals(evidence_of(session)), judged)


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
            raise InvalidInput("is missing", f"setup.{missing}", "Say between which errors the questions are to look.")
        return 1.0, setup.smallest, setup.largest
    prior = setup.q[1] if isinstance(setup.q, tuple) else setup.q
    prior = round(prior * 10_000) / 10_000
    if not 1e-4 <= prior <= 0.98:
        raise InvalidInput(
            message("must be one chance between 1 and 9,800 in 10,000; found {found:g}", found=prior),
            "setup.q",
            "Give the chance of a right guess before the release.",
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
    found = posterior_of_curves(session)
    judged = judged_of(session)
    ends = closing_look.closed(found, judged)
    points = curve(found)
    unbounded = ends.epsilon >= UNBOUNDED
    if judged or found.corrections:
        marked = tuple(Evidence(look.lines[place], None, "no") for look in judged for place in sorted(look.too_much))
        wanted = ends.epsilon if judged and not unbounded else None
        fitted = _simplest(found, (*evidence, *marked), points, wanted)
    else:
        fitted = _fitted(found, _family(found), points)
    profile, epsilon = (None, None) if unbounded else _lowered(fitted, ends.epsilon, found.span)
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
        fits=_fits(found),
        curve=points,
        slip=found.slip,
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
    """Return what each assessor's answers come to, side by side; without what was agreed, nobody's own answer."""
    alone = [session for session in sessions if session.agreed is None]
    return tuple(
        Spread(assessor=session.assessor, about=session.setup.about, result=result(session)) for session in alone
    )


def curve(found: Posterior) -> tuple[CurvePoint, ...]:
    """Return the largest chance accepted over the range and at corrected priors: its middle and 90 % interval."""
    span = found.span
    priors = np.array([span.high])
    if not span.single:
        corrected = [one.prior for one in found.corrections if span.low < one.prior < span.high]
        priors = np.union1d(np.geomspace(span.low, span.high, CURVE_POINTS), corrected)
    points = []
    for prior in map(float, priors):
        low, middle, high = found.accepted(prior, 0.05, 0.5, 0.95)
        points.append(CurvePoint(prior=prior, low=low, middle=middle, high=high))
    return tuple(points)


def _parts(found: Posterior) -> list[tuple[Block, Array, Array]]:
    return list(zip(found.blocks, found.split(found.weights), found.split(found.misses), strict=True))


def _fits(found: Posterior) -> tuple[Fit, ...]:
    rows = [
        Fit(
            shape="knots" if b.family == "free" else b.family,
            probability=float(w.sum()),
            contradicted=int(m[w > 0].min()) if (w > 0).any() else 0,
        )
        for b, w, m in _parts(found)
    ]
    return tuple(sorted(rows, key=lambda fit: -fit.probability))


def _family(found: Posterior) -> Family:
    """Return the family to name: the most probable named shape, unless free curves explain clearly more answers."""
    mass = found.family_mass()
    named = max((family for family in FAMILIES if family in mass and family != "free"), key=lambda family: mass[family])
    fits = {fit.shape: fit for fit in _fits(found)}
    worse = "knots" in fits and fits[named].contradicted > fits["knots"].contradicted
    return "free" if mass.get("free", 0.0) > mass[named] or (worse and mass[named] < LEAST_SHARE) else named


def _fitted(found: Posterior, family: Family, points: tuple[CurvePoint, ...]) -> Profile:
    """Return the curve of FAMILY in the middle of what the answers support: of epsilon, and of each prior's chance."""
    if family == "free":
        return Knots(axis="pq", points=tuple((point.prior, max(point.middle / point.prior, 1.0)) for point in points))
    block, weights = next((b, w) for b, w, _ in _parts(found) if b.family == family)
    heavy = np.flatnonzero(weights >= 0.3 * weights.max())
    (middle,) = quantiles(block.epsilon, weights, (0.5,))
    held, epsilons = block.points[heavy], block.epsilon[heavy]
    chosen = simplest_shape.nearest(family, held, epsilons, middle, _middles(points), found.span)
    return simplest_shape.profile_of(family, held[chosen], found.span)


def _middles(points: tuple[CurvePoint, ...]) -> Array:
    """Return the middle of what the answers support, as priors and chances in two rows."""
    return np.array([[point.prior for point in points], [point.middle for point in points]])


def _simplest(
    found: Posterior, evidence: tuple[Evidence, ...], points: tuple[CurvePoint, ...], wanted: float | None
) -> Profile:
    """Return the simplest shape that keeps every answer and correction; where there is none, few knots on the curve.

    WANTED is the epsilon that it is to allow, at least; by default it lies in the middle of what the answers support.
    """
    (middle,) = found.quantile(0.5) if wanted is None else (simplest_shape.ROOM * wanted,)
    shape = simplest_shape.simplest(found, evidence, _middles(points), middle, at_least=wanted is not None)
    return shape or simplest_shape.few_knots(found, _middles(points), wanted)


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
        tried = relative_risk.recommendation(profile, span.p, span.q, span.factor)
        return profile, math.inf if tried.epsilon is None and tried.status == "unbounded" else tried.epsilon or 0.0

    low, high = 0.0, 1.0
    best = allows(1.0)
    if best[1] <= safe:
        return best
    best = allows(1e-6)
    for _ in range(40):
        middle = 0.5 * (low + high)
        tried = allows(middle)
        if tried[1] <= safe:
            low, best = middle, tried
        else:
            high = middle
    return best
