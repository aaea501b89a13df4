"""The office's ledger never shows less than people lost, whatever its records leave out, claim or repeat."""

from __future__ import annotations

import math
import random
from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from dpwizard.base.messages import NO_MESSAGE, message
from dpwizard.decision import EarlierRelease
from dpwizard.privacy.accounting.functions import read
from dpwizard.privacy.programme import Lost
from dpwizard.records import Ceiling, Ledger, LedgerEntry, Signed, Total, ledger_of, ledger_words, planned
from tests.samples.decisions import decided

TODAY = date(2026, 11, 23)
PASSED = Signed(verdict="trusted", outcome="passed", sentence=NO_MESSAGE, shown_by="2026-03-01", approval="other")


def replace(value: Any, **changes: Any) -> Any:
    return value.model_copy(update=changes)


STRANGER = replace(PASSED, verdict="unchanged", outcome="undetermined")
CHANGED = replace(PASSED, verdict="changed", outcome="failed", approval="")
NOT_SIGNED = replace(PASSED, verdict="incomplete", outcome="undetermined", approval="")


def hashed(name: str) -> str:
    return name.encode().hex().ljust(64, "0")[-64:]


def entry(name: str, epsilon: float | None = 1.0, **stated: Any) -> LedgerEntry:
    rho = None if epsilon is None else epsilon * epsilon / 2
    known: dict[str, Any] = {
        "sha256": hashed(name),
        "title": name.capitalize(),
        "made": "2026-03-01",
        "population": "Durham",
        "unit": "person",
        "neighbours": "add_remove",
        "lost": Lost(epsilon=epsilon, rho=rho),
        "outcome": "approve",
        "signed": PASSED,
    }
    return LedgerEntry(place=f"{name}.json", **known | stated)


def found_of(*entries: LedgerEntry, more: LedgerEntry | None = None) -> Ledger:
    return ledger_of(entries, today=TODAY, delta=1e-6, more=more)


def only(found: Ledger) -> Total:
    (total,) = found.totals
    return total


def standings(*entries: LedgerEntry) -> list[str]:
    return [row.standing for row in found_of(*entries).rows]


# ----------------------------------------------------------------------------------------------- what adds up


def test_epsilon_and_rho_add_up_for_each_population_and_unit() -> None:
    found = found_of(entry("a"), entry("b", 0.5), entry("c", 2.0, population="Wake"), entry("d", unit="household"))
    said = {(total.population, total.unit): total.epsilon.total for total in found.totals}
    expected = {("Durham", "household"): 1, ("", "person"): 3.5, ("Durham", "person"): 1.5, ("Wake", "person"): 2}
    assert said == pytest.approx(expected)
    durham = next(total for total in found.totals if (total.population, total.unit) == ("Durham", "person"))
    assert durham.rho.total == pytest.approx(0.625)
    (together,) = durham.conversions
    assert (together.rule, together.epsilon) == ("tight", pytest.approx(1.5, rel=1e-5))  # two records keep nothing back


def test_records_of_every_kind_are_read_from_one_curve() -> None:
    pure = [entry(f"p{n}", 0.1) for n in range(40)]
    gaussian = [entry(f"g{n}", None, lost=Lost(rho=0.02, mu=0.2)) for n in range(3)]
    stated = entry("s", None, lost=Lost(epsilon=0.3, delta=1e-8))
    (together,) = only(found_of(*pure, *gaussian, stated)).conversions
    known = [
        {"noise": "stated", "epsilon": 0.1, "times": 40},
        {"noise": "stated", "epsilon": 0.3, "delta": 1e-8},
        {"noise": "zcdp", "rho": 0.06},
    ]
    assert together.epsilon == pytest.approx(read(releases=known, read="epsilon", at=1e-6), rel=1e-3)
    assert together.epsilon < 40 * 0.1
    says_nothing = entry("n", None, lost=Lost())
    assert only(found_of(*pure, says_nothing)).conversions == ()


@pytest.mark.parametrize("rho", [1e-300, 1e9, 1e300])
@pytest.mark.parametrize("epsilon", [1e-300, 1e9, 1e140])
def test_extreme_records_have_a_finite_reading_or_none(epsilon: float, rho: float) -> None:
    total = only(found_of(entry("a", epsilon), entry("b", None, lost=Lost(rho=rho))))
    assert all(0.0 <= one.epsilon < math.inf for one in total.conversions)


