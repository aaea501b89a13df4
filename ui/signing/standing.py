"""The files where a record is to be signed, and the key files that can sign it: read behind the window."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from dpwizard import records
from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Decision
from dpwizard.records import APPROVALS, PolicyFile
from dpwizard.signing import RecordFiles, certificates, findings, people, required_signatures, signature, store
from ui.signing import signature_files
from ui.signing.signature_files import SignatureFile
from ui.signing.verdict_words import ROLES

MOST_NAMES = 50  # tried for a record before one is asked for
NUMBERED = re.compile(r"-\d{1,2}$")  # the end of a name that was free
Kind = Literal["none", "new", "further", "other"]
Known: TypeAlias = dict[str, tuple[Any, "Lying | None"]]  # what was read at a place, and from which files


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
    """A record as it lies there, the SHA-256 of its JSON file, and who signed so far in which role."""

    made: records.Record
    sha256: str
    signers: tuple[Signer, ...]

    @property
    def decision(self) -> Decision:
        """Return what was decided."""
        return self.made.decision


@dataclass(frozen=True)
class SigningPlace:
    """What signing would do at a place."""

    kind: Kind
    lying: Lying | None = None

    def roles(self, policy: PolicyFile | None) -> tuple[str, ...]:
        """Return the roles in which signatures are asked for, in order: the policy's, else the three of a record."""
        asked = self.lying.made.policy if self.lying is not None else None
        named = (asked.roles if asked is not None else ()) or (policy.policy.roles if policy is not None else ())
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
        """Return whether a signature counts for its role: one against an approval does not, nor what came before it."""
        approving = self.lying is not None and self.lying.decision.outcome in APPROVALS
        carries = required_signatures.carries(signer.role, signer.verdict, signer.conditions)
        return not approving or (carries and self.stands(signer))

    def stands(self, signer: Signer) -> bool:
        """Return whether who gave a signature did not speak against the record later in that role."""
        of_signer = [each for each in self.signers if (each.person, each.role) == (signer.person, signer.role)]
        return of_signer[-1].verdict not in findings.AGAINST

    def _counting(self) -> tuple[Signer, ...]:
        return tuple(signer for signer in self.signers if self.counts(signer))

    def next_role(self, policy: PolicyFile | None) -> str:
        """Return the first role in order that is still awaited."""
        return next(iter(self.awaited(policy)), ROLES[0])


def read_lying(place: RecordFiles) -> Lying | None:
    """Return the record that lies at PLACE with its signatures; None where there is none that can be read."""
    try:
        data = store.read(place.json) or b""
        record = records.read(data)
        signatures = [signature.read_signature(text) for text in store.read_lines(place)]
    except DPWizardError:
        return None
    known = people.persons(signature.certificate for signature in signatures)
    signers = [
        Signer(
            signature.line.role,
            signature.line.verdict,
            signature.line.conditions,
            certificates.printable(signature.certificate.name),
            signature.line.time,
            known[signature.certificate.fingerprint],
            signature.certificate.fingerprint,
        )
        for signature in signatures
    ]
    return Lying(record, signature.sha256_of(data), tuple(signers))


def stamps_of(place: RecordFiles) -> tuple[Any, ...]:
    """Return when which files of the record at PLACE were last changed."""
    stated = [(path, path.stat()) for path in place.there]
    return tuple((path, status.st_mtime_ns, status.st_ctime_ns, status.st_size) for path, status in stated)


def place_of(typed: str, decision: Decision, known: Known, public_of: str | None = None) -> SigningPlace:
    """Return what signing DECISION (or the public version of the record with hash PUBLIC_OF) at TYPED would do.

    A record that is KNOWN is read again only when its files have changed.
    """
    if not typed:
        return SigningPlace("none")
    try:
        place = RecordFiles.beside(Path(typed))
        stamps = stamps_of(place)
    except (OSError, ValueError, DPWizardError):  # a name too long is not free, either
        return SigningPlace("other")
    if not stamps:
        return SigningPlace("new")
    if typed not in known or known[typed][0] != stamps:
        known[typed] = (stamps, read_lying(place))
    _, lying = known[typed]
    if lying is None:
        return SigningPlace("other")
    public, same = lying.made.public, lying.decision == decision.as_recorded()
    if public_of is not None:
        same = public is not None and public.internal_sha256 == public_of
    return SigningPlace("further" if same else "other", lying)


def same_but_for_marks(first: Decision, other: Decision) -> bool:
    """Return whether two decisions differ at most in what a public version is to leave out."""
    first, second = (decision.as_recorded().model_copy(update={"withheld": ()}) for decision in (first, other))
    return first == second


NOWHERE = SigningPlace("none")


@dataclass(frozen=True, kw_only=True)
class Places:
    """What lies where the record is to lie, and what is to be signed; and the signature files there are."""

    record: str = ""
    standing: SigningPlace = NOWHERE
    target: str = ""  # of what is to be signed: the record, or its public version
    shown: SigningPlace = NOWHERE
    stamps: tuple[Any, ...] = ()  # of the files of what is to be signed
    replaced: Lying | None = None  # the record that this decision was, before it was changed
    signature_files: tuple[SignatureFile, ...] = ()


def look(
    decision: Decision, signed: Path | None, offered: Path, typed: Mapping[bool, str], public: bool, known: Known
) -> Places:
    """Return what lies where DECISION is to be signed, or its public version if PUBLIC.

    Arguments: signed, the record that it was opened from or signed as, which a changed one replaces; offered, the
    folder and the name, without its ending, that are offered; typed, where the record and the public version are to
    lie instead; known, what was read before.
    """

    name = NUMBERED.sub("", offered.name)
    names = (offered.name, *(f"{name}-{number}" for number in range(2, MOST_NAMES)))
    free = (str(offered.with_name(f"{each}.json")) for each in names)
    record = typed[False] or (str(signed or "") if public else "")
    record = record or next((each for each in free if place_of(each, decision, known).kind in ("new", "further")), "")
    target, standing = record, place_of(record, decision, known)
    shown = standing
    if public:
        target = typed[True] or (f"{record.removesuffix('.json')}-public" if record else "")
        of = standing.lying.sha256 if standing.lying is not None else ""
        shown = place_of(target, decision, known, public_of=of)
    before = place_of(str(signed or ""), decision, known).lying
    changed = before is not None and before.made.public is None and not same_but_for_marks(before.decision, decision)
    return Places(
        record=record,
        standing=standing,
        target=target,
        shown=shown,
        stamps=known[target][0] if target in known else (),
        replaced=before if changed else None,
        signature_files=signature_files.own_files(),
    )
