"""Attacks on who counts: one person with two certificates, a borrowed name, a weak policy, a claim in the record."""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from dpwizard import records
from dpwizard.base import office_folder
from dpwizard.base.errors import FileProblem, InvalidInput, SigningProblem
from dpwizard.decision import read_decision
from dpwizard.records import policy
from dpwizard.signing import RecordFiles, policy_files, record_folder, signature_log, signing
from dpwizard.signing.findings import Verification
from dpwizard.signing.identity import Identity
from dpwizard.signing.signature import read_signature
from tests.samples.attacks import Steps, forge
from tests.samples.decisions import STATED, example
from tests.samples.signed_record import judged, person, private_key, request, signed

pytestmark = pytest.mark.slow

TEXT = 'format = "dpwizard.policy/1"\nname = "County"\nlargest_epsilon = 3\nroles = ["proposes", "approves"]\n'
ADA, BEN, EVE = person("Ada Officer"), person("Ben Board"), person("Eve")


def place_office(folder: Path, text: str = TEXT, *trusted: Identity) -> policy.PolicyFile:
    """Place a policy in FOLDER with a folder `trust` beside it, and return it."""
    (folder / "trust").mkdir(parents=True, exist_ok=True)
    for one in trusted:
        (folder / "trust" / f"{one.certificate.fingerprint[:8]}.crt").write_bytes(one.certificate_pem())
    (folder / "policy.toml").write_text(text)
    return policy.read_policy(text.encode(), "policy.toml")


signature = functools.partial(request, time=STATED.time)


def made(folder: Path, found: policy.PolicyFile | None, *signers: tuple[Identity, str], **changes: Any) -> RecordFiles:
    """Return the record of Durham signed by SIGNERS with a program that asks for nothing."""
    return forged(RecordFiles(folder=folder, name="r"), found, signers, lambda raw: None, **changes)


@functools.cache
def unsigned(name: str, under: policy.NamedPolicy | None, **changes: Any) -> bytes:
    """Return the JSON of the record of Durham, made once for all tests."""
    return records.write(records.make(read_decision(example("durham", **changes)), STATED, name=name, policy=under))


def forged(
    target: RecordFiles, found: policy.PolicyFile | None, signers: Any, change: Any, **changes: Any
) -> RecordFiles:
    """Return a record whose JSON was CHANGED before its dishonest signers signed it."""
    for path in target.there:
        path.unlink()
    target.json.write_bytes(unsigned(target.name, policy.named(found) if found else None, **changes))
    for number, (who, role) in enumerate(signers):
        forge(target, Steps(members=change if number == 0 else lambda raw: None), who, role, STATED.time)
    return target


def verified(target: RecordFiles, folder: Path, found: policy.PolicyFile | None = None, *trust: Path) -> Verification:
    return judged(target, (folder / "trust", *trust), now=STATED.time, policy=found)


def test_an_exception_needs_two_people_and_not_two_certificates_of_one(tmp_path: Path) -> None:
    again = person("Ada Officer", private_key(ADA))
    place_office(tmp_path, TEXT, ADA, again)
    raw = {"epsilon": 2.19, "exception_reason": "The difference is 0.07 in 100."}
    target = made(tmp_path, None, (ADA, "proposes"), (again, "data_protection_officer"), **raw)
    found_of = verified(target, tmp_path)
    assert found_of.outcome == "failed"
    assert "second signature" in found_of.awaited[0]


def test_under_a_policy_only_certificates_trusted_here_count(tmp_path: Path) -> None:
    found = place_office(tmp_path, TEXT, ADA)
    found_of = verified(made(tmp_path, found, (ADA, "proposes"), (EVE, "approves")), tmp_path, found)
    assert found_of.outcome == "undetermined"
    roles = next(finding for finding in found_of.findings if finding.check == "roles")
    assert roles.ok is None
    assert "not trusted here" in roles.why
    place_office(tmp_path, TEXT, EVE)
    assert verified(RecordFiles.beside(tmp_path / "r"), tmp_path, found).outcome == "passed"


def test_a_self_made_certificate_with_the_name_of_a_trusted_one_is_warned_about_and_counts_for_nothing(
    tmp_path: Path,
) -> None:
    found = place_office(tmp_path, TEXT, ADA, BEN)
    false_ben = person("Ben  BOARD")
    target = made(tmp_path, found, (ADA, "proposes"), (false_ben, "approves"))
    found_of = verified(target, tmp_path, found)
    assert found_of.outcome == "failed"
    assert "approves" in found_of.awaited[0]
    assert found_of.signers[1].standing == "borrowed_name"
    assert "does not count" in found_of.signers[1].why
    target = made(tmp_path, None, (ADA, "proposes"), (false_ben, "approves"))
    found_of = verified(target, tmp_path)
    assert (found_of.outcome, found_of.signers[1].standing) == ("undetermined", "borrowed_name")


