"""The policies of an office: the one that is placed, those that are kept, and the signature that each may have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from dpwizard.base import files, office_folder
from dpwizard.base.errors import SigningProblem
from dpwizard.base.messages import message
from dpwizard.base.values import ShortText, Value
from dpwizard.records import PolicyFile, Record
from dpwizard.records import policy as policies
from dpwizard.signing import office, store
from dpwizard.signing.certificates import describe, printable, stamp
from dpwizard.signing.findings import Findings, Signer
from dpwizard.signing.identity import Identity
from dpwizard.signing.office import read_trust
from dpwizard.signing.signature import Digest, Moment, Signature, moment_of, read_signed, sign_value
from dpwizard.signing.trust import Trust, check_certificate

KEPT = "policies"  # the folder of those that applied before, or will


def read_policy(path: Path, trusted: Iterable[Path] = ()) -> PolicyFile:
    """Return the policy in the file PATH, with who signed it; its signature is judged by the certificates TRUSTED.

    Raises FileProblem and InvalidInput in words; SigningProblem where it counts only when signed and is not, or where
    a signature beside it does not hold.
    """
    policy_file = policies.read_policy(files.read_bytes(path), str(path))
    place = signature_beside(path)
    if files.is_there(place):
        return _checked(policy_file, files.read_bytes(place), read_trust(trusted), str(path))
    if policy_file.policy.signed:
        raise SigningProblem("counts only with the office’s signature, and none is beside it", str(path), HINT)
    return policy_file


def placed_policy() -> PolicyFile | None:
    """Return the policy that the office has placed here; None where there is none, and raises as `read_policy`."""
    placed = office.policy_in()
    return None if placed is None else read_policy(placed, office.trust_in(office_folder.OFFICE))


def policy_at(record: Record, signature: Signature, results: Findings) -> PolicyFile | None:
    """Return the policy of the office that applied when SIGNATURE states it was made; None where there is none.

    That is the placed one if it says from when it applies, or a kept one: those lie in the folder `policies`, with
    dates and the office's signature. As the time is the signer's claim, one that no longer applies needs proof: a
    time-stamp or the log, as RESULTS say. What is undetermined is noted there.
    """
    placed, kept = placed_policy(), _kept_policies()
    earlier = _applied(placed, kept, signature.time)
    if earlier is None or earlier is placed:
        _say_undated(record, placed, kept, results)
        if earlier is None and placed is not None:
            why = message("no policy of the office applied on {date}", date=signature.line.time[:10])
            results.add("policy_time", None, why, remedy=message("Give the policy that applied then."))
        return earlier
    ends = earlier.policy.last_moment
    proved = results.shown_by is not None and ends is not None and results.shown_by <= ends
    why = message(
        'the policy "{name}" applied until {date}, and only the signer states that it was signed by then',
        name=earlier.policy.name,
        date=earlier.policy.valid_until or "",
    )
    results.add("policy_time", proved or None, why, remedy=message("Fetch a time-stamp that shows it."))
    return earlier


def policy_of(signer: Signer) -> PolicyFile | None:
    """Return the policy of the office that applied when SIGNER states to have signed; None where none did."""
    return _applied(placed_policy(), _kept_policies(), moment_of(signer.time))


def _applied(placed: PolicyFile | None, kept: tuple[PolicyFile, ...], at: datetime) -> PolicyFile | None:
    dated = [candidate for candidate in kept if candidate.policy.is_dated and candidate.signed_by]
    applied = [candidate for candidate in dated if candidate.policy.applies(at)]
    if placed is not None and placed.policy.applies(at) and (placed.policy.valid_from is not None or not applied):
        return placed
    return max(applied, key=lambda candidate: candidate.policy.valid_from or "", default=None)  # that came last


def _say_undated(record: Record, placed: PolicyFile | None, kept: tuple[PolicyFile, ...], results: Findings) -> None:
    """Note in RESULTS that the record names a policy which is kept without dates or without the office's signature."""
    named = record.policy
    if named is None or (placed is not None and named.sha256 == placed.sha256):
        return
    kept_policy = next((candidate for candidate in kept if candidate.sha256 == named.sha256), None)
    if kept_policy is not None and not (kept_policy.policy.is_dated and kept_policy.signed_by):
        why = message(
            "the policy {name} has no dates or no signature of the office, so it is not known when it applied",
            name=printable(kept_policy.policy.name, 200),
        )
        results.add("policy_time", None, why, remedy=message("Ask the office to date it and sign it."))


def _kept_policies() -> tuple[PolicyFile, ...]:
    kept = office_folder.OFFICE / KEPT
    if not files.may_be_there(kept):
        return ()
    with files.file_problem(kept):
        places = sorted(path for path in kept.iterdir() if path.suffix == ".toml")
    return tuple(read_policy(path, office.trust_in(kept.parent)) for path in places)


# ------------------------------------ a policy signed by the office: one line beside it, NAME.toml.jws, over its hash


KIND = "dpwizard-policy/1"
HINT = "Ask the office for the policy with its signature."


class Statement(Value):
    """What the signer of a policy states: which bytes, and when."""

    policy_sha256: Digest
    name: ShortText
    time: Moment


def signature_beside(place: Path) -> Path:
    """Return where the signature of the policy at PLACE lies."""
    return place.with_name(f"{place.name}.jws")


def signed_policy(data: bytes, where: str, identity: Identity, time: datetime) -> bytes:
    """Return the signature of IDENTITY over the policy in DATA, as a file; raises InvalidInput where it is none.

    Raises SigningProblem where the certificate is not valid at that TIME.
    """
    policy_file = policies.read_policy(data, where)
    identity.require_usable(time)
    statement = Statement(policy_sha256=policy_file.sha256, name=policy_file.policy.name, time=stamp(time))
    return f"{sign_value(identity=identity, value=statement, kind=KIND)}\n".encode("ascii")


def _checked(policy_file: PolicyFile, line: bytes, trust: Trust, where: str) -> PolicyFile:
    """Return the policy POLICY_FILE with who signed it, by the LINE beside it.

    Raises SigningProblem where that signature is not of these bytes, or not by somebody in TRUST.
    """
    statement, chain = read_signed(store.one_line(line, signature_beside(Path(where))), Statement, KIND)
    standing = check_certificate(chain, trust=trust, at=moment_of(statement.time))
    name = printable(describe(chain[0]).name)
    if statement.policy_sha256 != policy_file.sha256:
        raise SigningProblem(message("was changed after {name} signed it", name=name), where, HINT)
    if not standing.trusted:
        why = message("is signed by {name}, who is not trusted here: {why}", name=name, why=standing.why)
        raise SigningProblem(why, where, HINT)
    return replace(policy_file, signed_by=name)