def test_names_are_compared_without_case_and_blanks() -> None:
    total = only(found_of(entry("a", unit="one  Person", population="DURHAM "), entry("b", unit="one person")))
    assert total.epsilon.total == pytest.approx(2)


def test_what_does_not_say_epsilon_is_named_and_the_others_are_still_shown() -> None:
    gaussian = entry("b", None, lost=Lost(rho=0.02, mu=0.2))
    total = only(found_of(entry("a"), gaussian, entry("c", 0.5)))
    assert (total.epsilon.total, total.epsilon.not_counted) == (None, (1,))
    assert total.epsilon.known == pytest.approx(1.5)
    assert total.rho.total == pytest.approx(0.5 + 0.02 + 0.125)
    assert "Records that do not state it: 1" in next(ledger_words.lines(total))


# ---------------------------------------------------------------------------------- what makes a total smaller


def replacing(**stated: Any) -> tuple[LedgerEntry, LedgerEntry]:
    """Return a record that was to be published later, and the one that replaces it."""
    older = entry("old", 2.0, published="2026-06-01")
    return older, entry("new", 1.0, **{"superseded_sha256": older.sha256, "supersedes": "Old"} | stated)


def test_a_record_replaced_before_its_day_of_publication_counts_no_more() -> None:
    found = found_of(*replacing())
    assert [(row.standing, row.counts) for row in found.rows] == [("superseded", False), ("valid", True)]
    assert only(found).epsilon.total == pytest.approx(1)


@pytest.mark.parametrize(
    ("stated", "standing"),
    [
        ({"signed": STRANGER}, "valid"),
        ({"signed": CHANGED}, "valid"),
        ({"signed": None}, "valid"),
        ({"outcome": "reject"}, "valid"),
        ({"outcome": "refer"}, "valid"),
        ({"signed": replace(PASSED, approval="")}, "valid"),
        ({"signed": replace(PASSED, approval="proposer")}, "valid"),
        ({"signed": replace(PASSED, shown_by="2026-06-01")}, "superseded"),
        ({"signed": replace(PASSED, shown_by="")}, "superseded"),
        ({"spent": (EarlierRelease(record="Old", epsilon=2.0, neighbours="add_remove"),)}, "superseded"),
        ({"spent": (EarlierRelease(record=hashed("old"), epsilon=2.0, neighbours="add_remove"),)}, "superseded"),
    ],
)
def test_what_may_have_been_published_before_it_was_replaced_still_counts(
    stated: dict[str, Any], standing: str
) -> None:
    """Only an approval that passes replaces a record; what any other says of it is told."""
    older, newer = replacing(**stated)
    found = found_of(older, newer)
    assert (found.rows[0].standing, found.rows[0].counts) == (standing, True)
    assert found.rows[0].why.startswith("“new.json” states that" if standing == "valid" else "replaced by “new.json”")
    assert only(found).epsilon.known >= 3.0
    assert found_of(replace(older, review="2026-01-01"), newer).rows[0].due == (standing == "valid")
    assert (
        found_of(replace(newer, place="b.json", sha256=hashed("b")), older, replacing()[1]).rows[1].standing
        == "superseded"
    )


def test_record_of_which_a_release_was_made_counts_whatever_is_said_later() -> None:
    older, newer = replacing()
    for published in (replace(older, releases=1), replace(older, published="")):  # also where no day is known
        assert only(found_of(published, newer)).epsilon.total == pytest.approx(3)
    refused = entry("a", outcome="reject", releases=1, signed=replace(PASSED, approval=""))
    assert only(found_of(refused)).epsilon.total == pytest.approx(1)


def test_only_a_rejection_that_passes_and_that_nobody_overrules_takes_a_record_out() -> None:
    refused = replace(PASSED, approval="")
    assert found_of(entry("a", outcome="reject", signed=refused)).rows[0].standing == "rejected"
    for signed in (replace(STRANGER, approval=""), PASSED, replace(PASSED, approval="proposer"), None, CHANGED):
        total = only(found_of(entry("a", outcome="reject", signed=signed)))
        assert total.epsilon.known == pytest.approx(1)
    spent = (EarlierRelease(record="A", sha256=hashed("a"), epsilon=1.0, neighbours="add_remove"),)
    both = found_of(entry("a", outcome="reject", signed=refused), entry("b", spent=spent))
    assert only(both).epsilon.total == pytest.approx(2)


