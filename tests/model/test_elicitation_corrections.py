"""Corrected values: each is kept, the curves go through it, and a stricter one never raises what the answers
support."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

from dpwizard.decision import ElicitationSession, Question
from dpwizard.elicitation import course
from dpwizard.elicitation import interview as elicitation
from dpwizard.elicitation.result import posterior_of_curves, span_of
from dpwizard.elicitation.tolerance_corrections import Correction, bent
from tests.model.test_elicitation_questions import PRESENCE, VALUE, walk
from tests.oracles import simulated_officer as officers
from tests.soak.elicitation import KINDS

PARTS = (1.5, 1.0, 0.7, 0.3, 0.1)  # of the rise that is played back, from loose to strict


def corrected(session: ElicitationSession, question: Question, part: float) -> ElicitationSession | None:
    """Return the session with a played-back rise corrected to PART of it; None where that is beyond certainty."""
    after = question.a.before + max(1, round((question.a.after - question.a.before) * part))
    if after >= question.a.out_of:
        return None
    return elicitation.answered(
        session, question, "corrected", corrected=question.a.model_copy(update={"after": after})
    )


def upper(session: ElicitationSession) -> float:
    return course.ends(posterior_of_curves(session))[
        1
    ]  # what the result shows as `high`, without its profile, which takes longer


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("slip", [0.15])
def test_a_stricter_correction_never_raises_the_upper_end(kind: str, slip: float) -> None:
    luck = random.Random(f"{kind} {slip}")
    setup = luck.choice((VALUE, PRESENCE))
    span = span_of(setup)
    session = walk(setup, officers.draw(kind, luck, span.low, span.high, slip))
    question = luck.choice(elicitation.playback(session))
    ends = [upper(one) for part in PARTS if (one := corrected(session, question, part)) is not None]
    assert all(stricter <= looser * (1.0 + 1e-9) for looser, stricter in pairwise(ends)), (question.a, ends)
    assert ends[-1] <= upper(session) * (1.0 + 1e-9)


def test_one_slip_does_not_turn_a_correction_round() -> None:
    whole = walk(VALUE, officers.Officer(officers.constant(3.0), "chance"))
    slipped = next(i for i, r in enumerate(whole.replies) if r.question.kind == "level" and r.question.form == "plain")
    said = whole.replies[slipped].answer
    session = elicitation.changed(whole, slipped + 1, "no" if said == "yes" else "yes")
    question = elicitation.playback(session)[0]
    ends = [upper(one) for part in (1.0, 0.7, 0.4, 0.1) if (one := corrected(session, question, part)) is not None]
    assert ends == sorted(ends, reverse=True)
    assert ends[-1] <= upper(session)


def test_bent_curves_rise_with_the_corrected_value_at_every_prior() -> None:
    priors = np.geomspace(0.001, 0.5, 30)
    curves = np.log(
        np.array([np.minimum(3.0 * priors, 0.9), np.minimum(priors + 0.05, 0.9), np.maximum(0.1, 1.2 * priors)])
    )
    at = np.log(np.array([[0.06], [0.07], [0.1]]))
    for stricter, values in ((True, (0.021, 0.03, 0.05, 0.06)), (False, (0.08, 0.2, 0.6, 1.0))):
        found = [bent(curves, priors, at, [Correction(0.02, value, stricter)], [0.005, 0.1]) for value in values]
        for less, more in pairwise(found):
            assert (less <= more + 1e-12).all()
        assert all((one >= np.log(priors) - 1e-12).all() and (one <= 0.0).all() for one in found)
        if stricter:
            assert all((one <= curves + 1e-9).all() for one in found)
