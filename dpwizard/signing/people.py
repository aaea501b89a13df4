"""People, not certificates: which certificates are one person's, and who only uses the name of a trusted person.

One person may hold several certificates, and anyone can make a certificate with any name. Certificates with one
public key, or with one subject in whatever spelling, are therefore taken for one person. So are those with one name, if
one of them is self-signed, because anyone can put any office into one. If a trusted certificate has a name, the same
name on an untrusted one counts for nothing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from dpwizard.base.messages import message
from dpwizard.signing.certificates import Certificate, alphabets, describe, printable
from dpwizard.signing.findings import Signer
from dpwizard.signing.trust import Trust

UNSEEN = ("Cf", "Cc", "Zs", "Zl", "Zp")  # categories of characters that show nothing, or a blank
STRANGERS = ("self_made", "unknown_issuer")  # standings under which anybody can bear any name
BORROWED = "borrowed_name"


def folded(name: str) -> str:
    """Return NAME as two spellings of it compare: without case, blanks and what cannot be seen (NFKC)."""
    seen = unicodedata.normalize("NFKC", name).casefold()
    return "".join(char for char in unicodedata.normalize("NFKC", seen) if unicodedata.category(char) not in UNSEEN)


def persons(certificates: Iterable[Certificate]) -> Mapping[str, str]:
    """Return for each fingerprint of CERTIFICATES a name of its person, the same for all that are one person's."""
    person_of: dict[str, str] = {}
    by_mark: dict[tuple[str, str], str] = {}  # a key or a subject, and whose it is
    all_of_them = tuple(certificates)
    self_made = {folded(certificate.name) for certificate in all_of_them if certificate.self_signed}
    for certificate in all_of_them:
        marks = [("key", certificate.public_key), ("subject", folded(certificate.subject))]
        marks += [("name", folded(certificate.name))] if folded(certificate.name) in self_made else []
        known = [by_mark[mark] for mark in marks if mark in by_mark]
        person = known[0] if known else certificate.fingerprint
        by_mark.update((mark, person) for mark in marks)
        for other in known[1:]:  # what joins two who were apart makes them one
            by_mark = {mark: person if whose == other else whose for mark, whose in by_mark.items()}
            person_of = {fingerprint: person if whose == other else whose for fingerprint, whose in person_of.items()}
        person_of[certificate.fingerprint] = person
    return person_of


def with_name_warnings(signers: Sequence[Signer], trust: Trust) -> tuple[Signer, ...]:
    """Return SIGNERS with notes on their names; one with the name of a trusted person is called a borrower."""
    known = [describe(der) for der in trust.certificates] + [signer.certificate for signer in signers if signer.trusted]
    names = {folded(certificate.name): certificate for certificate in known}
    judged: list[Signer] = []
    for signer in signers:
        owner = names.get(folded(signer.certificate.name))
        borrows = owner is not None and signer.standing in STRANGERS
        why = message(
            "the certificate bears the name of {name}, but another certificate of that name is trusted here: "
            "it does not count",
            name=printable(signer.certificate.name),
        )
        changes = {"standing": BORROWED, "why": why} if borrows else {}
        judged.append(signer.model_copy(update=changes | {"notes": (*signer.notes, *_notes(signer, judged))}))
    return tuple(judged)


def _notes(signer: Signer, before: Sequence[Signer]) -> Iterator[str]:
    """Yield in what a name may pass for another one."""
    certificate = signer.certificate
    mixed = alphabets(certificate.name)
    if len(mixed) > 1:
        yield message(
            "the name mixes letters of several alphabets ({alphabets}): compare the fingerprint",
            alphabets=", ".join(mixed),
        )
    if any(
        folded(other.certificate.name) == folded(certificate.name)
        and other.certificate.fingerprint != certificate.fingerprint
        for other in before
    ):
        yield message("an earlier signature bears the same name with another certificate")
