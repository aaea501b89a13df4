"""Questions that lead to a risk profile."""

from dpwizard.elicitation import closing_look, course, interview, setup
from dpwizard.elicitation.influences import AnswerInfluence
from dpwizard.elicitation.result import CurvePoint, Result, Spread
from dpwizard.elicitation.setup import (
    answered_by,
    release_epsilons,
    sessions_about,
    setup_for,
    why_no_questions,
    with_current_factor,
)