@pytest.mark.parametrize("of", ["a", "public"])
def test_a_rejection_takes_nothing_out_where_a_copy_of_it_was_approved(of: str) -> None:
    rejected = entry("a", outcome="reject", signed=replace(PASSED, approval=""))
    copied = entry(of, outcome="reject", internal_sha256="" if of == "a" else hashed("a"))
    found = found_of(rejected, replace(copied, place="copy.json"))
    assert [row.standing for row in found.rows] == ["valid", "copy"]
    assert only(found).epsilon.total == pytest.approx(1)


def test_a_public_edition_counts_with_its_internal_record_once_it_passes() -> None:
    internal, public = entry("a"), entry("p", internal_sha256=hashed("a"))
    assert only(found_of(internal, public)).epsilon.total == pytest.approx(1)
    for signed in (None, STRANGER, CHANGED):
        assert only(found_of(internal, replace(public, signed=signed))).epsilon.total == pytest.approx(2)
    second = entry("q", internal_sha256=hashed("a"))
    assert only(found_of(public, second)).epsilon.total == pytest.approx(1)
    assert only(found_of(public, replace(second, lost=Lost(epsilon=3.0)))).epsilon.total == pytest.approx(4)


# ----------------------------------------------------------------------------------------------- in doubt


@pytest.mark.parametrize("signed", [None, CHANGED, NOT_SIGNED])
def test_a_record_that_nobody_vouches_for_leaves_the_total_open(signed: Signed | None) -> None:
    total = only(found_of(entry("a"), entry("b", signed=signed)))
    assert total.doubtful == (1,)
    assert total.epsilon.total == pytest.approx(2)
    assert total.within(Ceiling(epsilon=10)) is None
    assert total.within(Ceiling(epsilon=1.5)) is False


def test_a_file_that_cannot_be_read_leaves_every_total_open() -> None:
    broken = LedgerEntry(place="x.json", problem=message("is a link that leads out of the folder"))
    found = found_of(entry("a"), entry("b", population="Wake"), broken)
    assert [total.doubtful for total in found.totals] == [(2,)] * 3
    assert found.rows[2].standing == "unreadable"
    assert found_of(broken).totals == ()


def test_a_ceiling_is_kept_by_what_is_sure_and_broken_by_what_is_known() -> None:
    total = only(found_of(entry("a"), entry("b")))
    assert total.within(Ceiling()) is None
    assert total.within(Ceiling(epsilon=2.1)) is True
    assert total.within(Ceiling(epsilon=1.9)) is False
    assert total.within(Ceiling(epsilon=2.1, rho=0.9)) is False
    unsaid = only(found_of(entry("a"), entry("b", None)))
    assert unsaid.within(Ceiling(epsilon=2.1)) is None
    assert unsaid.within(Ceiling(epsilon=0.9)) is False


def test_a_review_is_due_on_its_day_and_not_before_and_not_of_what_was_replaced() -> None:
    assert standings(entry("a", review="2026-11-23"), entry("b", review="2026-11-24")) == ["due", "valid"]
    assert standings(entry("a", review="next spring")) == ["valid"]
    older, newer = replacing()
    assert [row.due for row in found_of(replace(older, review="2026-01-01"), newer).rows] == [False, False]


# -------------------------------------------------------------------------------------------- what is missing


def spent(record: str | None, epsilon: float = 3.0, **stated: Any) -> tuple[EarlierRelease, ...]:
    return (EarlierRelease(record=record, epsilon=epsilon, neighbours="add_remove", **stated),)


@pytest.mark.parametrize("name", ["Old", "old.json", "7/2025"])
def test_an_earlier_release_is_there_by_its_hash_and_not_by_a_name(name: str) -> None:
    older = entry("old", 3.0, number="7/2025", made="2025-03-01")
    assert only(found_of(older, entry("new", spent=spent(name)))).epsilon.total == pytest.approx(7)
    named = spent(name, sha256=hashed("old"))
    assert only(found_of(older, entry("new", spent=named))).epsilon.total == pytest.approx(4)


