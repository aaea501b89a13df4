"""What somebody with a key and a grudge combines: each step is allowed, what it comes to is not."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from dpwizard import records
from dpwizard.base import office_folder
from dpwizard.base.errors import FileProblem, SigningProblem
from dpwizard.decision import Decision
from dpwizard.records import Public
from dpwizard.signing import RecordFiles, earlier_records, exports, office, signature_log, signing, store
from dpwizard.signing.identity import Identity
from dpwizard.signing.replaying import replayed
from dpwizard.signing.signature import read_signature, sha256_of
from dpwizard.signing.trust import Trust
from tests.model.test_ledger_folders import read
from tests.model.test_people_not_certificates import ADA, BEN, EVE, TEXT, keep, made, place_office, verified
from tests.model.test_signing_trust import revoking
from tests.samples.attacks import Steps, forge
from tests.samples.signed_record import (
    NOW,
    an_authority,
    further,
    judged,
    new,
    people,
    person,
    request,
    signed,
    small,
    trusting,
)


def first_line(place: RecordFiles) -> str:
    return place.line(1).read_text().strip()


def test_who_only_vouches_is_not_the_second_who_signs_an_exception(tmp_path: Path) -> None:
    """Ada has a friend vouch, with the verdict approve."""
    place_office(tmp_path, TEXT, ADA, EVE)
    outside = {"epsilon": 2.19, "exception_reason": "The difference is 0.07 in 100."}
    found = verified(made(tmp_path, None, (ADA, "proposes"), (EVE, "vouches"), **outside), tmp_path)
    assert (found.outcome, "second signature" in found.sentence) == ("failed", True)


def test_name_with_another_office_is_still_one_person(tmp_path: Path) -> None:
    """Ada makes a second key for herself, with an office in its certificate, and has both trusted."""
    again = person("Ada Officer", organisation="Another Office")
    place_office(tmp_path, TEXT, ADA, again)
    found = verified(made(tmp_path, None, (ADA, "proposes"), (again, "approves")), tmp_path)
    assert (found.outcome, "the same person proposes and approves" in found.sentence) == ("failed", True)
    with pytest.raises(SigningProblem, match="the same person proposes and approves"):
        further(new(tmp_path, ADA, name="s"), again)


def test_person_who_is_met_vouches_for_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mallory's number is the same on the telephone; but her certificate may issue others, in the director's name."""
    monkeypatch.setenv("HOME", str(tmp_path))
    _, root = an_authority("Mallory")
    with pytest.raises(SigningProblem, match="issue certificates to others"):
        office.add_person(root.public_bytes(Encoding.DER))
    office.add_person(ADA.chain[0])
    trusted = office.user_trust()
    assert trusted is not None
    assert office.read_trust((trusted,)).certificates == ADA.chain