def bound(*rows: tuple[Identity, str]) -> str:
    made = TEXT
    for who, role in rows:
        name, digest = who.certificate.name, who.certificate.fingerprint
        made += f'\n[[people]]\nname = "{name}"\ncertificate = "{digest}"\nroles = ["{role}"]\n'
    return made


def test_a_role_is_filled_only_by_the_certificates_the_policy_binds_to_it(tmp_path: Path) -> None:
    found = place_office(tmp_path, bound((BEN, "approves")), ADA, BEN, EVE)
    target = made(tmp_path, found, (ADA, "proposes"), (EVE, "approves"))  # Eve is trusted, and not the one who approves
    found_of = verified(target, tmp_path, found)
    assert found_of.outcome == "failed"
    assert found_of.awaited == ("a signature is still missing in the role of: approves",)
    assert verified(made(tmp_path, found, (ADA, "proposes"), (BEN, "approves")), tmp_path, found).outcome == "passed"


def test_a_signature_in_a_role_bound_to_others_is_not_made(tmp_path: Path) -> None:
    found = place_office(tmp_path, bound((ADA, "proposes"), (BEN, "approves")))
    target = RecordFiles.beside(tmp_path / "s")
    with pytest.raises(SigningProblem, match="other certificates for the role of: proposes"):
        signing.sign_new(read_decision(example("durham")), target, signature(EVE), policy=found)
    assert not target.json.exists()
    signing.sign_new(read_decision(example("durham")), target, signature(ADA), policy=found)
    before = [path.read_bytes() for path in target.there]
    with pytest.raises(SigningProblem, match="other certificates for the role of: approves"):
        signing.sign_further(target, signature(EVE, "approves"), policy=found)
    assert [path.read_bytes() for path in target.there] == before
    signing.sign_further(target, signature(BEN, "approves"), policy=found)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('certificate = "', 'certificate = "12', "must be the SHA-256 of a certificate"),
        ('name = "Ben Board"', 'name = ""', "must"),
        ('roles = ["approves"]', "roles = []", "must"),
        ('roles = ["approves"]', 'roles = ["approves"]\nmay = 1', "is not a field here"),
    ],
)
def test_a_person_who_is_not_understood_is_refused_by_field(old: str, new: str, words: str) -> None:
    text = bound((BEN, "approves"))
    with pytest.raises(InvalidInput, match=r"people\[0\]") as refused:
        policy.read_policy(new.join(text.rsplit(old, 1)).encode(), "office.toml")
    assert words in str(refused.value)


# ---------------------------------------------------------------------------------- the record's claims


def claim_inside(raw: dict[str, Any]) -> None:
    raw["assessment"]["inside"] = True


def test_false_claim_that_epsilon_lies_inside_is_refused(tmp_path: Path) -> None:
    strict = place_office(tmp_path, TEXT + "exceptions = false\n", ADA, BEN)
    outside = {"epsilon": 2.19, "exception_reason": "The difference is 0.07 in 100."}
    target = RecordFiles(folder=tmp_path, name="r")
    forged(target, strict, ((ADA, "proposes"), (BEN, "approves")), claim_inside, **outside)
    assert verified(target, tmp_path, strict).verdict == "changed"
    with pytest.raises(SigningProblem, match="gives another value"):
        signing.sign_further(target, signature(EVE, "data_protection_officer"))
    honest = made(tmp_path, strict, (ADA, "proposes"), (BEN, "approves"), **outside)
    found_of = verified(honest, tmp_path, strict)
    assert found_of.outcome == "failed"
    assert "no exceptions" in found_of.sentence


def test_the_list_of_roles_in_a_record_is_a_claim(tmp_path: Path) -> None:
    found = place_office(tmp_path, TEXT, ADA)

    def shortened(raw: dict[str, Any]) -> None:
        raw["policy"]["roles"] = ["proposes"]

    target = RecordFiles.beside(tmp_path / "r")
    forged(target, found, ((ADA, "proposes"),), shortened)
    assert verified(target, tmp_path).outcome == "undetermined"
    assert verified(target, tmp_path, found).outcome == "failed"


# ----------------------------------------------------------------------------------- the office's policy


