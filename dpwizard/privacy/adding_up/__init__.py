"""Tables that are adjusted to add up: the noise of their published numbers, and the least budget for them."""

from dpwizard.privacy.adding_up.grids import adding_up_grid, adding_up_margins, least_rho_grid
from dpwizard.privacy.adding_up.least_budget import Precisions, least_rho
from dpwizard.privacy.adding_up.linked_budget import Limited, least_budget_of
from dpwizard.privacy.adding_up.linked_tables import AddedUp, Weighted
from dpwizard.privacy.adding_up.links import Flawed, Link, Linked, linked
from dpwizard.privacy.adding_up.published_noise import Added, PublishedNoise, largest_deviation, published_noise
from dpwizard.privacy.adding_up.tree import Variance, adding_up
from dpwizard.privacy.adding_up.within_after import within_after
