"""A revision is rebuilt, not inspected: of all that a grammar writes and a key signs, only ours is accepted."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from dpwizard import json_text
from dpwizard.decision import assess, read_decision
from dpwizard.records import record
from dpwizard.report import document as report
from dpwizard.resource_files import FOLDER
from dpwizard.signing.pdf_signature import sign_pdf
from dpwizard.signing.signing import verify_record
from tests.samples import revision_grammar as grammar
from tests.samples.signed_record import NOW, Identity, people, signed, typeset


def starts() -> tuple[tuple[bytes, bytes, Identity], ...]:
    """Return records as signed by one and by two people, each with what stood before the last signature, and who."""
    before = typeset() + b"\n"
    return (
        (before, signed(1).pdf_bytes, people()[0]),
        (signed(1).pdf_bytes, signed(2).pdf_bytes, people()[1]),
        *((placed_record(count), placed_record(count + 1), people()[count]) for count in (0, 1)),
    )


@cache
def placed_record(count: int) -> bytes:
    """Return the PDF of a record as this program typesets it, with places, signed by COUNT people."""
    if count == 0:
        decision = read_decision(json_text.parse((FOLDER / "examples" / "durham.json").read_bytes()), "$")
        made = record.make_record(decision, assess(decision), record.Stated(time=NOW, source="signer"))
        return report.pdf_bytes(made, record.record_bytes(made), "durham.json")
    who, role = people()[count - 1], ("proposes", "approves")[count - 1]
    return sign_pdf(pdf=placed_record(count - 1), identity=who, number=count, time=NOW, reason=f"{role}: approve")


def accepted(count: int, seed: int) -> tuple[Counter[str], Counter[str]]:
    """Return how many of COUNT drawn revisions were tried, and how many were called unchanged, by kind of change."""
    draw = random.Random(seed)
    tried, passed = Counter[str](), Counter[str]()
    for number in range(count):
        before, after, who = starts()[number % 4]
        drawn = grammar.honest(after, len(before))
        change = grammar.CHANGES[number // 4 % len(grammar.CHANGES)]
        pdf = grammar.signed(before, change(drawn, draw), who)
        if pdf == grammar.signed(before, drawn, who):
            continue
        tried[change.__name__] += 1
        passed[change.__name__] += verify_record(None, pdf, None).ok
    return tried, +passed


@pytest.mark.slow
def test_the_revision_as_the_grammar_takes_it_apart_and_writes_it_again_is_accepted() -> None:
    for before, after, who in starts():
        again = grammar.signed(before, grammar.honest(after, len(before)), who)
        found = verify_record(None, again, None)
        assert found.verdict == "unchanged", found.sentence


@pytest.mark.slow
def test_every_kind_of_other_revision_is_found_changed() -> None:
    tried, passed = accepted(4 * len(grammar.CHANGES), 20261122)
    assert set(tried) == {change.__name__ for change in grammar.CHANGES}
    assert not passed


@pytest.mark.slow
def test_two_hundred_drawn_revisions_are_all_found_changed() -> None:
    tried, passed = accepted(200, 20261123)
    assert sum(tried.values()) > 190
    assert not passed


@pytest.mark.soak
def test_two_thousand_drawn_revisions_are_all_found_changed() -> None:
    tried, passed = accepted(2_000, 20261124)
    assert sum(tried.values()) > 1_900
    assert not passed
