"""Published budgets, what they mean for one person, and the officer's own decision among them."""

from dpwizard.precedents.comparison import PrecedentRow, compared, current_decision
from dpwizard.precedents.precedent import Precedent, PublishedLoss, read_precedents
from dpwizard.precedents.translation import PersonRisk, over_units, person_risk