def test_the_policy_of_the_office_is_consulted_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    etc = tmp_path / "etc"
    monkeypatch.setattr(office_folder, "OFFICE", etc)
    found = place_office(etc, TEXT, ADA, BEN)
    weak = policy.read_policy(TEXT.replace("County", "Own").replace(', "approves"', "").encode(), "own.toml")
    for named in (None, weak):  # a record under no policy, and under one its signers wrote themselves
        found_of = verified(made(tmp_path, named, (ADA, "proposes")), etc)
        assert found_of.outcome == "failed"
        assert "approves" in " ".join(found_of.awaited)
    found_of = verified(made(tmp_path, weak, (ADA, "proposes"), (BEN, "approves")), etc)
    assert found_of.outcome == "undetermined"  # it names another one
    assert verified(made(tmp_path, None, (ADA, "proposes"), (BEN, "approves")), etc).outcome == "passed"
    assert verified(made(tmp_path, found, (ADA, "proposes"), (BEN, "approves")), etc).outcome == "passed"


DATED = 'valid_from = "2026-01-01"\nvalid_until = "2026-12-01"\n'


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[RecordFiles, Path]:
    """Return a record under a policy that the office has replaced since, and the folder of the office."""
    etc = tmp_path / "etc"
    earlier = place_office(etc, TEXT + DATED, ADA, BEN)
    target = made(tmp_path, earlier, (ADA, "proposes"), (BEN, "approves"))
    monkeypatch.setattr(office_folder, "OFFICE", etc)
    place_office(etc, TEXT.replace("= 3", "= 2") + 'valid_from = "2026-12-02"\n')
    (etc / "policies").mkdir()
    return target, etc


def keep(etc: Path, text: str, *, sign: bool = True, name: str = "2026.toml") -> None:
    place = etc / "policies" / name
    place.write_text(text)
    if sign:
        line = policy_files.signed_policy(text.encode(), str(place), BEN, STATED.time)
        policy_files.signature_beside(place).write_bytes(line)


def test_kept_policy_without_dates_or_signature_leaves_it_open(kept: tuple[RecordFiles, Path]) -> None:
    target, etc = kept
    for text, by_the_office in ((TEXT + DATED, False), (TEXT, True)):
        target = made(target.folder, policy.read_policy(text.encode()), (ADA, "proposes"), (BEN, "approves"))
        keep(etc, text, sign=by_the_office)
        found_of = verified(target, etc)
        assert found_of.outcome == "undetermined"
        assert "Ask the office to date it and sign it." in [finding.remedy for finding in found_of.findings]


@pytest.mark.parametrize("change", [{"name": "County, as approved by the minister"}, {"roles": ["proposes"]}])
def test_record_that_says_other_things_of_its_policy_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    """Name and roles are printed: the hash alone does not make them true."""
    found = place_office(tmp_path / "etc", TEXT, ADA, BEN)
    signers = ((ADA, "proposes"), (BEN, "approves"))
    assert verified(made(tmp_path, found, *signers), tmp_path / "etc", found).outcome == "passed"
    target = RecordFiles(folder=tmp_path, name="r")
    lying = forged(target, found, signers, lambda raw: raw["policy"].update(change))
    judgement = verified(lying, tmp_path / "etc", found)
    assert judgement.outcome == "failed"
    assert "does not state its policy correctly" in judgement.sentence


def test_policy_that_no_longer_applies_needs_proof_of_the_time(kept: tuple[RecordFiles, Path]) -> None:
    target, etc = kept
    keep(etc, TEXT + DATED)
    found_of = verified(target, etc)
    assert (found_of.outcome, found_of.remedy) == ("undetermined", "Fetch a time-stamp that shows it.")
    lasting = TEXT + 'valid_from = "2026-01-01"\nvalid_until = "2199-12-31"\n'
    target = made(target.folder, policy.read_policy(lasting.encode()), (ADA, "proposes"), (BEN, "approves"))
    keep(etc, lasting)
    log = etc / "signatures"
    signature_log.begin(log)
    for number in (1, 2):
        signature_log.note(log, read_signature(target.line(number).read_text().strip()))
    assert verified(target, etc).outcome == "passed"
    for path in log.iterdir():
        os.utime(path, (datetime(2200, 1, 1, tzinfo=UTC).timestamp(),) * 2)
    assert verified(target, etc).outcome == "undetermined"


