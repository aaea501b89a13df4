"""What others have chosen, and what it means for one person, beside one's own decision."""

from dpwizard.precedents.comparison import PrecedentRow, compared, current_decision
from dpwizard.precedents.precedent import Precedent, Spends, read_precedents
from dpwizard.precedents.translation import ForOne, for_one, over_units
