"""Records chosen as earlier releases, and the next release begun from one: what counts, what is refused, what stays."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from dpwizard.base import json_text
from dpwizard.base.errors import InvalidInput
from dpwizard.decision import assumptions, edits, read_decision, to_json
from dpwizard.projects.next_release import DECIDED, OF_THE_RECORD, begin
from dpwizard.records import ledger_of
from dpwizard.signing import RecordFiles, signing
from dpwizard.signing.earlier_records import choose, with_chosen
from dpwizard.signing.record_folder import survey
from tests.samples.decisions import COUNT, STATED
from tests.samples.signed_record import people, request

NOW = datetime(2026, 12, 1, tzinfo=UTC)
PROMISE = {"kind": "participation", "posterior_without": 0.1, "posterior_with": 0.5}
DETAILS = {
    "controller": "Office of Statistics",
    "publication_date": "2026-11-21",
    "record_number": "2026-7",
    "approver": "A. Judge",
    "approval_number": "77",
    "review_date": "2027-01-01",
    "region": "Durham",
    "advice": "Fine.",
    "authority": "The law.",
    "risks": [{"risk": "Linkage", "measure": "Audit", "owner": "Us", "date": "2026-12-24"}],
}


def decision(**changes: Any) -> dict[str, Any]:
    return {
        "format": "dpwizard.decision/1",
        "title": "Infant deaths 2026",
        "release": {**COUNT, "unit": "child", "population": 1000},
        "requirements": [PROMISE],
        "epsilon": 0.5,
        "justification": "It is enough.",
        "outcome": "approve",
        "details": DETAILS,
        **changes,
    }


def signed(folder: Path, raw: dict[str, Any], name: str = "r") -> RecordFiles:
    target = RecordFiles.beside(folder / name)
    made = read_decision(raw)
    texts = [{"assumption": key, "text": key, "language": "en"} for key in assumptions(made)]
    made = edits.put(made, "$.acknowledged", texts)
    signature = request(people()[0], time=STATED.time)
    signing.sign_new(made, target, signature)
    return target


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> RecordFiles:
    return signed(tmp_path_factory.mktemp("record"), decision())


@pytest.mark.slow
def test_a_record_chosen_counts_by_any_of_its_files_and_once(record: RecordFiles) -> None:
    into = read_decision(decision(epsilon=None, outcome=None))
    chosen = [choose(path, NOW, (), into) for path in record.there]
    assert len(chosen) == 3
    assert {one.sha256 for one in chosen} == {digest(record.json)}
    (entry,) = with_chosen(into, chosen).release.spent
    assert (entry.epsilon, entry.record, entry.date) == (0.5, "Infant deaths 2026", "2026-11-21")
    assert entry.sha256 == digest(record.json)
    assert all(one.judged for one in chosen)


def test_a_pdf_alone_is_not_counted(record: RecordFiles, tmp_path: Path) -> None:
    alone = tmp_path / "alone.pdf"
    alone.write_bytes(record.pdf.read_bytes())
    found = choose(alone, NOW)
    assert found.earlier is None
    assert found.problem


def test_a_record_that_was_changed_is_not_counted(record: RecordFiles, tmp_path: Path) -> None:
    for path in record.there:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    changed = tmp_path / record.json.name
    changed.write_bytes(changed.read_bytes().replace(b'"epsilon": 0.5', b'"epsilon": 0.1'))
    assert changed.read_bytes() != record.json.read_bytes()
    found = choose(changed, NOW)
    assert found.earlier is None
    assert "The record is damaged" in str(found.problem)
    into = read_decision(decision())
    assert with_chosen(into, [found]) == into
    with pytest.raises(InvalidInput, match="The record is damaged"):
        begin(changed, NOW)


def test_a_record_without_signatures_counts_and_says_that_nobody_vouches(record: RecordFiles, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_bytes(record.json.read_bytes())
    found = choose(tmp_path / "r.json", NOW)
    assert found.earlier is not None
    assert any("No trusted signature" in caution for caution in found.cautions)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": "dpwizard.record/1"}', b"%PDF-1.7 none"])
def test_a_file_that_is_no_record_is_said_and_nothing_breaks(tmp_path: Path, content: bytes) -> None:
    for name in ("x.json", "x.pdf"):
        place = tmp_path / name
        place.write_bytes(content)
        assert choose(place, NOW).problem
        place.unlink()
    assert choose(tmp_path / "gone.json", NOW).problem


@pytest.mark.slow
def test_a_public_edition_keeps_what_was_spent_and_drops_the_names(tmp_path: Path) -> None:
    spent = [{"record": "Before", "epsilon": 0.25, "neighbours": "add_remove"}]
    raw = decision(release={**COUNT, "unit": "child", "spent": spent}, withheld=["$.release.spent"])
    internal = signed(tmp_path, raw)
    public = RecordFiles.beside(tmp_path / "public")
    signature = request(people()[0], time=STATED.time)
    signing.sign_public(internal, public, signature)
    assert b"Before" not in public.json.read_bytes()
    into = read_decision(decision(release={**COUNT, "unit": "child"}))
    for place in (internal, public):
        found = choose(place.json, NOW)
        assert sorted(one.epsilon or 0.0 for one in with_chosen(into, [found]).release.spent) == [0.25, 0.5]


@pytest.mark.slow
def test_the_next_release_keeps_what_describes_it_and_leaves_open_what_is_decided(record: RecordFiles) -> None:
    begun = begin(record.json, NOW)
    last, new = begun.last, begun.decision
    assert all(getattr(new, name) in (None, ()) for name in DECIDED)
    assert all(getattr(new.details, name) in (None, ()) for name in OF_THE_RECORD)
    assert (new.title, new.requirements, new.details.controller) == (
        last.title,
        last.requirements,
        "Office of Statistics",
    )
    assert (new.details.region, new.details.authority) == ("Durham", "The law.")
    assert [(risk.risk, risk.date) for risk in new.details.risks] == [("Linkage", None)]
    assert new.release.model_copy(update={"spent": ()}) == last.release
    assert new.release.priors_from == last.release.priors_from
    (entry,) = new.release.spent
    assert (entry.epsilon, entry.sha256) == (0.5, digest(record.json))
    assert {row.where.split("[")[0] for row in begun.changed} >= {"$.epsilon", "$.release.spent", "$.justification"}


def test_a_decision_file_begins_the_next_without_a_hash_and_says_so(tmp_path: Path) -> None:
    place = tmp_path / "d.json"
    place.write_bytes(json_text.document(decision()))
    begun = begin(place, NOW)
    assert [(one.epsilon, one.sha256) for one in begun.decision.release.spent] == [(0.5, None)]
    assert begun.cautions


def test_a_decision_put_in_the_place_of_a_signed_record_begins_nothing(tmp_path: Path) -> None:
    place = tmp_path / "r.json"
    place.write_bytes(json_text.document(decision(epsilon=0.01)))
    (tmp_path / "r.1.jws").write_text("x")
    with pytest.raises(InvalidInput, match="is not a decision record"):
        begin(place, NOW)


@pytest.mark.slow
def test_the_ledger_counts_a_record_once_that_another_counts_table_by_table(tmp_path: Path) -> None:
    table = {"statistic": "count", "mechanism": "laplace", "sensitivity": 1, "share": "1/4"}
    parts = [{**table, "name": f"t{at}"} for at in range(4)]
    release = {"neighbours": "add_remove", "unit": "child", "parts": parts}
    folder = tmp_path / "office"
    old = signed(folder, decision(release=release, epsilon=1.0), "old")
    begun = begin(old.json, NOW).decision
    assert [one.epsilon for one in begun.release.spent] == [0.25] * 4
    raw = to_json(begun) | {"outcome": "approve", "epsilon": 1.0, "justification": "As before.", "title": "The next"}
    signed(folder, raw, "new")

    def told() -> tuple[int, list[float | None]]:
        entries = list(survey(folder, NOW))[-1].entries
        found = ledger_of(entries, today=NOW.date(), delta=1e-6)
        return len(found.rows), [total.epsilon.total for total in found.totals]

    rows, totals = told()
    assert rows == 2
    assert totals[0] == pytest.approx(2.0, rel=1e-9)
    for path in old.there:
        path.unlink()
    rows, totals = told()  # gone: it counts as the other states it, each of its tables
    assert rows == 5
    assert totals[0] == pytest.approx(2.0, rel=1e-9)
