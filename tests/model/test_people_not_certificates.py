"""Attacks on who counts: one person with two certificates, a borrowed name, a weak policy, a claim in the record."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from dpwizard import cli, office_folder
from dpwizard.decision import assess, read_decision
from dpwizard.errors import DPWizardError, InvalidInput, SigningProblem
from dpwizard.records import policy, record
from dpwizard.report import document
from dpwizard.signing import record_files
from dpwizard.signing.findings import Verification
from dpwizard.signing.identity import Identity
from dpwizard.signing.signing import sign_record
from tests.samples.decisions import STATED, example
from tests.samples.signed_record import person, private_key, sign, typeset

TEXT = 'format = "dpwizard.policy/1"\nname = "County"\nlargest_epsilon = 3\nroles = ["proposes", "approves"]\n'
ADA, BEN, EVE = person("Ada Officer"), person("Ben Board"), person("Eve")


def office(folder: Path, text: str = TEXT, *trusted: Identity) -> policy.PolicyFile:
    """Place a policy in FOLDER with a folder `trust` beside it, and return it."""
    (folder / "trust").mkdir(parents=True, exist_ok=True)
    for one in trusted:
        (folder / "trust" / f"{one.certificate.fingerprint[:8]}.crt").write_bytes(one.certificate_pem())
    (folder / "policy.toml").write_text(text)
    return policy.read_policy(text.encode(), "policy.toml")


def signature(who: Identity, role: str = "proposes", verdict: str = "approve") -> record_files.Signature:
    return record_files.Signature(identity=who, role=role, verdict=verdict, comment="", stated=STATED)


def made(
    folder: Path, found: policy.PolicyFile | None, *signers: tuple[Identity, str], **changes: Any
) -> record_files.RecordFiles:
    """Return the record of Durham signed by SIGNERS with a program that asks for nothing."""
    target = record_files.RecordFiles.beside(folder / "r")
    return forged(target, found, signers, lambda raw: raw, **changes)


def forged(
    target: record_files.RecordFiles, found: policy.PolicyFile | None, signers: Any, change: Any, **changes: Any
) -> record_files.RecordFiles:
    """Return a record whose JSON was CHANGED before its dishonest signers signed it."""
    decision = read_decision(example("durham", **changes))
    raw = record.make_record(decision, assess(decision), STATED, policy.named(found) if found else None)
    json_bytes = record.record_bytes(change(json.loads(record.record_bytes(raw))))
    pdf = document.pdf_bytes(json.loads(json_bytes), json_bytes, target.json.name)
    chain = ""
    for who, role in signers:
        signed = sign_record(
            json_bytes=json_bytes,
            pdf_bytes=pdf,
            jws_text=chain,
            identity=who,
            role=role,
            verdict="approve",
            time=STATED.time,
            time_source="signer",
        )
        pdf, chain = signed.pdf_bytes, signed.jws_text
    for path, data in zip(target.all, (json_bytes, pdf, chain.encode()), strict=True):
        path.write_bytes(data)
    return target


def verified(
    target: record_files.RecordFiles, folder: Path, found: policy.PolicyFile | None = None, *trust: Path
) -> Verification:
    return record_files.verify(target, (folder / "trust", *trust), STATED.time, found)


# ------------------------------------------------------------------------------------------ people


def test_one_key_in_two_certificates_does_not_propose_and_approve(tmp_path: Path) -> None:
    twin = person("Somebody Else", private_key(ADA))
    with pytest.raises(SigningProblem, match="one person proposes and approves"):
        sign(sign(typeset(), ADA), twin, role="approves")


def test_one_name_on_two_certificates_does_not_propose_and_approve() -> None:
    with pytest.raises(SigningProblem, match="one person proposes and approves"):
        sign(sign(typeset(), ADA), person("Ada Officer"), role="approves")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ADA  OFFICER", "Ａｄａ Officer", "Ada\u200b Officer"])
def test_one_person_under_two_spellings_fills_one_role_of_a_policy(tmp_path: Path, name: str) -> None:
    again = person(name)
    found = office(tmp_path, TEXT.replace('"approves"', '"advises"'), ADA, again)
    target = made(tmp_path, found, (ADA, "proposes"), (again, "advises"))
    judged = verified(target, tmp_path, found)
    assert (judged.outcome, bool(judged.awaited)) == ("failed", True)


@pytest.mark.slow
def test_an_exception_needs_two_people_and_not_two_certificates_of_one(tmp_path: Path) -> None:
    again = person("Ada Officer", private_key(ADA))
    office(tmp_path, TEXT, ADA, again)
    raw = {"epsilon": 2.19, "exception_reason": "The difference is 0.07 in 100."}
    target = made(tmp_path, None, (ADA, "proposes"), (again, "advises"), **raw)
    judged = verified(target, tmp_path)
    assert judged.outcome == "failed"
    assert "second signature" in judged.awaited[0]


# ------------------------------------------------------------------------------------------- trust


@pytest.mark.slow
def test_under_a_policy_only_certificates_trusted_here_count(tmp_path: Path) -> None:
    found = office(tmp_path, TEXT, ADA)
    judged = verified(made(tmp_path, found, (ADA, "proposes"), (EVE, "approves")), tmp_path, found)
    assert judged.outcome == "undetermined"
    roles = next(finding for finding in judged.findings if finding.check == "roles")
    assert roles.ok is None
    assert "not trusted here" in roles.why
    office(tmp_path, TEXT, EVE)
    assert verified(record_files.RecordFiles.beside(tmp_path / "r"), tmp_path, found).outcome == "passed"


@pytest.mark.slow
def test_a_self_made_certificate_with_the_name_of_a_trusted_one_is_warned_about_and_counts_for_nothing(
    tmp_path: Path,
) -> None:
    found = office(tmp_path, TEXT, ADA, BEN)
    false_ben = person("Ben  BOARD")
    target = made(tmp_path, found, (ADA, "proposes"), (false_ben, "approves"))
    judged = verified(target, tmp_path, found)
    assert judged.outcome == "failed"
    assert "approves" in judged.awaited[0]
    assert judged.signers[1].standing == "borrowed_name"
    assert "counts for nothing" in judged.signers[1].why
    target = made(tmp_path, None, (ADA, "proposes"), (false_ben, "approves"))
    judged = verified(target, tmp_path)
    assert (judged.outcome, judged.signers[1].standing) == ("undetermined", "borrowed_name")


@pytest.mark.slow
def test_a_false_authority_lends_no_name_either(tmp_path: Path) -> None:
    from tests.samples.signed_record import an_authority

    found = office(tmp_path, TEXT, ADA, BEN)
    false_ben = person("Ben Board", issuer=an_authority("County CA"))
    judged = verified(made(tmp_path, found, (ADA, "proposes"), (false_ben, "approves")), tmp_path, found)
    assert (judged.outcome, judged.signers[1].standing) == ("failed", "borrowed_name")


# --------------------------------------------------------------------------------- bound certificates


def bound(*rows: tuple[Identity, str]) -> str:
    made = TEXT
    for who, role in rows:
        name, digest = who.certificate.name, who.certificate.fingerprint
        made += f'\n[[people]]\nname = "{name}"\ncertificate = "{digest}"\nroles = ["{role}"]\n'
    return made


@pytest.mark.slow
def test_a_role_is_filled_only_by_the_certificates_the_policy_binds_to_it(tmp_path: Path) -> None:
    found = office(tmp_path, bound((BEN, "approves")), ADA, BEN, EVE)
    target = made(tmp_path, found, (ADA, "proposes"), (EVE, "approves"))  # Eve is trusted, and not the one who approves
    judged = verified(target, tmp_path, found)
    assert judged.outcome == "failed"
    assert judged.awaited == ("a signature of a person the policy names is still missing in the role of: approves",)
    assert verified(made(tmp_path, found, (ADA, "proposes"), (BEN, "approves")), tmp_path, found).outcome == "passed"


@pytest.mark.slow
def test_a_signature_in_a_role_bound_to_others_is_not_made(tmp_path: Path) -> None:
    found = office(tmp_path, bound((ADA, "proposes"), (BEN, "approves")))
    target = record_files.RecordFiles.beside(tmp_path / "s")
    with pytest.raises(SigningProblem, match="other certificates for the role of: proposes"):
        record_files.sign_new(read_decision(example("durham")), target, signature(EVE), policy=found)
    assert not target.json.exists()
    record_files.sign_new(read_decision(example("durham")), target, signature(ADA), policy=found)
    before = [path.read_bytes() for path in target.all]
    with pytest.raises(SigningProblem, match="other certificates for the role of: approves"):
        record_files.sign_further(target, signature(EVE, "approves"), policy=found)
    assert [path.read_bytes() for path in target.all] == before
    record_files.sign_further(target, signature(BEN, "approves"), policy=found)


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


def claim_inside(raw: dict[str, Any]) -> dict[str, Any]:
    raw["assessment"]["inside"] = True
    return raw


@pytest.mark.slow
def test_whether_epsilon_lies_inside_is_solved_anew_and_not_read_from_the_record(tmp_path: Path) -> None:
    strict = office(tmp_path, TEXT + "exceptions = false\n", ADA, BEN)
    outside = {"epsilon": 2.19, "exception_reason": "The difference is 0.07 in 100."}
    target = record_files.RecordFiles.beside(tmp_path / "r")
    forged(target, strict, ((ADA, "proposes"), (BEN, "approves")), claim_inside, **outside)
    judged = verified(target, tmp_path, strict)
    assert judged.outcome == "failed"
    assert "no exceptions" in " ".join(judged.awaited)
    with pytest.raises(DPWizardError, match="no exceptions"):
        record_files.sign_further(target, signature(EVE, "advises"), policy=strict)
    forged(target, None, ((ADA, "proposes"),), claim_inside, **outside)
    judged = verified(target, tmp_path)
    assert judged.outcome == "failed"
    assert "second signature" in judged.awaited[0]


@pytest.mark.slow
def test_a_record_without_its_policy_is_not_checked_and_never_complete(tmp_path: Path) -> None:
    weak = office(tmp_path, TEXT, ADA, BEN)
    target = made(tmp_path, weak, (ADA, "proposes"), (BEN, "approves"))
    judged = verified(target, tmp_path)
    assert (judged.verdict, judged.outcome, judged.complete) == ("trusted", "undetermined", False)
    assert "not checked against a policy" in judged.sentence
    assert verified(target, tmp_path, weak).complete


@pytest.mark.slow
def test_the_list_of_roles_in_a_record_is_a_claim(tmp_path: Path) -> None:
    found = office(tmp_path, TEXT, ADA)

    def shortened(raw: dict[str, Any]) -> dict[str, Any]:
        raw["policy"]["roles"] = ["proposes"]
        return raw

    target = record_files.RecordFiles.beside(tmp_path / "r")
    forged(target, found, ((ADA, "proposes"),), shortened)
    assert verified(target, tmp_path).outcome == "undetermined"
    assert verified(target, tmp_path, found).outcome == "failed"


# ----------------------------------------------------------------------------------- the office's policy


@pytest.mark.slow
def test_the_policy_of_the_office_is_consulted_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    etc = tmp_path / "etc"
    monkeypatch.setattr(office_folder, "OFFICE", etc)
    found = office(etc, TEXT, ADA, BEN)
    weak = policy.read_policy(TEXT.replace("County", "Own").replace(', "approves"', "").encode(), "own.toml")
    for named in (None, weak):  # a record under no policy, and under one its signers wrote themselves
        judged = verified(made(tmp_path, named, (ADA, "proposes")), etc)
        assert judged.outcome == "failed"
        assert "approves" in " ".join(judged.awaited)
    judged = verified(made(tmp_path, weak, (ADA, "proposes"), (BEN, "approves")), etc)
    assert (judged.outcome, judged.complete) == ("undetermined", False)  # the one it names is not at hand
    assert verified(made(tmp_path, None, (ADA, "proposes"), (BEN, "approves")), etc).outcome == "passed"
    assert verified(made(tmp_path, found, (ADA, "proposes"), (BEN, "approves")), etc).outcome == "passed"


@pytest.mark.slow
def test_an_earlier_policy_the_office_keeps_is_the_one_its_records_are_held_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    etc = tmp_path / "etc"
    monkeypatch.setattr(office_folder, "OFFICE", etc)
    earlier = office(etc, TEXT, ADA, BEN)
    target = made(tmp_path, earlier, (ADA, "proposes"), (BEN, "approves"))
    office(etc, TEXT.replace("= 3", "= 2"))
    assert verified(target, etc).outcome == "failed"
    (etc / "policies").mkdir()
    (etc / "policies" / "2025.toml").write_text(TEXT)
    assert verified(target, etc).outcome == "passed"


@pytest.mark.slow
def test_nobody_signs_past_the_policy_the_office_has_placed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    etc = tmp_path / "etc"
    free = made(tmp_path, None, (ADA, "proposes"))
    monkeypatch.setattr(office_folder, "OFFICE", etc)
    office(etc, TEXT.replace("= 3", "= 2"))
    with pytest.raises(InvalidInput, match="allows at most 2"):
        record_files.sign_new(
            read_decision(example("durham")), record_files.RecordFiles.beside(tmp_path / "n"), signature(ADA)
        )
    with pytest.raises(InvalidInput, match="allows at most 2"):
        record_files.sign_further(free, signature(BEN, "approves"))


@pytest.mark.slow
def test_a_rejection_that_still_stands_is_not_outvoted_by_another_approver(tmp_path: Path) -> None:
    """Ada looks for an approver until one says yes."""
    found = office(tmp_path, TEXT, ADA, BEN, EVE)
    target = record_files.RecordFiles.beside(tmp_path / "r")
    record_files.sign_new(read_decision(example("durham")), target, signature(ADA), policy=found)
    record_files.sign_further(target, signature(BEN, "approves", "reject"), policy=found)
    record_files.sign_further(target, signature(EVE, "approves"), policy=found)
    judged = verified(target, tmp_path, found)
    assert judged.outcome == "failed"
    assert judged.awaited == ("the approval is spoken against by Ben Board (approves)",)
    record_files.sign_further(target, signature(BEN, "approves"), policy=found)  # he has changed his mind
    assert verified(target, tmp_path, found).outcome == "passed"


@pytest.mark.slow
def test_a_public_edition_is_signed_by_those_the_office_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    etc = tmp_path / "etc"
    found = office(etc, bound((ADA, "proposes"), (BEN, "approves")), ADA, BEN, EVE)
    internal = made(tmp_path, found, (ADA, "proposes"))
    monkeypatch.setattr(office_folder, "OFFICE", etc)
    public = record_files.RecordFiles.beside(tmp_path / "public")
    with pytest.raises(SigningProblem, match="other certificates for the role of: proposes"):
        record_files.sign_public(internal, public, signature(EVE), withheld=())
    record_files.sign_public(internal, public, signature(ADA), withheld=())
    record_files.sign_further(public, signature(BEN, "approves"))
    assert verified(public, etc).outcome == "passed"


@pytest.mark.parametrize("text", [b"[]", b"1", b'{"format": "dpwizard.record/9"}'])
def test_json_that_is_no_record_never_passes(tmp_path: Path, text: bytes) -> None:
    from dpwizard.signing.outcomes import concluded
    from dpwizard.signing.required_signatures import with_required
    from tests.samples.signed_record import judged, people, signed, trusted

    found = judged(signed(2), trust=trusted(*people()))
    assert concluded(with_required(found, text)).outcome == "undetermined"


# ------------------------------------------------------------------------------------------- outcomes


def status(target: record_files.RecordFiles, *more: str | Path) -> int:
    return cli.main(["verify", str(target.json), *map(str, more)])


@pytest.mark.slow
def test_the_command_line_exits_with_what_the_json_and_the_window_say(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "nobody")
    found = office(tmp_path, TEXT, ADA, BEN)
    named, trust = ("--policy", tmp_path / "policy.toml"), ("--trust", tmp_path / "trust")
    free = made(tmp_path, None, (ADA, "proposes"))
    assert (status(free), status(free, *trust)) == (3, 0)
    target = made(tmp_path, found, (ADA, "proposes"))
    assert status(target, *named) == 1
    target = made(tmp_path, found, (ADA, "proposes"), (BEN, "approves"))
    assert (status(target, *named), status(target, *trust)) == (0, 3)
    assert status(target, "--policy", tmp_path / "nowhere.toml") == 2
    capfd.readouterr()
    for more, exit_status in ((named, 0), (trust, 3)):
        assert status(target, *more, "--json") == exit_status
        said = json.loads(capfd.readouterr().out)
        assert (said["outcome"], said["exit_status"]) == (("passed", 0) if exit_status == 0 else ("undetermined", 3))
    pdf = target.pdf.read_bytes()
    target.pdf.unlink()
    assert status(target, *named) == 3
    target.pdf.write_bytes(pdf[:-1] + b" ")
    assert status(target, *named) == 1
    assert cli.main(["verify", str(tmp_path / "nothing")]) == 2


# ------------------------------------------------------------------------------------- a signed policy


def test_fingerprints_and_the_public_key_are_what_openssl_and_others_say() -> None:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = x509.load_der_x509_certificate(ADA.chain[0]).public_key()
    spki = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    assert ADA.certificate.public_key == hashlib.sha256(spki).hexdigest()
    assert isinstance(key, ec.EllipticCurvePublicKey)
