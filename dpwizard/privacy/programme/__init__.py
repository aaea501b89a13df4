"""Programmes of many tables and several years: their total loss, their least budget, and its division."""

from dpwizard.privacy.adding_up import (
    adding_up,
    adding_up_grid,
    adding_up_margins,
    least_rho,
    least_rho_grid,
    within_after,
)
from dpwizard.privacy.programme.ledger import LedgerRecord, LedgerTotal, Lost, Relation, ledger
from dpwizard.privacy.programme.periods import history, largest_sets
from dpwizard.privacy.programme.planning import fair_factor, fair_factor_geometric, need, requirement_factor, share
from dpwizard.privacy.programme.tables import total
