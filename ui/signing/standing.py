"""What lies where a record is to be signed: nothing, this decision's record, its public edition, or something else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dpwizard import records
from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Decision
from dpwizard.records import APPROVALS, PolicyFile
from dpwizard.signing import RecordFiles, certificates, people, required_signatures, signature, store
from ui.signing.verdict_words import ROLES

Kind = Literal["none", "new", "further", "other"]


@dataclass(frozen=True)
class Signer:
    """One signature of a record that lies there."""

    role: str
    verdict: str
    conditions: tuple[str, ...]
    name: str
    time: str
    person: str  # whose certificate it is: one person may hold several
    fingerprint: str  # of the certificate


@dataclass(frozen=True)
class Lying:
    """A record as it lies there: its decision, edition, policy, and who signed so far in which role."""

    decision: Decision
    edition: str
    policy_name: str
    policy_sha256: str
    roles: tuple[str, ...]
    signers: tuple[Signer, ...]
    sha256: str  # of its JSON file
    internal_sha256: str  # of a public edition: the hash of the record it is the edition of


@dataclass(frozen=True)
class SigningPlace:
    """What signing would do at a place."""

    kind: Kind
    lying: Lying | None = None

    def roles(self, policy: PolicyFile | None) -> tuple[str, ...]:
        """Return the roles in which signatures are asked for, in order: the policy's, else the three of a record."""
        named = () if policy is None else policy.policy.roles
        named = self.lying.roles if self.lying is not None and self.lying.roles else named
        return tuple(sorted(named, key=lambda role: ROLES.index(role) if role in ROLES else len(ROLES))) or ROLES

    @property
    def signers(self) -> tuple[Signer, ...]:
        """Return who signed so far, in order."""
        return () if self.lying is None else self.lying.signers

    @property
    def people(self) -> int:
        """Return how many different people's signatures count."""
        return len({signed.person for signed in self._counting()})

    def awaited(self, policy: PolicyFile | None) -> tuple[str, ...]:
        """Return the roles, in order, that await a signature that counts, each by a person of its own."""
        return required_signatures.open_roles(
            self.roles(policy), ((signer.role, signer.person) for signer in self._counting())
        )

    def counts(self, signer: Signer) -> bool:
        """Return whether a signature counts for its role: one against an approval does not."""
        approving = self.lying is not None and self.lying.decision.outcome in APPROVALS
        return not approving or required_signatures.carries(signer.role, signer.verdict, signer.conditions)

    def _counting(self) -> tuple[Signer, ...]:
        return tuple(signer for signer in self.signers if self.counts(signer))

    def next_role(self, policy: PolicyFile | None) -> str:
        """Return the first role in order that is still awaited."""
        return next(iter(self.awaited(policy)), ROLES[0])


def read_lying(place: RecordFiles) -> Lying | None:
    """Return the record that lies at PLACE with its signatures; None where there is none that can be read."""
    try:
        data = store.read(place.json) or b""
        made = records.read(data)
        signatures = [signature.read_signature(text) for text in store.read_lines(place)]
    except DPWizardError:
        return None
    known = people.persons(one.certificate for one in signatures)
    signers = [
        Signer(
            one.line.role,
            one.line.verdict,
            one.line.conditions,
            certificates.printable(one.certificate.name),
            one.line.time,
            known[one.certificate.fingerprint],
            one.certificate.fingerprint,
        )
        for one in signatures
    ]
    policy, public = made.policy, made.public
    return Lying(
        decision=made.decision,
        edition=made.edition,
        policy_name=policy.name if policy is not None else "",
        policy_sha256=policy.sha256 if policy is not None else "",
        roles=policy.roles if policy is not None else (),
        signers=tuple(signers),
        sha256=signature.sha256_of(data),
        internal_sha256=public.internal_sha256 if public is not None else "",
    )


class Watch:
    """Looks at the record of one place, and reads it again only when its files have changed."""

    def __init__(self) -> None:
        self._seen: tuple[Any, ...] = ()
        self._lying: Lying | None = None

    def look(self, typed: str, decision: Decision, *, public_of: str | None = None) -> SigningPlace:
        """Return what signing DECISION (or the public edition of the record with hash PUBLIC_OF) at TYPED would do."""
        if not typed:
            return SigningPlace("none")
        place = RecordFiles.beside(Path(typed))
        try:
            stamps = tuple((path, path.stat().st_mtime_ns, path.stat().st_size) for path in place.there)
        except (OSError, ValueError):
            return SigningPlace("other")
        if not stamps:
            return SigningPlace("new")
        if stamps != self._seen:
            self._seen, self._lying = stamps, read_lying(place)
        lying = self._lying
        if lying is None:
            return SigningPlace("other")
        if public_of is not None:
            edition_of = lying.edition == "public" and lying.internal_sha256 == public_of
            return SigningPlace("further" if edition_of else "other", lying)
        return SigningPlace("further" if lying.decision == decision.as_recorded() else "other", lying)


def same_but_for_marks(one: Decision, other: Decision) -> bool:
    """Return whether two decisions differ at most in what a public edition is to leave out."""
    first, second = (decision.as_recorded().model_copy(update={"withheld": ()}) for decision in (one, other))
    return first == second