@pytest.mark.parametrize("lost", [{"epsilon": 0.1}, {"neighbours": "replace"}, {"lost": Lost(rho=4.5)}])
def test_a_record_that_does_not_lose_as_much_as_is_stated_does_not_stand_for_it(lost: dict[str, Any]) -> None:
    older = entry("old", **{"epsilon": 3.0, "signed": NOT_SIGNED} | lost)
    assert found_of(older, entry("new", spent=spent("Old", sha256=hashed("old")))).rows[-1].standing == "missing"


@pytest.mark.parametrize("stated", [{"mechanism": "exact"}, {"mechanism": "gaussian", "epsilon": 9.0}])
def test_what_is_stated_without_a_bound_is_covered_by_no_record_that_has_one(stated: dict[str, Any]) -> None:
    """Published without noise, or with an epsilon whose delta is not said: the record of that hash says less."""
    newer = entry("new", spent=spent("Old", sha256=hashed("old"), **stated))
    found = found_of(entry("old"), newer)
    assert [row.standing for row in found.rows] == ["valid", "valid", "missing"]
    assert only(found).epsilon.total is None
    assert len(found_of(entry("old", None), newer).rows) == 2  # that record states no bound either


def test_an_exact_table_that_is_stated_is_covered_by_the_record_that_has_it() -> None:
    newer = entry("new", spent=spent("Old", sha256=hashed("old"), mechanism="exact"))
    assert standings(entry("old", unprotected="Regions"), newer) == ["valid", "valid"]


def test_what_is_named_by_its_hash_is_that_record_whatever_it_is_called() -> None:
    older = entry("old", 3.0)
    tables = tuple(one for name in ("a", "b") for one in spent("Any name", sha256=hashed("old"), table=name))
    assert only(found_of(older, entry("new", spent=tables))).epsilon.total == pytest.approx(4)
    other = spent("Old", sha256=hashed("another"))
    found = found_of(older, entry("new", spent=other), entry("newer", spent=other))
    assert only(found).epsilon.total == pytest.approx(8)
    assert [row.standing for row in found.rows] == ["valid", "valid", "valid", "missing"]
    nameless = spent(None, sha256=hashed("another"))
    assert only(found_of(entry("a", spent=nameless), entry("b", spent=nameless))).epsilon.total == pytest.approx(5)


def test_a_public_edition_that_passes_stands_for_the_internal_record_it_names() -> None:
    public = entry("p", 3.0, internal_sha256=hashed("old"))
    newer = entry("new", spent=spent("Old", sha256=hashed("old")))
    assert only(found_of(public, newer)).epsilon.total == pytest.approx(4)
    assert only(found_of(replace(public, signed=STRANGER), newer)).epsilon.total == pytest.approx(7)


def test_an_earlier_release_of_gaussian_noise_has_no_epsilon_without_its_delta() -> None:
    for stated, expected in (({"mechanism": "gaussian"}, None), ({"mechanism": "gaussian", "delta": 1e-6}, 4.0)):
        total = only(found_of(entry("a", spent=spent("Survey", **stated))))
        assert total.epsilon.total == (None if expected is None else pytest.approx(expected))
        assert total.rho.total is None


def test_a_replaced_record_that_is_not_there_leaves_the_total_open() -> None:
    found = found_of(entry("a", superseded_sha256=hashed("gone"), supersedes="Gone"))
    assert [row.standing for row in found.rows] == ["valid", "missing"]
    assert only(found).doubtful == (1,)


GONE = hashed("gone")


@pytest.mark.parametrize(
    "named", [{"supersedes": "Old"}, {"superseded_sha256": GONE}, {"spent": spent("Gone", sha256=GONE)}]
)
def test_record_with_the_name_or_hash_of_another_for_its_title_does_not_stand_for_it(named: Any) -> None:
    """A signer with a grudge lays a small record beside another, and calls it as the one that is gone."""
    small = entry("old", 3.0, title="Old" if "supersedes" in named else GONE)
    found = found_of(entry("new", **named), small)
    assert [(row.standing, row.counts) for row in found.rows] == [("valid", True), ("valid", True), ("missing", True)]
    assert found.rows[2].doubtful != ("spent" in named)
    assert "“new.json”" in found.rows[2].why