def in_office(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(office_folder, "OFFICE", folder / "etc")
    return folder / "etc"


def test_policy_that_was_replaced_early_is_not_the_one_in_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lax one was to apply until 2199 and is kept with that date; the strict one, placed since, says from when."""
    etc = in_office(tmp_path, monkeypatch)
    place_office(etc, TEXT.replace("= 3", "= 2") + 'valid_from = "2026-06-01"\n', ADA, BEN)
    lax = TEXT + 'valid_from = "2026-01-01"\nvalid_until = "2199-12-31"\n'
    (etc / "policies").mkdir()
    keep(etc, lax)
    target = made(tmp_path, records.policy.read_policy(lax.encode()), (ADA, "proposes"), (BEN, "approves"))
    signature_log.begin(etc / "signatures")
    for number in (1, 2):
        signature_log.note(etc / "signatures", read_signature(target.line(number).read_text().strip()))
    found = verified(target, etc)
    assert (found.outcome, "allows at most 2" in found.sentence) == ("failed", True)


@pytest.mark.parametrize(
    ("who", "role"),
    [(EVE, "vouches"), (EVE, "data_protection_officer"), (EVE, "approves"), (person("Mallory"), "approves")],
)
def test_later_signature_does_not_bring_a_laxer_policy_into_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: Identity, role: str
) -> None:
    """What Ben approved under a strict policy is signed by one more, when a lax one lets Ben alone approve."""
    etc = in_office(tmp_path, monkeypatch)
    ben = f'[[people]]\nname = "Ben"\ncertificate = "{BEN.certificate.fingerprint}"\nroles = ["approves"]\n'
    place_office(etc, f'{TEXT}valid_from = "2026-11-22"\n{ben}', ADA, BEN, EVE)
    (etc / "policies").mkdir()
    keep(etc, TEXT.replace("= 3", "= 1") + 'valid_from = "2026-01-01"\nvalid_until = "2026-11-21"\n')
    target = made(tmp_path, None, (ADA, "proposes"), (BEN, "approves"))
    later = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
    found = judged(forge(target, Steps(), who, role, later), (etc / "trust",), now=later)
    assert (found.outcome, "allows at most 1" in found.sentence) == ("failed", True)


@pytest.mark.parametrize(("name", "verdict"), [("Ada Officer", "approve"), ("Ben Board", "withdraw")])
def test_who_bears_a_name_hinders_nobody(tmp_path: Path, name: str, verdict: str) -> None:
    """She approves in the name of who proposed, or takes back in the name of who approved."""
    place_office(tmp_path, TEXT, ADA, BEN)
    target = made(tmp_path, None, (ADA, "proposes"), (BEN, "approves"))
    at = read_signature(target.line(2).read_text().strip()).time
    forge(target, Steps(), person(name), "approves", at, verdict)
    found = verified(target, tmp_path)
    assert (found.outcome, found.signers[2].standing, found.awaited) == ("undetermined", "borrowed_name", ())


def test_record_that_was_put_in_place_of_a_new_one_is_not_signed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mallory waits for the new JSON, puts a record of her own in its place, and signs that first."""
    other = tmp_path / "other"
    other.mkdir()
    hers = new(other, people()[1], decision=small(title="Another release"))
    create = store.create

    def quicker(path: Path, data: bytes) -> bool:
        if path.name == "r.1.jws" and path.parent == tmp_path:
            for file in hers.there:
                (tmp_path / file.name).write_bytes(file.read_bytes())
        return create(path, data)

    monkeypatch.setattr(store, "create", quicker)
    with pytest.raises(SigningProblem, match="is no longer the record that was shown"):
        new(tmp_path)
    assert not RecordFiles(folder=tmp_path, name="r").line(2).exists()


def test_revoked_signer_vouches_for_no_public_edition_and_no_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    etc = in_office(tmp_path, monkeypatch)
    etc.mkdir()
    ann, (key, authority) = people()[0], an_authority()
    internal, outward = new(tmp_path, person("Eve", issuer=(key, authority))), RecordFiles(folder=tmp_path, name="p")
    gone = revoking(key, authority, read_signature(first_line(internal)).chain[0], NOW)
    trusting(etc, ann, authority, lists=[gone])
    with pytest.raises(SigningProblem, match="was revoked on"):
        signing.sign_public(internal, outward, request(ann))
    assert not outward.there
    found = replayed(internal.json, NOW)
    assert (found.verdict, found.signature, found.sound) == ("same", "refused", False)


def test_approval_that_was_taken_back_or_is_a_strangers_is_none_in_a_notice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    etc = in_office(tmp_path, monkeypatch)
    ann, bob, _ = people()
    place = further(new(tmp_path, ann), bob)
    assert "Draft" not in exports.export_files(place, "notice", NOW)
    (etc / "trust").mkdir(parents=True)
    (etc / "trust" / "ann.pem").write_bytes(ann.certificate_pem())
    assert "Draft" in exports.export_files(place, "notice", NOW)
    (etc / "trust" / "bob.pem").write_bytes(bob.certificate_pem())
    assert "Draft" not in exports.export_files(place, "notice", NOW)
    forge(place, Steps(), bob, "approves", verdict="withdraw")
    with pytest.raises(SigningProblem, match=r"Bob.* withdraws it"):
        exports.export_files(place, "notice", NOW)
    (etc / "trust").rename(etc / "none")
    assert "Draft" in exports.export_files(place, "notice", NOW)


@pytest.mark.parametrize("what", ["file", "folder", "link"])
def test_what_was_planted_in_place_of_an_entry_is_said_to_who_signs(tmp_path: Path, what: str) -> None:
    """Somebody sees the new signature, and is quicker than the log."""
    log = tmp_path / "log"
    signature_log.begin(log)
    signature = read_signature(first_line(signed(tmp_path, 1)))
    signature_log.note(log, signature)
    (entry,) = log.iterdir()
    entry.unlink()
    {"file": entry.touch, "folder": entry.mkdir, "link": lambda: entry.symlink_to(tmp_path / "r.1.jws")}[what]()
    with pytest.raises(FileProblem, match="is in its place"):
        signature_log.note(log, signature)


def test_whole_copy_elsewhere_hides_no_removed_signature(tmp_path: Path) -> None:
    """The copy that people use lacks a rejection; one with it lies in a folder that nobody opens."""
    log, used, unseen = (tmp_path / name for name in ("log", "used", ".unseen"))
    signature_log.begin(log)
    for folder, count in ((used, 1), (unseen, 2)):
        folder.mkdir()
        for path in signed(folder, count).folder.glob("*.jws"):
            signature_log.note(log, read_signature(path.read_text().strip()))
    trust = office.read_trust(trusting(tmp_path, *people()))
    assert signature_log.judge_log(log, trust, records=unseen).outcome == "passed"
    assert signature_log.judge_log(log, trust, records=tmp_path).outcome == "failed"
    (used / "r.1.jws").unlink()  # a copy that nobody signed is not one from which a signature was taken
    assert signature_log.judge_log(log, Trust(), records=tmp_path).outcome == "passed"


def test_file_of_before_version_1_0_softens_no_refusal(tmp_path: Path) -> None:
    place = signed(tmp_path, 2)
    place.before_1_0.write_text("")
    place.line(1).unlink()
    assert judged(place).outcome == "failed"


def test_record_of_before_version_1_0_is_judged_by_its_hashes_and_never_passes(tmp_path: Path) -> None:
    place = RecordFiles(folder=tmp_path, name="old")
    place.json.write_bytes(b"{}")
    said = base64.urlsafe_b64encode(b'{"json_sha256":"%s"}' % sha256_of(b"{}").encode()).rstrip(b"=")
    place.before_1_0.write_bytes(b"e30.%s.e30\n" % said)
    assert judged(place).outcome == "undetermined"
    place.json.write_bytes(b"[]")
    assert judged(place).outcome == "failed"
    place.before_1_0.write_bytes(b"\xff.\xff")
    assert judged(place).outcome == "failed"


def test_release_that_calls_itself_the_public_edition_of_another_counts(tmp_path: Path) -> None:
    """It loses as much, of the same people, and names a record that it was not made from."""
    folder = tmp_path / "records"
    folder.mkdir()
    trusted = trusting(tmp_path, *people())
    one = new(folder, name="one", decision=small(title="Deaths by ward"))
    place = RecordFiles(folder=folder, name="two")
    false = records.make(
        edition(small(title="Births by ward")),
        request(people()[0]).stated,
        name="two",
        public=Public(internal_sha256=sha256_of(one.json.read_bytes()), requirements=3, of=3),
    )
    place.json.write_bytes(records.write(false))
    forge(place, Steps())
    assert judged(place, trusted).outcome == "passed"
    found = read(folder, *trusted)
    assert [row.counts for row in found.rows] == [True, True]
    chosen = [earlier_records.choose(each.json, NOW, trusted) for each in (one, place)]
    assert len(earlier_records.with_chosen(small(), chosen).release.spent) == 2
    true = tmp_path / "true"
    true.mkdir()
    signing.sign_public(one, RecordFiles(folder=true, name="p"), request(people()[0]))
    chosen = [earlier_records.choose(path, NOW, trusted) for path in (one.json, true / "p.json")]
    assert len(earlier_records.with_chosen(small(), chosen).release.spent) == 1


def edition(decision: Decision) -> Decision:
    return records.redaction.public_decision(decision, ())
