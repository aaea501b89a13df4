"""Questions that lead to a risk profile."""

from dpwizard.elicitation import closing_look, course, interview, setup
from dpwizard.elicitation.influences import AnswerInfluence
from dpwizard.elicitation.result import CurvePoint, Result, Spread
from dpwizard.elicitation.setup import answered_by, as_it_stands, sessions_about, setup_for, spoken_of, why_no_questions
