"""A policy signed by the office: one line beside it, NAME.toml.jws, over the hash of its bytes."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from dpwizard.base.errors import SigningProblem
from dpwizard.base.messages import message
from dpwizard.base.values import ShortText, Value
from dpwizard.records import PolicyFile
from dpwizard.records import policy as policies
from dpwizard.signing import store
from dpwizard.signing.certificates import describe, printable, stamp
from dpwizard.signing.identity import Identity
from dpwizard.signing.json_signature import Digest, Moment, moment_of, read_signed, sign_value
from dpwizard.signing.trust import Trust, check_certificate

KIND = "dpwizard-policy/1"
HINT = "Ask the office for the policy with its signature."


class Statement(Value):
    """What whoever signs a policy states: which bytes, and when."""

    policy_sha256: Digest
    name: ShortText
    time: Moment


def beside(place: Path) -> Path:
    """Return where the signature of the policy at PLACE lies."""
    return place.with_name(f"{place.name}.jws")


def signed(data: bytes, where: str, identity: Identity, time: datetime) -> bytes:
    """Return the signature of IDENTITY over the policy in DATA, as a file; raises InvalidInput where it is none.

    Raises SigningProblem where the certificate is not valid at that TIME.
    """
    found = policies.read_policy(data, where)
    identity.require_usable(time)
    said = Statement(policy_sha256=found.sha256, name=found.policy.name, time=stamp(time))
    return f"{sign_value(identity=identity, value=said, kind=KIND)}\n".encode("ascii")


def checked(found: PolicyFile, line: bytes | None, trust: Trust, where: str) -> PolicyFile:
    """Return the policy FOUND with who signed it, by the LINE beside it (None: there is none).

    Raises SigningProblem where it counts only when signed and is not, or where a signature that lies beside it is not
    of these bytes, or not by somebody in TRUST.
    """
    if line is None:
        if found.policy.signed:
            raise SigningProblem("counts only with the signature of the office, and none lies beside it", where, HINT)
        return found
    said, chain = read_signed(store.one_line(line, beside(Path(where))), Statement, KIND)
    standing = check_certificate(chain, trust=trust, at=moment_of(said.time))
    name = printable(describe(chain[0]).name)
    if said.policy_sha256 != found.sha256:
        raise SigningProblem(message("was changed after {name} signed it", name=name), where, HINT)
    if not standing.trusted:
        why = message("is signed by {name}, who is not trusted here: {why}", name=name, why=standing.why)
        raise SigningProblem(why, where, HINT)
    return replace(found, signed_by=name)
