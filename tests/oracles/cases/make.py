"""Writes cases.jsonl: python -m tests.oracles.cases.make (about three minutes)."""

from __future__ import annotations

from . import (
    accuracy_cases,
    composition_cases,
    gaussian_risk_cases,
    guessing_cases,
    many_numbers_cases,
    persuasive_cases,
    privacy_at_risk_cases,
    programme_cases,
    relative_risk_cases,
)
from .book import write

MODULES = (
    relative_risk_cases,
    accuracy_cases,
    privacy_at_risk_cases,
    composition_cases,
    guessing_cases,
    persuasive_cases,
)

if __name__ == "__main__":
    books = [*(module.BOOK for module in MODULES), many_numbers_cases.NUMBERS, many_numbers_cases.RHO]
    write([*books, programme_cases.PROGRAMME, programme_cases.EXPECTED, gaussian_risk_cases.BOOK])
