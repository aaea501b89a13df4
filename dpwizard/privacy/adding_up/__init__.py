"""Tables that are made to add up: the noise of the published numbers, and the least budget that meets needs of them."""

from dpwizard.privacy.adding_up.grids import adding_up_grid, adding_up_margins, least_rho_grid
from dpwizard.privacy.adding_up.least_budget import least_rho
from dpwizard.privacy.adding_up.tree import adding_up
from dpwizard.privacy.adding_up.within_after import within_after

__all__ = ["adding_up", "adding_up_grid", "adding_up_margins", "least_rho", "least_rho_grid", "within_after"]
