"""Programmes of many tables and several years: what they lose together, what they need, how a budget is shared."""

from dpwizard.privacy.programme.ledger import LedgerRecord, LedgerTotal, Lost, Relation, ledger
from dpwizard.privacy.programme.planning import fair_factor, fair_factor_geometric, need, requirement_factor, share
from dpwizard.privacy.programme.tables import total

__all__ = [
    "LedgerRecord",
    "LedgerTotal",
    "Lost",
    "Relation",
    "fair_factor",
    "fair_factor_geometric",
    "ledger",
    "need",
    "requirement_factor",
    "share",
    "total",
]