def test_log_cannot_be_backdated_by_who_adds_to_it(tmp_path: Path) -> None:
    log = tmp_path / "signatures"
    signature_log.begin(log)
    signature = read_signature(signed(tmp_path, 1).line(1).read_text().strip())
    signature_log.note(log, signature)
    (entry,) = log.iterdir()
    os.utime(entry, (STATED.time.timestamp() - 10**8,) * 2)
    now = datetime.fromtimestamp(entry.stat().st_ctime, UTC)
    noted = signature_log.noted_at(log, signature)
    assert abs(noted - now) < timedelta(days=1)


def test_log_on_windows_shows_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever owns a file there sets all its times."""
    log = tmp_path / "signatures"
    signature_log.begin(log)
    signature = read_signature(signed(tmp_path, 1).line(1).read_text().strip())
    signature_log.note(log, signature)
    monkeypatch.setattr(sys, "platform", "win32")
    assert signature_log.noted_at(log, signature) is None


@pytest.mark.parametrize("how", ["link", "other file"])
def test_old_file_in_place_of_an_entry_proves_no_time(tmp_path: Path, how: str) -> None:
    """Somebody who may add to the log lays a link to an old file, or a file of another signature, under its name."""
    log = tmp_path / "signatures"
    signature_log.begin(log)
    first, second = (read_signature(signed(tmp_path, 2).line(n).read_text().strip()) for n in (1, 2))
    signature_log.note(log, first)
    (entry,) = log.iterdir()
    signature_log.note(log, second)
    (other,) = set(log.iterdir()) - {entry}
    entry.unlink()
    if how == "link":
        old = tmp_path / "old.jws"
        old.write_text(f"{first.text}\n")
        entry.symlink_to(old)
    else:
        other.rename(entry)
    assert signature_log.noted_at(log, first) is None


def test_log_is_not_hidden_among_other_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "signatures"
    signature_log.begin(log)
    signature = read_signature(signed(tmp_path, 1).line(1).read_text().strip())
    signature_log.note(log, signature)
    monkeypatch.setattr(signature_log, "MOST", 3)
    for number in range(4):
        (log / f"!{number}.jws").touch()
    held, _ = signature_log.read_log(log, signature.line.json_sha256)
    assert [one.sha256 for one in held[signature.line.json_sha256]] == [signature.sha256]
    for number in range(4):
        (log / f"{signature.line.json_sha256[:32]}!{number}.jws").touch()
    with pytest.raises(FileProblem, match="more than 3 files"):
        signature_log.read_log(log, signature.line.json_sha256)


def test_laxest_policy_of_the_office_is_not_the_signers_to_choose(kept: tuple[RecordFiles, Path]) -> None:
    """A policy counts by date: the record names a lax one of another year."""
    target, etc = kept
    keep(etc, TEXT.replace("= 3", "= 1") + DATED)
    lax = TEXT.replace("= 3", "= 9") + 'valid_from = "2020-01-01"\nvalid_until = "2020-12-31"\n'
    keep(etc, lax, name="2020.toml")
    target = made(target.folder, policy.read_policy(lax.encode()), (ADA, "proposes"), (BEN, "approves"))
    found_of = verified(target, etc)
    assert found_of.outcome == "failed"
    assert "allows at most 1" in found_of.sentence


def test_nobody_signs_past_the_policy_the_office_has_placed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    etc = tmp_path / "etc"
    free = made(tmp_path, None, (ADA, "proposes"))
    monkeypatch.setattr(office_folder, "OFFICE", etc)
    place_office(etc, TEXT.replace("= 3", "= 2"))
    with pytest.raises(InvalidInput, match="allows at most 2"):
        signing.sign_new(read_decision(example("durham")), RecordFiles.beside(tmp_path / "n"), signature(ADA))
    with pytest.raises(InvalidInput, match="allows at most 2"):
        signing.sign_further(free, signature(BEN, "approves"))


def test_a_rejection_that_still_stands_is_not_outvoted_by_another_approver(tmp_path: Path) -> None:
    """Ada looks for an approver until one says yes."""
    found = place_office(tmp_path, TEXT, ADA, BEN, EVE)
    target = RecordFiles.beside(tmp_path / "r")
    signing.sign_new(read_decision(example("durham")), target, signature(ADA), policy=found)
    signing.sign_further(target, signature(BEN, "approves", "reject"), policy=found)
    signing.sign_further(target, signature(EVE, "approves"), policy=found)
    found_of = verified(target, tmp_path, found)
    assert found_of.outcome == "failed"
    assert "Ben Board (approver) rejects it" in found_of.sentence
    signing.sign_further(target, signature(BEN, "approves"), policy=found)  # he has changed his mind
    assert verified(target, tmp_path, found).outcome == "passed"


@pytest.mark.parametrize("outcome", ["approve", "reject"])
def test_what_its_only_signer_withdrew_does_not_pass(tmp_path: Path, outcome: str) -> None:
    """No role is asked for, so nothing is missing where the proposer withdraws."""
    place_office(tmp_path, TEXT, ADA)
    target = made(tmp_path, None, (ADA, "proposes"), outcome=outcome)
    assert verified(target, tmp_path).outcome == "passed"
    forge(target, Steps(), ADA, "proposes", STATED.time, "withdraw")
    found_of = verified(target, tmp_path)
    assert found_of.outcome == "failed"
    assert "Ada Officer (proposer) withdraws it" in found_of.sentence
    assert found_of.remedy == "Make the record again."


def test_who_vouches_fills_the_role_that_a_policy_asks_for(tmp_path: Path) -> None:
    found = place_office(tmp_path, TEXT.replace('"approves"]', '"vouches"]'), ADA, BEN)
    target = made(tmp_path, found, (ADA, "proposes"))
    forge(target, Steps(), BEN, "vouches", STATED.time, "none")
    assert "missing in the role of: vouches" in verified(target, tmp_path, found).sentence
    forge(target, Steps(), BEN, "vouches", STATED.time, "vouch")
    assert verified(target, tmp_path, found).outcome == "passed"


def test_a_public_edition_is_signed_by_those_the_office_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    etc = tmp_path / "etc"
    found = place_office(etc, bound((ADA, "proposes"), (BEN, "approves")), ADA, BEN, EVE)
    internal = made(tmp_path, found, (ADA, "proposes"))
    monkeypatch.setattr(office_folder, "OFFICE", etc)
    public = RecordFiles.beside(tmp_path / "public")
    with pytest.raises(SigningProblem, match="other certificates for the role of: proposes"):
        signing.sign_public(internal, public, signature(EVE), withheld=())
    signing.sign_public(internal, public, signature(ADA), withheld=())
    signing.sign_further(public, signature(BEN, "approves"))
    assert verified(public, etc).outcome == "passed"


def test_fingerprints_and_the_public_key_are_what_openssl_and_others_say() -> None:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = x509.load_der_x509_certificate(ADA.chain[0]).public_key()
    spki = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    assert ADA.certificate.public_key == hashlib.sha256(spki).hexdigest()
    assert isinstance(key, ec.EllipticCurvePublicKey)


LACKING = {
    "no epsilon": {"epsilon": None},
    "an epsilon outside the range, and no reason": {"epsilon": 2.19, "exception_reason": None},
    "no requirements": {"requirements": []},
}


@pytest.mark.parametrize("lacking", LACKING.values(), ids=LACKING)
def test_signatures_do_not_make_up_for_what_an_approval_lacks(tmp_path: Path, lacking: dict[str, Any]) -> None:
    """Ada's program asks nothing of a decision, and Ben signs what she sends."""
    place_office(tmp_path, TEXT, ADA, BEN)
    target = RecordFiles(folder=tmp_path, name="r")
    decision = read_decision(example("durham", **lacking))
    target.json.write_bytes(records.write(records.make(decision, STATED, name="r")))
    for who, role in ((ADA, "proposes"), (BEN, "approves")):
        forge(target, Steps(), who, role, STATED.time)
    found = verified(target, tmp_path)
    assert (found.outcome, found.verdict) == ("failed", "refused")
    assert [finding.check for finding in found.findings if finding.ok is False] == ["complete"]


@pytest.mark.parametrize("verdict", ["vouch", "withdraw"])
def test_who_vouches_or_withdraws_does_not_join_a_rejection(tmp_path: Path, verdict: str) -> None:
    found = place_office(tmp_path, TEXT, ADA, BEN)
    target = made(tmp_path, found, (ADA, "proposes"), outcome="reject")
    forge(target, Steps(), BEN, "approves", STATED.time, verdict)
    judgement = verified(target, tmp_path, found)
    assert judgement.outcome == "failed"
    assert judgement.awaited == ("a signature is still missing in the role of: approves",)


def test_proposer_in_a_further_role_is_nobody_else_in_the_ledger(tmp_path: Path) -> None:
    """Ada signs her record once more, as data protection officer: no other person approves what it replaces."""
    place_office(tmp_path, TEXT, ADA, BEN)
    for second, approval in ((ADA, "proposer"), (BEN, "other")):
        target = made(tmp_path, None, (ADA, "proposes"), (second, "data_protection_officer"))
        judgement = verified(target, tmp_path)
        assert (judgement.outcome, record_folder._approval(judgement)) == ("passed", approval)