# -------------------------------------------------------------------------------------------------- one more


def test_a_decision_replaces_nothing_before_it_is_signed() -> None:
    older, newer = replacing()
    plan = replace(newer, place="", sha256="", signed=None)
    assert only(found_of(older, more=plan)).epsilon.total == pytest.approx(3)


def test_a_record_that_is_in_the_folder_already_adds_nothing() -> None:
    assert only(found_of(entry("a"), more=entry("a"))).epsilon.total == pytest.approx(1)


# ---------------------------------------------------------------------- offices drawn at random, and their truth


def office(chance: random.Random) -> tuple[list[LedgerEntry], list[tuple[str, str, Fraction]]]:
    """Return a folder of records, and what was truly published: about whom, between which worlds, at what epsilon."""
    truth, folder = [], []
    names: list[tuple[str, float, str, str]] = []
    for number in range(chance.randint(1, 8)):
        name, epsilon = f"r{number}", chance.choice((0.25, 0.5, 1.0, 2.0))
        population = chance.choice(("Durham", "Wake"))
        relation = chance.choice(("add_remove", "add_remove", "replace"))
        truth.append((population, relation, Fraction(epsilon)))
        known = [one for one in names if one[2] == population and chance.random() < 0.7]
        earlier = tuple(
            EarlierRelease(
                record=called, sha256=chance.choice((hashed(called.lower()), None)), epsilon=cost, neighbours=worlds
            )
            for called, cost, _, worlds in known
        )
        made = entry(
            name,
            epsilon,
            made=f"2026-0{number + 1}-01",
            population=population if chance.random() < 0.8 else "",
            neighbours=relation,
            spent=earlier,
            signed=chance.choice((PASSED, PASSED, STRANGER, None)),
        )
        lost = chance.random() < 0.25  # the record is not in the folder: only those that name it tell of it
        if not lost:
            folder.append(made)
        names.append((made.title, epsilon, population, relation))
        if chance.random() < 0.2 and not lost:
            folder.append(replace(made, place=f"copy of {made.place}"))
        if lost and not any(called == made.title for called, *_ in names[:-1]):
            names[-1] = (made.title, epsilon, population, relation)
            later = EarlierRelease(
                record=made.title, epsilon=epsilon, neighbours=relation
            )  # type of the record that names it
            folder.append(entry(f"n{number}", 0.0, made="2026-09-01", population=population, spent=(later,)))
    chance.shuffle(folder)
    return folder, truth


def test_of_offices_drawn_at_random_no_total_is_below_what_was_published() -> None:
    for seed in range(120):
        folder, truth = office(random.Random(seed))
        found = found_of(*folder)
        for total in found.totals:
            about = [one for one in truth if total.population in ("", one[0])]
            twice = {"add_remove": 2 if total.neighbours == "replace" else 1, "replace": 1}
            lost = sum((twice[relation] * epsilon for _, relation, epsilon in about), start=Fraction(0))
            assert total.neighbours == "replace" or all(relation == "add_remove" for _, relation, _ in about)
            assert Fraction(total.epsilon.total) >= lost, seed


# ------------------------------------------------------------------------------------- units less than a person


def test_what_a_person_loses_stands_beside_what_a_smaller_unit_loses() -> None:
    mobility = decided(epsilon=2.64, unit="a person's day", unit_kind="person", slice="day", slices_per_person=1019)
    read = replace(entry("m"), lost=planned(mobility).lost, person=planned(mobility).person, sliced=True)
    assert planned(mobility).sliced
    total = only(found_of(read))
    assert total.epsilon.total == pytest.approx(2.64)
    assert total.person[0].total == pytest.approx(2690.16)
    assert any("2,690" in line for line in ledger_words.lines(total))
    with_older = only(found_of(read, entry("old")))  # which does not say how many units one person is
    assert (with_older.person[0].total, with_older.person[0].not_counted) == (None, (1,))
    assert only(found_of(entry("old"))).person is None
